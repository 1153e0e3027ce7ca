"""Roles, and the deck of role cards of a game.

A role is declared once, as data: its side, its card, what its holder is told and may do, and how it wins.
Everything that happens is said in *schemas*: formulas with places, `{i}` for the holder or the player whom it
is about, `{t}` for a target and `{u}` for a second one; see `declarations`. In a deck the wolves may have
ranks; then each rank (`"alpha"`, `"beta"`, …) is a role of its own.

The catalogue at the end has the roles of the cards that a game may have. `villager`, `seer` and `wolf` are
those of the rules; how a vision and an attack go is said by `Rules`. The others come from the games that
people play: *The Werewolves of Miller's Hollow* (cupid, hunter, witch), *Gekka Jinrou* (bodyguard, fox), and
*Blood on the Clocktower* (a drunk who believes they are the seer). Those of *One Night Ultimate Werewolf* act
on the cards on the table.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, permutations
from math import factorial, prod
from typing import Literal, TypeAlias, TypeVar

from kripke_werewolf.base.errors import GameError, UnknownNameError
from kripke_werewolf.base.settings import Natural, Positive, check_fields
from kripke_werewolf.base.usage import Explaining
from kripke_werewolf.base.wording import LANGUAGES, Sentence, word
from kripke_werewolf.logic.formulas import TRUE, Constant, Formula, simplify

Schema: TypeAlias = str
"""The text of a formula with places for players."""
Words: TypeAlias = tuple[tuple[str, Schema], ...]
"""Words, each with where it is said."""
Action: TypeAlias = str
"""The name of an action: a verb, such as `attack`; the seer's is called `vision`."""
TAKE: Action = "take"
"""The action of the dead who take somebody along; nobody has it in a world: it follows from a death."""
SPARED = "spared"
"""What is drawn instead of a card if a vote does not kill."""
PhaseKind: TypeAlias = Literal["vote", "evening", "visions", "attacks", "night", "dawn"]
"""The kinds of phases; `evening` and `dawn` come around the night if a card of the deck acts there."""
Moment: TypeAlias = Literal["once", "phase", "found", "morning"]
"""When something follows: at once, at the end of a phase, when the dead are found, or in the morning.

The dead are found at the end of a phase, of a night after its dawn; and whenever somebody dies in public.
"""
Change: TypeAlias = tuple[tuple[Schema, Schema], ...]
"""Atoms with their new values.

A consequence may change `card_{i}`, the card of a player, into `card_{t}`, or a card by its name: `wolf` is
one of a new lowest rank.
"""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Wound:
    """A mark that an action leaves on its target; at a whole life, summed over the worlds, the target dies.

    Its strength is one over the number of living holders of a card. A new one by the same player on the same
    target replaces the old one.
    """

    where: Schema
    """Where it counts."""
    shared: Schema
    """The card whose holders share in the strength."""
    lasting: bool = False
    """Whether it stays when its maker dies, and the dead go on sharing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretAct:
    """A secret action of a player on another."""

    name: Action
    by: Schema
    """Where the actor has it: elsewhere it has no effect."""
    asked: Schema = ""
    """Where the actor is asked for it: if some world is of this kind when the phase begins; "": as `by`."""
    when: Literal["evening", "visions", "attacks", "dawn"] = "visions"
    """The phase in which it is taken; visions and attacks also happen in a whole night."""
    opening: bool = False
    """Whether it is taken before the first vote only."""
    shows: Words = ()
    """The results, each with those of the actor's worlds where it is shown; none: it shows nothing."""
    pool: Schema = "true"
    """Which of the worlds of `by` a result is drawn from; if there are none, nothing is shown."""
    impossible: Schema = "false"
    """Where it cannot happen: such worlds are removed if the actor has it there."""
    change: Change = ()
    """The atoms that it changes where the actor has it, with their new values."""
    mark: Wound | None = None
    two: bool = False
    """Whether it has a second target."""
    on: Literal["living", "dead"] = "living"
    """Whether its targets are alive, or officially dead; as long as nobody is, nobody is asked."""
    on_self: bool = False
    """Whether players may choose themselves."""
    compulsory: bool = True
    """Whether it must be taken; otherwise it may be declined."""
    refusable: bool = False
    """Whether it is refused, and only the actor told, if no world would remain in which they have it."""

    def __post_init__(self) -> None:
        check_fields(self)

    def choices(self, targets: Sequence[_T]) -> Iterator[tuple[_T, ...]]:
        """Yield the possible choices among some targets; the order counts where the action says so."""
        swapped = {tuple(map(_swapped, pair)) for pair in self.change}
        ways = combinations if swapped == set(self.change) else permutations
        yield from ways(targets, 1 + self.two)

    def in_order(self, targets: tuple[_T, ...], key: Callable[[_T], int]) -> tuple[_T, ...]:
        """Return its targets in the order of the seats, their `key`, where their order does not count."""
        found = list(self.choices(sorted(targets, key=key)))
        return targets if targets in found else found[0]


