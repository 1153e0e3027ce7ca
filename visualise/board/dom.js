// Making and replacing elements. Text is only ever set as text, never read as markup.
import { legible } from "./letters.js";
import { say } from "./words.js";

export const MARKS = { true: "✓", false: "✗", mixed: "◐", none: "∅" };

let count = 0;

// Return an identifier that no other element of the document has, also with several explorers in a notebook.
export function newId(stem) {
  count += 1;
  return `kw-${stem}-${count}`;
}

// Return an element: attributes, listeners as functions under on…, properties under a dot, then its content.
export function h(tag, attributes = {}, ...content) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith(".")) element[name.slice(1)] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...parts(content));
  return element;
}

function parts(content) {
  return content.flat(Infinity).filter((part) => part !== null && part !== undefined && part !== false);
}

// Replace the content of an element; the focus stays on the element with the same data-key.
export function fill(element, ...content) {
  const inside = element.getRootNode().activeElement, active = element.contains(inside) ? inside : null;
  const key = active?.dataset.key;
  const [from, to] = active && "selectionStart" in active ? [active.selectionStart, active.selectionEnd] : [];
  element.replaceChildren(...parts(content));
  if (key === undefined) return;
  const again = [...element.querySelectorAll("[data-key]")].find((part) => part.dataset.key === key);
  again?.focus();
  if (again && again !== active && "value" in active && again.type !== "checkbox" && again.type !== "radio" && typeof from === "number") again.value = active.value; // still being typed
  if (again && typeof from === "number") again.setSelectionRange(from, to);
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", "data-key": label, onclick, ...attributes }, label);
}

export function select(label, options, value, onchange, attributes = {}) {
  const choices = options.map(([name, text]) => h("option", { value: name, ".selected": String(name) === String(value) }, text));
  return h("select", { "aria-label": label, "data-key": label, onchange: (event) => onchange(event.target.value), ...attributes }, choices);
}

// Return pictures as elements: the library's own SVG, read as XML.
export function picture(svg) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return document.importNode(read, true);
}

// A figure in a panel, which opens as large as the window.
export function figure(svg, words = "") {
  const draw = () => {
    const drawn = legible(picture(svg));
    drawn.setAttribute("role", "img");
    if (words) drawn.setAttribute("aria-label", words);
    return drawn;
  };
  const enlarge = () => {
    const drawn = draw();
    Object.assign(drawn.style, { minWidth: `${drawn.getAttribute("width")}px`, minHeight: `${drawn.getAttribute("height")}px` }); // never smaller than in the panel
    const large = h("dialog", { class: "large", "aria-label": say("enlarged"), onclose: () => large.remove() },
      h("div", { class: "dialog-head" }, h("span"), button(say("close"), () => large.close())), drawn);
    shown.append(large);
    large.showModal();
  };
  const shown = h("figure", { class: "figure" }, draw(), button("⤢", enlarge, { class: "enlarge", "aria-label": say("enlarge"), title: say("enlarge") }));
  return shown;
}

// Call `goes` with the control of a row that an arrow key leads to from the one in focus.
export function withArrows(row, goes) {
  row.addEventListener("keydown", (event) => {
    const keys = [...row.children].filter((key) => !key.hidden), at = keys.indexOf(event.target);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = keys[(to + keys.length) % keys.length];
    goes(next);
    next.focus();
  });
}

// Tell what a button will do to the worlds, as long as somebody points at it.
export function whilePointed(element, tell) {
  for (const [event, on] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]]) element.addEventListener(event, () => tell(on));
}

// Return a text whose formulas stand between backticks.
export function withFormulas(text) {
  return text.split("`").map((part, k) => (k % 2 ? h("code", {}, part) : part));
}

export function lines(texts, attributes = {}) {
  return texts.length ? h("ul", attributes, texts.map((text) => h("li", {}, text))) : null;
}

export function saveFile(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
