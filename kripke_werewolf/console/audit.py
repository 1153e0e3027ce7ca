"""The audit: games that a player cannot tell apart must look the same to them, byte for byte.

What a player can tell apart follows from the rules and the moves alone (`own_information`), not from what is
printed. Every phase of a game is played again with other secrets of the other players; two moments at which a
player was told the same form a pair. For every pair all that the player sees is compared: the handout in each
format, messages, chances and answers about knowledge, the shared screen, the view on a phone, refusals, and
the screens and prompts of a device that is passed around.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import groupby, pairwise, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from kripke_werewolf import tabletop
from kripke_werewolf.console.screens import DECLINE, LEAVE, Rounds
from kripke_werewolf.console.terminal import Style, Words
from kripke_werewolf.display import Displayed
from kripke_werewolf.errors import GameError, KripkeError, ModelTooLarge
from kripke_werewolf.language import Atom, K
from kripke_werewolf.reports.tables import Grid, Tabled
from kripke_werewolf.tabletop import Archive, Choose, Keeper, Sitting, Vote, view_bytes
from kripke_werewolf.tabletop.commands import Command
from kripke_werewolf.werewolf import LogFile, QuantumWerewolf, events
from kripke_werewolf.werewolf.draws import Chance
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Event, Played, is_action
from kripke_werewolf.werewolf.handout import screen
from kripke_werewolf.werewolf.log import HouseRules
from kripke_werewolf.werewolf.roles import is_wolf
from kripke_werewolf.werewolf.rules import FACTS, Rules
from kripke_werewolf.werewolf.setup import LIMIT, Deal, Setup, Targets
from kripke_werewolf.werewolf.state import State
from kripke_werewolf.werewolf.table import make_table

_ALIKE, _AGAIN = 3, 2
"""The number of games from which a phase is played again, and how often from each."""
_PROMPTS = 6
"""The number of prompts of the device per player."""

Made: TypeAlias = Mapping[tuple[str, str], str | None]
"""The targets of the recorded moves of a phase, by player and action; that of a vote under no name."""
Shows: TypeAlias = Callable[[], Mapping[str, str]]
"""Returns what a player sees, by surface; a surface may have parts, named after a colon."""


@dataclass(frozen=True, slots=True, repr=False)
class Compared(Displayed):
    """The pairs compared on one surface: their number, how many of them differ, and the first that does."""

    surface: str
    pairs: int
    leaks: int = 0
    example: str = ""
    """Who sees which line in the first two games that differ, and in the other one."""
    sittings: tuple[Sitting, ...] = ()
    """These games, with the choices noted since the phase began."""

    def headline(self) -> str:
        """Return the numbers, and the first difference."""
        return f"{self.surface}: {self.pairs} pairs, {self.leaks} differ {self.example}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values; the games are lines of logs, and the choices noted since."""
        games = [{"log": s.game.log, "choices": list(map(asdict, s.choices))} for s in self.sittings]
        words = {"surface": self.surface, "pairs": self.pairs, "leaks": self.leaks, "example": self.example}
        return {**words, "games": games}


def audit(game: QuantumWerewolf, *, seed: int = 0) -> Tabled[Compared]:
    """Compare a game with others that a player cannot tell from it; return what was found by surface.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").vision("Ann", "Bo")
    >>> {compared.leaks for compared in audit(game)}
    {0}
    """
    found = _Comparison(seed)
    found.play(game)
    return found.report()


def audit_rules(
    rules: str | Rules,
    players: int,
    *,
    wolves: int | None = None,
    targets: Targets = "secret",
    deal: Deal = "quantum",
    games: int = 10,
    seed: int = 0,
    limit: int = LIMIT,
) -> Tabled[Compared]:
    """Play random games of a rule set, and compare each with others that a player cannot tell from it.

    In every second game no table is published: there are few games with the same tables.
    """
    found, names = _Comparison(seed), [f"P{place}" for place in range(1, players + 1)]
    for number in range(seed, seed + games):
        settings = {"wolves": wolves, "targets": targets, "deal": deal, "numbers": "shuffled"}
        game = QuantumWerewolf(names, rules=rules, rng=number, **settings)  # type: ignore[arg-type]
        if game.size > limit or not Enumerated.fits(game.setup.deck):
            what = "the audit asks what players know: the model"
            raise ModelTooLarge(game.size, limit, what, "audit fewer players or wolves, or public targets")
        if number % 2:
            silent = replace(game.setup, rules=replace(game.rules, table_at=()))
            game = QuantumWerewolf.from_setup(silent, draw=Chance(number))
        while game.verdict is None:
            game = found.phones(game, names[0], {})
        found.play(game)
    return found.report()


