"""The commands that begin a game of Quantum Werewolf: `demo`, `play`, and `host` for everybody's phone.

`play` and `host` share the options of the game and of its house rules.
"""

from __future__ import annotations

import secrets
import shlex
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any, Literal, NamedTuple

import click

from kripke_werewolf.cli.declared import ExistingFile, File, Folder, Language, command
from kripke_werewolf.cli.output import note
from kripke_werewolf.cli.sources import ONE_NIGHT_RULES, night_cards, read_cards
from kripke_werewolf.console.commands import check_people, move, parse_command
from kripke_werewolf.console.screens import Master, NightRounds, Rounds
from kripke_werewolf.console.terminal import PlainTerminal, PromptTerminal
from kripke_werewolf.errors import FormatError, GameError, KripkeError, missing_package
from kripke_werewolf.files import holds_night
from kripke_werewolf.host.seats import SeatsFile
from kripke_werewolf.reports.documents import Document
from kripke_werewolf.settings import read_value, types_of
from kripke_werewolf.tabletop import DEVICE, MASTER, PHONES, Keeper, Robots
from kripke_werewolf.tabletop.advice import robot_names
from kripke_werewolf.tabletop.night import NightKeeper, NightSitting
from kripke_werewolf.werewolf import PRESETS, LogFile, QuantumWerewolf, Rules, preset
from kripke_werewolf.werewolf.enumerated import ENGINES
from kripke_werewolf.werewolf.log import Absent, Ballot, HouseRules, Ties, Unacted
from kripke_werewolf.werewolf.one_night import OneNight
from kripke_werewolf.werewolf.rulesheet import night_sheet, rule_sheet
from kripke_werewolf.wording import ENGLISH, Sentence, known_language

MOST_PLAYED = 10**10
"""The largest number of histories in a night that is played: nobody lists them."""


class SeveralPlayers(click.Command):
    """A command in which --players takes all words up to the next option, or one with commas.

    A name that begins with a dash is written `--players=-x`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, as click expects; divide a single value at commas."""
        rest = super().parse_args(ctx, list(_repeated(args, "--players")))
        players = ctx.params["players"]
        if len(players) == 1:
            from kripke_werewolf.language.phrases import NUMBERS

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


class _Settings(NamedTuple):
    """The settings with which a game begins.

    Options:
      --wolves: How many wolves; by default as the rules suggest.
      --seers: How many seers; by default 1.
      --cards NAME=NUMBER: Cards of other roles, such as hunter=1; may be repeated. With --players,
        "suggested" stands for those that `decks` suggests.
      --roles FILE: A Python file that declares roles of your own; all are dealt once unless --cards says so.
      --middle: With --rules one-night, how many cards lie in the middle; by default 3.
      --targets: secret (default) or public: whether others see whom a player looks at or attacks.
      --deal: quantum (default), or classical: ordinary Werewolf.
      --sample: Play with a random sample of at most this many worlds.
      --option NAME=VALUE: Change a field of the rules; may be repeated.
      --burnings: How many players may be voted off in one day; the same as --option burnings=N.
      --seed: The seed for all random draws. The log keeps it.
      --engine: enumerated: list all worlds; counting: count them without a list; auto: by size.
    """

    rule_set: Annotated[
        str | None, f"--rules: The rule set: {', '.join((*PRESETS, ONE_NIGHT_RULES))}; by default straat."
    ] = None
    wolves: int | None = None
    seers: int | None = None
    cards: tuple[str, ...] = ()
    roles: Annotated[str | None, click.Path(exists=True, dir_okay=False)] = None
    middle: int | None = None
    targets: str | None = None
    deal: str | None = None
    sample: int | None = None
    options: tuple[str, ...] = ()
    burnings: int | None = None
    seed: int | None = None
    engine: Annotated[str, click.Choice(["auto", *ENGINES])] = "auto"


class _House(NamedTuple):
    """The house rules.

    Options:
      --ballot: How the village votes: together (spoken), or each player, openly or in secret; by default
        spoken, on phones open. The log keeps it.
      --ties: How ties are decided: by lot, by the village, or nobody is voted off; by default lot. The log
        keeps it.
      --missing: How a phase ends without compulsory actions: it waits (remind), passes them over, or draws
        them; by default remind, on phones pass. The log keeps it.
      --absent: What happens to the actions of absent players: wait for them, pass, or choose at random; by
        default wait, on phones pass. The log keeps it.
      --night-seconds SECONDS: How long a phase of the night may take; by default without limit. The log
        keeps it.
      --day-seconds SECONDS: How long a day may take; by default without limit. The log keeps it.
    """

    ballot: Ballot | None = None
    ties: Ties | None = None
    missing: Unacted | None = None
    absent: Absent | None = None
    night_seconds: int | None = None
    day_seconds: int | None = None


