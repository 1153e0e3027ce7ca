"""Answers as students write them: another spelling, order or notation never changes the marks."""

import json
import random
from contextlib import suppress
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path

import pytest

from kripke_werewolf import FormatError, KripkeModel, parse
from kripke_werewolf.teach.exercises import Exercise, Listing, Result, new_exercise, parse_exercise
from kripke_werewolf.teach.exercises.drawings import AModel
from kripke_werewolf.teach.exercises.forms import Form, Names
from kripke_werewolf.teach.exercises.relations import ABisimulation
from kripke_werewolf.teach.exercises.validity import Derivation, Valid
from tests.cases import each

# right answers to the exercises that seed 4 draws, written from the questions alone
ODD = [
    (kind, answer)
    for kind, answers in {
        "truth-set": [
            *("w2 w4", "w2 and w4", "W2, W4", "w_2, w_4", "$\\{w_2, w_4\\}$", "{w2, w4}.", "w2; w4"),
            *("At w2 and w4.", "w₂, w₄", "w4,w2,", "w2 & w4", "the worlds w2 and w4", "\\(\\{w2,w4\\}\\)"),
            *("- w2\n- w4", "The answer is: w2, w4", "[[φ]] = {w2, w4}", "It holds at **w2** and `w4`."),
            *("all but w1 and w3", "everywhere except w1, w3", "W \\ {w1, w3}", "2, 4"),
            *("w1: no, w2: yes, w3: no, w4: yes", "w2 ✓; w4 ✓; w3 ✗; w1 ✗", "{w2} ∪ {w4}"),
            *("1. w2\n2. w4", "1) w2\n2) w4.", "1. 2\n2. 4", "2. 4."),
        ],
        "updated-truth-set": ["W1.", "only w1", "{w_1}", "$w_{1}$"],
        "frame-properties": [
            "Serial and Euclidean.",
            "only euclidean & serial",
            "seriality; euclideanness",
            "1. serial\n2. euclidean",
        ],
        "who-knows": ["ann, bo, di", "Only Ann, Bo and Di know it.", "Di Bo Ann."],
        "bisimilar": ["Not bisimilar: M_a (p & q)", "No, M_a(p ∧ q)", "$\\lozenge_a (p \\land q)$"],
        "valid": [
            "not valid: w0*: ; w1: p, q; w2: ; a: w0-w2; b: w0-w1",
            "Not valid.\nW0*:\nW1: p q\nW2:\na: W0-W2\nb: W0-W1",
            "```\nw0*:\nw1: p, q\nw2:\na: w0-w2\nb: w0-w1\n```",
            "w0: none\nw1: p and q\nw2: -\na: w0 - w2\nb: w0 - w1",
            "w₀*: ; w₁: p, q; w₂: ; a: w₀-w₂; b: w₀-w₁",
        ],
        "to-formula": [
            *("$Kw_b K_a q$", "Kw_b(K_a(q)).", "K_b K_a q or K_b not K_a q"),
            *("K_b K_a q \\lor K_b \\neg K_a q", "Kb Ka q v Kb ~Ka q", "□_b □_a q ∨ □_b ¬□_a q"),
        ],
        "reduce": [
            "q -> ~K_a (q -> K_b (q -> ~p)) & ~K_a (q -> ~K_b (q -> ~p)).",
            r"$q \to \neg K_a(q \to K_b(q \to \neg p)) \land \neg K_a(q \to \neg K_b(q \to \neg p))$",
        ],
        "derivation": [
            "1 ~K_a q -> K_a ~K_a q (5)\n2 M_a K_a q -> K_a q (PL 1)",
            "~K_a q -> K_a ~K_a q by 5\nM_a K_a q -> K_a q by PL 1",
        ],
        "action-model": ["E*: q; F: ¬q; G: ⊤; a: E->E, F->F, G->G; b: E->E, E-F, E-G, F->F, F-G, G->G"],
    }.items()
    for answer in answers
]


@pytest.mark.parametrize("kind", sorted({kind for kind, _ in ODD}))
def test_right_answers_in_odd_forms_are_right(kind: str) -> None:
    exercise = GIVEN[kind] if kind in GIVEN else new_exercise(kind, rng=4)
    for answer in (answer for known, answer in ODD if known == kind):
        assert exercise.check(answer).right, answer


