"""The group `game`: commands on recorded games, their rules, decks and nights of One Night."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import click

from kripke_werewolf.base.errors import GameError, IllegalMove, KripkeError
from kripke_werewolf.base.files import holds_night, parse_json, read_text
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.base.reports.tables import Grid, Numbers, Tabular, counted
from kripke_werewolf.base.settings import Positive
from kripke_werewolf.base.wording import ENGLISH, in_language
from kripke_werewolf.cli import declared
from kripke_werewolf.cli.declared import (
    Asking,
    FirstSteps,
    Given,
    Language,
    New,
    NewFile,
    Reply,
    Settled,
    Viewer,
    command,
)
from kripke_werewolf.cli.output import check_new, note, print_json, write_file
from kripke_werewolf.cli.sources import load_game
from kripke_werewolf.games.audit import audit_rules
from kripke_werewolf.games.one_night import PlayedNight
from kripke_werewolf.games.werewolf import LogFile, QuantumWerewolf, Table, TableChange, read_log, story
from kripke_werewolf.games.werewolf.decks import blind_chances, suggested_cards
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.rules import read_rules
from kripke_werewolf.games.werewolf.rulesheet import night_sheet, rule_sheet
from kripke_werewolf.games.werewolf.tale import knowledge_after, report, tale, to_ask
from kripke_werewolf.games.werewolf.telling import describe_setup
from kripke_werewolf.play.console.commands import move, parse_command, player_named
from kripke_werewolf.play.tabletop.beginning import ONE_NIGHT_RULES, night_cards, read_cards
from kripke_werewolf.play.tabletop.evenings import statistics
from kripke_werewolf.play.tabletop.night import read_night
from kripke_werewolf.play.tabletop.sitting import read_flow

_Numbers = Annotated[Numbers | None, "--as: How to write probabilities; by default decimal, in JSON exact."]
_Players = Annotated[int, click.IntRange(min=2)]
_Report = Annotated[Path, declared.New(".html", ".md", ".txt", ".htm")]

# --- replay and table ------------------------------------------------------------------------------


@command("game replay")
def _replay(log: str, *, step: FirstSteps = None, numbers: _Numbers = None) -> Reply:
    """Print the game in LOG step by step, with all secrets, and then the table."""
    game = load_game(log, step)
    content: dict[str, Any] = {"setting": describe_setup(game.setup), "players": list(game.players)}
    content |= {"steps": [episode.to_dict() for episode in story(game)], "phase": str(game.phase)}
    content |= {"alive": list(game.alive), "verdict": game.verdict, "results": game.results}
    content["table"] = game.table().to_dict(numbers or "fractions")
    return Reply(_replayed(game, numbers or "decimal"), content)


def _replayed(game: QuantumWerewolf, numbers: Numbers) -> Iterator[str]:
    yield f"{describe_setup(game.setup)}\nPlayers: {', '.join(game.players)}."
    phase = None
    for episode in story(game):
        number, text = "      ", "The start."
        if episode.step:
            number, text = f"{episode.step:4}  ", "The phase ends."
            if episode.phase != phase:
                phase = episode.phase
                yield f"\n{phase}"
        yield f"{number}{' '.join(episode.sentences) or text} [{counted(episode.worlds, 'world')}]"
    over = f"over: {game.verdict}" if game.verdict else f"{game.phase}"
    yield f"\nAfter step {len(game.steps)}: {over}. Alive: {', '.join(game.alive) or 'nobody'}.\n"
    yield game.table().grid(numbers).to_text()


@command("game table", how={Asking: "reading timeout"})
def _table(
    log: str,
    *,
    format: Literal["text", "markdown", "csv", "html"] = "text",
    numbers: _Numbers = None,
    public: bool = False,
    viewer: Viewer = None,
    columns: declared.Names | None = None,
    step: FirstSteps = None,
    diff: declared.StepOrPhase | None = None,
    how: Settled,
    as_json: declared.AsJson = False,
) -> None:
    """Print the probability table of the game in LOG, by default as the game master sees it.

    Options:
      --format: The format of the table.
      --public: Print the public table instead of the game master's.
      --columns NAMES: The columns, separated by commas, such as wolf,seer; by default those of the rules.
      --diff N: The changes since step N.
    """
    if public and viewer is not None:
        raise GameError("--public and --player are two different tables; give one of them")
    if viewer is None and how["reading"] != "facts":
        remedy = "give --player PLAYER, too"
        raise GameError(f"--reading {how['reading']} is about what a player knows: {remedy}")

    def table(game: QuantumWerewolf) -> Table:
        if viewer is None:
            return game.table(public=public, columns=columns)
        return game.table(viewer=player_named(viewer, game.setup), columns=columns, **how)

    whole = load_game(log)
    game = whole if step is None else whole.at(step)
    before = None if diff is None else whole.at(diff)
    shown: Tabular = table(game) if before is None else TableChange(table(before), table(game))
    if as_json:
        state = {"step": len(game.steps), "phase": str(game.phase), "verdict": game.verdict}
        print_json({**state, **shown.to_dict(numbers or "fractions")})
        return
    if before is not None and format == "text":
        click.echo(f"step {len(before.steps)} → {len(game.steps)}, worlds: {before.size:,} → {game.size:,}\n")
    elif step is not None and format == "text":
        click.echo(f"after step {len(game.steps)}, in {game.phase}\n")
    grid = shown.grid(numbers or "decimal")
    click.echo(getattr(grid, f"to_{format}")())
    if format == "csv" and grid.note:  # there is no place for it among the values
        note(grid.note)


# --- handout and report ----------------------------------------------------------------------------

_HANDOUTS: Mapping[str, Callable[[Document], str]] = {
    ".txt": lambda document: document.to_text() + "\n",
    ".md": Document.to_markdown,
    ".html": Document.to_page,
}


@command("game handout")
def _handout(
    log: str,
    *,
    player: str,
    step: FirstSteps = None,
    output: Annotated[Path, New(*_HANDOUTS, ".json")] | None = None,
    language: Language = ENGLISH,
    as_json: declared.AsJson = False,
) -> None:
    """Print what one player of the game in LOG may know, and nothing else.

    These are the player's number, visions and attacks, all announcements, and the published tables.
    `game table --player` prints what follows from them.

    Options:
      --player: The player, by name or number.
      -o, --output: The file to write, a .txt, .md, .html or .json; by default it is printed.
    """
    if output is not None and output.exists() and output.samefile(log):
        raise GameError(f"{output} is the log of the game; give another file for the handout")
    ending = ".txt" if output is None else output.suffix.lower()
    as_json = as_json or ending == ".json"
    if holds_night(Path(log)):
        told = in_language(read_night(Path(log)).handout(player), language)
        if step is not None or as_json:
            raise GameError("a night of One Night has no steps; `game night --json` prints it")
        write_file(output, _HANDOUTS[ending](told), secret=True)
        return
    game = load_game(log, step)
    handout = game.handout(player_named(player, game.setup))
    if as_json:
        text = f"{handout.to_json()}\n"
    else:
        text = _HANDOUTS[ending](in_language(handout.document, language))
    write_file(output, text, secret=game.verdict is None)


@command("game report")
def _report(
    log: str, *, output: _Report, step: FirstSteps = None, plots: bool = True, language: Language = ENGLISH
) -> None:
    """Write a report of the game in LOG, to read after the game: it contains all secrets.

    Options:
      -o, --output: The file: report.html (one self-contained page), report.md (with a picture file
        for each plot) or report.txt.
      --plots/--no-plots: Whether the report has plots.
    """
    if holds_night(Path(log)):
        night = read_night(Path(log))
        document, secret = night.report(), night.stage != "over"
    else:
        game = load_game(log, step)
        document, secret = report(game, plots=plots), game.verdict is None
    _write_document(in_language(document, language), output, secret=secret)


@command("game tale", how={Asking: "reading timeout"})
def _tale(log: str, *, output: _Report | None = None, language: Language = ENGLISH, how: Settled) -> None:
    """Tell the game in LOG as a story to pass on: it has all secrets of the players and none of the host.

    It says whose attacks made each death likely, in what share of the worlds, and how people voted; how
    everybody's chances changed; what the turning points were; and when each player could first have known
    their own card, a wolf and the seer.

    Options:
      -o, --output: The file: story.html (one self-contained page), story.md or story.txt; by default it is
        printed.
    """
    game = load_game(log)
    asked = [one for one in to_ask(game) if one[1] in ("facts", how["reading"])]
    found = {one: knowledge_after(game, one, how["timeout"]) for one in asked}
    votes = read_flow(read_log(log).flow or {}).results
    document = in_language(tale(game, found, votes=votes), language)
    _write_document(document, output, secret=game.verdict is None)


@command("game statistics")
def _statistics(
    folder: declared.Folder, *, output: _Report | None = None, as_json: declared.AsJson = False
) -> None:
    """Count games, winners and players over the logs in FOLDER, its files that end in .jsonl.

    Files that are not logs are named and left out. A log that another one continues is counted once.

    Options:
      -o, --output: The file: evenings.html, evenings.md or evenings.txt; by default it is printed.
    """
    found = statistics(folder)
    if as_json:
        print_json(found.to_dict())
    else:
        _write_document(found.document, output)


def _write_document(document: Document, output: Path | None, *, secret: bool = False) -> None:
    """Write a document as the ending of the file says, with its figures beside Markdown; or print it."""
    pictures: dict[str, Path] = {}
    if output is None or output.suffix.lower() == ".txt":
        content = f"{document.to_text()}\n"
    elif output.suffix.lower() == ".md":
        figures = {figure.name: figure for figure in document.figures()}
        pictures = {name: output.with_name(f"{output.stem}-{name}.svg") for name in figures}
        check_new(*pictures.values())
        for name, path in pictures.items():
            write_file(path, figures[name].svg + "\n", secret=secret)
        content = document.to_markdown({name: quote(path.name) for name, path in pictures.items()})
    else:
        content = document.to_page()
    write_file(output, content, secret=secret)
    if output is not None:
        click.echo("\n".join(map(str, (output, *pictures.values()))))


# --- rules and audit --------------------------------------------------------------------------------


@command("game rules", chosen={rule_sheet: "deal targets"}, cards={read_cards: "cards roles"})
def _rules(
    rules: str, *, output: _Report | None = None, language: Language = ENGLISH, chosen: Given, cards: Given
) -> None:
    """Print the rules of a game on one page, for its players.

    RULES is the name of a rule set, or a TOML file with fields of the rules, where `preset = "gekka"`
    names the rule set to change.

    Options:
      --deal: quantum, or classical: ordinary Werewolf.
      --targets: secret or public: whether others see whom a player looks at or attacks.
      --cards NAME=NUMBER: Cards of other roles, such as hunter=1; may be repeated.
      --roles FILE: A Python file that declares roles of your own.
      -o, --output: The file: rules.html (a page to print), rules.md or rules.txt.
    """
    if rules == ONE_NIGHT_RULES:
        sheet = night_sheet(night_cards(cards), 3)
    else:
        sheet = rule_sheet(read_rules(rules), cards=read_cards(**cards), **chosen)
    _write_document(in_language(sheet, language), output)


@command("game audit", settings={audit_rules: "seed", QuantumWerewolf: "wolves targets deal"})
def _audit(rules: str, *, players: _Players, games: Positive = 10, settings: Given) -> Reply:
    """Compare random games that a player cannot tell apart, and report what looks different to the player.

    RULES is the name of a rule set, or a TOML file with fields of the rules, where `preset = "gekka"`
    names the rule set to change. Each game is played again for every player, with other secrets of the
    others. `pairs` counts the moments at which the player has been told the same in two games, `leaks` those
    at which the handout, messages, knowledge or the shared screen differ. --json contains the first
    two games for each, as lines of logs.

    Exit code 0 if nothing leaked, 1 if something did.

    Options:
      --players: The number of players.
      --wolves: The number of wolves; by default as the rules suggest.
      --targets: Whether others see whom a player looks at or attacks.
      --deal: The game: quantum, or classical for ordinary Werewolf.
      --games: The number of games.
      --seed: The seed for all random draws.
    """
    found = audit_rules(read_rules(rules), players, games=games, **settings)
    content = [compared.to_dict() for compared in found]
    return Reply([found.table.to_text()], content, yes=not any(compared.leaks for compared in found))


# --- branch and undo -------------------------------------------------------------------------------


@command("game branch")
def _branch(
    log: str,
    *,
    step: declared.StepOrPhase,
    output: NewFile,
    moves: declared.Words = (),
    seed: int | None = None,
    numbers: _Numbers = None,
) -> Reply:
    """Copy the first N steps of LOG to a new log, make moves there, and print the differences.

    For example, what if Ann had looked at Cy?

    \b
      kripke-werewolf game branch g.jsonl --step 0 -o h.jsonl --move "vision Ann Cy"

    By default, the new game is compared with LOG after the same number of steps; without --move, with the
    whole of LOG.

    Options:
      --step N: The number of steps to copy.
      -o, --output: The new log.
      --move MOVE: A move, written as in play; may be repeated.
      --seed: The seed for the outcomes of moves.
    """
    game = load_game(log)
    there = game.at(step)
    copied = f"{output}: {log} up to step {len(there.steps)}"
    if moves:
        seed = secrets.randbits(62) if seed is None else seed
        there = there.with_draw(Chance(seed))
        for text in moves:
            command = parse_command(text, game.setup)
            try:
                there = there if command is None else move(there, command)
            except KripkeError as error:
                raise GameError(f"the move {text!r} is refused: {error}") from None
    before = game.at(min(len(game.steps), len(there.steps))) if moves else game
    change = TableChange(before.table(), there.table())
    output.unlink(missing_ok=True)
    LogFile.create(output, there, session=read_log(log).session).close()
    lines = ["; ".join([copied, *moves])]
    lines.append(f"difference: {log}, step {len(before.steps)} → {output}, step {len(there.steps)}")
    lines.append(f"worlds: {before.size:,} → {there.size:,}\n")
    lines.append(change.to_text(numbers or "decimal"))
    return Reply(lines, change.to_dict(numbers or "fractions"))


@command("game undo")
def _undo(log: str, *, steps: Positive = 1) -> None:
    """Undo the last steps of the game in LOG. The log keeps them and marks them as undone.

    Options:
      --steps: The number of steps.
    """
    with LogFile.open(log) as file:
        if file.recorded.notice:
            note(file.recorded.notice)
        game = file.game
        if steps > len(game.steps):
            raise IllegalMove(f"cannot undo {steps}: the game has {len(game.steps)} steps")
        file.write(game.at(len(game.steps) - steps))
        for number in range(len(game.steps), len(game.steps) - steps, -1):
            told = " ".join(text for event in game.steps[number - 1] if (text := event.in_full()))
            click.echo(f"undone: step {number}: {told or 'the end of the phase.'}")
        click.echo(f"now: step {len(file.game.steps)}, {file.game.phase}, {counted(file.game.size, 'world')}")


# --- decks -----------------------------------------------------------------------------------------


@command("game decks", cards={read_cards: "cards roles"})
def _decks(
    *, players: _Players | None = None, wolves: Positive | None = None, rules: str = "cisra", cards: Given
) -> Reply:
    """Print the decks suggested for 5 to 20 players, with their exact winning chances under blind play.

    In blind play, with a classical deal, everybody who is asked makes a random legal choice, and every day a
    random living player is voted off. Other decks are given by --players and --cards.

    Options:
      --players: Only for this number of players.
      --wolves: The number of wolves; by default as the rules suggest.
      --cards NAME=NUMBER: Cards of other roles, such as hunter=1; may be repeated.
      --roles FILE: A Python file that declares roles of your own.
      --rules: The rule set, by name or as a TOML file.
    """
    given = read_cards(**cards)
    used, rows, data = read_rules(rules), list[tuple[str, ...]](), list[dict[str, object]]()
    for number in range(5, 21) if players is None else [players]:
        deck, few = given or suggested_cards(number), wolves or used.wolves_for(number)
        chances = blind_chances(number, wolves=wolves, cards=deck, rules=used)
        named = {getattr(card, "name", card): count for card, count in deck.items()}
        exact = {verdict: str(chance) for verdict, chance in chances.items()}
        data.append({"players": number, "wolves": few, "cards": named, "chances": exact})
        more = ", ".join(f"{name} {count}" for name, count in named.items())
        won = ", ".join(f"{verdict} {float(chance):.1%}" for verdict, chance in chances.items())
        rows.append((str(number), str(few), more, won))
    header = ("players", "wolves", "further cards", "blind play is won by")
    return Reply([Grid(header, tuple(rows), words=True).to_text()], data)


# --- One Night -------------------------------------------------------------------------------------


@command("game night")
def _night(file: declared.Log, *, viewer: Viewer = None) -> Reply:
    """Print what players were told in a night of One Night, and how likely each card is for them.

    FILE holds the night as JSON. The commands ask, explore and draw take such a file, too.
    """
    night = PlayedNight.from_dict(parse_json(read_text(file), str(file)))
    content, lines = {}, list[str]()
    for player in [viewer] if viewer else night.game.players:
        chances = {
            place: {card: str(chance) for card, chance in cards.items()}
            for place, cards in night.chances(player).items()
        }
        content[player] = {"told": night.told(player), "chances": chances}
        shown = (f"{p}: {', '.join(map(' '.join, some.items()))}" for p, some in chances.items())
        lines += [player, *(f"  {line}" for line in (*night.told(player), *shown))]
    return Reply(lines, content)
