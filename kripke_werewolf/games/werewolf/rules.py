"""Rule sets as values: `Rules` and the presets `cisra`, `gekka` and `straat`.

The engine reads only the fields of a `Rules` value, so a variant is a preset with some fields changed:

>>> from dataclasses import replace
>>> exact = replace(preset("cisra"), name="exact seer", vision_shows="role")
>>> exact.ranked, exact.vision_shows
(True, 'role')

Sources: `cisra`, the rules of Quantum Werewolf of the CISRA Puzzle Competition 2008; `gekka`, the article on
Quantum Werewolf of the game Gekka Jinrou; `straat`, the README of JesseStraat's script.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from kripke_werewolf.base.display import Catalogue, Displayed
from kripke_werewolf.base.errors import FormatError, GameError, KripkeError, UnknownNameError, check_known
from kripke_werewolf.base.files import read_text
from kripke_werewolf.base.settings import Natural, Positive, changes, check_fields, check_possible, types_of
from kripke_werewolf.games.werewolf.roles import TAKE, Action, PhaseKind

if TYPE_CHECKING:
    from kripke_werewolf.base.reports.documents import Block

Shown: TypeAlias = Literal["death", "side", "kind", "role"]


@dataclass(frozen=True, slots=True)
class _ActionWords:
    """The words for an action."""

    one: str
    """A single one: "a vision"."""
    do: str
    """What you do to a player: "look at"."""
    does: str
    """What another player does: "looks at"."""
    did: str
    """What a player did: "looked at"; its first word is the verb of the atoms for it."""


def words_for(action: Action) -> _ActionWords:
    """Return the words for an action; the name of any but a vision is the verb.

    >>> words_for("attack").one, words_for("watch").does, words_for("spy").did
    ('an attack', 'watches', 'spied')
    """
    does = f"{action}es" if action.endswith(("s", "x", "ch", "sh", "o")) else f"{action}s"
    stem = re.sub("(?<=[^aeiou])y$", "i", action).removesuffix("e")
    return _WORDS.get(action) or _ActionWords(f"a turn to {action}", action, does, f"{stem}ed")


_WORDS: Mapping[Action, _ActionWords] = {
    "vision": _ActionWords("a vision", "look at", "looks at", "looked at"),
    "attack": _ActionWords("an attack", "attack", "attacks", "attacked"),
    TAKE: _ActionWords("a turn to take somebody along", "take along", "takes along", "took along"),
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Rules(Displayed):
    """The options of a rule set of Quantum Werewolf.

    Raises GameError for an invalid value of a field, or if two fields contradict each other.
    """

    name: str
    """The name of the rule set."""

    ranked: bool = True
    """Whether wolves have ranks (alpha, beta, …), which make worlds different."""
    default_wolves: Positive | None = None
    """The default number of wolves; None: 1 below 8 players, 2 to 12, 3 to 19, one more per 7."""
    several_seers: bool = False
    """Whether a game may have more than one seer."""

    vision_shows: Literal["side", "kind", "role"] = "side"
    """A vision shows the side, villager/seer/wolf, or the exact role with its rank."""
    sides: tuple[str, str] = ("good", "evil")
    """The names of the two sides in visions and announcements."""
    vision_worlds: Literal["all", "alive"] = "all"
    """A result is drawn from all worlds where the player is the seer, or only where they live as well."""
    vision_drawn: Literal["in turn", "nightfall"] = "in turn"
    """Whether a result is drawn from the worlds that earlier actions left, or from those of nightfall."""
    vision_compulsory: bool = False
    """Whether a due vision must be taken; otherwise it may be declined."""
    vision_self: bool = False
    """Whether players may look at themselves."""

    attack: Literal["dominant", "fractional"] = "dominant"
    """An attack kills if the attacker is the highest-ranked living wolf, or bites a fraction of a life."""
    bites: Literal["intended", "script"] = "intended"
    """Fractional attacks: dead wolves' bites vanish and the number of wolves drops, or neither."""
    attackers: Literal["dominant", "wolf"] = "dominant"
    """Attackers are all possible dominant wolves, or all possible wolves."""
    attack_self: bool = False
    """Whether players may attack themselves."""
    attack_must_be_possible: bool = False
    """Whether an attack is refused if it leaves no world in which the attacker is dominant."""
    first_attack: bool = True
    """Whether the opening night has attacks."""

    opening: tuple[PhaseKind, ...] = ("night",)
    """The phases before the first vote; a `night` has visions and attacks, player by player."""
    cycle: tuple[PhaseKind, ...] = ("vote", "night")
    """The phases that follow, repeatedly."""
    first_number: Natural = 1
    """The number of the opening night; 1 in all published rules here, 0 in older files."""
    number_rises_at: Literal["vote", "night"] = "night"
    """Whether night 1 is followed by day 1 and night 2, or by day 2 and night 2, as in older files."""
    acting_order: Literal["number", "random"] = "number"
    """The order in which the actions of a whole phase are resolved."""
    burnings: Positive = 1
    """The greatest number of players voted off in one day."""

    vote_eliminates: bool = True
    """Whether a vote removes the worlds in which the player had died before."""
    cascade: Literal["lowest", "rounds", "together"] = "lowest"
    """Which of several certainly dead is found first: always the lowest number, or in rounds by seat.

    `together`: all who are certainly dead at once, even if one of these deaths would have saved another.
    """
    announce_vote: Shown = "death"
    """The announcement about a player voted off."""
    announce_found: Shown = "death"
    """The announcement about a player found dead."""
    told: Literal["role", "kind", "probabilities", "nothing"] = "nothing"
    """Private notices to players: their only role left (with or without rank) or their probabilities."""

    good_wins: Literal["all dead", "known dead", "none living"] = "all dead"
    """Every wolf dead in every world; every wolf certain and dead; no living player a wolf in any world."""
    evil_wins: Literal["parity", "known half", "all wolves"] = "parity"
    """Certain wolves with parity in every world; half of the living certain wolves; only wolves live."""
    forced_collapse: Literal["annihilation", "parity", "none"] = "none"
    """Whether an undetermined game ends by drawing a world: one side extinct, or wolves with parity."""
    verdict_after: Literal["phase", "lynching"] = "phase"
    """Whether the end is tested after every phase, or only after a vote."""
    verdict_at_vote: Literal["after deaths", "before deaths"] = "after deaths"
    """Whether after a vote the certainly dead are found before the end is tested, or at nightfall."""

    nobody_left: Literal["judged", "draw"] = "judged"
    """Whether the end is judged as usual if everybody is dead, or is a draw."""

    columns: tuple[str, ...] = ("good", "evil", "dead")
    """The columns of the probability table."""
    split_seer: bool = False
    """Whether the table shows villager and seer instead of the column of their side."""
    table: Literal["open", "anonymous"] = "open"
    """Whether the public table has names, or numbers, of which players know only their own."""
    show_dead: bool = True
    """Whether the public table shows all probabilities of being dead, or only those of exactly 1."""
    show_worlds: bool = False
    """Whether the number of remaining worlds is announced with the public table."""
    table_at: tuple[Literal["morning", "nightfall"], ...] = ("morning",)
    """When the public table is announced."""

    def __post_init__(self) -> None:
        check_fields(self)
        for name in ("attack", "attackers"):
            if getattr(self, name) == "dominant" and not self.ranked:
                raise GameError(f"{name}='dominant' needs ranked=True: equal wolves have no highest rank")
        if self.attack == "fractional" and self.attack_must_be_possible:
            raise GameError("attack_must_be_possible is about attack='dominant': a bite removes no world")
        if "vote" not in self.cycle:
            raise GameError(f"cycle={self.cycle!r} has no 'vote', so the game would never end")
        if len(self.sides) != 2 or self.sides[0] == self.sides[1]:
            raise GameError(f"sides={self.sides!r} must name two different sides, good first")
        for heading in self.columns:
            check_possible("columns", heading, FACTS)

    @property
    def headings(self) -> tuple[str, ...]:
        """The columns of the table, with `split_seer` applied."""
        split = ("villager", "seer")
        return tuple(
            part for h in self.columns for part in (split if self.split_seer and FACTS[h] == "good" else (h,))
        )

    def changes(self) -> list[str]:
        """Return the fields that differ from the published rules of this name, or from their defaults.

        Days that are counted as in older files make no difference.
        """
        base = PRESETS.get(self.name, Rules(name=self.name))
        return min(changes(self, base), changes(self, OLDER.get(self.name, base)), key=len)

    def headline(self) -> str:
        """Return the name and the changes."""
        return "; ".join([self.name, *self.changes()])

    def display(self) -> Iterator[Block]:
        """Yield the rules as a page for players."""
        from kripke_werewolf.games.werewolf.rulesheet import rule_sheet

        yield from rule_sheet(self).blocks

    def wolves_for(self, players: int) -> int:
        """Return the default number of wolves for this number of players."""
        if self.default_wolves is not None:
            return self.default_wolves
        return sum(players >= size for size in (0, 8, 13, *range(20, players + 1, 7)))


