"""The commands that begin a game of Quantum Werewolf: `demo` and `play`."""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from textwrap import indent
from typing import Any, get_args, get_type_hints

import click

from kripke_werewolf.cli.output import NEW_FILE, note
from kripke_werewolf.console.screens import Master, Rounds
from kripke_werewolf.console.terminal import PlainTerminal, PromptTerminal
from kripke_werewolf.errors import FormatError, GameError, KripkeError
from kripke_werewolf.tabletop import DEVICE, MASTER, Keeper
from kripke_werewolf.werewolf import PRESETS, LogFile, QuantumWerewolf, Rules, preset
from kripke_werewolf.werewolf.log import Absent, HouseRules, Ties, Unacted
from kripke_werewolf.werewolf.setup import ENGINES, Engine

# --- demo ------------------------------------------------------------------------------------------

_CAPTION = (
    "A world names the roles of Alice, Bob, Craig and David: v villager, s seer, w wolf. Worlds that Alice"
    " cannot tell apart have one outline: looking at Bob she saw a villager, a seer or, as happened (double),"
    " a wolf. Bob cannot tell any of these worlds apart."
)
_AFTER_NIGHT = [
    ("K_Alice (seer_Alice -> wolf_Bob)", "Alice knows: if I am the seer, Bob is a wolf"),
    ("K_Bob (seer_Alice -> wolf_Bob)", "Bob knows that too"),
    (
        "K_Bob (K_Alice (seer_Alice -> wolf_Bob) | K_Alice (seer_Alice -> ~wolf_Bob))",
        "Bob knows that she has seen whether he is one",
    ),
    ("K_Craig Kw_Alice wolf_Bob", "Craig knows that Alice knows whether Bob is a wolf"),
    ("P_Alice(wolf_Bob) = 6/11", "For Alice, Bob is a wolf with probability 6/11"),
    ("wolf_Bob", "Bob is a wolf"),
]
_AFTER_DAVID = [
    ("K_Craig wolf_David", "Craig knows that David was a wolf"),
    ("C_{Alice,Bob,Craig,David} wolf_David", "That is common knowledge"),
    ("K_Alice (seer_Alice -> wolf_Bob)", "Alice still knows what her vision told her"),
    ("M_Bob wolf_Craig", "Bob considers it possible that Craig is the other wolf"),
    ("D_{Alice,Bob,Craig,David} (seer_Alice -> wolf_Bob)", "Together they could work out what she saw"),
]
_AFTER_BOB = [
    ("K_Alice ~wolf_Craig", "Alice knows that Craig is no wolf"),
    ("K_Alice Kw_Craig wolf_Alice", "Alice knows that Craig knows whether she is one"),
    ("Kw_Alice seer_Alice", "Alice knows whether she was the seer"),
]


@click.command("demo")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Directory for demo.png and demo.jsonl; by default the current one.",
)
def demo_command(out: Path) -> None:
    """Play the four-player game of a published README and ask what its players know.

    Leaves a picture of the Kripke model after the first night (demo.png) and the log of the game
    (demo.jsonl), on which `ask` and `table` go on.
    """
    from visualise import save

    out.mkdir(parents=True, exist_ok=True)
    log, picture = out / "demo.jsonl", out / "demo.png"
    game = QuantumWerewolf(
        ["Alice", "Bob", "Craig", "David"], wolves=2, seers=1, rules="straat", targets="public"
    )
    _say(f"Four players, two wolves, a seer and a villager: {game.size} worlds.", game)

    game = game.vision("Alice", "Bob", result="wolf")
    click.echo(f"\nNight 1. Alice looks at Bob and sees a wolf: {game.size} worlds.")
    game = game.attack("Alice", "Craig")
    _say("Alice attacks Craig.", game)
    _ask(game, _AFTER_NIGHT)
    save(
        game.model(["Alice", "Bob"], deaths_of=[]),
        picture,
        formula="wolf_Bob",
        atoms=[],
        names=lambda world: str(world).partition(" ")[0],
        edges="hulls",
        title="After the first night: what Alice may have seen",
        caption=_CAPTION,
    )

    game = game.vote_off("David", role="wolf")
    _say(f"Day 1. David is voted off and was a wolf: {game.size} worlds.", game)
    _ask(game, _AFTER_DAVID)

    game = game.vote_off("Bob", role="wolf")
    _say(f"Day 2. Bob is voted off and was a wolf: {game.size} worlds are left.", game)
    _ask(game, _AFTER_BOB)
    winners = " and ".join(name for name, won in game.results.items() if won)
    click.echo(f"\nThe {game.verdict} wins ({winners}), though it is still open who of them was the seer.")

    log.unlink(missing_ok=True)
    with LogFile.create(log, game):
        click.echo(f"\nThe model after the first night: {picture}\nThe game: {log}; try")
        click.echo(f"  kripke-werewolf ask {log} 'K_Alice wolf_Bob'")


