// Taking the model elsewhere: as code, as a picture, as a link, on paper.
import { button, fill, h, newId, picture, saveFile } from "./dom.js";
import { fillStrip } from "./stage.js";
import { say } from "./words.js";

const DOTS = 3; // pixels of a PNG to a unit of the picture

export function createCopy(app) {
  const list = h("div", { class: "row" });
  const shown = h("section", { role: "status" });
  const element = h("div", {}, h("h2", {}, say("copy")), list, shown);

  // Show a text to be copied or saved.
  function offer(label, text, file, mime, hint = "") {
    const area = h("textarea", { readonly: true, rows: "8", "aria-label": label, id: newId("copied"), spellcheck: "false", ".value": text });
    const done = h("span", { class: "hint", role: "status" });
    const copy = () => {
      area.select();
      document.execCommand("copy"); // also in pages for which the browser has no other clipboard
      done.textContent = say("copied");
    };
    fill(shown, h("h2", {}, label), hint ? h("p", { class: "hint" }, hint) : null,
      h("div", { class: "row" }, button(say("copy-text"), copy, { class: "primary" }), file ? button(say("save-file", { file }), () => saveFile(file, text, mime)) : null, done), area);
    area.select();
  }

  async function take(what) {
    const found = await app.query({ command: "copy", what });
    if (found) offer(app.catalogue.copies.find((copied) => copied.what === what).label, found.text, found.file, found.mime);
  }

  async function share() {
    const found = await app.query({ command: "copy", what: "link" });
    if (!found) return;
    const address = app.place === "notebook" ? `#${found.text}` : `${location.href.split("#")[0]}#${found.text}`;
    offer(say("link"), address, null, null, say(`link-hint-${app.place}`));
  }

  async function png() {
    const found = await app.query({ command: "copy", what: "svg" });
    if (!found) return;
    const image = new Image();
    const drawn = picture(found.text);
    const [, , width, height] = (drawn.getAttribute("viewBox") ?? "0 0 400 300").split(/[ ,]+/).map(Number);
    drawn.setAttribute("width", width * DOTS);
    drawn.setAttribute("height", height * DOTS);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
    try {
      await image.decode();
      const canvas = h("canvas", { width: width * DOTS, height: height * DOTS });
      const ground = canvas.getContext("2d");
      ground.fillStyle = "#ffffff";
      ground.fillRect(0, 0, canvas.width, canvas.height);
      ground.drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
      saveFile(found.file.replace(/\.svg$/, ".png"), blob);
    } catch {
      app.notify({ message: say("no-png") });
    }
  }

  async function print() {
    const found = await app.query({ command: "strip", theme: "light" });
    if (!found) return;
    fillStrip(app.strip, found.title, found.frames);
    globalThis.print();
  }
  globalThis.addEventListener?.("afterprint", () => app.strip.replaceChildren());

  function update() {
    const copies = app.catalogue?.copies ?? [];
    const wanted = ({ what }) => what !== "link" && (!["proof", "latex"].includes(what) || app.view.proof);
    fill(list,
      copies.filter(wanted).map((copied) => button(copied.label, () => take(copied.what), { "data-key": copied.what, "data-copy": copied.what })),
      button(say("png"), png, { "data-copy": "png" }),
      button(say("link"), share, { "data-copy": "link" }),
      app.place === "notebook" ? null : button(say("print"), print, { "data-copy": "print", title: say("print-long") }));
  }

  return { name: "copy", element, update, share, take };
}
