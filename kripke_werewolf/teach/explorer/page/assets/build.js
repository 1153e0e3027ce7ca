// Building and editing a model: in the picture, and in a table that needs no mouse.
import { button, fill, h, select } from "./dom.js";
import { say } from "./words.js";

const TOOLS = ["select", "world", "join"];

export function createBuild(app) {
  const tools = h("div", { class: "tools", role: "radiogroup", "aria-label": say("tools") });
  const chosen = h("section", { class: "chosen-worlds", "aria-label": say("selected-worlds") });
  const table = h("section", { class: "wide", "aria-label": say("worlds-table") });
  let tool = "select", agent = null;

  const edit = (name, values = {}) => app.perform({ command: "edit", edit: name, ...values });
  const remove = (worlds) => edit("remove_world", { worlds });
  const size = () => app.view.model?.size ?? 0;
  const agents = () => app.view.model?.agents ?? [];
  const current = () => (agents().some((one) => one.name === agent) ? agent : agents()[0]?.name ?? null);
  const cellsOf = (name) => app.view.model?.cells?.[name] ?? null;

  function setTool(name) {
    tool = name;
    app.setTab("build"); // which tells the board
  }

  function toggle(number) {
    if (!app.selected.delete(number)) app.selected.add(number);
    app.setTab("build");
  }

  async function join(first, second) {
    const name = current();
    if (name === null) return app.notify({ message: say("needs-agent") });
    return cellsOf(name) ? edit("join", { agent: name, worlds: [first, second] }) : edit("arrow", { agent: name, from: first, to: second });
  }

  function add(point = null) {
    const near = app.board.centre, k = size();
    const place = point ?? { x: near.x + 90 * ((k % 4) - 1.5), y: near.y - 80 * (Math.floor(k / 4) - 0.5) };
    return edit("add_world", { atoms: [], x: place.x, y: place.y });
  }

  // Put a world into the cell of an agent that has the given number; one more than there are is a new cell.
  async function toCell(name, number, cell) {
    const cells = cellsOf(name);
    const goal = cells[cell]?.find((other) => other !== number);
    if (cells[cell]?.includes(number)) return;
    await (goal === undefined ? edit("split", { agent: name, worlds: [number] }) : edit("move", { agent: name, worlds: [number], to: goal }));
  }

  const fresh = Object.fromEntries(["agent", "atom"].map((key) => [key, h("input", {
    type: "text", "aria-label": say(`new-${key}`), "data-key": `new ${key}`, placeholder: say("name"), autocapitalize: "off", autocomplete: "off",
    onkeydown: (event) => { if (event.key === "Enter") addNamed(key); },
  })]));

  async function addNamed(key) {
    const name = fresh[key].value.trim();
    if (!name) return;
    const reply = await edit(`add_${key}`, { [key]: name });
    if (!reply?.ok) return;
    if (fresh[key].value.trim() === name) fresh[key].value = "";
    fresh[key].focus();
  }

  // The fields for new names are drawn once: taken out of the page and put back, they would lose the focus.
  const tags = Object.fromEntries(["agent", "atom"].map((key) => [key, h("ul", { class: "tags" })]));
  const namer = (label, key) => h("div", { class: "namer" }, h("h2", {}, label),
    h("div", { class: "row" }, fresh[key], button(say(`add-${key}`), () => addNamed(key))), tags[key]); // above the list: it stays where it is
  const more = h("div", {});
  const names = h("section", {}, h("div", { class: "namers" }, namer(say("agents"), "agent"), namer(say("atoms"), "atom")), more);
  const element = h("div", {}, tools, chosen, names, table);

  // A box for an atom at the selected worlds: half checked if it is true at some of them only.
  function flipper(atom, worlds) {
    const number = worlds.filter((world) => app.view.model.worlds[world].atoms.includes(atom)).length;
    return h("label", {}, h("input", { type: "checkbox", ".checked": number === worlds.length, ".indeterminate": number > 0 && number < worlds.length,
      "data-key": `flip ${atom}`, title: say("flip", { atom }), onchange: () => edit("flip", { worlds, atom }) }), atom);
  }

  function drawTags(list, key) {
    fill(tags[key], list.map((name) => h("li", {},
      h("input", { type: "text", class: "short", ".value": name, "aria-label": say(`rename-${key}`, { name }), "data-key": `${key} ${name}`, onchange: (event) => edit(`rename_${key}`, { [key]: name, name: event.target.value.trim() }) }),
      button("×", () => edit(`remove_${key}`, { [key]: name }), { "aria-label": say(`remove-${key}`, { name }), "data-key": `remove ${key} ${name}` }))));
  }

  function drawTable() {
    const { model } = app.view;
    if (!model?.worlds) return h("p", { class: "hint" }, say("too-many-to-edit"));
    if (!model.worlds.length) return h("p", { class: "hint" }, say("no-worlds"));
    const partitions = model.agents.filter((one) => cellsOf(one.name));
    const cellNumber = (name, number) => cellsOf(name).findIndex((cell) => cell.includes(number));
    return h("table", { class: "grid" },
      h("caption", {}, say("worlds-table")),
      h("thead", {}, h("tr", {}, [say("world"), say("actual-head"), ...model.atoms, ...partitions.map((one) => say("cell-head", { agent: one.name })), ""].map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, model.worlds.map((world, number) => h("tr", { class: app.selected.has(number) ? "selected" : null },
        h("th", { scope: "row" }, h("input", { type: "text", class: "short", ".value": world.name, "aria-label": say("rename-world", { name: world.name }), "data-key": `name ${number}`, onchange: (event) => edit("rename_world", { world: number, name: event.target.value.trim() }) })),
        h("td", {}, h("input", { type: "checkbox", ".checked": world.actual && (!model.all_actual || model.size === 1), "aria-label": say("actual-of", { name: world.name }), "data-key": `actual ${number}`, onchange: (event) => actual(number, event.target.checked) })),
        model.atoms.map((atom) => h("td", {}, h("input", { type: "checkbox", ".checked": world.atoms.includes(atom), "aria-label": say("true-at", { atom, world: world.name }), "data-key": `flip ${number} ${atom}`, onchange: () => edit("flip", { world: number, atom }) }))),
        partitions.map((one) => h("td", {}, select(say("cell-of", { world: world.name, agent: one.name }),
          [...cellsOf(one.name).map((_, k) => [k, String(k + 1)]), [cellsOf(one.name).length, say("new-cell")]], cellNumber(one.name, number),
          (cell) => toCell(one.name, number, Number(cell)), { "data-key": `cell ${number} ${one.name}` }))),
        h("td", {}, button("×", () => remove([number]), { "aria-label": say("remove-world", { name: world.name }), "data-key": `remove ${number}` }))))));
  }

  function actual(number, on) {
    const { model } = app.view;
    const now = model.all_actual ? [] : model.worlds.flatMap((world, k) => (world.actual ? [k] : []));
    return edit("actual", { worlds: on ? [...now, number].sort((a, b) => a - b) : now.filter((k) => k !== number) });
  }

  function update() {
    const { model } = app.view;
    if (tool === "select" && size() === 0) app.board.tool = tool = "world"; // there is nothing to select
    fill(tools,
      TOOLS.map((name) => h("button", { type: "button", role: "radio", "aria-checked": String(tool === name), "data-key": `tool ${name}`, "data-tool": name, title: say(`tool-${name}-long`), onclick: () => setTool(name) }, say(`tool-${name}`))),
      tool !== "world" && agents().length ? h("label", {}, say("for-agent"), " ", select(say("for-agent"), agents().map((one) => [one.name, one.name]), current(), (name) => { agent = name; update(); }, { "data-key": "agent" })) : null,
      tool === "world" ? button(say("add-world"), () => add()) : null);
    const worlds = [...app.selected].sort((a, b) => a - b);
    const called = worlds.map((number) => model?.worlds?.[number]?.name ?? number).join(", ");
    const name = current();
    fill(chosen, h("p", { class: "hint" }, worlds.length ? say("selected", { n: worlds.length, names: called }) : say(`tool-${tool}-long`)),
      worlds.length ? h("div", { class: "row" },
        name && worlds.length > 1 && cellsOf(name) ? button(say("join", { agent: name }), () => edit("join", { agent: name, worlds }), { "data-key": "join" }) : null,
        name && cellsOf(name) ? button(say("split", { agent: name }), () => edit("split", { agent: name, worlds }), { "data-key": "split" }) : null,
        name && worlds.length <= 2 ? button(say("arrow", { agent: name, from: model.worlds[worlds[0]].name, to: model.worlds[worlds.at(-1)].name }), () => edit("arrow", { agent: name, from: worlds[0], to: worlds.at(-1) }), { "data-key": "arrow" }) : null,
        name && worlds.length === 2 ? button(say("arrow", { agent: name, from: model.worlds[worlds[1]].name, to: model.worlds[worlds[0]].name }), () => edit("arrow", { agent: name, from: worlds[1], to: worlds[0] }), { "data-key": "arrow back" }) : null,
        button(say("make-actual"), () => edit("actual", { worlds }), { "data-key": "actual" }),
        button(say("delete-worlds"), () => remove(worlds), { "data-key": "delete" }),
        button(say("select-none"), () => { app.selected.clear(); app.setTab("build"); }, { "data-key": "none" })) : null,
      worlds.length && model.worlds ? h("div", { class: "row" }, model.atoms.map((atom) => flipper(atom, worlds))) : null);
    const closures = agents().filter((one) => !cellsOf(one.name));
    drawTags(agents().map((one) => one.name), "agent");
    drawTags(model?.atoms ?? [], "atom");
    fill(more,
      closures.length ? h("div", {}, h("h2", {}, say("closures")), closures.map((one) => h("div", { class: "row" },
        h("span", {}, say("class-of", { agent: one.name, name: one.class })),
        ["S5", "S4", "KD45", "T"].map((under) => button(say("close-under", { name: under }), () => edit("close", { agent: one.name, under }), { "data-key": `close ${one.name} ${under}`, "aria-label": say("close-agent", { agent: one.name, name: under }) }))))) : null,
      h("div", { class: "row" },
        button(say("arrange"), () => app.perform({ command: "arrange" })),
        button(say("begin"), () => app.perform({ command: "begin" }), { title: say("begin-long") })));
    fill(table, drawTable());
  }

  return {
    name: "build", element, update, join, remove,
    get tool() { return tool; },
    world: (node) => toggle(app.view.picture.nodes[node].worlds[0]),
    blank: (point, event) => {
      if (tool === "world" || event.detail === 2) return add(point);
      if (app.selected.size) { app.selected.clear(); app.setTab("build"); }
    },
  };
}
