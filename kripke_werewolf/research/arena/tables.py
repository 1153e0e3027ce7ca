"""Tables of the arena: the referees that the library has, behind one face.

An `ArenaTable` asks one seat after the other, makes its move, and says what the seat was told, what it knows,
and how likely its facts are if the others play blindly. `Werewolf` is refereed by `Sitting`, `Night` by
`NightSitting`, any other game by its own `Game`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, ClassVar, Literal, Protocol

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.settings import Natural, Positive, check_fields
from kripke_werewolf.games.avalon.rules import AvalonTable, intended, role_atoms
from kripke_werewolf.games.one_night import OneNight
from kripke_werewolf.games.programs.blind import BlindPlay, Referee
from kripke_werewolf.games.programs.chance import ONE, ZERO
from kripke_werewolf.games.programs.program import Game
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.roles import WOLF
from kripke_werewolf.games.werewolf.rulesheet import kind_of
from kripke_werewolf.games.werewolf.told import GameAnswer, Told
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import Formula, K
from kripke_werewolf.logic.notation.reading import read_asked
from kripke_werewolf.play.tabletop import PHONES, Choose, Sitting, Vote
from kripke_werewolf.play.tabletop.beginning import new_game
from kripke_werewolf.play.tabletop.night import NightSitting
from kripke_werewolf.play.tabletop.views import Archive, player_view
from kripke_werewolf.research.arena.scores import Shares

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lee")
"""The players of a table, as many as it has."""


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """A decision of a seat."""

    seat: str
    kind: str
    """What is decided, such as `vote`; `say` for words to everybody."""
    question: str
    options: Mapping[str, Any]
    """The referee's command for each option; none if the seat is to say something."""
    counts: bool = True
    """Whether the move does anything: others are asked as well, so that nobody notices."""


class ArenaTable(Protocol):
    """A game that begins, with its referee. With equal fields and moves everything is the same.

    Tables are dataclasses, with a field `seed` for what is drawn.
    """

    reference: ClassVar[str] = "all others make every move equally likely"
    """The reference of P: how the others are taken to play."""
    seed: int
    seats: tuple[str, ...]
    facts: tuple[str, ...]
    """The atoms that agents are asked about."""
    total: int | None = None
    """The number of facts that are true, if the rules tell everybody."""

    def about(self) -> dict[str, Any]:
        """Return the settings that make the same table, JSON-able."""

    def phase(self) -> str:
        """Return the part of the game, which is public."""

    def turn(self) -> SeatTurn | None:
        """Return the next decision; None at the end."""

    def submit(self, turn: SeatTurn, option: str) -> str:
        """Make a move; return the secret reason if it is refused, else ""."""

    def speakers(self, turn: SeatTurn) -> tuple[str, ...]:
        """Return the seats that may speak before a move, once in each phase; by default all."""
        return self.seats

    def text(self, seat: str) -> str:
        """Return all that a seat was told, in words: equal for games it cannot tell apart."""

    def chances(self, seat: str) -> Shares:
        """Return P by what the seat was told and the reference. It is 0 or 1 where the seat knows."""

    def truth(self) -> Shares:
        """Return the facts as they are; in a quantum deal, their shares of the superposition."""

    def known(self, seat: str, sentence: str, *, heard: bool) -> tuple[Formula, dict[str, bool | None]]:
        """Return the formula in a sentence of a seat, and its truth value for it; None if it is not known.

        `heard`: also for all others who play.

        Raises KripkeError for a sentence that cannot be read.
        """

    def outcome(self) -> str:
        """Return how the game ended."""

    def role(self, seat: str) -> str:
        """Return the card of a seat, for reports, if it has one."""
        return "any"

    def regrets(self, turn: SeatTurn, chances: Shares) -> tuple[str, Mapping[str, float]]:
        """Return the kind of the regret of a turn, and what each option loses; "" for none."""


def _read(sentence: str, seat: str, agents: Iterable[str], atoms: Iterable[str]) -> Formula:
    found = read_asked(sentence, Vocabulary(tuple(agents), tuple(atoms), asker=seat))
    if not isinstance(found, Formula):
        raise GameError(f"{sentence!r} says nothing that is true or false")
    return found


def _regrets(worth: Mapping[str, Fraction]) -> dict[str, float]:
    return {option: float(max(worth.values()) - value) for option, value in worth.items()}


# --- werewolf and One Night ----------------------------------------------------------------------


