// Downloads of each figure, as SVG, PNG and CSV, and names of points. The page needs none of it.
"use strict";
const root = document.documentElement;
const resolved = (text) => text.replace(/var\((--[\w-]+)\)/g, (_, name) => getComputedStyle(root).getPropertyValue(name).trim());
const save = (blob, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const svgOf = (figure) => {
  const copy = figure.querySelector("svg").cloneNode(true);
  copy.style.background = "var(--paper)";
  return resolved(new XMLSerializer().serializeToString(copy));
};
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell ?? "");
const csvOf = (figure) => {
  const { columns, rows } = JSON.parse(figure.querySelector(".rows").textContent);
  return [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\n") + "\n";
};
const png = (figure, name) => {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    canvas.width = 2 * image.width;
    canvas.height = 2 * image.height;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(blob, `${name}.png`));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(figure))}`;
};
const kinds = {
  SVG: (figure, name) => save(new Blob([svgOf(figure)], { type: "image/svg+xml" }), `${name}.svg`),
  PNG: png,
  CSV: (figure, name) => save(new Blob([csvOf(figure)], { type: "text/csv" }), `${name}.csv`),
};
const dress = (figure) => {
  const title = figure.querySelector("figcaption").textContent;
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const bar = document.createElement("div");
  bar.className = "save";
  for (const [kind, give] of Object.entries(kinds)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind;
    button.ariaLabel = `Save ${title} as ${kind}`;
    button.addEventListener("click", () => give(figure, name));
    bar.append(button);
  }
  figure.append(bar);
  for (const mark of figure.querySelectorAll("svg [aria-label]")) {
    const told = document.createElementNS("http://www.w3.org/2000/svg", "title");
    told.textContent = mark.getAttribute("aria-label");
    mark.prepend(told);
  }
};
for (const figure of document.querySelectorAll("figure.chart")) dress(figure);
