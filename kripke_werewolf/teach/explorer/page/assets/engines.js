// Where questions are answered: by the local server, by Pyodide in a worker, or by the kernel of a notebook.
// Each engine has ask(request), a promise of the reply, and stop() if a question can be stopped.
import { say } from "./words.js";

const LIMIT = 30000; // milliseconds that the worker or the kernel may take

// Post a text of JSON; the reply, or an error that says why there is none: `lost` if nobody answers.
export async function post(address, body, lost) {
  const asked = { method: "POST", body, headers: { "content-type": "application/json" } };
  const nobody = () => { throw new Error(lost); };
  const answer = await fetch(address, asked).catch(nobody);
  if (answer.ok) return answer.json().catch(nobody);
  const text = (await answer.text()).trim();
  throw new Error(text.startsWith("{") ? JSON.parse(text).error : text);
}

export function serverEngine(address) {
  return {
    ask: (request) => post(`${address}answer`, JSON.stringify(request), say("no-server")),
    stop: () => post(`${address}stop`, "{}", "").catch(() => {}),
  };
}

// Questions that wait for the message with their number: `post(id)` sends one, `late` is called if none comes in time.
function exchange(limit) {
  let next = 0;
  const waiting = new Map();
  return {
    ask(post, late) {
      const id = (next += 1);
      const timer = setTimeout(() => late(id), limit);
      return new Promise((settle, refuse) => {
        waiting.set(id, { settle, refuse });
        post(id);
      }).finally(() => clearTimeout(timer));
    },
    answer({ id, reply, failed }) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (failed) asked?.refuse(new Error(failed));
      else asked?.settle(reply);
    },
    stop() {
      for (const { settle } of waiting.values()) settle({ ok: false, stopped: true });
      waiting.clear();
    },
  };
}

export function workerEngine(config, source, files) {
  let worker, ready;
  const asked = exchange(LIMIT);

  function launch() {
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    ready = new Promise((resolve, reject) => {
      const fail = (reason) => reject(new Error(say("no-python", { reason })));
      worker.onerror = (event) => fail(event.message ?? "");
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.id === undefined) fail(data.failed);
        else asked.answer(data);
      };
    });
    ready.catch(() => {});
    const { cdn, hashes, lock, unpack } = config;
    worker.postMessage({ files, cdn, hashes, lock, unpack });
  }

  function stop() {
    worker.terminate();
    asked.stop();
    launch();
  }

  launch();
  return {
    ready: () => ready,
    async ask(request) {
      await ready;
      return asked.ask((id) => worker.postMessage({ id, request }), stop);
    },
    stop,
  };
}

export function kernelEngine(model) {
  const asked = exchange(2 * LIMIT);
  model.on("msg:custom", asked.answer);
  return { ask: (request) => asked.ask((id) => model.send({ id, request }), (id) => asked.answer({ id, failed: say("no-kernel") })) };
}
