// Runs uplane beside the page. In: questions of crates/uplane-wasm, each with a number. Out: their
// answers, with the number and the milliseconds that they took.

const CODE = new URL("uplane.wasm", self.location);
let code;
let engine;

self.onmessage = async ({ data: { number, question } }) => {
  try {
    code ??= await WebAssembly.compileStreaming(fetch(CODE));
    engine ??= await WebAssembly.instantiate(code);
    const { room, answer, place, memory } = engine.exports;
    const begun = performance.now();
    const asked = new TextEncoder().encode(JSON.stringify(question));
    const there = room(asked.length);
    new Uint8Array(memory.buffer, there, asked.length).set(asked);
    const length = answer();
    const told = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, place(), length)));
    self.postMessage({ number, told, took: performance.now() - begun });
  } catch (error) {
    // It may have stopped in the middle of something: the next question is a new engine's.
    engine = undefined;
    self.postMessage({ number, failed: String(error) });
  }
};
