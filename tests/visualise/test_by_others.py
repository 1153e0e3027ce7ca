"""TikZ and DOT that others wrote are read, and what is not understood is named."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import visualise
from kripke_werewolf import KripkeModel
from tests.forked import run
from tests.visualise.strangers import MODELS
from tests.visualise.test_read import why_refused

FOLDER = Path(__file__).parent / "by_others"


def test_every_file_has_a_model() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_a_picture_by_others_is_read(name: str) -> None:
    found = visualise.read(FOLDER / name)
    assert found == MODELS[name]
    assert list(found.worlds) == list(MODELS[name].worlds) or name == "groups.dot"


@pytest.mark.parametrize("seed", range(4))
def test_dot_does_not_depend_on_the_order_of_statements_or_on_blanks(seed: int, tmp_path: Path) -> None:
    rng, path = random.Random(seed), tmp_path / "m.dot"
    worlds = [f"s{k}" for k in range(5)]
    pairs = {a: [(u, v) for u in worlds for v in worlds if rng.random() < 0.3] for a in ("Ann", "Bo")}
    true = {p: rng.sample(worlds, rng.randrange(1, 5)) for p in ("p", "q")}
    ring = rng.choice(worlds)
    model = KripkeModel(worlds, pairs, true, [ring])
    atoms = {w: ", ".join(p for p in true if w in true[p]) for w in worlds}
    shape = {w: "doublecircle" if w == ring else "circle" for w in worlds}
    nodes = [f'{w} [label="{w}\\n{atoms[w]}", shape={shape[w]}]' for w in worlds]
    edges = [f'{u} -> {v} [label="{agent}"]' for agent in pairs for u, v in pairs[agent]]
    for _ in range(3):
        statements = [*nodes, *edges]
        rng.shuffle(statements)
        end = rng.choice([";", "\n", " ;\n\t"])
        path.write_text(f"digraph G {{{end.join(statements)}}}", encoding="utf-8")
        assert visualise.read(path) == model


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("m.dot", "digraph { u [label=<<b>p</b>>] }", "HTML label"),
        ("m.dot", "digraph {\n u -> \n}", "line 2 is not DOT"),
        ("m.dot", "digraph { u -> v [color=red]; v -> u [color=blue] }", "different looks"),
        ("m.dot", 'digraph { u -> v [label="a"]; v -> u }', "has no agent"),
        ("m.dot", 'graph { u -- v [label="a"]; u -- u [label="a"] }', "only some have heads"),
        ("m.dot", 'digraph { u [label="x"]; v [label="x", xlabel="p"] }', "same name"),
        ("m.dot", 'digraph { label="Loops are omitted"; u -> v [label="a"] }', "cannot be read"),
        ("m.dot", 'digraph { u [label="u\\np=1"] }', "not the name of an atom"),
        ("m.tex", r"\foreach \x in {1,2} { \node (\x) {}; }", r"only \\node, \\path and \\draw"),
        ("m.tex", "\\node[draw] (u) {$u$};\n\\draw (u) -- (v);", "'v', which is not a world"),
        ("m.tex", r"\node[draw] (u) {$u$}; \draw (0,0) -- (1,1);", "join worlds by their names"),
        ("m.tex", "\n\\node[draw] (u) {$u$};\n\\graph { u -> v };", "line 3"),
        ("m.tex", r"\node[draw] (u) {\frac{p}{q}};", r"\\frac"),
        ("m.tex", r"\begin{scope}[->] \node[draw] (u) {$u$}; \end{scope}", "scope"),
    ],
)
def test_what_is_not_understood_is_named(name: str, text: str, why: str, tmp_path: Path) -> None:
    whole = f"\\begin{{tikzpicture}}{text}\\end{{tikzpicture}}" if name == "m.tex" else text
    assert re.search(why, why_refused(tmp_path, name, whole))


def test_the_commands_take_pictures(tmp_path: Path) -> None:
    path = str(FOLDER / "plain_digraph.dot")
    assert run(("ask", path, "K_a q"), cwd=tmp_path)[0] == 1
    assert run(("draw", path, "-o", "m.svg"), cwd=tmp_path)[0] == 0
    assert visualise.read(tmp_path / "m.svg") == MODELS["plain_digraph.dot"]
    (tmp_path / "m.dot").write_text("digraph { u [label=<b>] }", encoding="utf-8")
    code, _, told = run(("ask", "m.dot", "p"), cwd=tmp_path)
    assert code == 2
    assert "HTML label" in told


def test_agents_are_in_natural_order(tmp_path: Path) -> None:
    """Not in an order that changes from one run to the next."""
    path = tmp_path / "m.dot"
    agents = ["a10", "a9", "Zoe", "Ann", "Bo", "a1", "Cy"]
    path.write_text(
        "graph {" + " ".join(f'v -- w [label="{agent}"];' for agent in agents) + "}", encoding="utf-8"
    )
    assert visualise.read(path).agents == ("Ann", "Bo", "Cy", "Zoe", "a1", "a9", "a10")
