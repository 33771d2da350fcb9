// Runs uplane beside the page. In: questions of crates/uplane-wasm, each with a number. Out: their
// answers, with the number and the milliseconds that they took.

const engine = WebAssembly.instantiateStreaming(fetch(new URL("uplane.wasm", self.location)));

self.onmessage = async ({ data: { number, question } }) => {
  try {
    const { room, answer, place, memory } = (await engine).instance.exports;
    const begun = performance.now();
    const asked = new TextEncoder().encode(JSON.stringify(question));
    const there = room(asked.length);
    new Uint8Array(memory.buffer, there, asked.length).set(asked);
    const length = answer();
    const told = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, place(), length)));
    self.postMessage({ number, told, took: performance.now() - begun });
  } catch (error) {
    self.postMessage({ number, failed: String(error) });
  }
};