# --- what a player can tell apart ------------------------------------------------------------------


def own_information(game: Played, player: str) -> tuple[object, ...]:
    """Return all that the rules have told a player, from the record of the moves.

    Own number, card and pack; for each phase the actions that the player is asked for, and their own chances;
    own moves with results, and refusals; others' moves if targets are public; deaths with what is announced;
    notices to this player; words; ends of phases with the actions passed over, and the verdict; the published
    tables. Moves of one phase, and deaths found together, have no order.

    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka")
    >>> looked = game.vision("Ann", "Bo")
    >>> [own_information(looked, name) == own_information(game, name) for name in game.players]
    [False, True, True]
    """
    setup, seat, phase = game.setup, game.setup.seat(player), None
    hidden = setup.numbers[seat] if setup.numbers_hidden else setup.numbers
    own: list[object] = [replace(setup, roles=None, numbers=()), player, hidden]
    if setup.roles is not None:
        pack = [card for card in zip(setup.players, setup.roles, strict=True) if is_wolf(card[1])]
        own += [setup.roles[seat], *(pack if is_wolf(setup.roles[seat]) else ())]
    told: list[tuple[str, object]] = [("start", own)]
    alone = setup.rules.told == "probabilities" and setup.deal == "quantum"
    for step, before, after in zip(((), *game.steps), (None, *game.states), game.states, strict=False):
        told += (seen for event in step if (seen := _told(setup, before, event, player)) is not None)
        told += (("table", table) for table in _published(setup, step, after))
        if after.phase != phase:
            phase, asked = after.phase, sorted(a for a in after.entitled if seat in after.entitled[a])
            chances = alone and setup.actions(phase) and seat not in after.dead and _cells(setup, after)[seat]
            told.append(("phase", (phase, asked, chances)))
    parts = groupby(told, key=lambda seen: seen[0])
    return tuple((kind, *sorted(repr(what) for _, what in some)) for kind, some in parts)


def _told(setup: Setup, before: State | None, event: Event, player: str) -> tuple[str, object] | None:
    """Return the part of an event that the rules tell a player, with a word for its kind; None if nothing."""
    rules, quantum, told = setup.rules, setup.deal == "quantum", event.to_dict()
    told |= {"weights": None, "roles": None}
    match event:
        case events.Vision() | events.Attack() | events.Declined() | events.Refused():
            if event.actor != player:
                if setup.targets == "secret" or isinstance(event, events.Refused):
                    return None
                told |= {"result": None, "actor": event.actor if quantum else ""}
            return "moves", told
        case events.VotedOff() | events.FoundDead():
            shown = rules.announce_vote if isinstance(event, events.VotedOff) else rules.announce_found
            labels = rules.labels(shown, setup.deck) if shown != "death" else {}
            words = [word for word, roles in labels.items() if event.role in roles]
            told |= {"role": None, "announced": words}
        case events.PhaseEnded():
            told["missing"] = sorted(slot if quantum else slot[1] for slot in event.missing)
        case events.Told() if event.player != player:
            return None
        case events.Said() if event.to and not event.noticed and player not in (event.speaker, *event.to):
            return None
        case events.Told() | events.Collapsed() | events.GameEnded():
            pass
        case _:  # words, and kinds declared elsewhere, which say themselves what is seen of them
            seen = event if isinstance(event, events.Said) else event.told_to(player, setup)
            acted = before.acted.items() if before is not None and quantum else ()
            return event.name, (seen, sorted((action, sorted(seats)) for action, seats in acted))
    return event.name, told


