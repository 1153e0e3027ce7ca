"""The rules of Avalon, their options, and the game that they make.

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

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations, product
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from kripke_werewolf.base.display import Displayed
from kripke_werewolf.base.errors import GameError, check_known
from kripke_werewolf.base.settings import changes, check_fields, possible_values, types_of
from kripke_werewolf.games.programs.chance import equally
from kripke_werewolf.games.programs.program import End, Game, Happening
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
SPECIAL = tuple(role for role in CARDS if role not in ("good", "merlin", "evil"))
"""The special roles besides Merlin."""


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
        card = own or self.role(player)
        shown, hidden = (frozenset().union(*map(self.holders, names)) for names in CARDS[card][2:])
        return card, shown - hidden

    def __str__(self) -> str:
        roles = [f"evil {enumerated(self.evil)}"]
        for role in ("merlin", *SPECIAL):
            roles += [f"{role.title()} {player}" for player in self.holders(role)]
        return ", ".join(roles)

    def facts(self) -> Iterator[str]:
        """Yield the atoms that are true of the deal."""
        for role in ("evil", "merlin", *SPECIAL):
            yield from role_atoms(role, self.holders(role))


def role_atoms(role: str, players: Iterable[int]) -> list[str]:
    """Return the atoms that players have a role: `p_3` for Percival, and so on.

    >>> role_atoms("merlin", [4])
    ['m_4']
    """
    return [f"{CARDS[role].letter}_{player}" for player in players]


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
            role = next(role for role in ("mordred", "percival") if role in special)
            yield f"merlin='cautious' needs {role}=False: this Merlin must know everybody, and what they know"
        if self.cards == "lookahead" and self.oberon:
            yield "cards='lookahead' needs oberon=False: the evil players must know each other"
        if self.cards == "hide" and self.players != 5:
            yield "cards='hide' is a rule for players=5: it is about both evil players"
        if self.merlin is None and self.assassinate:
            yield "assassinate=True needs a Merlin; with merlin=None there is nobody to name"
        if pairs and (self.merlin == "cautious" or self.inference):
            option = "merlin='cautious'" if self.merlin == "cautious" else "inference=True"
            yield f"{option} needs worlds='roles', as in intended(): in 'pairs' nothing says who is Merlin"
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
    def roles(self) -> tuple[str, ...]:
        """The roles in the game besides `good`."""
        return ("evil", *(role for role in ("merlin", *SPECIAL) if getattr(self, role)))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of players on each quest."""
        return PARTY_SIZES[self.players]

    def but(self, **options: object) -> Rules:
        """Return the rules with some options changed; raises GameError or UnknownNameError."""
        for option in options:
            check_known(option, option_values(), kind="rule")
        changed: Rules = replace(self, **options)  # type: ignore[arg-type]
        return changed

    def options(self) -> dict[str, object]:
        """Return the value of every option, by name."""
        return {option: getattr(self, option) for option in option_values()}


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
    cards, said = ("hide", "atleast") if higher_order else ("fail", "success")
    preset: dict[str, object] = {
        "merlin": "naive" if policy is True else policy,
        "merlin_seat": seat,
        "worlds": "pairs",
        "knowledge": "somewhere",
        "fifth": "accepted",
        "cards": cards,
        "announcements": said,
        "inference": False,
        "assassinate": assassinate,
    }
    return Rules(name="published").but(**preset | options)


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
    return Rules(name="intended").but(**preset | options)


PRESETS = {"published": published, "intended": intended}


@cache
def _called(name: str) -> Rules:
    """Return the rules with a name, or else the defaults."""
    return PRESETS.get(name, partial(Rules, name=name))()


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


# --- the deals ------------------------------------------------------------------------------------


@cache
def all_deals(players: int, number: int, roles: tuple[str, ...]) -> tuple[Deal, ...]:
    """Return all deals of roles, in order, with this number of evil players."""
    found = []
    light, dark = ([r for r in roles if CARDS[r].side == side and r != "evil"] for side in get_args(Side))
    for wicked in combinations(seats(players), number):
        good = [i for i in seats(players) if i not in wicked]
        for some, others in product(permutations(good, len(light)), permutations(wicked, len(dark))):
            cards = dict(zip([*light, *dark], [*some, *others], strict=True))
            found.append(Deal(wicked, **cards, players=players))
    return tuple(found)


def deals(rules: Rules, *, players: int | None = None, evil: int | None = None) -> list[Deal]:
    """Return the deals of a game, equally likely; `players`, `evil`: numbers other than in the rules."""
    every = all_deals(players or rules.players, evil or EVIL[rules.players], rules.roles)
    anywhere = rules.merlin_seat == "uniform"
    return [deal for deal in every if anywhere or deal.merlin in (None, deal.good[0])]


