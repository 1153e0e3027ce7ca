"""The family of werewolf: what players know after the first night of a game of Quantum Werewolf.

Everybody sees who looks at whom, and only those who look see the result. The first engine is the model of the
game; the second filters the ways to deal the cards, with what each look could have shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product
from typing import NamedTuple

from kripke_werewolf.errors import GameError
from kripke_werewolf.forge.family import (
    NAMES,
    YES_NO,
    Certificate,
    Family,
    Group,
    Knobs,
    ToldStory,
    items_told,
    random_chain,
)
from kripke_werewolf.forge.knowing import (
    WAYS,
    Chain,
    Known,
    Numbers,
    certified,
    formula_asked,
    read_wording,
    wording_of,
)
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.randomness import Draws
from kripke_werewolf.stories.english import Wordings, sentences
from kripke_werewolf.stories.scenes import listed, read_list
from kripke_werewolf.werewolf.game import QuantumWerewolf
from kripke_werewolf.werewolf.rules import preset

_RULES = (
    "{A} play Quantum Werewolf: one of them is the seer, the number of wolves is {n}, and all others are "
    "villagers; nobody has a card yet, and every way to deal the cards is possible until it is ruled out; "
    "whoever looks at another is told good or evil, which is true if they are the seer and may be either if "
    "they are not; seers and villagers are good and wolves are evil; everybody sees who looks at "
    "whom, but not what others are told."
)
_SAID = {"looks": ("{a} looked at {b} and was told {side}.", "{a}, looking at {b}, was told {side}.")}
_FACTS = {
    "wolf": ("{a} is a wolf",),
    "good": ("{a} is good",),
    "clears": ("{a} is the seer only if {b} is good",),
    "accuses": ("{a} is the seer only if {b} is a wolf",),
}
_FORMULAS = {
    "wolf": "wolf_{a}",
    "good": "good_{a}",
    "clears": "seer_{a} -> good_{b}",
    "accuses": "seer_{a} -> wolf_{b}",
}
_BEGINS, _LOOKS, _KINDS = Wordings({"": (_RULES,)}), Wordings(_SAID), Wordings(_FACTS)
_SIDES = ("good", "evil")


class Glance(NamedTuple):
    """Somebody looks at another, and is told a side."""

    actor: int
    target: int
    side: str


class FirstNight(NamedTuple):
    """A first night: the number of players and wolves, and the looks."""

    players: int
    wolves: int
    looks: tuple[Glance, ...] = ()


@lru_cache(maxsize=64)
def _game(played: FirstNight, names: tuple[str, ...]) -> QuantumWerewolf:
    """Return the game, without tables and without private notices."""
    rules = replace(preset("cisra"), name="cisra, few words", told="nothing", table_at=())
    game = QuantumWerewolf(names, wolves=played.wolves, rules=rules, targets="public", rng=0)
    for actor, target, side in played.looks:
        game = game.vision(names[actor], names[target], result=side)
    return game.end_phase(missing="pass") if len(played.looks) < played.players else game


@lru_cache(maxsize=64)
def _model(played: FirstNight, names: tuple[str, ...]) -> KripkeModel:
    """Return the model of the game: the first engine."""
    return _game(played, names).model()


@lru_cache(maxsize=64)
def _worlds(played: FirstNight) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the ways to deal the cards, each with what everybody who looks may be told."""
    cards = ["seer", *["wolf"] * played.wolves, *["good"] * (played.players - played.wolves - 1)]
    return [
        (deal, told)
        for deal in sorted(set(permutations(cards)))
        for told in product(_SIDES, repeat=len(played.looks))
        if all(
            deal[look.actor] != "seer" or side == _side(deal[look.target])
            for look, side in zip(played.looks, told, strict=True)
        )
    ]


def _side(card: str) -> str:
    return "evil" if card == "wolf" else "good"


def _states(played: FirstNight) -> tuple[list[Known], int]:
    """Return the knowledge at the start and after each move, and the worlds left: the second engine."""
    worlds = _worlds(played)
    states, at = [Known.of([[0] * len(worlds)] * played.players)], (1 << len(worlds)) - 1
    for number, (actor, _, side) in enumerate(played.looks):
        fact = sum(1 << i for i, (_, told) in enumerate(worlds) if told[number] == side)
        states.append(states[-1].shown([actor], fact))
        at &= fact
    return states, at


