// Runs the example `digests`, built for WebAssembly, and prints what it prints elsewhere.

import { readdirSync, readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { count, digest } = instance.exports;
const names = readdirSync("examples").map((name) => name.replace(/\.toml$/, "")).sort();
for (let number = 0; number < count(); number++) {
  const bits = BigInt.asUintN(64, digest(number));
  console.log(`${bits.toString(16).padStart(16, "0")} ${names[number]}`);
}
