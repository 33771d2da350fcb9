// Keeps what is shown: as a scenario, as a report, as a link.

import { file } from "./ask.js";
import { at, made } from "./elements.js";

export function keeping(state, about) {
  const stem = about.source.split(/[\\/]/).at(-1).replace(/\.toml$/, "") || "scenario";
  const give = (id, path, name) =>
    at(id).addEventListener("click", async () => {
      at("saved").textContent = "Making it …";
      try {
        const blob = await file(path, state.asked);
        const link = made("a", { href: URL.createObjectURL(blob), download: name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
        at("saved").textContent = `Saved as ${name}`;
      } catch (error) {
        at("saved").textContent = error.message;
      }
    });
  give("save-scenario", "/scenario", `${stem}-explored.toml`);
  give("save-report", "/report", `${stem}-report.html`);
  give("save-comparison", "/comparison", `${stem}-comparison.html`);
  at("copy-link").addEventListener("click", async () => {
    const link = location.href;
    try {
      await navigator.clipboard.writeText(link);
      at("saved").textContent = "Copied";
    } catch {
      at("saved").textContent = link;
    }
  });
}
