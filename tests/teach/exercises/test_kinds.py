"""The kinds of exercises: right and equivalent answers, typical mistakes, bad input, files and exports."""

import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kripke_werewolf.base.errors import FormatError, ModelError
from kripke_werewolf.logic.formulas import Formula, parse
from kripke_werewolf.logic.models import KripkeModel, bisimilar
from kripke_werewolf.logic.semantics import ActionModel, Event, private, semi_private
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import (
    Exercise,
    from_dict,
    new_exercise,
    parse_exercise,
    to_dict,
    to_markdown,
    to_toml,
)
from kripke_werewolf.teach.exercises.drawings import drawing, sight_pairs
from kripke_werewolf.teach.exercises.games import WhoKnows
from kripke_werewolf.teach.exercises.generation import plain_formula
from kripke_werewolf.teach.exercises.relations import Bisimilar, FrameProperties
from kripke_werewolf.teach.exercises.translating import Reduce, ToFormula
from kripke_werewolf.teach.exercises.truth import (
    Announcement,
    Distinguish,
    Product,
    TruthSet,
    UpdatedTruthSet,
)
from kripke_werewolf.teach.exercises.validity import Derivation, FindModel, Valid
from kripke_werewolf.teach.exercises.writing_actions import WriteAction, effects_apart
from kripke_werewolf.teach.language import in_signs
from tests.cases import cases, each

MODEL = KripkeModel.from_partitions(
    ["w", "v", "u"], {"a": [["w", "v"], ["u"]], "b": [["w"], ["v", "u"]]}, {"p": ["w", "v"], "q": ["w"]}
)
TOLD = ActionModel(
    {"e": "p", "f": True}, {"a": [("e", "e"), ("f", "f")], "b": [("e", "f"), ("f", "f")]}, ["e"]
)
ASKED = semi_private("a", "q").for_agents("ab", "pq")
COPY = KripkeModel.from_partitions(
    ["x", "y", "z", "t"],
    {"a": [["x", "y", "t"], ["z"]], "b": [["x", "t"], ["y", "z"]]},
    {"p": ["x", "y", "t"], "q": ["x", "t"]},
    "x",
)
OTHER = KripkeModel.from_partitions(
    ["x", "y"], {"a": [["x", "y"]], "b": [["x"], ["y"]]}, {"p": ["x", "y"], "q": ["x"]}, "x"
)
FRAME = KripkeModel(["w", "v", "u"], {"a": [("w", "v"), ("v", "u"), ("u", "u")]}, {})

TRUE_AFTER = UpdatedTruthSet("", MODEL, parse("p"), None, parse("K_b q | K_b ~q"))
WHOLE = Product("", MODEL, None, ASKED)
LEFT = Product("", MODEL, parse("p"), None)
VALID, NOT_VALID = Valid("", parse("K_a p -> p"), "T"), Valid("", parse("p -> K_a M_a p"), "S4")
SAME, DIFFERENT = Bisimilar("", MODEL.point("w"), COPY), Bisimilar("", MODEL.point("w"), OTHER)
PROPERTIES = FrameProperties("", FRAME, "a")
ENGLISH = ToFormula("", parse("C_{a,b} p -> Kw_a q"))
STATIC = Reduce("", parse("[!p]K_a q"))
ACTION = WriteAction("", "a is told p; b notices nothing.", TOLD)
EVERY = {"a": [("e", "e")], "b": [("e", "e")]}
FLIP = WriteAction(
    "", "p changes its truth value.", ActionModel({"e": Event(True, {"p": "~p"})}, EVERY, ["e"])
)
SAID = WriteAction("", "a says: I know p.", ActionModel({"e": "K_a p"}, EVERY, ["e"]), "S5")
SAID_IN_K = WriteAction("", "a says: I believe p.", ActionModel({"e": "K_a p"}, EVERY, ["e"]))
KNOWING = WhoKnows("", MODEL.point("w"), parse("q"))
FIND = FindModel("", parse("p & ~K_a p"), "S5", 2)
DEALS = KripkeModel.from_partitions(
    ["11", "10", "01", "00"],
    {
        "a": [["11"], ["10"], ["01"], ["00"]],
        "b": [["11", "01"], ["10", "00"]],
        "c": [["11", "10", "01", "00"]],
    },
    {"p": ["11", "10"], "q": ["11", "01"]},
    "11",
)
P = parse("p")
TRUE_AT = TruthSet("where", DEALS, parse("K_b q"))
SMALL = FindModel("", parse("p & ~K_a p & K_a Kw_b p"), "S5", 2)
APART = Distinguish("", DEALS, "11", "10")
SECRET = Announcement("", DEALS, "a", (("b", P),), (("c", P),))


