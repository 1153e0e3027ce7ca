"""`visualise.read` gives the model of a file that `save` wrote back, and refuses a file that was changed."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, PngImagePlugin

import kripke_werewolf as kw
import visualise
from kripke_werewolf import FormatError, History, KripkeModel, private, public
from kripke_werewolf.base import drawing
from kripke_werewolf.logic.puzzles import puzzle
from tests.forked import run

FORMATS = "svg", "tex", "dot", "html", "png", "pdf"
BY_OTHERS = Path(__file__).parent / "by_others"
NAMES = [
    "w", "世界", "a b", "it's", '"q"', "«x»", "é", "7", "0", "w_1", "x,y", "p and q", "α", "A", "Α", "\\n",
    "%", "{z}", "$", "#1", "<b>", "a long name of a world, number 1", "a long name of a world, number 2",
    "a.b", "+3", "x: 3", "“q”", "日本", ":)", "(\\", 'seal":"0000000000000000', "0000000000000000",
    "% model: {}", "// model: {}", 'data-model="x"',
]  # fmt: skip
AGENTS = ["a", "Ann", "b c", "世", 'q"x', "1", "Bob and Cy", 'comment="', "// model: {}"]
ATOMS = ["p", "q_1", "rain_today", "m_Ann", "x y", "ψ", "10", 'seal":"0000000000000000']


def random_model(rng: random.Random) -> KripkeModel:
    """Return a model of S5, K, KD45, with unreachable worlds, weights and unkind names."""
    worlds: list[Any] = rng.sample(NAMES, rng.randrange(1, 8))
    if rng.random() < 0.2:
        worlds = [(world, number % 2) for number, world in enumerate(worlds)]

    def relation() -> list[tuple[Any, Any]]:
        kind = rng.choice(["S5", "K", "KD45"])
        if kind == "K":
            return [(u, v) for u in worlds for v in worlds if rng.random() < 0.25]
        lots: dict[int, list[Any]] = {}
        for world in worlds:
            lots.setdefault(rng.randrange(3), []).append(world)
        found = []
        for lot in lots.values():
            seen = lot if kind == "S5" else rng.sample(lot, rng.randrange(1, len(lot) + 1))
            found += [(u, v) for u in lot for v in seen]
        return found

    agents = rng.sample(AGENTS, rng.randrange(1, 4))
    return KripkeModel(
        worlds,
        {agent: relation() for agent in agents},
        {p: [w for w in worlds if rng.random() < 0.4] for p in rng.sample(ATOMS, rng.randrange(4))},
        rng.sample(worlds, rng.randrange(1, min(len(worlds), 3) + 1)),
        weights={a: {w: rng.randrange(1, 5) for w in worlds} for a in agents if rng.random() < 0.2},
    )


def coin() -> KripkeModel:
    """Return a coin after a secret look: three worlds, belief, one of them actual."""
    model = KripkeModel.from_partitions(
        ["heads", "tails"], {"a": [["heads", "tails"]], "b": [["heads", "tails"]]}, {"h": ["heads"]}, "heads"
    )
    return model.update(private("a", "h"))


def why_refused(path: Path, content: bytes | str) -> str:
    """Return why a file is not read."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FormatError) as caught:
        visualise.read(path)
    return str(caught.value)


@pytest.mark.parametrize("ending", FORMATS)
def test_a_picture_gives_its_model_back(ending: str, tmp_path: Path) -> None:
    for seed in range(4 if ending in ("png", "pdf") else 16):
        rng = random.Random(seed)
        model = random_model(rng)
        options: Any = {"theme": rng.choice(["light", "dark", "print"])}
        if ending != "html":
            options |= {"edges": rng.choice(["spanning", "full", "hulls"]), "edge_labels": rng.random() < 0.5}
        again = visualise.read(visualise.save(model, tmp_path / f"m.{ending}", **options))
        assert again == model, seed
        assert again.worlds == model.worlds, seed


@pytest.mark.parametrize("ending", FORMATS)
def test_a_file_that_was_changed_is_refused(ending: str, tmp_path: Path) -> None:
    """For PNG only its pixels and its record count: other bytes may hold its resolution."""
    rng, path = random.Random(3), visualise.save(coin(), tmp_path / f"m.{ending}")
    whole, kept = path.read_bytes(), 0
    for _ in range(40):
        content = bytearray(whole)
        content[rng.randrange(len(whole))] ^= 1 << rng.randrange(7)
        path.write_bytes(content)
        try:
            assert visualise.read(path) == coin()
            kept += 1
        except FormatError:
            pass
    assert kept <= (4 if ending == "png" else 0)
    added = "the picture was changed" if ending != "png" else ""
    assert not added or added in why_refused(path, whole + b" ")


