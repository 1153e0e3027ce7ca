"""Published sets read back: stories of our own in their formats, some with a wrong label."""

import inspect
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType

import pytest

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.research.forge import published
from kripke_werewolf.research.forge.judged import OPEN, Format, JudgedItem, audit_table
from tests.cases import cases, each

TOMI = """\
1 Ann entered the hall.
2 Bo entered the hall.
3 The drum is in the blue_box.
4 Bo exited the hall.
5 Ann moved the drum to the red_bag.
6 Ann hates the drum
7 Ann exited the hall.
8 Bo entered the hall.
9 {}\t{}\t1
"""
APART = "each person named saw the thing there, but not together with the others"
QUESTIONS = {
    "Where was the drum at the beginning?": "blue_box",
    "Where is the drum really?": "red_bag",
    "Where will Ann look for the drum?": "red_bag",
    "Where will Bo look for the drum?": "red_bag",
    "Where does Ann think that Bo searches for the drum?": "blue_box",
    "Where does Bo think that Ann searches for the drum?": "blue_box",
}
"""Both saw the new place, but not together: each thinks that the other has not seen it."""

HITOM = """\
1 Ann, Bo and Cy entered the hall.
2 The drum is in the blue_box.
3 Cy saw a goat.
4 Ann moved the drum to the red_bag.
5 Ann exited the hall.
6 Bo moved the drum to the tub.
7 Bo exited the hall.
8 Cy made no movements and stayed in the hall for 1 minute.
9 Cy exited the hall.
10 Ann, Bo and Cy entered the attic.
"""


def formats(module: ModuleType) -> dict[str, Format]:
    """Return the formats that a version of the module declares."""
    return {name: module.format_of(name) for name in module.FORMATS}


def read(tmp_path: Path, name: str, text: str) -> list[JudgedItem]:
    """Return the audit of a file with this content."""
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf-8")
    return published.format_of(name).audit(path)


def hitom(*items: tuple[str, str, str]) -> str:
    """Return items as Hi-ToM is published."""
    return json.dumps(
        {"data": [dict(zip(("story", "question", "answer"), item, strict=True)) for item in items]}
    )


def test_right_and_wrong_labels_of_tomi(tmp_path: Path) -> None:
    for question, label in QUESTIONS.items():
        wrong = "blue_box" if label != "blue_box" else "red_bag"
        one, other = read(tmp_path, "tomi", TOMI.format(question, label) + TOMI.format(question, wrong))
        assert (one.verdict, one.flaw, one.place) == ("right", "", "line 9"), question
        assert (other.verdict, other.place) == ("wrong", "line 18"), question
        assert other.answers == {"perspectives": label, "updates": label}, question


ASKED = "Where does Ann think Bo thinks the drum is?"
TOLD = HITOM + "11 Bo publicly claimed that drum is in the tub.\n"
AGAIN = HITOM + "11 Ann and Cy entered the hall.\n12 The drum is in the sofa.\n13 Bo loves the sofa.\n"
MISSED = "the {} person named never saw the thing there"
CASES = (
    (HITOM, ASKED, "red_bag", "", 1),
    (HITOM, ASKED, "tub", MISSED.format("first"), 1),
    (HITOM, "Where does Cy think Ann thinks the drum is?", "tub", MISSED.format("second"), 1),
    (HITOM, "Where does Cy think Bo thinks the drum is?", "red_bag", APART, 0),
    (HITOM, ASKED, "sofa", "the thing was never in the place of the label", 1),
    (TOLD, ASKED, "tub", OPEN, 1),
    (TOLD, "Where is the drum really?", "tub", "", 0),
    (f"Read this.\n{HITOM}\n\n***\n", "Where does Cy think Bo thinks Cy thinks the drum is?", "tub", "", 0),
    (HITOM, "Where does Cy really think the drum is?", "tub", "", 0),
    (AGAIN, "Where does Bo think Cy thinks the drum is?", "tub", "", 1),
    (AGAIN, "Where does Cy think Ann thinks the drum is?", "sofa", "", 0),
)
"""Stories, questions and labels, with the flaw and the order needed."""


