"""A picture that was changed by hand is read as changed, or refused; never as it was."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

import visualise
from kripke_werewolf import KripkeModel
from kripke_werewolf.errors import FormatError
from tests.visualise.reader import model_of, same
from tests.visualise.test_read import READERS

SVG = "{http://www.w3.org/2000/svg}"
Change = Callable[[str, random.Random], str]


def random_model(rng: random.Random) -> KripkeModel:
    """Return a model of S5, K or KD45 with plain names, in which nothing is shortened."""
    worlds = [f"v{number}" for number in range(rng.randrange(2, 7))]
    relations = {}
    for agent in ["Ann", "Bo", "Cy"][: rng.randrange(1, 4)]:
        first = {w for w in worlds if rng.random() < 0.5}
        cells = [cell for cell in ([w for w in worlds if (w in first) == k] for k in (True, False)) if cell]
        kind = rng.choice(["S5", "K", "KD45"])
        if kind == "K":
            relations[agent] = [(u, v) for u in worlds for v in worlds if rng.random() < 0.3]
        else:
            seen = [
                cell if kind == "S5" else rng.sample(cell, rng.randrange(1, len(cell) + 1)) for cell in cells
            ]
            relations[agent] = [(u, v) for c, t in zip(cells, seen, strict=True) for u in c for v in t]
    atoms = {atom: [w for w in worlds if rng.random() < 0.5] for atom in ("p", "q", "rain")}
    return KripkeModel(worlds, relations, atoms, rng.sample(worlds, 1))


# --- changes to text formats -----------------------------------------------------------------------


def edited(pattern: str, put: str | Callable[[re.Match[str]], str]) -> Change:
    """Return the change of one of the places where a pattern is found."""

    def change(text: str, rng: random.Random) -> str:
        places = list(re.finditer(pattern, text, re.MULTILINE))
        if not places:
            return text
        place = rng.choice(places)
        return text[: place.start()] + (put if isinstance(put, str) else put(place)) + text[place.end() :]

    return change


def without_world(node: str, line: str) -> Change:
    """Return the change that takes out a world and the lines that end there."""

    def change(text: str, rng: random.Random) -> str:
        names = re.findall(node.format(r"(w\d+)"), text, re.MULTILINE)
        name = rng.choice(names)
        text = re.sub(node.format(name) + ".*\n", "", text, count=1, flags=re.MULTILINE)
        return re.sub(line.format(name), "", text, flags=re.MULTILINE)

    return change


DOT: dict[str, Change] = {
    "atom": edited(r'(xlabel="[^"]*)\b(?:p|q|rain)\b', lambda m: m[1] + "r"),
    "no line": edited(r"^  w\d+ -[->] w\d+ .*\n", ""),
    "world": without_world(r"^  {} \[", r"^  (?:{0} -[->] w\d+|w\d+ -[->] {0}) .*\n"),
    "ring": edited(r'"v\d+", pos', lambda m: m[0].replace("pos", 'peripheries="2", pos')),
    "no ring": edited(', peripheries="2"', ""),
    "name": edited(r'label="v\d+"', 'label="u"'),
    "agent": edited(r'(w\d+ \[label=")(?:Ann|Bo|Cy)', lambda m: m[1] + "Dee"),
    "heads": edited('dir="(?:forward|back)"', 'dir="both"'),
    "other end": edited(r"(-[->]) w\d+", lambda m: m[1] + " w0"),
    "caption": edited("Loops (?:of [^.]* )?are left out\\.", ""),
}
TEX: dict[str, Change] = {
    "atom": edited(r"(label=\{[a-z ]+:\{[^}]*)\b(?:p|q|rain)\b", lambda m: m[1] + "r"),
    "no line": edited(r"^  \\draw \(w\d+\) edge.*\n", ""),
    "world": without_world(r"^  \\node\[.*\] \({}\) at", r"^  \\draw \((?:{0}\) .*|w\d+\) .* \({0}\));\n"),
    "ring": edited(r"\\node\[((?:wide )?world)\]", "\\node[world,designated]"),
    "no ring": edited(",designated(?=[],])", ""),
    "name": edited(r"\{v\d+\};", "{u};"),
    "agent": edited(r"(node\[agents[^]]*\] \{[^}]*)\b(?:Ann|Bo|Cy)\b", lambda m: m[1] + "Dee"),
    "heads": edited(r"edge\[(->|<-)", "edge[<->"),
    "other end": edited(r"\(w\d+\);", "(w0);"),
    "caption": edited("Loops (?:of [^.]* )?are left out\\.", ""),
}


# --- changes in a drawing program ------------------------------------------------------------------


def drawn(change: Callable[[ElementTree.Element, random.Random], None]) -> Change:
    def changed(text: str, rng: random.Random) -> str:
        root = ElementTree.fromstring(text)
        before = ElementTree.tostring(root)
        change(root, rng)
        after = ElementTree.tostring(root)
        return text if after == before else after.decode()

    return changed


def parts(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [part for part in root if kind in part.get("class", "").split()]


def drop(kind: str) -> Change:
    def change(root: ElementTree.Element, rng: random.Random) -> None:
        if found := parts(root, kind):
            root.remove(rng.choice(found))

    return drawn(change)


def drop_world(root: ElementTree.Element, rng: random.Random) -> None:
    world = rng.choice(parts(root, "world"))
    root.remove(world)
    for edge in parts(root, "edge"):
        if world.get("data-w") in edge.get("data-ends", "").split():
            root.remove(edge)
            for label in parts(root, "label"):
                if label.get("data-line") == edge.get("data-line", "none"):
                    root.remove(label)


def rewrite(kind: str, pattern: str, put: str) -> Change:
    def change(root: ElementTree.Element, rng: random.Random) -> None:
        spans = [span for part in parts(root, kind) for span in part.iter() if span.tag != f"{SVG}title"]
        found = [span for span in spans if re.search(pattern, span.text or "")]
        if found:
            span = rng.choice(found)
            span.text = re.sub(pattern, put, span.text or "", count=1)

    return drawn(change)


def ring(root: ElementTree.Element, rng: random.Random) -> None:
    """Take away a ring, or add one."""
    world = rng.choice(parts(root, "world"))
    circles = [part for part in world if part.tag in (f"{SVG}circle", f"{SVG}rect")]
    if len(circles) > 1:
        world.remove(circles[0])
    elif circles[0].tag == f"{SVG}circle":
        outer = ElementTree.Element(f"{SVG}circle", {**circles[0].attrib, "r": "19"})
        outer.attrib.pop("class")
        world.insert(list(world).index(circles[0]), outer)


def swap(kind: str) -> Change:
    """Return the change that drags the texts of two parts to the place of each other."""

    def change(root: ElementTree.Element, rng: random.Random) -> None:
        found = [part for part in parts(root, kind) if part.find(f"{SVG}text") is not None]
        texts = [[text for text in part if text.tag == f"{SVG}text"][-1] for part in found]
        texts = [text for text in texts if text.text or len(text)]
        if len(texts) < 2:
            return
        one, two = rng.sample(texts, 2)
        if ElementTree.tostring(one).partition(b">")[2] == ElementTree.tostring(two).partition(b">")[2]:
            return
        for key in ("x", "y"):
            one.attrib[key], two.attrib[key] = two.attrib[key], one.attrib[key]

    return drawn(change)


def drag(kind: str, tag: str = "") -> Change:
    """Return the change that drags a part, or an element of it, far away."""

    def change(root: ElementTree.Element, rng: random.Random) -> None:
        found = [part if not tag else part.find(SVG + tag) for part in parts(root, kind)]
        some = [part for part in found if part is not None and (part.text or len(part))]
        if some:
            rng.choice(some).set("transform", f"translate({rng.choice([-90, 70])},{rng.choice([-80, 95])})")

    return drawn(change)


def recolour(root: ElementTree.Element, rng: random.Random) -> None:
    edges = [e for e in parts(root, "edge") if e.get("data-line") is None]
    pens = {path.get("stroke") for e in edges for path in e.iter(f"{SVG}path")}
    if len(pens) > 1:
        for path in rng.choice(edges).iter(f"{SVG}path"):
            other = rng.choice(sorted(pen for pen in pens if pen and pen != path.get("stroke")))
            path.set("stroke", other)


def other_end(root: ElementTree.Element, rng: random.Random) -> None:
    """Move an end of a line to another world: its path, and its head with it."""
    edges = [e for e in parts(root, "edge") if len(set(e.get("data-ends", "").split())) == 2]
    worlds = {part.get("data-w"): part.get("data-at", "").split() for part in parts(root, "world")}
    if not edges or len(worlds) < 3:
        return
    edge = rng.choice(edges)
    ends = edge.get("data-ends", "").split()
    other = rng.choice(sorted(str(w) for w in worlds.keys() - set(ends)))
    at = [float(x) - float(y) for x, y in zip(worlds[other], worlds[ends[1]], strict=True)]
    for path in edge.iter(f"{SVG}path"):
        start, *rest = re.findall(r"-?[\d.]+", path.get("d", ""))
        numbers = [float(n) for n in (start, *rest)]
        numbers[-2:] = numbers[-2] + at[0], numbers[-1] + at[1]
        turn = {4: "L", 6: "Q", 8: "C"}[len(numbers)]
        path.set("d", f"M{numbers[0]} {numbers[1]}{turn}{' '.join(map(str, numbers[2:]))}")
    tips = list(edge.iter(f"{SVG}polygon"))
    if tips and len(tips) == 1:
        spots = [float(n) for n in re.findall(r"-?[\d.]+", tips[0].get("points", ""))]
        tips[0].set(
            "points",
            " ".join(f"{x + at[0]},{y + at[1]}" for x, y in zip(spots[::2], spots[1::2], strict=True)),
        )


SVGS: dict[str, Change] = {
    "atom": rewrite("world", r"^(?:p|q|rain)\b", "r"),
    "name": rewrite("world", r"^v\d+$", "u"),
    "agent": rewrite("label", "Ann|Bo|Cy", "Dee"),
    "legend": rewrite("sample", "Ann|Bo|Cy", "Dee"),
    "caption": rewrite("note", "Loops (?:of [^.]* )?are left out\\.", ""),
    "no line": drop("edge"),
    "no sample": drop("sample"),
    "no label": drop("label"),
    "world": drawn(drop_world),
    "ring": drawn(ring),
    "swapped labels": swap("label"),
    "swapped legend": swap("sample"),
    "swapped atoms": swap("world"),
    "dragged label": drag("label"),
    "dragged text of a label": drag("label", "text"),
    "dragged sample": drag("sample", "text"),
    "dragged atoms": drag("world", "text"),
    "dragged line": drag("edge"),
    "colour": drawn(recolour),
    "other end": drawn(other_end),
}
CHANGES = {".dot": DOT, ".tex": TEX, ".svg": SVGS}


def outcome(model: KripkeModel, rng: random.Random, ending: str, name: str, path: Path) -> str:
    """Return what becomes of a picture after a change: `read` as a slow reader sees it, or `refused`."""
    options = {"edges": rng.choice(["spanning", "full", "hulls"]), "edge_labels": rng.random() < 0.5}
    text = visualise.save(model, path, **options).read_text(encoding="utf-8")  # type: ignore[arg-type]
    other = CHANGES[ending][name](text, rng)
    if other == text:
        return "not possible"
    path.write_text(other, encoding="utf-8")
    try:
        again = visualise.read(path)
    except FormatError:
        return "refused"
    if not same(model_of(READERS[ending](other)), again):
        return "WRONG"
    return "the same" if again == model else "read"


@pytest.mark.parametrize(
    ("ending", "name"), [(e, name) for e, changes in CHANGES.items() for name in changes]
)
@pytest.mark.parametrize("seed", range(2))
def test_a_picture_that_was_changed_is_read_as_changed_or_refused(
    seed: int, ending: str, name: str, tmp_path: Path
) -> None:
    rng = random.Random(f"{seed} {ending} {name}")
    found = Counter(outcome(random_model(rng), rng, ending, name, tmp_path / f"m{ending}") for _ in range(2))
    assert not found["WRONG"]
    # a class joined in another way, a second head of a loop, a ring twice, an agent whom the caption tells, a
    # sentence about loops that another one implies
    assert not found["the same"] or name in ("other end", "no line", "ring", "heads", "no sample", "caption")


@pytest.mark.parametrize(
    ("ending", "before", "after"),
    [
        (".svg", "</svg>", '<text x="20" y="20">q</text></svg>'),
        (".svg", "</svg>", '<circle cx="20" cy="20" r="9" stroke="#1A1A1A" fill="none"/></svg>'),
        (".svg", "</svg>", '<rect width="300" height="300" fill="#FFFFFF"/></svg>'),
        (".svg", 'class="edge"', 'class="edge" opacity="0"'),
        (".svg", 'class="edge"', 'class="edge" style="stroke-opacity:0"'),
        (".tex", r"\end{tikzpicture}", "\\node[world] (w1) at (0,3) {u};\n\\end{tikzpicture}"),
    ],
)
def test_what_is_added_or_hidden_by_hand_is_refused(
    ending: str, before: str, after: str, tmp_path: Path
) -> None:
    path = tmp_path / f"m{ending}"
    text = visualise.save(random_model(random.Random(4)), path).read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(FormatError):
        visualise.read(path)


def test_a_ring_that_was_moved_or_painted_over_is_refused(tmp_path: Path) -> None:
    model = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, "w")
    path = tmp_path / "m.svg"
    root = ElementTree.fromstring(visualise.save(model, path).read_text(encoding="utf-8"))
    (ring, *_) = [part for part in root.iter() if part.tag.endswith("circle")]
    for key, value in (("cx", "200"), ("stroke", "#FFFFFF")):
        kept = ring.attrib[key]
        ring.attrib[key] = value
        path.write_text(ElementTree.tostring(root, encoding="unicode"), encoding="utf-8")
        with pytest.raises(FormatError, match="a ring is not around its world"):
            visualise.read(path)
        ring.attrib[key] = kept


def test_an_outline_that_cuts_a_world_is_refused(tmp_path: Path) -> None:
    model = KripkeModel.from_partitions(["u", "v", "w"], {"a": [["u", "v", "w"]]}, {}, "w")
    path = tmp_path / "m.svg"
    root = ElementTree.fromstring(visualise.save(model, path, edges="hulls").read_text(encoding="utf-8"))
    (face, *_) = [part for part in root.iter() if part.get("class") == "face"]
    (hull,) = [part for part in root.iter() if part.get("class") == "hull"]
    x, y = float(face.attrib["cx"]), float(face.attrib["cy"])
    (shape,) = [part for part in hull if part.tag.endswith("polygon")]
    shape.attrib["points"] = f"{x},{y} {x + 400},{y} {x + 400},{y + 400} {x},{y + 400}"
    path.write_text(ElementTree.tostring(root, encoding="unicode"), encoding="utf-8")
    with pytest.raises(FormatError, match="an outline cuts a world"):
        visualise.read(path)


def test_changes_are_read_and_not_only_refused(tmp_path: Path) -> None:
    for ending, changes in CHANGES.items():
        for name in ("atom", "name", "world", "no line"):
            rng = random.Random(f"{ending} {name}")
            found = (outcome(random_model(rng), rng, ending, name, tmp_path / f"m{ending}") for _ in range(8))
            assert "read" in found, (ending, name, changes)