def _swapped(schema: Schema) -> Schema:
    places = {"{t}": "{u}", "{u}": "{t}"}
    return re.sub(r"\{[tu]\}", lambda found: places[found[0]], schema)


@dataclass(frozen=True, slots=True)
class Consequence:
    """What follows by itself at a moment: where a condition about a player `{i}` is true, atoms change.

    In the condition `{t}` is any player, and in a value the one for whom it is true. If the change is of
    `dead_{t}`, `{i}`, who has died, names `{t}`, who dies with them. Cards do not change within a phase.

    >>> Consequence("morning", "true", (("guarded_{i}", "false"),)).names
    False
    """

    moment: Moment
    where: Schema
    change: Change

    def __post_init__(self) -> None:
        check_fields(self)
        if self.names and (self.moment, self.change) != ("found", (("dead_{t}", "true"),)):
            raise GameError(f"{self!r} changes {{t}}: this can only be a death when the dead are found")
        if self.moment == "once" and "card_{i}" in dict(self.change):
            raise GameError(f"{self!r} changes a card at once: this can only be when a phase is over")

    @property
    def names(self) -> bool:
        """Whether it is a choice of the dead."""
        return any("{t}" in atom for atom, _ in self.change)

    @property
    def saves(self) -> bool:
        """Whether it gives a life back: this comes first."""
        return ("dead_{i}", "false") in self.change


@dataclass(frozen=True, slots=True)
class RoleNews:
    """What players are told about others when a phase begins.

    In a classical deal a player `{i}` is told it of every `{t}` of whom it is true then. In the quantum deal
    nobody holds a card, so only news to everybody is told, of those of whom it is true in all worlds.

    >>> RoleNews("in love", "linked_{i} & linked_{t}").public, RoleNews("hurt", "hurt_{t}").public
    (False, True)
    """

    word: str
    """What is said of them, as in "Who is in love: Bo and Cy." """
    where: Schema
    """Where it is true of `{t}`; without `{i}` it is told to everybody."""
    asked: Action = ""
    """The action on being asked for which a player is told; "": told whether or not they are asked."""

    @property
    def public(self) -> bool:
        """Whether it is told to everybody."""
        return not self.asked and "{i}" not in self.where


CardPlace: TypeAlias = Literal["own", "other", "player", "middle"]
"""The places of cards from which an actor chooses: their own, another player's, any player's, the middle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAct:
    """Something done with the cards on the table in One Night, by those who were dealt the card.

    Acts of a role at the same time and under the same condition are alternatives: one of them is chosen.

    >>> CardAct(at=5, on=("own", "other"), swaps=True, sees=1, after=True, optional=True).swaps
    True
    """

    at: Positive
    """When it is done in the night, the lowest first; ties go by the names of roles, then by seats."""
    on: tuple[CardPlace, ...]
    """The places of the cards, all different."""
    sees: Natural = 0
    """The number of cards that the actor looks at, beginning with the first."""
    swaps: bool = False
    """Whether the two cards change places."""
    after: bool = False
    """Whether the actor looks after that."""
    optional: bool = False
    """Whether the actor may do nothing instead."""
    where: Schema = "true"
    """The condition for it, about the cards as they were dealt."""
    name: str = ""
    """A verb, said before the places if an alternative is done with the same ones."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.sees > len(self.on) or (
            len(self.on) != 2 if self.swaps else self.sees < max(len(self.on), 1)
        ):
            raise GameError(f"on={self.on!r}: give two places to swap, or at least one, and look at all")