FACTS: Mapping[str, str] = {
    "villager": "villager",
    "seer": "seer",
    "good": "good",
    "human": "good",
    "evil": "wolf",
    "wolf": "wolf",
    "werewolf": "wolf",
    "dead": "dead",
}
"""The possible columns of a table, with their facts."""


def column_fact(heading: str) -> str:
    """Return the fact in a column of a table; a role that is not one of the rules is its own.

    >>> column_fact("human"), column_fact("hunter")
    ('good', 'hunter')
    """
    return FACTS.get(heading, heading)


CISRA = Rules(
    name="cisra",
    attack_must_be_possible=True,
    opening=("visions",),
    cycle=("vote", "attacks", "visions"),
    announce_vote="side",
    told="role",
    forced_collapse="annihilation",
    table="anonymous",
)
GEKKA = Rules(
    name="gekka",
    sides=("human", "wolf"),
    vision_worlds="alive",
    vision_compulsory=True,
    vision_self=True,
    attackers="wolf",
    first_attack=False,
    acting_order="random",
    cascade="rounds",
    told="kind",
    good_wins="known dead",
    evil_wins="known half",
    verdict_at_vote="before deaths",
    columns=("human", "wolf", "dead"),
    table_at=("nightfall", "morning"),
)
STRAAT = Rules(
    name="straat",
    ranked=False,
    default_wolves=2,
    several_seers=True,
    vision_shows="role",
    sides=("village", "wolf"),
    vision_compulsory=True,
    vision_self=True,
    attack="fractional",
    attackers="wolf",
    attack_self=True,
    vote_eliminates=False,
    announce_vote="role",
    announce_found="role",
    told="probabilities",
    good_wins="none living",
    evil_wins="all wolves",
    columns=("villager", "seer", "werewolf", "dead"),
    table="anonymous",
    show_worlds=True,
)
OLDER: Mapping[str, Rules] = {
    "cisra": replace(CISRA, first_number=0, number_rises_at="vote"),
    "gekka": replace(GEKKA, number_rises_at="vote"),
}
"""Published rules as in older files: days were counted as in the source of each."""
_SOURCES = {CISRA: "the CISRA Puzzle Competition", GEKKA: "Gekka Jinrou", STRAAT: "JesseStraat's script"}
PRESETS = Catalogue.of({one.name: one for one in _SOURCES}, lambda one: f"the rules of {_SOURCES[one]}")
"""The published rule sets by name."""


