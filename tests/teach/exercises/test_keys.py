"""Keys of fresh exercises of every kind and size, against evaluators that share nothing with the library."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import islice, permutations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kripke_werewolf import KripkeModel, parse, private, public, semi_private, suspected
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import Exercise, new_exercise, read_sheet
from kripke_werewolf.teach.exercises.exercise import Setting
from tests.reference.kripke import Plain, announced, extension, holds, plain, producted
from tests.reference.plausibility import Orders, true_at
from tests.reference.small_models import PROPERTIES, has
from tests.strategies import closed

EACH = 30
SHEET = Path(__file__).parents[3] / "examples" / "course" / "week7.toml"


def settings(kind: str) -> list[dict[str, Setting]]:
    """Return all sizes with all events, the other parameters going round."""
    parameters = Exercise.kinds[kind].parameters
    values = {
        name: [parameter.default] if isinstance(parameter.default, tuple) else list(parameter.allowed)
        for name, parameter in parameters.items()
    }
    if "lines" in values:
        values["lines"] = [1, 2]
    if "depth" in values:
        values["depth"] = values["depth"][:3]
    whole = [dict(zip(values, row, strict=True)) for row in product(*values.values())]
    step = next(n for n in range(7, 60) if all(len(whole) % k or n % k for k in range(2, n + 1)))
    return [whole[n * step % len(whole)] for n in range(max(EACH, len(values.get("size", ()))))]


def names(m: Plain) -> dict[Any, str]:
    return {w: world_text(w) for w in m.worlds}


def updated(exercise: Any) -> Plain:
    start = plain(exercise.model)
    if exercise.action is not None:
        return producted(start, exercise.action)
    return announced(start, exercise.announced)


def arrows(m: Plain, agent: str) -> set[tuple[str, str]]:
    called = names(m)
    return {(called[w], called[v]) for w, v in m.relations[agent]}


def listed(text: str) -> set[str]:
    """Return names between commas, those in parentheses together."""
    parts = re.findall(r"\([^)]*\)|[^,()]+", text)
    return {part.strip() for part in parts} - {"", "none"}


def drawn(text: str) -> set[tuple[str, str]]:
    """Return the arrows of a drawing, lines being arrows both ways."""
    found = set()
    for chain in re.findall(r"(?:\([^)]*\)|[^,()])+", "" if text == "none" else text):
        parts = re.split(r"(->|-)", chain.strip())
        for here, sign, there in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
            found |= {(here, there)} | ({(there, here)} if sign == "-" else set())
    return found


def equivalence(pairs: set[tuple[str, str]], worlds: set[str]) -> set[tuple[str, str]]:
    cells = {w: {w} for w in worlds}
    for w, v in pairs:
        both = cells[w] | cells[v]
        cells |= dict.fromkeys(both, both)
    return {(w, v) for w, cell in cells.items() for v in cell}


def read_model(text: str, *, s5: bool) -> tuple[Plain, str]:
    """Return a model drawn as text and its actual world."""
    rows = [line.partition(":")[::2] for line in text.splitlines()]
    worlds = [name.rstrip("*") for name, _ in rows if name[0] in "w("]
    true: dict[str, set[str]] = {"p": set(), "q": set(), "r": set()}
    for name, content in rows:
        for atom in listed(content) if name[0] in "w(" else ():
            true[atom].add(name.rstrip("*"))
    pairs = {name: drawn(content.strip()) for name, content in rows if name[0] not in "w("}
    if s5:
        pairs = {agent: equivalence(found, set(worlds)) for agent, found in pairs.items()}
    actual = next((name[:-1] for name, _ in rows if name.endswith("*")), worlds[0])
    found = Plain(
        tuple(worlds),
        {agent: frozenset(arrow) for agent, arrow in pairs.items()},
        {atom: frozenset(where) for atom, where in true.items()},
        frozenset([actual]),
        {agent: dict.fromkeys(worlds, Fraction(1)) for agent in pairs},
    )
    return found, actual


def frames(logic: str, seed: int) -> Iterator[Plain]:
    """Yield random models of a logic with two agents."""
    rng = Random(seed)
    while True:
        worlds = range(rng.randint(2, 4))
        some = {a: [(w, v) for w in worlds for v in worlds if rng.random() < 0.35] for a in "ab"}
        pairs = {agent: frozenset(closed(arrows, len(worlds), logic)) for agent, arrows in some.items()}
        true = {p: frozenset(w for w in worlds if rng.random() < 0.5) for p in "pqr"}
        weights = {agent: dict.fromkeys(worlds, Fraction(1)) for agent in "ab"}
        yield Plain(tuple(worlds), pairs, true, frozenset(worlds), weights)


@cache
def some_frames(logic: str, seed: int, count: int) -> list[Plain]:
    """Return the first of these models."""
    return list(islice(frames(logic, seed), count))


def alike(f: Any, g: Any, *, count: int = 25) -> bool:
    """Return whether two formulas are true at the same worlds of some random models."""
    return all(extension(m, f) == extension(m, g) for m in some_frames("K", 1, count))


def check_truth_set(exercise: Any, answer: str) -> None:
    assert listed(answer) == set(map(str, extension(plain(exercise.model), exercise.formula)))


def check_distinguish(exercise: Any, answer: str) -> None:
    m = plain(exercise.model)
    assert holds(m, parse(answer), exercise.true_at)
    assert not holds(m, parse(answer), exercise.false_at)


def check_announcement(exercise: Any, answer: str) -> None:
    m = plain(exercise.model)
    aims = [f"K_{agent} ({f})" for agent, f in exercise.learns]
    aims += [f"~Kw_{agent} ({f})" for agent, f in exercise.ignorant]
    aim = parse(f"<!K_{exercise.speaker} ({answer})>({' & '.join(aims)})")
    assert holds(m, aim, exercise.model.designated[0])


def ordered(m: Plain, better: Mapping[str, Iterable[tuple[Any, Any]]]) -> Orders:
    """Return a model with orders: for each agent the pairs (w, v) such that it finds v as plausible as w."""
    order = {a: frozenset((v, w) for w, v in better.get(a, m.relations[a])) for a in m.relations}
    return Orders(m.worlds, m.relations, order, m.true)


def with_ranks(model: KripkeModel) -> Orders:
    m = plain(model)
    ranks = model.ranks.items()
    return ordered(m, {a: [(w, v) for w, v in m.relations[a] if rank[v] <= rank[w]] for a, rank in ranks})


def check_upgrade(exercise: Any, answer: str) -> None:
    orders, (actual,) = with_ranks(exercise.model), exercise.model.designated
    assert actual in true_at(orders, parse(answer))
    assert actual not in true_at(orders, exercise.goal) | true_at(orders, exercise.goal.body)
    assert actual in true_at(orders, parse(f"[^^{answer}]({exercise.goal})"))


def check_order(exercise: Any, answer: str) -> None:
    m, actual = read_model(answer, s5=True)
    arrows, _ = read_model(answer, s5=False)
    at = m.worlds.index
    better = dict[str, list[tuple[Any, Any]]]()
    for agent, pairs in arrows.relations.items():
        whole = closed([(at(w), at(v)) for w, v in pairs], len(m.worlds), "S4")
        better[agent] = [(m.worlds[w], m.worlds[v]) for w, v in whole]
    assert actual in true_at(ordered(m, better), exercise.formula)


@pytest.mark.parametrize("place", range(5))
def test_keys_about_orders(place: int) -> None:
    """The sheet on belief revision, by orders that are sets of pairs."""
    week = read_sheet(SHEET).tasks[place]
    for seed in range(EACH):
        exercise: Any = new_exercise(str(week.what), rng=seed, **dict(week.parameters))
        answer = exercise.solution()
        assert exercise.check(answer).right
        if exercise.kind == "truth-set":
            assert listed(answer) == true_at(with_ranks(exercise.model), exercise.formula)
        elif exercise.kind == "find-model":
            check_order(exercise, answer)
        else:
            check_upgrade(exercise, answer)


def check_find_model(exercise: Any, answer: str) -> None:
    m, actual = read_model(answer, s5=exercise.logic.startswith("S5"))
    assert len(m.worlds) == exercise.most_worlds
    assert holds(m, exercise.formula, actual)


def check_updated_truth_set(exercise: Any, answer: str) -> None:
    m = updated(exercise)
    assert listed(answer) == {names(m)[w] for w in extension(m, exercise.formula)}


def check_product(exercise: Any, answer: str) -> None:
    m = updated(exercise)
    found, _ = read_model(answer, s5="loops need not" in exercise.form.words)
    assert set(found.worlds) == set(names(m).values())
    for atom, where in m.true.items():
        assert found.true[atom] == {names(m)[w] for w in where}
    assert all(found.relations[agent] == arrows(m, agent) for agent in m.relations)


def check_valid(exercise: Any, answer: str) -> None:
    if answer.startswith("valid"):
        models = some_frames(exercise.logic, 2, 25)
        assert all(extension(m, exercise.formula) == set(m.worlds) for m in models)
        return
    m, actual = read_model(answer, s5=exercise.logic == "S5")
    assert not holds(m, exercise.formula, actual)
    for pairs in m.relations.values():
        table = tuple(tuple((w, v) in pairs for v in m.worlds) for w in m.worlds)
        assert all(has(prop, table) for prop in PROPERTIES[exercise.logic].split())


def check_derived(exercise: Any, answer: str) -> None:
    assert answer.startswith(("logic: ", "calculus: ", "1. w0: ~"))
    check_valid(exercise, "valid")


def check_bisimilar(exercise: Any, answer: str) -> None:
    left, right = plain(exercise.left), plain(exercise.right)
    point = exercise.left.designated[0], exercise.right.designated[0]
    if not answer.startswith("w"):
        f = parse(answer)
        assert holds(left, f, point[0]) != holds(right, f, point[1])
        return
    pairs = {tuple(pair.strip().split("-")) for pair in answer.split(",")}
    assert point in pairs
    for w, v in pairs:
        assert all((w in left.true[atom]) == (v in right.true[atom]) for atom in left.true)
        for agent in left.relations:
            seen, other = left.seen(agent, w), right.seen(agent, v)
            assert all(any((x, y) in pairs for y in other) for x in seen)
            assert all(any((x, y) in pairs for x in seen) for y in other)


def table_of(pairs: set[tuple[str, str]], worlds: list[str]) -> tuple[tuple[bool, ...], ...]:
    return tuple(tuple((w, v) in pairs for v in worlds) for w in worlds)


def has_property(prop: str, table: tuple[tuple[bool, ...], ...]) -> bool:
    if prop == "symmetric":
        return table == tuple(zip(*table, strict=True))
    return bool(has(prop, table))


def check_frame(exercise: Any, answer: str) -> None:
    m = plain(exercise.model)
    table = table_of(arrows(m, "a"), list(m.worlds))
    every = ("reflexive", "serial", "transitive", "symmetric", "euclidean")
    assert listed(answer) == {prop for prop in every if has_property(prop, table)}


def check_to_formula(exercise: Any, answer: str) -> None:
    assert alike(parse(answer), exercise.formula)


def check_to_sentence(exercise: Any, answer: str) -> None:
    from kripke_werewolf.logic.formulas import from_sentence

    right = [alike(from_sentence(said), exercise.formula, count=60) for said in exercise.sentences]
    assert [n for n, good in enumerate(right, 1) if good] == [int(answer)]


def check_reduce(exercise: Any, answer: str) -> None:
    assert "!" not in answer
    assert alike(parse(answer), exercise.formula)


def check_action(exercise: Any, answer: str) -> None:
    found = exercise.form.read(answer)
    group = {agent for agent in found.relations if ("e", "f") not in event_arrows(found, agent)}
    content = found.events["e"].pre
    said = exercise.description
    if "becomes" in said:
        event = next(event for event in found.events.values() if event.post)
        ((atom, value),) = re.findall(r"(\w) becomes (\w+)", said)
        ((changed, to),) = event.post.items()
        seeing = set(re.findall(r"\b[abc]\b", said.split(". ")[1]))
        assert (changed, str(to), event.pre, found.designated) == (atom, value, parse("true"), ("e",))
        assert seeing == {a for a in found.relations if event_arrows(found, a) == {("e", "e"), ("f", "f")}}
        rest = {a for a in found.relations if event_arrows(found, a) == {("e", "f"), ("f", "f")}}
        assert seeing | rest == set(found.relations)
        return
    if "publicly" in said:
        make = public(content)
    elif "notices nothing" in said or "notice nothing" in said:
        make = private(group, content)
    elif "three things" in said:
        make = suspected(group, content).point("yes")
    else:
        make = semi_private(group, content).point("yes")
    # agents who learn stand first in the description
    assert "publicly" in said or set(re.findall(r"\b[abc]\b", said.split("learn")[0])) == group
    worlds = ["11", "10", "01", "00"]
    cells = {"a": [worlds], "b": [["11", "10"], ["01", "00"]], "c": [["11", "01"], ["10"], ["00"]]}
    cells = {agent: cells[agent] for agent in found.relations}
    start = plain(KripkeModel.from_partitions(worlds, cells, {"p": worlds[:2], "q": worlds[::2]}))
    made = make.for_agents("abc"[: len(found.relations)], "pq")
    own, right = producted(start, found), producted(start, made)
    asked = ["K_a p", "K_b q", "K_a K_b p", "K_b Kw_a q", "M_b K_a q", "M_a K_b ~p", "K_b ~Kw_a p"]
    for f in map(parse, asked):
        before = {w[0] for w in extension(own, f) if w[1] in found.designated}
        after = {w[0] for w in extension(right, f) if w[1] in make.designated}
        assert before == after, f


def event_arrows(action: Any, agent: str) -> set[tuple[str, str]]:
    events = list(action.events)
    rows = action._sight(agent)
    return {
        (events[i], events[j]) for i in range(len(events)) for j in range(len(events)) if rows[i] >> j & 1
    }


def check_who_knows_in_a_quantum_game(exercise: Any, answer: str) -> None:
    """List again, from the story alone, the deals and what may have been seen."""
    looks = re.findall(r"(\w+) looks at (\w+) and sees: (\w+)", exercise.story)
    ((teller, told),) = re.findall(r"Then (\w+) truthfully tells (\w+) in private", exercise.story)
    players = list(exercise.form.names)

    def fits(deal: dict[str, str], seen: tuple[str, ...]) -> bool:
        return all(
            deal[player] != "seer" or (deal[target] == "wolf") == (what == "evil")
            for (player, target, _), what in zip(looks, seen, strict=True)
        )

    cards = ["wolf", "seer", *["villager"] * (len(players) - 2)]
    deals = [dict(zip(players, row, strict=True)) for row in sorted(set(permutations(cards)))]
    worlds = [(d, r) for d in deals for r in product(("good", "evil"), repeat=2) if fits(d, r)]
    actual = [(d, r) for d, r in worlds if r == tuple(what for _, _, what in looks)]

    def own(player: str, world: Any) -> tuple[str, ...]:
        return tuple(
            what
            for (who, _, _), what in zip(looks, world[1], strict=True)
            if player == who or (player == told and who == teller)
        )

    f = str(exercise.formula).replace("(", "").replace(")", "")
    negated, knower, fact = re.fullmatch(r"(~?)(?:Kw_(\w+) )?(.*)", f).groups()  # type: ignore[union-attr]

    def fact_at(world: Any) -> bool:
        parts = [part.strip().partition("_")[::2] for part in fact.split("->")]
        *premises, last = [
            (world[0][name] == card.lstrip("~")) != card.startswith("~") for card, name in parts
        ]
        return last or not all(premises)

    facts = [(w, fact_at(w)) for w in worlds]
    if knower:
        seen: dict[Any, set[bool]] = {}
        for w, value in facts:
            seen.setdefault(own(knower, w), set()).add(value)
        facts = [(w, len(seen[own(knower, w)]) == 1) for w in worlds]
    said = [(w, value != bool(negated)) for w, value in facts]
    assert all(value for w, value in said if w in actual)
    doubtful = {(p, own(p, w)) for p in players for w, value in said if not value}
    assert listed(answer) == {p for p in players if all((p, own(p, w)) not in doubtful for w in actual)}


def check_who_knows(exercise: Any, answer: str) -> None:
    """Deal again from the story alone."""
    if "Quantum" in exercise.story:
        check_who_knows_in_a_quantum_game(exercise, answer)
        return
    cards = re.findall(r"(\w+) is (?:a|the) (wolf|seer|villager)", exercise.story)
    players, actual = [name for name, _ in cards], tuple(card for _, card in cards)
    looked = players.index(re.findall(r"it is (\w+)'s", exercise.story)[0])
    out = players.index(re.findall(r"Then (\w+) is voted", exercise.story)[0])
    deals = {deal for deal in permutations(actual) if deal[looked] != "seer" and deal[out] == actual[out]}

    def possible(player: str, deal: tuple[str, ...]) -> set[tuple[str, ...]]:
        place = players.index(player)
        own = {other for other in deals if other[place] == deal[place]}
        if deal[place] == "wolf":
            own = {o for o in own if [c == "wolf" for c in o] == [c == "wolf" for c in deal]}
        if deal[place] == "seer":
            own = {other for other in own if other[looked] == deal[looked]}
        return own

    f = str(exercise.formula)
    literal, player = re.findall(r"(wolf|seer|villager)_(\w+)", f)[0]

    def fact(deal: tuple[str, ...]) -> bool:
        value = deal[players.index(player)] == literal
        if knower := re.findall(r"Kw_(\w+) ", f):
            value = len({o[players.index(player)] == literal for o in possible(knower[0], deal)}) == 1
        return value != f.startswith("~")

    assert fact(actual)
    assert listed(answer) == {p for p in players if all(map(fact, possible(p, actual)))}


CHECKS: dict[str, Callable[[Any, str], None]] = {
    "truth-set": check_truth_set,
    "distinguish": check_distinguish,
    "announcement": check_announcement,
    "find-model": check_find_model,
    "updated-truth-set": check_updated_truth_set,
    "product": check_product,
    "valid": check_valid,
    "derivation": check_derived,
    "tableau": check_derived,
    "natural-deduction": check_derived,
    "generals": check_truth_set,
    "children": check_truth_set,
    "cards": check_announcement,
    "bisimilar": check_bisimilar,
    "frame-properties": check_frame,
    "to-formula": check_to_formula,
    "reduce": check_reduce,
    "action-model": check_action,
    "who-knows": check_who_knows,
    "upgrade": check_upgrade,
}


@pytest.mark.parametrize("kind", sorted(Exercise.kinds))
def test_keys(kind: str) -> None:
    every = settings(kind)
    sizes = Exercise.kinds[kind].parameters.get("size")
    assert sizes is None or {given["size"] for given in every} == set(sizes.allowed)
    for seed, given in enumerate(every):
        exercise = new_exercise(kind, rng=seed, **given)
        answer = exercise.solution()
        assert exercise.check(answer).right
        CHECKS[kind](exercise, answer)
