"""`kripke-werewolf plan PROBLEM [DOMAIN LIBRARY …]`, `… plan validate`, `… plan ground`."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from kripke_werewolf.cli.declared import AsJson, File, Names, Positive, command
from kripke_werewolf.cli.output import WithDefault, exit_with, print_json, tell, write_file
from kripke_werewolf.errors import FormatError, FormulaError
from kripke_werewolf.files import known_ending, parse_json, read_text
from kripke_werewolf.planning.epddl import ground_data, load_task
from kripke_werewolf.planning.policies import Policy, find_policy, validate
from kripke_werewolf.planning.search import How, find_plan
from kripke_werewolf.planning.task import Plan, Task


@click.group("plan", cls=WithDefault, default="find")
def plan_command() -> None:
    """Find a plan for a task in EPDDL or PDDL, check a plan, or ground a task.

    Without another command, `find` is meant: kripke-werewolf plan problem.epddl domain.epddl
    """


@command("find", of=plan_command)
def find_command(
    files: tuple[Path, ...],
    *,
    optimal: bool = False,
    greedy: bool = False,
    width: bool = False,
    policy: bool = False,
    cyclic: bool = False,
    coordinated: bool = False,
    agents: Names | None = None,
    longest: Positive | None = None,
    depth: Positive | None = None,
    states: Positive | None = None,
    output: File | None = None,
    as_json: AsJson = False,
) -> None:
    """Find a plan for the task in FILES: a problem, its domain, and libraries of action types, in any order.

    Exit code 0 if a plan is found, 1 if not.

    Options:
      --optimal: Find a shortest plan; this is done by default.
      --greedy: Find some plan, looking first at states near the goal.
      --width: Find some plan, looking first at states with new facts.
      --policy: Find a plan that depends on what is seen.
      --cyclic: Find a policy that may repeat actions until they succeed.
      --coordinated: Find a policy in which the agent who acts knows that it is right.
      --agents NAMES: The agents who carry out a policy and share what they see, with commas.
      --longest: Find only plans of at most this many actions.
      --depth: Tell states apart only by what formulas of this modal depth say, as private messages can make
        new ones for ever; the plan is checked without the bound.
      --states: Stop after this many states.
      -o, --output: Write the plan to this file: .json, or .txt for a story.
    """
    policy = policy or cyclic or coordinated
    given = {"optimal": optimal, "greedy": greedy, "width": width, "policy": policy}
    chosen = [f"--{name}" for name, is_set in given.items() if is_set]
    if len(chosen) > 1:
        raise FormatError(f"choose one way to search, not {' and '.join(chosen)}")
    if output is not None:
        known_ending(output, (".txt", ".json"))
    if agents is not None and not policy:
        raise FormatError("--agents are those who carry out a policy; add --policy")
    if policy and depth is not None:
        raise FormatError("--depth bounds what a search for plans tells apart; a policy has only --longest")
    task = load_task(*files)
    limits = {} if states is None else {"states": states}
    plan: Plan | Policy | None
    if policy:
        plan = find_policy(task, agents, cyclic=cyclic, coordinated=coordinated, deepest=longest, **limits)
        content: dict[str, Any] = {"policy": None if plan is None else plan.to_dict()}
        lines = iter([str(plan) if plan is not None else "no policy exists"])
    else:
        how: How = "greedy" if greedy else "width" if width else "optimal"
        progress = _progress if sys.stderr.isatty() else None
        found = find_plan(task, how, longest=longest, depth=depth, progress=progress, **limits)
        if progress:
            click.echo("\r\033[K", nl=False, err=True)
        plan, content = found.plan, {"plan": found.plan, "states": found.states}
        content |= {"stopped": found.stopped, "best": found.best} if found.stopped else {}
        lines = iter([found.headline()]) if plan is None else _lines(task, plan)
    tell(lines, content, as_json=as_json)
    if output is not None and plan is not None:
        told = output.suffix.lower() == ".txt"
        as_data = json.dumps(content, indent=2, ensure_ascii=False)
        write_file(output, validate(task, plan).to_story() if told else as_data)
    exit_with(plan is not None)


@command("validate", of=plan_command)
def validate_command(plan: Path, files: tuple[Path, ...], *, as_json: AsJson = False) -> None:
    """Check the PLAN for the task in FILES: whether each step applies, how it looks, and the goal.

    PLAN is a list of actions in JSON, what `plan --json` prints, or text with an action on every line. Exit
    code 0 if valid.
    """
    task = load_task(*files)
    checked = validate(task, _read_plan(plan))
    steps = [{"action": s.action, "problem": s.problem, "views": dict(s.views)} for s in checked.steps]
    goals = [{"goal": str(g.goal), "false at": list(map(str, g.worlds))} for g in checked.goals]
    tell([str(checked)], {"valid": checked.valid, "steps": steps, "goals": goals}, as_json=as_json)
    exit_with(checked.valid)


@command("ground", of=plan_command)
def ground_command(files: tuple[Path, ...]) -> None:
    """Print the ground task in FILES as JSON: its start, all its actions, and the goal."""
    print_json(ground_data(load_task(*files)))


def _progress(states: int, depth: int) -> None:
    click.echo(f"\r{states:,} states, plans of {depth} actions ", nl=False, err=True)


def _lines(task: Task, plan: Plan) -> Iterator[str]:
    """Yield the steps of a plan, and what they change."""
    yield from (f"{number}. {name}" for number, name in enumerate(plan, 1))
    yield from validate(task, plan).sentences()


def _read_plan(path: Path) -> Plan | Policy:
    """Return the plan or the policy in a file."""
    text = read_text(path)
    if text.lstrip().startswith(("{", "[")):
        content = parse_json(text, str(path))
        given = content if isinstance(content, dict) else {"plan": content}
        if isinstance(given.get("policy"), dict):
            try:
                return Policy.from_dict(given["policy"])
            except (FormatError, FormulaError) as error:
                raise FormatError(f"{path}: {error}") from None
        plan = given.get("plan")
        if not isinstance(plan, list) or not all(isinstance(name, str) for name in plan):
            raise FormatError(f"{path}: expected a 'plan', a list of actions, or a 'policy'; got {plan!r}")
        return tuple(plan)
    lines = (re.sub(r"^\s*(\d+[.:])?\s*|;.*", "", line).strip() for line in text.splitlines())
    return tuple("_".join(line.strip("()").split()) for line in lines if line)
