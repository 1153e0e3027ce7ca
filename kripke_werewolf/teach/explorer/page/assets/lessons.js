// What is taught: guided stories, exercises, and games seen by one player.
import { button, figure, fill, h, lines, withFormulas } from "./dom.js";
import { say } from "./words.js";

export function createStory(app) {
  const element = h("div", {});
  const guess = h("input", { type: "text", inputmode: "text", "data-key": "prediction", autocomplete: "off", "aria-label": say("prediction") });
  let asked = null;

  const predict = async (answer) => {
    const reply = await app.perform({ command: "predict", answer });
    if (!reply?.ok) return;
    guess.value = "";
    await app.perform({ command: "next" });
  };
  guess.addEventListener("keydown", (event) => { if (event.key === "Enter" && guess.value.trim()) predict(guess.value.trim()); });

  function past(moment) {
    const right = moment.right;
    return h("li", {}, h("p", {}, withFormulas(moment.words ?? "")), moment.unicode ? h("p", { class: "formula" }, moment.unicode) : null,
      moment.outcome ? h("p", { class: "outcome" }, moment.outcome) : null,
      moment.prediction === null || moment.prediction === undefined ? null
        : h("p", { class: right ? "right" : "not-right" }, say(right ? "predicted-right" : "predicted-wrong", { answer: VERDICTS.includes(moment.prediction) ? say(`verdict-${moment.prediction}`) : moment.prediction })));
  }
  const VERDICTS = ["true", "false", "mixed"];

  function update() {
    const guide = app.view.guide;
    if (!guide) return;
    const { next, question } = guide;
    const now = JSON.stringify([guide.position, question]);
    if (now !== asked) guess.value = "";
    asked = now;
    fill(element,
      h("h2", {}, guide.title, h("span", { class: "count" }, say("position", { position: guide.position, of: guide.of }))),
      h("ol", { class: "done", lang: "en" }, guide.done.map(past)),
      next ? h("section", { class: "next" },
        h("p", { class: "words", lang: "en" }, withFormulas(next.words ?? "")), next.unicode ? h("p", { class: "formula" }, next.unicode) : null,
        question ? [h("p", { class: "question", lang: "en" }, question.words),
          question.choices
            ? h("div", { class: "row" }, question.choices.map((choice) => button(VERDICTS.includes(choice) ? say(`verdict-${choice}`) : choice, () => predict(choice), { "data-key": `predict ${choice}`, "data-predict": choice })))
            : h("div", { class: "row" }, guess, button(say("predict"), () => predict(guess.value.trim()), { class: "primary" }))] : null,
        button(say(next.kind === "event" ? "happens" : "see-answer"), () => app.perform({ command: "next" }), { "data-key": "next", class: question ? null : "primary" })) : null,
      guide.finished ? h("p", { class: "finished" }, say("finished")) : null,
      guide.credit ? h("p", { class: "hint" }, guide.credit) : null);
    if (guide.position > 0) element.querySelector(".next")?.scrollIntoView({ block: "nearest" });
  }

  return { name: "story", element, update, absent: () => !app.view.guide };
}