@dataclass(frozen=True, slots=True)
class Ending:
    """A verdict and its condition, about all worlds: `everywhere …` is read over the superposition."""

    verdict: str
    when: Schema
    wins: Schema
    """Where a player wins with it."""
    drawn: Schema = "false"
    """Where a world that is drawn at a forced collapse has this verdict."""
    instead: bool = False
    """Whether it needs another verdict, which it then replaces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role(Explaining):
    """A role as data.

    >>> Role(name="bodyguard", shield="guarded_{t}", nightly=("guarded",)).letter
    'b'
    """

    name: str
    """One word in lower case; of a player's atom, as in `hunter_Ann`."""
    side: str = "good"
    """`good`, `evil` (the wolves and their friends), or a side of its own."""
    letter: str = ""
    """The letter in world strings; by default the first of the name."""
    several: str = ""
    """The name of more than one; by default with an s."""
    words: tuple[str, ...] = ()
    """Other words for it, besides those of the catalogues in other languages."""
    rule: str = ""
    """What its holder does, in a sentence for the page of the rules."""
    looks: str = ""
    """The role that its holder takes it for; by default itself."""
    seen_as: str = ""
    """The card that others see who look at it, or the first of a side; by default itself."""
    knows: tuple[Schema, ...] = ()
    """What its holder is told about every other player `{t}` when the cards are dealt."""
    acts: tuple[SecretAct | CardAct | Literal["vision", "attack"], ...] = ()
    """The actions of its holder; `"vision"` and `"attack"` are those of the rules."""
    news: tuple[RoleNews, ...] = ()
    """What players are told when a phase begins."""
    misled: bool = False
    """Whether a vision shows its holder the opposite."""
    shield: Schema = "false"
    """Where an attack cannot kill `{t}`."""
    if_seen: Schema = "false"
    """Where a vision kills `{t}`."""
    spared: Schema = "false"
    """Where a vote does not kill `{i}`; that they are spared is announced."""
    votes: Positive = 1
    """How many votes its holder has, once the card is theirs in every world."""
    follows: tuple[Consequence, ...] = ()
    """What follows by itself from what has happened."""
    facts: tuple[str, ...] = ()
    """The facts about players that something changes, false at the start.

    Some say how somebody died: `lynched`, the village voted for it; `taken`, by somebody dead.
    """
    nightly: tuple[str, ...] = ()
    """Facts that become false again in the morning; `struck`: attacked tonight, and killed."""
    endings: tuple[Ending, ...] = ()
    """Further verdicts: tested after those of the rules, or `instead` of these."""

    def __post_init__(self) -> None:
        check_fields(self)
        object.__setattr__(self, "letter", self.letter or self.name[0])
        if len(self.letter) != 1 or not (self.letter.isascii() and self.letter.islower()):
            raise GameError(f"letter={self.letter!r} of the role {self.name!r} is not one letter, a to z")
        object.__setattr__(self, "several", self.several or f"{self.name}s")
        object.__setattr__(self, "looks", self.looks or self.name)

    @property
    def plain(self) -> bool:
        """Whether nothing but its name sets its holder apart from villagers, true seers and wolves.

        They act as the rules say or not at all, die and win like these, and are told the truth. What holds of
        such cards depends on the numbers of the living and on who looks.
        """
        usual = {"name", "side", "letter", "several", "words", "rule", "looks", "knows", "acts", "votes"}
        side = "evil" if "attack" in self.acts else "good"
        acts = all(isinstance(act, str) for act in self.acts)
        own = {each.name for each in fields(self) if getattr(self, each.name) != each.default} - usual
        return acts and not own and (self.looks, self.side) == (self.name, side)

    @property
    def becomes(self) -> frozenset[str]:
        """The cards into which it changes one."""
        return frozenset(value for each in self.follows for atom, value in each.change if atom == "card_{i}")

    @property
    def schemas(self) -> Iterator[tuple[Schema, str]]:
        """Yield all that is said about worlds, each with the places that it may have."""
        yield from ((schema, "t") for schema in self.knows)
        yield self.spared, "i"
        of_two = [self.shield, self.if_seen, *(one.where for one in self.news)]
        for each in self.follows:
            own = (pair for pair in each.change if pair[0] != "card_{i}")
            of_two += (each.where, *chain.from_iterable(own))
        for act in self.acts:
            if isinstance(act, SecretAct):
                yield from ((schema, "i") for schema in (act.by, act.asked or act.by, act.pool))
                said = [act.impossible, *chain.from_iterable(act.change), *(where for _, where in act.shows)]
                yield from ((schema, "itu" if act.two else "it") for schema in said)
            elif isinstance(act, CardAct):
                of_two.append(act.where)
        yield from ((schema, "it") for schema in of_two)
        for ending in self.endings:
            yield from ((ending.when, ""), (ending.wins, "i"), (ending.drawn, ""))


