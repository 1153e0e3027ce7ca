"""The commands that begin a game of Quantum Werewolf: `demo`, `play`, and `host` for everybody's phone.

`play` and `host` share the options of the game and of its house rules.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from dataclasses import replace
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any, Literal

import click

from kripke_werewolf.base.errors import FormatError, GameError, KripkeError
from kripke_werewolf.base.files import holds_night
from kripke_werewolf.base.wording import ENGLISH, known_language
from kripke_werewolf.cli.declared import ExistingFile, Folder, Given, Language, Log, Words, command
from kripke_werewolf.cli.output import check_new, note
from kripke_werewolf.games.one_night import OneNight
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf, replay
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.console.commands import move, parse_command
from kripke_werewolf.play.console.screens import Master, Rounds
from kripke_werewolf.play.console.terminal import PlainTerminal, PromptTerminal, Terminal, leaving_when_ended
from kripke_werewolf.play.host.evening import ON_PHONES, Evening
from kripke_werewolf.play.host.seats import SeatsFile
from kripke_werewolf.play.tabletop import DEVICE, MASTER, PHONES, Keeper, Robots, beginning
from kripke_werewolf.play.tabletop.advice import robot_names
from kripke_werewolf.play.tabletop.night import NightKeeper
from kripke_werewolf.play.tabletop.sitting import Manner

_HOUSE = "ballot ties missing absent"
_LIMITS = "night_seconds day_seconds"


class _SeveralPlayers(click.Command):
    """A command in which --players takes all words up to the next option, or one with commas.

    A name that begins with a dash is written `--players=-x`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, as click expects; divide a single value at commas."""
        rest = super().parse_args(ctx, list(_repeated(args, "--players")))
        players = ctx.params["players"]
        if len(players) == 1:
            from kripke_werewolf.logic.english.phrases import NUMBERS

            if players[0].isdecimal() or players[0].casefold() in NUMBERS:
                said = f"--players {players[0]} is a number"
                raise GameError(f"{said}: give the names of the players, such as --players Ann Bo Cy Di")
            ctx.params["players"] = tuple(name.strip() for name in players[0].split(","))
        return rest


def _repeated(args: list[str], option: str) -> Iterator[str]:
    left = list(args)
    while left:
        arg = left.pop(0)
        yield arg
        if arg == "--":
            yield from left
            return
        if arg == option:
            values = list(takewhile(lambda word: not word.startswith("-"), left))
            del left[: len(values)]
            yield from values[:1]  # without one, click says that it is missing
            for value in values[1:]:
                yield from (arg, value)


# --- settings ----------------------------------------------------------------------------------------


def _shared() -> None:
    """Describe the options of the commands that begin a game.

    Options:
      --option NAME=VALUE: Change a field of the rules; may be repeated.
      --burnings: How many players may be voted off in one day; the same as --option burnings=N.
      --cards NAME=NUMBER: Cards of other roles, such as hunter=1; may be repeated. With --players,
        "suggested" stands for those that `game decks` suggests.
      --roles FILE: A Python file that declares roles of your own; all are dealt once unless --cards says so.
      --middle: With --rules one-night, how many cards lie in the middle.
      --targets: Whether others see whom a player looks at or attacks.
      --deal: The game: quantum, or classical for ordinary Werewolf.
      --sample: Play with a random sample of at most this many worlds.
      --engine: enumerated: list all worlds; counting: count them without a list; auto: by size.
      --seed: The seed for all random draws. The log keeps it.
    """


_GAME: Mapping[Any, str] = {
    _shared: "",
    beginning.rules_of: "rule_set options burnings",
    beginning.read_cards: "cards roles",
    QuantumWerewolf: " ".join(beginning.OF_THE_GAME),
    OneNight: "middle",
    beginning.new_seed: "seed",
}
"""What sets the game that begins."""


def _refuse(log: Path, given: Mapping[str, object]) -> None:
    """Refuse what cannot be changed in a game that has begun."""
    for name in (name for name, value in given.items() if value and name not in ("seed", "engine")):
        option = {"rule_set": "rules", "options": "option"}.get(name, name)
        remedy = f"leave out --{option} to continue it"
        raise GameError(f"the players and rules of {str(log)!r} cannot change; {remedy}")


# --- demo ------------------------------------------------------------------------------------------


@command("demo")
def _demo(*, out: Folder = Path(), force: bool = False) -> None:
    """Play a small published game with four players and print what they know.

    Writes a picture of the Kripke model after the first night (demo.png) and the log of the game
    (demo.jsonl), which you can read with `ask` and `game table`.

    Options:
      --out: The directory for demo.png and demo.jsonl; by default the current one.
      --force: Write over other files of these names.
    """
    from visualise import save

    out.mkdir(parents=True, exist_ok=True)
    log, picture = out / "demo.jsonl", out / "demo.png"
    script = files(__package__).joinpath("demo.txt").read_text(encoding="utf-8")
    names = "Alice", "Bob", "Craig", "David"
    game = QuantumWerewolf(names, wolves=2, seers=1, rules="straat", targets="public")
    told, night, caption = list[str](), game, ""
    for line in script.splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "move" if command := parse_command(rest, game.setup):
                game = move(game, command)
            case "table":
                told.append(indent(str(game.table()), "  "))
            case "ask":
                meaning, _, f = rest.rpartition("? ")
                told.append(f"  {meaning}?\n      {f}   {game.ask(f)}")
            case "picture":
                night, caption = game, rest
            case _:
                winners = " and ".join(name for name, won in game.results.items() if won)
                told.append(line.format(worlds=game.size, verdict=game.verdict, winners=winners))
    if not _holds(log, game):
        check_new(log, picture)
    click.echo("\n".join(told))
    looks: Given = {"formula": "wolf_Bob", "atoms": [], "edges": "hulls", "caption": caption}
    looks["names"] = lambda world: str(world).partition(" ")[0]
    title = "After the first night: what Alice may have seen"
    save(night.model(["Alice", "Bob"], deaths_of=[]), picture, title=title, **looks)
    log.unlink(missing_ok=True)
    with LogFile.create(log, game):
        click.echo(f"\nThe model after the first night: {picture}\nThe game: {log}; try")
        click.echo(f'  kripke-werewolf ask {log} "K_Alice wolf_Bob"')


def _holds(log: Path, game: QuantumWerewolf) -> bool:
    """Whether a file is the log of a game with these steps."""
    try:
        return replay(log).steps == game.steps
    except (KripkeError, OSError):
        return False


# --- play ------------------------------------------------------------------------------------------


@command("play", cls=_SeveralPlayers, house={HouseRules(): _HOUSE}, settings=_GAME)
def _play(
    log: Log | None = None,
    *,
    new_log: Annotated[Log | None, "--log: The log of a new game; by default game.jsonl."] = None,
    screen: Literal["shared", "master"] | None = None,
    language: Language = ENGLISH,
    players: Words = (),
    robots: int = 0,
    house: Given,
    settings: dict[str, Any],
) -> None:
    """Play a game of Quantum Werewolf; every move is saved before it is acknowledged.

    \b
      kripke-werewolf play --rules cisra --players Ann Bo Cy Di Ed --log g.jsonl
      kripke-werewolf play g.jsonl                       continue this game

    On a terminal, players pass the device around. From a file or pipe, and with --screen master, it reads
    one command per line:

    \b
      vision PLAYER TARGET [as RESULT]    attack PLAYER TARGET    decline PLAYER [ACTION]
      vote PLAYER [PLAYER …] [as ROLE]    ballot VOTER [PLAYER]
      end [pass | random]    undo [STEPS | phase]
      away PLAYER    back PLAYER
      table [master]    status    numbers    help    quit

    Call players by name or number; several names in a vote are a tie. "as" chooses the outcome instead of
    drawing it. In a script, a refused command ends the program with exit code 2; the moves before it are
    saved. The log keeps the house rules and the seed.

    Options:
      --players NAME…: The players' names, in seat order.
      --robots: For practice: that many more players, for whom the program chooses and votes.
      --screen: shared (default on a terminal): players pass the device around; master: for the game
        master.
    """
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    terminal = PromptTerminal() if on_terminal else PlainTerminal()
    shared = screen == "shared" or (screen is None and on_terminal)
    practice, seed = robot_names(robots), settings.get("seed")
    night = settings.get("rule_set") == beginning.ONE_NIGHT_RULES or (log is not None and holds_night(log))
    if log is not None:
        more = house if night else {}
        _refuse(log, {**settings, **more, "players": players, "log": new_log, "robots": robots})
    elif practice and not (shared or night):
        others = "a game master enters all moves there; programs alone play with 'arena run werewolf'"
        raise GameError(f"--robots needs --screen shared: {others}")
    settings["seed"] = beginning.new_seed(seed)
    if log is None and not players and not on_terminal:
        raise GameError("there are no players; give --players NAME…, or the log of a game to continue")
    if log is None and not players:
        line = terminal.ask("Who plays? Names, separated by commas: ")
        players = tuple(name.strip() for name in line.split(","))
    named = [*players, *practice]
    leaving = leaving_when_ended() if on_terminal else nullcontext()
    if night:
        evening = beginning.new_night(named, {**settings, **house}, language) if log is None else None
        with closing(NightKeeper(log or new_log or Path("night.json"), evening)) as evening_kept:
            if evening is not None:
                evening_kept.submit(None, Robots(tuple(practice)))
            with leaving:
                Rounds(evening_kept, terminal, language=language).run()
        _saved(evening_kept.path, language, over=evening_kept.over)
        return
    if log is None:
        if practice:
            house = {"ballot": "open", **house}
        game = beginning.new_game(named, settings, language)
        session = HouseRules(**house), settings["seed"]
        file = LogFile.create(new_log or Path("game.jsonl"), game, session=session)
    else:
        file = LogFile.open(log, engine=settings.get("engine", "auto"))
    with file:
        manner = DEVICE if shared else MASTER
        drawn = seed if file.recorded.session else settings["seed"]
        keeper = _reopened(file, manner, HouseRules(), house, drawn)
        if practice:
            keeper.submit(None, Robots(practice))
        try:
            with leaving:
                _run(keeper, terminal, shared=shared, patient=on_terminal, language=language)
        except OSError as error:
            if error.filename != str(file.path):
                raise
            raise GameError(
                f"{file.path}: {error.strerror or error}. The last move was neither saved nor made; all "
                "moves before it are saved. Free some space, then continue with: "
                f"kripke-werewolf play {file.path}{_spoken(language)}"
            ) from None
        _saved(file.path, language, over=file.game.verdict is not None)


def _reopened(file: LogFile, manner: Manner, usual: HouseRules, house: Given, seed: int | None) -> Keeper:
    """Return the keeper of a game, with the house rules and the seed that are given now or in its log."""
    if file.recorded.notice:
        note(file.recorded.notice)
    kept, known = file.recorded.session or (usual, None)
    drawn = known if seed is None else beginning.new_seed(seed)
    return Keeper(file, manner, house=replace(kept, **house), seed=drawn)


def _saved(path: Path, language: str, *, over: bool) -> None:
    """Say where a game is saved, and what to do next."""
    read = f"To read it: kripke-werewolf game report {path} -o report.html"
    next_ = read if over else f"To continue: kripke-werewolf play {path}"
    click.echo(f"The game is saved in {path}.\n{next_}{_spoken(language)}")


def _spoken(language: str) -> str:
    """Return the option of a command that goes on in this language."""
    return "" if language == ENGLISH else f" --language {shlex.quote(language)}"


def _run(keeper: Keeper, terminal: Terminal, *, shared: bool, patient: bool, language: str) -> None:
    """Play on a device that is passed around, or with a game master; `patient`: people are typing."""
    if shared:
        Rounds(keeper, terminal, language=language).run()
        return
    try:
        Master(keeper, terminal, patient=patient, language=language).run()
    except FormatError:
        raise
    except KripkeError as error:
        if patient or not isinstance(terminal, PlainTerminal):
            raise
        saved = f"what came before is saved in {keeper.log.path}"
        raise GameError(f"line {terminal.line} of the script is refused: {error} ({saved})") from None


# --- host -----------------------------------------------------------------------------------------


@command("host", cls=_SeveralPlayers, house={ON_PHONES: f"{_HOUSE} {_LIMITS}"}, settings=_GAME)
def _host(
    evening: Folder = Path("evening"),
    *,
    address: str = "0.0.0.0",
    port: int = 8700,
    names: Words = (),
    tls: tuple[ExistingFile, ExistingFile] | None = None,
    language: Annotated[str, known_language] | None = None,
    players: Words = (),
    robots: int = 0,
    house: Given,
    settings: dict[str, Any],
) -> None:
    """Host an evening of Quantum Werewolf, which players join in the browser of their phones.

    \b
      kripke-werewolf host                            open the lobby, or go on with the evening
      kripke-werewolf host friday --rules cisra       another evening, with these rules at first

    Prints an address, a QR code and a short code for joining. Every move is saved in the folder EVENING
    (by default ./evening) before it is confirmed: a log for each game, and a private file with the players'
    seats. The player who joins first chooses the rules, starts the game, and after it the next. A page for
    a game master is available, but not needed.

    Options:
      --address: Listen only at this address, such as 127.0.0.1.
      --port: The port to listen at.
      --name: A name under which phones reach this machine; may be repeated.
      --players NAME…: The players of the first game, which begins at once; by default everybody who joins.
      --robots: For practice: that many more players, for whom the program chooses and votes. The player who
        joined first can change it before the game.
      --night-seconds SECONDS: How long a phase of the night may take; by default without limit.
      --day-seconds SECONDS: How long a day may take; by default without limit.
      --tls CERT KEY: Encrypt all connections with this certificate and key.
      --language LANGUAGE: The language of the shared screen and of phones that ask for no other: en, nl, de
        or ja; or a file with sentences, such as fr.ftl, which phones can choose then.
    """
    from kripke_werewolf.play.host.serving import bound, serve

    spoken = language or ENGLISH
    with SeatsFile(evening) as file, bound(address, port) as listening:
        log = file.log
        keeper: Keeper | NightKeeper | None = None
        exists = log.is_file() and log.stat().st_size > 0
        if exists:
            _refuse(log, {**settings, "players": players, "robots": robots})
        known = file.settings_to_begin({**settings, **house}, exists=exists)
        if exists and holds_night(log):
            keeper = NightKeeper(log)
        elif exists:
            opened = LogFile.open(log, engine=settings.get("engine", "auto"))
            keeper = _reopened(opened, PHONES, ON_PHONES, house, settings.get("seed"))
        hosted = Evening(file, known, language=spoken, keeper=keeper)
        try:
            if robots:
                hosted.with_robots(robots)
            if players:
                hosted.begin(time.time(), players)
            serve(hosted, listening, names=names, tls=tls, language=language)
        finally:
            hosted.close()
        go_on = f"To continue: kripke-werewolf host {evening}{_spoken(spoken)}"
        click.echo(f"The games are saved in {evening}.\n{go_on}")
