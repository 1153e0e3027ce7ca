// The steps: the tree of moments, who knows what since when, and two moments compared.
import { MARKS, button, figure, fill, h, lines, select } from "./dom.js";
import { say } from "./words.js";

export function createSteps(app) {
  const tree = h("section", { "aria-label": say("moments") });
  const timeline = h("section", { class: "wide", role: "status", "aria-label": say("timeline") });
  const choice = h("div", { class: "row" });
  const compared = h("section", { role: "status" });
  const element = h("div", {}, h("h2", {}, say("moments")), tree, h("h2", {}, say("timeline")), timeline, h("h2", {}, say("compare")), choice, compared);
  let pair = [null, null], asked = null;

  function item(step, inside) {
    const label = say("forget-step", { name: step.name });
    return h("li", {}, h("div", { class: "moment" },
      button(step.name, () => app.perform({ command: "go", step: step.step }), { "aria-current": step.step === app.view.at ? "step" : null, "data-key": `moment ${step.step}`, class: "plain" }),
      h("span", { class: "count" }, say("worlds", { n: step.size })),
      step.parent === null ? null : button("×", () => app.perform({ command: "forget", step: step.step }), { "aria-label": label, title: label, "data-key": `forget ${step.step}` })),
      inside);
  }

  // Moments that follow one another are a flat list; where they branch each branch is a list of its own.
  function line(first) {
    const { steps } = app.view;
    const items = [];
    for (let now = first; now; ) {
      const next = steps.filter((step) => step.parent === now.step);
      items.push(item(now, next.length > 1 ? next.map(line) : null));
      now = next.length === 1 ? next[0] : null;
    }
    return h("ol", {}, items);
  }

  async function ask() {
    const key = JSON.stringify([app.view.at, app.view.steps?.length, app.view.formula?.text, app.view.pins?.length]);
    if (key === asked) return;
    asked = key;
    const found = await app.query({ command: "timeline" }, { quiet: true });
    if (!found || asked !== key) return;
    fill(timeline, h("table", {}, h("caption", { class: "hidden" }, say("timeline")),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, say("formula")), found.steps.map((name, k) => h("th", { scope: "col", title: name }, String(k))), h("th", { scope: "col" }, say("since")))),
      h("tbody", {}, [...found.rows, ...found.known].filter((row) => !row.error).map((row) => h("tr", {},
        h("th", { scope: "row", class: "formula" }, row.unicode),
        row.verdicts.map((verdict) => h("td", { class: `mark ${verdict ?? ""}`, "aria-label": verdict ? say(`verdict-${verdict}`) : say("verdict-none") }, MARKS[verdict] ?? "–")),
        h("td", {}, row.since === null ? "" : found.steps[row.since] ?? row.since, row.enough ? h("div", { class: "enough" }, row.enough) : null))))));
  }

  async function compare() {
    const [first, second] = pair;
    const found = await app.query({ command: "compare", first, second, theme: app.drawnTheme() });
    if (!found) return;
    fill(compared, lines(found.lines, { lang: "en" }), found.svgs.map((svg, k) => h("div", {}, h("h3", {}, found.titles[k]), figure(svg, found.titles[k]))),
      found.formulas.length ? h("table", {}, h("tbody", {}, found.formulas.map((row) => h("tr", {}, h("th", { scope: "row", class: "formula" }, row.unicode ?? row.text),
        (row.verdicts ?? [null, null]).map((verdict) => h("td", { class: `mark ${verdict}`, "aria-label": say(`verdict-${verdict ?? "none"}`) }, MARKS[verdict] ?? "–")))))) : null);
  }

  function update() {
    const { steps = [], at } = app.view;
    fill(tree, steps.filter((step) => step.parent === null).map(line));
    const known = new Set(steps.map((step) => step.step));
    if (!known.has(pair[0])) pair[0] = steps.find((step) => step.step === at)?.parent ?? at ?? null;
    if (!known.has(pair[1])) pair[1] = at ?? null;
    const options = steps.map((step) => [step.step, step.name]);
    fill(choice, select(say("first-moment"), options, pair[0], (step) => { pair[0] = Number(step); }), select(say("second-moment"), options, pair[1], (step) => { pair[1] = Number(step); }),
      button(say("compare"), compare, { ".disabled": steps.length < 2 }));
    ask();
  }

  return { name: "steps", element, update, recolour: () => compared.firstChild && compare() };
}