# --- the game without strategies --------------------------------------------------------------------

Stage: TypeAlias = Literal["leader", "party", "vote", "cards", "name"]


class Situation(NamedTuple):
    """The public situation: before a proposal, a vote, cards, or the naming of Merlin."""

    rules: Rules
    """The rules of the game."""
    leader: int
    """The player who proposes; 0 before the first leader is drawn."""
    attempt: int
    """The number of parties proposed for this quest, including this one."""
    failed: int
    """The number of failed quests."""
    succeeded: int
    """The number of successful quests."""
    stage: Stage = "party"
    """What is decided next."""
    party: Party = ()
    """The party proposed."""
    approving: Party = ()
    """The players who voted for it."""
    fails: int | None = None
    """The number of fail cards on it."""

    @property
    def quest(self) -> int:
        """The number of the quest, from 1; when Merlin is named, of the last one."""
        return self.failed + self.succeeded + (self.stage != "name")

    @property
    def size(self) -> int:
        """The size of the party."""
        return self.rules.sizes[self.quest - 1]

    @property
    def players(self) -> tuple[int, ...]:
        """All players, from 1."""
        return self.rules.seats

    def __repr__(self) -> str:
        named = zip(self._fields[1:], self[1:], strict=True)  # of a game all rules are the same
        return f"Situation({', '.join(f'{name}={value!r}' for name, value in named)})"


class Seated(NamedTuple):
    """A state of the world: the cards, and what is public."""

    deal: Deal
    now: Situation

    def __str__(self) -> str:
        return str(self.deal)


class Ended(NamedTuple):
    """The outcome, and the evil players."""

    outcome: Outcome
    evil: Party

    def __str__(self) -> str:
        return f"{self.outcome}; {', '.join(map(str, self.evil))} were evil"


_DECIDED: Mapping[str, str] = {
    "leader": "a leader is drawn",
    "party": "the leader proposes a party",
    "vote": "all vote on this party",
    "cards": "the party plays its cards",
    "name": "the assassin names Merlin",
}


