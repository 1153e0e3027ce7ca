"""Exercises that tell a story: players of Werewolf, generals, muddy children, cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any, ClassVar, Self, TypeAlias

from kripke_werewolf.logic.english.sentences import clause, names
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.formulas import parse
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.logic.puzzles import hexa, muddy_children
from kripke_werewolf.logic.semantics.action import semi_private
from kripke_werewolf.teach.exercises.exercise import Card, Listing, OnModel, Parameter, Rng, Shown
from kripke_werewolf.teach.exercises.forms import Names
from kripke_werewolf.teach.exercises.generation import STORIES, Unsuitable
from kripke_werewolf.teach.exercises.truth import Announcement, TruthSet
from kripke_werewolf.teach.language import in_signs

_PLAYERS = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
_CARDS = {"w": "wolf", "s": "seer", "v": "villager"}


@dataclass(frozen=True, slots=True, repr=False)
class WhoKnows(Listing, OnModel):
    """Which players know a fact? In Quantum Werewolf it is true, and known, at all designated worlds.

    `story`: the events so far; students must then work out the model, which is not shown.
    """

    kind: ClassVar[str] = "who-knows"
    parameters: ClassVar = {
        "size": Parameter(5, range(4, 7), "players"),
        "depth": Parameter(1, range(1, 3), "1: who knows a fact; 2: who knows what another player knows"),
        "game": Parameter("classical", ("classical", "quantum"), "with cards, or Quantum Werewolf"),
    }
    formula: Formula
    story: str | None = None

    def question(self) -> str:
        """Return the task in words."""
        asked = f"Which of {names(self.model.agents)} know that {_fact(self.formula)}?"
        return in_signs(" ".join(filter(None, [self.story, asked])))

    def shown(self) -> tuple[Shown, ...]:
        """Return the model, unless there is a story."""
        return () if self.story else (Shown(self.model),)

    @property
    def form(self) -> Names:
        """The names of players."""
        return Names(tuple(self.model.agents), "player")

    def right(self) -> frozenset[str]:
        """Return the players who know it."""
        return frozenset(a for a in self.model.agents if self.model.holds(s.Knows(a, self.formula)))

    def option_reason(self, option: str) -> str:
        """Return why a player knows it or not."""
        return str(self.model.explain(s.Knows(option, self.formula)))

    @classmethod
    def deck(cls, *, size: int, depth: int, game: str) -> Sequence[Sequence[Card]]:
        """Return the numbers of players who may know it: some, but not all.

        In Quantum Werewolf at most two know; of four players, three know what another one knows.
        """
        counts = range(3 if (size, depth) == (4, 2) else 1, size)
        return ([{"count": count} for count in (range(1, 3) if game == "quantum" else counts)],)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, depth: int, game: str, count: int) -> Self:
        """Return a game after some events, and a fact that this number of players know."""
        players = _PLAYERS[:size]
        story, model, about = (_quantum if game == "quantum" else _dealt)(players, rng)
        for asked in (about[k] for k in rng.permutation(len(about)).tolist()):
            if depth == 2:
                asked = s.KnowsWhether(players[int(rng.integers(size))], asked)
            if not model.holds(asked):
                asked = ~asked
            found = cls("", model, asked, story)
            if model.holds(found.formula) and len(found.right()) == count:
                return found
        raise Unsuitable


_Start: TypeAlias = tuple[str, KripkeModel, list[Formula]]
"""A story, the model after it, and the facts to ask about."""


def _dealt(players: tuple[str, ...], rng: Rng) -> _Start:
    """Return a game with dealt cards, in which the seer has looked at a card and one has been shown."""
    size = len(players)
    cards = "w" * (1 + (size > 4)) + "s" + "v" * (size - 2 - (size > 4))
    deals = sorted({"".join(deal) for deal in permutations(cards)})
    actual = deals[int(rng.integers(len(deals)))]
    looked, out = rng.permutation([n for n, card in enumerate(actual) if card != "s"])[:2].tolist()
    model = KripkeModel.from_observations(
        [deal for deal in deals if deal[looked] != "s"],
        {player: partial(_view, n, looked) for n, player in enumerate(players)},
        lambda deal: [f"{_CARDS[card]}_{p}" for p, card in zip(players, deal, strict=True)],
        actual,
        atoms=[f"{card}_{player}" for player in players for card in _CARDS.values()],
    ).announce(f"{_CARDS[actual[out]]}_{players[out]}")
    others = [player for n, player in enumerate(players) if n != out]
    about: list[Formula] = [s.Atom(f"{card}_{player}") for player in others for card in _CARDS.values()]
    return _story(players, actual, looked, out), model, about


def _quantum(players: tuple[str, ...], rng: Rng) -> _Start:
    """Return a game of Quantum Werewolf in its first night: two visions, one of them told to a player."""
    from kripke_werewolf.games.werewolf import QuantumWerewolf

    game = QuantumWerewolf(list(players), wolves=1, rules="cisra", targets="public", rng=rng)
    order = [players[k] for k in rng.permutation(len(players)).tolist()]
    teller, told = order[0], order[2]
    looks = [(teller, order[1]), (order[1], str(rng.choice([teller, told])))]
    lines, about = [], list[Formula]()
    for player, target in looks:
        saw, card = str(rng.choice(["evil", "good"])), s.Atom(f"wolf_{target}")
        game = game.vision(player, target, result=saw)
        lines.append(f"{player} looks at {target} and sees: {saw}.")
        about.append(s.Implies(s.Atom(f"seer_{player}"), card if saw == "evil" else ~card))
    model = game.model(agents=players).update(semi_private(told, s.Knows(teller, about[0])))
    about += [s.Implies(s.Atom(f"seer_{p}"), ~s.Atom(f"wolf_{q}")) for p, q in permutations(players, 2)]
    about += [~s.Atom(f"{card}_{player}") for player in players for card in ("wolf", "seer")]
    atoms = sorted({atom for f in about for atom in f.atoms})
    plain = Numbered(model).described(lambda n: f"w{n + 1}", {atom: s.Atom(atom) for atom in atoms}).to_dict()
    plain.pop("weights", None)  # knowledge does not depend on them
    words = {"villagers": len(players) - 2, "looks": " ".join(lines), "teller": teller, "told": told}
    story = STORIES["quantum"].format(players=names(players), **words)
    return story, KripkeModel.from_dict(plain), about


def _fact(f: Formula) -> str:
    """Return a fact as a clause; conditionals are put into words."""
    match f:
        case s.Implies(left, right):
            return f"if {clause(left)}, then {clause(right)}"
        case s.KnowsWhether(agent, s.Implies() as inside):
            return f"{agent} knows whether it is true that {_fact(inside)}"
        case s.Not(s.KnowsWhether(agent, s.Implies() as inside)):
            return f"{agent} does not know whether it is true that {_fact(inside)}"
    return clause(f)


def _view(place: int, looked: int, deal: str) -> tuple[str, ...]:
    """Return a player's view of a deal: their card; for a wolf, the wolves; for the seer, the card seen."""
    match deal[place]:
        case "w":
            return ("w", *(str(n) for n, card in enumerate(deal) if card == "w"))
        case "s":
            return "s", deal[looked]
    return ("v",)