def preset(name: str, /, **options: object) -> Rules:
    """Return a published rule set, with some fields changed.

    The options of the published games are fields of `Rules`: `vision_worlds` and `forced_collapse` of
    `cisra`; `table`, `show_dead`, `split_seer` and `first_attack` of `gekka`; `bites` and `verdict_after` of
    `straat`. Any other field may be changed as well. Raises UnknownNameError for an unknown rule set or
    option, naming similar ones, and GameError for an impossible value.

    >>> preset("gekka", first_attack=True, split_seer=True).headings
    ('villager', 'seer', 'wolf', 'dead')
    """
    check_known(name, PRESETS, kind="rule set")
    for option in options:
        check_known(option, types_of(Rules), kind="option")
    return replace(PRESETS[name], **options)  # type: ignore[arg-type]


def read_rules(source: str) -> Rules:
    """Return a rule set by its name, or from a TOML file.

    A file gives fields of `Rules`, and with `preset = "gekka"` the rule set whose fields it changes. Raises
    `FormatError` for anything else, and `GameError` for impossible values.
    """
    import tomllib

    if source in PRESETS:
        return PRESETS[source]
    if not Path(source).suffix and not Path(source).exists():
        raise UnknownNameError(source, PRESETS, kind="rule set or file of rules")
    try:
        given = tomllib.loads(read_text(source))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{source} is not a TOML file of rules: {error}") from None
    name = str(given.get("name", Path(source).stem))
    base = given.pop("preset", None)
    for key in given:
        check_known(key, types_of(Rules), kind="field", place=f"the rules in {source}")
    try:
        return preset(str(base), **given | {"name": name}) if base else Rules(**given | {"name": name})
    except KripkeError as error:
        raise FormatError(f"{source}: {error}") from None
