// The explorer: one state, one view, commands one after another. All logic is on the other side of the engine.
import { button, fill, h, newId, whilePointed, withArrows, withFormulas } from "./dom.js";
import { formulaField } from "./formula.js";
import { createLooks } from "./looks.js";
import { createChips, createStage, nodeOf } from "./stage.js";
import { say } from "./words.js";
import { createOpening } from "./opening.js";
import { createAsk } from "./ask.js";
import { createAct } from "./act.js";
import { createBuild } from "./build.js";
import { createSteps } from "./steps.js";
import { createFacts } from "./facts.js";
import { createCopy } from "./copy.js";
import { createProof } from "./proof.js";
import { createExercise, createGame, createStory } from "./lessons.js";
import { createHandIn } from "./handin.js";
import { sheetOf } from "./sheet.js";

const LINK_DELAY = 500; // milliseconds from the last change to the new address

// `place`: server, offline, online or notebook. `start`: a reply to show first.
// `site`: whether sheets lie beside the page.
export function createApp(root, engine, { place, start, site }) {
  const app = {
    place, state: null, view: {}, catalogue: null, selected: new Set(), engine,
    perform, query, world, notify, setTab, drawnTheme: () => looks.drawn(), calmly, sheet: newSheet(null),
    idle: () => order(() => {}),
  };
  app.handIn = createHandIn(app, () => update());
  const owns = place !== "notebook"; // the page is ours, with its address and its title

  // ---- the frame of the page
  const title = h("h1", {}, say("title"));
  const status = h("p", { class: "status", role: "status", "aria-live": "polite", lang: "en" });
  const alert = h("div", { class: "alert", role: "alert", ".hidden": true, lang: "en" });
  const busyBar = h("div", { class: "busy", ".hidden": true },
    h("span", {}, say("busy")), engine.stop ? button(say("stop"), () => engine.stop()) : null);
  const opening = createOpening(app);
  const looks = createLooks(root, "auto", redraw);
  const header = h("header", {}, title, h("div", { class: "bar" },
    button(say("open"), () => opening.open(), { class: "primary" }),
    button(say("share"), () => { setTab("copy"); panelOf("copy").share(); }),
    looks.element,
    button("?", () => help.showModal(), { "aria-label": say("help"), title: say("help") })));
  const help = h("dialog", { class: "help", "aria-label": say("help") },
    h("div", { class: "dialog-head" }, h("h2", {}, say("help")), button(say("close"), () => help.close())),
    h("dl", {}, ["help-formula", "help-picture", "help-keys", "help-build", "help-undo", "help-share"].map((key) =>
      [h("dt", {}, say(`${key}-head`)), h("dd", {}, withFormulas(say(key)))])));

  const stage = createStage({
    world: (node, event, icon) => {
      const panel = panelOf(tab);
      if (panel.world) return panel.world(node, event);
      if (icon) askAbout(icon);
      return world(worldOf(node));
    },
    blank: (point, event) => panelOf(tab)?.blank?.(point, event),
    moved: (node, { x, y }, before) => {
      moves.done.push({ at: app.view.at, node, from: before, to: { x, y } });
      moves.undone = [];
      perform({ command: "place", node, x, y });
    },
    joined: (from, to) => panelOf("build").join(worldOf(from), worldOf(to)),
    remove: (node) => panelOf("build").remove([worldOf(node)]),
  });
  const { board } = stage;
  app.board = board;
  const moves = { done: [], undone: [] }; // worlds moved by hand since the last step, which undo takes back first

  // Take back or repeat the last act: a world that was moved, or a step.
  function turn(command) {
    const [from, to, end] = command === "undo" ? [moves.done, moves.undone, "from"] : [moves.undone, moves.done, "to"];
    const last = from.pop();
    if (!last) return perform({ command });
    to.push(last);
    return perform({ command: "place", node: last.node, ...last[end] });
  }

  const line = formulaField(app, {
    label: say("formula"), key: "formula", apart: true,
    changed: (text) => { notify(null); type(text); }, entered: () => {},
  });
  const meaning = h("p", { class: "meaning", "aria-live": "off", lang: "en" });
  const verdict = h("p", { class: "verdict", role: "status", lang: "en" });
  const palette = h("div", { class: "palette", role: "toolbar", "aria-label": say("operators") });
  withArrows(palette, (next) => { for (const key of palette.children) key.tabIndex = key === next ? 0 : -1; });
  const announceButton = button(say("announce"), () => perform({ command: "announce", formula: line.value }), { class: "primary", title: say("announce-long") });
  whilePointed(announceButton, (on) => board.dim(on && app.view.formula?.nodes ? [...app.view.formula.nodes].flatMap((truth, k) => (truth === "0" ? [k] : [])) : []));
  const pinButton = button(say("pin"), () => perform({ command: "pin", text: line.value }), { title: say("pin-long") });
  const ask = h("section", { class: "line", "aria-label": say("formula") },
    h("div", { class: "line-row" }, line.element, announceButton, pinButton),
    palette, line.wrong, meaning, verdict);

  const panels = [createStory(app), createExercise(app), createGame(app), createAsk(app), createAct(app), createBuild(app), createProof(app), createSteps(app), createFacts(app), createCopy(app)];
  const panelOf = (name) => panels.find((panel) => panel.name === name);
  let tab = "ask";
  const tabs = h("div", { role: "tablist", class: "tabs", "aria-label": say("tabs") });
  const homes = h("div", { class: "panels" });
  for (const panel of panels) {
    const id = newId("panel");
    panel.tab = h("button", { type: "button", role: "tab", id: `${id}-tab`, "aria-controls": id, "data-tab": panel.name, onclick: () => { setTab(panel.name); (verdict.textContent ? verdict : tabs).scrollIntoView({ block: "start" }); } }, say(`tab-${panel.name}`));
    panel.home = h("div", { role: "tabpanel", id, "aria-labelledby": `${id}-tab`, class: `panel panel-${panel.name}` }, panel.element);
    tabs.append(panel.tab);
    homes.append(panel.home);
  }
  withArrows(tabs, (next) => setTab(next.dataset.tab));

  const chips = createChips((step) => perform({ command: "go", step }));
  const undo = button("↶", () => turn("undo"), { "aria-label": say("undo"), title: `${say("undo")} (Ctrl+Z)`, class: "undo" });
  const redo = button("↷", () => turn("redo"), { "aria-label": say("redo"), title: `${say("redo")} (Ctrl+Y)`, class: "redo" });
  const footer = h("footer", {}, h("nav", { "aria-label": say("steps"), class: "history" }, undo, redo, chips.element), status);
  app.strip = h("section", { class: "strip", "aria-hidden": "true" });

  const main = h("main", {}, stage.element, h("aside", { "aria-label": say("panels") }, alert, ask, tabs, homes));
  root.append(header, busyBar, main, footer, opening.element, help, app.strip);

  // ---- commands
  let queue = Promise.resolve();
  const order = (work) => (queue = queue.then(work, work));

  // Send a command, or what a function returns when its turn comes, and show what comes of it, unless it only
  // `asks`; returns the reply, or why it has none.
  function perform(given, { want, quiet = false, asks = false } = {}) {
    return order(async () => {
      const command = typeof given === "function" ? given() : given;
      if (!quiet && !asks) notify(null);
      const have = board.latest?.key ?? null;
      const asked = { state: app.state, do: command, have, theme: looks.drawn(), want };
      const slow = setTimeout(() => { busyBar.hidden = false; }, 400);
      const reply = await engine.ask(asked).catch((error) => ({ ok: false, error }));
      clearTimeout(slow);
      busyBar.hidden = true;
      if (reply.stopped) notify(reply.error = { message: say("stopped") });
      else if (!reply.ok && !quiet) complain(reply.error, command);
      if (reply.ok && !asks) accept(reply, command);
      return reply;
    });
  }

  // Ask something that changes nothing; returns the result, or null.
  async function query(command, { quiet = false } = {}) {
    const reply = await perform(command, { want: [], quiet, asks: true });
    return reply.ok ? reply.result : null;
  }

  function complain(error, command) {
    if (error.field === "formula" && command.formula === line.value && ["announce", "valid"].includes(command.command)) {
      line.show(error);
      if (typeof error.at === "number") line.input.setSelectionRange(error.at, error.at + 1);
      line.input.focus();
    }
    notify(error);
  }

  function notify(error) {
    alert.hidden = !error;
    fill(alert, error ? [h("pre", {}, error.message), button("×", () => notify(null), { "aria-label": say("dismiss") })] : []);
  }

  // Typing: only the newest text is asked, and only what depends on it comes back. Until then the line keeps it.
  let typed = null, asks = false, gist = ""; // what is typed, and the reason in the line below the board
  function type(text) {
    typed = text;
    ask.classList.add("asking"); // the verdict shown is that of an older text
    if (asks) return;
    asks = true;
    order(() => {}).then(async () => {
      const newest = typed;
      asks = false;
      await perform({ command: "formula", text: newest }, { want: ["formula", "explanation", "pins"], quiet: true });
      if (typed === newest) {
        typed = null;
        ask.classList.remove("asking");
      }
      if (gist && status.textContent === gist) status.textContent = gist = app.view.explanation?.gist ?? "";
    });
  }

  // The reason for a world is in the tab Ask; in other tabs its first sentence is in the line below.
  async function world(number) {
    const reply = await perform({ command: "world", world: number === app.view.explanation?.world ? null : number }, { want: ["explanation"] });
    gist = reply?.view?.explanation?.gist ?? "";
    if (tab !== "ask") status.textContent = gist || (app.view.formula ? "" : say("hint-formula"));
    return reply;
  }

  // ---- showing
  function accept(reply, command = {}) {
    const before = app.view;
    const opened = ["open", "exercise"].includes(command.command);
    const stepped = before.at !== undefined && reply.view.at !== undefined && before.at !== reply.view.at;
    app.state = reply.state;
    app.view = { ...app.view, ...reply.view };
    const drawn = reply.view.picture;
    const grows = app.view.steps?.[app.view.at]?.parent === before.at || command.command === "redo";
    if (stepped || opened) {
      app.selected = new Set(grows && drawn ? drawn.came.flatMap((from, node) => (app.selected.has(from) ? [node] : [])) : []);
      Object.assign(moves, { done: [], undone: [] });
    }
    if (drawn?.svg && drawn.key !== board.latest?.key) {
      board.show(drawn, { animate: stepped && grows, fresh: opened });
    }
    if (reply.said) status.textContent = reply.said;
    if (opened) stage.unseen.clear();
    if (command.command === "open" && !command.again && !app.sheet.code) app.sheet = newSheet(null);
    if (app.state.exercises) {
      app.sheet.keep(app.state, command.command === "answer");
      panelOf("exercise").tell();
    }
    if (opened || command.command === "begin") learn();
    update();
    later();
  }

  // Nothing is drawn anew between the press of a button and its release: the click would be lost.
  let pressed = false;
  const waiting = new Map(); // what is to be drawn, by what it is
  root.addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, () => setTimeout(() => {
      pressed = false;
      const draws = [...waiting.values()];
      waiting.clear();
      draws.forEach((draw) => draw());
    }), true);
  }

  function calmly(what, draw) {
    if (pressed) waiting.set(what, draw);
    else draw();
  }

  const update = () => calmly("all", updateNow);

  function updateNow() {
    const { view } = app;
    const names = [view.title, say("title")].filter(Boolean); // an empty board has only that of the page
    if (title.textContent !== names[0]) title.textContent = names[0];
    if (owns) document.title = names.join(" · ");
    line.value = typed ?? view.formula?.text ?? "";
    line.input.placeholder = example();
    const shown = view.formula;
    line.show(shown?.error ?? null);
    const ready = Boolean(shown && !shown.error);
    const sentence = ready && shown.sentence ? h("span", { class: "sentence" }, shown.sentence) : null;
    fill(meaning, ready ? h("span", { class: "unicode" }, shown.unicode) : null, sentence);
    verdict.textContent = ready ? shown.said ?? "" : "";
    ask.dataset.answered = shown?.text ?? "";
    announceButton.disabled = !ready;
    pinButton.disabled = !ready;
    undo.disabled = !view.undo && !moves.done.length;
    redo.disabled = !view.redo && !moves.undone.length;
    const bare = ["exercise", "game"].includes(tab) && !view.model?.size && !view.exercise?.board; // nothing to be seen on the board
    root.dataset.front = bare ? { exercise: "proof", game: "told" }[tab] : tab;
    tellBoard();
    drawSteps();
    for (const panel of panels) {
      panel.tab.hidden = Boolean(panel.absent?.());
      panel.tab.setAttribute("aria-selected", String(panel.name === tab));
      panel.tab.tabIndex = panel.name === tab ? 0 : -1;
      panel.home.hidden = panel.name !== tab;
    }
    if (panelOf(tab).tab.hidden) return setTab("ask");
    panelOf(tab).update();
  }

  const here = (number) => nodeOf(app.view, number);
  function tellBoard() {
    const { explanation } = app.view;
    const number = (agent) => app.view.model.agents.findIndex(({ name }) => name === agent);
    stage.tell(app.view, {
      chosen: new Set([...(explanation?.worlds ?? []), explanation?.world].map(here)),
      selected: (w) => tab === "build" && app.selected.has(w),
      path: (explanation?.path ?? []).map(({ from, to, agents }) => ({ from: here(from), to: here(to), agents: agents.map(number) })),
    });
  }

  // A click on a child or a card asks for what it shows, unless a formula has been written by hand.
  let clicked = "";
  function askAbout({ about, truths }) {
    if (line.value.trim() && line.value !== clicked) return;
    clicked = truths.length ? truths.map(quoted).join(" & ") : about.map((atom) => `~${quoted(atom)}`).join(" & ");
    line.value = clicked;
    type(clicked);
  }

  // A formula to begin with, about the agents and atoms of this model.
  function example() {
    const agent = app.view.model?.agents.find(({ name }) => /^\w+$/.test(name))?.name ?? "a";
    const atom = app.view.model?.atoms.find((name) => /^\w+$/.test(name)) ?? "p";
    return say("formula-placeholder", { formula: `K_${agent} ${atom}` });
  }

  const quoted = (atom) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(atom) ? atom : `"${atom}"`);

  const worldOf = (node) => app.view.picture.nodes[node].worlds[0];
  function drawSteps() {
    const { steps = [], at } = app.view;
    const forks = ({ parent }) => parent !== null && steps.filter((other) => other.parent === parent).length > 1;
    chips.show(steps.filter((step) => step.on_path).map((step) => ({ ...step, forks: forks(step) })), at);
  }

  function setTab(name) {
    tab = name;
    app.tab = name;
    board.tool = name === "build" ? panelOf("build").tool : "look";
    update();
    tabs.querySelector(`[data-tab="${name}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The tab of what is opened.
  app.front = () => {
    const { proof, exercise, guide, game, model } = app.view;
    setTab(proof ? "proof" : exercise ? "exercise" : guide ? "story" : game ? "game" : model?.size === 0 ? "build" : "ask");
  };

  function redraw() {
    if (app.state) perform({ command: "show" }, { quiet: true });
    for (const panel of panels) panel.recolour?.();
  }

  // ---- the address
  let timer = null, address = null;
  function later() {
    if (!owns || codeOf(location.hash)) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const link = await query({ command: "copy", what: "link" }, { quiet: true });
      if (!link) return;
      address = `#${link.text}`;
      try { history.replaceState(null, "", address); } catch { /* some browsers fix the address of a file */ }
    }, LINK_DELAY);
  }

  if (owns) {
    addEventListener("hashchange", () => {
      if (codeOf(location.hash) || app.sheet.code) location.reload();
      else if (location.hash.length > 1 && location.hash !== address) openLink(location.hash);
    });
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches?.("input, textarea, select")) return;
      const command = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
      if (!command) return;
      event.preventDefault();
      if (app.view[command] || moves[command === "undo" ? "done" : "undone"].length) turn(command);
    });
  }

  // Ask what there is to choose from: the actions of a puzzle change with what is opened.
  async function learn() {
    const found = await query({ command: "catalogue" }, { quiet: true });
    if (!found) return;
    app.catalogue = found;
    opening.update(); // it may be open already
    update();
  }

  const openLink = (link) => perform({ command: "open", link }).then(() => { if (app.view.proof) setTab("proof"); });

  // ---- the sheet of a student, kept in the browser
  function codeOf(hash) {
    return site ? /^#sheet=([0-9a-f]+)$/.exec(hash)?.[1] : undefined;
  }

  function newSheet(code) {
    return sheetOf(code, {
      changed: () => { panelOf("exercise").tell(); update(); },
      lost: () => notify({ message: say("not-kept") }),
    });
  }

  async function openSheet(code) {
    header.classList.add("of-sheet");
    app.sheet = newSheet(code);
    await app.sheet.loaded;
    const kept = app.sheet.read("state", null);
    const fresh = () => fetch(`${code}.json`).then((answer) => (answer.ok ? answer.text() : null));
    const text = kept ? JSON.stringify(kept) : await fresh().catch(() => null);
    if (!text) return notify({ message: say("no-sheet") });
    const reply = await perform({ command: "open", text });
    if (reply?.ok) setTab("exercise");
  }

  // ---- start
  async function begin() {
    if (start?.ok) accept(start);
    if (start?.ok && !app.view.picture) await perform({ command: "show" });
    app.front();
    if (!start) await perform({ command: "open", empty: true });
    if (engine.ready) {
      status.textContent = say("python-starts");
      try {
        await engine.ready();
        status.textContent = say("python-ready");
      } catch (error) {
        notify({ message: error.message });
        return;
      }
    }
    root.dataset.ready = "true";
    if (owns && codeOf(location.hash)) await openSheet(codeOf(location.hash));
    else if (owns && location.hash.length > 1) await openLink(location.hash);
    else if (looks.drawn() !== "light" || !start) redraw();
    await learn();
    if (app.catalogue) {
      fill(palette, app.catalogue.operators.map((operator, k) =>
        button(operator.shown, () => line.insert(operator.type, operator.close), { title: `${operator.name}: ${operator.explained}`, "aria-label": `${operator.shown}: ${operator.name}`, "data-type": operator.type, ".tabIndex": k ? -1 : 0 })));
    }
    update();
    if (location.hash.length <= 1 && owns && (!start || start.choose)) opening.open(start?.choose);
  }
  app.line = line;
  app.take = (what) => { setTab("copy"); panelOf("copy").take(what); };
  app.started = begin();
  return app;
}