def _check_word(word: str, what: str) -> None:
    """Raise GameError for a name that cannot be part of an atom, or that means something else."""
    if not (word.isidentifier() and word.isascii() and word.islower()) or "_" in word:
        raise GameError(f"{what} {word!r} needs a name of one word in lower case")
    if word in _TAKEN:
        raise GameError(f"{what} {word!r} needs another name: this one has a meaning in every game")


_TAKEN = frozenset(
    {"wolf", "werewolf", "human", "good", "evil", "dead", "alive", "dominant", "out", "vision", "attack"}
    | {TAKE, SPARED, "card", "decline", "everywhere", "true", "false"}
)


VILLAGER = "villager"
SEER = "seer"
WOLF = "wolf"
USUAL = (
    Role(name=VILLAGER),
    Role(name=SEER, acts=("vision",)),
    Role(name=WOLF, side="evil", several="wolves", acts=("attack",)),
)
"""The roles of every deck; how a vision and an attack go is said by the rules."""

_GREEK = tuple(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "  # noqa: SIM905 (24 lines otherwise)
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega".split()
)
# `s`, `v` and `w` are taken, so letters end before the 19th rank
_RANK_LETTERS = "abcdefghijklmnopqr"
_MOST_PLAYERS = 255


@lru_cache(maxsize=64)
def _wolf(name: str, knows: tuple[str, ...]) -> Role:
    """Return the role of a wolf of a rank."""
    return replace(USUAL[-1], name=name, letter="", looks="", knows=knows)


