// What a phone lets people notice: a sound, a vibration, a screen that stays on. Each can be turned off.
import { h } from "./dom.js";
import { say } from "./words.js";

const SOON = 15; // seconds before the end of the time at which a phone warns
const able = { sound: "AudioContext" in window, vibration: "vibrate" in navigator, awake: "wakeLock" in navigator };
let audio = null, lock = null, moment = null, warned = null;

function kept(name) {
  try {
    return localStorage.getItem(`kw-${name}`);
  } catch {
    return null; // private windows keep nothing
  }
}

function on(name) {
  return able[name] && kept(name) !== "off";
}

function turn(name, wanted) {
  try {
    localStorage.setItem(`kw-${name}`, wanted ? "on" : "off");
  } catch { /* as above */ }
  if (name === "awake" && !wanted) lock?.release();
  stayAwake();
}

function signal(times) {
  if (on("vibration")) navigator.vibrate(Array(2 * times - 1).fill(150));
  for (let n = 0; on("sound") && n < times; n += 1) beep(0.3 * n);
}

function beep(after) {
  audio ??= new AudioContext();
  const tone = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + after;
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.2);
  tone.connect(volume).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.2);
}

async function stayAwake() {
  if (lock || document.hidden || !on("awake")) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => { lock = null; });
  } catch {
    lock = null; // such as on a low battery
  }
}
document.addEventListener("visibilitychange", stayAwake);
document.addEventListener("pointerdown", () => { audio?.resume(); stayAwake(); });

// Return whether a view is of another moment than the last one, and let it be noticed: all phones alike.
export function arrived(view) {
  const another = view.moment !== undefined && view.moment !== moment;
  if (another && moment !== null) signal(1);
  moment = view.moment ?? null;
  return another;
}

// Warn once in each moment when its time is nearly over; `left`: in seconds.
export function warn(left) {
  if (left > SOON || left <= 0 || warned === moment) return;
  warned = moment;
  signal(2);
}

// The switches, of what this device is able to do.
export function switches() {
  const some = Object.keys(able).filter((name) => able[name]);
  return h("p", { class: "senses" }, some.map((name) => h("label", {}, h("input", { type: "checkbox", ".checked": on(name), "data-key": name, onchange: (event) => turn(name, event.target.checked) }), " ", say(name))));
}
