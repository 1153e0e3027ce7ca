// The explorer in a notebook: drawn in an output cell, answered by the kernel.
import { createApp } from "./app.js";
import { kernelEngine } from "./engines.js";
import { h } from "./dom.js";
import { speak } from "./words.js";

function render({ model, el }) {
  speak(model.get("_words"));
  const root = h("div", { class: "kripke-explorer kripke-notebook" });
  el.append(root);
  createApp(root, kernelEngine(model), { place: "notebook", start: { ok: true, state: model.get("_state"), view: {} } });
}

export default { render };
