// The pages of a host: a player's, the screen for everybody, and the game master's.
import { speak } from "./words.js";
import { player } from "./player.js";
import { screen } from "./screen.js";
import { master } from "./master.js";
import { watch } from "./watch.js";

const root = document.getElementById("table");
speak(JSON.parse(document.getElementById("words").textContent));

const dark = matchMedia("(prefers-color-scheme: dark)");
const colours = () => { root.dataset.theme = root.dataset.page === "tv" || dark.matches ? "dark" : "light"; };
dark.addEventListener("change", colours);
colours();

({ player, tv: screen, master, watch })[root.dataset.page](root);
