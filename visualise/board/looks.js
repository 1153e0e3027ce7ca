// Light and dark: as the system has it, unless somebody presses the button.
import { button } from "./dom.js";
import { say } from "./words.js";

// `wanted`: auto, light or dark. `changed`: called when pictures are to be drawn in other colours.
export function createLooks(root, wanted, changed) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  if (wanted === "auto") {
    try { wanted = localStorage.getItem("kripke-theme") ?? "auto"; } catch { /* a page from a file may have no storage */ }
  }
  const element = button("", next, { class: "looks" });

  const system = () => (dark.matches ? "dark" : "light");
  const drawn = () => (wanted === "auto" ? system() : wanted);

  function show() {
    root.dataset.theme = drawn();
    element.textContent = { light: "☾", dark: "☀" }[drawn()];
    element.title = say(`theme-${drawn()}`);
    element.setAttribute("aria-label", element.title);
  }

  function next() {
    const other = drawn() === "dark" ? "light" : "dark";
    wanted = other === system() ? "auto" : other; // what the system has is not stored: it may change
    try { localStorage.setItem("kripke-theme", wanted); } catch { /* see above */ }
    redraw();
  }

  function redraw() {
    show();
    changed();
  }
  dark.addEventListener("change", redraw);
  show();
  return { element, drawn };
}
