// Where questions are answered: by the local server, by Pyodide in a worker, or by the kernel of a notebook.
// Each engine has ask(request), a promise of the reply, and stop() if a question can be stopped.
import { say } from "./words.js";

const LIMIT = 30000; // milliseconds that the worker or the kernel may take
const STOPPED = { ok: false, stopped: true };

export function serverEngine(address) {
  const post = (name, content) =>
    fetch(address + name, { method: "POST", body: JSON.stringify(content), headers: { "content-type": "application/json" } });
  return {
    async ask(request) {
      let answer;
      try {
        answer = await post("answer", request);
      } catch {
        throw new Error(say("no-server"));
      }
      if (!answer.ok) throw new Error((await answer.text()).trim());
      return answer.json();
    },
    stop: () => post("stop", {}).catch(() => {}),
  };
}

export function workerEngine(config, source, files) {
  let worker, ready, next = 0;
  const waiting = new Map();

  function launch() {
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    ready = new Promise((resolve, reject) => {
      const fail = (reason) => reject(new Error(say("no-python", { reason })));
      worker.onerror = (event) => fail(event.message ?? "");
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.id === undefined) fail(data.failed);
        else if (waiting.has(data.id)) {
          const { settle, refuse } = waiting.get(data.id);
          waiting.delete(data.id);
          if (data.failed) refuse(new Error(data.failed));
          else settle(data.reply);
        }
      };
    });
    ready.catch(() => {});
    const { cdn, hashes, lock } = config;
    worker.postMessage({ files, cdn, hashes, lock });
  }

  function stop() {
    worker.terminate();
    for (const { settle } of waiting.values()) settle(STOPPED);
    waiting.clear();
    launch();
  }

  launch();
  return {
    ready: () => ready,
    async ask(request) {
      await ready;
      const id = (next += 1);
      const late = setTimeout(stop, LIMIT);
      try {
        return await new Promise((settle, refuse) => {
          waiting.set(id, { settle, refuse });
          worker.postMessage({ id, request });
        });
      } finally {
        clearTimeout(late);
      }
    },
    stop,
  };
}

export function kernelEngine(model) {
  let next = 0;
  const waiting = new Map();
  model.on("msg:custom", ({ id, reply }) => {
    waiting.get(id)?.(reply);
    waiting.delete(id);
  });
  return {
    ask(request) {
      const id = (next += 1);
      return new Promise((settle, refuse) => {
        const late = setTimeout(() => {
          waiting.delete(id);
          refuse(new Error(say("no-kernel")));
        }, 2 * LIMIT);
        waiting.set(id, (reply) => {
          clearTimeout(late);
          settle(reply);
        });
        model.send({ id, request });
      });
    },
  };
}