@dataclass(frozen=True)
class Deck(Explaining):
    """The numbers of cards of each role; the rest are villagers.

    Raises GameError if the cards do not fit the players or there is no wolf.

    >>> Deck(4, wolves=2, seers=1, ranked=False).worlds
    12
    >>> Deck(4, wolves=2).roles
    ('villager', 'seer', 'alpha', 'beta')
    >>> Deck(5, wolves=1, others=((Role(name="hunter"), 1),)).letter("hunter")
    'h'
    """

    players: Natural
    wolves: Natural
    seers: Natural = 1
    ranked: bool = True
    others: tuple[tuple[Role, Natural], ...] = ()
    """Further roles with their numbers of cards, none of them 0."""

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.players <= _MOST_PLAYERS:
            raise GameError(f"{self.players} players cannot play; 1 to {_MOST_PLAYERS} are possible")
        if self.wolves < 1:
            raise GameError(f"wolves={self.wolves}: a game needs at least one wolf")
        if self.villagers < 0:
            seers, *held, _ = self.in_words
            raise GameError(
                f"more roles than players: {', '.join(held)} and {seers} for "
                f"{self.players} {'player' if self.players == 1 else 'players'}; each player has at most 1"
            )
        self._check_names()
        for role in self.declared:
            if any(isinstance(act, CardAct) for act in role.acts):
                raise GameError(
                    f"the role {role.name!r} looks at cards on a table or moves them, and is for One Night "
                    "(kripke_werewolf.OneNight): in a quantum deal nobody has a card yet that could "
                    "be moved, and here players keep theirs"
                )

    def _check_names(self) -> None:
        """Raise GameError for names that mean two things."""
        known = {*self.roles[: len(self.roles) - len(self.others)], *_GREEK, *_TAKEN}
        for role, _ in self.others:
            _check_word(role.name, "the role")
            for name in (role.name, *map(str.casefold, role.words)):
                if name in known:
                    raise GameError(
                        f"{name!r} means two things: every deck has seers and wolves; rename {role.name!r}"
                    )
                known.add(name)
        for role, _ in self.others:
            own = [("fact", fact) for fact in (*role.facts, *role.nightly)]
            if role.side not in ("good", "evil", role.name):
                own.append(("side", role.side))
            for what, name in own:
                _check_word(name, f"the {what}")
                if name in known:
                    raise GameError(f"the {what} {name!r} of the role {role.name!r} is the name of a card")
            if role.looks not in self.roles or self.role(role.looks).looks != role.looks:
                raise GameError(f"looks={role.looks!r} of the role {role.name!r} is not a card of this deck")
        acts = [act.name for role, _ in self.others for act in role.acts if isinstance(act, SecretAct)]
        for act in acts:
            _check_word(act, "the action")
            if acts.count(act) > 1:
                raise GameError(f"the action {act!r} is declared twice; each needs its own name")

    @cached_property
    def wolf_roles(self) -> tuple[str, ...]:
        """The wolf roles of this deck, the highest rank (alpha) first."""
        if not self.ranked:
            return (WOLF,)
        most = self.wolves + self.turning
        return _GREEK[:most] + tuple(f"{WOLF}{rank}" for rank in range(len(_GREEK) + 1, most + 1))

    @cached_property
    def turning(self) -> int:
        """The number of cards that may become a wolf, which then has the lowest rank."""
        return sum(number for role, number in self.others if WOLF in role.becomes)

    @cached_property
    def changing(self) -> tuple[str, ...]:
        """The roles whose cards may pass to other players, or appear; none in most decks."""
        if any(role.becomes for role, _ in self.others):
            return self.roles[1:]
        return ()

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The names of all roles of this deck: villager, seer, the wolf roles, and the others."""
        return tuple(role.name for role in self.declared)

    @cached_property
    def declared(self) -> tuple[Role, ...]:
        """All roles of this deck, in the same order; a wolf knows the others and their ranks."""
        knows = (f"{WOLF}_{{t}}", *(f"{rank}_{{t}}" for rank in self.wolf_roles if self.ranked))
        villager, seer, _ = USUAL
        wolves = (_wolf(name, knows) for name in self.wolf_roles)
        return (villager, seer, *wolves, *(role for role, _ in self.others))

    @cached_property
    def facts(self) -> tuple[str, ...]:
        """The facts about players, besides deaths, that actions change."""
        return tuple(dict.fromkeys(f for role in self.declared for f in (*role.facts, *role.nightly)))

    @property
    def nightly(self) -> tuple[str, ...]:
        """The facts that become false again in the morning."""
        return tuple(dict.fromkeys(fact for role in self.declared for fact in role.nightly))

    @cached_property
    def timed(self) -> tuple[tuple[Action, PhaseKind, bool], ...]:
        """The actions, each with its phase, and whether it is only taken before the first vote."""
        own = (act for role, _ in self.others for act in role.acts if isinstance(act, SecretAct))
        further = ((act.name, act.when, act.opening) for act in own)
        return ("vision", "visions", False), ("attack", "attacks", False), *further

    def role(self, name: str) -> Role:
        """Return a role of this deck."""
        return self.declared[self.roles.index(name)]

    @cached_property
    def special(self) -> tuple[tuple[str, int], ...]:
        """The roles other than villagers with their numbers of cards, in the order of `roles`."""
        dealt = [1] * self.wolves + [0] * self.turning if self.ranked else [self.wolves]
        wolves = zip(self.wolf_roles, dealt, strict=True)
        others = ((role.name, number) for role, number in self.others)
        return ((SEER, self.seers), *wolves, *others)

    @property
    def in_words(self) -> tuple[str, ...]:
        """The numbers of cards of all kinds in words, the villagers last."""
        held = [(self.seers, SEER, "seers"), (self.wolves, WOLF, "wolves")]
        held += [(number, role.name, role.several) for role, number in self.others]
        every = (*held, (self.villagers, VILLAGER, "villagers"))
        return tuple(Sentence("cards", n=n, one=one, many=many) for n, one, many in every)

    @property
    def villagers(self) -> int:
        """The number of villager cards."""
        return self.players - sum(number for _, number in self.special)

    @property
    def worlds(self) -> int:
        """The number of distinct assignments of the cards to the players."""
        dealt = (*(number for _, number in self.special), self.villagers)
        return factorial(self.players) // prod(map(factorial, dealt))

    def cards(self, role: str) -> int:
        """Return the number of players with this role, of any `wolf`, or of a side, in every world."""
        if role == WOLF:
            return self.wolves
        known = {VILLAGER: self.villagers, **dict(self.special)}
        return known[role] if role in known else sum(known[name] for name in self.sided(role))

    def is_wolf(self, role: str) -> bool:
        """Whether a role is that of a wolf, of any rank."""
        return role in self.wolf_roles

    def kind(self, role: str) -> str:
        """Return the role without its rank."""
        return WOLF if self.is_wolf(role) else role

    @cached_property
    def looker(self) -> Role:
        """The first role whose holder looks at others."""
        return next(role for role in self.declared if "vision" in role.acts)

    def smaller(self, players: int) -> Deck:
        """Return a deck for at most this many players with all kinds of cards, at most two of each."""
        wolves, seers = min(self.wolves, players // 2), min(self.seers, 2)
        return replace(self, players=min(self.players, players), wolves=wolves, seers=seers)

    @cached_property
    def plain(self) -> bool:
        """Whether all cards are plain; engines that add up numbers of cards rely on it."""
        return all(role.plain for role in self.declared)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The names of the cards without ranks, in the order of `roles`."""
        return tuple(dict.fromkeys(map(self.kind, self.roles)))

    def sided(self, side: str) -> tuple[str, ...]:
        """Return the roles on a side."""
        return tuple(role.name for role in self.declared if role.side == side)

    def looking(self, card: str) -> frozenset[str]:
        """Return the roles whose holders take their card for this one."""
        return frozenset(role.name for role in self.declared if role.looks == card)

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """The letters of the roles in world strings: `v`, `s`, `w`, or `a`, `b`, … for ranks, and others.

        A role whose letter is taken has the next free one; ranks beyond the 18th have none.
        """
        found = {VILLAGER: "v", SEER: "s"}
        found |= dict(zip(self.wolf_roles, _RANK_LETTERS, strict=False)) if self.ranked else {WOLF: "w"}
        for role, _ in self.others:
            start = ord(role.letter) - ord("a")
            free = (chr(ord("a") + (start + step) % 26) for step in range(26))
            found[role.name] = next((c for c in free if c not in (*found.values(), "w")), "?")
        return found

    def check_dealt(self, roles: Sequence[str]) -> None:
        """Raise GameError if the players' roles are not the cards of this deck."""
        cards = {role: self.cards(role) for role in self.roles if self.cards(role)}
        if Counter(roles) != Counter(cards):
            wanted = ", ".join(f"{number} {role}" for role, number in cards.items())
            raise GameError(f"the roles {', '.join(roles)} are not the cards of the deck ({wanted})")

    def letter(self, role: str) -> str:
        """Return the letter of a role; raise GameError if it has none."""
        if role not in self.letters:
            raise GameError(f"{role!r} has no letter: letters exist for {len(_RANK_LETTERS)} ranks")
        return self.letters[role]