def _published(setup: Setup, step: Iterable[Event], after: State) -> Iterator[object]:
    """Yield the table that the rules publish after a step, if they do."""
    ended = [event.kind for event in step if isinstance(event, events.PhaseEnded)]
    nightfall = not step or ended[-1:] == ["vote"]
    morning = bool(ended) and (after.phase.kind == "vote" or after.verdict is not None)
    when = "nightfall" if nightfall else "morning" if morning else None
    if setup.deal == "quantum" and when in setup.rules.table_at:
        labels = setup.numbers if setup.numbers_hidden else setup.players
        rows = sorted(zip(labels, _cells(setup, after), strict=True))
        yield rows, after.worlds.size if setup.rules.show_worlds else ""


def _cells(setup: Setup, state: State) -> list[list[str]]:
    """Return the probabilities that the rules publish, by seat."""
    table, all_ = make_table(setup, state), setup.rules.show_dead
    kept = [all_ or FACTS[column] != "dead" for column in table.columns]
    return [
        [str(c) if keep or c == 1 else "" for c, keep in zip(row, kept, strict=True)] for row in table.rows
    ]


# --- games with other secrets, and what is seen in them ------------------------------------------------


class _Comparison:
    """All moments by what players were told, and the differences found so far."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.first: dict[Hashable, tuple[Sitting, Shows]] = {}
        self.pairs: Counter[str] = Counter()
        self.leaks: dict[str, Compared] = {}

    def add(self, player: str, told: Hashable, sitting: Sitting, shows: Shows) -> None:
        """Compare a moment with the first one of another game at which the player was told the same."""
        other, others = self.first.setdefault((player, told), (sitting, shows := cache(shows)))
        if (other.game, other.choices, other.flow) == (sitting.game, sitting.choices, sitting.flow):
            return
        here, there = shows(), others()
        for part in sorted(here.keys() & there.keys()):
            surface = part.partition(":")[0]
            self.pairs[surface] += 1
            if here[part] != there[part]:
                lines = zip_longest(there[part].split("\n"), here[part].split("\n"), fillvalue="")
                one, two = next((one, two) for one, two in lines if one != two)
                words = f"{player} sees {one!r}, in another game {two!r}"
                first = self.leaks.setdefault(surface, Compared(surface, 0, 0, words, (other, sitting)))
                self.leaks[surface] = replace(first, leaks=first.leaks + 1)

    def report(self) -> Tabled[Compared]:
        """Return the numbers by surface."""
        pairs = sorted(self.pairs.items())
        found = [replace(self.leaks.get(name, Compared(name, 0)), pairs=number) for name, number in pairs]
        rows = tuple((c.surface, str(c.pairs), str(c.leaks), c.example) for c in found)
        return Tabled(found, Grid(("surface", "pairs", "leaks", ""), rows, words=True))

    def play(self, game: QuantumWerewolf) -> None:
        """Play every phase of a game again, for each player from games that they cannot tell from it."""
        phases = [state.phase for state in game.states]
        starts = [n for n, phase in enumerate(phases) if phase not in phases[:n]]
        for player in game.players:
            others = [_exchanged(game, player, self.chance) for _ in range(2)]
            found = list[QuantumWerewolf]()
            for other in (game, *others):
                self.printed(other, player)
            for begin in starts:
                told, made = own_information(game.at(begin), player), _made(game, begin)
                found += [other.at(begin) for other in (*others, game) if len(other.steps) >= begin]
                alike = [now for now in reversed(found) if own_information(now, player) == told][:_ALIKE]
                for now in alike:
                    self.device(now, player, made)
                found = [self.phones(now, player, made) for now in alike for _ in range(_AGAIN)]

    def printed(self, game: QuantumWerewolf, player: str, since: int = 0) -> None:
        """Compare what the library prints for a player after some steps and after each later one."""
        for now in map(game.at, range(since, len(game.states))):
            sitting = Sitting(game=now, manner=tabletop.PHONES)
            self.add(player, own_information(now, player), sitting, partial(_printed, now, player))

    def phones(self, game: QuantumWerewolf, player: str, made: Made) -> QuantumWerewolf:
        """Play a phase on phones, compare what a player sees meanwhile, and return the game after it."""
        house, seed = HouseRules(ballot="secret"), self.chance.getrandbits(32)
        sitting, archive = Sitting(game=game, manner=tabletop.PHONES, house=house, seed=seed), Archive()
        early = self.chance.random() < 0.25  # the phase is ended when some have not answered
        for _ in range(len(game.players) if early else 4 * len(game.players)):
            voting = sitting.game.phase.kind == "vote"
            slots = [(name, "vote") for name in sitting.waiting_for] if voting else list(sitting.open)
            if not slots or sitting.game.phase != game.phase:
                break
            name, action = self.chance.choice(slots)
            target = _target(sitting, name, action, player, made, self.chance)
            command = Vote(name, target) if voting else Choose(name, action, target)  # type: ignore[arg-type]
            sitting, _ = sitting.submit(name, command)
            told = own_information(sitting.game, player)
            flow, votes = sitting.flow, dict(sitting.flow.votes)
            public = frozenset(votes), flow.round, flow.candidates, flow.counted, len(sitting.waiting_for)
            chosen = *(c for c in sitting.choices if c.actor == player), votes.get(player)
            shows = partial(_on_phone, sitting, player, archive)
            if sitting.game.verdict is None:  # at the end everybody is told everything
                self.add(player, ("phone", told, public, chosen), sitting, shows)
        if sitting.game.phase == game.phase and sitting.game.verdict is None:
            sitting, _ = sitting.submit(None, tabletop.End("pass"))
        self.printed(sitting.game, player, len(game.steps))
        return sitting.game

    def device(self, game: QuantumWerewolf, player: str, made: Made) -> None:
        """Pass a device around, and compare the screens that a player sees."""
        with TemporaryDirectory() as folder, LogFile.create(Path(folder) / "g.jsonl", game) as log:
            keeper = Keeper(log, tabletop.DEVICE, house=HouseRules(), seed=1)
            table = _Table(keeper, player, made, self.chance)
            Rounds(keeper, table).run()
        told = own_information(game, player)
        for number, (known, sitting, seen) in enumerate(table.frames):
            shows = partial(dict[str, str], device=seen)
            self.add(player, ("device", told, number, known), sitting, shows)


def _exchanged(game: QuantumWerewolf, player: str, chance: Random) -> QuantumWerewolf:
    """Return a game in which two others have exchanged numbers, cards and moves, as far as it is possible."""
    setup, others = game.setup, [name for name in game.players if name != player]
    names = dict(pairwise([*(two := chance.sample(others, min(2, len(others)))), two[0]]))
    seats = [setup.seat(names.get(name, name)) for name in game.players]
    roles = setup.roles and tuple(setup.roles[seat] for seat in seats)
    numbers = tuple(setup.numbers[seat] for seat in seats) if setup.numbers_hidden else setup.numbers
    found = QuantumWerewolf.from_setup(replace(setup, roles=roles, numbers=numbers))

    def named(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: named(part) for key, part in value.items()}
        if isinstance(value, tuple):
            return tuple(map(named, value))
        return names.get(value, value) if isinstance(value, str) else value

    with suppress(GameError):
        for step in game.steps:
            found = found.repeat(tuple(Event.from_dict(named(event.to_dict())) for event in step))
    return found


def _made(game: QuantumWerewolf, begin: int) -> Made:
    """Return the recorded targets of the phase that begins after some steps."""
    phase = game.states[begin].phase
    moves = [s[0] for s, now in zip(game.steps, game.states, strict=False) if now.phase == phase]
    acted = [move for move in moves if is_action(move) and not isinstance(move, events.Refused)]
    voted = [move.player for move in moves if isinstance(move, events.VotedOff)]
    made: dict[tuple[str, str], str | None]
    made = {(move.actor, move.action): getattr(move, "target", None) for move in acted}
    return {**made, ("", "vote"): voted[0] if voted else None}


def _target(sitting: Sitting, name: str, action: str, player: str, made: Made, chance: Random) -> str | None:
    """Return the target that somebody chooses: as recorded if the player sees it, otherwise at random."""
    game, refused = sitting.game, sitting.refused(name)
    seen = name == player or game.setup.targets == "public"
    others = [other for other in game.alive if other != name and other not in refused] or [name]
    fixed = Random(f"{name} {action} {game.phase} {refused}")
    if action == "vote":
        public = made.get(("", "vote"), Random(str(game.phase)).choice(game.alive))
        return public if seen or chance.random() < 0.7 else chance.choice(others)
    if seen and made:
        hidden = [target for (actor, done), target in made.items() if done == action and actor != player]
        return made.get((name, action), (hidden or [fixed.choice(others)])[0])
    optional = [None] if action == "vision" and sitting.may_decline("vision") else []
    return (fixed if seen else chance).choice([*others, *optional])


def _printed(game: QuantumWerewolf, player: str) -> dict[str, str]:
    """Return all that the library prints for a player; chances and answers only where a phase begins."""
    handout = game.handout(player)
    found = {
        "handout: text": str(handout),
        "handout: Markdown": handout.to_markdown(),
        "handout: HTML": handout.to_page(),
        "handout: JSON": handout.to_json(),
        "messages": "\n".join(str(message) for message in game.messages if message.to in (None, player)),
        "shared screen": screen(game).to_text(),
    }
    if game.verdict is None and not any(game.state.acted.values()):
        other = next(name for name in reversed(game.players) if name != player)
        question = K(player, K(other, Atom(f"wolf_{player}")))
        try:
            found["knowledge"] = f"{game.table(viewer=player)}\n{game.ask(question)}"
        except KripkeError as error:  # a refusal is an answer, too
            found["knowledge"] = str(error)
    return found


def _on_phone(sitting: Sitting, player: str, archive: Archive) -> dict[str, str]:
    """Return the view on a player's phone, that for all, and the refusals of commands."""
    found = {"phone": view_bytes(tabletop.player_view(sitting, player, archive)).decode()}
    found["phone: for all"] = view_bytes(tabletop.public_view(sitting, archive)).decode()
    names = sitting.game.players
    commands: list[Command] = [Vote(player, name) for name in names]
    commands += [Choose(player, action, name) for action in ("vision", "attack") for name in (*names, None)]
    for command in commands:
        _, answer = sitting.submit(player, command)
        if not answer.accepted:
            found[f"refusals: {command}"] = answer.text
    return found


