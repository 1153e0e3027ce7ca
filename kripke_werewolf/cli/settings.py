"""The options of the commands that begin a game, `play` and `host`: the game's own, and the house rules."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import takewhile
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import click

from kripke_werewolf.console.commands import check_people
from kripke_werewolf.errors import GameError
from kripke_werewolf.werewolf import PRESETS, QuantumWerewolf, Rules, preset
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.werewolf.setup import ENGINES

C = TypeVar("C", bound=Callable[..., Any])


class Several(click.Option):
    """An option with one or more values: separate words, or one word with commas."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{**settings, "multiple": True})

    def process_value(self, ctx: click.Context, value: Any) -> tuple[str, ...]:
        """Split a single value at its commas; several values are taken as they are."""
        values: tuple[str, ...] = super().process_value(ctx, value) or ()
        if len(values) == 1 and "," in values[0]:
            return tuple(part.strip() for part in values[0].split(","))
        return values


class SeveralValues(click.Command):
    """A command in which a `Several` option takes all words up to the next option.

    A value that begins with a dash is written `--players=-x`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, as click wants it."""
        options = {name for param in self.params if isinstance(param, Several) for name in param.opts}
        return super().parse_args(ctx, list(_repeated(args, options)))


def _repeated(args: list[str], options: set[str]) -> Iterator[str]:
    left = list(args)
    while left:
        arg = left.pop(0)
        yield arg
        if arg == "--":
            yield from left
            return
        if arg in options:
            values = list(takewhile(lambda word: not word.startswith("-"), left))
            del left[: len(values)]
            yield from values[:1]  # without one, click says that it is missing
            for value in values[1:]:
                yield from (arg, value)


def with_options(*options: Callable[[Any], Any]) -> Callable[[C], C]:
    """Return a decorator that adds options to a command, in this order."""

    def decorate(command: C) -> C:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def game_options(*, players: str) -> Callable[[C], C]:
    """Add the options that a game is begun with. `players`: the help of --players.

    The command gets them as settings (see `split_settings`), and `seed` and `engine`.
    """
    return with_options(
        click.option("--rules", "rule_set", help=f"The rule set: {', '.join(PRESETS)}; by default straat."),
        click.option("--players", cls=Several, metavar="NAME…", help=players),
        click.option("--wolves", type=int, help="How many wolves; by default as the rules suggest."),
        click.option("--seers", type=int, help="How many seers; by default 1."),
        click.option(
            "--targets",
            help="secret (default) or public: whether others see whom a player looks at or attacks.",
        ),
        click.option("--deal", help="quantum (default), or classical: ordinary Werewolf."),
        click.option("--sample", type=int, help="Play with a random sample of at most this many worlds."),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            help="Change a field of the rules; may be repeated.",
        ),
        click.option(
            "--burnings",
            type=int,
            help="How many players may be voted off in one day; the same as --option burnings=N.",
        ),
        click.option("--seed", type=int, help="The seed for all random draws. The log keeps it."),
        click.option(
            "--engine",
            type=click.Choice(["auto", *ENGINES]),
            default="auto",
            show_default=True,
            help="enumerated: list all worlds; counting: count them without a list; auto: by size.",
        ),
    )


_HOUSE_RULES = {
    "ballot": "How the village votes: together (spoken), or each player, openly or in secret",
    "ties": "How ties are decided: by lot, by the village, or nobody is voted off",
    "missing": "How a phase ends without compulsory actions: it waits (remind), passes them over, "
    "or draws them",
    "absent": "What happens to the actions of absent players: wait for them, pass, or choose at random",
    "night_seconds": "How long a phase of the night may take",
    "day_seconds": "How long a day may take",
}
"""What the fields of `HouseRules` mean; their types say which values are possible."""


def house_options(default: HouseRules) -> Callable[[C], C]:
    """Add the options for the house rules. `default`: what holds in a new game of the command."""
    hints = get_type_hints(HouseRules)

    def option(name: str, meaning: str) -> Callable[[Any], Any]:
        seconds, usual = name.endswith("_seconds"), getattr(default, name)
        return click.option(
            f"--{name.replace('_', '-')}",
            type=int if seconds else click.Choice(get_args(hints[name])),
            metavar="SECONDS" if seconds else None,
            help=f"{meaning}; by default {'without limit' if usual is None else usual}. The log keeps it.",
        )

    return with_options(*(option(name, meaning) for name, meaning in _HOUSE_RULES.items()))


def split_settings(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of the game and the house rules that were given on the command line.

    >>> split_settings({"rule_set": "gekka", "players": (), "ballot": "open", "ties": None})
    ({'rule_set': 'gekka'}, {'ballot': 'open'})
    """
    said = {name: value for name, value in given.items() if value not in (None, ())}
    house = {field.name: said.pop(field.name) for field in fields(HouseRules) if field.name in said}
    return said, house


def new_seed(given: int | None) -> int:
    """Return the seed that was given, or a fresh one."""
    if given is not None and given < 0:
        raise GameError(f"seed={given} is not possible; give an integer of at least 0")
    return secrets.randbits(62) if given is None else given


def new_game(players: Sequence[str], settings: Mapping[str, Any], engine: Any, seed: int) -> QuantumWerewolf:
    """Return a new game of these players."""
    rules = read_rules(settings)
    chosen = {n: settings[n] for n in ("wolves", "seers", "targets", "deal", "sample") if n in settings}
    return QuantumWerewolf(
        check_people(players),
        rules=rules,
        numbers="shuffled" if rules.table == "anonymous" else None,
        engine=engine,
        rng=seed,
        **chosen,
    )


def refuse_settings(log: Path, given: Mapping[str, object]) -> None:
    """Refuse what cannot be changed in a game that has begun."""
    for name, value in given.items():
        if value is not None:
            option = {"rule_set": "rules", "options": "option"}.get(name, name)
            raise GameError(
                f"the players and rules of {str(log)!r} cannot change; leave out --{option} to continue it"
            )


def read_rules(settings: Mapping[str, Any]) -> Rules:
    """Return the rules that settings name: a preset with options given as NAME=VALUE."""
    values = dict(_option(text) for text in settings.get("options", ()))
    if "burnings" in settings:
        values["burnings"] = settings["burnings"]
    return preset(settings.get("rule_set", "straat"), **values)


def _option(text: str) -> tuple[str, object]:
    """Return the name of an option and its value, read as its type wants it."""
    name, equals, value = text.partition("=")
    if not equals:
        raise GameError(f"the option {text!r} has no value; write NAME=VALUE, such as first_attack=true")
    name = name.strip().replace("-", "_")
    hint = get_type_hints(Rules).get(name) if name in {f.name for f in fields(Rules)} else None
    value = value.strip()
    if hint is bool:
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        return name, known.get(value.casefold(), value)
    if value.casefold() == "none" and hint == int | None:
        return name, None
    if hint in (int, int | None) and value.lstrip("-").isdecimal():
        return name, int(value)
    if str(hint).startswith("tuple"):
        return name, tuple(part.strip() for part in value.split(","))
    return name, value
