// The request: changed values and seeds. The address contains it after #, so that a link shows equal results.

import { own } from "./offered.js";

const OWN = { seed: "~seed", runs: "~runs" };

export class State {
  constructor(about) {
    this.about = about;
    this.known = new Set(about.keys.map((key) => key.path));
    this.read();
  }

  // Takes the values of the address. Unknown keys stay: the server reports them.
  read() {
    const told = new URLSearchParams(location.hash.slice(1));
    this.changes = new Map([...told].filter(([key]) => !key.startsWith("~")));
    this.seed = whole(told.get(OWN.seed), this.about.seed);
    this.runs = whole(told.get(OWN.runs), this.about.runs);
  }

  write() {
    const told = new URLSearchParams(this.changes);
    if (this.seed !== this.about.seed) told.set(OWN.seed, this.seed);
    if (this.runs !== this.about.runs) told.set(OWN.runs, this.runs);
    const text = told.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname);
    own();
  }

  clear() {
    this.changes.clear();
    this.seed = this.about.seed;
    this.runs = this.about.runs;
    this.write();
  }

  set(key, text, original) {
    if (text === original) this.changes.delete(key);
    else this.changes.set(key, text);
    this.write();
  }

  get asked() {
    return { set: Object.fromEntries(this.changes), seed: this.seed, runs: this.runs };
  }
}

function whole(text, otherwise) {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : otherwise;
}
