"""The rules of Avalon, and their options.

Players are numbered from 1, five of them as in "Modelling Avalon" (Mein, Huitema and van Lune), up to ten as
in the published game. The atom `e_i` says that player i is evil, `m_i` that player i is Merlin, and `p_i`,
`n_i`, `d_i`, `o_i` that player i is Percival, Morgana, Mordred, Oberon. Every rule that varies is a field of
`Rules`: `published` are the rules that produced the results of that document, `intended` those described in
its text. The game reads only the fields, so that any rule can be changed alone:

>>> silent = published(announcements="atleast")
>>> silent.announcements, silent.cards
('atleast', 'fail')
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, check_known
from kripke_werewolf.base.settings import changes, check_fields, possible_values, types_of
from kripke_werewolf.logic.english.sentences import enumerated
from kripke_werewolf.logic.formulas import Atom, Formula, Knows, Somewhere, conjunction, disjunction

# --- the table -----------------------------------------------------------------------------------

Party: TypeAlias = tuple[int, ...]
Role: TypeAlias = Literal["good", "evil", "Merlin"]
Side: TypeAlias = Literal["good", "evil"]

PARTY_SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}
"""The number of players on each quest, by the number of players in the game."""
EVIL = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
"""The number of evil players, by the number of players."""
PROPOSALS = 5
"""The greatest number of proposals for one quest."""
NEEDS_TWO = 7
"""From this number of players on, the fourth quest fails only with two fail cards."""


@cache
def seats(players: int) -> tuple[int, ...]:
    """Return the players of a game, in seat order."""
    return tuple(range(1, players + 1))


@cache
def evil(player: int) -> Atom:
    """Return the atom `e_i`: player i is evil."""
    return Atom(f"e_{player}")


@cache
def is_merlin(player: int) -> Atom:
    """Return the atom `m_i`: player i is Merlin."""
    return Atom(f"m_{player}")


class Card(NamedTuple):
    """A role: its side, the letter of its atoms, and whom its holder sees at the deal."""

    side: Side
    letter: str = ""
    sees: tuple[str, ...] = ()
    """Roles, or "evil": these players are seen, without their roles."""
    but: tuple[str, ...] = ()
    """Roles that are not seen among them."""


CARDS = {
    "good": Card("good"),
    "merlin": Card("good", "m", sees=("evil",), but=("mordred",)),
    "percival": Card("good", "p", sees=("merlin", "morgana")),
    "evil": Card("evil", "e", sees=("evil",), but=("oberon",)),
    "morgana": Card("evil", "n", sees=("evil",), but=("oberon",)),
    "mordred": Card("evil", "d", sees=("evil",), but=("oberon",)),
    "oberon": Card("evil", "o"),
}
"""All roles; players without a special one are `good` or `evil`. All evil players have the letter `e`."""
SPECIAL = {name: card.letter for name, card in CARDS.items() if name not in ("good", "merlin", "evil")}
"""The special roles besides Merlin, with the letters of their atoms."""


@cache
def has_role(role: str, player: int) -> Atom:
    """Return the atom that a player has a special role: `p_3` for Percival, and so on."""
    return Atom(f"{SPECIAL[role]}_{player}")


class Deal(NamedTuple):
    """An assignment of roles; the worlds of the models are deals.

    >>> deal = Deal((3, 4), 5)
    >>> str(deal), deal.good, deal.role(5)
    ('evil 3 and 4, Merlin 5', (1, 2, 5), 'Merlin')
    """

    evil: tuple[int, ...]
    """The evil players, ascending."""
    merlin: int | None = None
    """The good player who is Merlin, None in a game without."""
    percival: int | None = None
    """The good player who is Percival, None in a game without."""
    morgana: int | None = None
    """The evil player who is Morgana, None in a game without."""
    mordred: int | None = None
    """The evil player who is Mordred, None in a game without."""
    oberon: int | None = None
    """The evil player who is Oberon, None in a game without."""
    players: int = 5
    """The number of players."""

    @property
    def good(self) -> tuple[int, ...]:
        """The good players, including Merlin and Percival."""
        return tuple(i for i in seats(self.players) if i not in self.evil)

    def role(self, player: int) -> Role:
        """Return the role that determines a player's strategy."""
        if player in self.evil:
            return "evil"
        return "Merlin" if player == self.merlin else "good"

    @property
    def assassin(self) -> int:
        """The evil player who names Merlin: the first without a special role, else the first but Oberon."""
        special = (self.morgana, self.mordred, self.oberon)
        plain = [i for i in self.evil if i not in special]
        return (plain or [i for i in self.evil if i != self.oberon] or list(self.evil))[0]

    def holders(self, card: str) -> frozenset[int]:
        """Return the players who hold a card; for `evil`, all evil players."""
        if card == "evil":
            return frozenset(self.evil)
        return frozenset({getattr(self, card)} - {None})

    def observed(self, player: int) -> Hashable:
        """Return a player's observation of the deal: their card, and whom it shows; see `CARDS`."""
        own = next((card for card in ("merlin", *SPECIAL) if player in self.holders(card)), None)
        card = own or ("evil" if player in self.evil else "good")
        shown, hidden = (frozenset().union(*map(self.holders, names)) for names in CARDS[card][2:])
        return card, shown - hidden

    def __str__(self) -> str:
        roles = [f"evil {enumerated(self.evil)}"]
        for role in ("merlin", *SPECIAL):
            if (player := getattr(self, role)) is not None:
                roles.append(f"{role.title()} {player}")
        return ", ".join(roles)


