// The line to the host: a stream of views, and commands that are sent until the host has answered.
const QUIET = 5000; // milliseconds without a heartbeat after which the page says that it is cut off
const PATIENCE = 6000; // milliseconds after which a request is sent again
const LENGTH = 1200; // characters of a command: all are alike from outside

// Return what the host knows about this device; `lost` is called each time that it does not answer.
export async function hello(lost) {
  for (;;) {
    try {
      return await (await fetch("/hello")).json();
    } catch {
      lost();
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

// Open the stream `who`. `view` is called with each view, `cut` with true or false, `freed` when the seat is gone.
export function listen(who, { view, cut, freed }) {
  let source = null, heard = Date.now(), opened = 0, ended = false, lost = false;
  const line = { offset: 0, close, reopen };

  function alive() {
    heard = Date.now();
    if (lost) cut((lost = false));
  }
  function open() {
    source?.close();
    opened = Date.now();
    source = new EventSource(`/events/${who}`);
    source.addEventListener("view", (event) => { alive(); view(JSON.parse(event.data).view); });
    source.addEventListener("beat", (event) => { alive(); line.offset = JSON.parse(event.data).now - Date.now() / 1000; });
    source.addEventListener("freed", () => { close(); freed(); });
    source.addEventListener("error", broken);
  }
  async function broken() {
    source.close();
    if (ended) return;
    try {
      const reply = await fetch("/hello");
      const known = reply.ok ? await reply.json() : null;
      if (known && who === "player" && known.seat === null) return close(), freed();
      if (known && who === "watch" && !known.watches) return close(), freed();
      if (known && ["master", "secrets"].includes(who) && !known.master) return close(), freed();
    } catch {
      say();
    }
    setTimeout(() => { if (!ended && source.readyState === EventSource.CLOSED) open(); }, 500 + Math.random() * 500);
  }
  function say() {
    if (!lost && !ended) cut((lost = true));
  }
  function reopen() {
    if (!ended && Date.now() - opened > 1000) open();
  }
  function watch() {
    if (ended || Date.now() - heard < QUIET) return;
    say();
    if (Date.now() - opened > QUIET) open();
  }
  function close() {
    ended = true;
    source?.close();
    clearInterval(timer);
  }
  const timer = setInterval(watch, 1000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && Date.now() - heard > 2 * QUIET / 3) reopen(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) reopen(); });
  window.addEventListener("online", reopen);
  window.addEventListener("offline", say);
  open();
  return line;
}

// Send something once. Returns { status, ... } with the reply, or throws if there is none.
export async function post(path, body) {
  const text = JSON.stringify(body);
  const pad = " ".repeat(Math.max(0, LENGTH - text.length));
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE);
  try {
    const reply = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: text + pad, signal: stop.signal });
    const kind = reply.headers.get("Content-Type") ?? "";
    const said = kind.includes("json") ? await reply.json() : { error: (await reply.text()).replace(/^error: /, "").trim() };
    return { ...said, status: reply.status };
  } finally {
    clearTimeout(timer);
  }
}

export function newRequest() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// A queue of commands. Each is kept until the host has answered, also while the page is reloaded or the phone
// sleeps, and sent again with the same id, which the host carries out once.
export function outbox(name, { changed, answered, extra = {} }) {
  let waiting = read(), busy = false;

  function read() {
    try {
      return JSON.parse(localStorage.getItem(name)) ?? [];
    } catch {
      return [];
    }
  }
  function keep() {
    try {
      if (waiting.length) localStorage.setItem(name, JSON.stringify(waiting));
      else localStorage.removeItem(name);
    } catch { /* private windows keep nothing */ }
    changed();
  }
  async function run() {
    if (busy) return;
    busy = true;
    let pause = 300;
    while (waiting.length) {
      try {
        const reply = await post("/submit", { ...extra, ...waiting[0] });
        if (reply.status === 429 || reply.status === 503) throw new Error("busy");
        const [done] = waiting.splice(0, 1);
        keep();
        answered(reply, done);
        pause = 300;
      } catch {
        changed();
        await new Promise((wake) => setTimeout(wake, pause));
        pause = Math.min(2000, pause * 1.5);
      }
    }
    busy = false;
  }
  run();
  return {
    send(command, moment) {
      waiting.push({ request: newRequest(), moment, command });
      keep();
      run();
    },
    get waiting() { return waiting; },
    clear() { waiting = []; keep(); },
  };
}
