"""Questions about a game: any formula, with players by name or number, and the engine that answers.

A question about nobody's knowledge can be answered by counting worlds case by case: a case says which
role each player in the question has, and which of them are dead. Its worlds are counted by conditioning
the superposition, so none has to be listed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial, reduce
from itertools import chain, combinations
from math import comb, prod
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from kripke_werewolf.errors import DiagramTooLarge, GameError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.operators import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.counted import Counted
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Played, Vision, atoms_of, definitions, events_of
from kripke_werewolf.werewolf.game_models import (
    Course,
    Explicit,
    Structure,
    dealt_in,
)
from kripke_werewolf.werewolf.roles import SEER, VILLAGER, WOLF, Role, is_wolf
from kripke_werewolf.werewolf.setup import LIMIT, Setup
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.wording import deal_in_words

if TYPE_CHECKING:
    from kripke_werewolf.semantics.explanation import Explanation
    from kripke_werewolf.symbolic.structure import SymbolicStructure

_LEAST_NODES = 1 << 20
"""How many nodes diagrams may always have: they take 24 MB."""

Answering: TypeAlias = Literal["auto", "explicit", "symbolic"]


@dataclass(frozen=True)
class Answer:
    """The answer to a question about a game.

    `formula`: the question, players by name. `verdict`: whether it is true in all, none or some of the
    surviving worlds. `model`: the Kripke model or knowledge structure it was evaluated on, or the
    superposition, where it is about nobody's knowledge and its worlds were only counted.
    """

    formula: Formula
    verdict: Verdict
    model: KripkeModel | SymbolicStructure | Superposition
    sampled: str = ""
    """Of which part of the worlds it is the answer, if the game is played on a sample; else nothing."""
    called: Callable[[Hashable], str] = field(default=str, repr=False, compare=False)
    """The words for a world of the model."""

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every surviving world."""
        return self.verdict == "true"

    def explain(self) -> Explanation:
        """Return why: a tree of reasons, each of which can be checked; see `KripkeModel.explain`.

        Raises GameError where the answer came without listing worlds: then there is none to point at.
        """
        if isinstance(self.model, KripkeModel):
            return self.model.explain(self.formula, called=self.called)
        raise GameError("the question was answered without listing worlds, so there is none to point at")

    def __str__(self) -> str:
        text = "yes" if self.holds else "no"
        if self.verdict == "mixed":
            text = f"in {self.verdict.satisfied} of {self.verdict.total} worlds"
        return f"{text} ({self.sampled})" if self.sampled else text


