"""The page as a file: its content, its security policy, and how it is built."""

import ast
import base64
import hashlib
import io
import re
import shutil
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.cli.main import main
from kripke_werewolf.teach.explorer import respond
from kripke_werewolf.teach.explorer.page.html import (
    english,
    offline_page,
    online_page,
    open_arguments,
    server_page,
)
from kripke_werewolf.teach.explorer.page.pyodide import CDN, HASHES, VERSION, asset, bundle, library
from tests.naming import naming
from tests.running import run_python
from visualise.html_output import script

START = respond({"do": {"command": "open", "puzzle": "muddy-children", "n": 2}})
ROOT = Path(__file__).parents[4]
ASSETS = ROOT / "kripke_werewolf" / "teach" / "explorer" / "page" / "assets"
BOARD = ROOT / "visualise" / "board"
CODE = "".join(path.read_text(encoding="utf-8") for home in (ASSETS, BOARD) for path in home.glob("*.js"))
DOCS = ROOT / "docs" / "explorer.md"


def policy(page: str) -> dict[str, str]:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    return dict(rule.split(" ", 1) for rule in found[1].split("; "))


def digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.parametrize(
    ("made", "connect"),
    [
        (lambda: server_page(START, "/path/"), "'self'"),
        (lambda: offline_page(START, {"a.zip": "AAAA"}), "'none'"),
        (lambda: online_page(START), CDN),
    ],
    ids=["server", "offline", "online"],
)
def test_the_policy_names_what_the_page_holds(made: Callable[[], str], connect: str) -> None:
    page = made()
    rules = policy(page)
    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == connect
    assert "unsafe-inline" not in str(rules)
    assert "'unsafe-eval'" not in str(rules)
    scripts = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert [digest(text) in rules["script-src"] for text in scripts] == [True]
    assert [digest(text) in rules["style-src"] for text in styles] == [True]
    addresses = set(
        re.findall(r'https?://[^\s"\'`<>\\]+', re.sub(r"<script type=\"text/plain\".*?</script>", "", page))
    )
    assert addresses <= {"http://www.w3.org/2000/svg", CDN, f"{CDN};", "https://page.invalid/"}


def test_names_cannot_become_markup() -> None:
    hostile = "</script><script>alert(1)</script>"
    model = {"format": "kripke_werewolf", "version": 1}
    reply = {**START, "view": {**START["view"], "title": hostile, "model": model}}
    page = server_page(reply, "/path/")
    assert hostile not in page
    assert page.count("<script") == 2


@pytest.mark.parametrize("entry", ["main", "widget"])
def test_the_modules_make_one_script(entry: str, tmp_path: Path) -> None:
    text = script(entry, asset)
    assert "import {" not in text
    assert re.findall(r"^export .*", text, re.MULTILINE) == (
        ["export default { render };"] if entry == "widget" else []
    )
    node = shutil.which("node")
    if node is not None:
        path = tmp_path / "script.mjs"
        path.write_text(text, encoding="utf-8")
        assert subprocess.run([node, "--check", str(path)], capture_output=True).returncode == 0


def test_every_word_is_in_the_file_and_every_word_is_used() -> None:
    code = CODE + (ASSETS.parent / "html.py").read_text(encoding="utf-8")
    code += (BOARD.parent / "html_output.py").read_text(encoding="utf-8")
    named = set(re.findall(r'say\("([\w-]+)"', code))
    assert named <= set(english())
    stems = {f"{stem}-" for stem in re.findall(r"say\(`([\w-]+)-\$\{", code)}
    heads = set(re.findall(r'"(help-[\w-]+)"', code))
    for word in english():
        made = any(word.startswith(stem) for stem in stems)
        assert word in named or made or f'"{word}"' in code or word.removesuffix("-head") in heads, word


def test_a_page_needs_no_package_that_pyodide_lacks() -> None:
    code = "import sys, kripke_werewolf.teach.explorer; print({m.partition('.')[0] for m in sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"fontTools", "numpy"} & ast.literal_eval(loaded)


