"""MindGames read back: items of our own in its format, some with another problem or a wrong label."""

import json
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.research.forge.judged import JudgedItem, format_named

NAMES = ("Ricardo", "May", "Will")
CARDS = "Each person draws a card, face unrevealed (red or black)."
SHOWN = "May's card is shown to Ricardo. May's card is shown to Will. Ricardo's card is shown to Will."
SAID = "It is publicly announced that someone picked a red card."
ITEM = {
    "premise": f"There are three persons. Everyone is visible to others. {CARDS} {SHOWN} {SAID}",
    "hypothesis": "Will can now know whether Ricardo can know that May picked a red card.",
    "names": NAMES,
    "smcdel_problem": "VARS 1,2,3 LAW Top OBS Agenta:2 Agentc:1,2 VALID? [ ! (1|2|3) ] "
    "Agentc knows whether (Agenta knows that 2)",
    "label": "entailment",
}


def read(tmp_path: Path, *items: object) -> list[JudgedItem]:
    """Return the audit of these items."""
    path = tmp_path / "set.jsonl"
    path.write_text("".join(f"{json.dumps(item)}\n" for item in items), encoding="utf-8")
    return format_named("mindgames").audit(path)


def test_right_and_wrong_items(tmp_path: Path) -> None:
    shifted = {"smcdel_problem": ITEM["smcdel_problem"].replace("Agentc:1,2", "Agentb:1,2 Agentc:3")}
    other = {"smcdel_problem": ITEM["smcdel_problem"].replace("knows whether (", "knows that (")}
    items = [ITEM | change for change in ({}, {"label": "not_entailment"}, shifted, other)]
    found = read(tmp_path, *items)
    assert [item.flaw for item in found] == [
        "",
        "the label is not the answer to the problem",
        "the problem gives other observations",
        "the sentences do not say what the problem says",
    ]
    assert [item.verdict for item in found] == ["right", "wrong", "right", "right"]
    assert (found[0].asked, found[0].order_needed, found[0].place) == ("order 2", 1, "line 1")
    assert all(len(item.answers) == 2 for item in found)


QUANTIFIED = {
    "someone": any,
    "everyone": all,
    "nobody": lambda facts: not any(facts),
    "not everyone": lambda facts: not all(facts),
}
World = tuple[bool, ...]


class Random:
    """A random item about three people, decided world by world."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.setting = rng.choice(("forehead", "mirror", "thirsty", "cards"))
        self.sees = {
            "forehead": [{0, 1, 2} - {i} for i in range(3)],
            "mirror": [{0, 1, 2}] * 3,
            "thirsty": [{0}, {1}, {2}],
            "cards": [{j for j in range(3) if rng.random() < 0.5} for _ in range(3)],
        }[self.setting]
        self.worlds = list(product((True, False), repeat=3))
        premise = ["There are three persons", "Everyone is visible to others"]
        if self.setting == "mirror":
            premise.append("There is a mirror in the room")
        if self.setting == "cards":
            premise.append(CARDS[:-1])
            premise += [f"{NAMES[j]}'s card is shown to {NAMES[i]}" for i in range(3) for j in self.sees[i]]
        for number in range(rng.randrange(1, 4)):
            sentence, true = self.fact("someone") if not number else self.claim()
            premise.append(f"It is publicly announced that {sentence}")
            self.worlds = [w for w in self.worlds if true(w)]
        asked, true = self.knows("can know", *self.fact()) if rng.random() < 0.5 else self.fact()
        asked, true = self.knows("can now know", asked, true)
        self.data = ITEM | {
            "premise": ". ".join(premise) + ".",
            "hypothesis": f"{asked}.",
            "label": "entailment" if all(map(true, self.worlds)) else "not_entailment",
        }

    def fact(self, who=None):  # type: ignore[no-untyped-def]
        """Return a fact, and in which worlds it is true."""
        who = who or self.rng.choice([*NAMES, *QUANTIFIED])
        denied = who in NAMES and self.rng.random() < 0.3
        verb = {"thirsty": "is{} thirsty", "cards": "picked a {} card"}.get(
            self.setting, "'s forehead is{} muddy"
        )
        said = verb.format(
            ("black" if denied else "red") if self.setting == "cards" else " not" if denied else ""
        )
        sentence = f"{who}{said}" if said.startswith("'") else f"{who} {said}"
        if who in NAMES:
            return sentence, lambda w: w[NAMES.index(who)] != denied
        return sentence, QUANTIFIED[who]

    def knows(self, verb, sentence, true):  # type: ignore[no-untyped-def]
        """Return that somebody knows this, and in which worlds that is true."""
        agent, mode, worlds = self.rng.randrange(3), self.rng.choice(("that", "whether")), list(self.worlds)

        def known(w: World) -> bool:
            seen = {true(v) for v in worlds if all(v[j] == w[j] for j in self.sees[agent])}
            return len(seen) == 1 if mode == "whether" else seen == {True}

        more = " or not" if mode == "whether" and sentence.startswith(("everyone", "nobody")) else ""
        return f"{NAMES[agent]} {verb} {mode}{more} {sentence}", known

    def claim(self):  # type: ignore[no-untyped-def]
        """Return a sentence to announce."""
        if self.rng.random() < 0.4:
            return self.fact()
        sentence, true = self.knows("knows", *self.fact())
        if " knows whether" in sentence and self.rng.random() < 0.5:
            return sentence.replace("knows", "does not know"), lambda w: not true(w)
        return sentence, true


def random_items(seed: int, number: int) -> Iterator[dict[str, object]]:
    """Yield random items."""
    rng = random.Random(seed)
    for _ in range(number):
        yield Random(rng).data


@pytest.mark.parametrize("seed", range(3))
def test_labels_by_the_slow_definition(tmp_path: Path, seed: int) -> None:
    items = list(random_items(seed, 25))
    found = read(tmp_path, *items)
    assert [item.verdict for item in found] == ["right"] * len(items)
    assert len({item.label for item in found}) == 2
    items[7]["label"] = ({"entailment", "not_entailment"} - {str(items[7]["label"])}).pop()
    assert [n for n, item in enumerate(read(tmp_path, *items)) if item.verdict == "wrong"] == [7]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"premise": f"{ITEM['premise']} May slept."},
            "line 1: 'Agentb slept' is not a sentence of this format",
        ),
        (
            {"premise": ITEM["premise"].replace("shown to Will", "shown to Zoe")},
            'shown to Zoe" is not a sentence',
        ),
        ({"hypothesis": "Will sleeps."}, "line 1: the text, line 1"),
        (
            {"smcdel_problem": "VARS 1 LAW Top OBS VALID? 1"},
            "line 1: expected a problem with a query about the atoms",
        ),
        ({"smcdel_problem": "VARS 1,2"}, "line 1: the problem, line 1"),
    ],
)
def test_wrong_files(tmp_path: Path, change: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        read(tmp_path, ITEM | change)