def _say(what: str, game: QuantumWerewolf) -> None:
    click.echo(f"\n{what}\n\n{indent(str(game.table()), '  ')}")


def _ask(game: QuantumWerewolf, questions: list[tuple[str, str]]) -> None:
    click.echo("")
    for f, meaning in questions:
        click.echo(f"  {meaning}?\n      {f}   {game.ask(f)}")


# --- play ------------------------------------------------------------------------------------------


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


@click.command("play", cls=SeveralValues)
@click.argument("log", required=False, type=NEW_FILE)
@click.option("--rules", "rule_set", help=f"The rule set: {', '.join(PRESETS)}; by default straat.")
@click.option("--players", cls=Several, metavar="NAME…", help="The players' names, in seat order.")
@click.option("--wolves", type=int, help="How many wolves; by default what the rules call usual.")
@click.option("--seers", type=int, help="How many seers; by default 1.")
@click.option("--targets", help="Whether targets are secret (by default) or public.")
@click.option("--deal", help="A quantum deal (by default) or a classical one.")
@click.option("--sample", type=int, help="Play with at most so many random worlds instead of all.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
@click.option("--burnings", type=int, help="How many may be voted off in one day; short for an option.")
@click.option(
    "--ties",
    type=click.Choice(get_args(Ties)),
    help="Who decides ties; by default the lot. The log keeps it.",
)
@click.option(
    "--missing",
    type=click.Choice(get_args(Unacted)),
    help="What becomes of compulsory actions that nobody took when a phase shall end; by default it "
    "does not end (remind). The log keeps it.",
)
@click.option(
    "--absent",
    type=click.Choice(get_args(Absent)),
    help="What becomes of the compulsory actions of players who are away; by default the others wait for "
    "them. The log keeps it.",
)
@click.option("--seed", type=int, help="Draw everything from this seed. The log keeps it.")
@click.option("--log", "new_log", type=NEW_FILE, help="The new log.")
@click.option(
    "--engine",
    type=click.Choice(["auto", *ENGINES]),
    default="auto",
    show_default=True,
    help="How the superposition is represented.",
)
@click.option(
    "--screen",
    type=click.Choice(["shared", "master"]),
    help="One device for everybody, handed round, or the game master's own. On a terminal: shared.",
)
def play_command(
    log: Path | None,
    rule_set: str | None,
    players: tuple[str, ...],
    options: tuple[str, ...],
    burnings: int | None,
    ties: Ties | None,
    missing: Unacted | None,
    absent: Absent | None,
    seed: int | None,
    new_log: Path | None,
    engine: Engine,
    screen: str | None,
    **settings: Any,
) -> None:
    """Play a game of Quantum Werewolf; every move is saved before it is acknowledged.

    \b
      kripke-werewolf play --rules cisra --players Ann Bo Cy Di Ed --log g.jsonl
      kripke-werewolf play g.jsonl                       go on with it

    On a terminal the device is handed from player to player. From a file or pipe, and with
    --screen master, it reads one command a line:

    \b
      vision PLAYER TARGET [as RESULT]    attack PLAYER TARGET    decline PLAYER
      vote PLAYER [PLAYER …] [as ROLE]    end [pass | random]     undo [STEPS | phase]
      whisper PLAYER    away PLAYER    back PLAYER
      table [master]    status    numbers    help    quit

    Players go by name or number; several names in a vote are a tie. "as" forces what is otherwise
    drawn. A refused command in a script ends it with exit code 2; what came before is saved.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if isinstance(sys.stdout, TextIOWrapper):  # no name shall stop a game
        sys.stdout.reconfigure(errors="backslashreplace")
    if seed is not None and seed < 0:
        raise GameError(f"seed={seed} is not possible; give an integer of at least 0")
    settings = {name: value for name, value in settings.items() if value is not None}
    given = {"ties": ties, "missing": missing, "absent": absent}
    house_rules: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    fresh = secrets.randbits(62) if seed is None else seed
    if log is None:
        rules = read_rules(rule_set or "straat", options, burnings)
        game = QuantumWerewolf(
            list(players) or _ask_players(on_terminal),
            rules=rules,
            numbers="shuffled" if rules.table == "anonymous" else None,
            engine=engine,
            rng=fresh,
            **settings,
        )
        begun = HouseRules(**house_rules), fresh
        file = LogFile.create(new_log or Path("game.jsonl"), game, session=begun)
    else:
        fixed = {"players": players, "rules": rule_set, "option": options, "log": new_log}
        refuse_settings(log, {**fixed, "burnings": burnings, **settings})
        file = LogFile.open(log, engine=engine)
    with file:
        if file.notice:
            note(file.notice)
        house, kept = file.session or (HouseRules(), fresh)
        shared = (screen or ("shared" if on_terminal else "master")) == "shared"
        keeper = Keeper(
            file,
            DEVICE if shared else MASTER,
            house=replace(house, **house_rules),
            seed=kept if seed is None else seed,
        )
        _play(keeper, shared, on_terminal)
        click.echo(f"The game is saved in {file.path}.")
        if file.game.verdict is None:
            click.echo(f"To go on: kripke-werewolf play {file.path}")
        else:
            click.echo(f"To read it: kripke-werewolf report {file.path} -o report.html")


def _play(keeper: Keeper, shared: bool, on_terminal: bool) -> None:
    if on_terminal:
        for name in ("SIGTERM", "SIGHUP"):  # leave by the way on which the screen is cleared
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), _stopped)
    if shared:
        Rounds(keeper, PromptTerminal() if on_terminal else PlainTerminal()).run()
    elif on_terminal:
        Master(keeper, PromptTerminal(), patient=True).run()
    else:
        terminal = PlainTerminal()
        try:
            Master(keeper, terminal, patient=False).run()
        except FormatError:
            raise
        except KripkeError as error:
            saved = f"what came before is saved in {keeper.log.path}"
            raise GameError(f"line {terminal.line} of the script is refused: {error} ({saved})") from None


def _stopped(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def refuse_settings(log: Path, given: dict[str, object]) -> None:
    """Refuse what cannot be changed in a game that has begun."""
    for name, value in given.items():
        if value not in (None, ()):
            raise GameError(
                f"{str(log)!r} has its players and rules, which stay; leave out --{name} to go on with it"
            )


def _ask_players(on_terminal: bool) -> list[str]:
    if not on_terminal:
        raise GameError("who plays? Give --players NAME…, or the log of a game to go on with")
    line = PromptTerminal().ask("Who plays? Names, separated by commas: ")
    return [name.strip() for name in line.split(",")]


def read_rules(name: str, options: tuple[str, ...], burnings: int | None) -> Rules:
    """Return a preset with options given as NAME=VALUE."""
    values = dict(_option(text) for text in options)
    if burnings is not None:
        values["burnings"] = burnings
    return preset(name, **values)


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