def test_the_first_answer_waits_for_no_proofs() -> None:
    asked = [
        {"command": "open", "puzzle": "muddy-children", "n": 3},
        {"command": "catalogue"},
        {"command": "formula", "text": "K_1 muddy_1"},
    ]
    loaded = run_python(
        "import sys\n"
        "from kripke_werewolf.teach.explorer import respond\n"
        "state = None\n"
        f"for do in {asked}:\n"
        "    reply = respond({'state': state, 'do': do})\n"
        "    assert reply['ok'], reply\n"
        "    state = reply['state']\n"
        "print(*sys.modules)"
    )
    late = "logic.proofs", "logic.deciding", "games", "research", "teach.exercises", "cli"
    slow = [
        name for name in loaded.split() if name.startswith(tuple(f"kripke_werewolf.{part}" for part in late))
    ]
    assert "kripke_werewolf.teach.explorer.queries" in loaded.split()
    assert slow == []


def test_no_word_stands_in_the_code() -> None:
    places = (r'button\("([^"]*)"', r'\bh\("\w+", \{[^{}]*\}, "([^"]*)"', r'(?:title|label"): "([^"]*)"')
    shown = [text for place in places for text in re.findall(place, CODE)]
    assert shown
    assert not [text for text in shown if re.search(r"[^\W\d_]{2}", text)]


def test_what_can_be_opened(tmp_path: Path) -> None:
    assert open_arguments(None) == {"empty": True}
    path = tmp_path / "model.json"
    path.write_text("{}", encoding="utf-8")
    assert open_arguments(str(path)) == {"text": "{}", "name": "model.json"}
    with pytest.raises(UnknownNameError, match="muddy-children"):
        open_arguments("muddy-childen")
    with pytest.raises(FormatError, match="a size is for puzzles"):
        open_arguments(str(path), 3)
    path.write_bytes(b"\xff")
    with pytest.raises(FormatError, match="not valid UTF-8"):
        open_arguments(str(path))


def test_the_library_in_the_page_has_no_page_and_no_other_library() -> None:
    with zipfile.ZipFile(io.BytesIO(library())) as archive:
        names = archive.namelist()
    assert "kripke_werewolf/teach/explorer/__init__.py" in names
    assert {name.split("/")[0] for name in names} == {"kripke_werewolf", "visualise"}
    assert not any("explorer/page/" in name or "__pycache__" in name for name in names)
    assert library() == library()


def test_nothing_that_the_page_uses_is_left_out() -> None:
    with zipfile.ZipFile(io.BytesIO(library())) as archive:
        modules = {name: archive.read(name) for name in archive.namelist() if name.endswith(".py")}
    users = set()
    for name, text in modules.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and re.match("kripke_werewolf|visualise", node.module or ""):
                path = str(node.module).replace(".", "/")
                whole = [f"{path}/{part.name}" for part in node.names]
                absent = not {f"{path}.py", f"{path}/__init__.py"} & modules.keys()
                if absent or "kripke_werewolf/games/avalon" in whole:
                    users.add(name)
    # names for type checkers, a command
    package = ("__init__", "__main__", "games/__init__")
    assert users == {f"kripke_werewolf/{name}.py" for name in package}


def test_the_offline_page_is_made_of_the_right_pyodide(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=f"no pyodide.mjs of npm's package pyodide {VERSION}"):
        bundle(tmp_path)
    (tmp_path / "pyodide.mjs").write_text("another", encoding="utf-8")
    with pytest.raises(FormatError, match=f"no pyodide.mjs of npm's package pyodide {VERSION}"):
        bundle(tmp_path)


def test_without_npm_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(FormatError, match=r"npm is not installed; install Node\.js, or use --online"):
        bundle()


def test_hashes_have_the_form_of_the_attribute() -> None:
    for value in HASHES.values():
        assert len(base64.b64decode(value.removeprefix("sha384-"))) == 48


WRONG_INPUT = [
    (["nothing-like-it"], "unknown puzzle or file"),
    (["muddy-children", "-n", "900"], ""),
    (["--online"], "--online and --pyodide are for --export"),
    (["--export", "page.txt"], "its extension must be one of .html, .htm"),
    (["--export", "page.html", "--online", "--pyodide", "."], "--online loads Pyodide from its CDN"),
    (["--export", "page.html", "--pyodide", "."], "no pyodide.mjs"),
    (["--port", "99999999", "--no-browser"], "0<=x<=65535"),
]


def test_wrong_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, message in WRONG_INPUT:
        with naming(arguments, message):
            monkeypatch.chdir(tmp_path)
            monkeypatch.setattr(sys, "argv", ["kripke-werewolf", "explore", *arguments])
            monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)  # the command sets its own
            with pytest.raises(SystemExit) as ended:
                main()
            said = capsys.readouterr()
            assert (ended.value.code, said.out) == (2, "")
            assert message in said.err
