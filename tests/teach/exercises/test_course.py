"""The course: its sheets, the kinds of exercises that it brings, and the questions of its pages."""

import re
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from kripke_werewolf import KripkeError, proofs
from kripke_werewolf.logic.formulas.logics import FRAME_PROPERTIES
from kripke_werewolf.logic.proofs import DERIVED, RULES, check
from kripke_werewolf.teach.exercises import (
    Exercise,
    Sheet,
    Task,
    from_dict,
    new_exercise,
    read_sheet,
    to_dict,
)
from kripke_werewolf.teach.exercises.validity import Derivation

ROOT = Path(__file__).parents[3]
WEEKS = range(1, 8)
PAGES = sorted((ROOT / "docs" / "course").glob("week-*.md"))


def sheet(week: int) -> Sheet:
    return read_sheet(ROOT / "examples" / "course" / f"week{week}.toml")


def task(week: int, title: str) -> Task:
    (found,) = (task for task in sheet(week).tasks if task.title == title)
    return found


def test_every_kind_is_used_somewhere() -> None:
    tasks = [task.what for week in WEEKS for task in sheet(week).tasks]
    used = {what.kind if isinstance(what, Exercise) else what for what in tasks}
    assert used == {*Exercise.kinds}


@pytest.mark.usefixtures("of_any_difficulty")
@pytest.mark.parametrize("week", WEEKS)
def test_the_sheets_can_be_solved_and_differ(week: int) -> None:
    given = sheet(week)
    levels = given.levels()
    variants = [given.variant(name, levels) for name in ("ann", "bo")]
    assert variants[0].exercises != variants[1].exercises
    for exercise in {exercise for variant in variants for exercise in variant.exercises}:
        assert exercise.check(exercise.solution()).right
        assert from_dict(to_dict(exercise)) == exercise


@pytest.mark.usefixtures("of_any_difficulty")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_derivation_of_the_course_is_one_line(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "hint", lambda *_, **__: "")  # searched for after each wrong line
    for week in WEEKS:
        given = replace(sheet(week), seed=seed)
        for number, task in enumerate(given.tasks, 1):
            if task.what not in ("derivation", "natural-deduction"):
                continue
            exercise = task.exercise(given.seed, number, "ann", task.level(given.seed, number))
            for rule in (*RULES, *DERIVED):
                assert not right(exercise, f"1. {exercise.formula}   {rule}"), (exercise, rule)  # type: ignore[attr-defined]


def right(exercise: Exercise, answer: str) -> bool:
    """Return whether an answer is right; one that cannot be read is not."""
    try:
        return exercise.check(answer).right
    except KripkeError:
        return False


def test_the_children_are_told_what_has_happened() -> None:
    for seed in range(12):
        exercise = new_exercise("children", rng=seed)
        rounds = min(world.count("1") for world in exercise.model) - 1  # type: ignore[attr-defined]
        said = re.findall(r"Asked (\w+)", exercise.question())
        assert said == ["once"] * rounds


def test_cards_are_told_by_excluding_the_card_of_the_third() -> None:
    for seed in range(12):
        exercise = new_exercise("cards", rng=seed)
        (deal,), speaker = exercise.model.designated, exercise.speaker  # type: ignore[attr-defined]
        mine = deal["abc".index(speaker)]
        (hearer, _), *_ = exercise.learns  # type: ignore[attr-defined]
        theirs = deal["abc".index(hearer)]
        (third,) = {"0", "1", "2"} - {mine, theirs}
        assert right(exercise, f"~{speaker}_{third}")
        for wrong in (f"{speaker}_{mine}", f"~{speaker}_{theirs}", f"{speaker}_{third}", "true"):
            assert not right(exercise, wrong), wrong


MODELS = [
    (2, "What everyone knows of everyone"),
    (2, "Together they would know"),
    (3, "Knowledge without negative introspection"),
    (5, "A false belief about a belief"),
]


@pytest.mark.parametrize(("week", "title"), MODELS)
def test_the_models_asked_for_are_as_small_as_possible(week: int, title: str) -> None:
    exercise = task(week, title).exercise(1, 1, "ann", 5)
    smaller = replace(exercise, most_worlds=exercise.most_worlds - 1)  # type: ignore
    with pytest.raises(KripkeError, match="no model"):
        smaller.solution()


