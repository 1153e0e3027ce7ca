"""One Night Werewolf: cards that move in a single night, claims by day, and one vote.

Every player has a card, and some cards lie in the middle. At night those who were *dealt* a card that acts
look at cards and exchange them, in the order of `CardAct.at`, whatever lies before them by then; by day all
talk and vote, and then the cards that lie before the players count. A *history* is a deal with all hidden
choices. Two histories are alike for a player if their card, what it tells them, and their own choices with
the cards seen are equal. All deals are equally likely, and so are the choices of each actor.

In formulas `wolf_Bo` is about the cards as they lie now, `dealt_wolf_Bo` as they were dealt; the places in
the middle are `wolf_middle1`, …; sides are atoms too: `evil_Bo`. The rules are those of *One Night Ultimate
Werewolf* (Bezier Games 2014).

Histories are numbered: those of a deal are consecutive, and the choices of the turns are the digits of the
rest, those of the first turn the lowest. All histories are arrays; no Python loop runs over them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import product
from math import factorial, lcm, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, ModelTooLarge, check_known
from kripke_werewolf.base.randomness import generator
from kripke_werewolf.base.settings import Natural, as_data, check_fields, from_data
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf.declarations import placed
from kripke_werewolf.games.werewolf.roles import ONE_NIGHT, WOLF, CardAct, Ending, Role, Schema, card_called
from kripke_werewolf.games.werewolf.setup import check_names
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas.operators import Constant
from kripke_werewolf.logic.formulas.syntax import FormulaLike, formula
from kripke_werewolf.logic.models.model import KripkeModel, Numbered
from kripke_werewolf.logic.semantics.answers import Answer
from kripke_werewolf.logic.semantics.arrays import ArraySpace, Valuation, in_lowest_terms
from kripke_werewolf.logic.semantics.cells import General, Mask, Partition, Relation
from kripke_werewolf.logic.semantics.numbering import Longs, rows_numbered
from kripke_werewolf.logic.semantics.worlds import Computed

FORMAT = {"format": "kripke_werewolf one night", "version": 1}
MOST_HISTORIES = 20_000_000
"""The default limit on the histories of a night."""
Cards = npt.NDArray[np.uint8]
"""Cards, by the numbers of their roles."""

_READ = {"name", "side", "letter", "several", "looks", "words", "knows", "acts", "endings"}
_ENDINGS = (
    Ending("village", "[any j: wolf_{j} & dead_{j}] | ~[any j: wolf_{j} | dead_{j}]", "good_{i}"),
    Ending("wolves", "[any j: wolf_{j}] & ~[any j: wolf_{j} & dead_{j}]", "evil_{i}"),
)


class _Choice(NamedTuple):
    """A choice in a turn: an act with the places of its cards, none if nothing is done, and its words."""

    act: CardAct
    places: tuple[int, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def looked(self) -> tuple[int, ...]:
        """The places where the cards that are seen lie before the act."""
        return (self.places[::-1] if self.act.after and self.act.swaps else self.places)[: self.act.sees]

    def done(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the cards of tables after the choice."""
        if not (self.places and self.act.swaps):
            return table
        after, pair = table.copy(), list(self.places)
        after[pair] = table[pair[::-1]]
        return after


class _Turn(NamedTuple):
    """A turn of the night: of a player, in some of the deals."""

    player: str
    choices: tuple[_Choice, ...]
    deals: Mask

    @property
    def swaps(self) -> bool:
        """Whether cards may be exchanged."""
        return any(choice.act.swaps for choice in self.choices)


