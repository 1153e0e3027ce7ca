"""The setup of a game: its settings, checked, and its phases.

Inside the engine players are indices from 0 in seat order; names appear in events and messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from itertools import chain, count, groupby, takewhile
from typing import Any, Literal, TypeAlias, get_args
from unicodedata import category, normalize
from unicodedata import name as unicode_name

from kripke_werewolf.base.display import JOINERS
from kripke_werewolf.base.errors import GameError, check_known, counted_roughly
from kripke_werewolf.base.settings import Natural, as_data, check_possible, fits, from_data, types_of
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.games.werewolf.draws import Draw, drawn_outcome
from kripke_werewolf.games.werewolf.roles import ROLES, Action, Deck, PhaseKind, Role, exact_role
from kripke_werewolf.games.werewolf.rules import PRESETS, Rules, preset

LIMIT = 5_000_000
"""The default limit on the worlds of a game's Kripke model."""

Targets: TypeAlias = Literal["secret", "public"]
Deal: TypeAlias = Literal["quantum", "classical"]


@dataclass(frozen=True, slots=True)
class Setup:
    """The settings of a game: common knowledge except `roles` and possibly `numbers`."""

    players: tuple[str, ...]
    """The names, in seat order."""
    deck: Deck
    rules: Rules
    targets: Targets = "secret"
    """Whether the others see whom a player looks at and attacks."""
    deal: Deal = "quantum"
    """Whether nobody has a role (`quantum`), or everybody was dealt one (`classical`)."""
    numbers: tuple[int, ...] = ()
    """The number of each player, by seat: the rows of an anonymous table."""
    strict: bool = False
    """Whether a phase may only end when every compulsory action was taken."""
    roles: tuple[str, ...] | None = None
    """The actual roles by seat, of a classical deal."""
    sample: tuple[int, int] | None = None
    """The greatest number of worlds and the seed, if the game runs on a random sample of the worlds."""

    def __hash__(self) -> int:
        return hash((self.players, self.deck, self.targets, self.deal, self.numbers, self.roles))

    @property
    def sampled(self) -> str:
        """Return the caveat for numbers of a game played on a sample of the worlds; or ""."""
        if self.sample is None:
            return ""
        return Sentence("sample", most=self.sample[0], worlds=counted_roughly(self.deck.worlds))

    @property
    def worlds(self) -> int:
        """The number of worlds before anybody has seen a card."""
        return self.deck.worlds if self.sample is None else self.sample[0]

    @property
    def numbers_hidden(self) -> bool:
        """Whether players are told only their own number."""
        return self.rules.table == "anonymous"

    @property
    def rows(self) -> tuple[str, ...]:
        """The labels of the rows of the public table: the numbers if they are hidden, otherwise the names."""
        numbers = range(1, len(self.players) + 1)
        return tuple(map(str, numbers)) if self.numbers_hidden else self.players

    @property
    def public(self) -> Setup:
        """The settings that everybody knows: without cards, and without hidden numbers."""
        return replace(self, roles=None, numbers=() if self.numbers_hidden else self.numbers)

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-able values; unknown values are omitted."""
        others = self.deck.others
        deck = {"wolves": self.deck.wolves, "seers": self.deck.seers}
        own = [as_data(role) for role, _ in others if ROLES.get(role.name) != role]
        more = {"cards": {role.name: number for role, number in others}, "declared": own}
        how = {"targets": self.targets, "deal": self.deal, "strict": self.strict}
        known = {"numbers": self.numbers or None, "roles": self.roles, "sample": self.sample}
        return {
            "players": list(self.players),
            **deck,
            **{name: value for name, value in more.items() if value},
            **how,
            "rules": _written_rules(self.rules),
            **{name: list(value) for name, value in known.items() if value is not None},
        }

    def seat(self, player: str | int) -> int:
        """Return the index of a player given by name, or by number as an integer.

        Raises UnknownNameError with similar names.
        """
        if isinstance(player, int) and player in self.numbers:
            return self.numbers.index(player)
        if player in self.players:
            return self.players.index(str(player))
        return self.players.index(str(check_known(player, self.players, kind="player")))

    def by_seat(self, atom: str) -> str:
        """Return an atom about a player by seat: `wolf_0` for `wolf_Ann`."""
        fact, _, name = atom.partition("_")
        return f"{fact}_{self.seat(name)}"

    def name_of(self, player: str | int) -> str:
        """Return the name of a player given by name, or by number as an integer."""
        return self.players[self.seat(player)]

    def phase_at(self, position: int) -> PhaseKind:
        """Return the kind of the phase at this position of the game."""
        opening, cycle = self.phases
        if position < len(opening):
            return opening[position]
        return cycle[(position - len(opening)) % len(cycle)]

    @property
    def phases(self) -> tuple[tuple[PhaseKind, ...], tuple[PhaseKind, ...]]:
        """The phases before the first vote, and those that are repeated from then on."""
        rules = self.rules
        return self._around(rules.opening, first=True), self._around(rules.cycle, first=False)

    def _around(self, phases: Sequence[PhaseKind], *, first: bool) -> tuple[PhaseKind, ...]:
        """Return phases with an evening before each night, and a dawn after it, if somebody acts there."""
        added = {when for _, when, opening in self.deck.timed if first or not opening}
        found: list[PhaseKind] = []
        for night, some in groupby(phases, key=lambda kind: kind != "vote"):
            around = night and (not first or self.rules.first_attack or "evening" in added)
            if around and "evening" in added:
                found.append("evening")
            found += some
            if around and "dawn" in added:
                found.append("dawn")
        return tuple(found)

    def phase_after(self, phase: Phase | None) -> Phase:
        """Return the phase that follows; after None, the first one."""
        if phase is None:
            return Phase(self.phase_at(0), self.rules.first_number, 0)
        kind = self.phase_at(phase.position + 1)
        rises = phase.kind == "vote" != kind
        if self.rules.number_rises_at == "vote":
            rises = kind == "vote"
        return Phase(kind, phase.number + rises, phase.position + 1)

    def actions(self, phase: Phase) -> tuple[Action, ...]:
        """Return the actions of a phase, in the order of a turn."""
        first = phase.position < len(self.phases[0])
        kinds = {"night": ("visions", "attacks")}.get(phase.kind, (phase.kind,))
        without_attack = first and not self.rules.first_attack
        return tuple(
            action
            for action, when, opening in self.deck.timed
            if when in kinds and (first or not opening) and not (action == "attack" and without_attack)
        )

    def next_with(self, action: Action, phase: Phase) -> Phase | None:
        """Return the next phase with an action, if there is one."""
        for _ in chain(*self.phases):
            phase = self.phase_after(phase)
            if action in self.actions(phase):
                return phase
        return None

    def at_night(self, phase: Phase) -> bool:
        """Whether a phase is of a night that ends with a dawn, when the dead are found."""
        kinds = (self.phase_at(phase.position + step) for step in count(1))
        return phase.kind != "vote" and "dawn" in takewhile(lambda kind: kind != "vote", kinds)


def _written_rules(rules: Rules) -> dict[str, Any]:
    """Return the fields of rules; those that released logs lack only if they differ from their defaults."""
    found = {name: as_data(value) for name, value in asdict(rules).items()}
    later = {f.name: f.default for f in fields(rules) if f.name in ("vision_drawn", "nobody_left")}
    return {name: value for name, value in found.items() if name not in later or later[name] != value}


def more_settings(setup: Setup) -> dict[str, Any]:
    """Return the public settings that `describe_setup` does not give exactly, by name, as JSON-able values.

    >>> from kripke_werewolf import QuantumWerewolf, preset
    >>> rules = preset("cisra", vote_eliminates=False)
    >>> more_settings(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=rules).setup)
    {'vote_eliminates': False}
    """
    rules, data, seats = setup.rules, setup.to_dict(), tuple(range(1, len(setup.players) + 1))
    base = PRESETS.get(rules.name, Rules(name=rules.name))
    changed = (name for name in types_of(Rules) if getattr(rules, name) != getattr(base, name))
    found = {name: as_data(getattr(rules, name)) for name in changed}
    wanted = {
        "declared": True,
        "sample": True,
        "numbers": setup.numbers not in ((), seats),
        "strict": setup.strict,
        "players": any("," in name for name in setup.players),
    }
    return found | {name: data[name] for name, given in wanted.items() if given and name in data}


_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff]"
)
"""The characters that Unicode calls default ignorable: a display leaves them out."""
_REFUSED = {
    "Cc": "has a line break or another control character; leave it out",
    "Cf": "has the invisible character {}; leave it out",
    "Cs": "could not be read in the encoding of this system; set its locale to UTF-8, such as LC_ALL=C.UTF-8",
    "Zl": "has a line break; leave it out",
    "Zp": "has a line break; leave it out",
}
"""Why a name is refused that has a character of a category."""


def check_names(players: object) -> tuple[str, ...]:
    """Return the names as a tuple; raise GameError if they cannot be the players of a game.

    Rejected are: no names, anything but strings, empty names, surrounding spaces, control characters (line
    breaks, tabs), surrogates, invisible characters (without width, or changing the direction of writing),
    duplicates, and different names that look the same. Quotes, emoji and markup are allowed.

    >>> check_names(["Zo\u00eb", "Zoe\u0308"])
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.GameError: the names 'Zo\\xeb' and 'Zoe\\u0308' look alike: ...
    """
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise GameError(f"players={players!r} is not a list of names")
    players = tuple(players)
    for name in players:
        if not isinstance(name, str) or not name.strip():
            raise GameError(f"{name!r} is not a player's name; a name is a string that is not empty")
        for c in name:
            if category(c) in _REFUSED and c not in JOINERS:
                character = unicode_name(c, f"U+{ord(c):04X}")
                raise GameError(f"the name {name!a} {_REFUSED[category(c)].format(character)}")
        if name != name.strip():
            raise GameError(f"the name {name!r} has a space at an end; leave it out")
        if not _looks(name).strip():
            raise GameError(f"the name {name!a} has only invisible characters; a name needs visible ones")
    seen: dict[str, str] = {}
    for name in players:
        twin = seen.get(_looks(name))
        if twin is not None:
            raise GameError(f"the names {twin!a} and {name!a} look alike: players need different names")
        seen[_looks(name)] = name
    if not players:
        raise GameError("a game needs players; the list of names is empty")
    return players


def _looks(name: str) -> str:
    """Return the same string for names that look the same: normalised, without invisible characters."""
    return normalize("NFKC", _INVISIBLE.sub("", name))


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase of the game, such as "night 1" or "day 2"."""

    kind: PhaseKind
    number: int
    position: int
    """The number of earlier phases."""

    def __str__(self) -> str:
        return _phase(self.kind, self.number)


