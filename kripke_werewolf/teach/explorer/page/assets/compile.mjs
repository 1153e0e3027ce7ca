// Run by Node when an offline page is made: node compile.mjs PYODIDE-FOLDER FOLDER-WITH-ARCHIVES
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, home] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
const info = JSON.parse(readFileSync(join(home, "lock.json"), "utf8"));
const python = await loadPyodide({ indexURL: resolve(pyodide) + "/", lockFileContents: { info, packages: {} } });
for (const name of ["kripke_werewolf.zip", "python_stdlib.zip"]) {
  python.FS.writeFile(`/${name}`, readFileSync(join(home, name)));
}
python.runPython(readFileSync(join(home, "session.py"), "utf8"));
for (const name of ["kripke_werewolf.zip", "python_stdlib.zip"]) {
  writeFileSync(join(home, `compiled-${name}`), python.FS.readFile(`/compiled-${name}`));
}