@dataclass(frozen=True, repr=False)
class OneNight(Displayed):
    """A game of One Night: its players, the roles of its cards, and how many cards lie in the middle.

    Roles are given as values, or by a name or another word, of the catalogue `ONE_NIGHT`.

    >>> cards = ("werewolf", "werewolf", "seer", "robber", "troublemaker", "villager")
    >>> game = OneNight(("Ann", "Bo", "Cy"), cards)
    >>> night = game.night(["robber", "wolf", "seer", "wolf", "troublemaker", "villager"],
    ...                    ["Ann", "Bo"], ["Cy", "middle1", "middle2"])
    >>> print(night.ask("K_Ann dealt_wolf_Bo & ~K_Ann wolf_Ann"), night.ask("M_Ann dealt_troublemaker_Cy"))
    yes yes

    Raises GameError for numbers of cards that do not fit, and for roles that need other rules.
    """

    players: tuple[str, ...]
    cards: tuple[Role | str, ...]
    middle: Natural = 3
    limit: Natural = MOST_HISTORIES
    """The largest number of histories that are listed."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_names(self.places)
        if len(self.cards) != len(self.places):
            raise GameError(f"cards: {len(self.cards)} given; give one for each of {', '.join(self.places)}")
        if len(set(map(_role, self.cards))) > len(self.roles):
            raise GameError("two different roles have the same name")

    @cached_property
    def places(self) -> tuple[str, ...]:
        """The places of the cards: the players, then `middle1`, …"""
        return (*self.players, *(f"middle{number + 1}" for number in range(self.middle)))

    @cached_property
    def roles(self) -> Mapping[str, Role]:
        """The different roles by name; in arrays a card is the number of its role here."""
        return {role.name: role for role in sorted(map(_role, self.cards), key=lambda role: role.name)}

    @property
    def numbers(self) -> Counter[str]:
        """The number of cards of each role."""
        return Counter(_role(card).name for card in self.cards)

    def headline(self) -> str:
        """Return the players and the cards."""
        cards = sorted(_role(card).name for card in self.cards)
        return f"{', '.join(self.players)} play with {', '.join(cards)}; {self.middle} in the middle"

    def night(self, dealt: Sequence[str], *moves: Sequence[str]) -> PlayedNight:
        """Return a night: the roles dealt to all places, and choices, each a player with the places chosen.

        A player without a choice does nothing. Raises GameError for cards other than those of the game, and
        IllegalMove for impossible choices.
        """
        deal = np.array([self.deal_of(dealt)])
        possible: dict[str, None] = {}
        for form in (tuple, frozenset):  # the places of a choice may be named in any order
            wanted = [(player, form(words)) for player, *words in moves]
            left = np.arange(self.ways[deal[0]])
            deals, fitting = np.repeat(deal, len(left)), np.zeros(len(left), np.int64)
            for turn, choice, rows, _ in self.played(deals, left, self.deals[:, deals]):
                if choice.words and len(rows):
                    fitting[rows] += 1 if (turn.player, form(choice.words)) in wanted else -1
                    possible[" ".join((turn.player, *choice.words))] = None
            if (fitting == len(moves)).any():
                return PlayedNight(self, int(self.first[deal[0]] + np.argmax(fitting == len(moves))))
        given = ", ".join(map(" ".join, moves)) or "no choices"
        raise IllegalMove(f"{given}: not a night of this deal (possible choices: {', '.join(possible)})")

    def deal_of(self, dealt: Sequence[str]) -> int:
        """Return the number of a deal; raises GameError for other cards than those of the game."""
        names = list(self.roles)
        cards = np.array([names.index(_role(card, self.roles).name) for card in dealt])
        if not np.array_equal(np.sort(cards), np.sort(self.deals[:, 0])):
            raise GameError(f"the deal {', '.join(dealt)} has other cards than the game")
        return int(np.argmax((cards[:, None] == self.deals).all(axis=0)))

    def opening(self, player: str, deal: int) -> tuple[str, ...]:
        """Return the words to a player in the deal with this number: their card, and what it knows.

        >>> game = OneNight(("Ann", "Bo"), ("wolf", "wolf", "seer"), middle=1)
        >>> game.opening("Ann", game.deal_of(["wolf", "wolf", "seer"]))
        ('You were dealt the wolf.', 'Bo is a wolf.')
        """
        card = list(self.roles)[self.deals[self.players.index(player), deal]]
        told = [Sentence("night-dealt", card=card)]
        for schema in self.roles[card].knows:
            others = [o for o in self.players if o != player and self.where(schema, card, player, o)[deal]]
            who = {"n": len(others), "names": list(map(place_named, others))}
            told.append(Sentence("night-knows", what=schema.replace("_{t}", ""), **who))
        return tuple(told)

    def dealt_chances(self, player: str, deal: int) -> Mapping[str, Mapping[str, Fraction]]:
        """Return a player's probabilities of the cards that were dealt, by place; only of possible ones.

        >>> game = OneNight(("Ann", "Bo"), ("wolf", "wolf", "seer", "seer"), middle=2)
        >>> print(game.dealt_chances("Ann", game.deal_of(["seer", "wolf", "seer", "wolf"]))["Bo"]["wolf"])
        2/3
        """
        alike = self.deals[:, self.alike(player, deal)]
        return {place: self._numbered(cards) for place, cards in zip(self.places, alike, strict=True)}

    def alike(self, player: str, deal: int) -> Mask:
        """Return the deals that are like one for a player: with the same card, and what it knows."""
        own = self.deals[self.players.index(player)]
        alike, card = own == own[deal], list(self.roles)[own[deal]]
        for schema, other in product(self.roles[card].knows, self.players):
            if other != player:
                shown = self.where(schema, card, player, other)
                alike &= shown == shown[deal]
        found: Mask = alike
        return found

    def _numbered(self, cards: npt.NDArray[Any]) -> Mapping[str, Fraction]:
        found = zip(self.roles, np.bincount(cards, minlength=len(self.roles)).tolist(), strict=True)
        return {name: Fraction(number, len(cards)) for name, number in found if number}

    def choosing(self, player: str, deal: int) -> tuple[_Turn, ...]:
        """Return the turns of a player in a deal in which there is something to choose."""
        return tuple(turn for turn in self._open if turn.player == player and turn.deals[deal])

    @property
    def _open(self) -> Iterator[_Turn]:
        return (turn for turn in self.turns if any(choice.words for choice in turn.choices))

    @cached_property
    def questions(self) -> int:
        """The largest number of turns with a choice that a player may have, but at least one."""
        own = ([turn.deals for turn in self._open if turn.player == name] for name in self.players)
        return max(1, *(int(np.max(sum(turns))) for turns in own))

    def drawn(self, rng: Any = None) -> PlayedNight:
        """Return a random night, any deal with any choices; `rng` is a seed or a generator."""
        chance = generator(rng)
        deal = chance.integers(len(self.ways))
        return PlayedNight(self, int(self.first[deal] + chance.integers(self.ways[deal])))

    def voted_off(self, targets: Iterable[str]) -> tuple[str, ...]:
        """Return those who die by some votes: all with the most votes, if they have at least two."""
        counts = Counter(targets)
        return tuple(p for p in self.players if counts[p] == max(counts.values(), default=0) > 1)

    def winning(self, histories: KripkeModel, dead: Collection[str]) -> Mapping[str, Mask]:
        """Return the histories of a model in which each player wins if these players are voted off."""
        fates, numbered = {f"dead_{p}": Constant(p in dead) for p in self.players}, Numbered(histories)

        def true(schema: Schema, player: str | None = None) -> Mask:
            return numbered.mask(placed(schema, self.players, player).substitute(fates))

        endings = [*_ENDINGS, *(ending for role in self.roles.values() for ending in role.endings)]
        found = {player: np.zeros(len(histories), bool) for player in self.players}
        for ending in endings:
            reached = true(ending.when)
            for player in found:
                if reached.any():
                    found[player] |= reached & true(ending.wins, player)
        return found

    # --- all histories -------------------------------------------------------------------------------

    @cached_property
    def deals(self) -> Cards:
        """All different deals: a column for each, with a row for each place."""
        numbers = self.numbers
        self.check_size(factorial(len(self.cards)) // prod(map(factorial, numbers.values())))
        rows, left = np.zeros((1, 0), np.uint8), np.array([[numbers[name] for name in self.roles]])
        for _ in self.places:
            deal, card = np.nonzero(left)
            rows, left = np.column_stack([rows[deal], card.astype(np.uint8)]), left[deal]
            left[np.arange(len(deal)), card] -= 1
        return np.ascontiguousarray(rows.T)

    def check_size(self, size: int) -> None:
        """Raise ModelTooLarge for a number of histories, or of deals, above the limit."""
        if size > self.limit:
            advice = "play with fewer players or more equal cards, or allow more (limit=…)"
            raise ModelTooLarge(size, self.limit, "the model of the night", advice)

    def _facts(self, table: Cards) -> dict[str, Callable[[], Mask]]:
        """Return the atoms about the cards on a table, each with a function for its truth set."""
        sides = {WOLF, "good", "evil", *(role.side for role in self.roles.values())}
        true = {
            fact: [fact in (name, role.side) for name, role in self.roles.items()]
            for fact in sorted(sides | self.roles.keys())
        }
        places = list(zip(self.places, table, strict=True))
        return {f"{fact}_{p}": partial(np.take, true[fact], cards) for fact in true for p, cards in places}

    def listed(self, dealt: Cards, now: Cards) -> KripkeModel:
        """Return the model of some histories, by the cards dealt and now, in which nobody knows anything."""
        size = now.shape[1]
        facts = self._facts(now) | {f"dealt_{atom}": true for atom, true in self._facts(dealt).items()}
        blind = dict.fromkeys(self.players, Partition.whole(size))
        return KripkeModel.from_space(ArraySpace(Computed(size, str), blind, Valuation(size, facts), {}, {}))

    @cached_property
    def _dealt(self) -> KripkeModel:
        return self.listed(self.deals, self.deals)

    def where(self, schema: Schema, role: str, player: str, other: str | None = None) -> Mask:
        """Return the deals where a player has a role and a schema about them, and another player, is true."""
        mine = self.deals[self.players.index(player)] == list(self.roles).index(role)
        true: Mask = mine & Numbered(self._dealt).mask(placed(schema, self.players, player, other))
        return true

    @cached_property
    def turns(self) -> tuple[_Turn, ...]:
        """The turns of the night, in order."""
        alternatives: dict[tuple[int, str, Schema], list[CardAct]] = {}
        for name, role in self.roles.items():
            for act in role.acts:
                assert isinstance(act, CardAct)
                alternatives.setdefault((act.at, name, act.where), []).append(act)
        return tuple(
            _Turn(player, choices, self.where(where, name, player))
            for at, name, where in sorted(alternatives)
            for seat, player in enumerate(self.players)
            if (choices := self._choices(alternatives[at, name, where], seat))
        )

    def _choices(self, acts: Sequence[CardAct], seat: int) -> tuple[_Choice, ...]:
        """Return the choices of a seat among some acts; those with the same effect count as one."""
        places = range(len(self.places))
        seats, middle = places[: len(self.players)], places[len(self.players) :]
        others = [other for other in seats if other != seat]
        reach = {"own": [seat], "other": others, "player": seats, "middle": middle}
        found = [_Choice(acts[0])] if any(act.optional for act in acts) else []
        for act in acts:
            known = set()
            for chosen in product(*(reach[kind] for kind in act.on)):
                effect = frozenset(chosen[: act.sees]), frozenset(chosen)
                if len(effect[1]) == len(chosen) and effect not in known:
                    known.add(effect)
                    named = [self.places[p] for p, kind in zip(chosen, act.on, strict=True) if kind != "own"]
                    words = (act.name, *named) if act.name else tuple(named)
                    found.append(_Choice(act, chosen, words))
        return tuple(found)

    @cached_property
    def ways(self) -> Longs:
        """The number of histories of each deal; raises `ModelTooLarge` if there are too many."""
        found = np.ones(self.deals.shape[1], np.int64)
        for turn in self.turns:
            found[turn.deals] *= len(turn.choices)
        self.check_size(int(found.sum()))
        return found

    @cached_property
    def first(self) -> Longs:
        """The first history of each deal."""
        return np.cumsum(self.ways) - self.ways

    def played(self, deal: Longs, left: Longs, table: Cards) -> Iterator[tuple[_Turn, _Choice, Longs, Cards]]:
        """Play histories, given by their deals and the rest of their numbers, on a table, which changes.

        Yields for each choice of each turn those who make it, and the cards that they see.
        """
        for turn in self.turns:
            rows = np.flatnonzero(turn.deals[deal])
            left[rows], chosen = np.divmod(left[rows], len(turn.choices))
            for number, choice in enumerate(turn.choices):
                these = rows[chosen == number]
                seen = table[np.ix_(choice.looked, these)]
                if choice.places and choice.act.swaps:
                    one, other = choice.places
                    table[one, these], table[other, these] = table[other, these], table[one, these]
                yield turn, choice, these, seen

    @cached_property
    def model(self) -> KripkeModel:
        """The Kripke model after the night, of all histories."""
        deal = np.repeat(np.arange(len(self.ways)), self.ways)
        left, table = np.arange(len(deal)) - self.first[deal], self.deals[:, deal]
        notes = {player: np.zeros(len(deal), np.int64) for player in self.players}
        for turn, choice, rows, seen in self.played(deal, left, table):
            note, most = notes[turn.player], max(choice.act.sees for choice in turn.choices)
            saw = sum(cards * len(self.roles) ** place for place, cards in enumerate(seen.astype(np.int64)))
            made = note[rows] * len(turn.choices) + turn.choices.index(choice)
            note[rows] = made * len(self.roles) ** most + saw + 1
        relations = {}
        for player, note in notes.items():
            told: list[tuple[Any, int]] = [(self.deals[self.players.index(player)], len(self.roles))]
            told += [
                (self.where(schema, name, player, other), 2)
                for name, role in self.roles.items()
                for schema, other in product(role.knows, self.players)
                if other != player
            ]
            at_first, cells = rows_numbered(told, len(self.ways))
            noted = note, int(note.max(initial=0)) + 1
            relations[player] = Partition(*rows_numbered([(at_first[deal], cells), noted], len(deal)))
        weights = dict.fromkeys(self.players, in_lowest_terms(lcm(*self.ways.tolist()) // self.ways[deal]))
        names = Computed(len(deal), lambda number: PlayedNight(self, number).headline())
        valuation = self.listed(self.deals[:, deal], table).arrays.valuation
        return KripkeModel.from_space(ArraySpace(names, relations, valuation, weights, {}))


@lru_cache(256)
def _won(game: OneNight, dead: tuple[str, ...]) -> Mapping[str, Mask]:
    """Return the histories in which each player wins if these players are voted off."""
    return game.winning(game.model, dead)


class NightMove(NamedTuple):
    """A player's choice at night: an act, the places of its cards in words, and the cards seen."""

    player: str
    act: CardAct
    places: tuple[str, ...]
    words: tuple[str, ...]
    seen: tuple[str, ...]

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, actor: str = "") -> Sentence:
        """Return the choice in words for the player themselves, or with their name for all others."""
        cards = [place_named(p, "card-of", own=p == self.player, told=bool(actor)) for p in self.places]
        looks = [Sentence("card-at", place=p, card=c) for p, c in zip(cards, self.seen, strict=False)]
        swapped = [card for card in cards if self.act.swaps]
        order = [part for part, there in (("looks", looks), ("swaps", swapped)) if there]
        if self.act.after:
            order.reverse()
        done = {"order": "-".join(order) or "nothing", "looks": looks, "swapped": swapped}
        named = {"named": bool(self.act.name and self.places), "name": self.act.name}
        return Sentence("night-move", own=not actor, actor=actor, **named, **done)


