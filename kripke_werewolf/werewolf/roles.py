"""Roles, and the deck of role cards of a game.

A role is a plain string: `"villager"`, `"seer"`, and `"wolf"` if wolves are equal, or their ranks `"alpha"`,
`"beta"`, … if they are ordered. All players who are not wolves are good.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb, perm

from kripke_werewolf.errors import GameError, UnknownNameError
from kripke_werewolf.language import TRUE, Constant, Formula, simplify
from kripke_werewolf.settings import Natural, check_fields

Role = str

VILLAGER: Role = "villager"
SEER: Role = "seer"
WOLF: Role = "wolf"

_GREEK = tuple(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "  # noqa: SIM905 (24 lines otherwise)
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega".split()
)
# `s`, `v` and `w` are taken, so letters end before the 19th rank
_RANK_LETTERS = "abcdefghijklmnopqr"
_MOST_PLAYERS = 1000


def is_wolf(role: Role) -> bool:
    """Whether the role is evil: a wolf of any rank."""
    return role not in (VILLAGER, SEER)


def kind(role: Role) -> Role:
    """Return the role without its rank: villager, seer or wolf."""
    return WOLF if is_wolf(role) else role


def letter(role: Role) -> str:
    """Return the letter of a role in world strings: `v`, `s`, `w`, or `a`, `b`, … for ranks.

    Raises GameError for ranks beyond the 18th, which have none.
    """
    if role in (VILLAGER, SEER, WOLF):
        return role[0]
    rank = _GREEK.index(role) if role in _GREEK else int(role.removeprefix(WOLF)) - 1
    if rank >= len(_RANK_LETTERS):
        raise GameError(f"{role!r} has no letter: letters exist for {len(_RANK_LETTERS)} ranks")
    return _RANK_LETTERS[rank]


@dataclass(frozen=True, slots=True)
class Deck:
    """The numbers of cards of each role; the rest are villagers.

    Raises GameError if the cards do not fit the players or there is no wolf.

    >>> Deck(4, wolves=2, seers=1, ranked=False).worlds
    12
    >>> Deck(4, wolves=2).roles
    ('villager', 'seer', 'alpha', 'beta')
    """

    players: Natural
    wolves: Natural
    seers: Natural = 1
    ranked: bool = True

    def __post_init__(self) -> None:
        check_fields(self)
        if not 1 <= self.players <= _MOST_PLAYERS:
            raise GameError(f"{self.players} players cannot play; 1 to {_MOST_PLAYERS} are possible")
        if self.wolves < 1:
            raise GameError(f"wolves={self.wolves}: a game needs at least one wolf")
        if self.wolves + self.seers > self.players:
            raise GameError(
                f"more roles than players: {number_of(self.wolves, 'wolf', 'wolves')} and "
                f"{number_of(self.seers, 'seer', 'seers')} for {number_of(self.players, 'player', 'players')}"
            )

    @property
    def wolf_roles(self) -> tuple[Role, ...]:
        """The wolf roles of this deck, the highest rank (alpha) first."""
        if not self.ranked:
            return (WOLF,)
        named = _GREEK[: self.wolves]
        return named + tuple(f"{WOLF}{rank}" for rank in range(len(_GREEK) + 1, self.wolves + 1))

    @property
    def roles(self) -> tuple[Role, ...]:
        """All roles of this deck: villager, seer, then the wolf roles."""
        return (VILLAGER, SEER, *self.wolf_roles)

    @property
    def villagers(self) -> int:
        """The number of villager cards."""
        return self.players - self.wolves - self.seers

    @property
    def worlds(self) -> int:
        """The number of distinct assignments of the cards to the players."""
        seers = comb(self.players, self.seers)
        rest = self.players - self.seers
        return seers * (perm(rest, self.wolves) if self.ranked else comb(rest, self.wolves))

    def cards(self, role: Role) -> int:
        """Return the number of players with this role in every world; also of `wolf` (any), and of `good`."""
        if role in (VILLAGER, SEER):
            return self.villagers if role == VILLAGER else self.seers
        number = {WOLF: self.wolves, "good": self.players - self.wolves}
        return number.get(role, 1)


def number_of(number: int, one: str, many: str) -> str:
    """Return a number with its noun: `1 wolf`, `2 wolves`."""
    return f"{number} {one if number == 1 else many}"


def parse_roles(text: str, deck: Deck) -> frozenset[Role]:
    """Return the roles of the deck denoted by a word or letter.

    Valid are the deck's role names, their letters, ranks (`alpha`, `a`), and the words for several roles:
    `wolf`, `werewolf`, `evil` (all ranks); `good`, `human` (villager and seer). Raises UnknownNameError with
    similar names for anything else.

    >>> sorted(parse_roles("werewolf", Deck(5, wolves=2)))
    ['alpha', 'beta']
    """
    wolves = frozenset(deck.wolf_roles)
    lettered = (VILLAGER, SEER, *deck.wolf_roles[: len(_RANK_LETTERS)])
    words: dict[str, frozenset[Role]] = {
        **{role: frozenset({role}) for role in deck.roles},
        **{letter(role): frozenset({role}) for role in lettered},
        **dict.fromkeys(("wolf", "werewolf", "evil", "w"), wolves),
        **dict.fromkeys(("good", "human"), frozenset({VILLAGER, SEER})),
    }
    found = words.get(str(text).strip().casefold())
    if found is None:
        raise UnknownNameError(text, words, kind="role")
    return found


def exact_role(text: str, deck: Deck) -> Role:
    """Return the role of the deck denoted by a word or letter; raise GameError if these are several."""
    meant = parse_roles(text, deck)
    if len(meant) != 1:
        raise GameError(f"{text!r} is not an exact role here (possible: {', '.join(deck.roles)})")
    return next(iter(meant))


@lru_cache(maxsize=1 << 12)
def roles_of(formula: Formula, deck: Deck) -> frozenset[Role]:
    """Return the roles of which a formula about one player's card is true."""
    true = {role: {role, WOLF if is_wolf(role) else "good"} for role in deck.roles}
    stems = {atom: atom.rpartition("_")[0] for atom in formula.atoms}
    facts = {role: {a: Constant(stem in some) for a, stem in stems.items()} for role, some in true.items()}
    return frozenset(role for role in deck.roles if simplify(formula.substitute(facts[role])) is TRUE)