def parse_roles(text: str, deck: Deck) -> frozenset[str]:
    """Return the roles of the deck denoted by a word or letter.

    Valid are the deck's role names, their letters and other words, ranks (`alpha`, `a`), and the words for
    several roles: `wolf`, `werewolf` (all ranks), `evil`; `good`, `human`. Raises UnknownNameError with
    similar names for anything else.

    >>> sorted(parse_roles("werewolf", Deck(5, wolves=2)))
    ['alpha', 'beta']
    """
    words: dict[str, frozenset[str]] = {}
    for role in deck.declared:
        words |= dict.fromkeys((role.name, *map(str.casefold, role.words)), frozenset({role.name}))
    words |= {letter: frozenset({role}) for role, letter in deck.letters.items()}
    words |= dict.fromkeys((WOLF, "werewolf", "w"), frozenset(deck.wolf_roles))
    words |= {role.side: frozenset(deck.sided(role.side)) for role in deck.declared}
    words["human"] = words["good"]
    spelled = str(text).strip().casefold()
    found = words.get(spelled) or words.get(card_called(spelled, deck.kinds))
    if found is None:
        raise UnknownNameError(text, words, kind="role")
    return found


def card_called(text: str, cards: Iterable[str]) -> str:
    """Return the card that a word in another language stands for, or the word itself.

    >>> card_called("jager", ROLES), card_called("judge", ROLES)
    ('hunter', 'judge')
    """
    words = {word(card).told(language).casefold(): card for card in cards for language in LANGUAGES}
    return words.get(text.casefold(), text)


