"""Quadruples: oracles written from the English alone agree, and readers of words are found out."""

import re
from dataclasses import replace
from itertools import product

import pytest

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.research.forge import cues, family_named, forged
from kripke_werewolf.research.forge.judged import balance, group_shares
from tests.cases import cases
from tests.renamed_stories import groups
from tests.running import invoke

made = {}


def quadruples(name, items=48, **knobs):
    """Return the same items whenever they are asked for."""
    family = family_named(name)
    if name not in made:
        made[name] = [*forged(family, family.knobs(quadruples=True, batch=8, **knobs), items=items, seed=5)]
    return made[name]


# --- oracles: what follows from the words ----------------------------------------------------------------


def names_in(text):
    return [name for name in re.split(", | and ", text) if name]


def fact(words):
    """Return whether words are true of the numbers of people."""
    if words.startswith("it is not so that "):
        parts = [fact(part) for part in names_in(words.removeprefix("it is not so that "))]
        return lambda world: not all(part(world) for part in parts)
    for form, true in (
        (r"(\w+) is muddy and (\w+) is clean", lambda w, a, b: w[a] > w[b]),
        (r"(\w+) is muddy exactly if (\w+) is muddy", lambda w, a, b: w[a] == w[b]),
        (r"(\w+) is muddy", lambda w, a: w[a] == 1),
        (r"(\w+) is clean", lambda w, a: w[a] == 0),
        (r"the (?:sum of all the numbers|number of muddy foreheads) is at least (\d+)",
         lambda w, n: sum(w.values()) >= int(n)),
        (r"(\w+)'s number is at least (\d+)", lambda w, a, n: w[a] >= int(n)),
        (r"(\w+)'s number is less than (\d+)", lambda w, a, n: w[a] < int(n)),
        (r"(\w+)'s number is (\d+)", lambda w, a, n: w[a] == int(n)),
        (r"(\w+)'s number is higher than (\w+)'s number", lambda w, a, b: w[a] > w[b]),
        (r"(\w+)'s number is the same as (\w+)'s number", lambda w, a, b: w[a] == w[b]),
    ):  # fmt: skip
        if found := re.fullmatch(form, words):
            return lambda world: true(world, *found.groups())
    raise AssertionError(words)


def announced(story, question):
    """Return the answer to a question about numbers, by the possible worlds of those in a story."""
    people = names_in(re.match(r"(.+?) (?:have been|hold a card)", story)[1])
    most = re.search(r"from 0 to (\d+)", story)
    worlds = [
        dict(zip(people, own, strict=True))
        for own in product(range(int(most[1]) + 1 if most else 2), repeat=len(people))
    ]
    seen = {a: [lambda w, a=a: w[a]] if most else [] for a in people}

    def knows(agent, true, way, world):
        alike = [v for v in worlds if all(look(v) == look(world) for look in seen[agent])]
        values = {bool(true(v)) for v in alike}
        return {"that": values == {True}, "whether": len(values) == 1, "possible": True in values}[way]

    answers = r"Asked for all to hear whether (.+), (\w+) answers aloud: I (know|do not know)\."
    whispers = r"(?:whispers to|their host lets) (.+?) (?:know )?whether (.+?)(?:, and the others.*)?\.$"
    for said in re.split(r"(?<=\.) ", story):
        if found := re.match(r"(\w+) (?:can see|has a clear view of) (.+)\.", said):
            seen[found[1]] += [lambda w, b=b: w[b] for b in names_in(found[2])]
        elif found := re.match(r"In fact (.+)\.", said):
            actual = next(w for w in worlds if all(fact(part)(w) for part in names_in(found[1])))
        elif found := re.match(r"Their host (?:tells all of them|says for all to hear) that (.+)\.", said):
            worlds = [w for w in worlds if fact(found[1])(w)]
        elif found := re.match(answers, said):
            true = fact(found[1])
            worlds = [w for w in worlds if knows(found[2], true, "whether", w) == (found[3] == "know")]
        elif found := re.search(whispers, said):
            for name in names_in(found[1]):
                seen[name].append(fact(found[2]))
    said = re.sub(r"^Does (\w+) (know|think)", r"\1 \2s", question.rstrip("?"))
    said = said.removeprefix("Is it true that ")
    asked = []
    while found := re.match(r"(\w+) (does not )?(?:knows? (that|whether)|thinks? it (possible) that) ", said):
        asked.append((found[1], found[3] or found[4], bool(found[2])))
        said = said[found.end() :]
    true = fact(said)
    for agent, way, denied in reversed(asked):
        where = [w for w in worlds if knows(agent, true, way, w) != denied]
        true = lambda world, where=where: world in where  # noqa: E731
    return "yes" if true(actual) else "no"


