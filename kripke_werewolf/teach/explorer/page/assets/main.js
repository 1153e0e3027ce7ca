// The page of a server or a file: finds its parts in the document, and starts the explorer.
import { createApp } from "./app.js";
import { serverEngine, workerEngine } from "./engines.js";
import { speak } from "./words.js";

const { config, start, words, worker } = JSON.parse(document.getElementById("data").textContent);
speak(words);

const files = {};
for (const part of document.querySelectorAll("[data-part]")) {
  files[part.dataset.part] = part.textContent;
  part.remove();
}
const engine = config.place === "server" ? serverEngine(config.address) : workerEngine(config, worker, files);
createApp(document.getElementById("explorer"), engine, { place: config.place, start, site: config.site });
