// Single packets: all packets of a run as points, the slowest ones as a list, and the path of one.

import { Refused, parts } from "./ask.js";
import { drawn } from "./draw.js";
import { at, made } from "./elements.js";

const REACH = 24;

export class Packets {
  constructor(state) {
    this.state = state;
    at("packets").addEventListener("toggle", () => this.refresh());
    at("which").addEventListener("change", () => this.refresh());
    at("follow").addEventListener("click", () => this.follow(Number(at("number").value)));
    at("scatter").addEventListener("click", (event) => this.press(event));
  }

  // Offers the seeds of the runs. The chosen seed stays if it is among them.
  offer(seeds) {
    const chosen = at("which").value;
    at("which").replaceChildren(...seeds.map((seed) => made("option", { value: seed }, String(seed))));
    if (seeds.map(String).includes(chosen)) at("which").value = chosen;
    this.refresh();
  }

  get asked() {
    return { ...this.state.asked, seed: Number(at("which").value) };
  }

  async refresh() {
    if (!at("packets").open || !at("which").value) return;
    for (const id of ["way", "slowest"]) at(id).replaceChildren();
    at("way-sentence").textContent = "";
    at("way-title").hidden = true;
    await this.ask("/packets", this.asked, async (part) => {
      if (part.kind === "figure") {
        at("scatter").replaceChildren(await drawn(part));
        at("packet-progress").textContent = "";
      }
      if (part.kind === "slowest") at("slowest").replaceChildren(...part.rows.map((row) => this.row(row)));
    });
  }

  row(row) {
    const button = made("button", { type: "button", "aria-label": `Follow packet ${row.packet}` }, String(row.packet));
    button.addEventListener("click", () => this.follow(row.packet));
    const cell = (text, name = "") => made("td", { class: name || undefined }, text);
    return made("tr", {}, made("td", {}, button), cell(row.subject), cell(row.ue), cell(row.latency, "n"), cell(row.delivered, "n"), cell(row.largest));
  }

  // Returns the point nearest to a press, if one is near.
  press(event) {
    let [best, least] = [null, REACH];
    for (const point of at("scatter").querySelectorAll("svg [aria-label^='packet ']")) {
      const box = point.getBoundingClientRect();
      const far = Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
      if (far < least) [best, least] = [point, far];
    }
    if (best) this.follow(numberOf(best));
  }

  async follow(packet) {
    at("number").value = packet;
    for (const point of at("scatter").querySelectorAll("svg [aria-label^='packet ']")) point.classList.toggle("chosen", numberOf(point) === packet);
    await this.ask("/follow", { ...this.asked, packet }, async (part) => {
      if (part.kind !== "way") return;
      at("way-title").hidden = false;
      at("way-title").textContent = `The way of packet ${part.packet}`;
      at("way-sentence").textContent = part.sentence;
      at("way").innerHTML = part.table;
      at("way").prepend(await drawn(part.figure));
      at("way-title").focus({ preventScroll: true });
      at("way-title").scrollIntoView({ block: "nearest" });
    });
  }

  async ask(path, content, take) {
    this.abort?.abort();
    this.abort = new AbortController();
    at("packet-problem").hidden = true;
    try {
      await parts(path, content, (part) => (part.kind === "progress" ? this.wait(part) : take(part)), this.abort.signal);
    } catch (error) {
      if (error.name === "AbortError") return;
      at("packet-problem").textContent = error instanceof Refused ? error.message : String(error);
      at("packet-problem").hidden = false;
    }
  }

  wait({ share }) {
    at("packet-progress").textContent = `Running, ${Math.round(100 * share)} %`;
  }
}

const numberOf = (point) => Number(/^packet (\d+)/.exec(point.getAttribute("aria-label"))[1]);