def _story(players: tuple[str, ...], deal: str, looked: int, out: int) -> str:
    wolves = deal.count("w")
    roles = {"w": "a wolf", "s": "the seer", "v": "a villager"}
    held = names([f"{p} is {roles[card]}" for p, card in zip(players, deal, strict=True)])
    words: dict[str, object] = {"wolves": "one wolf", "know": "", "held": held, "villagers": deal.count("v")}
    if wolves > 1:
        words |= {"wolves": f"{wolves} wolves", "know": " The wolves know each other."}
    words |= {"players": names(players), "looked": players[looked], "out": players[out]}
    return str(STORIES["werewolf"].format(**words))


# --- stories of the textbooks ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Generals(TruthSet):
    """At which numbers of messages do two generals know of each other's knowledge?"""

    kind: ClassVar[str] = "generals"
    parameters: ClassVar = {
        "levels": Parameter(2, range(1, 5), "how often one knows that the other knows, at least")
    }

    @classmethod
    def generate(cls, rng: Rng, *, levels: int) -> Self:  # type: ignore[override]
        """Return a question about what is known up to some level, and not beyond."""
        level = levels + int(rng.integers(4))
        most = level + int(rng.integers(2, 7))
        counted, first = (("have arrived", 0), ("have not arrived", most))[rng.integers(2)]
        arrived = {str(k): abs(first - k) for k in range(most + 1)}
        model = KripkeModel.from_observations(
            list(arrived),
            {"A": lambda k: arrived[k] // 2, "B": lambda k: (arrived[k] + 1) // 2},
            lambda k: ["told"] if arrived[k] else [],
            designated=str(most - first),
        )
        story = STORIES["generals"].format(most=most, counted=counted)
        agents, f = str(rng.choice(["AB", "BA"])), parse("told")
        for step in range(level):
            f = s.Knows(agents[step % 2], f)
        beyond = s.Knows(str(rng.choice(["A", "B"])), f)
        both, doubted = parse("E_{A,B} told"), s.Possible(beyond.agent, ~f)
        shapes = (f, ~f, doubted, f & ~beyond, parse("told") & ~f, both & ~f)
        return cls("", model, shapes[int(rng.integers(len(shapes)))], story)._open()


@dataclass(frozen=True, slots=True, repr=False)
class Children(TruthSet):
    """At which worlds does a child know something, after the father has asked some times?"""

    kind: ClassVar[str] = "children"
    parameters: ClassVar = {}
    cards: ClassVar = ([{"shape": shape} for shape in STORIES["muddy"]],)

    @classmethod
    def generate(cls, rng: Rng, *, shape: str) -> Self:  # type: ignore[override]
        """Return a question about the model after some rounds in which nobody knew."""
        asked = int(rng.integers(2))
        model = muddy_children(3).history().at(asked + 1)
        story = STORIES["children"].format(world=model.worlds[-2], told=asked * STORIES["asked"])
        i, k = (int(n) for n in rng.permutation(range(1, 4))[:2])
        f = parse(shape.replace("_i", f"_{i}").replace("_k", f"_{k}"))
        return cls("", model, f, story)._open()


@dataclass(frozen=True, slots=True, repr=False)
class Cards(Announcement):
    """What to say aloud so that one player learns your card, and the other learns no card?"""

    kind: ClassVar[str] = "cards"
    parameters: ClassVar = {}
    cards: ClassVar[Any] = (({},),)

    @classmethod
    def generate(cls, rng: Rng) -> Self:  # type: ignore[override]
        """Return a deal, a speaker, and the one who is to learn the speaker's card."""
        model = hexa().model
        deal = str(model.worlds[int(rng.integers(len(model)))])
        speaker, hearer, other = (int(k) for k in rng.permutation(3))
        held = [s.Atom(f"{player}_{card}") for player, card in zip("abc", deal, strict=True)]
        kept, told = tuple(("abc"[other], held[k]) for k in (speaker, hearer)), STORIES["cards"]
        return cls("", model.point(deal), "abc"[speaker], (("abc"[hearer], held[speaker]),), kept, told)