def test_kinds_of_mistakes(tmp_path: Path) -> None:
    found = read(tmp_path, "hitom", hitom(*(case[:3] for case in CASES)))
    assert [(item.flaw, item.order_needed) for item in found] == [case[3:] for case in CASES]
    verdicts = ["right", *["wrong"] * 4, "open", *["right"] * 5]
    assert [item.verdict for item in found] == verdicts
    assert [item.asked for item in found][6:9] == ["order 0", "order 3", "order 1"]
    assert found[1].why == "B_Ann B_Bo drum_in_red_bag; all of them together saw it in the blue_box, red_bag"
    rows = {(row[0], row[2]): row[3:] for row in audit_table(found).rows}
    assert rows["order 2", ""] == ("3", "0: 1, 1: 2", "item 0")
    assert rows["order 2", OPEN] == ("1", "1: 1", "item 5")
    assert sum(int(row[0]) for row in rows.values()) == len(found)


CLOSED = """\
places = "closed"
story = "text"
question = "q"
answer = "a"
[sentences]
enter = ["{A} went into the {room}."]
leave = ["{agent} left the {room}."]
move = ["{agent} put the {thing} into the {place}."]
lies = ["There was a {thing} in the {place}."]
[questions]
thought = ["Where does {A} believe the {thing} to be?"]
"""


def test_a_grammar_of_ones_own(tmp_path: Path) -> None:
    """Bo comes back after the move: he sees the new place if it is open."""
    told = (
        "Ann and Bo went into the hall. There was a drum in the tub. Bo left the hall. "
        "Ann put the drum into the bag. Bo went into the hall."
    )
    lines = [
        {"text": text, "q": "Where does Bo believe the drum to be?", "a": label}
        for text, label in ((told, "tub"), (told, "bag"), (f"{told} Ann sang.", "bag"))
    ]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    grammar = tmp_path / "own.toml"
    grammar.write_text(CLOSED, encoding="utf-8")
    for places, flaws in (("", ["", "right under open places"]), ("open", ["right under closed places", ""])):
        form = published.format_of(str(grammar), places=places)
        assert [item.flaw for item in form.audit(path, skip=True)] == [*flaws, "not read"]
    with pytest.raises(FormatError, match=r"line 3: 'Ann sang\.'"):
        form.audit(path)


WOULD = """
thought = ["Where would {A} look for the {thing}?", "Where would {A} would look for the {thing}?"]
"""


def test_people_who_think_of_people(tmp_path: Path) -> None:
    """A wording for one person is none for several: nobody is called `Bo would`."""
    told = "Ann and Bo went into the hall. There was a drum in the tub. Bo left the hall."
    told += " Ann put the drum into the bag."
    asked = {"Bo": "tub", "Ann": "bag", "Ann think Bo would": "tub", "Bo think that Ann would": "tub"}
    questions = {f"Where would {people} look for the drum?": label for people, label in asked.items()}
    lines = [json.dumps({"text": told, "q": question, "a": label}) for question, label in questions.items()]
    path, grammar = tmp_path / "set.jsonl", tmp_path / "own.toml"
    path.write_text("\n".join(lines), encoding="utf-8")
    grammar.write_text(f"{CLOSED.partition('thought')[0]}{WOULD}", encoding="utf-8")
    found = published.format_of(str(grammar)).audit(path)
    assert [item.verdict for item in found] == ["right"] * 4
    assert [item.asked for item in found] == ["order 1", "order 1", "order 2", "order 2"]


