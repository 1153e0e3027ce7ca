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


def test_the_commands_take_pictures(tmp_path: Path) -> None:
    for name in ("m.png", "m.dot"):
        visualise.save(coin(), tmp_path / name)
        assert run(("ask", name, "K_a h"), cwd=tmp_path)[0] == 0
        assert run(("ask", name, "K_b h"), cwd=tmp_path)[0] == 1
    (tmp_path / "m.dot").write_text("digraph { u -> v }", encoding="utf-8")
    code, _, told = run(("ask", "m.dot", "p"), cwd=tmp_path)
    assert code == 2
    assert "it has no record of a model" in told
