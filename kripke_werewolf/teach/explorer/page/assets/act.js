// What happens: tell privately, ready-made action models, and one's own, drawn beside the model.
import { button, figure, fill, h, select, withFormulas } from "./dom.js";
import { formulaField } from "./formula.js";
import { say } from "./words.js";

export function createAct(app) {
  const form = h("section", { class: "form", "aria-label": say("tell") });
  const text = h("textarea", { rows: "6", class: "formula-input", "aria-label": say("own-action"), "data-key": "own action", spellcheck: "false", autocapitalize: "off" });
  const mine = () => ({ command: "act", text: text.value });
  const buttons = (asked, whose) => h("div", { class: "row" },
    button(say(`happen-${whose}`), () => happen(asked()), { class: "primary" }),
    button(say(`draw-action-${whose}`), () => show(asked())));
  const own = h("section", { class: "form", "aria-label": say("own-action") },
    h("p", { class: "hint" }, withFormulas(say("own-action-hint"))), text, buttons(mine, "own"));
  const drawn = h("section", { class: "beside", role: "status" });
  const named = h("section", { "aria-label": say("named-actions") });
  const element = h("div", {}, named, h("h2", {}, say("tell")), form, drawn, h("details", {}, h("summary", {}, say("own-action")), own));

  const told = { how: null, group: new Set(), formula: null, changes: [["", ""]] }; // `formula`: null until one is written here
  let content = null, offered = ""; // the action to begin with

  const kinds = () => app.catalogue?.actions ?? [];
  const kind = () => kinds().find((one) => one.how === told.how) ?? kinds()[0];

  const one = () => [...told.group].at(-1) ?? app.view.model?.agents[0]?.name;

  function telling() {
    const chosen = kind();
    const asked = { command: "tell", how: chosen.how };
    if (chosen.group) asked.group = (chosen.group === "one" ? [one()] : [...told.group]).filter((name) => app.view.model.agents.some((agent) => agent.name === name));
    if (chosen.content === "changes") asked.changes = Object.fromEntries(told.changes.filter(([atom]) => atom.trim()).map(([atom, value]) => [atom.trim(), value]));
    else asked.formula = content.value;
    return asked;
  }

  let seen = null; // what is drawn
  async function show(asked) {
    seen = asked;
    const found = await app.query({ command: "action", do: asked, theme: app.drawnTheme() });
    if (!found || !seen) return;
    fill(drawn, figure(found.svg, found.words), h("details", {}, h("summary", {}, say("in-words")), h("p", { lang: "en" }, found.words)));
    drawn.scrollIntoView({ block: "nearest" });
  }

  async function happen(command) {
    const reply = await app.perform(command);
    if (!reply?.ok) return;
    seen = told.formula = null;
    drawn.replaceChildren();
  }

  function drawForm() {
    const chosen = kind();
    if (!chosen) return;
    told.how = chosen.how;
    const agents = app.view.model?.agents ?? [];
    content = chosen.content === "changes" ? null : formulaField(app, {
      label: say("content"), value: told.formula ?? app.line.value, changed: (text) => { told.formula = text; },
      entered: () => happen(telling()),
    });
    fill(form,
      select(say("how"), kinds().map((one) => [one.how, one.label]), chosen.how, (how) => { told.how = how; drawForm(); }),
      chosen.explained ? h("p", { class: "hint", lang: "en" }, chosen.explained) : null,
      chosen.group ? h("fieldset", {}, h("legend", {}, say("group")), agents.map((agent) => h("label", {},
        chosen.group === "one"
          ? h("input", { type: "radio", name: "told", "data-key": `group ${agent.name}`, ".checked": agent.name === one(), onchange: () => { told.group.delete(agent.name); told.group.add(agent.name); } })
          : h("input", { type: "checkbox", "data-key": `group ${agent.name}`, ".checked": told.group.has(agent.name), onchange: (event) => (event.target.checked ? told.group.add(agent.name) : told.group.delete(agent.name)) }),
        agent.name))) : null,
      content ? [h("p", { class: "hint", "aria-hidden": "true" }, say("content")), content.element] : changes(),
      buttons(telling, "told"));
  }

  function changes() {
    return h("div", {}, told.changes.map((pair, k) => h("div", { class: "row" },
      h("input", { type: "text", "aria-label": say("atom"), "data-key": `atom ${k}`, placeholder: say("atom"), ".value": pair[0], oninput: (event) => { pair[0] = event.target.value; } }),
      h("span", {}, ":="),
      h("input", { type: "text", class: "formula-input", "aria-label": say("becomes"), "data-key": `becomes ${k}`, placeholder: say("formula"), ".value": pair[1], oninput: (event) => { pair[1] = event.target.value; } }))),
    button(say("more-changes"), () => { told.changes.push(["", ""]); drawForm(); }));
  }

  let drawnFor = "";
  function update() {
    const agents = JSON.stringify([app.view.model?.agents.map((agent) => agent.name), Boolean(app.catalogue)]);
    if (agents !== drawnFor || !told.how) {
      drawnFor = agents;
      drawForm();
      if (text.value === offered) text.value = offered = app.catalogue?.own ?? "";
    }
    if (content && told.formula === null) content.value = app.line.value;
    const ready = app.catalogue?.named ?? [];
    fill(named, ready.length ? [h("h2", {}, say("named-actions")), h("div", { class: "row" }, ready.map((name) => button(name, () => happen({ command: "act", named: name }))))] : []);
  }

  return { name: "act", element, update, recolour: () => seen && show(seen) };
}