@dataclass(frozen=True)
class Inquiry:
    """A question about a game, and the engine that answers it: explicit or symbolic.

    `weighted`: whether probabilities matter.
    """

    game: Played
    formula: Formula
    engine: Answering
    weighted: bool
    limit: int
    course: Course
    """The events, as far as they bear on the question."""
    counts: bool = False
    """Whether questions about nobody's knowledge may be answered by counting worlds."""

    @classmethod
    def of(cls, game: Played, question: FormulaLike, *, engine: Answering, limit: int) -> Inquiry:
        """Read a question and choose the engine: explicit up to `limit` worlds, symbolic beyond."""
        if engine not in get_args(Answering):
            raise GameError(f"engine={engine!r} is not possible (allowed: {', '.join(get_args(Answering))})")
        setup, start = game.setup, game.states[0].worlds
        asked = resolve(setup, question)
        weighted = any(isinstance(f, Probability) for f in asked.subformulas())
        deaths_of = [name for name in setup.players if f"dead_{name}" in asked.atoms]
        course = Course.of(game, asked.agents, deaths_of)
        counts = engine == "auto" and not _unnoticed(game)
        if engine == "auto":
            listed = isinstance(start, Enumerated) and not _unnoticed(game)
            fits = listed and course.most_worlds <= limit
            symbolic = setup.deal == "quantum" and setup.sample is None
            engine = "explicit" if fits or not symbolic else "symbolic"
        if engine == "symbolic" and weighted:  # the weights of states are right if every victim is followed
            course = Course.of(game, asked.agents)
        return cls(game, asked, engine, weighted, limit, course, counts)

    @cached_property
    def model(self) -> KripkeModel | SymbolicStructure:
        """The model of the game now, for the agents of the question."""
        self._check_weights()
        return self.course.at_the_end(self._start()).shown()

    def answer(self) -> Answer:
        """Return the answer now."""
        worlds = self.game.states[-1].worlds
        if self.engine == "symbolic" and self.counts and worlds.size:
            verdict = verdict_by_cases(self.game.setup, worlds, self.formula)
            if verdict is not None:
                return Answer(self.formula, verdict, worlds)
        try:
            return self.asking(self.formula)
        except DiagramTooLarge as error:
            raise DiagramTooLarge(error.nodes, error.limit, self._advice()) from None

    def asking(self, question: FormulaLike) -> Answer:
        """Return the answer to another question about no more players, on the same model."""
        f = resolve(self.game.setup, question)
        setup = self.game.setup
        verdict = self.model.verdict(self._defined(f))
        return Answer(f, verdict, self.model, setup.sampled, partial(deal_in_words, setup))

    def verdicts(self, *, only: Container[int] | None = None) -> Iterator[tuple[int, Verdict]]:
        """Yield the number of each event (0: the start) and the verdict after it.

        `only`: the numbers of the events that happen, the others being left out; by default all.
        """
        defined = self._defined(self.formula)
        for number, now in self.course.after_each(self._start(), only=only):
            yield number, now.shown().verdict(defined)

    def _start(self) -> Explicit | Structure:
        if self.engine == "symbolic":
            return Structure.start(self.game, self.course, nodes=self._nodes)
        return Explicit.start(self.game, self.course, weighted=self.weighted, limit=self.limit)

    @property
    def _nodes(self) -> int:
        return max(self.limit, _LEAST_NODES)

    def _advice(self) -> str:
        """Return advice for questions whose diagrams are too large."""
        start = self.game.states[0].worlds
        helps = ["ask about fewer players at once", "play on a sample of the worlds"]
        if self.game.setup.targets == "secret":
            helps.insert(1, 'play with targets="public"')
        if isinstance(start, Enumerated) and not _unnoticed(self.game):
            helps.insert(0, f"let the explicit engine list up to {self.course.most_worlds:,} worlds (limit=)")
        else:
            helps.append("raise limit=")
        return ", ".join(helps[:-1]) + f", or {helps[-1]}"

    def _check_weights(self) -> None:
        """Raise `DiagramTooLarge` where probabilities would need every set of wolves for every secret."""
        if self.engine != "symbolic" or not self.weighted:
            return
        setup, asked = self.game.setup, self.formula.agents
        secrets = sum(isinstance(e, Vision) and e.actor in asked for e in events_of(self.game))
        if setup.targets == "secret" and secrets and setup.deck.wolves > 1:
            needed = comb(len(setup.players), setup.deck.wolves) * len(setup.players)
            if needed > self._nodes:
                raise DiagramTooLarge(needed, self._nodes)

    def _defined(self, f: Formula) -> Formula:
        if self.engine == "explicit":
            return f
        # structures have atoms only for exact roles and the deaths that matter
        return f.substitute(definitions(self.game.setup, self.course.followed))


def _unnoticed(game: Played) -> bool:
    """Whether something happened behind the backs of others, so that their beliefs may be false."""
    return any(event.unnoticed for event in events_of(game))


def ask(game: Played, question: FormulaLike, *, engine: Answering = "auto", limit: int = LIMIT) -> Answer:
    """Return whether a formula is true now: yes, no, or in so many of the surviving worlds.

    Players are named or numbered: `K_Alice wolf_Bob`, `K_1 wolf_2`. Atoms are `wolf_i`, `seer_i`,
    `villager_i`, `good_i`, `dead_i` and, where wolves have ranks, `alpha_i`, …, `dominant_i`. The
    model is built for the players whose knowledge the formula is about: explicitly up to `limit`
    worlds, symbolically beyond, unless `engine` says which.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1).vision("Ann", "Bo", result="wolf")
    >>> print(game.ask("K_Ann (seer_Ann -> wolf_Bo)"), game.ask("wolf_Bo"))
    yes in 2 of 5 worlds

    Raises UnknownAgentError, UnknownAtomError, FormulaSyntaxError and ModelTooLarge.
    """
    return Inquiry.of(game, question, engine=engine, limit=limit).answer()


def worlds_where(game: Played, f: Formula) -> tuple[Superposition, str | None]:
    """Return the surviving worlds where a formula is true, or why it cannot be said and believed.

    What a player knows is true in all or in none of them; a fact that is open collapses.
    """
    answer, worlds = ask(game, f), game.states[-1].worlds
    if answer.verdict == "false":
        return worlds, f"say {f}: it is false in every surviving world"
    if answer.verdict == "true":
        return worlds, None
    model = answer.model
    if not isinstance(model, KripkeModel) or not isinstance(worlds, Enumerated):
        return worlds, f"say {f}: it is open, and the worlds are too many to list"
    true = model.truth_set(f)
    named = [dealt_in(str(model.names[i])) for i in model.designated_indices if true[i]]
    return worlds.keep(np.isin([world.lower() for world in worlds.world_strings()], named)), None


