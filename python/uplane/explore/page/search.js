// Finds keys that the file does not set, by name and meaning.

import { at, made } from "./elements.js";

const MOST = 12;

export function searching(board, added) {
  const field = at("search");
  field.addEventListener("input", () => show(field.value));
  // Enter takes the first match.
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    at("matches").querySelector("button")?.click();
  });

  function show(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length ? [...board.keys.values()].filter((key) => !board.controls.has(key.path) && isLike(key, words)) : [];
    found.sort((one, other) => inName(other, words) - inName(one, words));
    at("matches").replaceChildren(...found.slice(0, MOST).map((key) => made("li", {}, choice(key))));
    at("found").textContent = words.length ? `${found.length} key${found.length === 1 ? "" : "s"}${found.length > MOST ? `, the first ${MOST}` : ""}` : "";
  }

  function choice(key) {
    const hint = [key.value && `now ${key.value}`, key.about.split(". ")[0]].filter(Boolean).join("; ");
    const button = made("button", { type: "button" }, made("b", {}, key.path), made("small", {}, hint));
    button.addEventListener("click", () => {
      field.value = "";
      show("");
      added(key.path);
    });
    return button;
  }
}

const isLike = (key, words) => words.every((word) => `${key.path} ${key.about}`.toLowerCase().includes(word));
const inName = (key, words) => words.filter((word) => key.path.includes(word)).length;