def test_every_pixel_counts(tmp_path: Path) -> None:
    path = visualise.save(coin(), tmp_path / "m.png", dpi=72)
    with Image.open(path) as image:
        record, pixels = image.info["model"], image.copy()
    info = PngImagePlugin.PngInfo()
    info.add_text("model", record)
    pixels.save(path, pnginfo=info, optimize=True)  # as it was, but packed otherwise
    assert visualise.read(path) == coin()
    pixels.putpixel((5, 5), (255, 255, 254, 255))
    pixels.save(path, pnginfo=info)
    with pytest.raises(FormatError, match="the picture was changed"):
        visualise.read(path)


def test_lines_may_end_as_on_windows(tmp_path: Path) -> None:
    for ending in ("svg", "tex", "dot", "html"):
        path = visualise.save(coin(), tmp_path / f"m.{ending}")
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
        assert visualise.read(path) == coin()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"atoms": []}, "atoms are not shown"),
        ({"agents": "a"}, "agents are not shown"),
        ({"caption": "mine"}, "caption"),
        ({"names": {("heads", "told"): "x"}}, "other names"),
        ({"legend": False, "edge_labels": False}, "legend"),
    ],
)
def test_what_a_picture_hides_is_not_in_its_file(options: Any, reason: str, tmp_path: Path) -> None:
    for ending in ("svg", "tex", "dot", "pdf"):
        path = visualise.save(coin(), tmp_path / f"m.{ending}", **options)
        assert b"valuation" not in path.read_bytes()
        with pytest.raises(FormatError, match=reason):
            visualise.read(path)


def test_a_file_without_a_record_says_so(tmp_path: Path) -> None:
    for name, content in {
        "m.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        "m.tex": "words",
        "m.html": "<p>",
        "m.pdf": "%PDF-1.4",
        "m.dot": "graph model { graph [layout=nop2] }",  # from an earlier version
    }.items():
        assert "no record" in why_refused(tmp_path / name, content), name
    assert "not PNG" in why_refused(tmp_path / "m.png", "")
    visualise.heat_map(kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1)).figure.savefig(tmp_path / "t.png")
    with pytest.raises(FormatError, match="no record"):
        visualise.read(tmp_path / "t.png")
    assert "its extension must be one of .svg, " in why_refused(tmp_path / "m.gif", "")


def test_a_record_that_tells_no_model_says_why(tmp_path: Path) -> None:
    path = tmp_path / "m.svg"
    assert "2,352 worlds" in why_refused(path, visualise.svg(puzzle("sum-and-product").model))
    assert "more, or something else" in why_refused(path, visualise.svg(public("p")))
    damaged = visualise.svg(coin()).replace('data-model="{', 'data-model="', 1)
    assert "the record of the model" in why_refused(path, damaged)
    old = json.dumps({"model": coin().to_dict(), "check": 16 * "a"}).replace('"', "&quot;")
    assert "an earlier version" in why_refused(path, f'<svg data-model="{old}"/>')


def test_a_page_of_several_steps_asks_for_one(tmp_path: Path) -> None:
    history = History(coin()).then(public("h"))
    path = visualise.save(history, tmp_path / "m.html")
    with pytest.raises(FormatError, match="2 pictures; choose one with step=0 to 1"):
        visualise.read(path)
    assert visualise.read(path, step=0) == coin()
    assert visualise.read(path, step=1) == history.model


def test_a_model_saves_draws_and_loads_itself(tmp_path: Path) -> None:
    for ending in ("json", *FORMATS):
        coin().save(tmp_path / f"m.{ending}")
        assert KripkeModel.load(tmp_path / f"m.{ending}") == coin(), ending
    scene = coin().draw(tmp_path / "drawn.svg", title="A coin")
    assert scene.title == "A coin"
    assert ">A coin<" in (tmp_path / "drawn.svg").read_text(encoding="utf-8")
    with pytest.raises(FormatError, match=r"saved as JSON, .* or as a picture"):
        coin().save(tmp_path / "m.doc")
    history = History(coin()).then(public("h"))
    assert len(drawing.draw(history, tmp_path / "h.html").scenes) == 2
    assert visualise.read(tmp_path / "h.html", step=1) == history.model
    drawing.save(coin(), tmp_path / "coin.json")
    assert KripkeModel.load(tmp_path / "coin.json") == coin()


# --- graphs by others ------------------------------------------------------------------------------


def arrows(text: str) -> list[tuple[str, str]]:
    """Return the pairs in a text such as `u-v v-v`."""
    return [(pair.partition("-")[0], pair.partition("-")[2]) for pair in text.split()]


