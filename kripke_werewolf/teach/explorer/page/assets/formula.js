// A field for a formula: completion as one types, and the error below it at its place.
import { fill, h, newId } from "./dom.js";
import { say } from "./words.js";

// `changed(text)`: at every change; `entered(text)`: on Enter. `apart`: the caller places the errors.
export function formulaField(app, { label, value = "", changed = () => {}, entered = () => {}, key = label, placeholder = "", apart = false }) {
  const list = h("ul", { role: "listbox", class: "completions", id: newId("list"), "aria-label": say("completions"), ".hidden": true });
  const wrong = h("div", { class: "wrong", id: newId("wrong"), lang: "en" });
  const input = h("input", {
    type: "text", role: "combobox", "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": list.id, "aria-describedby": wrong.id, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    enterkeyhint: "done", class: "formula-input", "data-key": key, placeholder, ".value": value,
  });
  const box = h("div", { class: "formula-field" }, input, list, apart ? null : wrong);
  let offered = null, active = -1, asked = 0, last = null; // the last error

  function close() {
    asked += 1;
    offered = null;
    mark(-1);
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  }

  function mark(number) {
    active = number;
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === number)));
    if (number < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", list.children[number].id);
    list.children[number].scrollIntoView({ block: "nearest" });
  }

  function take(number) {
    if (!offered) return;
    const { start, end, items } = offered;
    const { insert } = items[number];
    input.setRangeText(insert, start, end, "end");
    close();
    input.focus();
    changed(input.value);
  }

  // Until the answer comes, the list of the text before stays in sight, but nothing is taken from it.
  async function offer(always) {
    const turn = (asked += 1);
    const at = input.selectionStart;
    offered = null;
    mark(-1);
    list.setAttribute("aria-busy", "true");
    const found = await app.query({ command: "complete", text: input.value, at }, { quiet: true });
    if (turn !== asked) return;
    if (!found || input.getRootNode().activeElement !== input) return close();
    const word = input.value.slice(found.start, at);
    if (!found.items.length || (!always && !word.trim()) || (found.items.length === 1 && found.items[0].insert === word)) return close();
    offered = found;
    list.replaceChildren(...found.items.map((item, k) =>
      h("li", { role: "option", id: newId("option"), "aria-selected": "false", onpointerdown: (event) => { event.preventDefault(); take(k); } },
        h("span", { class: "shown" }, item.shown), item.explained ? h("span", { class: "explained" }, item.explained) : null)));
    list.removeAttribute("aria-busy");
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  input.addEventListener("input", () => { show(null); changed(input.value); offer(false); });
  input.addEventListener("blur", () => { close(); judge(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && offered) { event.preventDefault(); event.stopPropagation(); close(); return; }
    if (offered && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      event.preventDefault();
      const size = offered.items.length;
      mark(event.key === "ArrowDown" ? (active + 1) % size : (active <= 0 ? size : active) - 1);
    } else if (offered && (event.key === "Tab" && !event.shiftKey || event.key === "Enter") && active >= 0) {
      event.preventDefault();
      take(active);
    } else if (event.key === "ArrowDown" && !offered) {
      event.preventDefault();
      offer(true);
    } else if (event.key === "Enter") {
      close();
      entered(input.value);
    }
  });

  // Show an error of the library: its place in the formula, and its message.
  function show(error) {
    last = error;
    input.setAttribute("aria-invalid", String(Boolean(error)));
    judge();
    const text = input.value, at = error?.at;
    const place = typeof at === "number" && text
      ? h("div", { class: "place", "aria-hidden": "true" }, text.slice(0, at), h("mark", {}, text.slice(at, at + 1) || " "), text.slice(at + 1))
      : null;
    fill(wrong, place, error && h("p", {}, error.short ?? error.message));
  }

  // While somebody writes the last word, what is wrong with it is said quietly.
  function judge() {
    const writing = input.getRootNode().activeElement === input && typeof last?.at === "number" && /^\w*\s*$/.test(input.value.slice(last.at));
    for (const part of [input, wrong]) part.classList.toggle("unfinished", writing);
  }

  // Insert a text, or two around what is selected; if nothing is, around an atom, to be replaced.
  function insert(text, close = "") {
    const [from, to] = [input.selectionStart ?? input.value.length, input.selectionEnd ?? input.value.length];
    const within = close && (input.value.slice(from, to) || (app.view.model?.atoms ?? []).find((atom) => /^\w+$/.test(atom)) || "p");
    input.setRangeText(text + within + close, from, to, "end");
    if (close && from === to) input.setSelectionRange(from + text.length, from + text.length + within.length);
    input.focus();
    show(null);
    changed(input.value);
    offer(false);
  }

  return {
    element: box, wrong, input, show, insert,
    get value() { return input.value; },
    set value(text) { if (input.value !== text) { input.value = text; close(); } },
  };
}
