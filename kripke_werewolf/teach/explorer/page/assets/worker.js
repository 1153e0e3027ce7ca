// The worker of a page without a server: Pyodide, and the library that answers.
// First message: {files: {name: base64}} or {cdn, hashes, files}, and {lock, unpack}; then {id, request}; answers {id, reply}.
let respond = null;

// Chromium has no module workers in a page opened from a file. This one is classic, and imports modules all the
// same; Pyodide refuses workers that have importScripts, which nothing here needs.
self.importScripts = undefined;

const TYPES = { mjs: "text/javascript", wasm: "application/wasm", zip: "application/zip" };

async function unpacked(name, text) {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  if (name.endsWith(".zst")) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function loaded(url, integrity) {
  const answer = await fetch(url, { integrity, mode: "cors", credentials: "omit" });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start({ files, cdn, hashes, lock, unpack }) {
  const wanted = Object.entries(files).map(([name, text]) => [name, unpacked(name, text)]);
  if (cdn) for (const [name, hash] of Object.entries(hashes)) wanted.push([name, loaded(cdn + name, hash)]);
  const parts = {};
  await Promise.all(wanted.map(async ([name, part]) => { parts[name] = await part; }));
  // Pyodide asks for its files by address: each is answered from memory, nothing goes to a network
  self.fetch = async (address) => {
    const name = String(address.url ?? address).split("/").pop();
    if (!(name in parts)) throw new TypeError(`${name} is not part of this page`);
    return new Response(parts[name], { headers: { "content-type": TYPES[name.split(".").pop()] } });
  };
  const module = (name) => import(URL.createObjectURL(new Blob([parts[name]], { type: TYPES.mjs })));
  const [{ loadPyodide }, { default: createPyodideModule }] =
    await Promise.all([module("pyodide.mjs"), module("pyodide.asm.mjs")]);
  const python = await loadPyodide({
    indexURL: "https://page.invalid/",
    lockFileContents: { info: lock, packages: {} },
    createPyodideModule,
  });
  for (const name of Object.keys(files).filter((file) => file.startsWith("kripke_werewolf."))) python.FS.writeFile(`/${name}`, parts[name], { canOwn: true });
  respond = python.runPython(unpack);
}

self.onmessage = async ({ data }) => {
  try {
    if (data.files) {
      await start(data);
      postMessage({ ready: true });
    } else {
      postMessage({ id: data.id, reply: JSON.parse(respond(JSON.stringify(data.request))) });
    }
  } catch (error) {
    postMessage({ id: data.id, failed: String(error?.message ?? error) });
  }
};