def placed(story, question):
    """Return where a chain of people think that a thing is, from who saw, noticed or missed what."""
    thing = re.search(r"the (\w+) is(?: really)?\?", question)[1]
    chain = [name for name in re.findall(r"\b[A-Z]\w+", question) if name not in ("Where",)]
    place = re.search(rf"The {thing} lay in the (\w+)\.", story)[1]
    present = set(names_in(re.search(r"\. (\w+(?:, \w+)*(?: and \w+)?) (?:was|were) in the \w+\.", story)[1]))
    happened = []
    swaps = r"\w+ (?:swapped what was in|exchanged the contents of) the (\w+) and the (\w+)\."
    notices = r"(\w+) (was watching|saw this|noticed that|saw \w+ watching|realised|could tell)"
    for said in re.split(r"(?<=\.) ", story):
        if found := re.match(r"(\w+) (left|walked out of|came into|entered) the", said):
            (present.discard if found[2] in ("left", "walked out of") else present.add)(found[1])
        elif found := re.match(rf"\w+ (?:moved the {thing} to|put the {thing} into) the (\w+)\.", said):
            happened.append(({*present}, [], (found[1],)))
        elif found := re.match(swaps, said):
            happened.append(({*present}, [], found.groups()))
        elif re.match(r"\w+ (moved|put) the", said):
            happened.append((set(), [], ()))
        elif found := re.match(notices, said):
            happened[-1][1].append(found[1])
    for group, noticers, places in happened:
        for agent in chain:
            if agent in noticers:
                noticers = noticers[: len(noticers) - noticers[::-1].index(agent)]
            else:
                places = places if agent in group else ()
                noticers = []
        if len(places) == 1:
            place = places[0]
        elif place in places:
            place = places[1 - places.index(place)]
    return place


@pytest.mark.slow
@cases(("announcements", announced), ("rooms", placed))
def test_oracles_agree(name, oracle):
    for item in quadruples(name, orders=(1, 2, 3)):
        assert oracle(item.story, item.question) == item.answer, (item.story, item.question)


# --- readers ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@cases("announcements", "rooms")
def test_no_rule_is_right_in_more_than_half_of_a_quadruple(name):
    for group in groups(quadruples(name, orders=(1, 2, 3))):
        for rule in group[0].shortcuts:
            assert sum(item.shortcuts[rule] == item.answer for item in group) <= 2, rule


@pytest.mark.slow
def test_changed_sentences_have_as_many_words_in_common_with_both_answers():
    for group in groups(quadruples("announcements", orders=(1, 2, 3))):
        shares = {"yes": [], "no": []}
        for item in group:
            one, other = ({*own.partition(" that ")[2].rstrip(".").split()} for own in item.own)
            shares[item.answer].append(round(10 * len(one & other) / len(one | other)))
        assert sorted(shares["yes"]) == sorted(shares["no"])


def planted(items):
    """Return items whose wording gives the answer away."""
    return [
        replace(item, story=f"{item.story} {'Alas' if item.answer == 'yes' else 'So'}.") for item in items
    ]


@pytest.mark.slow
def test_words_that_give_answers_away_are_found():
    pytest.importorskip("sklearn")
    family = family_named("announcements")
    items = [*forged(family, family.knobs(pairs=True), items=120, seed=2)]
    shares = {name: cells for name, *cells in balance(planted(items)).rows}
    assert float(shares["bag of words"][-1]) > 0.4  # of the pairs, by chance 0.25 at most
    assert cues.cues(planted(items))["bag of words"] > 0.75


@pytest.mark.slow
def test_rules_that_give_answers_away_are_refused(tmp_path):
    file = tmp_path / "items.jsonl"
    make = [
        "forge",
        "announcements",
        "--pairs",
        "--items",
        "200",
        "--order",
        "3",
        "--seed",
        "1",
        "-o",
        str(file),
    ]
    asked = invoke(*make)
    assert isinstance(asked.exception, GameError)
    assert re.search("reader '.*' is right in 0.* of the items", str(asked.exception))
    assert not file.exists()
    assert invoke(*make, "--allow-cues").exit_code == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 200


def test_only_whole_groups_count():
    rows = [
        ("a", (0, 0), 1),
        ("a", (0, 1), 1),
        ("a", (1, 0), 1),
        ("a", (1, 1), 0),
        ("b", (0, 0), 1),
        ("", (), 0),
    ]
    assert group_shares(rows) == {"items": 4 / 6, "pairs": 0.5, "quadruples": 0.0}
