// What happens: tell privately, ready-made action models, and one's own, drawn beside the model.
import { button, figure, fill, h, select } from "./dom.js";
import { formulaField } from "./formula.js";
import { say } from "./words.js";

export function createAct(app) {
  const form = h("section", { class: "form", "aria-label": say("tell") });
  const own = h("section", { class: "form", "aria-label": say("own-action") });
  const drawn = h("section", { class: "beside", role: "status" });
  const named = h("section", { "aria-label": say("named-actions") });
  const element = h("div", {}, named, h("h2", {}, say("tell")), form, drawn, h("details", {}, h("summary", {}, say("own-action")), own));

  const told = { how: null, group: new Set(), formula: null, changes: [["", ""]] }; // `formula`: null until one is written here
  let action = { name: "", events: [{ name: "e", pre: "", post: {} }, { name: "f", pre: "true", post: {} }], cells: {}, designated: ["e"] };
  let content = null, made = "";

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
  async function show(command, asked) {
    seen = [command, asked];
    const found = await app.query({ command, do: asked, theme: app.drawnTheme() });
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
    made = chosen.how;
    told.how = chosen.how;
    const agents = app.view.model?.agents ?? [];
    const buttons = (asked) => h("div", { class: "row" },
      button(say("happen"), () => happen(asked()), { class: "primary" }),
      button(say("draw-action"), () => show("action", asked())),
      button(say("draw-update"), () => show("updated", asked())));
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
      buttons(telling));
  }

  function changes() {
    return h("div", {}, told.changes.map((pair, k) => h("div", { class: "row" },
      h("input", { type: "text", "aria-label": say("atom"), "data-key": `atom ${k}`, placeholder: say("atom"), ".value": pair[0], oninput: (event) => { pair[0] = event.target.value; } }),
      h("span", {}, ":="),
      h("input", { type: "text", class: "formula-input", "aria-label": say("becomes"), "data-key": `becomes ${k}`, placeholder: say("formula"), ".value": pair[1], oninput: (event) => { pair[1] = event.target.value; } }))),
    button(say("more-changes"), () => { told.changes.push(["", ""]); drawForm(); }));
  }

  // ---- one's own action model
  const cellOf = (agent, event) => action.cells[agent]?.[event] ?? event;

  function written() {
    const relations = {};
    for (const { name } of app.view.model?.agents ?? []) {
      const classes = new Map();
      for (const event of action.events) {
        const cell = cellOf(name, event.name);
        classes.set(cell, [...(classes.get(cell) ?? []), event.name]);
      }
      relations[name] = { classes: [...classes.values()] };
    }
    return {
      name: action.name || say("own-action"), relations, designated: action.designated,
      events: Object.fromEntries(action.events.map(({ name, pre, post }) => [name, { pre: pre.trim() || "true", post }])),
    };
  }

  function drawOwn() {
    const agents = app.view.model?.agents ?? [];
    const text = (label, value, set, extra = {}) => h("input", { type: "text", "aria-label": label, "data-key": label, ".value": value, onchange: (event) => { set(event.target.value.trim()); drawOwn(); }, ...extra });
    const rename = (event, name) => {
      if (!name || action.events.some((other) => other.name === name)) return;
      for (const cells of Object.values(action.cells)) {
        if (event.name in cells) { cells[name] = cells[event.name]; delete cells[event.name]; }
        for (const [key, cell] of Object.entries(cells)) if (cell === event.name) cells[key] = name;
      }
      action.designated = action.designated.map((other) => (other === event.name ? name : other));
      event.name = name;
    };
    const next = () => "efghijklmnopqrstuvwxyz".split("").find((name) => !action.events.some((event) => event.name === name)) ?? `e${action.events.length}`;
    fill(own,
      h("p", { class: "hint" }, say("own-action-hint")),
      h("div", { class: "wide" }, h("table", { class: "grid" },
        h("thead", {}, h("tr", {}, [say("event"), say("precondition"), say("postcondition"), ...agents.map((agent) => say("looks-like", { agent: agent.name })), say("actual-head"), ""].map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {}, action.events.map((event, k) => h("tr", {},
          h("th", { scope: "row" }, text(say("event-name", { n: k + 1 }), event.name, (name) => rename(event, name), { class: "short" })),
          h("td", {}, text(say("precondition-of", { event: event.name }), event.pre, (pre) => { event.pre = pre; }, { class: "formula-input", placeholder: "true" })),
          h("td", {}, text(say("postcondition-of", { event: event.name }), Object.entries(event.post).map(([atom, value]) => `${atom} := ${value}`).join(", "), (post) => { event.post = assignments(post); }, { class: "formula-input", placeholder: "p := ~p" })),
          agents.map((agent) => h("td", {}, select(say("cell-of", { world: event.name, agent: agent.name }), action.events.map((other) => [other.name, other.name]), cellOf(agent.name, event.name), (cell) => {
            (action.cells[agent.name] ??= {})[event.name] = cellOf(agent.name, cell);
            drawOwn();
          }))),
          h("td", {}, h("input", { type: "checkbox", "aria-label": say("actual-event", { event: event.name }), "data-key": `actual ${k}`, ".checked": action.designated.includes(event.name), onchange: (change) => {
            action.designated = action.events.map((one) => one.name).filter((name) => (name === event.name ? change.target.checked : action.designated.includes(name)));
          } })),
          h("td", {}, action.events.length > 1 ? button("×", () => {
            action.events.splice(k, 1);
            action.designated = action.designated.filter((name) => name !== event.name);
            for (const cells of Object.values(action.cells)) for (const [key, cell] of Object.entries(cells)) if (key === event.name || cell === event.name) delete cells[key];
            drawOwn();
          }, { "aria-label": say("remove-event", { event: event.name }), "data-key": `remove ${k}` }) : null)))))),
      h("div", { class: "row" },
        button(say("add-event"), () => { action.events.push({ name: next(), pre: "", post: {} }); drawOwn(); }),
        button(say("happen-own"), () => happen({ command: "act", action: written() }), { class: "primary" }),
        button(say("draw-own"), () => show("action", { command: "act", action: written() })),
        button(say("draw-own-update"), () => show("updated", { command: "act", action: written() }))));
  }

  // "p := q, r := ~r" as an object; commas inside brackets stay.
  function assignments(text) {
    const parts = text.split(/,(?![^(]*\))(?![^{]*\})/).map((part) => part.split(/:=(.*)/s));
    return Object.fromEntries(parts.filter(([atom]) => atom.trim()).map(([atom, value]) => [atom.trim(), (value ?? "true").trim()]));
  }

  let drawnFor = "";
  function update() {
    const agents = JSON.stringify([app.view.model?.agents.map((agent) => agent.name), Boolean(app.catalogue)]);
    if (agents !== drawnFor || !made) {
      drawnFor = agents;
      drawForm();
      drawOwn();
    }
    if (content && told.formula === null) content.value = app.line.value;
    const ready = app.named ?? [];
    fill(named, ready.length ? [h("h2", {}, say("named-actions")), h("div", { class: "row" }, ready.map((name) => button(name, () => happen({ command: "act", named: name }))))] : []);
  }

  return { name: "act", element, update, recolour: () => seen && show(...seen) };
}