class AvalonTable(Game):
    """The game without strategies: everybody may do what the rules allow. For programs that learn to play.

    What `Avalon` leaves to strategies are moves here; only the rules about cards, leaders, the fifth proposal
    and the assassination count. All that happens in public is in the situation, and in the atoms `leads_i`,
    `in_i` (the party), `for_i` (the last votes), `fails_n` (the last quest), `attempt_n`, `failed_n` and
    `succeeded_n`.

    `players`, `evil`, `sizes` of the parties and `proposals` for each quest may be changed; more than half of
    the quests decide the game.

    >>> [str(deal) for deal, _ in AvalonTable(Rules()).deals()][:3]
    ['evil 1 and 2', 'evil 1 and 3', 'evil 1 and 4']
    """

    name = "Avalon"
    players: tuple[int, ...]

    def __init__(self, rules: Rules) -> None:
        self.rules, self.players, self.evil = rules, rules.seats, EVIL[rules.players]
        self.sizes, self.proposals = rules.sizes, PROPOSALS

    def deals(self) -> list[Seated]:
        """Return the deals."""
        dealt = deals(self.rules, players=len(self.players), evil=self.evil)
        return [Seated(deal, self.start()) for deal in dealt]

    def start(self) -> Situation:
        """Return the situation before the first leader is drawn."""
        return Situation(self.rules, 0, 1, 0, 0, stage="leader")

    def atoms(self, world: Seated) -> Iterator[str]:
        """Yield the atoms that say who has which card, and what is public."""
        deal, now = world
        yield from deal.facts()
        yield from (f"attempt_{now.attempt}", f"failed_{now.failed}", f"succeeded_{now.succeeded}")
        if now.leader:
            yield f"leads_{now.leader}"
        if now.fails is not None:
            yield f"fails_{now.fails}"
        yield from (f"in_{i}" for i in now.party)
        yield from (f"for_{i}" for i in now.approving)

    def vocabulary(self) -> Iterator[str]:
        """Yield all atoms about players and numbers."""
        for role in self.rules.roles:
            yield from role_atoms(role, self.players)
        yield from (f"{what}_{i}" for what in ("leads", "in", "for") for i in self.players)
        yield from (f"attempt_{n}" for n in range(1, self.proposals + 1))
        yield from (f"{what}_{n}" for what in ("failed", "succeeded") for n in range(self.majority + 1))
        yield from (f"fails_{n}" for n in range(self.evil + 1))

    @property
    def majority(self) -> int:
        """The number of quests that decides the game."""
        return len(self.sizes) // 2 + 1

    def sees(self, player: int, world: Seated) -> Hashable:
        """Return the player's card, with the players it reveals."""
        return world.deal.observed(player)

    def moment(self, now: Situation) -> str:
        """Return the quest, after the first the proposal, and after that what is to be done."""
        parts = [f"quest {now.quest}"]
        if now.attempt > 1:
            parts.append(f"proposal {now.attempt}")
        if now.stage != "party":
            parts.append(now.stage)
        return ", ".join(parts)

    def situation(self, now: Situation) -> str:
        """Return the scores, the last party with its votes and cards, and what is decided now."""
        said = [f"{self.moment(now)}: {now.succeeded} succeeded, {now.failed} failed"]
        if now.leader:
            said.append(f"the leader is {now.leader}")
        if now.party:
            said.append(f"the last party: {enumerated(now.party)}")
        if now.party and (now.stage != "vote" or now.approving):
            said.append(f"for it: {self.words(now.approving)}")
        if now.fails is not None:
            said.append(f"fail cards on it: {now.fails}")
        return "; ".join((*said, _DECIDED[now.stage]))

    def words(self, value: Any) -> str:
        """Return a move, or a card with those it shows."""
        if not isinstance(value, tuple) or not {*value[:1]} & CARDS.keys():
            return super().words(value)
        card, shown = value
        seen = " or ".join(CARDS[card].sees)
        return f"your card is {card}; {seen}: {self.words(shown)}" if seen else f"your card is {card}"

    def decides(self, now: Situation, world: Seated) -> dict[int, tuple[Hashable, ...]]:
        """Return the party, votes, cards or name that may be chosen."""
        deal = world.deal
        if now.stage == "party":
            return {now.leader: tuple(combinations(self.players, self.sizes[now.quest - 1]))}
        if now.stage == "vote":
            return dict.fromkeys(self.players, ("for", "against"))
        if now.stage == "cards":
            return {i: ("pass", "fail") for i in now.party if i in deal.evil}
        if now.stage == "name":
            return {deal.assassin: tuple(i for i in self.players if i != deal.assassin)}
        return {}

    def after(
        self, now: Situation, world: Seated, moves: Mapping[int, Any]
    ) -> End | dict[Happening, Fraction]:
        """Return the results of moves, all of them public."""
        deal = world.deal
        if now.stage == "name":
            (name,) = moves.values()
            found = Outcome("good", now.quest)
            if name == deal.merlin:
                found = Outcome("evil", now.quest, "assassination")
            return End(Ended(found, deal.evil))
        following: Outcome | tuple[Situation, ...]
        if now.stage == "leader":
            following = tuple(now._replace(stage="party", leader=i) for i in self.players)
        else:
            moved = self.moved(now, moves)
            following = self.onward(moved) if moved.stage == now.stage else (moved,)
        if isinstance(following, Outcome):
            return End(Ended(following, deal.evil))
        return equally(Happening(Seated(deal, later), later) for later in following)

    # --- the rules about quests, which do not depend on the cards ----------------------------------

    def moved(self, now: Situation, moves: Mapping[int, Any]) -> Situation:
        """Return the situation after a proposal, votes or cards, before anything else happens.

        The next stage is that of the same proposal; it stays the same after cards and rejections.
        """
        if now.stage == "party":
            unvoted = now.attempt == self.proposals and self.rules.fifth == "accepted"
            stage: Stage = "cards" if unvoted else "vote"
            return now._replace(stage=stage, party=moves[now.leader], approving=(), fails=None)
        if now.stage == "cards":
            return now._replace(fails=[*moves.values()].count("fail"))
        approving = tuple(i for i in self.players if moves[i] == "for")
        accepted = 2 * len(approving) > len(self.players)
        return now._replace(stage="cards" if accepted else "vote", approving=approving)

    def onward(self, now: Situation) -> Outcome | tuple[Situation, ...]:
        """Return the situations after cards or a rejection, equally likely, or the outcome."""
        lost, won = now.failed, now.succeeded
        over = now.fails is not None or now.attempt == self.proposals
        needed = 2 if now.quest == 4 and len(self.players) >= NEEDS_TWO else 1
        if over and (now.fails is None or now.fails >= needed):
            lost += 1
        elif over:
            won += 1
        if lost == self.majority:
            return Outcome("evil", now.quest)
        if won == self.majority:
            if self.rules.assassinate:
                return (now._replace(stage="name", succeeded=won),)
            return Outcome("good", now.quest)
        leaders, attempt = self.players, 1 if over else now.attempt + 1
        if self.rules.leader == "seat":
            leaders = (self.players[now.leader % len(self.players)],)
        return tuple(
            now._replace(stage="party", leader=leader, attempt=attempt, failed=lost, succeeded=won)
            for leader in leaders
        )

    def rewards(self, end: Ended) -> dict[int, int]:
        """Return 1 for each player of the side that has won, and -1 for the others."""
        return {i: 1 if (i in end.evil) == (end.outcome.winner == "evil") else -1 for i in self.players}