class Outcome(NamedTuple):
    """The outcome of a game."""

    winner: Side
    quests: int
    """The number of quests played."""
    by: Literal["quests", "assassination"] = "quests"
    """Whether the game was decided by three quests or by the assassination of Merlin."""

    def __str__(self) -> str:
        line = f"{self.winner} after {self.quests} quests"
        if self.by == "assassination":
            line += " and the assassination of Merlin"
        return line


@cache
def merlin_found(players: int = 5) -> Formula:
    """Return the formula that every evil player knows who Merlin is.

    >>> str(merlin_found())[:40]
    '(e_1 -> K_1 m_1 | K_1 m_2 | K_1 m_3 | K_'
    """
    table = seats(players)
    return conjunction(evil(i) >> disjunction(Knows(i, is_merlin(j)) for j in table) for i in table)


# --- the options ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rules(Displayed):
    """The options of the rules.

    Raises GameError for an invalid value of a field, or if two fields contradict each other.
    """

    name: str = "own"
    """The name of the rules."""

    players: Literal[5, 6, 7, 8, 9, 10] = 5
    """The number of players; it determines the numbers of evil players and of players on each quest."""
    percival: bool = False
    """Whether a good player is Percival, who sees Merlin and Morgana without knowing which is which."""
    morgana: bool = False
    """Whether an evil player is Morgana, who looks like Merlin to Percival."""
    mordred: bool = False
    """Whether an evil player is Mordred, whom Merlin does not see."""
    oberon: bool = False
    """Whether an evil player is Oberon, who does not know the other evil players, nor they Oberon."""

    merlin: Literal["naive", "cautious"] | None = None
    """Merlin votes by their knowledge, or hides it if the vote would reveal them; None: no Merlin."""
    merlin_seat: Literal["uniform", "lowest"] = "uniform"
    """Whether Merlin is any good player with equal probability, or the good player with the lowest number."""
    worlds: Literal["roles", "pairs"] = "roles"
    """A world lists the evil players and Merlin (30 worlds), or only the evil players (10)."""
    knowledge: Literal["actual", "somewhere"] = "actual"
    """Whether a good player's knowledge is tested at the actual world, or `somewhere` in the model."""

    leader: Literal["seat", "random"] = "seat"
    """The first leader is random; the next is the next seat, or again random."""
    good_leader: Literal["knowledge", "any"] = "knowledge"
    """A good leader takes players known to be good first, known to be evil last; or any players."""
    leader_goes: bool = False
    """Whether a good leader is always in the party."""
    evil_leader: Literal["least known", "any"] = "least known"
    """An evil leader takes the evil player known to the fewest good ones, or any evil player."""
    good_votes: Literal["knowledge", "approve"] = "knowledge"
    """A good player rejects parties with a member known to be evil, or none."""
    evil_votes: Literal["one evil", "approve"] = "one evil"
    """Evil players reject parties without evil players and parties of evil players only, or none."""
    fifth: Literal["fails", "accepted"] = "fails"
    """The fifth proposal is voted on, and the quest fails if rejected; or it is accepted unvoted."""

    cards: Literal["fail", "hide", "lookahead"] = "fail"
    """Evil players on a quest always fail it; or pass when both are on it with a good player who does not
    yet know the first of them; or pass when their failing would tell a good player who both are."""
    announcements: Literal["atleast", "success", "policy"] = "atleast"
    """n fail cards announce that at least n members are evil, none announce nothing; or none announce that
    all members are good; or everybody also knows the rule by which evil players choose their cards."""

    inference: bool = True
    """Whether evil players infer from the votes who may be Merlin."""
    assassinate: bool = False
    """Whether evil players may name Merlin after three successful quests, and win if they are right."""
    lookahead: Literal["somewhere", "possible"] = "somewhere"
    """For `cards="lookahead"`: whether a good player counts as soon as they are ordinary in some world of the
    model with the same evil players, or only if the evil player considers such a world possible."""

    def __post_init__(self) -> None:
        check_fields(self)
        if problem := next(self._contradictions(), None):
            raise GameError(problem)

    def headline(self) -> str:
        """Return the name, and the options that differ from those of this name, or else from the defaults."""
        return "; ".join([self.name, *changes(self, _called(self.name))])

    def __hash__(self) -> int:
        return hash(self.name)  # situations are looked up all the time, and their rules are the same

    def _contradictions(self) -> Iterator[str]:
        """Yield the reasons why options do not go together."""
        special = [role for role in SPECIAL if getattr(self, role)]
        pairs = self.merlin is not None and self.worlds == "pairs"
        if special and (pairs or self.merlin is None):
            yield f"{special[0]}=True needs a Merlin, and worlds='roles' that say who has which role"
        if self.morgana and not self.percival:
            yield "morgana=True needs percival=True: only Percival takes Morgana for Merlin"
        if len(special) - self.percival > EVIL[self.players]:
            named = ", ".join(f"{role}=True" for role in special)
            yield f"{named}: of {self.players} players only {EVIL[self.players]} are evil"
        if self.merlin == "cautious" and (self.mordred or self.percival):
            role = "mordred" if self.mordred else "percival"
            problem = "this Merlin must know everybody, and what everybody knows of the party"
            yield f"merlin='cautious' needs {role}=False: {problem}"
        if self.cards == "lookahead" and self.oberon:
            yield "cards='lookahead' needs oberon=False: the evil players must know each other"
        if self.cards == "hide" and self.players != 5:
            yield "cards='hide' is a rule for players=5: it is about both evil players"
        if self.merlin is None and self.assassinate:
            yield "assassinate=True needs a Merlin; with merlin=None there is nobody to name"
        if pairs and (self.merlin == "cautious" or self.inference):
            option = "merlin='cautious'" if self.merlin == "cautious" else "inference=True"
            yield f"{option} needs worlds='roles': in worlds='pairs' nothing says who is Merlin"
        if self.merlin is not None and not pairs and self.knowledge == "somewhere":
            yield (
                "knowledge='somewhere' needs worlds='pairs' or merlin=None: in worlds='roles' every good "
                "player is Merlin somewhere, and would be taken to know what Merlin knows"
            )
        if self.announcements == "success" and self.cards != "fail":
            yield (
                f"announcements='success' needs cards='fail': with cards={self.cards!r} a quest with evil "
                "players on it may succeed, and then it would be false that all its members are good"
            )

    @property
    def seats(self) -> tuple[int, ...]:
        """The players, from 1."""
        return seats(self.players)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of players on each quest."""
        return PARTY_SIZES[self.players]

    def knows(self, player: int, fact: Formula) -> Formula:
        """Return the formula that tests a good player's knowledge of a fact about who is evil."""
        return known(player, fact, self.knowledge)

    def but(self, **options: object) -> Rules:
        """Return the rules with some options changed; raises GameError or UnknownNameError."""
        return replace(self, **_checked(options))

    def options(self) -> dict[str, object]:
        """Return the value of every option, by name."""
        return {option: getattr(self, option) for option in option_values()}


