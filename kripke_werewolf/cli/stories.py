"""The command `story` and the group `plan`: both run what files describe."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.files import read_text
from kripke_werewolf.cli.declared import Given, Names, Reply, command
from kripke_werewolf.cli.output import print_json, progress_shown
from kripke_werewolf.research.planning.epddl import ground_data, load_task
from kripke_werewolf.research.planning.policies import Policy, find_policy, read_plan, validate
from kripke_werewolf.research.planning.search import find_plan
from kripke_werewolf.research.planning.task import Plan, Task
from kripke_werewolf.research.stories import read_story

# --- story -----------------------------------------------------------------------------------------


@command("story")
def _story(file: Path, *, quiet: bool = False, explain: bool = False) -> Reply:
    """Run the story in FILE; print its events, the number of worlds after each, and the answers.

    Exit code 0 if all answers and sizes are as expected, 1 if not, 2 if FILE is not a story.

    Options:
      -q, --quiet: Print only unexpected answers, and the total.
      --explain: Print the reasons for unexpected answers.
    """
    try:
        told = read_story(file)
    except FormatError:
        if re.search(r"(?mi)^\s*(rules|players):", read_text(file)):
            raise FormatError(f"{file}: a typed sheet, which `game infer` reads, not a story") from None
        raise
    run = told.run()
    return Reply(run.in_words(quiet=quiet, explain=explain), run.to_dict(), run.right)


# --- plan ------------------------------------------------------------------------------------------


@command("plan find", kind={find_policy: "cyclic coordinated"}, limits={find_plan: "longest depth states"})
def _find(
    files: tuple[Path, ...],
    *,
    greedy: bool = False,
    width: bool = False,
    policy: bool = False,
    agents: Names | None = None,
    kind: Given,
    limits: Given,
) -> Reply:
    """Find a plan for the task in FILES: a problem, its domain, and libraries of action types, in any order.

    Exit code 0 if a plan is found, 1 if not.

    Options:
      --greedy: Find some plan, looking first at states near the goal, instead of a shortest one.
      --width: Find some plan, looking first at states with new facts.
      --policy: Find a plan that depends on what is seen.
      --cyclic: Find a policy that may repeat actions until they succeed.
      --coordinated: Find a policy in which the agent who acts knows that it is right.
      --agents NAMES: The agents who carry out a policy and share what they see, with commas.
      --longest: Find only plans of at most this many actions.
      --depth: Tell states apart only by what formulas of this modal depth say, as private messages can make
        new ones for ever; the plan is checked without the bound.
      --states: Stop after this many states; by default after a million, for policies after 100,000.
    """
    policy = policy or bool(kind)
    given = {"greedy": greedy, "width": width, "policy": policy}
    chosen = [name for name, is_set in given.items() if is_set] or ["optimal"]
    if len(chosen) > 1:
        raise FormatError(f"choose one way to search, not {' and '.join(f'--{name}' for name in chosen)}")
    if agents is not None and not policy:
        raise FormatError("--agents are those who carry out a policy; add --policy")
    if policy and "depth" in limits:
        raise FormatError("--depth bounds what a search for plans tells apart; a policy has only --longest")
    task = load_task(*files)
    plan: Plan | Policy | None
    if policy:
        longest = limits.pop("longest", None)
        plan = find_policy(task, agents, deepest=longest, **limits, **kind)
        lines = ["no policy exists" if plan is None else str(plan)]
        content: dict[str, Any] = {"policy": None if plan is None else plan.to_dict()}
    else:
        plan, lines, content = _searched(task, chosen[0], **limits)
    return Reply(lines, content, yes=plan is not None)


def _searched(task: Task, how: Any, **limits: Any) -> tuple[Plan | None, list[str], dict[str, Any]]:
    """Return a plan, and the answer for people and for programs."""
    with progress_shown("states") as tell:
        found = find_plan(task, how, progress=lambda states, depth: tell(done=states), **limits)
    content: dict[str, Any] = {"plan": found.plan, "states": found.states}
    if found.stopped:
        content |= {"stopped": found.stopped, "best": found.best}
    if found.plan is None:
        return None, [found.headline()], content
    lines = [f"{number}. {name}" for number, name in enumerate(found.plan, 1)]
    return found.plan, [*lines, *validate(task, found.plan).sentences()], content


@command("plan validate")
def _validate(plan: Path, files: tuple[Path, ...]) -> Reply:
    """Check the PLAN for the task in FILES: whether each step applies, how it looks, and the goal.

    PLAN is a list of actions in JSON, what `plan --json` prints, or text with an action on every line. Exit
    code 0 if valid.
    """
    checked = validate(load_task(*files), read_plan(plan))
    steps = [{"action": s.action, "problem": s.problem, "views": dict(s.views)} for s in checked.steps]
    goals = [{"goal": str(g.goal), "false at": list(map(str, g.worlds))} for g in checked.goals]
    return Reply([str(checked)], {"valid": checked.valid, "steps": steps, "goals": goals}, yes=checked.valid)


@command("plan ground")
def _ground(files: tuple[Path, ...]) -> None:
    """Print the ground task in FILES as JSON: its start, all its actions, and the goal."""
    print_json(ground_data(load_task(*files)))
