// The proof desk: a proof line by line, each judged as it is typed, with hints on request.
import { button, fill, h, select } from "./dom.js";
import { say } from "./words.js";

const BARS = /^(?:\s*[|│](?!-))*\s*/;

export function createProof(app) {
  const goal = h("input", { type: "text", class: "formula-input", "data-key": "goal", "aria-label": say("proof-goal"), placeholder: say("proof-goal-long"), autocomplete: "off", spellcheck: "false", autocapitalize: "off" });
  const only = h("input", { type: "text", "data-key": "rules", "aria-label": say("proof-only"), autocomplete: "off", spellcheck: "false" });
  const natural = h("input", { type: "checkbox", "data-key": "natural", onchange: () => update() });
  let logic = "S5";
  const form = h("div", { class: "row" });
  const start = h("details", { class: "begin" }, h("summary", {}, say("proof-new")), form);
  const claim = h("p", { class: "claim" });
  const rows = h("tbody", { lang: "en" });
  const table = h("div", { class: "wide" }, h("table", { class: "sheet" }, h("caption", { class: "hidden" }, say("proof-rows")), rows));
  const next = h("label", { class: "next-row" });
  const input = h("input", { type: "text", class: "formula-input", "data-key": "row", "aria-label": say("proof-row"), autocomplete: "off", spellcheck: "false", autocapitalize: "off", enterkeyhint: "done" });
  const waits = h("ul", { class: "waits hint", "aria-label": say("proof-waits") });
  const judged = h("div", { class: "judged-row", role: "status", lang: "en" });
  const help = h("div", { class: "hint-row", role: "status", lang: "en" });
  const palette = h("div", { class: "palette", role: "group", "aria-label": say("proof-rules") });
  const acts = h("div", { class: "row" });
  const desk = h("section", { "aria-label": say("tab-proof") }, claim, table, next, waits, judged, palette, acts, help);
  const element = h("div", {}, start, desk);
  let typed = 0, asks = false, shown = null; // the turn of the last text; whether one is judged; the rows shown

  const begin = async () => {
    const rules = only.value.trim() ? `\nrules: ${only.value}` : "";
    const calculus = natural.checked ? "calculus: natural\n" : "";
    const reply = await app.perform({ command: "proof", text: `${calculus}logic: ${logic}\nshow: ${goal.value}${rules}` });
    if (!reply?.ok) return;
    aside.length = 0;
    start.open = false;
    write("");
    input.focus();
    const found = await app.query({ command: "hint" }, { quiet: true });
    fill(help, found && !found.row && found.why ? h("pre", {}, found.why) : null); // the goal is not valid: a counter-model
  };
  for (const field of [goal, only]) field.addEventListener("keydown", (event) => { if (event.key === "Enter") begin(); });

  // What the next row begins with: a bar for each subproof that is open.
  const bars = () => "| ".repeat(app.view.proof?.open ?? 0);
  const empty = () => !input.value.replace(/[\s|│]/g, "");

  function write(text) {
    input.value = text || bars();
    judged.replaceChildren();
    if (text) judge();
  }

  // Why a line is wrong is told on request.
  const reason = (why) => h("details", { class: "reason" }, h("summary", {}, say("proof-why")), h("p", {}, why));

  async function judge() {
    typed += 1;
    if (empty()) judged.replaceChildren();
    if (empty() || asks) return; // after the reply to an older text the newest is asked
    asks = true;
    const turn = typed, found = await app.query({ command: "judge", text: input.value }, { quiet: true });
    asks = false;
    if (turn !== typed) return judge();
    if (!found) return;
    const open = judged.querySelector("details")?.open;
    fill(judged, found.right === null ? h("pre", { class: "hint formula" }, found.reason)
      : [h("span", { class: `mark ${found.right}` }, found.right ? "✓ " : "✗ ", say(found.right ? "right" : "wrong")), found.right ? null : reason(found.reason)]);
    if (open && judged.querySelector("details")) judged.querySelector("details").open = true;
  }

  // Lines wait to be judged one after another: nothing that is typed meanwhile is lost. A wrong line, with
  // those that wait behind it, is set aside: a button or the arrow up takes it into the field again, to be mended.
  // Those set aside are in the order in which they were typed: one that is wrong again goes back to its place.
  const lines = [], aside = [];
  let runs = false, place = null;

  async function enter() {
    if (empty()) return;
    help.replaceChildren(); // a hint that is asked for meanwhile is about the new lines
    lines.push({ text: input.value, place });
    place = null;
    write("");
    drawWaiting();
    if (runs) return;
    runs = true;
    while (lines.length) {
      const reply = await app.perform({ command: "row", text: lines[0].text });
      if (!lines.length) break; // another task is shown
      typed += 1;
      if (reply?.ok && reply.view.proof.rows.at(-1).right) lines.shift();
      else aside.splice(lines[0].place ?? aside.length, 0, ...lines.splice(0).map((line) => line.text));
      drawWaiting();
    }
    runs = false;
  }

  // Take a line that is set aside; what is in the field is set aside instead.
  function mend(k) {
    const [text] = aside.splice(k, 1, ...(empty() ? [] : [input.value]));
    place = k;
    write(text);
    input.focus();
    drawWaiting();
  }

  function drawWaiting() {
    remember();
    fill(waits, lines.map(({ text }) => h("li", { class: "formula" }, text)), aside.map((text, k) => h("li", {},
      button(say("proof-mend"), () => mend(k), { "data-key": k ? `mend ${k}` : "mend" }), " ",
      h("span", { class: "formula not-right" }, text))));
  }

  async function turn(command) {
    help.replaceChildren();
    const reply = await app.perform({ command });
    if (reply?.ok) write(command === "unrow" ? reply.view.proof.undone : "");
    input.focus();
  }

  async function hint(whole) {
    help.replaceChildren();
    const found = await app.query({ command: "hint" });
    if (!found) return;
    if (app.view.exercise) app.sheet.hint(app.view.exercise.number);
    const text = whole ? found.row : found.row.split(/\s{2,}/)[0];
    fill(help, h("p", {}, found.why), text ? h("p", {}, h("span", { class: "formula" }, text), " ",
      button(say("proof-take"), () => { write(text); input.focus(); }, { "data-key": "take" })) : null);
    help.scrollIntoView({ block: "nearest" });
  }

  // What is typed and not judged yet is kept with the sheet, for each task: it is there again after another task, or
  // after the page was closed.
  let task = null;
  const remember = () => {
    if (task !== null) app.sheet.write(`rows-${task}`, [...lines.map((line) => line.text), ...aside, empty() ? "" : input.value]);
  };
  function recall(number) {
    if (number === task) return;
    task = number;
    place = null;
    lines.length = 0;
    const rows = app.sheet.read(`rows-${task}`, [""]);
    aside.splice(0, aside.length, ...rows.slice(0, -1));
    write(rows.at(-1));
    drawWaiting();
  }

  input.addEventListener("input", () => { judge(); remember(); });
  input.addEventListener("keydown", (event) => {
    const undoes = (event.ctrlKey || event.metaKey) && { z: event.shiftKey ? "rerow" : "unrow", y: "rerow" }[event.key.toLowerCase()];
    if (event.key === "Enter") enter();
    else if (event.key === "ArrowUp" && empty() && aside.length) mend(0);
    else if (undoes && empty()) { event.preventDefault(); turn(undoes); }
  });

  // Write a rule behind the line; in natural deduction one that begins or ends a subproof changes the bars.
  function cite(rule, step) {
    const [begun] = BARS.exec(input.value), length = bars().length;
    if (step && begun.length === length) input.value = "| ".repeat(Math.max(0, length / 2 + step)) + input.value.slice(length);
    input.value = `${empty() ? input.value : `${input.value.trimEnd()}   `}${rule} `;
    input.focus();
    judge();
  }

  function update() {
    const proof = app.view.proof;
    only.placeholder = say(natural.checked ? "proof-only-natural" : "proof-only-long");
    fill(form, goal,
      select(say("logic"), (app.catalogue?.derived ?? [logic]).map((name) => [name, name]), logic, (name) => { logic = name; }),
      h("label", {}, natural, say("proof-natural")), only,
      button(say("proof-begin"), begin, { class: "primary" }));
    desk.hidden = !proof;
    if (!proof) start.open = true;
    if (proof) recall(app.view.exercise?.number ?? null);
    const now = JSON.stringify(proof);
    if (!proof || now === shown) return;
    shown = now;
    if (empty()) input.value = bars();
    fill(claim, h("span", { class: "formula" }, proof.claim), ` (${proof.logic})`, proof.done ? h("strong", { class: "right" }, say("proof-done")) : null);
    fill(rows, proof.rows.map((row, k) => h("tr", { class: row.right ? null : "not-right" }, h("th", { scope: "row" }, `${k + 1}.`),
      h("td", { class: `formula${row.begins && row.bars ? " begins" : ""}`, ".style": `--bars: ${row.bars}` }, h("span", { class: row.begins ? "assumed" : null }, row.formula), row.right ? null : reason(row.why)),
      h("td", {}, row.reason), h("td", { class: `mark ${row.right}`, "aria-label": say(row.right ? "right" : "wrong") }, row.right ? "✓" : "✗"))));
    const last = proof.rows.at(-1);
    input.placeholder = say(proof.open === null ? "proof-row-long" : "proof-row-natural");
    fill(next, h("span", {}, `${proof.rows.length + (last && !last.right ? 0 : 1)}.`), input);
    fill(palette, proof.palette.map(([name, explained, step]) => button(name, () => cite(name, step), { title: explained, "data-rule": name })));
    fill(acts,
      button(say("proof-enter"), enter, { class: "primary" }), button(say("proof-subgoal"), () => hint(false)), button(say("proof-next"), () => hint(true)),
      button(say("proof-undo"), () => turn("unrow"), { ".disabled": !proof.rows.length }), button(say("proof-redo"), () => turn("rerow"), { ".disabled": proof.undone === null }),
      ["latex", "proof"].map((what) => button(say(`proof-copy-${what}`), () => app.take(what), { ".disabled": what === "latex" && !proof.rows.length })));
  }

  return { name: "proof", element, update };
}