def test_a_graph_by_others_is_read() -> None:
    """The models are what a reader sees in these files."""
    square = ["11", "10", "01", "00"]
    rows, columns = [["11", "01"], ["10", "00"]], [["11", "10"], ["01", "00"]]
    for name, model in {
        "plain_digraph": KripkeModel(
            ["w1", "w2", "w3"],
            {"a": arrows("w1-w2 w1-w3 w3-w1 w3-w3"), "b": arrows("w1-w2 w2-w3 w3-w1")},
            {"p": ["w1"], "q": ["w1", "w2"]},
            "w1",
        ),
        "undirected": KripkeModel.from_partitions(
            square, {"a": rows, "b": columns}, {"m_a": ["11", "10"], "m_b": ["11", "01"]}, ["11"]
        ),
        "one_relation": KripkeModel(["w", "v", "u"], {"a": arrows("w-v v-u u-u")}, {"p": ["w"]}, "w"),
    }.items():
        assert visualise.read(BY_OTHERS / f"{name}.dot") == model, name


def test_graphs_are_read_whatever_the_order_of_their_statements(tmp_path: Path) -> None:
    for seed in range(6):
        rng, path = random.Random(seed), tmp_path / "m.gv"
        worlds = [f"s{k}" for k in range(5)]
        pairs = {a: [(u, v) for u in worlds for v in worlds if rng.random() < 0.3] for a in ("Änn", "Bo")}
        true = {p: rng.sample(worlds, rng.randrange(1, 5)) for p in ("p", "q")}
        model = KripkeModel(worlds, pairs, true, worlds[:1])
        atoms = {w: ", ".join(p if w in true[p] else f"¬{p}" for p in true) for w in worlds}
        nodes = [f'{w} [label="{w}\\n{atoms[w]}"]' for w in worlds[1:]]
        nodes.append(f's0 [xlabel="{atoms["s0"]}", shape=doublecircle]')
        edges = [f"{u} -> {v} [label={agent}]" for agent in pairs for u, v in pairs[agent]]
        statements = [*nodes, *edges]
        rng.shuffle(statements)
        path.write_text("digraph G {" + rng.choice([";", "\n", " ;\n\t"]).join(statements) + "}", "utf-8")
        assert visualise.read(path) == model, seed


def test_what_is_unclear_in_a_graph_is_refused(tmp_path: Path) -> None:
    for text, why in {
        "digraph { u [label=<<b>p</b>>] }": "HTML label",
        "digraph {\n u -> \n}": "line 2 is not DOT",
        "digraph { u -> v [color=red]; v -> u [color=blue] }": "has no agent",
        'digraph { u -> v [label="a"]; v -> u }': "has no agent",
        'digraph { u [label="x"]; v [label="x", xlabel="p"] }': "same name",
        'digraph { u [label="p, q"] }': "does not begin with the name",
        'digraph { u -> v [label="a", dir=none] }': "heads",
        "digraph { node [shape=point]; qi; qi -> s0 }": "by default",
        "digraph { qi [shape=point]; qi -> s0 }": "is no world",
        'digraph { edge [label="a"]; u -> v; edge [label="b"]; v -> u }': "by default",
        'digraph { u -> v:n [label="a"] }': "ports",
        "digraph { subgraph cluster_0 { x [xlabel=p] }; x -> y }": "a subgraph",
        "graph { u -- v } graph { u }": "more than one graph",
        "words": "is not DOT",
    }.items():
        assert why in why_refused(tmp_path / "m.dot", text), text


def test_the_commands_take_pictures(tmp_path: Path) -> None:
    path = str(BY_OTHERS / "plain_digraph.dot")
    assert run(("ask", path, "K_a q"), cwd=tmp_path)[0] == 1
    assert run(("draw", path, "-o", "m.png"), cwd=tmp_path)[0] == 0
    assert run(("ask", "m.png", "K_a q"), cwd=tmp_path)[0] == 1
    assert visualise.read(tmp_path / "m.png") == visualise.read(path)
    (tmp_path / "m.dot").write_text("digraph { u [label=<b>] }", encoding="utf-8")
    code, _, told = run(("ask", "m.dot", "p"), cwd=tmp_path)
    assert code == 2
    assert "HTML label" in told


def test_agents_are_in_natural_order(tmp_path: Path) -> None:
    """Not in an order that changes from one run to the next."""
    agents = ["a10", "a9", "Zoe", "Ann", "Bo", "a1", "Cy"]
    path = tmp_path / "m.dot"
    path.write_text("graph {" + " ".join(f'v -- w [label="{a}"];' for a in agents) + "}", encoding="utf-8")
    assert visualise.read(path).agents == ("Ann", "Bo", "Cy", "Zoe", "a1", "a9", "a10")