COUNTERED = Valid("", parse("K_a ~(p & q) -> K_b ~(p & q)"), "S5")
GIVEN = {"valid": COUNTERED, "derivation": Derivation("", parse("M_a K_a q -> K_a q"), "S5")}

MODEL = "w*: p, q\nv: q\nu:\na: w-v\nb: v-u"


SAME = [
    "w: p, q; v: q; u: ; a: {w, v}; b: {v, u}, {w}",
    "w: p, q, v: q, u: -, a: w-v, b: v-u",
    "w (actual): {p, q}\nv: {q}\nu: {}\nR_a: w ~ v\nR_b: v <-> u",
    "W = {w, v, u}\nR_a = {(w,v), (v,w)}\nR_b = {(v,u)}\nV(p) = {w}\nV(q) = {w, v}",
    r"$W = \{w, v, u\}$; $R_a = \{(w,v)\}$; $R_b = \{(v,u)\}$; $V(p) = \{w\}$; $V(q) = \{w, v\}$",
    "worlds: u, v, w\np: w\nq: all but u\nactual world: w\na: w,v | u\nb: w | v u",
    "w ⊨ p, q; v ⊨ ¬p, q; u ⊨ not p, not q; agent a: w sees v; agent b: v sees u",
    "u:\nv: q is true\n@w: p and q\narrows of a: v <- w\nb: u, v | w",
]


@each(SAME)
def test_the_same_model_in_other_words(text) -> None:
    form = AModel(("p", "q"), ("a", "b"), "S5")
    model, known = form.read(text), form.read(MODEL)
    assert model.designated == ("w",)
    for f in map(parse, ("K_a p", "K_b q", "M_b p", "K_a K_b q", "M_a M_b ~q", "p & q", "K_b ~q", "K_a q")):
        assert set(model.where(f)) == set(known.where(f)), f
    assert form.read(form.write(model)) == model


RELATIONS = [
    ("w1->w2, w1->w3", "w1 -> {w2, w3}", "w1 -> w2, w3", "w1 sees w2 and w3", "w2 <- w1, w3 <- w1"),
    ("w1-w2, w2-w3", "w1 <-> w2 <-> w3", "w1 – w2 – w3", "w1 ~ w2, w2 <--> w3"),
    ("w1->w1, w2->w2, w3->w3", "loops only", "identity", "{w1}, {w2}, {w3}", "(w1,w1) (w2,w2) (w3,w3)"),
    ("w1->w1, w1-w2, w2->w2", "{w1, w2}", "{w1,w2} -> {w1,w2}", "w1 sees itself, w1 <=> w2, w2 sees itself"),
    ("w1->w3, w2->w3", "{w1, w2} -> w3", "⟨w1,w3⟩, ⟨w2,w3⟩", "w1 --> w3, w2 ⇒ w3", "w1 R w3, w2 R_a w3"),
    ("none", "{}", "∅", "no arrows", "nothing"),
]


def relation(arrows: str) -> set[tuple[object, object]]:
    """Return the arrows of a model with three worlds."""
    model: KripkeModel = AModel(("p",), ("a",), "K").read(f"w1: ; w2: ; w3: ; a: {arrows}")
    return set(model.relation("a"))


def test_the_same_relation_in_other_words() -> None:
    for plain, *others in RELATIONS:
        assert [way for way in others if relation(way) != relation(plain)] == []
    assert relation("all") == relation("W x W") == relation("{w1, w2, w3}")
    assert len(relation("total")) == 9


NOT_READ = [
    (kind, answer)
    for kind, answers in {
        "truth-set": ["not w1", "w3-w1", "all w2", "w2 or w4", "w2 >= w4", "all but", "w2w4", "w12"],
        "who-knows": ["not Cy", "Ann to Cy"],
        "valid": ["not valid", "no, I think", "w0: pq; a: w0-w0"],
        "find-model": ["w*: p; v*: ", "w0: p; c: w0-w0", "w0: p; w1: ; a: w0 w1"],
        "bisimilar": ["not bisimilar", "M_a (p & q) <-> ~K_a ~(p & q)"],
        "to-formula": ["Kw_b K_a q ≡ K_b K_a q | K_b ~K_a q", "p -> p <-> K_a q <-> K_a K_a q"],
    }.items()
    for answer in answers
]