def _checked(options: dict[str, object]) -> dict[str, Any]:
    for option in options:
        check_known(option, option_values(), kind="rule")
    return options


@cache
def known(player: int, fact: Formula, test: str) -> Formula:
    """Return the formula that tests good player i's knowledge of a fact φ about who is evil.

    It is K_i φ, or, by the test `somewhere`, `φ & somewhere (K_i φ & ~e_i)`: the fact holds, and i knows it
    in some world where i is good.
    """
    knows = Knows(player, fact)
    if test == "somewhere":
        return fact & Somewhere(knows & ~evil(player))
    return knows


@cache
def option_values() -> dict[str, tuple[Any, ...]]:
    """Return the allowed values of each option of `Rules`."""
    return {name: possible_values(hint) for name, hint in types_of(Rules).items() if name != "name"}


def published(
    *,
    merlin: bool | str | None = False,
    higher_order: bool = False,
    assassinate: bool = False,
    **options: object,
) -> Rules:
    """Return the rules that produced the published table of results.

    `merlin`: True for a Merlin on the lowest good seat, `"uniform"` for one on any good seat. Higher-order
    reasoning in the table changed two rules of the program at once: evil players hide when both are on a
    quest (`cards`), and a success no longer announces anything (`announcements`). Without vote inference the
    assassin has one chance in three.
    """
    seat, policy = ("lowest", merlin or None) if merlin not in ("lowest", "uniform") else (merlin, True)
    preset: dict[str, object] = {
        "merlin": "naive" if policy is True else policy,
        "merlin_seat": seat,
        "worlds": "pairs",
        "knowledge": "somewhere",
        "fifth": "accepted",
        "cards": "hide" if higher_order else "fail",
        "announcements": "atleast" if higher_order else "success",
        "inference": False,
        "assassinate": assassinate,
    }
    return Rules(name="published", **_checked(preset | options))