def split_settings(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the settings of the game and the house rules that were given on the command line.

    >>> split_settings({"rule_set": "gekka", "players": (), "ballot": "open", "ties": None})
    ({'rule_set': 'gekka'}, {'ballot': 'open'})
    """
    said = {name: value for name, value in given.items() if value not in (None, ())}
    house = {name: said.pop(name) for name in _House._fields if name in said}
    return said, house


def _given(
    asked: _Settings, house_rules: _House, players: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any], int | None, Any]:
    """Return the settings, the house rules, the seed and the engine of a command."""
    settings, house = split_settings({**asked._asdict(), **house_rules._asdict(), "players": players})
    return settings, house, settings.pop("seed", None), settings.pop("engine")


def new_seed(given: int | None) -> int:
    """Return the seed that was given, or a fresh one."""
    if given is not None and given < 0:
        raise GameError(f"seed={given} is not possible; give an integer of at least 0")
    return secrets.randbits(62) if given is None else given


def new_game(
    players: Sequence[str], settings: Mapping[str, Any], engine: Any, seed: int, language: str
) -> QuantumWerewolf:
    """Return a new game of these players."""
    rules = read_rules(settings)
    chosen = {n: settings[n] for n in ("wolves", "seers", "targets", "deal", "sample") if n in settings}
    return QuantumWerewolf(
        check_people(players, language),
        rules=rules,
        cards=read_cards(settings, len(players)),
        numbers="shuffled" if rules.table == "anonymous" else None,
        engine=engine,
        rng=seed,
        **chosen,
    )


def check_night(settings: Mapping[str, Any]) -> None:
    """Raise GameError for settings of the long game."""
    for name in settings.keys() - {"rule_set", "players", "cards", "roles", "middle", "engine", "seed"}:
        raise GameError(f"the option --{name.replace('_', '-')} is not for One Night")


def new_night(players: Sequence[str], settings: Mapping[str, Any], seed: int, language: str) -> NightSitting:
    """Return a new evening of One Night; raise GameError for settings of the long game."""
    check_night(settings)
    if len(players) < 2:
        raise GameError("One Night needs at least two players: people look at each other's cards")
    middle, cards = settings.get("middle", 3), night_cards(settings, len(players))
    game = OneNight(check_people(players, language), cards, middle, limit=MOST_PLAYED)
    return NightSitting(game=game, dealt=game.drawn(seed).dealt, seed=seed)


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
    if "middle" in settings:
        raise GameError(f"the option --middle is for --rules {ONE_NIGHT_RULES}")
    values = dict(_option(text) for text in settings.get("options", ()))
    if "burnings" in settings:
        values["burnings"] = settings["burnings"]
    return preset(settings.get("rule_set", "straat"), **values)


def _option(text: str) -> tuple[str, object]:
    """Return the name of an option and its value, read as its type requires."""
    name, equals, value = text.partition("=")
    if not equals:
        raise GameError(f"the option {text!r} has no value; write NAME=VALUE, such as first_attack=true")
    name = name.strip().replace("-", "_")
    return name, read_value(value.strip(), types_of(Rules).get(name))


# --- demo ------------------------------------------------------------------------------------------


@command("demo")
def demo_command(*, out: Folder = Path()) -> None:
    """Play a small published game with four players and print what they know.

    Writes a picture of the Kripke model after the first night (demo.png) and the log of the game
    (demo.jsonl), which you can read with `ask` and `table`.

    Options:
      --out: The directory for demo.png and demo.jsonl; by default the current one.
    """
    out.mkdir(parents=True, exist_ok=True)
    log, picture = out / "demo.jsonl", out / "demo.png"
    script = files(__package__).joinpath("demo.txt").read_text(encoding="utf-8")
    game = QuantumWerewolf(
        ["Alice", "Bob", "Craig", "David"], wolves=2, seers=1, rules="straat", targets="public"
    )
    for line in script.splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "move" if command := parse_command(rest, game.setup):
                game = move(game, command)
            case "table":
                click.echo(indent(str(game.table()), "  "))
            case "ask":
                meaning, _, f = rest.rpartition("? ")
                click.echo(f"  {meaning}?\n      {f}   {game.ask(f)}")
            case "picture":
                _draw_demo(game, picture, rest)
            case _:
                winners = " and ".join(name for name, won in game.results.items() if won)
                click.echo(line.format(worlds=game.size, verdict=game.verdict, winners=winners))
    log.unlink(missing_ok=True)
    with LogFile.create(log, game):
        click.echo(f"\nThe model after the first night: {picture}\nThe game: {log}; try")
        click.echo(f'  kripke-werewolf ask {log} "K_Alice wolf_Bob"')


def _draw_demo(game: QuantumWerewolf, picture: Path, caption: str) -> None:
    from visualise import save

    save(
        game.model(["Alice", "Bob"], deaths_of=[]),
        picture,
        formula="wolf_Bob",
        atoms=[],
        names=lambda world: str(world).partition(" ")[0],
        edges="hulls",
        title="After the first night: what Alice may have seen",
        caption=caption,
    )


# --- play ------------------------------------------------------------------------------------------


@command("play", cls=SeveralPlayers)
def play_command(
    log: File | None = None,
    *,
    new_log: Annotated[File | None, "--log: The log of a new game; by default game.jsonl."] = None,
    screen: Literal["shared", "master"] | None = None,
    language: Language = ENGLISH,
    players: tuple[str, ...] = (),
    robots: int = 0,
    house_rules: _House,
    asked: _Settings,
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
      end [pass | random]    undo [STEPS | phase]    pause    resume
      away PLAYER    back PLAYER
      table [master]    status    numbers    help    quit

    Call players by name or number; several names in a vote are a tie. "as" chooses the outcome instead of
    drawing it. In a script, a refused command ends the program with exit code 2; the moves before it are
    saved.

    Options:
      --players NAME…: The players' names, in seat order.
      --robots: For practice: that many more players, for whom the program chooses and votes.
      --screen: shared (default on a terminal): players pass the device around; master: for the game
        master.
    """
    known_language(language)
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    settings, house, seed, engine = _given(asked, house_rules, players)
    shared = (screen or ("shared" if on_terminal else "master")) == "shared"
    practice = robot_names(robots)
    if settings.get("rule_set") == ONE_NIGHT_RULES or (log is not None and holds_night(log)):
        _play_night(log, new_log, {**settings, **house}, practice, new_seed(seed), on_terminal, language)
        return
    if log is None:
        fresh = new_seed(seed)
        if practice and not shared:
            raise GameError("--robots needs --screen shared: on the other one a game master enters all moves")
        house = {"ballot": "open", **house} if practice else house
        named = [*(settings.pop("players", None) or _ask_players(on_terminal)), *practice]
        game = new_game(named, settings, engine, fresh, language)
        file = LogFile.create(new_log or Path("game.jsonl"), game, session=(HouseRules(**house), fresh))
    else:
        refuse_settings(log, {**settings, "log": new_log, "robots": robots or None})
        file = LogFile.open(log, engine=engine)
    with file:
        if file.notice:
            note(file.notice)
        kept, known = file.session or (HouseRules(), new_seed(seed))
        keeper = Keeper(
            file,
            DEVICE if shared else MASTER,
            house=replace(kept, **house),
            seed=known if seed is None else new_seed(seed),
        )
        if practice:
            keeper.submit(None, Robots(practice))
        try:
            with leaving_when_ended() if on_terminal else nullcontext():
                _play(keeper, shared, on_terminal, language)
        except OSError as error:
            if error.filename != str(file.path):
                raise
            raise GameError(
                f"{file.path}: {error.strerror or error}. The last move was neither saved nor made; all "
                "moves before it are saved. Free some space, then continue with: "
                f"kripke-werewolf play {file.path}{_spoken(language)}"
            ) from None
        _saved(file.path, language, over=file.game.verdict is not None)


def _saved(path: Path, language: str, *, over: bool) -> None:
    """Say where a game is saved, and what to do next."""
    click.echo(f"The game is saved in {path}.")
    next_ = (
        f"To read it: kripke-werewolf report {path} -o report.html"
        if over
        else f"To continue: kripke-werewolf play {path}"
    )
    click.echo(f"{next_}{_spoken(language)}")


def _play_night(
    log: Path | None,
    new_log: Path | None,
    settings: dict[str, Any],
    robots: Sequence[str],
    seed: int,
    on_terminal: bool,
    language: str,
) -> None:
    """Play an evening of One Night on one device, or from a script."""
    if log is not None:
        refuse_settings(log, {**settings, "log": new_log, "robots": robots or None})
        keeper = NightKeeper(log)
    else:
        named = settings.get("players") or _ask_players(on_terminal)
        evening = new_night([*named, *robots], settings, seed, language)
        keeper = NightKeeper(new_log or Path("night.json"), evening)
        keeper.submit(None, Robots(tuple(robots)))
    try:
        with leaving_when_ended() if on_terminal else nullcontext():
            NightRounds(keeper, PromptTerminal() if on_terminal else PlainTerminal(), language=language).run()
    finally:
        keeper.close()
    _saved(keeper.path, language, over=keeper.over)


def _spoken(language: str) -> str:
    """Return the option of a command that goes on in this language."""
    return "" if language == ENGLISH else f" --language {shlex.quote(language)}"


def _play(keeper: Keeper, shared: bool, on_terminal: bool, language: str) -> None:
    if shared:
        terminal = PromptTerminal() if on_terminal else PlainTerminal()
        Rounds(keeper, terminal, clock=time.time if on_terminal else None, language=language).run()
    elif on_terminal:
        Master(keeper, PromptTerminal(), patient=True, clock=time.time, language=language).run()
    else:
        script = PlainTerminal()
        try:
            Master(keeper, script, patient=False, language=language).run()
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

    def stop(number: int, _: object) -> None:
        if sys.platform != "win32":
            signal.signal(signal.SIGALRM, lambda *_: stop(number, None))
            signal.setitimer(signal.ITIMER_REAL, 1)
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.setitimer(signal.ITIMER_REAL, 0)


def _ask_players(on_terminal: bool) -> list[str]:
    if not on_terminal:
        raise GameError("there are no players; give --players NAME…, or the log of a game to continue")
    line = PromptTerminal().ask("Who plays? Names, separated by commas: ")
    return [name.strip() for name in line.split(",")]


# --- host -----------------------------------------------------------------------------------------


PHONES_HOUSE = HouseRules(ballot="open", missing="pass", absent="pass")
"""The house rules that suit phones."""


@command("host", cls=SeveralPlayers)
def host_command(
    log: File = Path("game.jsonl"),
    *,
    address: str = "0.0.0.0",
    port: int = 8700,
    names: tuple[str, ...] = (),
    tls: tuple[ExistingFile, ExistingFile] | None = None,
    language: str | None = None,
    players: tuple[str, ...] = (),
    robots: int = 0,
    house_rules: _House,
    asked: _Settings,
) -> None:
    """Host a game of Quantum Werewolf, which players join in the browser of their phones.

    \b
      kripke-werewolf host friday.jsonl --rules cisra      start a game
      kripke-werewolf host friday.jsonl                    continue it

    Prints an address, a QR code and a short code for joining. Every move is saved in LOG (by default
    game.jsonl) before it is confirmed; the players' seats are saved in a private file next to it. The
    player who joins first starts the game. A page for a game master is available, but not needed.

    Options:
      --address: Listen only at this address, such as 127.0.0.1.
      --port: The port to listen at.
      --name: A name under which phones reach this machine; may be repeated.
      --players NAME…: The players; by default everybody who joins.
      --robots: For practice: that many more players, for whom the program chooses and votes. The player who
        joined first can change it before the game.
      --tls CERT KEY: Encrypt all connections with this certificate and key.
      --language: The language of the shared screen and of phones that ask for no other: en, nl, de or ja;
        or a file with sentences, such as fr.ftl, which phones can choose then.
    """
    known_language(language or ENGLISH)
    try:
        from kripke_werewolf.host.evening import Evening, kept_in
        from kripke_werewolf.host.serving import bound, serve
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name not in ("starlette", "uvicorn", "segno"):
            raise
        raise GameError(missing_package("this", name, extra="host")) from None

    settings, house, seed, engine = _given(asked, house_rules, players)
    with SeatsFile(log) as file, bound(address, port) as listening:
        waiting, exists = file.seats, log.is_file() and log.stat().st_size > 0
        if exists:
            refuse_settings(log, {**settings, "robots": robots or None})
        known = _to_begin(log, file, exists, {**settings, **house}, seed, engine)
        begun, kept = split_settings(known)
        night = holds_night(log) or begun.get("rule_set") == ONE_NIGHT_RULES
        own_house = replace(PHONES_HOUSE, **kept)
        begin = partial(_begun, log, begun, language or ENGLISH)
        keeper: Keeper | NightKeeper | None = None
        if exists:
            keeper = NightKeeper(log) if night else _reopened(log, house, seed, engine)
        elif begun.get("players"):
            practice = robot_names(robots)
            keeper = kept_in(log, begin((*begun["players"], *practice)), own_house, begun["seed"])
            if practice:
                keeper.submit(None, Robots(practice))
        sheet = _sheet_of(keeper, known)
        if keeper is None and waiting is not None:
            file.write(replace(waiting, settings=known))
        evening = Evening(
            log,
            file,
            begin=begin,
            house=own_house,
            seed=known.get("seed", 0),
            sheet=sheet,
            about=_about(known),
            keeper=keeper,
            settings=known,
        )
        if robots and keeper is None:
            evening.with_robots(robots)
        try:
            serve(evening, listening, names=names, tls=tls, language=language)
        finally:
            evening.close()
        go_on = f"To continue: kripke-werewolf host {log}{_spoken(language or ENGLISH)}"
        click.echo(f"The game is saved in {log}.\n{go_on}" if evening.keeper else "")


def _to_begin(
    log: Path, file: SeatsFile, exists: bool, given: Mapping[str, Any], seed: int | None, engine: Any
) -> Mapping[str, Any]:
    """Return the settings of the game to begin: those given now, or those with which players wait.

    `exists`: whether there is a log, which has its own. Raises GameError if players wait with other settings,
    and if the log of a game that has begun is gone.
    """
    waiting, given_any = file.seats, given or seed is not None
    if exists:
        return waiting.settings if waiting is not None else {}
    if waiting is not None and waiting.begun:
        raise GameError(
            f"the log {str(log)!r} of the game that was hosted here is gone; put it back, "
            f"or delete {str(file.path)!r} to start again"
        )
    if waiting is not None and waiting.players and given_any:
        raise GameError(
            f"players are waiting at {str(log)!r} and their settings cannot change; give none, "
            f"or delete {str(file.path)!r} to start again"
        )
    if waiting is None or given_any:
        return {**given, "seed": new_seed(seed), "engine": engine}
    return waiting.settings


def _begun(
    log: Path, settings: Mapping[str, Any], language: str, players: tuple[str, ...]
) -> QuantumWerewolf | NightKeeper:
    """Return the game of the players who have joined; see `Begin`."""
    if settings.get("rule_set") == ONE_NIGHT_RULES:
        return NightKeeper(log, new_night(players, settings, settings["seed"], language))
    return new_game(players, settings, settings["engine"], settings["seed"], language)


def _reopened(log: Path, house: Mapping[str, Any], seed: int | None, engine: Any) -> Keeper:
    """Return the keeper of a game that goes on, with house rules and a seed that were given now."""
    file = LogFile.open(log, engine=engine)
    if file.notice:
        note(file.notice)
    held = file.session[0] if file.session else PHONES_HOUSE
    drawn = None if seed is None else new_seed(seed)
    return Keeper(file, PHONES, house=replace(held, **house), seed=drawn)


def _sheet_of(keeper: Keeper | NightKeeper | None, settings: Mapping[str, Any]) -> Document:
    """Return the rules of a game on one page; before it begins, those of the settings.

    Impossible settings are refused here, not when all have joined.
    """
    if isinstance(keeper, NightKeeper):
        return night_sheet(keeper.game.cards, keeper.game.middle)
    if keeper is not None:
        setup = keeper.game.setup
        return rule_sheet(setup.rules, deal=setup.deal, targets=setup.targets, cards=dict(setup.deck.others))
    if settings.get("rule_set") == ONE_NIGHT_RULES:
        check_night(settings)
        return night_sheet(night_cards(settings), settings.get("middle", 3))
    chosen = {name: settings[name] for name in ("deal", "targets") if name in settings}
    return rule_sheet(read_rules(settings), cards=read_cards(settings), **chosen)


def _about(settings: Mapping[str, Any]) -> str:
    """Return the settings in one line."""
    named = [n for n in ("wolves", "seers", "targets", "deal", "ballot") if n in settings]
    given = [str(text).partition("=")[::2] for key in ("cards", "options") for text in settings.get(key, ())]
    pairs = [*((name, settings[name]) for name in named), *given]
    parts = [Sentence("setting", name=name, value=value) if value else name for name, value in pairs]
    return Sentence("about", rules=settings.get("rule_set", "straat"), any=bool(parts), settings=parts)
