"""The state of a game between two moves: possible actions, deaths, and winners.

Refusals are reasons in words, or None if an action is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import Literal

from kripke_werewolf.base.errors import GameError
from kripke_werewolf.base.wording import Sentence, divided
from kripke_werewolf.games.werewolf.declarations import declared, seated
from kripke_werewolf.games.werewolf.roles import TAKE, Action, Schema, Words, Wound
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Phase, Setup
from kripke_werewolf.games.werewolf.superposition import Superposition
from kripke_werewolf.logic.formulas import And, Atom, Constant, Count, Everywhere, Formula, Implies, Not, Or


@dataclass(frozen=True, slots=True)
class State:
    """The state of a game between two moves."""

    setup: Setup
    worlds: Superposition
    phase: Phase
    nightfall: Superposition | None = None
    """The worlds when the phase began, if results are drawn from these."""
    entitled: frozenset[tuple[str, Action]] = frozenset()
    """The players and the actions to which they were entitled when the phase began."""
    acted: frozenset[tuple[str, Action]] = frozenset()
    """The players and the actions that they have used or declined."""
    votes: int = 0
    """The number of players voted off in this phase."""
    dead: frozenset[int] = frozenset()
    """The players officially dead, by seat, as in the following fields."""
    bites: Mapping[tuple[int, int], Fraction] = field(default_factory=dict)
    """Fractional attacks: the fraction of a life of each bite, by (target, attacker)."""
    told: frozenset[int] = frozenset()
    """The players who have been told that only one role is left to them."""
    naming: frozenset[str] = frozenset()
    """The dead who have to name a player whom they take along; until then nobody else acts."""
    waits: Literal["", "vote", "phase"] = ""
    """What their choice interrupts: the consequences of a vote, or of the end of the phase."""
    shown: frozenset[tuple[str, str, str]] = frozenset()
    """What players were told when the phase began: to whom ("": to everybody), the word, and about whom."""
    verdict: str | None = None
    forced: bool = False
    """Whether the verdict followed from a forced collapse."""

    def begin(self, phase: Phase) -> State:
        """Return the state at the beginning of a phase, in which living possible seers or wolves act."""
        acts = declared(self.setup).acts
        asked = frozenset(
            (name, action)
            for action in self.setup.actions(phase)
            for seat, name in enumerate(self.setup.players)
            if seat not in self.dead and self.count(acts[action].asked, seat)
            if self.dead or acts[action].on == "living"
        )
        nightfall = self.worlds if self.setup.rules.vision_drawn == "nightfall" else None
        now = replace(self, nightfall=nightfall, phase=phase, entitled=asked, acted=frozenset(), votes=0)
        return replace(now, shown=frozenset(now._news(phase)))

    def _news(self, phase: Phase) -> Iterator[tuple[str, str, str]]:
        """Yield the news told when a phase begins; see `shown`."""
        game, players, actions = declared(self.setup), self.setup.players, self.setup.actions(phase)
        for news in game.news:
            hearers = {"": None} if news.public else {name: self.setup.seat(name) for name in self.alive}
            told = self.worlds.size and (not news.asked or news.asked in actions)
            for (name, i), (t, about) in product(hearers.items(), enumerate(players)) if told else ():
                if self.count(game.told_where(news), i, t) == self.worlds.size:
                    yield name, news.word, about

    @property
    def alive(self) -> tuple[str, ...]:
        """The players who are not officially dead, in seat order."""
        return tuple(name for seat, name in enumerate(self.setup.players) if seat not in self.dead)

    @property
    def open(self) -> tuple[tuple[str, Action], ...]:
        """The players and actions that are still due in the current phase, in seat order."""
        if self.naming:
            return tuple((name, TAKE) for name in self.setup.players if name in self.naming)
        due, turns = self.entitled - self.acted, product(self.setup.players, self.setup.actions(self.phase))
        return tuple(turn for turn in turns if turn in due)

    def due(self, *, compulsory: bool) -> tuple[tuple[str, Action], ...]:
        """Return the players and actions still due that are compulsory, or the others, in seat order."""
        return tuple(turn for turn in self.open if is_compulsory(self.setup, turn[1]) is compulsory)

    def after_acting(self, actor: str, action: Action) -> State:
        """Return the state in which a player has used an action or declined it."""
        return replace(self, acted=self.acted | {(actor, action)})

    # the worlds

    def count(self, schema: Schema, i: int | None = None, t: int | None = None, u: int | None = None) -> int:
        """Return the number of worlds where a schema about players is true."""
        return self.worlds.count(seated(self.setup, schema, i, t, u))

    def certain(self, words: Words, *, besides: Container[int] = ()) -> dict[str, str]:
        """Return the players of whom a word is true in every world, with that word; some are left out."""
        return {
            name: word
            for seat, name in enumerate(self.setup.players)
            for word, where in words
            if seat not in besides and self.count(where, seat) == self.worlds.size > 0
        }

    def votes_of(self, player: str) -> int:
        """Return the number of votes of a player: more than one for some cards, held in every world."""
        words = tuple((str(r.votes), f"{r.name}_{{i}}") for r in self.setup.deck.declared if r.votes > 1)
        return int(self.certain(words).get(player, 1))

    @property
    def death_chances(self) -> tuple[Fraction | None, ...]:
        """Every player's probability of being dead, by seat; None if no world is left.

        With fractional attacks it is the expected sum of the bites ("straat" rules): over the worlds, and
        over the players X who are wolves there while the target is not, of the fraction of X's bite.
        """
        worlds, game = self.worlds, declared(self.setup)
        if game.mark is None or not worlds.size:
            return tuple(map(self.share, worlds.death_counts()))
        seats = range(self.setup.deck.players)
        return tuple(Fraction(1) if p in self.dead else self._lost(p) / worlds.size for p in seats)

    def share(self, count: int) -> Fraction | None:
        """Return a number of worlds as a fraction of all; None if no world is left."""
        return Fraction(count, self.worlds.size) if self.worlds.size else None

    def chances(self, headings: Sequence[str], *, public: bool = False) -> list[tuple[Fraction | None, ...]]:
        """Return every player's probabilities of the facts in some columns of a table, by seat.

        `public`: without deaths that are not certain, if the rules hide these.
        """
        columns, dead = declared(self.setup).columns, self.death_chances
        if public and not self.setup.rules.show_dead:
            dead = tuple(chance if chance == 1 else None for chance in dead)

        def chance(seat: int, heading: str) -> Fraction | None:
            return dead[seat] if heading == "dead" else self.share(self.count(columns[heading], seat))

        return [tuple(chance(seat, h) for h in headings) for seat in range(len(self.setup.players))]

    def _lost(self, seat: int) -> Fraction:
        """Return the part of a player's life that is lost, summed over the worlds.

        Where players share their fate, the one who has lost more counts.
        """
        game, mortal = declared(self.setup), Atom(f"dead_{seat}")
        total, worlds = Fraction(0), self.worlds
        if game.mortal:
            total, worlds = Fraction(worlds.count(mortal)), worlds.keep(~mortal)
        if game.shared != "false":
            for other in range(self.setup.deck.players):
                shared = seated(self.setup, game.shared, seat, other)
                if other != seat and (both := worlds.keep(shared)).size:
                    total += self._worst((seat, other), both)
                    worlds = worlds.keep(~shared)
        return total + self._worst((seat,), worlds)

    def _worst(self, seats: tuple[int, ...], worlds: Superposition) -> Fraction:
        """Return the loss of the player who has lost most in a world, summed over some worlds."""
        mark = declared(self.setup).mark
        assert mark is not None
        made = [
            (target, seated(self.setup, mark.where, attacker, target), share)
            for (target, attacker), share in self.bites.items()
            if target in seats and (mark.lasting or attacker not in self.dead)
        ]
        if len(seats) == 1:
            return sum((share * worlds.count(where) for _, where, share in made), Fraction(0))
        parts = [(worlds, dict.fromkeys(seats, Fraction(0)))]
        for target, where, share in made:
            split = []
            for some, lost in parts:
                split.append((some.keep(where), lost | {target: lost[target] + share}))
                split.append((some.keep(~where), lost))
            parts = [part for part in split if part[0].size]
        return sum((max(lost.values()) * some.size for some, lost in parts), Fraction(0))

    def sharing(self, mark: Wound) -> int:
        """Return the number of players who share in the strength of a mark; the dead do if it lasts."""
        left = sum(map(self.setup.deck.cards, declared(self.setup).roles(mark.shared)))
        if not mark.lasting:
            left -= sum(self.count(mark.shared, seat) > 0 for seat in self.dead)
        return max(left, 1)

    def holds(self, condition: Schema) -> bool:
        """Whether a condition about all worlds is true, as that of a verdict."""
        mark = declared(self.setup).mark

        def stands(part: Formula) -> bool:
            match part:
                case Everywhere(Atom(name) as body) | Everywhere(Not(Atom(name)) as body) if (
                    mark is not None and name.startswith("dead_")
                ):
                    return self.death_chances[int(name[5:])] == isinstance(body, Atom)  # or in part
                case Everywhere(body):
                    return self.worlds.everywhere(body)
                case Atom(name):
                    return int(name.removeprefix("out_")) in self.dead
            raise GameError(f"{condition} is not a condition about all worlds")

        return truth(seated(self.setup, condition), stands)

    @property
    def standing(self) -> str | None:
        """The rules' verdict on the present worlds, without any forced collapse."""
        nobody = len(self.dead) == self.setup.deck.players and self.setup.rules.nobody_left == "draw"
        if nobody or not self.worlds.size:
            return "draw"
        endings = declared(self.setup).endings
        return next((ending.verdict for ending in endings if self.holds(ending.when)), None)

    @property
    def winners(self) -> dict[str, bool | None]:
        """Whether each player has won: on the winning side in every world; None in a draw.

        A player whose side is still open at the end has not won. Empty while the game runs.
        """
        if self.verdict is None:
            return {}
        if self.verdict == "draw" or not self.worlds.size:
            return dict.fromkeys(self.setup.players)
        won = self.certain((("won", declared(self.setup).ending(self.verdict).wins),))
        return {name: name in won for name in self.setup.players}

    # refusals

    def over_for(self, player: int) -> str | None:
        """Return why the game is over for a player; None if it is not."""
        if self.verdict is not None:
            return Sentence("game-is-over")
        if self.naming:
            return Sentence("first-names-somebody", dead=sorted(self.naming))
        if player in self.dead:
            return Sentence("is-dead", player=self.setup.players[player])
        return None

    def refusal(self, actor: int, action: Action, target: int | None = None) -> str | None:
        """Return why a player may not take this action now, or not on this target; None if they may."""
        name, phase = self.setup.players[actor], self.phase
        if action == TAKE and name in self.naming:
            return None if target is None else self.target_refusals(actor, action).get(target)
        if (over := self.over_for(actor)) is not None:
            return over
        if action not in self.setup.actions(phase):
            first = action == "attack" and phase.kind == "night"
            said = [Sentence("no-such-action", action=action, first=first, phase=phase)]
            if later := self.setup.next_with(action, phase):
                said.append(Sentence("next-ones-are", phase=later))
            return divided(said)
        if not self.dead and declared(self.setup).acts[action].on == "dead":
            return Sentence("nobody-dead-yet")
        if (name, action) not in self.entitled:
            return Sentence("in-no-world", player=name, card=being(declared(self.setup).acts[action].asked))
        reason = self.repeat_refusal(actor, action)
        if reason is None and self.setup.strict:
            reason = self._turn_refusal(actor, action)
        if reason is None and target is not None:
            public = public_refusals(self.setup, self.dead, actor, action)
            reason = public.get(target) or self.secret_refusal(actor, action, target)
        return reason

    def repeat_refusal(self, actor: int, action: Action) -> str | None:
        """Return the refusal of an action that was used or declined in this phase; None otherwise."""
        name = self.setup.players[actor]
        if (name, action) in self.acted:
            return Sentence("already-used", player=name, action=action, phase=self.phase)
        return None

    def _turn_refusal(self, actor: int, action: Action) -> str | None:
        """Return the refusal in a night of turns: vision before attack, whole turns, perhaps by number."""
        if self.phase.kind != "night":
            return None
        name = self.setup.players[actor]
        if action == "attack" and (name, "vision") in self.open:
            return Sentence("vision-comes-first", player=name)
        numbers = dict(zip(self.setup.players, self.setup.numbers, strict=True))
        waiting = {other for other, _ in self.open} - {name}
        begun = waiting & {other for other, _ in self.acted}
        if self.setup.rules.acting_order == "number":
            begun |= {other for other in waiting if numbers[other] < numbers[name]}
        if begun:
            return Sentence("turn-of", player=min(begun, key=numbers.__getitem__))
        return None

    def secret_refusal(self, actor: int, action: Action, target: int) -> str | None:
        """Return the refusal of a target that would leave no world in which the action is the actor's.

        A refusal for this reason informs the actor.
        """
        act, names = declared(self.setup).acts.get(action), self.setup.players
        if act is None or not act.refusable:
            return None
        if self.count(f"({act.by}) & ~({act.impossible})", actor, target):
            return None
        return Sentence("is-wolf-where", target=names[target], actor=names[actor], card=being(act.by))

    def target_refusals(self, actor: int, action: Action) -> dict[int, str]:
        """Return the illegal targets of an actor who is allowed to act, each with the reason."""
        found = public_refusals(self.setup, self.dead, actor, action)
        for target in range(len(self.setup.players)):
            if target not in found and (reason := self.secret_refusal(actor, action, target)):
                found[target] = reason
        return found


