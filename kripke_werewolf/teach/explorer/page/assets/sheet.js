// What a student has typed, in the storage of the browser, which the tabs with the same sheet share.
//
// Each task has a key of its own, so that no tab overwrites what another has typed for another task. If two tabs type
// at the same task, neither knowing the other's text, both texts are kept: the last as the answer, the other beside it.
// A page begins with the board and the proof desk that were shown last.
export function sheetOf(code, { changed, lost }) {
  const memory = new Map(); // of a page without a sheet, or a browser without storage
  const key = (name) => `kripke-sheet-${code}-${name}`;
  const texts = new Map(); // by the number of the task

  // What is kept under a name, such as the rows at the desk of a task that are not judged yet.
  function read(name, usual) {
    try {
      return JSON.parse((code && localStorage.getItem(key(name))) ?? memory.get(name) ?? null) ?? usual;
    } catch {
      return usual;
    }
  }

  function write(name, value) {
    const text = JSON.stringify(value);
    memory.set(name, text);
    if (!code) return;
    try {
      localStorage.setItem(key(name), text);
    } catch {
      lost(); // the storage is full or forbidden
    }
  }

  function typed(number, text) {
    texts.set(number, text);
    write(`answer-${number}`, text);
  }

  function beside(number, text) {
    write(`other-${number}`, text);
    changed();
  }

  // Another tab has typed `theirs` over `before`: if that is not our text, it has not seen ours.
  function came(number, { newValue, oldValue }) {
    const [theirs, before] = [newValue, oldValue].map((text) => JSON.parse(text));
    const ours = texts.get(number) ?? "", last = read(`answer-${number}`, theirs);
    texts.set(number, last);
    if (ours && ours !== before && ours !== theirs) beside(number, last === ours ? theirs : ours);
    else changed();
  }

  const start = key("answer-");
  const numberOf = (name) => (name?.startsWith(start) ? Number(name.slice(start.length)) : null);
  if (code) {
    for (const number of Object.keys(globalThis.localStorage ?? {}).map(numberOf)) {
      if (number !== null) texts.set(number, read(`answer-${number}`, ""));
    }
    addEventListener("storage", (event) => {
      const number = numberOf(event.key);
      if (number !== null && event.newValue) came(number, event);
      else if (event.key?.startsWith(key("other-")) || event.key === key("receipts")) changed();
    });
  }

  return {
    code, typed, texts, read, write, beside,
    // The state of the page, with the board and the desk of the task that is shown. `made`: whether the library has
    // made its answer, from the board, which is then as if it were typed.
    keep(state, made) {
      const shown = state.start.exercise;
      write("state", state);
      if (shown !== undefined) write(`work-${shown}`, { ...state, exercises: null });
      for (const [written, [text]] of Object.entries(state.answers ?? {})) {
        const number = Number(written);
        const known = made && number === shown ? text === texts.get(number) : texts.has(number);
        if (!known) typed(number, text);
      }
    },
    other(number) {
      const text = read(`other-${number}`, "");
      return text === texts.get(number) ? "" : text;
    },
    // How often hints were asked for, by the number of the task from 1.
    hint(number) {
      const hints = read("hints", {});
      write("hints", { ...hints, [number + 1]: (hints[number + 1] ?? 0) + 1 });
    },
    // What is handed in: all answers, the hints, and a new number unless nothing has changed since the last try.
    attempt() {
      const given = [...texts].filter(([, text]) => text);
      const answers = Object.fromEntries(given.map(([number, text]) => [number + 1, text]));
      const hints = read("hints", {}), content = JSON.stringify([answers, hints]);
      const last = read("tried", { attempt: 0, content: "" });
      const attempt = last.attempt + (last.content === content ? 0 : 1);
      write("tried", { attempt, content });
      return { attempt, answers, hints };
    },
  };
}