@cases(
    ("[sentences", "own.toml: "),
    ("[sentences]\njump = []", "own.toml: unknown kind of sentences 'jump'"),
    ("[sentences]\n", "own.toml: expected a table 'questions'"),
    ("sentences = 3\n[questions]\n", "own.toml: expected a table 'sentences' .* got 3"),
    ('places = "ajar"\n[sentences]\n[questions]\n', "own.toml: places='ajar' .*allowed: 'open', 'closed'"),
    ("players = 99\n[sentences]\n[questions]\n", "own.toml: a grammar has no 'players' .*known: sentences"),
    ("story = 3\n[sentences]\n[questions]\n", "own.toml: story=3 is not possible; give a word"),
    ("[questions]\n[sentences]\nlies = ['{2} {thing} {place}', 3]", "own.toml: lies: expected a list of str"),
    (
        "[questions]\n[sentences]\nleave = ['{agnet} left the {room}']",
        "own.toml: leave: .* the places agent, room",
    ),
    (
        "[questions]\n[sentences]\nleave = '{agent} left the {room}'",
        "own.toml: leave: expected a list of strings, got '{agent} left the {room}'",
    ),
    ("[questions]\n[sentences]\nlies = ['{thing} {place} {place}']", "own.toml: lies: .*, each once"),
    (
        "[sentences]\n[questions]\nthought = ['Where is the {thing}?']",
        "own.toml: thought: .* the places A, thing",
    ),
)
def test_wrong_grammars(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as error:
        published.grammar_of(text, "own.toml")
    assert str(error.value).count("expected") < 2


def test_a_thing_that_nobody_moves_is_where_people_came_in_last(tmp_path: Path) -> None:
    story = "1 Cy entered the attic.\n2 Ann and Bo entered the hall.\n3 The drum is in the box."
    asked = [
        ("Where does Ann think Bo thinks the drum is?", "box"),
        ("Where does Cy think the drum is?", "box"),
    ]
    one, other = read(tmp_path, "hitom", hitom(*((story, *pair) for pair in asked)))
    assert (one.verdict, other.verdict, other.answers["updates"]) == ("right", "wrong", None)


# --- random stories, with labels by a slow definition -----------------------------------------------

NAMES, PLACES, ROOMS = ("Ann", "Bo", "Cy", "Di"), ("box", "bag", "tub"), ("hall", "attic")


class Story:
    """A random story about one thing in the hall, told as the sets do."""

    def __init__(self, rng: random.Random) -> None:
        where: dict[str, str] = {}
        self.lines: list[str] = []
        self.seen: list[tuple[str, set[str]]] = []
        self.people = rng.sample(NAMES, 2)
        start = {name: "hall" if name in self.people else "attic" for name in NAMES}
        for name in rng.sample(NAMES, 4):
            if name in self.people or rng.random() < 0.5:
                where[name] = start[name]
                self.lines.append(f"{name} entered the {where[name]}.")
        self.place = "box"
        self.lines.append(f"The drum is in the {self.place}.")
        self.note(where)
        for step in range(rng.randrange(3, 12)):
            name, act = rng.choice(NAMES), rng.random()
            inside = sorted(name for name, room in where.items() if room == "hall")
            if act < 0.15:
                self.lines.append(
                    f"{name} {rng.choice(('likes', 'lost', 'loves'))} the {rng.choice(PLACES)}."
                )
            elif (act < 0.5 and inside) or not step:
                self.place = rng.choice([place for place in PLACES if place != self.place])
                self.lines.append(f"{rng.choice(inside)} moved the drum to the {self.place}.")
                self.note(where)
            elif name in where and act < 0.8:
                self.lines.append(f"{name} exited the {where.pop(name)}.")
            elif where.get(name) != (room := rng.choice(ROOMS)):
                where[name] = room
                self.lines.append(f"{name} entered the {where[name]}.")
                if where[name] == "hall":
                    self.note(where)
        if not any("moved the drum" in line for line in self.lines):
            Story.__init__(self, rng)  # nothing would say in which room the thing is

    def note(self, where: dict[str, str]) -> None:
        """Note who sees in common where the thing is now."""
        self.seen.append((self.place, {name for name, room in where.items() if room == "hall"}))

    def label(self, chain: Sequence[str]) -> str:
        """Return the place where all of a chain last saw the thing together."""
        return next((place for place, group in reversed(self.seen) if {*chain} <= group), "nowhere")

    def asked(self, rng: random.Random) -> tuple[str, str, str]:
        """Return a question about the two who are there at the start, in ToMi's words, and in Hi-ToM's."""
        chain = [rng.choice(self.people[:2])]
        while rng.random() < 0.6 and len(chain) < 4:
            chain.append(next(name for name in self.people[:2] if name != chain[-1]))
        inner = "".join(f" thinks {name}" for name in chain[1:]).replace(" thinks", " think", 1)
        last = "thinks" if chain[1:] else "think"
        other = f"Where does {chain[0]}{inner} {last} the drum is?"
        if len(chain) == 1:
            return f"Where will {chain[0]} look for the drum?", other, self.label(chain)
        first = f"Where does {chain[0]} think that {chain[1]} searches for the drum?"
        return first if len(chain) == 2 else "", other, self.label(chain)


def random_set(seed: int, number: int) -> Iterator[tuple[Story, str, str, str]]:
    """Yield stories with questions and labels."""
    rng = random.Random(seed)
    for _ in range(number):
        story = Story(rng)
        yield story, *story.asked(rng)


def as_tomi(items: Sequence[tuple[Story, str, str, str]], change: Callable[[str], str] = str) -> str:
    """Return those items that ToMi can ask as it is published."""
    return "".join(
        change("".join(f"{n} {line}\n" for n, line in enumerate([*story.lines, f"{asked}\t{label}\t1"], 1)))
        for story, asked, _, label in items
        if asked
    )


def as_hitom(items: Sequence[tuple[Story, str, str, str]], change: Callable[[str], str] = str) -> str:
    """Return items as Hi-ToM is published."""
    told = [
        ("\n".join(f"{n} {line}" for n, line in enumerate(s.lines, 1)), q, label) for s, _, q, label in items
    ]
    return hitom(*((change(story), change(q), change(label)) for story, q, label in told))


FORMS = {"tomi": as_tomi, "hitom": as_hitom}


def disagreements(formats: Mapping[str, Format], seed: int) -> list[object]:
    """Return where readers of the formats differ from the slow definition, and from what is right by hand."""
    items = list(random_set(seed, 60))
    found: list[object] = []
    for name, write in FORMS.items():
        judged = [formats[name].judge(item) for item in formats[name].split(write(items))]
        found += [item for item in judged if item.verdict != "right" or item.flaw]
    before = "1 Ann entered the hall.\n2 The drum is in the tub.\n3 Where is the drum really?\ttub\t1\n"
    asked = before + "".join(TOMI.format(*pair) for pair in QUESTIONS.items())
    judged = [formats["tomi"].judge(item) for item in formats["tomi"].split(asked)]
    found += [item for item in judged if item.verdict != "right"]
    told = [
        formats["hitom"].judge(item) for item in formats["hitom"].split(hitom(*(case[:3] for case in CASES)))
    ]
    return found + [
        item
        for item, (*_, flaw, needed) in zip(told, CASES, strict=True)
        if (item.flaw, item.order_needed) != (flaw, needed)
    ]


@each(range(3))
def test_labels_by_the_slow_definition(seed: int) -> None:
    assert disagreements(formats(published), seed) == []


@pytest.mark.parametrize("name", FORMS)
def test_a_planted_label_is_found_and_no_other(tmp_path: Path, name: str) -> None:
    items = [item for item in random_set(5, 40) if item[1]]
    story, asked, other, label = items[17]
    items[17] = story, asked, other, next(place for place in PLACES if place != label)
    found = read(tmp_path, name, FORMS[name](items))
    assert [n for n, item in enumerate(found) if item.verdict == "wrong"] == [17]


@cases(
    ('mover in (None, *scenes.read_list(own["A"]))', "True"),
    ('if kind == "leave":', "if False:"),
    ('setting.things[thing] != given["place"]', "False"),
    ('setting.happened[:1] if kind == "first" else setting.happened', "setting.happened"),
    ('given["thing"], chain, setting)', 'given["thing"], chain[-1:], setting)'),
    ("setting.present(room))", "frozenset(coming))"),
    ("if what.place == label", ""),
    ("least_order(chain, ", "least_order(chain[:0], "),
    ('any(kind == "told" and', 'any(kind == "tell" and'),
    (
        'scenes.read_list(given["A"]) if kind == "enter" else',
        'given["A"].split(", ") if kind == "enter" else',
    ),
    ('if number == "1":', "if False:"),
    ('" thinks?(?: that)? "', '" thinks "'),
    ('open=grammar.places == "open"', "open=False"),
)
def test_wrong_readers_are_found(part: str, wrong: str) -> None:
    source = inspect.getsource(published)
    assert source.count(part) == 1
    mutant = ModuleType("mutant")
    mutant.__file__ = published.__file__
    sys.modules["mutant"] = mutant  # where dataclasses look up the types of their fields
    exec(source.replace(part, wrong), mutant.__dict__)
    try:
        found = disagreements(formats(mutant), 4)
    except (FormatError, ModelError, KeyError) as error:
        found = [error]
    finally:
        del sys.modules["mutant"]
    assert found


WRONG_FILES = [
    (
        "tomi",
        "1 Ann entered the hall.\n2 Ann slept.\n3 Where is the drum really?\ttub\t1\n",
        "line 3: 'Ann slept.'",
    ),
    (
        "tomi",
        TOMI.format("Where will Cy look for the drum?", "tub"),
        "line 9: nobody called Cy is in the story",
    ),
    ("tomi", "1 Ann entered the hall.\n", "has no items"),
    (
        "hitom",
        '{"data": [{"story": 3}]}',
        "item 0: expected a JSON object with a string in the field",
    ),
    (
        "hitom",
        hitom(("1 Bo exited the hall.\n2 The drum is in the box.", ASKED, "")),
        "item 0: 'Bo left the hall.' cannot happen",
    ),
]


def test_wrong_files(tmp_path: Path) -> None:
    for name, text, message in WRONG_FILES:
        with pytest.raises(FormatError, match=re.escape(message)):
            read(tmp_path, name, text)