def test_natural_deductions_are_judged_by_the_task() -> None:
    exercise = new_exercise("natural-deduction", rng=2, logic="T")
    solution = exercise.solution()
    assert exercise.check(solution).right
    goal = exercise.formula  # type: ignore[attr-defined]
    # what an answer says about itself does not count
    assert not right(exercise, f"logic: S5\nrules: PL\n1. {goal}   PL")
    assert not right(exercise, f"show: {goal} ⊢ {goal}\n1. {goal}   premise")
    rows = solution.splitlines()
    for dropped in range(3, len(rows)):
        assert not right(exercise, "\n".join(rows[:dropped])), dropped
    hinted = exercise.check("\n".join([*rows[:3], f"1. {goal}   LEM"]))
    assert not hinted.right
    assert "hint: 1." in str(hinted)


@pytest.mark.parametrize("logic", ["K", "T", "KD45", "S5"])
def test_natural_deductions_are_derivations(logic: str) -> None:
    exercise = new_exercise("natural-deduction", rng=5, logic=logic)
    proof = exercise.form.read(exercise.solution())
    assert check(proof.hilbert()).right
    assert proof.hilbert().conclusion is exercise.formula  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_questions_are_those_of_the_generator(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert (
        runpy.run_path(str(ROOT / "examples" / "course" / "questions.py"))["with_questions"](text) == text
    ), "run python examples/course/questions.py"
    numbers = [int(n) for n in re.findall(r"^\*\*Question (\d+)\*\*$", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 3 <= len(numbers) <= 5
    assert text.count("<details>") == text.count("</details>") == len(numbers)


def test_every_week_has_its_page_and_the_pages_name_the_sheets() -> None:
    assert [int(page.stem.split("-")[1]) for page in PAGES] == list(WEEKS)
    for week, page in zip(WEEKS, PAGES, strict=True):
        assert f"`examples/course/week{week}.toml`" in page.read_text(encoding="utf-8")


def test_projects_begin_with_few_lines() -> None:
    page = (ROOT / "docs" / "course" / "projects.md").read_text(encoding="utf-8")
    projects = [part for part in page.split("\n## ") if "**Questions.**" in part]
    assert len(projects) >= 6
    for project in projects:
        code = re.findall(r"```python\n(.*?)```", project, re.DOTALL)
        assert sum(block.count("\n") for block in code) < 40
        assert "**Check.**" in project


# --- taught before it is asked ------------------------------------------------------------------------

MARKER = re.compile(r"<!-- introduces ((?:[^-]|-(?!->))*?) *-->")
SAMPLE = ("ann", "bo", "cy")


def introduced(text: str) -> set[tuple[str, str]]:
    """Return what the markers of a page say that it introduces, each with its sort."""
    parts = [part.strip() for marker in MARKER.findall(text) for part in " ".join(marker.split()).split(";")]
    pairs = [part.split(": ", 1) for part in parts]
    return {(sort, word) for sort, words in pairs for word in words.split(", ")}


def used_by(exercise: Exercise) -> set[tuple[str, str]]:
    """Return the kind, operators, logic, properties and rules of a task and its solution, by sort."""
    found = {("kinds", exercise.kind)}
    for f in exercise.formulas():
        for node in f.subformulas():
            spelling = getattr(node, "spelling", None)
            if spelling is not None:
                found.add(("operators", spelling.ascii.replace("[", "[!").replace("<", "[!")))
    logic = getattr(exercise, "logic", None)
    if logic is not None:
        found.add(("logics", logic))
    if exercise.kind in ("valid", "frame-properties"):
        found |= {("properties", name) for name in FRAME_PROPERTIES}
    if isinstance(exercise, Derivation):
        cited = (*exercise.rules, *exercise.without, *exercise.using)
        found |= {("rules", rule) for rule in (*cited, *exercise.form.read(exercise.solution()).uses())}
    return found


def test_what_a_sheet_asks_has_been_introduced() -> None:
    known = {("operators", "<->")}
    for week, page in zip(WEEKS, PAGES, strict=True):
        known |= introduced(page.read_text(encoding="utf-8"))
        given = sheet(week)
        levels = given.levels()
        exercises = [e for name in SAMPLE for e in given.variant(name, levels).exercises]
        assert set[tuple[str, str]]().union(*map(used_by, exercises)) - known == set(), week


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_introduces_stands_on_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    told = introduced(text)
    assert told
    prose = MARKER.sub("", text)
    for sort, word in told:
        if sort in ("operators", "rules", "logics", "signs", "properties"):
            assert re.search(rf"(?<!\w){re.escape(word)}", prose), (page.stem, sort, word)
        else:
            assert word in Exercise.kinds