class _Seated(ArenaTable, Protocol):
    """A table whose referee is a sitting: its questions are those of the views for phones."""

    sitting: Any

    def _view(self, seat: str) -> Any: ...

    def turn(self) -> SeatTurn | None:
        """Return the next choice or vote; ballots are seen when they are counted."""
        if not self.sitting.waiting_for:
            return None
        seat = self.sitting.waiting_for[0]
        view = self._view(seat)
        for ask in view.get("ask", ()):
            if not ask["answered"]:
                names = [name for name in ask["targets"] if name not in ask.get("refused", ())]
                commands = {name: Choose(seat, ask["action"], name) for name in names or ask["targets"]}
                if ask["may_decline"]:
                    commands["nobody"] = Choose(seat, ask["action"], None)
                question = f"{ask['question']} {ask.get('explained', '')}".strip()
                return SeatTurn(seat, ask["action"], question, commands, ask["counts"])
        names = [name for name in view["ballot"]["candidates"] if name != seat] or [seat]
        return SeatTurn(seat, "vote", "Whom do you vote off?", {name: Vote(seat, name) for name in names})

    def submit(self, turn: SeatTurn, option: str) -> str:
        """Make a choice or a vote."""
        self.sitting, answer = self.sitting.submit(turn.seat, turn.options[option])
        return "" if answer.accepted else answer.text

    def speakers(self, turn: SeatTurn) -> tuple[str, ...]:
        """Return those who vote, before the vote."""
        return tuple(self.sitting.waiting_for) if turn.kind == "vote" else ()


@dataclass(kw_only=True)
class Werewolf(_Seated):
    """Quantum Werewolf, or with `deal="classical"` ordinary Werewolf, with any cards.

    The regret is that of one step, in probability: a look is best at the most doubtful player, a vote for the
    likeliest wolf, a kill of the least likely one.
    """

    rules: str = "cisra"
    players: Positive = 5
    wolves: Natural = 0
    """0: one below six players, else two."""
    deal: Literal["quantum", "classical"] = "quantum"
    cards: tuple[str, ...] = ()
    """Further cards, as NAME=NUMBER."""
    options: tuple[str, ...] = ()
    """Changes of the rules, as NAME=VALUE."""
    seed: Natural = 0

    def __post_init__(self) -> None:
        check_fields(self)
        settings = {**asdict(self), "rule_set": self.rules, "wolves": self.wolves or 1 + (self.players > 5)}
        game = new_game(NAMES[: self.players], settings, "en")
        self.sitting = Sitting(game=game, manner=PHONES, house=HouseRules(ballot="open"), seed=self.seed)
        self.seats, self._archive = game.players, Archive()
        self.facts = tuple(self.truth())
        self.total = None if game.setup.deck.changing else int(sum(self.truth().values()))

    def about(self) -> dict[str, Any]:
        """Return the settings."""
        return {"game": "werewolf", **asdict(self)}

    def phase(self) -> str:
        """Return the phase of the game."""
        return str(self.sitting.game.phase)

    def told(self, seat: str) -> Told:
        """Return the handout of a seat."""
        return self._archive.at(self.sitting.game).handout(seat)

    def _view(self, seat: str) -> Any:
        return player_view(self.sitting, seat, self._archive)

    def text(self, seat: str) -> str:
        """Return the handout, and the votes that were counted."""
        return "\n".join([str(self.told(seat)), *map(str, self.sitting.flow.counted)])

    def _shares(self, table: Any) -> Shares:
        return {f"{WOLF}_{name}": Fraction(table[name, WOLF]) for name in self.seats}

    def chances(self, seat: str) -> Shares:
        """Return P by the facts that were told."""
        return self._shares(self.told(seat).probabilities(columns=[WOLF]))

    def truth(self) -> Shares:
        """Return the cards, or the shares of the superposition, which a draw would follow."""
        return self._shares(self.sitting.game.table(columns=[WOLF]))

    def known(self, seat: str, sentence: str, *, heard: bool) -> tuple[Formula, dict[str, bool | None]]:
        """Return the formula, and what the living know of it by their handouts."""
        asked = self.told(seat).ask(sentence)
        if not isinstance(asked, GameAnswer):
            raise GameError(f"{sentence!r} says nothing that is true or false")
        f, others = asked.formula, self.sitting.game.alive if heard else ()
        verdicts = {n: self.told(n).ask(f, given=asked.given).verdict for n in dict.fromkeys((seat, *others))}
        return f, {name: {"true": True, "false": False}.get(verdict) for name, verdict in verdicts.items()}

    def outcome(self) -> str:
        """Return the verdict."""
        return self.sitting.game.verdict or "unfinished"

    def role(self, seat: str) -> str:
        """Return the card that was dealt; in a quantum deal nobody has one."""
        roles = self.sitting.game.setup.roles
        return str(roles[self.seats.index(seat)]) if roles else "any"

    def regrets(self, turn: SeatTurn, chances: Shares) -> tuple[str, Mapping[str, float]]:
        """Return how far each player is from the most useful one to name."""
        aims = {"look": Fraction(1, 2), "vote": ONE, "kill": ZERO}
        kind = kind_of(self.sitting.game.setup, turn.kind)
        named = [option for option in turn.options if option in self.seats and kind in aims]
        return "one step", _regrets({name: -abs(chances[f"{WOLF}_{name}"] - aims[kind]) for name in named})