def test_numbers_of_a_list_are_not_names() -> None:
    assert Names(("0", "1", "2", "3")).read("1. 0\n2. 1\n") == {"0", "1"}
    assert Names(("0", "1", "2", "3")).read("1. 2. 3.") == {"1", "2", "3"}
    assert Names(("w1", "w2", "w3", "w4")).read("1) w4") == {"w4"}


def test_equivalences_that_are_asked_for_are_right() -> None:
    for asked in ("K_a p <-> K_b p", "K_a p <-> M_a p", "K_a p <-> K_a K_a p"):
        exercise = parse_exercise(f'kind = "to-formula"\nformula = "{asked}"')
        assert exercise.check(asked).right
        assert not exercise.check("p").right


def test_words_for_arrows_are_about_the_worlds_that_are_drawn() -> None:
    exercise = new_exercise("product", event="announcement", size=4, depth=1, rng=4)
    assert exercise.check("w1*: p; w3*: q; a: all; b: loops only").right
    assert not exercise.check("w1*: p; w3*: q; a: loops only; b: all").right
    with pytest.raises(FormatError, match="line 1, column 20: unknown world 'w2'"):
        exercise.check("w1*: p; w3*: q; a: w2-w3; b: none")


@each(NOT_READ)
def test_what_could_mean_something_else_is_not_read(kind: str, answer: str) -> None:
    with pytest.raises(FormatError):
        new_exercise(kind, rng=4).check(answer)


DATA = Path(__file__).parents[2] / "data"
ODDLY = {"typed_answers.json": 9, "odd_answers.json": 1}
"""Answers as they might be typed, with the plain form of each, and how many that have a meaning are refused.

Without a plain form, an answer could mean several things, or nothing, and must be refused.
"""


@pytest.mark.parametrize("file", ODDLY)
def test_answers_in_odd_forms_are_read_as_meant_or_refused(file: str) -> None:
    data = json.loads((DATA / file).read_text(encoding="utf-8"))
    forms = {name: Form.from_dict(form) for name, form in data["forms"].items() if form["form"] != "Number"}
    refused = []
    for said in data["answers"]:
        if said["form"] not in forms:
            continue
        form, answer, means = forms[said["form"]], said["answer"], said["means"]
        try:
            found = form.read(answer)
        except FormatError:
            refused += [answer] * (means is not None)
            continue
        assert means is not None, answer
        plain = form.read(means)
        assert found == plain or form.write(found) == form.write(plain) != "", answer
    assert len(refused) <= ODDLY[file], refused


UNUSUAL = json.loads((DATA / "unusual_answers.json").read_text(encoding="utf-8"))
"""Right and wrong answers to exercises, as students might write them, and whether each is right.

101 of these 124 are judged as meant, and 23 refused.
"""


def test_unusual_answers_are_judged_as_meant_or_refused() -> None:
    refused = []
    for name, answer, right in UNUSUAL["answers"]:
        exercise = parse_exercise(UNUSUAL["exercises"][name])
        try:
            told = exercise.check(answer)
        except FormatError:
            refused.append(answer)
            continue
        if "cannot be read" in told.reason:
            refused.append(answer)
        else:
            assert told.right is right, (name, answer)
    assert len(refused) <= 23


def spelt(name: str, rng: random.Random) -> str:
    """Return a name in one of the spellings of students."""
    base, digits = name.rstrip("0123456789"), name[len(name.rstrip("0123456789")) :]
    if not digits:
        return rng.choice([name, name.upper(), name.lower(), f" {name} "])
    small = digits.translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
    shapes = [name, name.upper(), f"{base}_{digits}", f"{base}_{{{digits}}}", f"{base}{small}"]
    return rng.choice([*shapes, f"${base}_{digits}$"])


