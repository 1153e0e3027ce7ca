// What a student has typed, in the database of the browser, which the tabs with the same sheet share.
//
// Every answer has a name of its own: the number of its task. If two tabs type at the same task, neither knowing the
// other's text, both texts are kept: the last as the answer, the other beside it. A page begins with the board and the
// proof desk that were shown last. In localStorage the last minute would be lost if the browser is killed.
export function sheetOf(code, { changed, lost }) {
  const memory = new Map(); // what was written under each name and when, by any tab
  const texts = new Map(); // the answers
  const tabs = code && new BroadcastChannel(`kripke-sheet-${code}`);
  let base = null; // of a page with a sheet, if its browser has storage

  // What is kept under a name, such as the rows at the desk of a task that are not judged yet.
  const read = (name, usual) => JSON.parse(memory.get(name)?.text ?? null) ?? usual;

  function write(name, value) {
    const before = texts.get(name), last = memory.get(name)?.moment ?? 0;
    const now = { name, text: JSON.stringify(value), moment: Math.max(Date.now(), last + 1) };
    learn(now);
    if (!code) return;
    tabs.postMessage({ ...now, before });
    try {
      const change = base.transaction("kept", "readwrite");
      change.onabort = lost;
      change.objectStore("kept").put(now);
      change.commit(); // at once, for a reload ends what waits
    } catch {
      lost(); // the storage is full or forbidden
    }
  }

  function beside(number, text) {
    write(`other-${number}`, text);
    changed();
  }

  function learn(told) {
    if (memory.get(told.name)?.moment > told.moment) return;
    memory.set(told.name, told);
    if (Number.isInteger(told.name)) texts.set(told.name, JSON.parse(told.text));
  }

  // Another tab has typed `theirs` over `before`: if that is not our text, it has not seen ours.
  function came(told) {
    const ours = texts.get(told.name), theirs = JSON.parse(told.text);
    learn(told);
    if (ours && ours !== told.before && ours !== theirs) beside(told.name, texts.get(told.name) === ours ? theirs : ours);
    else if (/^(\d|other-|receipts)/.test(told.name)) changed();
  }

  const loaded = code && new Promise((done) => {
    tabs.onmessage = ({ data }) => came(data);
    const asked = indexedDB.open(`kripke-sheet-${code}`);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept", { keyPath: "name" });
    asked.onerror = done;
    asked.onsuccess = () => {
      base = asked.result;
      base.transaction("kept").objectStore("kept").getAll().onsuccess = ({ target }) => done(target.result.forEach(learn));
    };
  }).catch(lost);

  return {
    code, loaded, texts, read, write, beside,
    // The state of the page, with the board and the desk of the task that is shown. `made`: whether the library has
    // made its answer, from the board, which is then as if it were typed.
    keep(state, made) {
      const shown = state.start.exercise;
      write("state", state);
      if (shown !== undefined) write(`work-${shown}`, { ...state, exercises: null });
      for (const [written, [text]] of Object.entries(state.answers ?? {})) {
        const number = Number(written);
        const known = made && number === shown ? text === texts.get(number) : texts.has(number);
        if (!known) write(number, text);
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
      const answers = Object.fromEntries([...texts].filter(([, text]) => text).map(([number, text]) => [number + 1, text]));
      const hints = read("hints", {}), content = JSON.stringify([answers, hints]);
      const last = read("tried", { attempt: 0, content: "" });
      const attempt = last.attempt + (last.content === content ? 0 : 1);
      write("tried", { attempt, content });
      return { attempt, answers, hints };
    },
  };
}