_night = cache(OneNight)


@dataclass(kw_only=True)
class Night(_Seated):
    """One Night. The regret of a vote is exact: the chance to win if all others vote for anybody else."""

    players: Positive = 4
    cards: tuple[str, ...] = (WOLF, WOLF, "seer", "robber", "troublemaker", "villager", "villager")
    """The cards: those of the players, and some in the middle."""
    seed: Natural = 0

    def __post_init__(self) -> None:
        check_fields(self)
        rules = _night(NAMES[: self.players], self.cards, len(self.cards) - self.players)
        dealt = list(self.cards)
        Random(f"deal {self.seed}").shuffle(dealt)
        self.sitting = NightSitting(game=rules, dealt=tuple(dealt), seed=self.seed)
        self.seats, self.facts = rules.players, tuple(self.truth())
        self.total = int(sum(self.truth().values()))

    def about(self) -> dict[str, Any]:
        """Return the settings."""
        return {"game": "one-night", **asdict(self)}

    def phase(self) -> str:
        """Return night or day."""
        return str(self.sitting.stage)

    def _view(self, seat: str) -> Any:
        return self.sitting.player_view(seat)

    def text(self, seat: str) -> str:
        """Return the settings, what the seat was told, and the news."""
        return "\n".join([self.sitting.settings, *self.sitting.sheet(seat), *self.sitting.news])

    def _shares(self, places: Mapping[str, Mapping[str, Fraction]]) -> Shares:
        wolves = [name for name, role in self.sitting.game.roles.items() if WOLF in (name, role.side)]
        return {f"{WOLF}_{p}": sum((cards.get(n, ZERO) for n in wolves), ZERO) for p, cards in places.items()}

    def chances(self, seat: str) -> Shares:
        """Return P of the cards as they lie now, or at night as they were dealt."""
        return self._shares(self.sitting.shares(seat))

    def truth(self) -> Shares:
        """Return where the wolves lie now."""
        return self._shares({place: {card: ONE} for place, card in self.sitting.cards.items()})

    def known(self, seat: str, sentence: str, *, heard: bool) -> tuple[Formula, dict[str, bool | None]]:
        """Return the formula, and what all know of it in the model after the night."""
        model = self.sitting.model
        f = _read(sentence, seat, self.seats, model.atoms)
        yes = {name: model.holds(K(name, f)) for name in (self.seats if heard else (seat,))}
        return f, {name: yes[name] or (False if model.holds(K(name, ~f)) else None) for name in yes}

    def outcome(self) -> str:
        """Return the winners."""
        return ", ".join(self.sitting.night.winners) or "nobody"

    def role(self, seat: str) -> str:
        """Return the card that was dealt."""
        return str(self.sitting.dealt[self.seats.index(seat)])

    def regrets(self, turn: SeatTurn, chances: Shares) -> tuple[str, Mapping[str, float]]:
        """Return the chance to win that each vote loses."""
        if turn.kind != "vote":
            return "", {}
        return "exact", _regrets(self.sitting.night.vote_chances(turn.seat))


# --- any game ------------------------------------------------------------------------------------


_blind = cache(BlindPlay)


