// Exchanges the token of the address, once, for the secret of the session.
//
// The browser keeps the secret for this port of this machine, so that another tab and a bookmark find it. Unlike
// a cookie it is sent to no server at another port.

const KEPT = "uplane-session";
const ENTER = "/enter";

export const session = () => ({ "x-uplane-session": localStorage.getItem(KEPT) ?? "" });

// Removes the token from the address; changes in the address stay.
export async function enter() {
  const told = new URLSearchParams(location.hash.slice(1));
  const token = told.get("token");
  if (token === null) return;
  told.delete("token");
  const rest = told.toString();
  history.replaceState(null, "", rest ? `#${rest}` : location.pathname);
  const answer = await fetch(ENTER, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  if (answer.ok) localStorage.setItem(KEPT, (await answer.json()).session);
}
