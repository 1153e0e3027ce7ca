// Questions about the formula in the line: why at a world, is it valid, and the formulas kept.
import { MARKS, button, figure, fill, h } from "./dom.js";
import { say } from "./words.js";

export function createAsk(app) {
  const why = h("section", { class: "why", "aria-label": say("why") });
  const pins = h("section", { "aria-label": say("pins") });
  const judged = h("section", { class: "judged", role: "status" });
  const chooser = h("div", { class: "row" });
  const element = h("div", {}, why, pins, h("h2", {}, say("validity")), chooser, judged);
  let asked = null; // the formula and the logic of the answer shown

  async function judge() {
    const formula = app.line.value, logic = app.view.logic ?? "S5";
    const found = await app.query({ command: "valid", formula, logic, theme: app.drawnTheme() });
    if (!found) return;
    asked = `${logic} ${formula}`;
    fill(judged,
      h("p", { class: "answer" }, h("strong", {}, found.answer ? say("valid") : say("not-valid")), " ", h("span", { lang: "en" }, found.words)),
      found.svg ? figure(found.svg, say("counter-model")) : null,
      found.model ? button(say("open-counter-model"), () => app.perform({ command: "open", text: JSON.stringify(found.model), name: say("counter-model") })) : null,
      found.derivation ? derivation(found.derivation) : null);
  }

  function derivation(rows) {
    return h("div", { class: "wide" }, h("table", {}, h("caption", {}, say("derivation")), h("tbody", {},
      rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.number), h("td", { class: "formula" }, row.unicode), h("td", {}, row.reason))))));
  }

  function update() {
    const { view, catalogue } = app;
    const told = view.formula?.error ? null : view.explanation;
    fill(why, told?.error ? h("p", { class: "hint" }, told.error.message) : told
      ? [h("h2", {}, say(told.value ? "why-true" : "why-false", { world: view.model?.worlds?.[told.world]?.name ?? told.world })), told.gist ? h("p", { class: "gist", lang: "en" }, told.gist) : null,
        told.lines.length > 1 || !told.gist ? h("ul", { class: "lines", lang: "en" }, told.lines.map((row) => h("li", { "data-depth": Math.min(row.depth, 8) }, row.text))) : null,
        button(say("forget-world"), () => app.world(told.world))]
      : view.formula && !view.formula.error ? h("p", { class: "hint" }, say("hint-why"))
      : [h("p", { class: "hint" }, say("hint-formula")), button(say("who-knows"), () => app.setTab("steps"))]);
    fill(pins, view.pins?.length
      ? [h("h2", {}, say("pins")), h("ul", { class: "pins" }, view.pins.map((pin, number) => h("li", {},
        h("span", { class: `mark ${pin.verdict ?? ""}`, "aria-label": pin.error ? pin.error.message : pin.verdict ? say(`verdict-${pin.verdict}`) : "" }, pin.error ? "?" : MARKS[pin.verdict] ?? ""),
        button(pin.unicode ?? pin.text, () => app.perform({ command: "formula", text: pin.text }), { class: "formula plain", "data-key": `pin ${number}` }),
        button("×", () => app.perform({ command: "unpin", number }), { "aria-label": say("unpin", { formula: pin.unicode ?? pin.text }), "data-key": `unpin ${number}` }))))]
      : []);
    fill(chooser,
      h("input", { type: "text", list: "logics", "aria-label": say("logic"), "data-key": "logic", ".value": view.logic ?? "S5", onchange: (event) => app.perform({ command: "logic", logic: event.target.value }) }),
      h("datalist", { id: "logics" }, [...(catalogue?.logics ?? []), "a: S5, b: KD45, others: K"].map((value) => h("option", { value }))),
      button(say("is-it-valid"), judge, { ".disabled": !view.formula || Boolean(view.formula.error) }));
    if (asked !== `${view.logic ?? "S5"} ${app.line.value}`) judged.replaceChildren();
  }

  return { name: "ask", element, update, recolour: () => judged.firstChild && judge() };
}
