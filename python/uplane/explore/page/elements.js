// Makes elements without HTML in strings: texts stay texts.

export function made(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...inside);
  return element;
}

export const at = (id) => document.getElementById(id);
