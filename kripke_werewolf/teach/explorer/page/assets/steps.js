// The steps: the tree of moments, and who knows what since when.
import { MARKS, button, fill, h } from "./dom.js";
import { say } from "./words.js";

export function createSteps(app) {
  const tree = h("section", { "aria-label": say("moments") });
  const timeline = h("section", { class: "wide", role: "status", "aria-label": say("timeline") });
  const element = h("div", {}, h("h2", {}, say("moments")), tree, h("h2", {}, say("timeline")), timeline);
  let asked = null;

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
      h("tbody", {}, [...found.rows, ...found.known].map((row) => h("tr", {},
        h("th", { scope: "row", class: "formula" }, row.unicode),
        row.verdicts.map((verdict) => h("td", { class: `mark ${verdict ?? ""}`, "aria-label": verdict ? say(`verdict-${verdict}`) : say("verdict-none") }, MARKS[verdict] ?? "–")),
        h("td", {}, row.since === null ? "" : found.steps[row.since] ?? row.since))))));
  }

  function update() {
    const { steps = [] } = app.view;
    fill(tree, steps.filter((step) => step.parent === null).map(line));
    ask();
  }

  return { name: "steps", element, update };
}
