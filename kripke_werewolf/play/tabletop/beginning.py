"""The settings of a game that begins, as they are typed and kept in files, and the games that they make.

Settings are named values: `rule_set`, `options` (fields of the rules, each NAME=VALUE), `burnings`, `cards`,
`roles`, `middle`, `seed`, and the parameters of `QuantumWerewolf`. What is left out is as usual.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.reports.documents import Document
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.base.settings import read_value, types_of
from kripke_werewolf.base.wording import Sentence, word
from kripke_werewolf.games.one_night import OneNight
from kripke_werewolf.games.werewolf import PRESETS, QuantumWerewolf, Role, Rules, preset
from kripke_werewolf.games.werewolf.decks import suggested_cards
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.roles import USUAL_CARDS, read_roles
from kripke_werewolf.games.werewolf.rulesheet import night_sheet, rule_sheet
from kripke_werewolf.games.werewolf.setup import make_setup
from kripke_werewolf.play.console.commands import check_people
from kripke_werewolf.play.tabletop.night import NightSitting

ONE_NIGHT_RULES = "one-night"
"""The name of One Night among the rule sets."""
RuleSet = Annotated[
    str, f"--rules: The rule set: {', '.join((*PRESETS, ONE_NIGHT_RULES))}; by default straat."
]
"""The name of a rule set."""
OF_THE_GAME = ("wolves", "seers", "targets", "deal", "sample", "engine")
"""The settings that are parameters of `QuantumWerewolf`."""
OF_A_NIGHT = ("rule_set", "players", "cards", "roles", "middle", "engine", "seed")
"""The settings of a game of One Night."""
_MOST_PLAYED = 10**12
"""The largest number of histories in a night that is played: nobody lists them."""

Settings: TypeAlias = Mapping[str, Any]


def rules_of(
    rule_set: RuleSet = "straat", options: tuple[str, ...] = (), burnings: int | None = None, **others: Any
) -> Rules:
    """Return the rules that settings name: a preset with options given as NAME=VALUE."""
    if "middle" in others:
        raise GameError(f"the option --middle is for --rules {ONE_NIGHT_RULES}")
    values: dict[str, object] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if not equals:
            raise GameError(f"the option {text!r} has no value; write NAME=VALUE, such as first_attack=true")
        field = name.strip().replace("-", "_")
        values[field] = read_value(value.strip(), types_of(Rules).get(field))
    if burnings is not None:
        values["burnings"] = burnings
    return preset(rule_set, **values)


def read_cards(
    *, cards: tuple[str, ...] = (), roles: str | None = None, players: int | None = None, **others: Any
) -> dict[str | Role, int]:
    """Return the numbers of cards of further roles, some declared in a file of the user's own, `roles`.

    `cards`: NAME=NUMBER, or the one word "suggested", for the cards suggested for this number of players.
    Other settings are ignored.
    """
    if "suggested" in cards:
        if players is None or len(cards) > 1:
            raise GameError("--cards suggested must stand alone, and needs --players NAME…")
        return suggested_cards(players)
    own = read_roles(roles) if roles is not None else {}
    found: dict[str | Role, int] = dict.fromkeys(own.values(), 1)
    for text in cards:
        name, equals, number = text.replace(":", "=").partition("=")
        if equals and not number.strip().isdecimal():
            raise GameError(f"{text!r} is not a number of cards; write NAME=NUMBER, such as hunter=1")
        found[own.get(name.strip(), name.strip())] = int(number or "1")
    return found


def night_cards(settings: Settings, players: int = 3) -> tuple[str | Role, ...]:
    """Return the cards of One Night that settings name, or the usual ones and villagers."""
    number = players + settings.get("middle", 3)
    cards = Counter(read_cards(**{**settings, "players": None})).elements()
    return tuple(cards) or (*USUAL_CARDS, *["villager"] * number)[:number]


def new_seed(seed: int | None = None) -> int:
    """Return the seed that was given, or a fresh one."""
    if seed is None:
        return secrets.randbits(62)
    if seed < 0:
        raise GameError(f"seed={seed} is not possible; give an integer of at least 0")
    return seed


def new_game(players: Sequence[str], settings: Settings, language: str) -> QuantumWerewolf:
    """Return a new game of these players."""
    chosen = {n: settings[n] for n in OF_THE_GAME if n in settings}
    chosen |= {"rules": rules_of(**settings), "cards": read_cards(**{**settings, "players": len(players)})}
    if chosen["rules"].table == "anonymous":
        chosen["numbers"] = "shuffled"
    return QuantumWerewolf(check_people(players, language), rng=settings["seed"], **chosen)


def dealt_cards(settings: Settings, players: int) -> Grid:
    """Return the cards of the game to begin with this number of players, each with the chance to be dealt it.

    >>> print(dealt_cards({"rule_set": "one-night"}, 3).to_text().split("\\n")[1])
    robber        1   16.7%
    """
    if settings.get("rule_set") == ONE_NIGHT_RULES:
        numbers = Counter(str(getattr(card, "name", card)) for card in night_cards(settings, players))
    else:
        names = [f"player {place}" for place in range(players)]
        how: dict[str, Any] = {"wolves": settings.get("wolves"), "seers": settings.get("seers", 1)}
        how["cards"] = read_cards(**{**settings, "players": players})
        deck = make_setup(names, rules=rules_of(**settings), draw=Chance(0), **how).deck
        numbers = Counter({role: deck.cards(role) for role in deck.roles})
    shares = {role: Fraction(number, numbers.total()) for role, number in sorted(numbers.items()) if number}
    rows = ((word(role), str(numbers[role]), shown(share, "percent")) for role, share in shares.items())
    return Grid((word("card"), "", word("chance")), tuple(rows))


def _check_night(settings: Settings) -> None:
    """Raise GameError for settings of the long game."""
    for name in settings.keys() - {*OF_A_NIGHT}:
        raise GameError(f"the option --{name.replace('_', '-')} is not for One Night")


def new_night(players: Sequence[str], settings: Settings, language: str) -> NightSitting:
    """Return a new evening of One Night; raise GameError for settings of the long game."""
    _check_night(settings)
    if len(players) < 2:
        raise GameError("One Night needs at least two players: people look at each other's cards")
    middle, cards = settings.get("middle", 3), night_cards(settings, len(players))
    game = OneNight(check_people(players, language), cards, middle, limit=_MOST_PLAYED)
    return NightSitting(game=game, dealt=game.drawn(settings["seed"]).dealt, seed=settings["seed"])


def sheet_of(settings: Settings, players: int) -> Document:
    """Return the rules of the game to begin with this number of players on one page.

    Impossible settings are refused. "suggested" cards are not on it while there are too few players for them.
    """
    if settings.get("rule_set") == ONE_NIGHT_RULES:
        _check_night(settings)
        return night_sheet(night_cards(settings, max(players, 3)), settings.get("middle", 3))
    chosen = {name: settings[name] for name in ("deal", "targets") if name in settings}
    suggested = "suggested" in settings.get("cards", ())
    named = {**settings, "players": players}
    cards = {} if suggested and not 5 <= players <= 20 else read_cards(**named)
    return rule_sheet(rules_of(**settings), cards=cards, **chosen)


def settings_in_words(settings: Settings) -> str:
    """Return the settings in one line."""
    named = [n for n in ("wolves", "seers", "targets", "deal", "ballot") if n in settings]
    given = [str(text).partition("=")[::2] for key in ("cards", "options") for text in settings.get(key, ())]
    pairs = [*((name, settings[name]) for name in named), *given]
    parts = [Sentence("setting", name=name, value=value) if value else name for name, value in pairs]
    return Sentence("about", rules=settings.get("rule_set", "straat"), any=bool(parts), settings=parts)