def two_worlds(**changes: object) -> str:
    found = KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"]}, "w"
    ).to_dict()
    return json.dumps({**found, **changes})


ALL: list[Exercise] = [
    TRUE_AFTER, WHOLE, LEFT, VALID, NOT_VALID, SAME, DIFFERENT, PROPERTIES,
    ENGLISH, STATIC, ACTION, FLIP, SAID, KNOWING, FIND,
    TRUE_AT, SMALL, APART, SECRET,
]  # fmt: skip


@each(ALL)
def test_the_solution_is_right_and_files_are_read_back(exercise) -> None:
    assert exercise.check(exercise.solution()).right
    assert parse_exercise(to_toml(exercise)) == exercise
    assert from_dict(to_dict(exercise)) == exercise


@cases(
    (TRUE_AFTER, "{w, v}"),
    (LEFT, "w: p, q; v: p; a: v-w"),
    (WHOLE, "(w,yes): p q\n(v, no): p\n(u, no):\na: (v, no)->(v,no)\nb: (u, no)-(v, no)"),
    (SAME, "w-x, w-t, v-y, u-z"),
    (DIFFERENT, "M_a M_b ~p"),
    (ENGLISH, "C_{b,a} p -> K_a q | K_a ~q"),
    (STATIC, "~p | K_a (~p | q)"),
    (ACTION, "t*: p; n: true; a: t->t, n->n; b: t->n, n->n"),
    (ACTION, "e*: p; f: p; g: ~p; a: e->e, f->f, g->g; b: e->f, e->g, f-g, f->f, g->g; a: f-g"),
    (FLIP, "e*: p, p := false; f*: ~p, p:=true; a: e-f, e->e, f->f; b: e-f, e->e, f->f"),
    (SAID, "e*: p & K_a p; a: e->e; b: e->e"),
    (SAID_IN_K, "e*: K_a p & (q | ~q); a: e->e; b: e->e".replace("q", "p")),
    (FIND, "w: p; v: ; a: w-v"),
    (TRUE_AT, "01\n11"),
    (TruthSet("", DEALS, parse("p & ~p")), "none"),
    (SECRET, "p <-> q"),
)
def test_equivalent_answers_are_right(exercise, answer) -> None:
    result = exercise.check(answer)
    assert result.right, result
    assert result.reason


@cases(
    (TRUE_AT, "11", "01 is missing\nb knows that q is true"),
    (SMALL, two_worlds(worlds=["w", "v", "u"], relations={"a": [], "b": []}), "at most 2 are allowed"),
    (
        SMALL,
        two_worlds(relations={"a": [["w", "v"]], "b": []}),
        "the relation of a is not reflexive: w does not see itself",
    ),
    (
        SMALL,
        two_worlds(relations={"a": {"classes": [["w", "v"]]}, "b": {"classes": [["w", "v"]]}}),
        "b does not know whether p is true",
    ),
    (APART, "p", "true at both worlds"),
    (SECRET, "~p", "a cannot say it truthfully"),
    (SECRET, "p", "c does not know whether p is true"),
    (SECRET, "q", "afterwards it should be true that b knows that p is true"),
)
def test_wrong_answers_get_a_reason(exercise, answer, reason) -> None:
    result = exercise.check(answer)
    assert not result.right
    assert reason in result.reason, result.reason