class CardFact(NamedTuple):
    """Something that may be true of the cards: its kind, and the players in it."""

    kind: str
    a: int
    b: int

    def said(self, wordings: Mapping[str, str], names: Sequence[str]) -> str:
        """Return the fact in words or as a formula."""
        return wordings[self.kind].format(a=names[self.a], b=names[self.b])

    def where(self, played: FirstNight) -> int:
        """Return the worlds where the fact is true, as bits."""
        found = 0
        for number, (deal, _) in enumerate(_worlds(played)):
            seer, evil = deal[self.a] == "seer", deal[self.b] == "wolf"
            true = {
                "wolf": deal[self.a] == "wolf",
                "good": deal[self.a] != "wolf",
                "clears": not seer or not evil,
                "accuses": not seer or evil,
            }
            found |= true[self.kind] << number
        return found


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[FirstNight, tuple[str, ...]]:
    """Return the game and the players of a story in English."""
    first, *rest = sentences(text)
    given = _BEGINS.read(first)[1]
    names = tuple(read_list(given["A"]))
    number = Numbers.of(names)
    said = [_LOOKS.read(sentence)[1] for sentence in rest]
    looks = tuple(Glance(number[look["a"]], number[look["b"]], look["side"]) for look in said)
    return FirstNight(len(names), int(given["n"]), looks), names


def _derive(text: str, question: str) -> Certificate:
    """Return all that follows from a story and a question in English."""
    played, names = _read(text)
    chain, words = read_wording(question, names)
    kind, given = _KINDS.read(words)
    number = Numbers.of(names)
    fact = CardFact(kind, number[given["a"]], number[given.get("b", given["a"])])
    states, at = _states(played)
    formula = fact.said(_FORMULAS, names)
    model = _model(played, names).holds(formula_asked(chain, f"({formula})", names))
    return certified(states, chain, fact.where(played), at, names, formula, model, least=1)


# --- the generator -----------------------------------------------------------------------------------


def _random_game(players: int, draws: Draws) -> FirstNight:
    """Return a random first night."""
    wolves = 1 if players < 5 else 1 + draws.below(2)
    looks = [
        Glance(actor, (actor + 1 + draws.below(players - 1)) % players, draws.choice(_SIDES))
        for actor in range(players)
        if draws.random() < 0.8
    ]
    return FirstNight(players, wolves, tuple(looks))


def _items(knobs: Knobs, draws: Draws, seed: str) -> Iterator[Group]:
    """Yield the items of one batch, of the orders in turn, as often yes as no."""
    if knobs.pairs or 0 in knobs.orders or not 3 <= knobs.agents <= 5:
        raise GameError("the family werewolf has no pairs, 3 to 5 agents, and orders from 1")
    number = 0
    while number < knobs.batch:
        names = tuple(draws.sample(NAMES.split(), knobs.agents))
        played = _random_game(knobs.agents, draws)
        _, at = _states(played)
        if not at:
            continue
        for _ in range(_QUESTIONS):
            order = knobs.orders[number % len(knobs.orders)]
            question = _question(played, order, YES_NO[number // len(knobs.orders) % 2], draws)
            if question is not None:
                number += 1
                yield _item(played, names, *question, seed)


_QUESTIONS = 8  # about one game


def _question(played: FirstNight, order: int, answer: str, draws: Draws) -> tuple[Chain, CardFact] | None:
    """Return a random question about a game with an answer."""
    states, at = _states(played)
    for _ in range(20):
        agents = random_chain(range(played.players), order, draws)
        chain = tuple((draws.choice(list(WAYS)), agent) for agent in agents)
        a, b = draws.sample(range(played.players), 2)
        kind = draws.choice(list(_FACTS))
        fact = CardFact(kind, a, b if "{b}" in _FORMULAS[kind] else a)
        if YES_NO[not states[-1].holds(chain, fact.where(played), at)] == answer:
            return chain, fact
    return None


def _item(played: FirstNight, names: tuple[str, ...], chain: Chain, fact: CardFact, seed: str) -> Group:
    said = [
        _SAID["looks"][0].format(a=names[look.actor], b=names[look.target], side=look.side)
        for look in played.looks
    ]
    text = " ".join([_RULES.format(A=listed(list(names)), n=played.wolves), *said])
    question = wording_of(chain, fact.said({kind: words for kind, (words,) in _FACTS.items()}, names), names)
    told = ToldStory((played, chain, fact), text, _game(played, names).log)
    return items_told(WEREWOLF, [told], question, seed=seed)


WEREWOLF = Family(
    name="werewolf",
    knobs=Knobs,
    items=_items,
    derive=_derive,
    alike=lambda story, other, question, depth: story == other,
)