def exact_role(text: str, deck: Deck) -> str:
    """Return the role of the deck denoted by a word or letter; raise GameError if there are several."""
    meant = parse_roles(text, deck)
    if len(meant) != 1:
        raise GameError(f"{text!r} is not an exact role here (possible: {', '.join(deck.roles)})")
    return next(iter(meant))


@lru_cache(maxsize=1 << 12)
def roles_of(formula: Formula, deck: Deck) -> frozenset[str]:
    """Return the roles for which a formula about one player's card is true."""
    true = {role.name: {role.name, deck.kind(role.name), role.side} for role in deck.declared}
    stems = {atom: atom.rpartition("_")[0] for atom in formula.atoms}
    facts = {role: {a: Constant(stem in some) for a, stem in stems.items()} for role, some in true.items()}
    return frozenset(role for role in deck.roles if simplify(formula.substitute(facts[role])) is TRUE)


# --- the catalogue --------------------------------------------------------------------------------

_LINKED = ("linked_{t}", "true"), ("linked_{u}", "true")
CUPID = Role(
    name="cupid",
    letter="k",
    acts=(
        SecretAct(
            name="link", by="cupid_{i}", when="evening", opening=True, two=True, on_self=True, change=_LINKED
        ),
    ),
    news=(RoleNews("in love", "linked_{i} & linked_{t}"),),
    facts=("linked",),
    follows=(Consequence("found", "linked_{i} & linked_{t} & dead_{t}", (("dead_{i}", "true"),)),),
    endings=(Ending("lovers", "[all j: out_{j} | everywhere linked_{j}]", "linked_{i}"),),
)
HUNTER = Role(name="hunter", follows=(Consequence("found", "hunter_{i}", (("dead_{t}", "true"),)),))
BODYGUARD = Role(
    name="bodyguard",
    acts=(
        SecretAct(
            name="protect", by="bodyguard_{i} & ~dead_{i}", when="evening", change=(("guarded_{t}", "true"),)
        ),
    ),
    nightly=("guarded",),
    shield="guarded_{t}",
)
_HEALS = "witch_{i} & ~healed_{i} & (~dead_{i} | struck_{i})"
_HEALED = ("dead_{t}", "dead_{t} & ~struck_{t}"), ("healed_{i}", "true")
_POISONS = "witch_{i} & ~poisoned_{i} & ~dead_{i}"
_POISONED = ("dead_{t}", "true"), ("poisoned_{i}", "true")
WITCH = Role(
    name="witch",
    letter="x",
    several="witches",
    acts=(
        SecretAct(name="heal", by=_HEALS, when="dawn", compulsory=False, on_self=True, change=_HEALED),
        SecretAct(name="poison", by=_POISONS, when="dawn", compulsory=False, change=_POISONED),
    ),
    news=(RoleNews("attacked", "struck_{t}", asked="heal"),),
    facts=("healed", "poisoned"),
    nightly=("struck",),
)
_LIVING = "[any j: fox_{j} & ~dead_{j}]"
FOX = Role(
    name="fox",
    side="fox",
    several="foxes",
    shield="fox_{t}",
    if_seen="fox_{t}",
    endings=(Ending("fox", f"everywhere {_LIVING}", "fox_{i}", _LIVING, instead=True),),
)
DRUNK = Role(name="drunk", looks="seer", acts=("vision",), misled=True)

