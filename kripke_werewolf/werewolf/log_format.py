"""The format of a game's log: what its lines mean, without playing the game.

The first line is a header with the setup. Every further line is one step, `{"step": 3, "events":
[…]}`, the move and what followed from it, or `{"undo": 2}`, which takes back the last two steps.

`{"chosen": {"actor": "Ann", "action": "attack", "target": "Bo"}}` notes what a player will do in a
phase whose actions are worked off together when all have chosen; without a target he declines.
`{"withdrawn": {"actor": "Ann", "action": "attack"}}` takes it back. Choices are kept until the phase
ends or a step is undone.

`{"session": {"ties": "lot", "missing": "remind", "seed": 7}}` says which house rules hold from here on,
and the seed of the draws to come; the last such line counts. Logs that begin with one are version 2, so
that programs which know only version 1 say so; logs of both versions are read, and may go on with one.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias, get_args

from kripke_werewolf.errors import FormatError, KripkeError
from kripke_werewolf.werewolf.events import Action, Event, PhaseEnded, event_from_dict, event_to_dict
from kripke_werewolf.werewolf.house import HouseRules, read_session, session_fields
from kripke_werewolf.werewolf.rules import Rules
from kripke_werewolf.werewolf.setting import make_setup
from kripke_werewolf.werewolf.state import Setup

__all__ = [
    "Choice",
    "Recorded",
    "Step",
    "choice_line",
    "game_lines",
    "read_content",
    "session_line",
    "step_line",
    "undo_line",
    "withdrawal_line",
]

FORMAT = "kripke_werewolf game"
VERSIONS = (1, 2)
Step = tuple[Event, ...]
Session: TypeAlias = tuple[HouseRules, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a player will do when the phase is worked off: a target, or None to decline."""

    actor: str
    action: Action
    target: str | None
    result: str | None = None
    """What a vision shall show; None to draw it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a log says: the setup, and the steps that were not undone."""

    setup: Setup
    steps: tuple[Step, ...]
    lines: tuple[int, ...]
    """The number of the line each step stands on."""
    notice: str | None = None
    """What a reader should know, such as that a half-written last line was left out."""
    length: int = 0
    """The number of bytes that are complete lines."""
    choices: tuple[tuple[Choice, int], ...] = ()
    """Choices for the phase that has not ended, and the line of each."""
    session: Session | None = None
    """The house rules and the seed; None if the log keeps none."""


def game_lines(setup: Setup, steps: tuple[Step, ...], *, session: Session | None = None) -> tuple[str, ...]:
    """Return the log of a game without line breaks: the header, the session, then one line per step."""
    begin = [_header_line(setup, 1)] if session is None else [_header_line(setup, 2), session_line(*session)]
    return (*begin, *(step_line(i, events) for i, events in enumerate(steps, start=1)))


def step_line(number: int, events: Step) -> str:
    """Return the line of a step."""
    return json.dumps({"step": number, "events": [event_to_dict(e) for e in events]}, ensure_ascii=False)


def session_line(house: HouseRules, seed: int) -> str:
    """Return the line of house rules and seed."""
    return json.dumps({"session": session_fields(house, seed)})


def undo_line(steps: int) -> str:
    """Return the line that takes back the last steps."""
    return json.dumps({"undo": steps})


def choice_line(choice: Choice) -> str:
    """Return the line of a choice."""
    fields = {name: value for name, value in asdict(choice).items() if value is not None}
    return json.dumps({"chosen": fields}, ensure_ascii=False)


def withdrawal_line(choice: Choice) -> str:
    """Return the line that takes back a choice."""
    return json.dumps({"withdrawn": {"actor": choice.actor, "action": choice.action}}, ensure_ascii=False)


def _header_line(setup: Setup, version: int) -> str:
    header: dict[str, object] = {
        "format": FORMAT,
        "version": version,
        "players": setup.players,
        "wolves": setup.deck.wolves,
        "seers": setup.deck.seers,
        "targets": setup.targets,
        "deal": setup.deal,
        "numbers": setup.numbers,
        "strict": setup.strict,
        "rules": asdict(setup.rules),
    }
    if setup.roles is not None:
        header["roles"] = setup.roles
    if setup.sample is not None:
        header["sample"] = setup.sample
    return json.dumps(header, ensure_ascii=False)


