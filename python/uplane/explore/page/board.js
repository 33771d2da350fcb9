// The visible controls by section: keys of the file, and added keys.

import { Control } from "./controls.js";
import { at, made } from "./elements.js";

export class Board {
  constructor(about, changed) {
    this.keys = new Map(about.keys.map((key) => [key.path, key]));
    this.changed = changed;
    this.controls = new Map();
    this.groups = new Map();
    for (const path of about.said) this.add(path);
  }

  // Shows the control of a key, if the key exists.
  add(path) {
    const key = this.keys.get(path);
    if (!key || this.controls.has(path)) return this.controls.get(path);
    const control = new Control(key, this.changed);
    this.controls.set(path, control);
    this.group(path.split(".").slice(0, -1).join(".") || "scenario").append(control.element);
    return control;
  }

  group(name) {
    if (!this.groups.has(name)) {
      const group = made("fieldset", {}, made("legend", {}, name));
      this.groups.set(name, group);
      at("groups").append(group);
    }
    return this.groups.get(name);
  }

  // Shows the changed values, and other values in effect that they change.
  show(changes, inEffect = {}) {
    for (const path of changes.keys()) this.add(path);
    for (const [path, control] of this.controls) {
      const isChanged = changes.has(path);
      control.mark(isChanged);
      if (!isChanged) control.wrong("");
      const text = changes.get(path) ?? inEffect[path] ?? control.key.value;
      if (control.field !== document.activeElement || !isChanged) control.take(text);
    }
  }

  // Takes the steps of the keys with one.
  steps(steps) {
    for (const [path, step] of Object.entries(steps)) {
      const control = this.controls.get(path);
      if (control) control.rescale(step);
      else this.keys.get(path).step = step;
    }
  }

  // Shows an error at its control. Returns whether this control exists.
  wrong(key, text) {
    for (const control of this.controls.values()) control.wrong("");
    const control = this.controls.get(key);
    control?.wrong(text);
    return Boolean(control);
  }
}