export function createExercise(app) {
  const element = h("div", {});
  let tells = false;

  // What the student has typed, whether the library has been told or not.
  const given = () => app.sheet.texts.get(app.view.exercise.number) ?? app.view.exercise.answer ?? "";

  const send = (answer, more = {}) => app.perform({ command: "answer", answer, ...more });

  function keep(answer) {
    app.sheet.write(app.view.exercise.number, answer);
    return tell();
  }

  // Show a task as it was left, with its board and the proof at its desk, after all that was begun before.
  const show = (number) => app.perform(() => {
    const { exercises, answers } = app.state, there = app.sheet.read(`work-${number}`, null);
    return there ? { command: "open", text: JSON.stringify({ ...there, exercises, answers }), again: true } : { command: "exercise", number };
  });

  // The proof at the desk of the task is its answer.
  const claims = new Map(); // what is shown at the desk of a task, by the number of the task
  let proof = ""; // the last that was taken
  async function take({ number, desk }) {
    if (!desk || proof === app.state.proof) return;
    proof = app.state.proof;
    if (!app.view.proof?.rows.length || !(proof.startsWith(desk.trimEnd()) || claims.get(number) === app.view.proof.claim)) return;
    const found = await app.query({ command: "copy", what: "proof" }, { quiet: true });
    if (found && app.view.exercise?.number === number && found.text !== given()) keep(found.text);
  }

  // Tell the library a text that it does not know, typed here or in another tab. Its reply leads to the next.
  async function tell() {
    if (tells) return;
    tells = true;
    await app.idle();
    tells = false;
    const told = app.state.answers ?? {};
    const [number, answer] = [...app.sheet.texts].find(([task, text]) => text !== told[task]?.[0]) ?? [];
    if (number === undefined) return;
    await app.perform({ command: "draft", number, answer }, { want: ["exercise"], quiet: true });
  }

  // The proof desk begins with the answer so far, or with the task.
  async function work(exercise) {
    const proof = /^(logic|calculus):/.test(given());
    if (!proof && given().trim()) app.sheet.beside(exercise.number, given());
    const reply = await app.perform({ command: "proof", text: proof ? given() : exercise.desk });
    if (!reply?.ok) return;
    claims.set(exercise.number, app.view.proof.claim);
    app.setTab("proof");
  }

  // What another tab has typed at the same task, or what a proof at the desk has taken the place of.
  function other({ number }) {
    const text = app.sheet.other(number);
    const take = () => {
      const ours = given();
      keep(text);
      app.sheet.beside(number, ours);
    };
    return text && h("div", { class: "hint other", role: "status" }, h("p", {}, say("other-text")),
      h("pre", { class: "formula" }, text),
      h("div", { class: "row" }, button(say("other-take"), take, { "data-key": "take other" }),
        button(say("other-drop"), () => app.sheet.beside(number, ""), { "data-key": "drop other" })));
  }

  // An answer is some of the options, or a text.
  function input(exercise) {
    const check = button(say(exercise.sealed ? "read-answer" : "check"), () => send(given()), { class: "primary", "data-key": "check" });
    const onBoard = exercise.board ? button(say("use-board"), () => send("", { board: true }), { "data-key": "board" }) : null;
    if (exercise.options.length) {
      const chosen = () => given().split(",").map((part) => part.trim());
      const change = (answer, on) => {
        const all = exercise.options.map((option) => option.answer).filter((one) => (one === answer ? on : chosen().includes(one)));
        keep(all.join(", ") || "none");
      };
      return h("fieldset", {}, h("legend", {}, say("choose-some")),
        exercise.options.map((option, k) => h("label", { class: "choice" },
        h("input", { type: "checkbox", "data-key": `option ${k}`,
          ".checked": chosen().includes(option.answer),
          onchange: (event) => change(option.answer, event.target.checked) }),
        h("span", { class: "formula" }, option.label))), h("div", { class: "row" }, check, onBoard));
    }
    const field = h("textarea", { rows: String(Math.max(2, exercise.lines)), "aria-label": say("your-answer"), "data-key": "answer", spellcheck: "false", autocapitalize: "off", ".value": given(), oninput: (event) => keep(event.target.value) });
    field.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(given()); });
    return h("div", {}, field, h("div", { class: "row" }, check,
      exercise.desk ? button(say("use-desk"), () => work(exercise), { "data-key": "desk" })
        : button(say("use-formula"), () => { field.value = app.line.value; keep(field.value); }, { ".disabled": !app.view.formula }), onBoard));
  }

  function update() {
    const exercise = app.view.exercise;
    if (!exercise) return;
    take(exercise);
    const { checked } = exercise;
    fill(element,
      exercise.set ? h("p", { class: "hint" }, [exercise.set, exercise.name].filter(Boolean).join(", ")) : null,
      exercise.text ? h("details", {}, h("summary", {}, say("about-sheet")), h("p", {}, withFormulas(exercise.text))) : null,
      exercise.of > 1 ? h("ol", { class: "chips" }, exercise.all.map((one, k) => h("li", {}, button(`${k + 1}${one.right === true ? " ✓" : one.right === false ? " ✗" : one.answered ? " …" : ""}`, () => show(k), {
        "aria-current": k === exercise.number ? "step" : null, "data-key": `exercise ${k}`, title: one.title,
        "aria-label": `${one.title}${one.right === true ? `, ${say("right")}` : one.right === false ? `, ${say("wrong")}` : ""}`,
      })))) : null,
      exercise.number === null ? h("p", { class: "hint" }, say("choose-exercise")) : [
      h("h2", {}, exercise.title),
      h("div", { class: "question" }, exercise.question.split("\n\n").map((part) => h("p", {}, withFormulas(part)))),
      exercise.shown.map((one) => h("div", {}, h("h3", {}, one.caption), figure(one.svg, one.caption))),
      exercise.form && !exercise.options.length ? h("p", { class: "hint", lang: "en" }, exercise.form) : null,
      input(exercise), other(exercise),
      checked ? h("div", { class: checked.right === null ? "hint" : checked.right ? "right" : "not-right", role: "status" }, checked.right === null ? null : h("strong", {}, say(checked.right ? "right" : "wrong")),
        h("p", { class: "reason", lang: "en" }, withFormulas(checked.reason ?? ""))) : null],
      h("div", { class: "row" },
        exercise.number !== null && exercise.number + 1 < exercise.of ? button(say("next-exercise"), () => show(exercise.number + 1)) : null),
      app.handIn.element());
    const field = element.querySelector('[data-key="answer"]');
    if (field && field.value !== given()) field.value = given(); // what another tab has typed, even if it has the focus
  }

  return { name: "exercise", element, update, tell, absent: () => !app.view.exercise };
}

export function createGame(app) {
  const element = h("div", {});

  function update() {
    const game = app.view.game;
    if (!game) return;
    fill(element,
      h("h2", {}, game.who === null ? say("game-public") : say("game-of", { name: game.who })),
      game.no_model ? h("p", { class: "hint" }, game.no_model) : null,
      game.phases.map((phase, k) => h("details", { ".open": k === game.phases.length - 1 }, h("summary", {}, phase.heading), lines(phase.lines, { class: "bare" }),
        phase.table ? h("div", { class: "wide" }, h("table", {}, h("thead", {}, h("tr", {}, phase.table[0].map((cell) => h("th", { scope: "col" }, cell)))),
          h("tbody", {}, phase.table.slice(1).map((row) => h("tr", {}, h("th", { scope: "row" }, row[0]), row.slice(1).map((cell) => h("td", {}, cell))))))) : null)));
  }

  return { name: "game", element, update, absent: () => !app.view.game };
}