def intended(
    *,
    merlin: bool | str | None = None,
    higher_order: bool = False,
    assassinate: bool = False,
    **options: object,
) -> Rules:
    """Return the rules that the text of "Modelling Avalon" describes.

    `merlin`: `"naive"` (or True), `"cautious"`, or None. `higher_order`: evil players pass if failing would
    reveal both of them to a good player.
    """
    preset: dict[str, object] = {
        "merlin": "naive" if merlin is True else merlin or None,
        "cards": "lookahead" if higher_order else "fail",
        "assassinate": assassinate,
    }
    return Rules(name="intended", **_checked(preset | options))


PRESETS = {"published": published, "intended": intended}


@cache
def _called(name: str) -> Rules:
    """Return the rules with a name, or else the defaults."""
    return PRESETS[name]() if name in PRESETS else Rules(name=name)


_MERLINS: dict[str, dict[str, bool | str]] = {
    "published": {"F": False, "T": True},
    "intended": {"F": False, "naive": "naive", "cautious": "cautious"},
}


def configurations(name: str) -> dict[str, Rules]:
    """Return all configurations of a preset, by Merlin / higher order / assassination, in the table's order.

    >>> list(configurations("published"))
    ['F/F/F', 'T/F/F', 'F/T/F', 'T/T/F', 'T/F/T', 'T/T/T']
    """
    check_known(name, PRESETS, kind="rules")
    found = {}
    for assassinate, higher in product((False, True), repeat=2):
        for label, merlin in _MERLINS[name].items():
            if merlin or not assassinate:
                rules = PRESETS[name](merlin=merlin, higher_order=higher, assassinate=assassinate)
                found[f"{label}/{'FT'[higher]}/{'FT'[assassinate]}"] = rules
    return found
