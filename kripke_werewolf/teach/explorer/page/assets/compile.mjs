// Run by Node when an offline page is made: node compile.mjs PYODIDE-FOLDER FOLDER-WITH-ARCHIVES
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, home] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
const info = JSON.parse(readFileSync(join(home, "lock.json"), "utf8"));
const env = { PYTHONNODEBUGRANGES: "1" }; // columns for tracebacks, which nobody sees, are a quarter of what is compiled
const { FS, runPython } = await loadPyodide({ env, indexURL: resolve(pyodide) + "/", lockFileContents: { info, packages: {} } });
for (const name of readdirSync(home).filter((file) => file.endsWith(".zip"))) FS.writeFile(`/${name}`, readFileSync(join(home, name)));
FS.mkdir("/made");
runPython(readFileSync(join(home, "session.py"), "utf8"));
for (const name of FS.readdir("/made").filter((file) => !file.startsWith("."))) writeFileSync(join(home, "made", name), FS.readFile(`/made/${name}`));
