"""A logic for each agent: in models, exercises and stories."""

import random
import re

import pytest

from kripke_werewolf import LOGICS, FormatError, KripkeModel, logic_named, parse
from kripke_werewolf.research.stories import story
from kripke_werewolf.teach.exercises import from_dict
from kripke_werewolf.teach.exercises.validity import Derivation, FindModel, Valid
from tests.cases import cases
from tests.theorems import formula

SEEDS = range(6)


def random_model(rng: random.Random, agents: str = "ab") -> KripkeModel:
    """Return a model with relations closed under random properties, as sets of pairs."""
    worlds = range(rng.randrange(1, 5))
    pairs = {}
    for agent in agents:
        found = {(w, v) for w in worlds for v in worlds if rng.random() < 0.4}
        if rng.random() < 0.6:
            found |= {(w, w) for w in worlds}
        if rng.random() < 0.4:
            found |= {(v, w) for w, v in found}
        while rng.random() < 0.9:
            new = {(w, u) for w, v in found for x, u in found if x == v} - found
            if not new:
                break
            found |= new
        pairs[agent] = sorted(found)
    return KripkeModel(worlds, pairs, {"p": [0]}, [0])


def lacks(model: KripkeModel, agent: str, name: str) -> bool:
    """Return whether a relation is not one of a logic, by the definitions of the properties."""
    pairs, worlds = set(model.relation(agent)), model.worlds
    steps = [(w, v, u) for w, v in pairs for x, u in pairs if x == v]
    forks = [(v, u) for w, v in pairs for x, u in pairs if x == w]
    has = {
        "reflexive": all((w, w) in pairs for w in worlds),
        "serial": all(any(x == w for x, _ in pairs) for w in worlds),
        "transitive": all((w, u) in pairs for w, _, u in steps),
        "euclidean": pairs.issuperset(forks),
        "symmetric": all((v, w) in pairs for w, v in pairs),
    }
    return not all(has[wanted] for wanted in LOGICS[name].properties)


@pytest.mark.parametrize("seed", SEEDS)
def test_frame_flaws_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(40):
        model, of = random_model(rng), {agent: rng.choice(list(LOGICS)) for agent in "ab"}
        clauses = [f"{agent}: {name}" for agent, name in of.items()]
        rng.shuffle(clauses)
        flaws = model.frame_flaws(", ".join(clauses))
        assert set(flaws) == {agent for agent, name in of.items() if lacks(model, agent, name)}
        swapped = KripkeModel(
            model.worlds, {"b": model.relation("a"), "a": model.relation("b")}, {"p": [0]}, [0]
        )
        renamed = swapped.frame_flaws(f"a: {of['b']}, b: {of['a']}")
        assert renamed == {"ab"["ba".index(agent)]: flaw for agent, flaw in flaws.items()}
        same = rng.choice(list(LOGICS))
        assert model.frame_flaws(f"a: {same}, b: {same}, others: K") == model.frame_flaws(same)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_exercise_with_one_logic_for_all_agents_is_the_plain_one(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        f, name = formula("plain", rng, 2), rng.choice(list(LOGICS))
        plain, mixed = Valid("", f, name), Valid("", f, logic_named(f"b: {name}, a: {name}, others: KD").name)
        assert mixed.solution() == plain.solution()
        assert mixed.form.words == plain.form.words or not f.agents
        assert mixed.question() == plain.question() or not f.agents
        answer = "valid" if rng.random() < 0.3 else f"w*: p; v: q; {'; '.join(f'{a}: w-v' for a in f.agents)}"
        if f.agents and f.atoms == {"p", "q"}:
            assert mixed.judge(mixed.form.read(answer)) == plain.judge(plain.form.read(answer))


@pytest.mark.parametrize("seed", SEEDS)
def test_exercises_are_solved_by_their_solutions_in_any_order_of_the_clauses(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(8):
        f, of = formula("plain", rng, 2), {agent: rng.choice(list(LOGICS)) for agent in "ab"}
        first, second = (
            Valid("", f, logic_named(text).name)
            for text in (f"a: {of['a']}, b: {of['b']}", f"b: {of['b']}, a: {of['a']}")
        )
        assert first == second
        assert first.judge(first.form.read(first.solution())).right
        for agent in f.agents:
            assert of[agent] in first.question()


def test_the_question_says_the_logic_of_each_agent_and_answers_are_judged_by_it() -> None:
    given = {"kind": "valid", "formula": "K_a K_b p -> p", "logic": "b: KD45, a: S5"}
    exercise = from_dict(given)
    assert "valid in the logic where a has S5, and b has KD45?" in exercise.question()
    right = "w*: ; v: p; a: ; b: w->v, v->v"
    assert exercise.judge(exercise.form.read(right)).right
    turned = exercise.judge(exercise.form.read("w*: ; v: p; b: ; a: w->v, v->v"))
    assert not turned.right
    assert "the relation of b is not serial" in str(turned)
    assert not exercise.judge(exercise.form.read("valid")).right


def test_models_and_derivations_of_mixed_logics() -> None:
    logic = logic_named("a: S5, b: KD45").name
    wanted = FindModel("", parse("p & K_b ~p & K_a p"), logic)
    assert wanted.judge(wanted.form.read(wanted.solution())).right
    derived = Derivation("", parse("K_a K_b p -> K_b p"), logic)
    assert derived.judge(derived.form.read(derived.solution())).right
    by_t_of_b = "K_b p -> p   T"
    assert not derived.judge(derived.form.read(by_t_of_b)).right


@cases(("a: S6", "unknown logic 'S6'"), ("a: S5, a: K", "agent a has two"), ("a S5:", "unknown logic ''"))
def test_wrong_logics_are_refused_in_one_line(logic: str, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        from_dict({"kind": "valid", "formula": "K_a p -> p", "logic": logic})
    with pytest.raises(FormatError, match=re.escape(said)):
        story(f"agents: a\nlogic: {logic}\natoms: p\nsees a: p")


TOLD = """
agents: a, b
logic: {}
atoms: p
sees a: p
actual: p
tell b: p
"""


@pytest.mark.parametrize(("logic", "flaw"), [("a: KD45", ""), ("b: KD45", "a is not reflexive"), ("K", "")])
def test_a_story_stays_in_its_logic(logic: str, flaw: str) -> None:
    told = story(TOLD.format(logic))
    if not flaw:
        assert len(told.history().model) == 2 + 1
        return
    with pytest.raises(FormatError, match=f"line 7: this leaves the logic .* the relation of {flaw}"):
        list(told.outcomes())


def test_a_story_names_only_its_agents() -> None:
    with pytest.raises(FormatError, match="unknown agent 'c'"):
        story(TOLD.format("c: KD45"))


def test_a_story_may_say_its_logic_before_its_agents() -> None:
    early = TOLD.replace("agents: a, b\n", "").replace("logic: {}\n", "logic: {}\nagents: a, b\n")
    for logic in ("a: KD45", "a: S5, b: KD45"):
        assert story(early.format(logic)).logic == story(TOLD.format(logic)).logic
    with pytest.raises(FormatError, match="line 2, column 8: unknown agent 'c'"):
        story(early.format("c: KD45"))
