// Changes in the address were chosen by the author of the link: they are shown, and run only after a press.

import { at, made } from "./elements.js";

// Key of the address that the person at this page has set or accepted; reloading it needs no press.
const OWN = "uplane-own";

export const own = () => sessionStorage.setItem(OWN, location.hash);

// Returns true if nobody at this page has accepted the values of the address. Calls `take` after the press.
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