@lru_cache(maxsize=1024)
def _phase(kind: PhaseKind, number: int) -> Sentence:
    return Sentence("phase", kind=kind, n=str(number))


def make_setup(
    players: Sequence[str],
    *,
    wolves: int | None,
    seers: int = 1,
    cards: Mapping[str | Role, int] | None = None,
    declared: Sequence[Role] = (),
    rules: str | Rules,
    targets: Targets = "secret",
    deal: Deal = "quantum",
    roles: Sequence[str] | Mapping[str, str] | None = None,
    numbers: Sequence[int] | Literal["shuffled"] | None = None,
    strict: bool = False,
    sample: tuple[int, int] | None = None,
    draw: Draw,
) -> Setup:
    """Check all settings of a game, draw the random ones, and return them as a value.

    Raises GameError for impossible ones.
    """
    names = check_names(players)
    if isinstance(rules, str):
        rules = preset(rules)
    if not isinstance(rules, Rules):
        raise GameError(f"rules={rules!r} is neither a rule set's name nor a Rules value")
    check_possible("targets", targets, get_args(Targets))
    check_possible("deal", deal, get_args(Deal))
    dealt = _cards(cards or {}, declared)
    wolves = dealt.pop(ROLES["wolf"], wolves)
    if wolves is None:
        wolves = rules.wolves_for(len(names))
        if 2 * wolves > len(names) > 1:
            raise GameError(
                f"the rules {rules.name!r} have {wolves} wolves by default, more than all others of"
                f" {len(names)} players; say their number: wolves=1, in a command --wolves 1"
            )
    seers = dealt.pop(ROLES["seer"], seers)
    others = sorted(dealt.items(), key=lambda cards: cards[0].name)  # the order they are given in is no news
    deck = Deck(len(names), wolves, seers, rules.ranked, tuple(others))
    if seers > 1 and not rules.several_seers:
        raise GameError(f"seers={seers}: {rules.name!r} has at most one (several_seers=True allows more)")
    if deal == "quantum" and roles is not None:
        raise GameError("roles= are dealt with deal='classical' only; wolves= and cards= count quantum cards")
    if deal == "classical" and sample is not None:
        raise GameError("sample= is for deal='quantum'; a classical deal is a single world")
    if sample is not None:
        if isinstance(sample[0], bool) or not isinstance(sample[0], int) or sample[0] < 1:
            raise GameError(f"sample={sample[0]!r} is not a number of worlds; give an integer of at least 1")
        if sample[0] >= deck.worlds:  # that is all of them
            sample = None
    setup = Setup(names, deck, rules, targets, deal, _numbers(names, numbers, draw))
    if deal == "classical":
        setup = replace(setup, roles=_deal(names, deck, roles, draw))
    return replace(setup, strict=strict, sample=sample)


