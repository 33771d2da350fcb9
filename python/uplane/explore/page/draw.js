// Draws figures from the specifications of reports, with the library of reports.
//
// Most changes keep a specification and replace its data: the compiled view is kept and draws the new
// data.

import { made } from "./elements.js";

const OPTIONS = { renderer: "none", ast: true, actions: false, defaultStyle: false, tooltip: false };
const MOST_KEPT = 32;
const library = import("/page/vega.js");
const kept = new Map();

// A figure as in a report: its title, drawing and caption, and its rows for a file.
export async function drawn({ title, caption, spec, data }) {
  await library;
  const svg = await drawing(spec);
  for (const mark of svg.querySelectorAll("[aria-roledescription]")) mark.removeAttribute("aria-roledescription");
  svg.removeAttribute("style");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  const rows = made("script", { type: "application/json", class: "rows" }, JSON.stringify(data));
  const figure = made("figure", { class: "chart" }, made("figcaption", {}, made("b", {}, title)), svg, rows);
  if (caption) svg.after(made("figcaption", {}, caption));
  dress(figure);
  return figure;
}

async function drawing(spec) {
  const data = [];
  const form = JSON.stringify(named(spec, data));
  const known = kept.get(form);
  kept.delete(form);
  kept.set(form, known ?? shown(JSON.parse(form), data));
  if (kept.size > MOST_KEPT) forget(kept.keys().next().value);
  const view = await kept.get(form);
  if (known) {
    for (const [number, values] of data.entries()) view.data(`rows${number}`, values);
    await view.resize().runAsync();
  }
  const place = made("div");
  place.innerHTML = await view.toSVG();
  return place.firstElementChild;
}

// Returns the specification with names instead of its data, and moves the data to `data`.
function named(part, data) {
  if (Array.isArray(part)) return part.map((each) => named(each, data));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => {
      if (key !== "data" || !Array.isArray(value?.values)) return [key, named(value, data)];
      return [key, { name: `rows${data.push(value.values) - 1}` }];
    }),
  );
}

async function shown(spec, data) {
  const datasets = Object.fromEntries(data.map((values, number) => [`rows${number}`, values]));
  return (await vegaEmbed(made("div"), { ...spec, datasets }, OPTIONS)).view;
}

async function forget(form) {
  const old = kept.get(form);
  kept.delete(form);
  (await old).finalize();
}