def place_named(place: str, said: str = "place", **more: bool) -> Sentence:
    """Return a place of a card in words: a player's name, or a place in the middle.

    `said`: another message about it, with `more` values, such as the card there.

    >>> place_named("middle2").told("de"), place_named("Ann").told("ja")
    ('Mitte 2', 'Annさん')
    """
    number = place.removeprefix("middle")
    middle = number != place and number.isdecimal()
    return Sentence(said, n=int(number) if middle else 0, player=place, **more)


@dataclass(frozen=True, repr=False)
class PlayedNight(Displayed):
    """A night that was played, with the claims and the votes of the day.

    >>> game = OneNight(("Ann", "Bo", "Cy"), ("wolf", "minion", "seer", "drunk", "villager", "villager"))
    >>> night = game.night(["seer", "drunk", "minion", "wolf", "villager", "villager"],
    ...                    ["Ann", "middle1", "middle2"], ["Bo", "middle1"])
    >>> night.told("Ann")
    ('You were dealt the seer.', 'You look at middle card 1 (wolf) and middle card 2 (villager).')
    >>> print(night.chances("Ann")["middle1"]["wolf"])
    7/9
    >>> day = night.claim("Bo", "dealt_drunk_Bo")
    >>> print(night.ask("K_Ann dealt_drunk_Bo"), day.ask("K_Ann dealt_drunk_Bo"))
    no yes
    >>> day.vote({"Ann": "Bo", "Bo": "Ann", "Cy": "Bo"}).winners
    ('Ann',)
    """

    game: OneNight
    number: int
    """The number of the history."""
    claims: tuple[tuple[str, str, bool], ...] = ()
    """For each speaker, a formula and whether it was believed."""
    votes: tuple[tuple[str, str], ...] = ()
    """For each player, the one they voted for; empty before the vote."""

    @cached_property
    def _deal(self) -> Longs:
        return np.searchsorted(self.game.first, [self.number], side="right") - 1

    @cached_property
    def _played(self) -> tuple[tuple[NightMove, ...], tuple[str, ...]]:
        """The choices of the night, and the roles at all places after it."""
        game, names, table = self.game, tuple(self.game.roles), self.game.deals[:, self._deal]
        moves, left = list[NightMove](), self.number - game.first[self._deal]
        for turn, choice, rows, seen in game.played(self._deal, left, table):
            if len(rows):
                places = tuple(game.places[place] for place in choice.places)
                cards = tuple(names[card] for card in seen[:, 0])
                moves.append(NightMove(turn.player, choice.act, places, choice.words, cards))
        return tuple(moves), tuple(names[card] for card in table[:, 0])

    @property
    def dealt(self) -> tuple[str, ...]:
        """The roles dealt to all places."""
        return tuple(list(self.game.roles)[card] for card in self.game.deals[:, self._deal[0]])

    @property
    def moves(self) -> tuple[NightMove, ...]:
        """The choices of the night, in order."""
        return self._played[0]

    @property
    def cards(self) -> Mapping[str, str]:
        """The roles of the cards as they lie now, by place."""
        return dict(zip(self.game.places, self._played[1], strict=True))

    def told(self, player: str) -> tuple[str, ...]:
        """Return everything that a player was told, did and saw; equal if nights are alike for them."""
        told = self.game.opening(self._known(player), self._deal[0])
        return (*told, *(move.sentence() for move in self.moves if move.player == player))

    def _known(self, player: str) -> str:
        return check_known(player, self.game.players, kind="player")

    # --- the day -------------------------------------------------------------------------------------

    def claim(self, speaker: str, what: FormulaLike, believed: bool = True) -> PlayedNight:
        """Return the night after a public claim.

        The others believe it, true or not, unless they know better, and it is common knowledge that they do:
        from then on `K` is about what players believe. A claim that is not believed changes nothing.
        """
        said = formula(what, agents=self.game.players)
        self._alone.verdict(said)  # raises if there are no such facts
        return replace(self, claims=(*self.claims, (self._known(speaker), str(said), believed)))

    @cached_property
    def model(self) -> KripkeModel:
        """The Kripke model after the claims; this night is its designated world."""
        space = self.game.model.arrays
        for speaker, words, believed in self.claims:
            said = Numbered(KripkeModel.from_space(space, self._here)).mask(words)
            relations = dict(space.relations)
            for name in relations.keys() - {speaker} if believed else ():
                relations[name] = _convinced(relations[name], said)
            space = space.with_relations(relations)
        roles = tuple((f"a {name}", name) for name in self.game.roles if name != WOLF)
        known = Vocabulary(self.game.players, facts=(("a werewolf", WOLF), *roles))
        return KripkeModel.from_space(space, self._here).with_words(known)

    @cached_property
    def _alone(self) -> KripkeModel:
        """The model of this history alone, for questions that need no list of all histories."""
        roles = list(self.game.roles)
        now = np.array([[roles.index(card)] for card in self.cards.values()], np.uint8)
        return self.game.listed(self.game.deals[:, self._deal], now)

    @property
    def _here(self) -> Mask:
        here: Mask = np.arange(len(self.game.model)) == self.number
        return here

    def ask(self, question: FormulaLike, *, given: FormulaLike | None = None) -> Answer:
        """Return the answer to a formula or a question in English about this night.

        On a condition (`given`) players' chances are those in their worlds where it holds; anything else is
        asked of this night, if it holds there.
        """
        return self.model.ask(question, given=given)

    def chances(self, player: str) -> Mapping[str, Mapping[str, Fraction]]:
        """Return a player's probabilities of the cards as they lie now, by place; only of possible ones."""
        arrays = self.model.arrays
        possible = np.flatnonzero(arrays.relations[self._known(player)].image(self._here))
        weights, found = arrays.weight(player)[possible], {}
        for place in self.game.places:
            true = {name: arrays.valuation[f"{name}_{place}"][possible] for name in self.game.roles}
            shares = {name: int(weights[here].sum()) for name, here in true.items()}
            total = sum(shares.values())
            found[place] = {name: Fraction(share, total) for name, share in shares.items() if share}
        return found

    def vote(self, votes: Mapping[str, str]) -> PlayedNight:
        """Return the night after the vote, one of every player."""
        if votes.keys() != {*self.game.players} or not {*votes.values()} <= votes.keys():
            raise GameError(f"votes={votes!r}: all of {', '.join(self.game.players)} vote for one of them")
        return replace(self, votes=tuple(votes.items()))

    @property
    def dead(self) -> tuple[str, ...]:
        """Those who die by the vote."""
        return self.game.voted_off(target for _, target in self.votes)

    @cached_property
    def winners(self) -> tuple[str, ...]:
        """The players who win by the vote, according to the cards that lie before them now."""
        if not self.votes:
            return ()
        return tuple(p for p, true in self.game.winning(self._alone, self.dead).items() if true[0])

    def vote_chances(self, player: str) -> Mapping[str, Fraction]:
        """Return how likely a player wins with each vote, by what they know, if all others vote blindly.

        Everybody votes for another player; blind votes are equally likely.
        """
        arrays = self.model.arrays
        voters = [name for name in self.game.players if name != self._known(player)]
        possible = np.flatnonzero(arrays.relations[player].image(self._here))
        weights = arrays.weight(player)[possible]
        ballots = [[target for target in self.game.players if target != name] for name in voters]
        found = {}
        for target in voters:
            ends = Counter(self.game.voted_off((target, *votes)) for votes in product(*ballots))
            wins = sum(
                n * int(weights[_won(self.game, dead)[player][possible]].sum()) for dead, n in ends.items()
            )
            found[target] = Fraction(wins, ends.total() * int(weights.sum()))
        return found

    # --- files ---------------------------------------------------------------------------------------

    def headline(self) -> str:
        """Return the deal and the choices, and the winners."""
        moves = (f"{move.player}: {' '.join(move.words) or '-'}" for move in self.moves)
        won = (f"won by {', '.join(self.winners) or 'nobody'}" for _ in self.votes[:1])
        return "; ".join([" ".join(self.dealt), *moves, *won])

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values."""
        moves = [[move.player, *move.words] for move in self.moves if move.words]
        day = {"claims": as_data(self.claims), "votes": dict(self.votes)}
        return {**FORMAT, **as_data(self.game), "dealt": list(self.dealt), "moves": moves, **day}

    @staticmethod
    def game_of(data: Mapping[str, Any]) -> OneNight:
        """Return the game of a night written by `to_dict`."""
        own = {*FORMAT, "dealt", "moves", "claims", "votes", "evening"}
        game: OneNight = from_data(OneNight, {key: data[key] for key in data.keys() - own})
        return game

    @classmethod
    def from_dict(cls, data: Any) -> PlayedNight:
        """Return the night written by `to_dict`; raises FormatError."""
        if not isinstance(data, dict) or data.get("format") != FORMAT["format"]:
            raise FormatError(f"not a night: expected an object with the format {FORMAT['format']!r}")
        try:
            game = cls.game_of(data)
            night = game.night(data["dealt"], *data.get("moves", ()))
            for claim in data.get("claims", ()):
                night = night.claim(*claim)
            return night.vote(data["votes"]) if data.get("votes") else night
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise FormatError(f"not a night: {error}") from error


def _role(card: Role | str, known: Mapping[str, Role] = ONE_NIGHT) -> Role:
    """Return a role, given by itself, its name or another word; raise GameError for one of other rules."""
    if isinstance(card, str):
        words = {word.casefold(): role for role in known.values() for word in (role.name, *role.words)}
        name = card.casefold() if card.casefold() in words else card_called(card, known)
        return words[check_known(name, words, kind="role")]
    other = sorted(as_data(card).keys() - _READ)
    if other or card.looks != card.name or not all(isinstance(act, CardAct) for act in card.acts):
        raise GameError(f"the role {card.name!r} is for longer games: see its {(*other, 'acts')[0]!r}")
    return card


def _convinced(old: Relation, said: Mask) -> Relation:
    """Return a relation without the pairs that lead to worlds where words are false, except where all do."""
    open_to_it = np.zeros(old.cells, bool)
    open_to_it[old.labels[~old.box(~said)]] = True
    kept = ~open_to_it[old.sources]
    sources = np.concatenate([old.sources, old.sources[kept]])
    targets = np.concatenate([2 * old.targets + 1, 2 * old.targets[kept]])
    edges = np.concatenate([2 * sources, 2 * sources + 1]), np.tile(targets, 2)
    return General(2 * old.labels + said, 2 * old.cells, *edges).simplest()