@cases(
    (TruthSet("", MODEL, parse("C_{a,b} p")), "w", "E for C", "w does not belong there"),
    (TruthSet("", MODEL, parse("K_a q")), "w, v", "diamond for box", "a does not know that q is true"),
    (TruthSet("", MODEL, parse("M_b p")), "w", "box for diamond", "v is missing"),
    (TRUE_AFTER, "w, v, u", "", "u is not in the updated model"),
    (WHOLE, "(w, yes): p, q; (v, no): p; (u, no): ; a: ; b:", "", "arrow of b from (v, no)"),
    (
        WHOLE,
        "(w, yes): p, q; (v, no): p; (u, no): ; a: (w, yes)-(v, no); b: (v, no)-(u, no)",
        "",
        "arrow of a from (w, yes) to (v, no) does not belong there",
    ),
    (WHOLE, "(w, yes): p, q; (w, no): p, q", "", "(w, no) is not in the updated model"),
    (NOT_VALID, "valid", "", "here is a counter-model"),
    (NOT_VALID, "w: p; v: ; a: w->v", "", "the relation of a is not reflexive: w does not see itself"),
    (VALID, "w: p; a: w->w", "", "not a counter-model"),
    (SAME, "w-x, v-y, u-z", "", "from x a sees t, but from w only w, v"),
    (DIFFERENT, "w-x, v-y", "", "does not fit"),
    (ENGLISH, "E_{a,b} p -> Kw_a q", "E for C", "in this model"),
    (ENGLISH, "C_{a,b} p -> K_a q", "knows that for knows whether", "in this model"),
    (STATIC, "K_a q", "", "in this model"),
    (ACTION, "e*: p; a: e->e; b: e->e", "", "K_b p is true after your action"),
    (ACTION, "e*: p; f: ~p; a: e->e, f->f; b: e-f, e->e, f->f", "", "after the right one"),
    (ACTION, "e*: true; f: true; a: e->e, f->f; b: e->f, f->f", "", "where no atom is true, your"),
    (
        FLIP,
        "e*: p, p := false; f*: ~p, p := true; a: e->e, f->f; b: e-f, e->e, f->f",
        "",
        "K_a ¬p is true after",
    ),
    (FLIP, "e*: p; a: e->e; b: e->e", "", "where no atom is true, your action cannot happen, but should"),
    (SAID, "e*: C_{a,b} p; a: e->e; b: e->e", "", "this cannot be compared: conditions with C_{a,b} p"),
)
def test_typical_mistakes_are_wrong_for_the_right_reason(
    exercise: Exercise, answer: str, mistake: str, reason: str
) -> None:
    result = exercise.check(answer)
    assert not result.right
    assert mistake in result.mistake
    assert bool(mistake) <= bool(result.mistake)
    assert reason in result.reason, result.reason
    assert 0 <= result.partial < 1


@pytest.mark.parametrize("kind", sorted(Exercise.kinds))
def test_fresh_exercises_are_kept_and_their_mistakes_are_read(kind: str) -> None:
    for seed in range(3):
        exercise = new_exercise(kind, rng=seed)
        assert parse_exercise(to_toml(exercise)) == exercise
        assert exercise.difficulty() > 0
        for mistake in exercise.mistakes():
            result = exercise.check(mistake.answer)
            assert result.right or result.mistake