ROLES: Mapping[str, Role] = {r.name: r for r in (*USUAL, CUPID, HUNTER, BODYGUARD, WITCH, FOX, DRUNK)}
"""The roles by name."""

_ALONE = "count([each j: wolf_{j}]) = 1"
_MINION = Ending("minion", "~[any j: wolf_{j}] & [any j: dead_{j} & ~minion_{j}]", "minion_{i}")
ONE_NIGHT: Mapping[str, Role] = {
    role.name: role
    for role in (
        Role(
            name=WOLF,
            words=("werewolf",),
            side="evil",
            several="wolves",
            knows=("wolf_{t}",),
            acts=(CardAct(at=1, on=("middle",), sees=1, optional=True, where=_ALONE),),
        ),
        Role(name="minion", side="evil", knows=("wolf_{t}",), endings=(_MINION,)),
        Role(name="mason", knows=("mason_{t}",)),
        Role(
            name=SEER,
            acts=(CardAct(at=4, on=("other",), sees=1), CardAct(at=4, on=("middle", "middle"), sees=2)),
        ),
        Role(
            name="robber",
            acts=(CardAct(at=5, on=("own", "other"), swaps=True, sees=1, after=True, optional=True),),
        ),
        Role(name="troublemaker", acts=(CardAct(at=6, on=("other", "other"), swaps=True, optional=True),)),
        Role(name="drunk", acts=(CardAct(at=7, on=("own", "middle"), swaps=True),)),
        Role(name="insomniac", acts=(CardAct(at=8, on=("own",), sees=1),)),
        Role(name=VILLAGER),
    )
}
"""The roles of One Night by name, in the order of the night."""
USUAL_CARDS = "wolf wolf seer robber troublemaker villager villager villager drunk insomniac".split()  # noqa: SIM905
"""The usual cards: the first six for three players, one more for each further player."""


def read_roles(path: str | os.PathLike[str]) -> dict[str, Role]:
    """Return the roles that a Python file declares, by name.

    Raises GameError if there are none, and `OSError` for a file that cannot be read.
    """
    from runpy import run_path

    try:
        made = run_path(os.fspath(path))
    except OSError:
        raise
    except Exception as error:
        raise GameError(f"the roles in {path!r} cannot be read: {type(error).__name__}: {error}") from error
    found = {value.name: value for value in made.values() if isinstance(value, Role)}
    if not found:
        raise GameError(f"{path!r} declares no role; write NAME = Role(name=…, …) for each")
    return found
