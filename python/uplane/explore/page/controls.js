// The control of a key: a list of choices, or a text with a slider; its meaning and its error.

import { made } from "./elements.js";
import { scaleOf } from "./slider.js";

// Maximum pause while a person types a value. A complete value, with its unit, is taken at once.
const WAIT_MS = 250;

export class Control {
  // `changed(key, text)` is called with each new value.
  constructor(key, changed) {
    this.key = key;
    this.changed = changed;
    const id = `key-${key.path}`;
    const described = { "aria-describedby": `${id}-about ${id}-error` };
    this.field = key.kind === "choice" ? this.choices(id, described) : this.text(id, described);
    this.scale = key.kind === "choice" ? null : scaleOf(key);
    const words = key.kind === "choice" ? [] : key.choices;
    // The list of a text field offers only words that match its text; a menu offers all.
    this.menu = key.kind === "text" && words.length ? this.offering(words) : null;
    this.words = this.menu ? [] : words;
    this.error = made("p", { class: "error", id: `${id}-error`, role: "alert" });
    this.back = made("button", { type: "button", class: "back", hidden: true });
    this.back.addEventListener("click", () => this.take(this.key.value, { tell: true }));
    const name = key.path.split(".").at(-1);
    const unit = key.unit && key.unit !== name && key.kind === "number" ? `, ${key.unit}` : "";
    this.element = made(
      "div",
      { class: "control", "data-key": key.path },
      made("div", { class: "head" }, made("label", { for: id }, made("span", {}, `${name}${unit}`)), this.back),
      this.field,
      ...this.beside(name),
      this.error,
      this.about(id),
    );
    this.take(key.value);
  }

  choices(id, described) {
    const { value, choices } = this.key;
    const field = made("select", { id, ...described });
    const words = choices.map(([word]) => word);
    if (!words.includes(value)) field.append(made("option", { value }, value || "–"));
    for (const [word, about] of choices) field.append(made("option", { value: word, title: about || undefined }, word));
    field.addEventListener("change", () => this.take(field.value, { tell: true }));
    return field;
  }

  text(id, described) {
    const hasList = this.key.kind !== "text" && this.key.choices.length;
    const list = hasList ? `${id}-list` : undefined;
    const field = made("input", { id, list, type: "text", spellcheck: "false", ...described });
    field.addEventListener("input", () => {
      clearTimeout(this.timer);
      if (this.isWhole(field.value)) this.take(field.value, { tell: true });
      else this.timer = setTimeout(() => this.take(field.value, { tell: true }), WAIT_MS);
    });
    return field;
  }

  // Returns whether a text is a number with the unit of the slider.
  isWhole(text) {
    return text.trim() !== "" && Number.isFinite(this.scale?.place(text) ?? NaN);
  }

  // Makes a menu of words; the text field takes all other values.
  offering(words) {
    const name = this.key.path.split(".").at(-1);
    const menu = made("select", { class: "menu", "aria-label": `${name}, menu` }, made("option", { value: "" }, "choose…"));
    for (const [word, about] of words) menu.append(made("option", { value: word, title: about || undefined }, word));
    menu.addEventListener("change", () => menu.value && this.take(menu.value, { tell: true }));
    return menu;
  }

  // Takes another step of the value, after a change of the TDD pattern.
  rescale(step) {
    if (!this.slider || this.key.step === step) return;
    this.key.step = step;
    this.scale = scaleOf(this.key);
    this.slider.max = this.scale.steps;
    this.take(this.field.value);
  }

  // Makes the menu or the list of allowed words, and the slider.
  beside(name) {
    const inside = this.menu ? [this.menu] : [];
    if (this.words.length) {
      inside.push(made("datalist", { id: `key-${this.key.path}-list` }, ...this.words.map(([word]) => made("option", { value: word }))));
    }
    if (this.scale) {
      this.slider = made("input", { type: "range", min: 0, max: this.scale.steps, step: 1, "aria-label": `${name}, slider` });
      this.slider.addEventListener("input", () => this.take(this.scale.text(Number(this.slider.value)), { tell: true }));
      inside.push(this.slider);
    }
    return inside;
  }

  about(id) {
    const { path, about, form, unit, choices } = this.key;
    const default_ = this.key.default;
    const said = [form && `Expected: ${form}.`, default_ && `Default: ${default_}${/\d$/.test(default_) && unit ? ` ${unit}` : ""}.`];
    const words = choices.filter(([, meaning]) => meaning).map(([word, meaning]) => made("li", {}, made("b", {}, word), ` ${meaning}`));
    return made(
      "details",
      {},
      made("summary", { "aria-label": `About ${path}` }, "about"),
      made("div", { id: `${id}-about` }, made("p", {}, made("code", {}, path)), made("p", {}, about), made("p", {}, said.filter(Boolean).join(" ")), made("ul", {}, ...words)),
    );
  }

  // Shows a value, and reports it if a person has chosen it.
  take(text, { tell = false } = {}) {
    clearTimeout(this.timer);
    if (this.field.value !== text) this.field.value = text;
    if (this.menu) {
      this.menu.value = text;
      if (this.menu.selectedIndex < 0) this.menu.value = "";
    }
    if (this.slider) {
      const place = this.scale.place(text);
      if (place !== null && !Number.isNaN(place) && this.slider !== document.activeElement) this.slider.value = place;
      this.slider.setAttribute("aria-valuetext", text);
    }
    if (tell) this.changed(this.key, text);
  }

  mark(isChanged) {
    this.element.classList.toggle("changed", isChanged);
    this.back.hidden = !isChanged;
    const value = this.key.value || "nothing";
    this.back.textContent = `file: ${value}`;
    this.back.setAttribute("aria-label", `file: ${value}, put ${this.key.path} back`);
  }

  wrong(text) {
    this.error.textContent = text;
    if (text) this.field.setAttribute("aria-invalid", "true");
    else this.field.removeAttribute("aria-invalid");
  }
}