def resolve(setup: Setup, question: FormulaLike) -> Formula:
    """Return a formula with all players by name, whether they were given by name or by number.

    Raises `UnknownAgentError` and `UnknownAtomError` for what the game does not have.
    """
    asked, players = formula(question), setup.players
    numbers = {str(number): name for number, name in zip(setup.numbers, players, strict=True)}
    by_number = {number: name for number, name in numbers.items() if number not in players}
    known = atoms_of(setup)
    atoms = {}
    for atom in asked.atoms:
        fact, _, player = atom.rpartition("_")
        name = f"{fact}_{by_number[player]}" if player in by_number else atom
        if name not in known:
            raise UnknownAtomError(atom, known)
        atoms[atom] = name
    for agent in sorted(asked.agents):
        if agent not in players and agent not in by_number:
            raise UnknownAgentError(agent, players)
    return asked.rename(
        agents=lambda agent: by_number.get(agent, agent), atoms=lambda atom: atoms.get(atom, atom)
    )


# --- by counting worlds --------------------------------------------------------------------------

_MOST_CASES = 1000
"""How many cases are counted at most; with a hundred players a case takes some hundredths of a second."""

_BOOLEAN = (s.Atom, s.Constant, s.Not, s.And, s.Or, s.Xor, s.Implies, s.Iff, s.Count)


def verdict_by_cases(setup: Setup, worlds: Superposition, f: Formula) -> Verdict | None:
    """Return whether a boolean formula is true in all, none or some of the worlds, with their numbers.

    None if it is not boolean, has too many cases, or if the worlds cannot be counted by them.
    """
    if not all(isinstance(node, _BOOLEAN) for node in f.subformulas()):
        return None
    if isinstance(f, s.Atom) and f.name.startswith("dominant_"):
        seat = setup.seat(f.name.removeprefix("dominant_"))
        return Verdict.of(worlds.dominant_counts()[seat], worlds.size)
    exact, roughly = set(setup.deck.wolf_roles), {WOLF, SEER, VILLAGER, "good"}
    roles: dict[int, tuple[Role, ...]] = {}
    mortal: list[int] = []
    for seat, name in enumerate(setup.players):
        about = {atom.removesuffix(f"_{name}") for atom in f.atoms if atom.endswith(f"_{name}")}
        if "dominant" in about:
            return None
        if "dead" in about:
            mortal.append(seat)
        if about & exact or (about & roughly and not isinstance(worlds, Counted)):
            roles[seat] = setup.deck.roles
        elif about & roughly:
            dealt = {role: setup.deck.cards(role) for role in (VILLAGER, SEER)} | {WOLF: setup.deck.wolves}
            roles[seat] = tuple(role for role, number in dealt.items() if number)
    if prod(map(len, roles.values())) * 3 ** len(mortal) > _MOST_CASES:
        return None
    try:
        found = list(_cases(setup.players, worlds, roles, mortal))
    except GameError:
        return None
    true = {atom: [number for number, (facts, _) in enumerate(found) if atom in facts] for atom in f.atoms}
    # the cases as worlds without agents: the checker knows what the connectives mean
    inside = KripkeModel(range(len(found)), {}, true).truth_set(f)
    numbers = [count for _, count in found]
    return Verdict.of(sum(n for n, yes in zip(numbers, inside, strict=True) if yes), sum(numbers))


def _cases(
    players: Sequence[str], worlds: Superposition, roles: Mapping[int, Sequence[Role]], mortal: Sequence[int]
) -> Iterator[tuple[frozenset[str], int]]:
    """Yield the facts of each case that occurs: who has which role, who is dead; and its number of worlds."""
    cases = [(worlds, frozenset[str]())]
    for player, possible in roles.items():
        cases = [
            (
                fixed,
                facts | {f"{fact}_{players[player]}" for fact in (role, WOLF if is_wolf(role) else "good")},
            )
            for here, facts in cases
            for role in possible
            if (fixed := here.fix(player, role)).size
        ]
    for here, facts in cases:
        for dead in chain.from_iterable(combinations(mortal, n) for n in range(len(mortal) + 1)):
            count = _with_dead(reduce(lambda w, player: w.spare(player), set(mortal) - set(dead), here), dead)
            if count:
                yield facts | {f"dead_{players[player]}" for player in dead}, count


def _with_dead(worlds: Superposition, dead: Sequence[int]) -> int:
    """Count the worlds where all of these players are dead."""
    if not dead:
        return worlds.size
    return _with_dead(worlds, dead[1:]) - _with_dead(worlds.spare(dead[0]), dead[1:])
