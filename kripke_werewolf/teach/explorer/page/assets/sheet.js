// What a student has typed, in the storage of the browser, which the tabs with the same sheet share.
//
// Each task has a key of its own, so that no tab overwrites what another has typed for another task. If two tabs type
// at the same task, neither knowing the other's text, both texts are kept: the last as the answer, the other beside it.
// The board and the proof desk belong to a tab; a new tab begins with those of the last.
export function sheetOf(code, { changed, lost }) {
  const memory = new Map(); // of a page without a sheet, or a browser without storage
  const key = (name) => `kripke-sheet-${code}-${name}`;
  const mine = new Set(), texts = new Map(), others = new Map(); // by the number of the task; typed in this tab, all, kept beside
  const waiting = new Set(); // the tasks whose texts the library has not yet been told

  function read(name, usual, storage = "localStorage") {
    try {
      return JSON.parse((code && globalThis[storage].getItem(key(name))) ?? memory.get(name) ?? null) ?? usual;
    } catch {
      return usual;
    }
  }

  function write(name, value, storage = "localStorage") {
    const text = JSON.stringify(value);
    memory.set(name, text);
    if (!code) return;
    try {
      globalThis[storage].setItem(key(name), text);
    } catch {
      lost(); // the storage is full or forbidden
    }
  }

  // A text typed in this tab: `was` is what it was typed over, by which other tabs know what this one has seen.
  function typed(number, text) {
    const before = texts.get(number);
    texts.set(number, { text, was: mine.has(number) ? before.was : before?.text ?? "" });
    mine.add(number);
    waiting.add(number);
    write(`answer-${number}`, texts.get(number));
  }

  function beside(number, text) {
    others.set(number, text);
    write(`other-${number}`, text);
    changed();
  }

  // A text that another tab has typed.
  function came(number, given) {
    const ours = texts.get(number)?.text ?? "";
    if (given.text === ours) return;
    if (mine.has(number) && ours && ours !== given.was) {
      others.set(number, given.text);
      const last = read(`answer-${number}`, given).text;
      write(`other-${number}`, last === ours ? given.text : ours);
      return changed();
    }
    texts.set(number, { text: given.text, was: given.text });
    mine.delete(number);
    waiting.add(number);
    changed();
  }

  if (code) {
    const found = /-(answer|other)-(\d+)$/;
    for (const name of Object.keys(globalThis.localStorage ?? {})) {
      const [, kind, number] = (name.startsWith(key("")) && found.exec(name)) || [];
      if (kind === "answer") {
        const { text } = read(`answer-${number}`, { text: "" });
        texts.set(Number(number), { text, was: text });
        waiting.add(Number(number));
      } else if (kind) others.set(Number(number), read(`other-${number}`, ""));
    }
    addEventListener("storage", (event) => {
      const [, kind, number] = (event.key?.startsWith(key("")) && event.newValue && found.exec(event.key)) || [];
      if (kind === "answer") came(Number(number), JSON.parse(event.newValue));
      else if (event.key === key("receipts")) changed();
    });
  }

  return {
    code, typed, waiting,
    text: (number) => texts.get(number)?.text,
    // The state of the page, with the board and the desk of the task that is shown. `made`: whether the library has
    // made its answer, from the board, which is then as if it were typed.
    keep(state, made) {
      for (const storage of ["sessionStorage", "localStorage"]) {
        write("state", state, storage);
        if (state.start.exercise !== undefined) write(`work-${state.start.exercise}`, { ...state, exercises: null }, storage);
      }
      for (const [written, [text]] of Object.entries(state.answers ?? {})) {
        const number = Number(written), known = texts.get(number)?.text;
        if (known !== text && (known === undefined || (made && number === state.start.exercise))) typed(number, text);
        if (texts.get(number).text === text) waiting.delete(number);
        else waiting.add(number);
      }
    },
    kept: () => read("state", null, "sessionStorage") ?? read("state", null),
    // The state in which a task was left; null if it has not been shown.
    work: (number) => read(`work-${number}`, null, "sessionStorage") ?? read(`work-${number}`, null),
    other(number) {
      const text = others.get(number);
      return text && text !== texts.get(number)?.text ? text : null;
    },
    beside,
    // Take the text beside the answer instead of it, which is then beside it; or drop it.
    swap(number) {
      const [ours, theirs] = [texts.get(number)?.text ?? "", others.get(number)];
      texts.set(number, { text: theirs, was: theirs });
      mine.delete(number);
      beside(number, ours);
      return theirs;
    },
    drop(number) {
      const ours = texts.get(number)?.text ?? "", theirs = others.get(number);
      texts.set(number, { text: ours, was: theirs }); // the other tab takes it over
      mine.add(number);
      write(`answer-${number}`, texts.get(number));
      beside(number, "");
    },
    // The rows at the proof desk that are not judged yet.
    rows: (number, rows) => write(`rows-${number}`, rows),
    rowsOf: (number) => read(`rows-${number}`, []),
    // How often hints were asked for, by the number of the task from 1.
    hint(number) {
      const hints = read("hints", {});
      write("hints", { ...hints, [number + 1]: (hints[number + 1] ?? 0) + 1 });
    },
    // What is handed in: all answers, the hints, and a new number unless nothing has changed since the last try.
    attempt() {
      const answers = Object.fromEntries([...texts].filter(([, { text }]) => text).map(([number, { text }]) => [String(number + 1), text]));
      const content = JSON.stringify([answers, read("hints", {})]), last = read("tried", { attempt: 0, content: "" });
      const attempt = last.attempt + (last.content === content ? 0 : 1);
      write("tried", { attempt, content });
      return { attempt, answers, hints: read("hints", {}) };
    },
    receipts: () => read("receipts", []),
    received(receipt) {
      const before = read("receipts", []);
      if (!before.some((one) => one.receipt === receipt.receipt)) write("receipts", [...before, receipt]);
    },
  };
}