def read_content(content: bytes, name: str) -> Recorded:
    """Read the bytes of a log; `name` says in errors what was read.

    Raises FormatError with the number of the line. A last line that ends in the middle is left out.
    """
    setup: Setup | None = None
    steps: list[Step] = []
    lines: list[int] = []
    choices: dict[tuple[str, str], tuple[Choice, int]] = {}
    session: Session | None = None
    notice, length = None, 0
    for number, raw in enumerate(content.splitlines(keepends=True), start=1):
        if not raw.strip():
            length += len(raw)
            continue
        try:
            value = _value(raw)
            if setup is None:
                setup = _read_header(value)
            elif "undo" in value:
                kept = len(steps) - _count(value["undo"], "undo", most=len(steps))
                del steps[kept:], lines[kept:]
                choices.clear()
            elif "session" in value:
                session = read_session(value["session"])
            elif "chosen" in value:
                choice = _read_choice(value["chosen"])
                choices[choice.actor, choice.action] = choice, number
            elif "withdrawn" in value:
                choice = _read_choice(value["withdrawn"])
                if choices.pop((choice.actor, choice.action), None) is None:
                    raise FormatError(f"{choice.actor!r} has chosen no {choice.action} to take back")
            else:
                steps.append(_read_step(value, len(steps) + 1))
                lines.append(number)
                if any(isinstance(event, PhaseEnded) for event in steps[-1]):
                    choices.clear()
        except _HalfWritten as error:
            if not raw.endswith(b"\n") and setup is None and b"{" in raw[:4]:
                raise FormatError(
                    f"{name}, line {number}: the header is only half written, so no game was begun; "
                    "delete the file to begin anew"
                ) from None
            if raw.endswith(b"\n") or setup is None:
                raise FormatError(f"{name}, line {number}: {error}") from None
            notice = f"{name}, line {number} is only half written and was left out"
            break
        except KripkeError as error:
            raise FormatError(f"{name}, line {number}: {error}") from error
        length += len(raw)
    if setup is None:
        raise FormatError(f"{name} is empty; a log begins with a header")
    return Recorded(setup, tuple(steps), tuple(lines), notice, length, tuple(choices.values()), session)


class _HalfWritten(ValueError):
    """A line that is not a complete JSON value."""


def _value(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # bytes, JSON, or a number that is much too long
        raise _HalfWritten(f"not a line of JSON: {error}") from None
    if not isinstance(value, dict):
        raise FormatError(f"{value!r} is not an object with the fields of a header, a step or an undo")
    return value


def _read_header(value: dict[str, Any]) -> Setup:
    if value.get("format") != FORMAT:
        raise FormatError(f"the header has format {value.get('format')!r}; a game's log has {FORMAT!r}")
    version = value.get("version")
    if isinstance(version, bool) or version not in VERSIONS:
        known = " and ".join(map(str, VERSIONS))
        raise FormatError(f"version {version!r} of the format is unknown; this program reads {known}")
    needed = {"players", "wolves", "seers", "targets", "deal", "numbers", "strict", "rules"}
    missing = sorted(needed - value.keys())
    unknown = sorted(value.keys() - needed - {"format", "version", "roles", "sample"})
    if missing or unknown:
        wrong = f"lacks {', '.join(missing)}" if missing else f"has the unknown field {unknown[0]!r}"
        raise FormatError(f"the header {wrong}")
    sample = value.get("sample")
    if not isinstance(value["strict"], bool):
        raise FormatError(f"strict is true or false, not {value['strict']!r}")
    whole = isinstance(sample, list) and len(sample) == 2 and all(type(n) is int and n >= 0 for n in sample)
    if sample is not None and not whole:
        raise FormatError(f"sample is a list of a number of worlds and a seed, not {sample!r}")
    try:
        return make_setup(
            value["players"],
            wolves=value["wolves"],
            seers=value["seers"],
            rules=_read_rules(value["rules"]),
            targets=value["targets"],
            deal=value["deal"],
            roles=value.get("roles"),
            numbers=value["numbers"],
            strict=value["strict"],
            sample=None if sample is None else (sample[0], sample[1]),
            draw=_no_draw,
        )
    except (TypeError, ValueError, AttributeError, IndexError) as error:
        raise FormatError(f"the header cannot be used: {error}") from error


def _no_draw(kind: str, player: str | None, weights: object) -> str:
    raise FormatError(f"the header does not say the {kind} of {player!r}")


def _read_rules(value: object) -> Rules:
    known = [f.name for f in fields(Rules)]
    if not isinstance(value, dict) or "name" not in value:
        raise FormatError(f"the rules {value!r} are not an object with a name and fields")
    for key in value:
        if key not in known:
            raise FormatError(f"the rules have the unknown field {key!r} (known: {', '.join(known)})")
    return Rules(**value)


def _read_step(value: dict[str, Any], expected: int) -> Step:
    if value.keys() != {"step", "events"} or not isinstance(value["events"], list) or not value["events"]:
        raise FormatError('a step has the fields "step", its number, and "events", a list that is not empty')
    if value["step"] != expected:
        raise FormatError(f"step {value['step']!r} stands where step {expected} is expected")
    events = []
    for place, item in enumerate(value["events"], start=1):
        if not isinstance(item, dict):
            raise FormatError(f"event {place} is {item!r}, not an object")
        events.append(event_from_dict(item))
    return tuple(events)


def _read_choice(value: object) -> Choice:
    known = [f.name for f in fields(Choice)]
    if not isinstance(value, dict) or not {"actor", "action"} <= value.keys() <= set(known):
        raise FormatError(f"{value!r} is no choice: it has the fields {', '.join(known)}")
    for name, text in value.items():
        if not isinstance(text, str):
            raise FormatError(f"the {name} of a choice is a text, not {text!r}")
    if value["action"] not in get_args(Action):
        raise FormatError(f"the action {value['action']!r} is none of {', '.join(get_args(Action))}")
    return Choice(value["actor"], value["action"], value.get("target"), value.get("result"))


def _count(value: object, what: str, *, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise FormatError(f"{what} of {value!r} steps; there are {most}")
    return value
