// Changes that come from the address: whoever made the link has chosen them, so they are shown, and sent after a press.

import { at, made } from "./elements.js";

// What the person at this page has set or accepted; a reload of that needs no press.
const OWN = "uplane-own";

export const own = () => sessionStorage.setItem(OWN, location.hash);

// True where the address holds what nobody at this page has accepted. `take` is called after the press.
export function offered(state, take) {
  const isOffered = location.hash !== "" && location.hash !== sessionStorage.getItem(OWN);
  at("offer").hidden = !isOffered;
  for (const id of ["controls", "results"]) at(id).inert = isOffered;
  if (!isOffered) return false;
  const lines = [...state.changes].map(([key, text]) => `${key} = ${text}`);
  lines.push(`${state.runs} seeds of each side, the first is ${state.seed}`);
  at("offered").replaceChildren(...lines.map((text) => made("li", {}, made("code", {}, text))));
  const pressed = (id, act) => {
    at(id).onclick = () => {
      act();
      own();
      offered(state, take);
      take();
    };
  };
  pressed("accept", () => {});
  pressed("decline", () => state.clear());
  return true;
}