def outcome(result: Result) -> tuple[bool, object]:
    return result.right, result.partial


@pytest.mark.parametrize("seed", range(8))
def test_order_and_spelling_of_names_never_change_the_marks(seed: int) -> None:
    rng = random.Random(seed)
    for kind in ("truth-set", "frame-properties", "updated-truth-set", "who-knows"):
        exercise = new_exercise(kind, rng=seed)
        assert isinstance(exercise, Listing)
        for _ in range(4):
            chosen = [name for name in exercise.form.names if rng.random() < 0.5] or [exercise.form.names[0]]
            plainly = exercise.check(", ".join(chosen))
            rng.shuffle(chosen)
            sign = rng.choice([", ", "; ", "\n", " and ", ",", " , and "])
            written = sign.join(spelt(name, rng) for name in chosen)
            around = rng.choice(["%s", "{%s}", r"\{%s\}", r"$\{%s\}$", "only %s.", "%s."])
            assert outcome(exercise.check(around % written)) == outcome(plainly), written


@pytest.mark.parametrize("seed", range(8))
def test_order_and_spelling_of_arrows_never_change_the_relation(seed: int) -> None:
    rng = random.Random(seed)
    names = ["w1", "w2", "w3"]
    for _ in range(4):
        pairs = [(w, v) for w in names for v in names if rng.random() < 0.5] or [("w1", "w2")]
        rng.shuffle(pairs)
        shapes = ("%s->%s", "%s → %s", "(%s,%s)", "( %s , %s )", r"%s \to %s", "%s to %s")
        parts = [rng.choice(shapes) % (spelt(w, rng), spelt(v, rng)) for w, v in pairs]
        written = rng.choice([", ", " ", " and "]).join(parts)
        assert relation(written) == set(pairs), written


@pytest.mark.parametrize("seed", range(6))
def test_order_and_additions_never_change_the_marks_of_a_counter_model(seed: int) -> None:
    rng = random.Random(seed)
    logic = rng.choice(["S5", "KD45", "T"])
    drawn = (new_exercise("valid", rng=seed + 10 * n, logic=logic) for n in range(99))
    exercise = next(x for x in drawn if not x.solution().startswith("valid"))
    first, *rest = exercise.solution().splitlines()
    rng.shuffle(rest)
    written = [f"{first}, z7", *rest] if first.rstrip()[-1] != ":" else [f"{first} z7", *rest]
    written += ["z: " + first.partition("*")[0] + "->" + first.partition("*")[0]]
    lines = "\n".join(written)
    for answer in (lines, f"Not valid: {'; '.join(written)}", f"It is not valid.\n{lines}"):
        told = exercise.check(answer)
        assert told.right, (answer, told)
        assert "read as: " in told.reason
        assert "z" not in told.reason.partition("read as: ")[2]


@pytest.mark.parametrize("seed", range(6))
def test_a_set_is_the_same_as_a_range_and_as_all_but_the_rest(seed: int) -> None:
    rng = random.Random(seed)
    names = tuple(f"s{n}" for n in range(1, 9)) if seed % 2 else tuple("abcdefgh")
    form = Names(names)
    first, last = sorted(rng.sample(range(8), 2))
    chosen = set(names[first : last + 1])
    rest = [name for name in names if name not in chosen]
    sign = rng.choice([" - ", "–", "..", " to ", ", ..., ", ", …, "])
    ways = [f"{names[first]}{sign}{names[last]}", f"from {names[first]} to {names[last]}."]
    ways += [
        rng.choice(["all but %s", "everywhere except at {%s}", "All worlds other than %s."])
        % " and ".join(rest)
    ]
    ways += ["; ".join(f"{name}: {'yes' if name in chosen else 'no'}" for name in rng.sample(names, 8))]
    for text in ways if rest else ways[:2]:
        assert form.read(text) == chosen, text
    for word in ("all", "Everywhere.", f"{{{', '.join(names)}}}", "at all worlds", "every world"):
        assert form.read(word) == set(names), word
    for word in ("none", "nowhere", "{}", "{ }", "∅", "the empty set", "no world", "false everywhere"):
        assert form.read(word) == set(), word