def _cards(cards: Mapping[str | Role, int], declared: Sequence[Role]) -> dict[Role, int]:
    """Return the numbers of cards by role; raise GameError for unknown roles and impossible numbers."""
    if not isinstance(cards, Mapping):
        raise GameError(f"cards={cards!r} is not a mapping of roles to their numbers of cards")
    known = {**ROLES, **{role.name: role for role in declared}}
    found: dict[Role, int] = {}
    for name, number in cards.items():
        role = name if isinstance(name, Role) else known[check_known(name, known, kind="role")]
        if not fits(number, Natural):
            raise GameError(f"{number!r} is not a number of cards; give an integer of at least 0")
        if number or role.name in ("wolf", "seer"):
            found[role] = number
    return found


_KEPT = frozenset({"players", "wolves", "seers", "targets", "deal", "numbers", "strict", "rules"})
"""The settings that are always kept in the log of a game."""
_LEAST = frozenset({"players", "wolves", "rules"})
"""The settings that are always required."""
_MORE = frozenset({"sample", "cards", "declared"})
"""The settings that may be in a log."""


def read_setup(data: Mapping[str, Any]) -> Setup:
    """Return all settings written by `Setup.to_dict`; raise GameError for impossible ones."""
    if not isinstance(data.get("rules", {}), Mapping):
        raise GameError(f"the rules {data['rules']!r} are not an object with a name and fields")
    return make_setup(**_settings(data, _KEPT, _KEPT | _MORE | {"roles"}), draw=_no_draw)