class _Table:
    """A terminal at which all answer, others than the player at random; it keeps what the player sees."""

    size = None

    def __init__(self, keeper: Keeper, player: str, made: Made, chance: Random) -> None:
        self.keeper, self.player, self.made, self.chance = keeper, player, made, chance
        self.holder, self.screen = "", ""
        self.frames: list[tuple[Hashable, Sitting, str]] = []

    def show(self, text: str, style: Style = "plain") -> None:
        """Keep the lines, and note for whom the screen is."""
        if style == "private":
            self.holder = next(name for name in self.keeper.game.players if text.startswith(f"{name}, "))
        self.screen += f"{text}\n"

    def clear(self, *, hands: bool = False) -> None:
        """Begin a screen for everybody."""
        self.holder, self.screen = "", ""

    def ask(self, prompt: str, first: Words = (), names: Words = (), *, until: float | None = None) -> str:
        """Answer; raise EOFError when the village is asked, or after a long time."""
        sitting, offered = self.keeper.sitting, [name for name in first if name in self.keeper.game.players]
        told = own_information(sitting.game, self.player)
        chosen = tuple(choice for choice in sitting.choices if choice.actor == self.player)
        shown = f"{self.screen}{prompt} {first}" if self.holder in ("", self.player) else ""
        if sitting.game.verdict is None:
            self.frames.append(((told, chosen), sitting, shown))
        if (
            names
            or sitting.game.verdict is not None
            or len(self.frames) > _PROMPTS * len(sitting.game.players)
        ):
            raise EOFError
        if not self.holder or prompt == LEAVE or not offered:
            return ""
        action = "attack" if "attack" in prompt else "vision"
        target = _target(sitting, self.holder, action, self.player, self.made, self.chance) or "nobody"
        return target if target in offered or DECLINE in prompt else offered[0]
