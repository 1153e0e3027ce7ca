"""What the actions, deaths, verdicts, notices and columns of a game mean, in the words of the logic.

A *schema* is the text of a formula with places: `{i}` for the actor, or the player whom it is about, and
`{t}` for the target. `[all j: …]` and `[any j: …]` range over all players, and `[each j: …]` lists them, as
in `count([each j: wolf_{j}]) >= 2`. Its atoms are those of a game, and `out_{j}`: player j is officially
dead.

`declared` makes the declarations of a game from its settings, and is the only reader of the fields of `Rules`
that say what something means. The functions at the end are properties of declarations, checked on them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, product

from kripke_werewolf.base.errors import FormulaSyntaxError, GameError, UnknownNameError, check_known
from kripke_werewolf.games.werewolf.roles import (
    VILLAGER,
    WOLF,
    Action,
    Change,
    Consequence,
    Deck,
    Ending,
    Moment,
    Role,
    RoleNews,
    Schema,
    SecretAct,
    Words,
    Wound,
    parse_roles,
    roles_of,
)
from kripke_werewolf.games.werewolf.rules import FACTS, Rules, column_fact
from kripke_werewolf.games.werewolf.setup import Deal, Setup
from kripke_werewolf.logic.formulas import Atom, Formula, atmost, conjunction, exactly, parse, simplify
from kripke_werewolf.logic.formulas import operators as s

_DIES: Change = (("dead_{i}", "true"),)


@dataclass(frozen=True, slots=True)
class Death:
    """A public death of `{i}`, with the words about their card; none: only the death is announced."""

    needs: Schema
    """Where it is possible: other worlds are removed."""
    says: Words
    change: Change = _DIES

    def said(self, word: str | None) -> Schema:
        """Return where a word about the card may have been said; None: nothing was."""
        return dict(self.says).get(word or "", "true")


@dataclass(frozen=True, eq=False)
class Declared:
    """Everything that happens in a game and what is told about it, for these players and cards."""

    players: tuple[str, ...]
    deck: Deck
    acts: Mapping[Action, SecretAct]
    vote: Death
    found: Death
    named: Death
    """The death of a player whom `{t}`, who is dead, takes along."""
    spared: Death
    """A vote that does not kill."""
    endings: tuple[Ending, ...]
    """The verdicts, in the order in which they are tested."""
    collapse: Schema
    """When an undetermined game ends by drawing a world."""
    notices: Words
    """The words for each player, told once, when they are true everywhere."""
    columns: Mapping[str, Schema]
    """The possible columns of a table."""
    sides: tuple[str, str]
    """The words for the two sides, good first."""
    headings: tuple[str, ...]
    """The columns that the table has: those of the rules, and the roles that none of these shows."""
    defined: Mapping[str, Schema]
    """The facts about a player that others define: `wolf`, `good`, `villager`, `dominant`."""
    follows: tuple[Consequence, ...] = ()
    """What follows by itself; at a moment, in this order."""
    news: tuple[RoleNews, ...] = ()
    """What players are told when a phase begins."""

    def at(
        self, schema: Schema, i: str = "", t: str = "", u: str = "", *, dead: Collection[str] | None = None
    ) -> Formula:
        """Return the formula about an actor and targets; with `dead`, after these official deaths.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = declared(QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka").setup)
        >>> print(game.at(game.acts["vision"].pool, "Ann"))
        ~dead_Ann
        >>> print(game.at("[any j: wolf_{j} & ~out_{j}]", dead=["Bo"]))
        wolf_Ann | wolf_Cy
        """
        found = placed(schema, self.players, i, t, u)
        if dead is None:
            return found
        known = {f"out_{name}": s.Constant(name in dead) for name in self.players}
        known |= {f"dead_{p}": s.Constant(p in dead) for p in self.players if p in dead or not self.mortal}
        return simplify(found.substitute(known))

    def roles(self, schema: Schema) -> frozenset[str]:
        """Return the roles for which a schema about one player's card is true."""
        return roles_of(seated(self, schema, 0, 0), self.deck)

    def fact(self, word: str) -> str:
        """Return the fact that the heading of a column, or a word for a card or a side, stands for."""
        return self.columns.get(word, word).removesuffix("_{i}")

    def shown(self, card: str, other: str) -> str:
        """Return the words to the holder of a card about another player's when the cards are dealt, or "".

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = declared(QuantumWerewolf(list("abcde"), wolves=2, rules="cisra").setup)
        >>> game.shown("alpha", "beta"), game.shown("alpha", "seer"), game.shown("seer", "beta")
        ('beta', '', '')
        """
        meant = frozenset().union(*(parse_roles(word, self.deck) for word in other.split(" or ")))
        told = [schema for schema in self.deck.role(card).knows if meant <= self.roles(schema)]
        return told[-1].replace("_{t}", "").replace(" | ", " or ") if told else ""

    def following(self, moment: Moment, players: Sequence[object]) -> Iterator[dict[str, Formula]]:
        """Yield the changes that follow at a moment, one after the other: atoms about players, with values.

        >>> from kripke_werewolf import QuantumWerewolf
        >>> game = QuantumWerewolf(list("abcde"), wolves=1, cards={"cupid": 1}, rules="cisra")
        >>> for values in declared(game.setup).following("found", "ab"):
        ...     print(values["dead_a"])
        (linked_a & linked_a & dead_a | linked_a & linked_b & dead_b) | dead_a
        """
        for each in self.follows:
            if each.moment == moment and not each.names:
                change, found = tuple(_values(each)), dict[str, Formula]()
                for player in players:
                    found |= new_values(change, players, player)
                yield found

    def followed(self, changed: Mapping[str, Formula], *moments: Moment) -> dict[str, Formula]:
        """Return changes of atoms together with what follows from them at some moments."""
        found = dict(changed)
        for moment in moments:
            for values in self.following(moment, self.players):
                new = {a: v for a, v in values.items() if moment != "once" or not v.atoms.isdisjoint(found)}
                found |= {atom: value.substitute(found) for atom, value in new.items()}
        return found

    @cached_property
    def shared(self) -> Schema:
        """Where `{i}` dies of the death of `{t}`."""
        deadly = (each.where for each in self.follows if ("dead_{i}", "true") in each.change)
        return _any(where.replace("dead_{t}", "true") for where in deadly if "dead_{t}" in where)

    def told_where(self, news: RoleNews) -> Schema:
        """Return where a player `{i}` is told some news about `{t}`."""
        if news.asked:
            return f"({self.acts[news.asked].asked}) & ({news.where})"
        return news.where

    @property
    def mark(self) -> Wound | None:
        """The mark that kills players; None if players die in single worlds."""
        return next((act.mark for act in self.acts.values() if act.mark is not None), None)

    @cached_property
    def mortal(self) -> bool:
        """Whether players die in worlds; a fraction of a life is not a fact."""
        dying = ("dead_{t}" in dict(act.change) for act in self.acts.values())
        return self.mark is None or self.shared != "false" or any(dying)

    def ending(self, verdict: str) -> Ending:
        """Return the declaration of a verdict."""
        return next(ending for ending in self.endings if ending.verdict == verdict)

    @cached_property
    def law(self) -> Formula:
        """The deals of the cards, by seat."""
        seats, special = range(self.deck.players), self.deck.roles[1:]
        laws = list[Formula]()
        for role in special:
            number, held = self.deck.cards(role), [Atom(f"{role}_{seat}") for seat in seats]
            if self.deck.changing:  # as many as there may become
                number += self.deck.turning * (role == self.deck.wolf_roles[-1])
                laws.append(atmost(number, *held))
            else:
                laws.append(exactly(number, *held))
        for seat, (one, other) in product(seats, combinations(sorted(special), 2)):
            laws.append(~(Atom(f"{one}_{seat}") & Atom(f"{other}_{seat}")))
        return conjunction(laws)

    @cached_property
    def meaning(self) -> Mapping[str, Formula]:
        """The atoms that others define, by seat."""
        found: dict[str, Formula] = {}
        for stem, schema in self.defined.items():
            for seat in range(self.deck.players):
                found[f"{stem}_{seat}"] = seated(self, schema, seat).substitute(found)
        return found


_QUANTIFIED = re.compile(r"\[(all|any|each) (\w): ([^][]*)\]")
_JOINS = {"all": " & ", "any": " | ", "each": ", "}


def seated(
    game: Setup | Declared, schema: Schema, i: int | None = None, t: int | None = None, u: int | None = None
) -> Formula:
    """Return the formula of a schema about players by seat: `wolf_0`."""
    return placed(schema, range(game.deck.players), i, t, u)


@lru_cache(maxsize=1 << 10)
def _template(schema: Schema, players: int) -> Formula:
    """Return the formula of a schema, in whose atoms the places are still i and t: `wolf_i`."""

    def listed(found: re.Match[str]) -> str:
        parts = (found[3].replace(f"{{{found[2]}}}", str(seat)) for seat in range(players))
        inside = _JOINS[found[1]].join(parts if found[1] == "each" else (f"({part})" for part in parts))
        return inside if found[1] == "each" else f"({inside})"

    found = parse(_QUANTIFIED.sub(listed, schema).replace("{i}", "i").replace("{t}", "t").replace("{u}", "u"))
    return simplify(found) if found.is_boolean and any(map(_redundant, found.subformulas())) else found


def _redundant(f: Formula) -> bool:
    return isinstance(f, s.Constant) or (isinstance(f, s.Not) and isinstance(f.body, s.Not))


@lru_cache(maxsize=1 << 14)
def placed(
    schema: Schema, players: Sequence[object], i: object = None, t: object = None, u: object = None
) -> Formula:
    """Return the formula of a schema about some players."""
    places = {"i": i, "t": t, "u": u, **{str(seat): player for seat, player in enumerate(players)}}

    def filled(atom: str) -> str:
        stem, _, place = atom.rpartition("_")
        return f"{stem}_{places[place]}"

    return _template(schema, len(players)).rename(atoms=filled)


# --- from the rules ------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def declared(setup: Setup) -> Declared:
    """Return the declarations of a game."""
    return _declared(setup.players, setup.deck, setup.rules, setup.deal)


@lru_cache(maxsize=256)
def _declared(players: tuple[str, ...], deck: Deck, rules: Rules, deal: Deal) -> Declared:
    _check_roles(deck, rules)
    _check_changing(deck, rules, deal)
    others = [role for role, _ in deck.others]
    acts = [_vision(deck, rules), _attack(deck, rules)]
    acts += [act for role in others for act in role.acts if isinstance(act, SecretAct)]
    bites = rules.attack == "fractional"
    dies, spared = "~dead_{i}" if rules.vote_eliminates else "true", _any(role.spared for role in others)
    needs = dies if spared == "false" else f"{dies} & ~({spared})"
    vote = Death(needs, _words(rules, deck, rules.announce_vote, "{i}"), _dies(deck, "lynched"))
    fading = Consequence("morning", "true", tuple((f"{fact}_{{i}}", "false") for fact in deck.nightly))
    own = (each for role in others for each in role.follows)
    follows = [replace(each, change=_by_cards(each.change, deck)) for each in own]
    taking = _any(each.where for each in follows if each.names)
    return Declared(
        players,
        deck,
        {act.name: replace(act, asked=act.asked or act.by, shows=_as_seen(deck, act.shows)) for act in acts},
        vote,
        Death("true" if bites else "dead_{i}", _words(rules, deck, rules.announce_found, "{i}")),
        replace(vote, needs=taking.replace("{i}", "{t}"), change=_dies(deck, "taken")),
        Death("false" if spared == "false" else f"{dies} & ({spared})", (), vote.change[1:]),
        tuple(_endings(deck, rules)),
        _COLLAPSE[rules.forced_collapse],
        () if deal == "classical" or deck.changing else _words(rules, deck, rules.told, "{i}"),
        {h: f"{_fact(deck, h)}_{{i}}" for h in (*FACTS, *(role.name for role in others))},
        _sides(deck, rules),
        _headings(deck, rules),
        _defined(deck),
        (*sorted(follows, key=lambda each: not each.saves), *((fading,) if fading.change else ())),
        tuple(news for role in others for news in role.news if deal == "classical" or news.public),
    )


@lru_cache(maxsize=64)
def atoms_of(setup: Setup) -> tuple[str, ...]:
    """Return all atoms for formulas about a game: `wolf_Alice`, `dead_Bob`, …"""
    deck, defined = setup.deck, declared(setup).defined
    facts = dict.fromkeys((*deck.kinds, "good", "dead", *deck.roles, *defined, *deck.facts))
    return tuple(f"{fact}_{name}" for fact in facts for name in setup.players)


def new_values(
    change: Change, players: Sequence[object], i: object = None, t: object = None, u: object = None
) -> dict[str, Formula]:
    """Return the atoms that a change gives new values, about some players, with these values."""
    return {atom.format(i=i, t=t, u=u): placed(new, players, i, t, u) for atom, new in change}


def _values(found: Consequence) -> Iterator[tuple[Schema, Schema]]:
    """Yield the atoms that a consequence changes, each with its value, which elsewhere stays."""
    where = f"[any t: {found.where}]" if "{t}" in found.where else found.where
    for atom, new in found.change:
        if "{t}" in new:
            new = f"[any t: ({found.where}) & ({new})]"
        short = {"true": f"({where}) | {atom}", "false": f"~({where}) & {atom}"}
        yield atom, short.get(new, f"({where}) & ({new}) | ~({where}) & {atom}")


def _dies(deck: Deck, how: str) -> Change:
    """Return the change at a death that some role of the deck may ask about."""
    noted = ((f"{how}_{{i}}", "true"),) if how in deck.facts else ()
    return _DIES + noted


def _by_cards(change: Change, deck: Deck) -> Change:
    """Return a change in which the cards of players are spelled out, role by role."""
    found = list[tuple[Schema, Schema]]()
    for atom, value in change:
        place = atom.removeprefix("card")
        if place == atom:
            found.append((atom, value))
        for role in deck.changing if place != atom else ():
            is_it = str(role == (deck.wolf_roles[-1] if value == WOLF else value)).lower()
            found.append((role + place, f"{role}_{{t}}" if value == "card_{t}" else is_it))
    return tuple(found)


def _headings(deck: Deck, rules: Rules) -> tuple[str, ...]:
    shown, facts = list(rules.headings), {_fact(deck, heading) for heading in rules.headings}
    if _more_evil(deck) and VILLAGER not in facts:
        shown = ["evil" if _fact(deck, heading) == WOLF else heading for heading in shown]
        facts.add("evil")
    place = (*shown, "dead").index("dead")
    shown[place:place] = [r.name for r, _ in deck.others if r.side not in facts or VILLAGER in facts]
    return tuple(shown)


def _any(schemas: Iterable[Schema]) -> Schema:
    """Return where one of some schemas is true."""
    found = dict.fromkeys(schema for schema in schemas if schema != "false")
    return " | ".join(found if len(found) < 2 else map("({})".format, found)) or "false"


def _vision(deck: Deck, rules: Rules) -> SecretAct:
    looking = [role for role in deck.declared if "vision" in role.acts]
    shows = _words(rules, deck, rules.vision_shows, "{t}")
    straight, misled = (_any(f"{r.name}_{{i}}" for r in looking if r.misled is m) for m in (False, True))
    if misled != "false":
        (one, first), (other, second) = shows
        shows = (
            (one, f"({straight}) & {first} | ({misled}) & {second}"),
            (other, f"({straight}) & {second} | ({misled}) & {first}"),
        )
    killed = _any(role.if_seen for role in deck.declared)
    return SecretAct(
        name="vision",
        by=_any((straight, misled)),
        shows=shows,
        pool="~dead_{i}" if rules.vision_worlds == "alive" else "true",
        change=() if killed == "false" else (("dead_{t}", f"dead_{{t}} | ({killed}) & ({straight})"),),
        on_self=rules.vision_self,
        compulsory=rules.vision_compulsory,
    )


def _attack(deck: Deck, rules: Rules) -> SecretAct:
    bites, leads = rules.attack == "fractional", rules.attackers == "dominant"
    shield = _any(role.shield for role in deck.declared)
    hit, kills = ("true", "true") if shield == "false" else (f"~({shield})", f"dead_{{t}} | ~({shield})")
    where = "wolf_{i} & ~wolf_{t}" + (f" & {hit}" if hit != "true" else "")
    change = [("dead_{t}", kills)]
    if any("struck" in role.nightly for role in deck.declared):
        change.append(("struck_{t}", f"~dead_{{t}} & {hit}"))
    return SecretAct(
        name="attack",
        by="wolf_{i}" if bites else "dominant_{i}",
        asked="dominant_{i}" if leads else "wolf_{i}",
        when="attacks",
        impossible="false" if bites else "wolf_{t}",
        change=() if bites else tuple(change),
        mark=Wound(where, "wolf_{i}", rules.bites == "script") if bites else None,
        on_self=rules.attack_self,
        refusable=rules.attack_must_be_possible,
    )


def _endings(deck: Deck, rules: Rules) -> Iterator[Ending]:
    """Yield the verdicts in the order in which they are tested."""
    own = [ending for role in deck.declared for ending in role.endings]
    spoiled = _any(ending.drawn for ending in own if ending.instead)
    but = "" if spoiled == "false" else f" & ~({spoiled})"
    evil = "wolf_{i}" if deck.sided("evil") == deck.wolf_roles else "evil_{i}"
    usual = (
        Ending("wolves", _WOLVES[rules.evil_wins], evil + but, f"{SURVIVING}{but}"),
        Ending("village", _VILLAGE[rules.good_wins], "good_{i}" + but, f"~{SURVIVING}{but}"),
    )
    ended = _any(ending.when for ending in usual)
    yield from (replace(e, when=f"({ended}) & ({e.when})") for e in own if e.instead)
    yield from reversed(usual)
    yield from (ending for ending in own if not ending.instead)


def _words(rules: Rules, deck: Deck, shown: str, place: str) -> Words:
    """Return the words at a level of detail about the card of a player; none at other levels."""
    good, evil = _sides(deck, rules)
    own = dict.fromkeys(role.side for role in deck.declared if role.side not in ("good", "evil"))
    facts = {
        "side": {good: "good", evil: _fact(deck, "evil")} | {side: side for side in own},
        "kind": {deck.kind(role): deck.kind(role) for role in deck.roles},
        "role": {role: role for role in deck.roles},
    }.get(shown, {})
    return tuple((word, f"{fact}_{place}") for word, fact in facts.items())


def _more_evil(deck: Deck) -> bool:
    """Whether there are other cards of the evil side than wolves."""
    return len(deck.sided("evil")) > len(deck.wolf_roles)


def _fact(deck: Deck, word: str) -> str:
    """Return the fact that a word for a card or a side stands for: `evil` means all of the side."""
    if word == "evil" and _more_evil(deck):
        return "evil"
    return column_fact(word)


def _sides(deck: Deck, rules: Rules) -> tuple[str, str]:
    """Return the words for the two sides: the word of the wolves does not name others of their side."""
    good, evil = rules.sides
    return good, "evil" if _more_evil(deck) and column_fact(evil) == WOLF else evil


def _as_seen(deck: Deck, shows: Words) -> Words:
    """Return the results of an action where some cards are seen as others."""
    others = {role.name: parse_roles(role.seen_as, deck) for role in deck.declared if role.seen_as}
    seen = {role: next(card for card in deck.roles if card in like) for role, like in others.items()}

    def looks(found: re.Match[str]) -> str:
        meant = roles_of(Atom(f"{found[1]}_t"), deck)
        shown = (role for role in deck.roles if seen.get(role, role) in meant)
        if meant:
            return f"({_any(f'{role}_{found[2]}' for role in shown)})"
        return found[0]

    return (
        tuple((word, re.sub(r"(\w+)_(\{[tu]\})", looks, where)) for word, where in shows) if seen else shows
    )


def _defined(deck: Deck) -> Mapping[str, Schema]:
    wolf = " | ".join(f"{rank}_{{i}}" for rank in deck.wolf_roles)
    found = {WOLF: wolf} if deck.ranked else {}
    others = [role for role, _ in deck.others]
    bad = (role.name for role in others if role.side != "good")
    found["good"] = " & ".join(f"~{name}_{{i}}" for name in (WOLF, *bad))
    found[VILLAGER] = " & ".join(f"~{name}_{{i}}" for name in deck.kinds if name != VILLAGER)
    for side in dict.fromkeys(role.side for role in others):
        if side not in (*deck.roles, "good"):
            found[side] = _any(f"{name}_{{i}}" for name in deck.sided(side))
    if deck.ranked:
        *higher, lead = deck.wolf_roles
        leads = f"{lead}_{{i}}"
        for rank in reversed(higher):
            leads = f"({rank}_{{i}} | [any j: {rank}_{{j}} & dead_{{j}}] & {leads})"
        found["dominant"] = f"~dead_{{i}} & {leads}"
    return found


def _check_roles(deck: Deck, rules: Rules) -> None:
    """Raise GameError for roles that cannot be played under these rules, or that say what nobody can read."""
    facts = {*deck.roles, *deck.facts, *(role.side for role in deck.declared), WOLF, "good", "dead"}
    facts |= {"dominant"} if deck.ranked else set()
    bites, marks = rules.attack == "fractional", {f"{fact}_" for fact in deck.nightly}
    for role, _ in deck.others:
        two = rules.vision_shows == "side" and len({r.side for r in deck.declared}) == 2
        if role.misled and not (two and "vision" in role.acts):
            raise GameError(f"the role {role.name!r} sees the opposite: it needs a vision with two results")
        for schema, places in role.schemas:
            _check_schema(role, schema, places, facts)
            if bites and any(mark in schema for mark in marks):
                raise GameError(
                    f"the role {role.name!r} needs attacks that kill in worlds; under the rules "
                    f"{rules.name!r} they take fractions of a life, which nothing can ward off or undo"
                )
        for news in role.news:
            if news.asked:
                actions = [name for name, *_ in deck.timed]
                check_known(news.asked, actions, kind="action", place=f"{role.name!r}")
        acts = (act for act in role.acts if isinstance(act, SecretAct))
        changed = [(f"the action {act.name!r}", atom, "") for act in acts for atom, _ in act.change]
        changed += [("what follows", *pair) for each in role.follows for pair in each.change]
        for what, atom, card in changed:
            possible, (stem, _, place) = ("dead", *deck.facts), atom.rpartition("_")
            if atom == "card_{i}" and card:
                if card not in ("card_{t}", WOLF, *deck.roles):
                    raise GameError(f"{what} of the role {role.name!r} cannot make a card {card!r}")
            elif stem not in possible or place not in ("{i}", "{t}", "{u}"):
                raise GameError(
                    f"{what} of the role {role.name!r} cannot change {atom!r}; it can "
                    f"change facts about a player, as in {', '.join(possible)}_{{t}}; a card changes as what "
                    "follows when a phase is over"
                )


def _check_changing(deck: Deck, rules: Rules, deal: Deal) -> None:
    """Raise GameError for cards that change in a game which relies on those that were dealt."""
    if deck.ranked and deck.turning > 1:
        raise GameError(f"{deck.turning} cards may become wolves, but only one wolf can have the lowest rank")
    if alike := [role.name for role, number in deck.others if number > 1 and "card_{t}" in role.becomes]:
        raise GameError(f"of the role {alike[0]!r}, which takes the card of another, a deck has at most one")
    if deck.changing and deal == "quantum" and rules.forced_collapse != "none":
        raise GameError(
            f"the rules {rules.name!r} may draw a world by its cards, which are not enough if they change: "
            "take forced_collapse='none', or deal='classical'"
        )


def _check_schema(role: Role, schema: Schema, places: str, facts: Collection[str]) -> None:
    """Raise GameError if a schema cannot be read, or mentions something that does not exist."""
    whole = not places  # about all worlds
    try:
        found = _template(schema, 2)
    except FormulaSyntaxError as error:
        raise GameError(f"the role {role.name!r} says {schema!r}: {error}") from error
    allowed = {*places, *("01" if "[" in schema else "")}
    for stem, _, place in (atom.rpartition("_") for atom in found.atoms):
        if stem not in facts and not (whole and stem == "out"):
            raise UnknownNameError(stem, facts, kind="fact", place=f"{schema!r} of the role {role.name!r}")
        if place not in allowed:
            known = " and ".join(f"{{{name}}}" for name in places) or "[all j: …]"
            raise GameError(f"the role {role.name!r} says {schema!r}; its places are {known}")
    plain = all(isinstance(f, s.Everywhere) or f.is_boolean or whole for f in found.subformulas())
    if found.agents or not plain:
        raise GameError(f"the role {role.name!r} says {schema!r}; it has to be about cards and facts")


SURVIVING: Schema = "[any j: wolf_{j} & ~dead_{j}]"
"""That a wolf lives; the wolves win a forced collapse if one does."""
_PARITY = "count([each j: wolf_{j} & ~dead_{j}]) >= count([each j: good_{j} & ~dead_{j}])"
_EXTINCT = "[all j: wolf_{j} -> dead_{j}]"
_VILLAGE: Mapping[str, Schema] = {
    "all dead": f"everywhere {_EXTINCT}",
    "known dead": "[all j: everywhere ~wolf_{j} | everywhere wolf_{j} & everywhere dead_{j}]",
    "none living": "[all j: out_{j} | everywhere ~wolf_{j}]",
}
_KNOWN = "[each j: everywhere wolf_{j} & everywhere ~dead_{j}]"
_WOLVES: Mapping[str, Schema] = {
    "parity": f"everywhere ({_PARITY}) & [all j: everywhere wolf_{{j}} | everywhere ~wolf_{{j}}]",
    "known half": f"count({_KNOWN}, {_KNOWN}) >= count([each j: ~out_{{j}}])",
    "all wolves": "[all j: out_{j} | everywhere wolf_{j}]",
}
_COLLAPSE: Mapping[str, Schema] = {
    "none": "false",
    "annihilation": f"everywhere ({_EXTINCT} | [all j: good_{{j}} -> dead_{{j}}])",
    "parity": f"everywhere ({_PARITY})",
}


# --- properties of declarations ------------------------------------------------------------------

_MOST = 6


@lru_cache(maxsize=256)
def _small(game: Declared) -> Declared:
    """Return the game with at most six players: by symmetry the properties are those of all."""
    if game.deck.players <= _MOST or game.deck.others:
        return game
    deck = game.deck.smaller(_MOST)
    return replace(game, players=game.players[:_MOST], deck=deck, defined=_defined(deck))


def _always(game: Declared, formula: Formula) -> bool:
    """Whether a formula about players by seat is true in every world, with any deaths."""
    from kripke_werewolf.logic.deciding import valid

    return valid(game.law >> formula.substitute(game.meaning))


def _pairs(game: Declared, act: SecretAct) -> list[tuple[int, int]]:
    """Return an actor and a target for every case that differs by more than names."""
    return [(0, target) for target in range(min(2, game.deck.players)) if target or act.on_self]


@lru_cache(maxsize=256)
def exclusive(game: Declared, act: SecretAct) -> bool:
    """Whether no two players have the action in one world, as with the attack of the highest wolf alive."""
    game = _small(game)
    return game.deck.players < 2 or _always(game, ~(seated(game, act.by, 0) & seated(game, act.by, 1)))


@lru_cache(maxsize=256)
def splits_worlds(game: Declared, act: SecretAct) -> bool:
    """Whether the action divides the worlds by actor: each is changed by at most one player's results.

    It is exclusive, depends on cards only, changes nothing, and shows only the card of the target.
    """
    shown = [where for _, where in act.shows]
    of_target = all(atom.endswith("_1") for where in shown for atom in seated(game, where, 0, 1).atoms)
    by_card = all(by_cards(game, schema) for schema in (act.by, *shown))
    return not act.change and by_card and of_target and exclusive(game, act)


@lru_cache(maxsize=256)
def by_cards(game: Declared, schema: Schema) -> bool:
    """Whether a schema is about cards alone, which never change."""
    atoms = seated(game, schema, 0, 1, 2).substitute(game.meaning).atoms
    return {atom.rpartition("_")[0] for atom in atoms} <= {*game.deck.roles}


@lru_cache(maxsize=256)
def keeps(game: Declared, act: SecretAct, kind: Schema) -> bool:
    """Whether any use of the action leaves a world of a kind, by the card of `{i}`, if there is one.

    It removes no world; or only some of its actor's, which are of this kind for nobody else.
    """
    game, removes = _small(game), not removes_nothing(game, act)
    if not (removes or act.shows):
        return True
    own, others = f"({act.by}) -> ({kind})", seated(game, act.by, 0) & seated(game, kind, 1)
    return (act.refusable or not removes) and _always(game, seated(game, own, 0)) and _always(game, ~others)


@lru_cache(maxsize=256)
def removes_nothing(game: Declared, act: SecretAct) -> bool:
    """Whether the action is possible on any other player wherever it is the actor's."""
    game, can = _small(game), f"({act.by}) -> ~({act.impossible})"
    return all(_always(game, seated(game, can, *pair)) for pair in _pairs(game, act))
