// Scenarios that a page runs itself. `<div class="live" data-keys="KEY: VALUE, *VALUE; KEY: …">` gets
// a slider for each key, the values that are marked being the scenario's own. The scenario is that
// of `data-scenario`, or the last TOML on the page before it; `data-set="KEY: VALUE; …"` is laid over
// both sides. Both are run with the same ten seeds; what is shown are means, and the paired
// difference with its 95 % interval.

(() => {
  const home = new URL(".", document.currentScript.src);
  const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  // Student's t for 95 % of nine degrees of freedom.
  const T = 2.262;
  const TABLES = ["transfers", "critical_path", "pings", "datagrams", "anatomy"];
  let colours = {};
  let worker;
  let asked = 0;
  const waiting = new Map();

  function made(name, attributes = {}, ...inside) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  }

  function ask(scenario, set) {
    worker ??= begun();
    const question = { scenario, set: [...set, ["record.critical_path", "true"]], seeds: SEEDS, tables: TABLES };
    asked += 1;
    worker.postMessage({ number: asked, question });
    return new Promise((done, failed) => waiting.set(asked, { done, failed }));
  }

  function begun() {
    const made = new Worker(new URL("worker.js", home));
    made.onmessage = ({ data: { number, told, took, failed } }) => {
      const one = waiting.get(number);
      waiting.delete(number);
      if (failed) one.failed(new Error(failed));
      else if (told.wrong) one.failed(new Error(told.wrong.message));
      else one.done({ runs: told.runs, took });
    };
    return made;
  }

  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const mean = (values) => sum(values) / values.length;

  // What each application is asked about: a name, a unit, and a number of one run.
  const METRICS = [
    { table: "transfers", column: "duration_s", of: (kind) => kind !== "bulk" && kind !== "object", name: "duration", unit: "s" },
    { table: "transfers", column: "rate_kbps", of: (kind) => kind === "bulk", name: "rate", unit: "kbit/s" },
    { table: "pings", column: "rtt_ms", of: () => true, name: "round-trip time", unit: "ms" },
    { table: "datagrams", column: "latency_ms", of: () => true, name: "latency", unit: "ms" },
  ];

  // The mean of each metric of each application in a run; missing values are left out.
  function measured(run) {
    const found = new Map();
    for (const { table, column, of, name, unit } of METRICS) {
      const rows = run[table] ?? {};
      (rows[column] ?? []).forEach((value, row) => {
        if (value === null || !of(rows.kind?.[row])) return;
        const key = `${rows.app[row]}: ${name}`;
        if (!found.has(key)) found.set(key, { unit, values: [] });
        found.get(key).values.push(value);
      });
    }
    return found;
  }

  // What the first application of a run waits for, in words.
  function subject(run) {
    const path = run.critical_path?.app.length ? run.critical_path : null;
    return path ? `What the time of ${path.app[0]} is made of` : `Where the time of a packet of ${run.anatomy.app[0]} to the UE goes`;
  }

  // Mean milliseconds by cause: of the path that led to the first transfer's end, or of packets of data.
  function causes(runs) {
    const all = {};
    for (const run of runs) {
      const path = run.critical_path?.app.length ? run.critical_path : null;
      const rows = path ?? run.anatomy;
      const time = path ? rows.time_ms : rows.mean_ms;
      const first = rows.app[0];
      rows.cause.forEach((cause, row) => {
        if (rows.app[row] !== first || (!path && (rows.class[row] !== "data" || rows.direction[row] !== "down"))) return;
        all[cause] = (all[cause] ?? 0) + time[row] / runs.length;
      });
    }
    return all;
  }

  function digits(value, wide) {
    const places = wide > 0 ? Math.max(0, 1 - Math.floor(Math.log10(wide))) : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
    return value.toFixed(Math.min(places, 6));
  }

  // The difference of the runs of equal seeds, with half of its interval.
  function paired(before, after) {
    const differences = after.map((value, place) => value - before[place]);
    const middle = mean(differences);
    const spread = Math.sqrt(sum(differences.map((it) => (it - middle) ** 2)) / (differences.length - 1));
    return { middle, half: (T * spread) / Math.sqrt(differences.length) };
  }

  function compared(before, after) {
    const rows = [];
    const [old, now] = [before.map(measured), after.map(measured)];
    for (const [key, { unit }] of old[0]) {
      const of = (runs) => runs.map((run) => (run.has(key) ? mean(run.get(key).values) : NaN));
      const [was, is] = [of(old), of(now)];
      if ([...was, ...is].some(Number.isNaN)) {
        rows.push([key, "not complete in all runs"]);
        continue;
      }
      const { middle, half } = paired(was, is);
      const certain = half < 1e-6 * Math.abs(middle);
      const amount = certain ? digits(Math.abs(middle)) : `${digits(Math.abs(middle), half)} ± ${digits(half, half)}`;
      const difference = `${middle < 0 ? "−" : "+"}${amount} ${unit}${certain ? ", with any seed" : ""}`;
      const changed = before === after ? [] : [`${digits(mean(is))} ${unit}`, difference];
      rows.push([key, `${digits(mean(was))} ${unit}`, ...changed]);
    }
    return rows;
  }

  function table(head, rows) {
    const line = (cells, kind) => made("tr", {}, ...cells.map((text) => made(kind, kind === "th" ? { scope: "col" } : {}, text)));
    return made("table", {}, made("thead", {}, line(head, "th")), made("tbody", {}, ...rows.map((cells) => line(cells, "td"))));
  }

  function bar(name, parts, longest) {
    const whole = sum(Object.values(parts));
    const pieces = Object.entries(parts).sort((a, b) => b[1] - a[1]).map(([cause, time]) => {
      const [colour] = colours[cause] ?? ["#8b9298"];
      const text = `${cause} ${digits(time)} ms`;
      return made("span", { class: "piece", style: `width: ${(100 * time) / longest}%; background: ${colour}`, title: text });
    });
    const label = `${name}: ${digits(whole)} ms`;
    return made("div", { class: "side" }, made("p", {}, label), made("div", { class: "bar", role: "img", "aria-label": label }, ...pieces));
  }

  function anatomy(before, after) {
    const [was, is] = [causes(before), causes(after)];
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
    const longest = Math.max(sum(Object.values(was)), sum(Object.values(is)));
    const most = (name) => Math.max(was[name] ?? 0, is[name] ?? 0);
    const rows = names.filter((name) => most(name) > longest / 200).sort((a, b) => most(b) - most(a));
    const swatch = (name) => made("span", {}, made("i", { style: `background: ${(colours[name] ?? ["#8b9298"])[0]}` }), ` ${name}`);
    const number = (value) => (value > longest / 1000 ? `${digits(value)} ms` : "0 ms");
    return made(
      "div",
      {},
      made("p", {}, made("strong", {}, subject(before[0]))),
      bar("as it is", was, longest),
      ...(before === after ? [] : [bar("changed", is, longest)]),
      table(
        ["why", "as it is", ...(before === after ? [] : ["changed"])],
        rows.map((name) => [swatch(name), number(was[name]), ...(before === after ? [] : [number(is[name])])]),
      ),
    );
  }

  // `KEY: TEXT; KEY: …`
  function pairs(text) {
    return (text ?? "").split(";").filter((each) => each.trim()).map((each) => each.split(/:(.*)/s).slice(0, 2).map((part) => part.trim()));
  }

  // `KEY: VALUE, *VALUE; KEY: …`
  function keysOf(text) {
    return pairs(text).map(([key, values]) => {
      const listed = values.split(",").map((value) => value.trim());
      const own = listed.findIndex((value) => value.startsWith("*"));
      return { key, values: listed.map((value) => value.replace(/^\*/, "")), own, place: own };
    });
  }

  async function scenarioOf(panel) {
    const { scenario } = panel.dataset;
    if (scenario) {
      const answer = await fetch(new URL(`scenarios/${scenario}`, home));
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.text();
    }
    const before = [...document.querySelectorAll(".language-toml code")].filter((code) => code.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING);
    return before.at(-1).textContent;
  }

  async function open(panel) {
    const answer = made("div", { class: "answer", "aria-live": "polite" });
    const keys = keysOf(panel.dataset.keys);
    const always = pairs(panel.dataset.set);
    let text, base;
    try {
      const palette = await fetch(new URL("colours.json", home));
      if (!palette.ok) throw new Error(`${palette.status}`);
      colours = await palette.json();
      text = await scenarioOf(panel);
    } catch {
      panel.replaceChildren(made("p", {}, "These pages were built without the engine, or are not read from a server: `make docs` says how to get it."));
      return;
    }

    let newest = 0;
    async function follow() {
      newest += 1;
      const mine = newest;
      panel.dataset.asked = String(mine);
      const set = keys.filter((key) => key.place !== key.own).map((key) => [key.key, key.values[key.place]]);
      try {
        base ??= await ask(text, always);
        const changed = set.length ? await ask(text, [...always, ...set]) : base;
        if (mine !== newest) return;
        const rows = compared(base.runs, changed.runs);
        const told = made("p", { class: "told" }, `${SEEDS.length} runs of each, with the same seeds; the last ten took ${Math.round(changed.took)} ms in this page.`);
        const head = ["", "as it is", ...(set.length ? ["changed", "difference"] : [])];
        answer.replaceChildren(table(head, rows), anatomy(base.runs, changed.runs), told);
      } catch (error) {
        answer.replaceChildren(made("p", { class: "wrong", role: "alert" }, error.message));
      }
      panel.dataset.shown = String(mine);
    }

    const controls = keys.map((key) => {
      const value = made("output", {}, key.values[key.place]);
      const slider = made("input", { type: "range", min: 0, max: key.values.length - 1, value: key.place, "aria-label": key.key, "aria-valuetext": key.values[key.place] });
      slider.addEventListener("input", () => {
        key.place = Number(slider.value);
        value.textContent = key.values[key.place];
        slider.setAttribute("aria-valuetext", key.values[key.place]);
        follow();
      });
      return made("label", {}, made("code", {}, key.key), value, slider);
    });
    const shown = made("details", {}, made("summary", {}, "The scenario"), made("pre", { tabindex: "0" }, made("code", {}, text)));
    panel.replaceChildren(made("div", { class: "controls" }, ...controls), answer, shown);
    follow();
  }

  for (const panel of document.querySelectorAll("div.live")) {
    const button = made("button", { type: "button" }, "Run it in this page");
    button.addEventListener("click", () => open(panel));
    panel.replaceChildren(button);
  }
})();