@dataclass(kw_only=True)
class Own(ArenaTable):
    """A game of your own, which says in words what players see (`Game.words`, `Game.situation`).

    The regret of a move is exact in a small game (`exact=True`): what it loses of the rewards of the game if
    the others play blindly. In others it is estimated by `rollouts`: twice this number of blind plays
    after each option, whose one half names the best option, and whose other half values it.
    """

    of: Game
    facts: tuple[str, ...]
    total: int | None = None
    exact: bool = False
    rollouts: Natural = 0
    seed: Natural = 0
    named: Mapping[str, Any] = field(default_factory=dict)
    """What files say of the game."""

    def __post_init__(self) -> None:
        self._blind = _blind(self.of)
        self._referee = Referee(self._blind, Random(f"chance {self.seed}"))
        self._players = {str(player): player for player in self.of.players}
        self.seats = tuple(self._players)

    def about(self) -> dict[str, Any]:
        """Return the name of the game, and what is drawn."""
        return {"game": self.of.name, **self.named, "rollouts": self.rollouts, "seed": self.seed}

    def phase(self) -> str:
        """Return the moment without its details."""
        return self.of.moment(self._referee.place.now).partition(", ")[0]

    def turn(self) -> SeatTurn | None:
        """Return the next move; who moves together sees nothing of the others' moves."""
        if not self._referee.waiting:
            return None
        player, *_ = self._referee.waiting
        now = self._referee.place.now
        kind = str(getattr(now, "stage", self.phase()))
        return SeatTurn(str(player), kind, self.of.situation(now), self._referee.options(player))

    def submit(self, turn: SeatTurn, option: str) -> str:
        """Make a move."""
        self._referee.move(self._players[turn.seat], turn.options[option])
        return ""

    def text(self, seat: str) -> str:
        """Return all that happened in public, and that the seat chose and saw."""
        told = self._referee.told(self._players[seat])
        return "\n".join([f"{self.of.name}; you are {seat}, of {', '.join(self.seats)}.", *told])

    def chances(self, seat: str) -> Shares:
        """Return P by all that the seat saw and did."""
        found = dict.fromkeys(self.facts, ZERO)
        for world, p in self._referee.belief(self._players[seat]).items():
            for fact in found.keys() & {*self.of.atoms(world)}:
                found[fact] += p
        return found

    def truth(self) -> Shares:
        """Return the facts that are true."""
        true = {*self.of.atoms(self._referee.place.world)}
        return {fact: Fraction(fact in true) for fact in self.facts}

    def known(self, seat: str, sentence: str, *, heard: bool) -> tuple[Formula, dict[str, bool | None]]:
        """Return the formula, and what all know of it in the model of blind play."""
        knowledge, world, _ = self._referee.state
        names = self.seats if heard else (seat,)
        f = _read(sentence, seat, self.seats, knowledge.points.valuation)
        return f, {name: knowledge.settled(f, knowledge.cell(name, world)) for name in names}

    def outcome(self) -> str:
        """Return the outcome."""
        return str(getattr(self._referee.end, "outcome", "unfinished"))

    def regrets(self, turn: SeatTurn, chances: Shares) -> tuple[str, Mapping[str, float]]:
        """Return the losses of all options: exact, or by rollouts."""
        player, now = self._players[turn.seat], self._referee.place.now
        belief = self._referee.belief(player)
        if self.exact:
            values = self._blind.values(player, now, belief)
            return "exact", _regrets({option: values[move] for option, move in turn.options.items()})
        if not self.rollouts:
            return "", {}
        chance = Random(f"{self.seed} {turn.seat} {len(self._referee.seen[player])}")
        means = self._blind.estimated(player, now, belief, plays=self.rollouts, chance=chance)
        best = max(means.values())[1]  # the best by one half is valued by the other
        return "rollouts", {option: best - means[move][1] for option, move in turn.options.items()}


@cache
def _avalon(players: int, small: bool) -> AvalonTable:
    """Return a game of Avalon: the same object for the same numbers, so that beliefs are kept."""
    if not small:
        return AvalonTable(intended(merlin="naive", assassinate=True, players=players))
    game = AvalonTable(intended(fifth="accepted"))
    game.players, game.evil, game.sizes, game.proposals = (1, 2, 3), 1, (1, 2, 2), 1
    return game


def avalon(*, players: int = 5, small: bool = False, rollouts: int = 0, seed: int = 0) -> Own:
    """Return a table of Avalon with Merlin.

    `small`: three players, one of them evil, without Merlin and second proposals, with exact regrets.
    """
    game = _avalon(players, small)
    facts = tuple(role_atoms("evil", game.players))
    about = {"game": "avalon", "players": players, "small": small}
    return Own(of=game, facts=facts, total=game.evil, exact=small, rollouts=rollouts, seed=seed, named=about)


TABLES: Mapping[str, Callable[..., ArenaTable]] = {"werewolf": Werewolf, "one-night": Night, "avalon": avalon}
"""The tables that files and commands can name."""
