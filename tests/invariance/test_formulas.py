"""What a formula says does not depend on how it is written, named or handed in."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from kripke_werewolf import Formula, FormulaError, KripkeModel, parse, to_sentence
from kripke_werewolf.logic import formulas as f
from kripke_werewolf.logic.english.sentence_parser import from_sentence, read_question
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from tests.invariance.variants import FRESH, WEIRD, Names, nested, renamings, rewritten
from tests.reference.kripke import Plain
from tests.strategies import formulas, formulas_with_actions, plain_models

ATOMS = ("p", "q", "r", *FRESH)
MODELS = plain_models(atoms=ATOMS, max_worlds=4)
FORMULAS = formulas_with_actions(max_depth=3)
RANDOM = st.randoms(use_true_random=False)
fewer = settings(max_examples=max(10, settings.default.max_examples // 2))


def evaluated(model: KripkeModel, formula: Formula) -> list[object]:
    """Return where a formula is true; formulas that a quantifier forbids to evaluate are not tested."""
    try:
        return model.where(formula)
    except FormulaError as error:
        assume("in the action of" not in str(error))
        raise


@given(MODELS, FORMULAS, RANDOM)
def test_other_writings_are_true_at_the_same_worlds(plain: Plain, formula: Formula, rng: Random) -> None:
    model = plain.build()
    true = evaluated(model, formula)
    others = [nested(formula), nested(formula, right=False), rewritten(formula, rng)]
    for other in (*others, ~rewritten(~formula, rng)):
        assert plain.build().where(other) == true == model.where(other)


def renamed(plain: Plain, names: Names) -> KripkeModel:
    """Return the model of the same parts under other names."""
    world = names.world
    return KripkeModel(
        map(world, plain.worlds),
        {names.agent(a): [(world(w), world(v)) for w, v in pairs] for a, pairs in plain.relations.items()},
        {names.atom(p): map(world, true) for p, true in plain.true.items()},
        [world(w) for w in plain.worlds if w in plain.designated],
        weights={
            names.agent(a): {world(w): x for w, x in given.items()} for a, given in plain.weights.items()
        },
        variables={
            x: {value: names.formula(g) for value, g in values.items()}
            for x, values in plain.variables.items()
        },
    )


RENAMINGS = renamings(atoms=ATOMS, worlds=tuple(range(4)))


@fewer
@given(MODELS, FORMULAS, RENAMINGS)
def test_names_do_not_matter(plain: Plain, formula: Formula, names: Names) -> None:
    model, other, said = plain.build(), renamed(plain, names), names.formula(formula)
    true = [names.world(w) for w in evaluated(model, formula)]
    assert other.where(said) == true
    assert other.verdict(said) == model.verdict(formula)
    assert [other.holds(said, at=w) for w in true] == [True] * len(true)
    assert KripkeModel.from_dict(json.loads(json.dumps(other.to_dict()))).where(said) == true


READINGS: dict[str, Callable[[Formula], Formula]] = {
    "ascii": lambda g: parse(str(g)),
    "unicode": lambda g: parse(g.unicode()),
    "latex": lambda g: parse(g.latex()),
    "in dollars": lambda g: parse(f"${g.latex()}$"),
    "repr": lambda g: eval(repr(g), vars(f)),  # type: ignore[no-any-return]
    "sentence": lambda g: from_sentence(to_sentence(g)),
}


@pytest.mark.parametrize("notation", READINGS)
@given(formulas(variables=["x"], actions=[f.Act("act")]), renamings())
def test_what_is_printed_is_read_back(notation: str, formula: Formula, names: Names) -> None:
    assert READINGS[notation](formula) is formula
    said = names.formula(formula)
    assert READINGS[notation](said) is said


@pytest.mark.parametrize("name", WEIRD)
def test_any_name_of_an_agent_an_atom_or_a_world_can_be_asked_about(name: str) -> None:
    model = KripkeModel.from_partitions([name, "v"], {name: [[name], ["v"]]}, {name: [name]}, name)
    about = Vocabulary(model.agents, model.atoms)
    asked = f.Knows(name, f.Atom(name))
    for read in (asked, str(asked), asked.unicode(), asked.latex()):
        assert model.where(read) == [name]
        assert model.holds(read, at=name)
    assert read_question(str(asked), about) is asked
    assert model.announce(f.Atom(name)).worlds == (name,)
