// Shows the parts of an answer as they arrive. Old figures stay until new ones replace them.

import { drawn } from "./draw.js";
import { at, made } from "./elements.js";

const PLACES = ["causes", "more", "anatomy"];
// Maximum time of drawing before the browser shows the result: two frames.
const AT_A_TIME_MS = 33;

export class View {
  // `since` is the time of the person's change.
  begin(since) {
    this.started = since;
    this.taken = Object.fromEntries(PLACES.map((place) => [place, 0]));
    this.times = {};
    this.queue = Promise.resolve();
    at("results").classList.add("stale");
  }

  take(part) {
    if (part.kind === "progress") this.progress(part);
    if (part.kind === "answer") this.answer(part);
    if (part.kind === "figure") this.next(() => this.figure(part));
    if (part.kind === "done") this.next(() => this.done(part));
  }

  // Draws figures one after the other, and skips those of an older change.
  next(show) {
    const { started } = this;
    this.queue = this.queue.then(async () => {
      if (this.started !== started) return;
      const since = (this.since ??= performance.now());
      await show();
      if (performance.now() - since < AT_A_TIME_MS) return;
      await seen();
      this.since = undefined;
    });
  }

  progress({ done, of, share }) {
    at("progress").hidden = false;
    at("bar").value = share;
    at("done").textContent = `${done} of ${of} runs`;
  }

  answer(part) {
    at("progress").hidden = true;
    at("problem").hidden = true;
    at("sentence").textContent = part.sentence || "No application has met anything yet.";
    at("how").textContent = part.how;
    at("warnings").replaceChildren(...part.warnings.map((text) => made("li", {}, text)));
    at("metrics").innerHTML = part.tables;
    this.note("answer", part.server_ms);
  }

  async figure({ place, server_ms, ...told }) {
    const { started } = this;
    const figure = await drawn(told);
    if (this.started !== started) return;
    const old = at(place).children[this.taken[place]];
    if (old) old.replaceWith(figure);
    else at(place).append(figure);
    if (!this.taken[place]) at(place).classList.remove("stale");
    this.taken[place] += 1;
    if (place === "causes") this.note("figure", server_ms);
  }

  done({ server_ms }) {
    for (const place of PLACES) {
      while (at(place).children.length > this.taken[place]) at(place).lastElementChild.remove();
      at(place).parentElement.hidden = this.taken[place] === 0;
    }
    at("results").classList.remove("stale");
    this.note("all", server_ms);
    document.body.dataset.shown = Number(document.body.dataset.shown ?? 0) + 1;
  }

  // Notes the waiting time: from the change to the next frame that shows its result.
  note(what, server) {
    const { started, times } = this;
    requestAnimationFrame(() => {
      times[what] = { page: Math.round(performance.now() - started), server: Math.round(server) };
      const told = Object.entries(times).map(([name, it]) => `${name} after ${it.page} ms (server ${it.server} ms)`);
      at("times").textContent = `Shown: ${told.join(", ")}.`;
    });
  }

  problem(text) {
    at("progress").hidden = true;
    at("problem").textContent = text;
    at("problem").hidden = !text;
    if (text) at("results").classList.add("stale");
  }
}

// Waits until the browser has shown the drawing. A page in the background does not wait.
function seen() {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}
