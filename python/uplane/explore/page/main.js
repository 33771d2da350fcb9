// The page: sends a change to the server, writes it to the address, and shows the answer.

import { Refused, json, parts } from "./ask.js";
import { Board } from "./board.js";
import { at } from "./elements.js";
import { enter } from "./enter.js";
import { Packets } from "./follow.js";
import { keeping } from "./keep.js";
import { offered } from "./offered.js";
import { searching } from "./search.js";
import { State } from "./state.js";
import { View } from "./view.js";

// A newer change does not stop runs that are almost finished; otherwise a moving slider would show nothing.
const PATIENCE_MS = 400;

const view = new View();
const about = await known();
const state = new State(about);
const packets = new Packets(state);
const board = new Board(about, (key, text) => {
  state.set(key.path, text, key.value);
  changed();
});

// Loads the keys of the scenario. A page without the secret shows an error and stops.
async function known() {
  try {
    await enter();
    return await json("/keys");
  } catch (error) {
    at("sentence").textContent = "";
    view.problem(error.message);
    return new Promise(() => {});
  }
}

let running = null;
let since = performance.now();

// Runs the current request. Runs in progress stop, at once or after their answer.
function changed() {
  since = performance.now();
  shows();
  if (!running) return start();
  running.isOld = true;
  if (running.hasAnswered || performance.now() - running.since > PATIENCE_MS) return start();
  running.timer ??= setTimeout(start, PATIENCE_MS);
}

async function start() {
  running?.abort.abort();
  clearTimeout(running?.timer);
  const own = { abort: new AbortController(), since: performance.now(), hasAnswered: false, isOld: false };
  running = own;
  view.begin(since);
  try {
    await parts("/run", state.asked, (part) => running === own && take(part, own), own.abort.signal);
  } catch (error) {
    if (running === own && error.name !== "AbortError") refused(error);
  }
  if (running === own) {
    running = null;
    if (own.isOld) start();
  }
}

function take(part, own) {
  view.take(part);
  if (part.kind === "steps") board.steps(part.steps);
  if (part.kind === "answer") {
    own.hasAnswered = true;
    board.wrong("", "");
    board.show(state.changes, part.values);
    packets.seeds = part.seeds;
    if (own.isOld) start();
  }
  if (part.kind === "done") packets.offer(packets.seeds);
}

function refused(error) {
  const isPlaced = error instanceof Refused && board.wrong(error.key, error.message);
  view.problem(isPlaced ? `Not run: ${error.message}` : error.message);
}

// Runs the values of the address: at once if this page has set them, otherwise after a press.
function offer(run) {
  const go = () => {
    numbers();
    shows();
    run();
  };
  if (!offered(state, go)) return go();
  running?.abort.abort();
  running = null;
  at("sentence").textContent = "";
}

function shows() {
  board.show(state.changes);
  at("save-comparison").hidden = state.changes.size === 0;
  at("reset").disabled = state.changes.size === 0;
}

function numbers() {
  for (const name of ["seed", "runs"]) at(name).value = state[name];
}

for (const name of ["seed", "runs"]) {
  at(name).addEventListener("change", () => {
    state[name] = Number(at(name).value);
    state.write();
    changed();
  });
}
at("runs").max = about.most_runs;
at("controls").addEventListener("submit", (event) => event.preventDefault());
at("reset").addEventListener("click", () => {
  state.changes.clear();
  state.write();
  changed();
});
at("stop").addEventListener("click", () => {
  running?.abort.abort();
  view.problem("Stopped. Change something to run again.");
});
addEventListener("hashchange", () => {
  state.read();
  numbers();
  offer(changed);
});

at("title").textContent = about.title;
at("file").textContent = `${about.source}, uplane ${about.version}`;
document.title = `explore: ${about.title}`;
searching(board, (path) => {
  const control = board.add(path);
  control.mark(false);
  control.field.focus();
});
keeping(state, about);
numbers();
offer(start);