@cases(
    (LEFT, "w: p; a: w-x", "line 1, column 12: unknown world 'x'"),
    (WHOLE, "(w, yes): p\n(w, yes): p", "line 2, column 1: the world '(w, yes)' is drawn twice"),
    (VALID, "perhaps", "line 1, column 1: expected valid: reflexive"),
    (FIND, "the world w", "line 1, column 5: expected a name and a colon"),
    (FIND, "a: none", "line 1, column 1: expected a model: no world is drawn"),
    (FIND, "\n".join(f"w{n}:" for n in range(65)), "line 65, column 1: at most 64 worlds"),
    (SAME, "w-v", "line 1, column 1: a pair needs a world of each model"),
    (ACTION, "e: p, p := K_d p; a: e->e", "line 1, column 14: unknown agent 'd'"),
    (ACTION, "\n".join(f"e{n}: p" for n in range(17)), "line 17, column 1: at most 16 events"),
    (ENGLISH, "C_{a,b} r", "line 1, column 9: unknown atom 'r'"),
    (PROPERTIES, "irreflexive", "line 1, column 1: unknown property 'irreflexive'"),
    (TRUE_AT, " ", "line 1, column 1: expected names of worlds"),
    (APART, "q &\n  &", "line 2, column 3: unexpected"),
    (SMALL, two_worlds(valuation={"q": ["w"]}), "a.txt: unknown atom 'p'"),
)
def test_what_is_no_answer(exercise, answer, message) -> None:
    with pytest.raises(FormatError) as caught:
        exercise.check(answer, source="a.txt")
    assert str(caught.value).removeprefix("a.txt, ").startswith(message)


def test_known_names_are_listed_in_alphabetical_order() -> None:
    names = [f"p{n}" for n in range(9)]
    exercise = FindModel("", parse(" & ".join(reversed(names))), "S5", 1)
    with pytest.raises(FormatError, match=f"unknown atom 'z' .known: {', '.join(names)}"):
        exercise.check("w: z")


@cases(
    (lambda: Product("", MODEL, None, None), "either an announced formula or an action"),
    (lambda: Bisimilar("", MODEL, COPY), "the left model must designate the world"),
    (lambda: Bisimilar("", MODEL.point("w"), MODEL.point("v")), "both models have a world u"),
    (lambda: WriteAction("", "told", private("a", "p")), "must give the arrows of each agent"),
    (lambda: Derivation("", parse("p"), "S5").solution(), "not valid in S5"),
)
def test_exercises_that_make_no_sense(make, message) -> None:
    with pytest.raises(ModelError, match=message):
        make()  # type: ignore[operator]


def random_action(rng: np.random.Generator) -> ActionModel:
    """Return a random action of two or three events for a and b, about p and q."""
    names = "efg"[: int(rng.integers(2, 4))]
    events = {
        name: Event(plain_formula(int(rng.integers(2)), rng), {"p": plain_formula(0, rng)} if k == 1 else {})
        for k, name in enumerate(names)
    }
    pairs = {a: [(x, y) for x in names for y in names if rng.random() < 0.6] for a in "ab"}
    return ActionModel(events, pairs, ["e"])


def divided(action: ActionModel, by: Formula) -> ActionModel:
    """Return an action with two copies of each event: one where a formula is true, one where it is false."""
    events = {
        (name, there): Event(event.pre & (by if there else ~by), event.post)
        for name, event in action.events.items()
        for there in (True, False)
    }
    pairs = {
        a: [(x, y) for x in events for y in events if (x[0], y[0]) in sight_pairs(action, a)] for a in "ab"
    }
    return ActionModel(events, pairs, [("e", True), ("e", False)])


@pytest.mark.parametrize("seed", range(12))
def test_actions_have_the_same_effect_if_their_products_are_bisimilar(seed: int) -> None:
    rng = np.random.default_rng(seed)
    action, by = random_action(rng), plain_formula(int(rng.integers(2)), rng)
    split = divided(action, by)
    kept = [name for name in split.events if rng.random() < 0.9] or [("e", True)]
    pairs = {a: [(x, y) for x in kept for y in kept if (x[0], y[0]) in sight_pairs(action, a)] for a in "ab"}
    changed = ActionModel(
        {n: split.events[n] for n in kept}, pairs, [n for n in kept if n[0] == "e"] or kept[:1]
    )
    assert not effects_apart(split, action, "pq", "ab")
    same = not effects_apart(changed, action, "pq", "ab")
    alike = all(effects_alike(changed, action, rng) for _ in range(12))
    assert alike or not same


