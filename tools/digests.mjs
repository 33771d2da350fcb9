// Runs the example `digests`, built for WebAssembly, and prints what it prints elsewhere.

import { readFileSync } from "node:fs";

const [built, ...paths] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(built), {});
const { room, digest, memory } = instance.exports;
for (const path of paths) {
  const text = readFileSync(path);
  const place = room(text.length);
  new Uint8Array(memory.buffer, place, text.length).set(text);
  console.log(`${BigInt.asUintN(64, digest()).toString(16).padStart(16, "0")} ${path}`);
}
