"""The published problems, from a folder that `EPDDL_PROBLEMS` names: all are read and grounded."""

import os
from pathlib import Path

import pytest

from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.research.planning import Task
from kripke_werewolf.research.planning.epddl import library_types, load_task, parse_task, to_epddl
from kripke_werewolf.research.planning.epddl.terms import read_brackets

FOLDER = os.environ.get("EPDDL_PROBLEMS")

pytestmark = pytest.mark.skipif(
    not FOLDER, reason="EPDDL_PROBLEMS names no folder with the published domains/ and libraries/"
)

PUBLISHED = sorted(Path(FOLDER or "/nowhere").glob("domains/*/instances/**/*.epddl"))

SIZES = {
    "amc-1": (31, 1, 5),
    "bw-1": (1, 1, 196),
    **{f"cb-{k}": (2, 1, 21) for k in range(1, 6)},
    **{f"cc_2_2_3-{k}": (16, 1, 28) for k in range(1, 7)},
    "cn-5": (7, 2, 2),
    "gos-1": (8, 1, 6),
    "gra-1": (8, 1, 15),
    "ncn-1": (9, 1, 6),
    "sc-1": (2, 1, 20),
    "tig-5-3": (20480, 1024, 22),
}
"""The numbers of worlds, designated worlds and actions that can happen."""


def published(problem: Path) -> Task:
    (domain,) = problem.parents[len(problem.relative_to(Path(FOLDER or "")).parts) - 3].glob("*.epddl")
    # grapevine's line that names the library is a comment
    return load_task(problem, domain, Path(FOLDER or "") / "libraries" / "intermediate.epddl")


@pytest.mark.parametrize("problem", PUBLISHED, ids=lambda path: "-".join(path.parts[-2:]))
def test_every_published_problem_is_read(problem: Path) -> None:
    task = published(problem)
    assert (len(task.model), len(Numbered(task.model).points), len(task.actions)) == SIZES[task.name]
    if len(task.model) < 100:
        again = parse_task(to_epddl(task))
        assert (len(again.model), len(again.actions)) == (len(task.model), len(task.actions))


def test_all_are_there() -> None:
    assert {published(problem).name for problem in PUBLISHED} == set(SIZES)


@pytest.mark.parametrize("name", ["basic", "intermediate"])
def test_our_libraries_have_the_published_action_types(name: str) -> None:
    from kripke_werewolf.research.planning.epddl.reading import ActionType

    path = Path(FOLDER or "") / "libraries" / f"{name}.epddl"
    sections = read_brackets(path.name, path.read_text(encoding="utf-8")).items[2:]
    theirs = {s.items[1].word: ActionType.read(s) for s in sections if s.head == ":action-type"}
    ours = library_types(name)
    assert set(ours) == set(theirs)
    for kind, found in theirs.items():
        assert (ours[kind].events, ours[kind].sights, ours[kind].designated) == (
            found.events,
            found.sights,
            found.designated,
        )