def public_setup(data: Mapping[str, Any]) -> Setup:
    """Return the public settings written by `Setup.to_dict`; raise GameError for impossible ones.

    Numbers are needed only if they are public and differ from the seat order. Rules may be given by the name
    of a rule set.
    """
    settings = _settings(data, _LEAST, _KEPT | _MORE)
    deal = settings.get("deal", "quantum")
    check_possible("deal", deal, get_args(Deal))
    # the cards of a classical deal are not public
    return replace(make_setup(**{**settings, "deal": "quantum"}, draw=_no_draw), deal=deal).public


def _settings(data: Mapping[str, Any], needed: frozenset[str], known: frozenset[str]) -> dict[str, Any]:
    """Return the arguments of `make_setup` in data; raise GameError for missing, unknown and invalid ones."""
    if missing := sorted(needed - data.keys()):
        raise GameError(f"the settings lack {', '.join(missing)}")
    for name in data:
        check_known(name, sorted(known), kind="field", place="the settings")
    rules, sample, strict = data["rules"], data.get("sample"), data.get("strict", False)
    if not isinstance(strict, bool):
        raise GameError(f"strict is true or false, not {strict!r}")
    if sample is not None:
        if not (isinstance(sample, list) and len(sample) == 2 and all(fits(n, Natural) for n in sample)):
            raise GameError(f"sample is a list of a number of worlds and a seed, not {sample!r}")
        sample = tuple(sample)
    if isinstance(rules, Mapping):
        rules = from_data(Rules, rules, called="a rule set")
    found = {**data, "rules": rules, "sample": sample}
    if "declared" in data:
        found["declared"] = [from_data(Role, role) for role in data["declared"]]
    return found


def _no_draw(kind: str, player: str | None, weights: Mapping[str, int]) -> str:
    raise GameError(f"the settings do not say the {kind} of {player!r}")


def _numbers(
    names: tuple[str, ...], numbers: Sequence[int] | Literal["shuffled"] | None, draw: Draw
) -> tuple[int, ...]:
    seats = tuple(range(1, len(names) + 1))
    if numbers is None:
        return seats
    if numbers == "shuffled":
        return tuple(map(int, _drawn(draw, "number", names, dict.fromkeys(map(str, seats), 1))))
    given = tuple(numbers) if isinstance(numbers, Iterable) else ()
    if len(given) != len(seats) or any(seat not in given for seat in seats):
        raise GameError(f"numbers={numbers!r} are not the numbers 1 to {len(names)}: give all, or 'shuffled'")
    return tuple(map(int, given))


def _deal(
    names: tuple[str, ...], deck: Deck, roles: Sequence[str] | Mapping[str, str] | None, draw: Draw
) -> tuple[str, ...]:
    """Return the actual roles by seat: those given, checked against the deck, or drawn card by card."""
    if roles is None:
        return _drawn(draw, "deal", names, {role: deck.cards(role) for role in deck.roles})
    if isinstance(roles, Mapping):
        if set(roles) != set(names):
            raise GameError(f"roles are given for {', '.join(roles)}, but the players are {', '.join(names)}")
        roles = [roles[name] for name in names]
    if not isinstance(roles, Iterable):
        raise GameError(f"roles={roles!r} is not a list of roles, or of players with their roles")
    found = tuple(exact_role(role, deck) for role in roles)
    deck.check_dealt(found)
    return found


def _drawn(draw: Draw, kind: str, names: tuple[str, ...], cards: dict[str, int]) -> tuple[str, ...]:
    """Return a card for each player, drawn one after the other without putting them back."""
    found = []
    for name in names:
        found.append(drawn_outcome(draw, kind, name, cards))
        cards[found[-1]] -= 1
    return tuple(found)