def effects_alike(mine: ActionModel, right: ActionModel, rng: np.random.Generator) -> bool:
    """Return whether two actions lead to bisimilar worlds from each world of a random model."""
    worlds = range(int(rng.integers(2, 5)))
    pairs = {a: [(w, v) for w in worlds for v in worlds if rng.random() < 0.5] for a in "ab"}
    start = KripkeModel(worlds, pairs, {p: [w for w in worlds if rng.random() < 0.5] for p in "pq"})
    happen = [{(w, e) for w in worlds for e in action.events if start.holds(action.events[e].pre, at=w)}
              for action in (mine, right)]  # fmt: skip
    if not all(happen):
        return not any(happen)
    after = [start.update(action.point(*action.events)) for action in (mine, right)]
    for w in worlds:
        ends = [
            [(w, e) for e in action.designated if (w, e) in happen[k]]
            for k, action in enumerate((mine, right))
        ]
        for k in (0, 1):
            for x in ends[k]:
                if not any(bisimilar(after[k], x, after[1 - k], y) for y in ends[1 - k]):
                    return False
    return True


def test_a_drawing_is_read_as_the_model_it_draws() -> None:
    form = FindModel("", parse("K_a p & K_b q"), "K").form
    for model in (
        MODEL.point("v"),
        OTHER,
        KripkeModel(["w", "v"], {"a": [("w", "v")], "b": []}, {"p": [], "q": []}, "v"),
    ):
        assert form.read(drawing(model, logic="K")) == model
    s5 = FindModel("", parse("K_a p & K_b q"), "S5").form
    assert s5.read(drawing(COPY)) == COPY


@pytest.mark.parametrize("event", ["action", "announcement"])
def test_a_drawn_update_marks_the_worlds_that_may_be_actual(event: str) -> None:
    some = 0
    for seed in range(12):
        exercise: Any = new_exercise("product", rng=seed, event=event)
        left = exercise.after().designated[0]
        first = left if exercise.action is None else left[0]
        for task in (exercise, replace(exercise, model=exercise.model.point(first))):
            after = task.after()
            marked = set(re.findall(r"^(.*)\*:", task.solution(), re.MULTILINE))
            assert marked in ({world_text(w) for w in after.designated}, set())
            assert bool(marked) != after.designates_all
            some += bool(marked)
    assert some


def test_bars_of_rows_are_no_signs() -> None:
    for f in (parse("p1 | q2"), parse("~p | (q & p1 | q)")):
        for bars in ("", "| ", "| | "):
            assert in_signs(f"hint: 12. {bars}{f}   |I 3") == f"hint: 12. {bars}{f.unicode()}   |I 3"


def test_exercises_without_solution() -> None:
    for exercise in (
        FindModel("", parse("K_a p & ~p"), "S5"),
        Distinguish("", DEALS, "11", "11"),
        Announcement("", DEALS, "a", (("b", parse("~p")),)),
    ):
        with pytest.raises(ModelError, match=r"no solution|no model"):
            exercise.solution()


@each(ALL)
def test_export_keeps_the_solution_apart(exercise) -> None:
    plain, solved = to_markdown(exercise), to_markdown(exercise, solution=True)
    assert solved.startswith(plain.rstrip("\n"))
    assert "olution" not in plain
    assert "olution" in solved
    assert all(
        f"`{f.unicode()}`" in plain for f in exercise.formulas() if f"`{f.unicode()}`" in exercise.question()
    )


def test_a_model_without_the_header_of_its_format_is_read() -> None:
    exercise = FindModel("", parse("p"), "S5", 1)
    answer = '{"worlds": ["u"], "designated": ["u"], "relations": {}, "valuation": {"p": %s}}'
    assert exercise.check(answer % '["u"]').right
    assert not exercise.check(answer % "[]").right