def truth(f: Formula, holds: Callable[[Formula], bool]) -> bool:
    """Return whether a formula is true, given the truth of its parts that are not Boolean operators."""
    if isinstance(f, Atom):
        return holds(f)
    parts = f.children
    match f:
        case And():
            return all(truth(part, holds) for part in parts)
        case Or():
            return any(truth(part, holds) for part in parts)
        case Not():
            return not truth(parts[0], holds)
        case Implies():
            return truth(parts[1], holds) or not truth(parts[0], holds)
        case Count():
            low, high = f.bounds
            return low <= sum(truth(part, holds) for part in parts) <= high
        case Constant(value):
            return value
    return holds(f)


def start_state(setup: Setup, worlds: Superposition) -> State:
    """Return the state before the first move."""
    phase = setup.phase_after(None)
    return State(setup, worlds, phase).begin(phase)


def is_compulsory(setup: Setup, action: Action) -> bool:
    """Whether a due action is compulsory."""
    acts = declared(setup).acts
    return action not in acts or acts[action].compulsory


def public_refusals(setup: Setup, dead: Container[int], actor: int, action: Action) -> dict[int, str]:
    """Return the targets publicly known to be illegal for an actor, each with the reason."""
    act = declared(setup).acts.get(action)
    lives = act is None or act.on == "living"
    why, names = ("is-dead" if lives else "is-alive"), enumerate(setup.players)
    found: dict[int, str] = {t: Sentence(why, player=name) for t, name in names if (t in dead) is lives}
    if act is not None and not act.on_self:
        found.setdefault(actor, Sentence("not-on-oneself", rules=setup.rules.name, action=action))
    return found


