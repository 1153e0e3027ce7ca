"""The commands that begin a game of Quantum Werewolf: `demo` and `play`."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any, Literal

import click

from kripke_werewolf.cli.declared import File, Folder, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.cli.settings import (
    SeveralValues,
    game_options,
    house_options,
    new_game,
    new_seed,
    refuse_settings,
    split_settings,
)
from kripke_werewolf.console.screens import Master, Rounds
from kripke_werewolf.console.terminal import PlainTerminal, PromptTerminal
from kripke_werewolf.errors import FormatError, GameError, KripkeError
from kripke_werewolf.tabletop import DEVICE, MASTER, Keeper
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf
from kripke_werewolf.werewolf.log import HouseRules

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
        "Bob knows that Alice has seen whether Bob is one",
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


@command("demo")
def demo_command(*, out: Folder = Path()) -> None:
    """Play a small published game with four players and print what they know.

    Writes a picture of the Kripke model after the first night (demo.png) and the log of the game
    (demo.jsonl), which you can read with `ask` and `table`.

    Options:
      --out: The directory for demo.png and demo.jsonl; by default the current one.
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
        click.echo(f'  kripke-werewolf ask {log} "K_Alice wolf_Bob"')


def _say(what: str, game: QuantumWerewolf) -> None:
    click.echo(f"\n{what}\n\n{indent(str(game.table()), '  ')}")


def _ask(game: QuantumWerewolf, questions: list[tuple[str, str]]) -> None:
    click.echo("")
    for f, meaning in questions:
        click.echo(f"  {meaning}?\n      {f}   {game.ask(f)}")


# --- play ------------------------------------------------------------------------------------------


@command("play", cls=SeveralValues)
@game_options(players="The players' names, in seat order.")
@house_options(HouseRules())
def play_command(
    log: File | None = None,
    *,
    new_log: Annotated[File | None, "--log: The log of a new game; by default game.jsonl."] = None,
    screen: Literal["shared", "master"] | None = None,
    **given: Any,
) -> None:
    """Play a game of Quantum Werewolf; every move is saved before it is acknowledged.

    \b
      kripke-werewolf play --rules cisra --players Ann Bo Cy Di Ed --log g.jsonl
      kripke-werewolf play g.jsonl                       continue this game

    On a terminal, players pass the device around. From a file or pipe, and with --screen master, it reads
    one command per line:

    \b
      vision PLAYER TARGET [as RESULT]    attack PLAYER TARGET    decline PLAYER
      vote PLAYER [PLAYER …] [as ROLE]    ballot VOTER [PLAYER]
      end [pass | random]    undo [STEPS | phase]    pause    resume
      whisper PLAYER    away PLAYER    back PLAYER
      table [master]    status    numbers    help    quit

    Call players by name or number; several names in a vote are a tie. "as" chooses the outcome instead of
    drawing it. In a script, a refused command ends the program with exit code 2; the moves before it are
    saved.

    Options:
      --screen: shared (default on a terminal): players pass the device around; master: for the game
        master.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if isinstance(sys.stdout, TextIOWrapper):  # no name shall stop a game
        sys.stdout.reconfigure(errors="backslashreplace")
    seed, engine = given.pop("seed"), given.pop("engine")
    settings, house = split_settings(given)
    if log is None:
        fresh = new_seed(seed)
        game = new_game(settings.pop("players", None) or _ask_players(on_terminal), settings, engine, fresh)
        file = LogFile.create(new_log or Path("game.jsonl"), game, session=(HouseRules(**house), fresh))
    else:
        refuse_settings(log, {**settings, "log": new_log})
        file = LogFile.open(log, engine=engine)
    with file:
        if file.notice:
            note(file.notice)
        kept, known = file.session or (HouseRules(), new_seed(seed))
        shared = (screen or ("shared" if on_terminal else "master")) == "shared"
        keeper = Keeper(
            file,
            DEVICE if shared else MASTER,
            house=replace(kept, **house),
            seed=known if seed is None else new_seed(seed),
        )
        try:
            with leaving_when_ended() if on_terminal else nullcontext():
                _play(keeper, shared, on_terminal)
        except OSError as error:
            if error.filename != str(file.path):
                raise
            raise GameError(
                f"{file.path}: {error.strerror or error}. The last move was not saved, and was not made; all "
                f"before it is saved. Make room, then go on: kripke-werewolf play {file.path}"
            ) from None
        click.echo(f"The game is saved in {file.path}.")
        if file.game.verdict is None:
            click.echo(f"To go on: kripke-werewolf play {file.path}")
        else:
            click.echo(f"To read it: kripke-werewolf report {file.path} -o report.html")


def _play(keeper: Keeper, shared: bool, on_terminal: bool) -> None:
    if shared:
        terminal = PromptTerminal() if on_terminal else PlainTerminal()
        Rounds(keeper, terminal, clock=time.time if on_terminal else None).run()
    elif on_terminal:
        Master(keeper, PromptTerminal(), patient=True, clock=time.time).run()
    else:
        script = PlainTerminal()
        try:
            Master(keeper, script, patient=False).run()
        except FormatError:
            raise
        except KripkeError as error:
            saved = f"what came before is saved in {keeper.log.path}"
            raise GameError(f"line {script.line} of the script is refused: {error} ({saved})") from None


@contextmanager
def leaving_when_ended() -> Iterator[None]:
    """Raise SystemExit when the program is ended by a signal, so that the screen is cleared on the way.

    Python ignores an exception in a finalizer, so it is raised again each second until the block is left.
    """
    timed = hasattr(signal, "setitimer")

    def stop(number: int, _: object) -> None:
        if timed:
            signal.signal(signal.SIGALRM, lambda *_: stop(number, None))
            signal.setitimer(signal.ITIMER_REAL, 1)
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    try:
        yield
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _ask_players(on_terminal: bool) -> list[str]:
    if not on_terminal:
        raise GameError("there are no players; give --players NAME…, or the log of a game to continue")
    line = PromptTerminal().ask("Who plays? Names, separated by commas: ")
    return [name.strip() for name in line.split(",")]