CLAUSES = [
    "{yes} only; {no} drop out",
    "{yes} know it, {no} don't",
    "{yes} do. {no} do not.",
    "not true at {no} but true at {yes}",
    "true at {yes}, false elsewhere",
    "holds: {yes} -- fails: {no}",
    "{yes}, and nothing else",
    "it fails at {no}. So the formula is true at {yes}",
]


@pytest.mark.parametrize("seed", range(6))
def test_each_clause_keeps_its_verdict(seed: int) -> None:
    rng = random.Random(seed)
    names = [f"s{n}" for n in range(1, 8)]
    chosen = rng.sample(names, rng.randrange(1, 6))
    rest = [name for name in names if name not in chosen]
    sign = rng.choice([", ", " and ", " & "])
    for clause in CLAUSES:
        written = clause.format(yes=sign.join(chosen), no=sign.join(rest))
        assert Names(tuple(names)).read(written) == set(chosen), written
    ticked = "\n".join(f"[{'x' if name in chosen else ' '}] {name}" for name in names)
    table = "\n".join(["| world | true? |", "|---|---|", *(f"| {name} | yes |" for name in chosen)])
    assert Names(tuple(names)).read(ticked) == Names(tuple(names)).read(table) == set(chosen)


def test_a_number_after_a_name_is_a_name_and_one_before_a_noun_is_not() -> None:
    form = Names(("w1", "w2", "w3"))
    assert form.read("w1,2") == form.read("There are two such worlds: w1 and 2.") == {"w1", "w2"}
    for unclear in ("w1, 2 worlds", "w1, two", "w1; 5"):
        with pytest.raises(FormatError):
            form.read(unclear)


@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_a_bisimulation_may_be_joined_by_any_sign(seed: int) -> None:
    rng = random.Random(seed)
    left, right = ("w1", "w2", "w3"), ("v1", "v2", "v3", "v4")
    form = ABisimulation(left, right, ("p",), ("a",))
    pairs = {(w, v) for w in left for v in rng.sample(right, rng.randrange(1, 4))}
    signs = ["-", " ↔ ", "Z", " ~ ", ": ", r" \leftrightarroweq ", " matches ", " is bisimilar to ", " × "]
    for sign, gap in product(signs, ["; ", "\n", ", "]):
        rows = [f"{w}{sign}{', '.join(v for x, v in pairs if x == w)}" for w in rng.sample(left, 3)]
        assert form.read(gap.join(rows)) == pairs, rows
        turned = gap.join(f"{v}{sign}{w}" for w, v in pairs)
        assert form.read(turned) == pairs, turned
    for unclear in ("w1, w2 - v1", "w1-v1, w2", "w1 not v1", "w1-v1, v2-w2"):
        with pytest.raises(FormatError):
            form.read(unclear)


def test_subproofs_by_indentation_are_refused_with_the_form_that_has_bars() -> None:
    task = new_exercise("natural-deduction", logic="T", rng=1)
    with pytest.raises(
        FormatError, match=r"line 1, column 1: expected lines such as .*bars for the subproofs"
    ):
        task.check("1.   K_a p    assume\n2.     p    T 1\n3. K_a p -> p   ->I 1-2")


def test_the_actual_world_may_be_said_in_a_sentence() -> None:
    form = AModel(("p",), ("a",), "S5")
    for said in ("actual world v", "The actual world is v.", "true at v", "actual: v"):
        assert form.read(f"w: p\nv:\na: w-v\n{said}").designated == ("v",), said
    assert form.read("w: p; v: (actual world); a: w-v").designated == ("v",)
    assert form.read("W = {w, v}, V(p) = \\emptyset, R_a = W x W, actual world v").designated == ("v",)


def test_names_that_would_become_the_same_are_read_exactly() -> None:
    form = Names(("w1", "w_1", "W1"))
    assert [form.read(name) for name in form.names] == [{name} for name in form.names]
    with pytest.raises(FormatError):
        form.read("w₁")
    assert Names(("Only", "And", "w1")).read("Only and And, w1") == {"Only", "And", "w1"}


