// A slider beside a number: over the multiples of a step if the key has one, over the whole range if that
// is short, otherwise over a decade to both sides of the file's value, in equal ratios. The text has the unit.

const STEPS = 200;
const SHORT = 200;
const QUANTITY = /^(\d+(?:\.\d+)?)\s*([A-Za-z%/]*)$/;

export function scaleOf(key) {
  const found = QUANTITY.exec(key.value) ?? (key.kind === "number" && /^-?\d+(\.\d+)?$/.test(key.value) ? [0, key.value, ""] : null);
  const [value, unit] = found ? [Number(found[1]), found[2]] : [NaN, ""];
  if (key.step > 1) return multiples(key, value);
  const bounded = key.low !== null && key.high !== null && unit === "";
  if (bounded && key.high - key.low <= SHORT && (found || key.kind !== "quantity")) return linear(key);
  if (!(value > 0)) return null;
  return ratios(Math.max(value / 10, bounded ? key.low : 0), Math.min(value * 10, bounded ? key.high : Infinity), unit, key.kind === "number" || unit === "B");
}

// The multiples of the step, up to ten times the file's value.
function multiples({ step, high }, value) {
  const most = Math.min(value > 0 ? value * 10 : Infinity, high ?? step * 100);
  return {
    steps: Math.max(1, Math.floor(most / step) - 1),
    text: (place) => String(step * (place + 1)),
    place: (text) => (text.trim() === "" ? NaN : Number(text) / step - 1),
  };
}

function linear(key) {
  const span = key.high - key.low;
  const step = span <= 2 ? span / 100 : 1;
  return {
    steps: Math.round(span / step),
    text: (place) => String(rounded(key.low + place * step)),
    place: (text) => (Number(text) - key.low) / step,
  };
}

function ratios(low, high, unit, whole) {
  const ratio = Math.log(high / low);
  return {
    steps: STEPS,
    text: (place) => {
      const value = rounded(low * Math.exp((ratio * place) / STEPS), 2);
      return `${whole ? Math.max(1, Math.round(value)) : value} ${unit}`.trim();
    },
    place: (text) => {
      const found = QUANTITY.exec(text.trim());
      return found && found[2] === unit ? (STEPS * Math.log(Number(found[1]) / low)) / ratio : null;
    },
  };
}

function rounded(value, digits = 6) {
  return Number(value.toPrecision(digits));
}
