// Draws figures of the specifications that reports are drawn of, with the same library.

import { made } from "./elements.js";

const OPTIONS = { renderer: "svg", ast: true, actions: false, defaultStyle: false, tooltip: false };
const library = import("/page/vega.js");

// A figure as in a report: its title, drawing and caption, and its rows for a file.
export async function drawn({ title, caption, spec, data }) {
  await library;
  const place = made("div");
  const { view } = await vegaEmbed(place, spec, OPTIONS);
  const svg = place.querySelector("svg");
  view.finalize();
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