def test_the_place_of_an_error_is_that_in_the_answer() -> None:
    for answer, column in ((r"$\{w_1, w_9\}$", 9), ("w1 and w9.", 8)):
        with pytest.raises(FormatError, match=f"line 1, column {column}: unknown world"):
            Names(("w1", "w2")).read(answer)
    counter = Valid("", parse("p -> K_a p"), "S5")
    with pytest.raises(FormatError, match="line 2, column 5: unknown atom 'pq'"):
        counter.check("not valid:\nw1: pq")


def test_what_was_read_is_shown_only_if_it_looks_different() -> None:
    exercise: Exercise = new_exercise("truth-set", rng=4)
    assert "read as" not in exercise.check("w2, w4").reason
    assert exercise.check("W_4 and w2").reason.endswith("read as: w2, w4")
    assert exercise.check("w1 w2").reason.endswith("read as: w1, w2")
    formula = new_exercise("to-formula", rng=4)
    assert formula.check("K_b K_a q or K_b not K_a q").reason.endswith("read as: K_b K_a q ∨ K_b ¬K_a q")


# what takes quadratic time if a pattern looks for the end again from every place
LONG = ["no" + " " * 60_000, "." + " " * 60_000 + "x", "w1: " + "p " * 30_000, "İ w1, ı", "a" * 60_000]


@pytest.mark.parametrize("kind", ["truth-set", "valid", "product"])
def test_long_and_strange_answers_come_to_an_end(kind: str) -> None:
    exercise = new_exercise(kind, rng=4)
    for noise in LONG:
        with suppress(FormatError):
            assert not exercise.check(noise).right


def test_a_model_may_be_named_and_in_capitals() -> None:
    task = Valid("", parse("q -> K_a q"), "S5")
    for answer in ("M = w0*: q; w1: ; a: w0-w1", "W0*: Q; W1: ; A: W0-W1"):
        assert task.check(answer).right, answer
    assert task.check("A*: q; B: ; a: A-B").right  # names of worlds
    assert task.check("M: q\nv:\na: M-v").right
    assert Names(("w1", "w2", "w3")).read("w 1, w 2") == {"w1", "w2"}


def test_properties_may_be_cut_short() -> None:
    form = Names(("reflexive", "serial", "symmetric"), "property")
    for end in range(3, 6):
        assert form.read(f"ser, {'symmetric'[:end]}.") == {"serial", "symmetric"}
    for unclear in ("se", "s, ref", "sera"):
        with pytest.raises(FormatError):
            form.read(unclear)


def test_one_name_amiss_earns_half_beside_two_right_ones() -> None:
    task = new_exercise("truth-set", size=6, rng=1)
    assert isinstance(task, Listing)
    for n in range(1, 6):
        for chosen in map(frozenset, combinations(task.form.names, n)):
            amiss, right = chosen ^ task.right(), chosen & task.right()
            half = Fraction(1, 2) if len(amiss) == 1 and len(right) > 1 else Fraction(0)
            assert task.judge(chosen).partial == half


AROUND = ["1) %s", "(1) %s", "Therefore %s.", "Answer: %s", '"%s"', "%s # checked by hand", "%s // see above"]
AROUND += ["%s, because the others fail", "%s (this was checked by hand)", "So the answer is %s"]
CHANGED = [
    "%s, no wait, %s",
    "%s # or %s",
    "%s (but maybe %s)",
    "%s, i.e. %s",
    "%s, so %s",
    "%s (and also %s?)",
]


@pytest.mark.parametrize("kind", ["truth-set", "frame-properties", "to-formula"])
def test_what_stands_around_an_answer_does_not_change_it_and_a_second_one_is_refused(kind: str) -> None:
    for seed in range(3):
        exercise = new_exercise(kind, rng=seed)
        right = exercise.solution()
        wrong = "q & ~q" if kind == "to-formula" else exercise.form.names[-1]  # type: ignore[attr-defined]
        for around in AROUND:
            assert exercise.check(around % right).right, around % right
        if exercise.form.read(wrong) != exercise.form.read(right):
            for changed in CHANGED:
                with suppress(FormatError):
                    assert not exercise.check(changed % (right, wrong)).right, changed % (right, wrong)
