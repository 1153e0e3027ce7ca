// A model or a story on the board, without an engine: the page holds all pictures and answers.
import { button, fill, h, lines, select, whilePointed } from "./dom.js";
import { createLooks } from "./looks.js";
import { createChips, createStage, fillStrip } from "./stage.js";
import { say, speak } from "./words.js";

const given = JSON.parse(document.getElementById("data").textContent);
speak(given.words);
const root = document.getElementById("explorer"), last = given.frames.length - 1;
let at = 0, asked = given.formula, chosen = null; // the step, the number of the formula, and the name of a world

const frame = () => given.frames[at];
const worldAt = (node) => frame().model.worlds[node].name;
const looks = createLooks(root, given.theme, () => show());
const stage = createStage({ world: choose, blank: () => choose(null), switched: update });
const chips = createChips(go);
const back = button("◀", () => go(at - 1), { "aria-label": say("step-back"), title: say("step-back"), class: "undo" });
const on = button("▶", () => go(at + 1), { "aria-label": say("step-on"), title: say("step-on"), class: "redo" });
const verdict = h("p", { class: "verdict", role: "status", lang: "en" });
const world = h("section", { role: "status", "aria-label": say("world") });
const table = h("section", { class: "wide", lang: "en" });
const words = h("p", { lang: "en" });
const strip = h("section", { class: "strip", "aria-hidden": "true" });
const formulas = select(say("formula"), [["", say("no-formula")], ...given.formulas.map((text, number) => [number, text])], asked ?? "", (number) => {
  asked = number === "" ? null : Number(number);
  update();
});
const ask = h("section", { class: "line", ".hidden": !given.formulas.length }, h("h2", {}, say("where-true")), formulas, verdict);
const aside = h("aside", { "aria-label": say("shown") }, ask, h("div", { class: "panels" }, world, table, h("details", {}, h("summary", {}, say("in-words")), words)));
const steps = h("nav", { "aria-label": say("steps"), class: "history" }, back, on, chips.element);
root.append(h("header", {}, h("h1", {}, given.title), looks.element), h("main", {}, stage.element, aside), h("footer", { ".hidden": !last }, steps), strip);

whilePointed(on, (dims) => (dims && at < last ? stage.board.dim(given.frames[at + 1].picture.gone) : dim()));

function go(step) {
  if (step < 0 || step > last) return;
  const animate = step === at + 1;
  at = step;
  show(animate);
}

function show(animate = false) {
  const { svg, ...drawn } = frame().picture;
  stage.board.show({ ...drawn, svg: svg[looks.drawn()] ?? svg.print }, { animate });
  update();
}

function choose(node) {
  chosen = node === null || worldAt(node) === chosen ? null : worldAt(node);
  update();
}

// The view of the step, as `stage` takes it.
function view() {
  const { picture: drawn, model, truth } = frame();
  const dark = looks.drawn() === "dark";
  const agents = given.agents.map((agent) => ({ ...agent, colour: dark ? agent.dark : agent.colour }));
  return { picture: drawn, model: { ...model, agents }, formula: asked === null ? null : { nodes: truth[asked] } };
}

const nodeChosen = () => frame().model.worlds.findIndex(({ name }) => name === chosen);

// Dim the worlds that no agent whose lines are shown considers possible at the one chosen.
function dim() {
  const { model, sees } = frame(), here = nodeChosen();
  const possible = sees.filter(({ agent }) => !stage.unseen.has(agent)).flatMap(({ nodes }) => nodes[here] ?? []);
  stage.board.dim(here < 0 ? [] : [...model.worlds.keys()].filter((node) => node !== here && !possible.includes(node)));
}

function update() {
  const { model, sees, said, rows, picture: drawn } = frame(), here = nodeChosen();
  stage.tell(view(), { chosen: new Set([here]) });
  dim();
  verdict.textContent = asked === null ? "" : said[asked];
  words.textContent = drawn.words;
  chips.show(given.frames.map(({ name, size }, step) => ({ step, name, size })), at);
  back.disabled = at === 0;
  on.disabled = at === last;
  fill(world, here < 0 ? h("p", { class: "hint" }, say(sees.length ? "choose-world" : "choose-bare")) : [
    h("h2", {}, chosen, model.worlds[here].actual ? `, ${say("actual")}` : ""),
    h("p", {}, model.worlds[here].atoms.join(", ") || say("no-atoms")),
    lines(sees.map(({ agent, nodes }) => say(nodes[here].length ? "considers" : "considers-nothing", { agent, names: nodes[here].map(worldAt).join("; ") }))),
  ]);
  fill(table, rows.length ? [h("h2", {}, say("probabilities")), h("table", {}, h("thead", {}, row(rows[0], "col")), h("tbody", {}, rows.slice(1).map((cells) => row(cells))))] : []);
}

const row = (cells, scope) => h("tr", {}, cells.map((cell) => h(scope ? "th" : "td", { scope }, cell)));

document.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by && !event.ctrlKey && !event.metaKey && !event.altKey && !event.target.closest(".canvas, select")) go(at + by);
  if (event.key === "Escape") choose(null);
});

// On paper all steps stand side by side; those that look alike on light ground.
addEventListener("beforeprint", () => {
  if (last) fillStrip(strip, given.title, given.frames.map(({ name, picture: drawn }) => ({ svg: drawn.svg.light ?? drawn.svg.print, title: name, words: drawn.remarks })));
  for (const [step, drawn] of [...strip.querySelectorAll("svg")].entries()) {
    for (const [node, group] of [...drawn.querySelectorAll("g.world")].entries()) group.classList.toggle("true", asked !== null && given.frames[step].truth[asked][node] === "1");
  }
});
addEventListener("afterprint", () => strip.replaceChildren());
show();