def public_choices(
    setup: Setup, dead: Container[int], actor: int, action: Action
) -> dict[str, tuple[str, ...]]:
    """Return the choices of an actor that are possible as far as the public knows: players, or pairs.

    The words are those in which the choice is written: `Ann`, or `Ann and Bo`.
    """
    refused, act = public_refusals(setup, dead, actor, action), declared(setup).acts.get(action)
    targets = [name for seat, name in enumerate(setup.players) if seat not in refused]
    if act is None:
        return {name: (name,) for name in targets}
    return {" and ".join(names): names for names in act.choices(targets)}


def public_refusal(setup: Setup, dead: Container[int], actor: int, action: Action, choice: str) -> str | None:
    """Return why a choice, in the words of `public_choices`, is publicly known to be illegal; None if not."""
    if choice in (choices := public_choices(setup, dead, actor, action)):
        return None
    found = public_refusals(setup, dead, actor, action).get(setup.seat(choice))
    if found is None and any(len(names) > 1 for names in choices.values()):
        return Sentence("needs-two")
    return found


def refusal_text(actor: str, action: Action, targets: str | tuple[str, ...] | None, reason: str) -> Sentence:
    """Return the message that an actor cannot choose a target, or several, with the reason."""
    if not isinstance(targets, tuple):
        targets = (targets or "",)
    do = words_for(action).do
    return Sentence("cannot-do", actor=actor, action=action, do=do, targets=targets, reason=reason)


def being(schema: Schema) -> Sentence:
    """Return a schema about the actor in words: the card, without its other conditions.

    >>> being("hunter_{i} & ~dead_{i}")
    'the hunter'
    """
    if found := re.search(r"(?<![~\w])(\w+)_\{i\}", schema):
        return Sentence("being", card=found[1])
    return Sentence("being-such", schema=schema)
