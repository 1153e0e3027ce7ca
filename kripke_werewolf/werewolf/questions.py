"""Questions about a game: any formula, with players by name or number."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from kripke_werewolf.errors import DiagramTooLarge, GameError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.language.probability import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.symbolic.structure import SymbolicStructure
from kripke_werewolf.werewolf.actions import definitions
from kripke_werewolf.werewolf.cases import verdict_by_cases
from kripke_werewolf.werewolf.enumerated import Enumerated
from kripke_werewolf.werewolf.events import Vision
from kripke_werewolf.werewolf.knowledge_model import atoms_of, build_model, largest_model, models_after
from kripke_werewolf.werewolf.speech import secretly_told
from kripke_werewolf.werewolf.superposition import Superposition
from kripke_werewolf.werewolf.symbolic_model import build_structure, structures_after

if TYPE_CHECKING:
    from kripke_werewolf.semantics.explanation import Explanation
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Answer", "Answering", "Inquiry", "ask", "resolve"]


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

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every surviving world."""
        return self.verdict == "true"

    def explain(self) -> Explanation:
        """Return why: a tree of reasons, each of which can be checked; see `KripkeModel.explain`.

        Raises GameError where the answer came without listing worlds: then there is none to point at.
        """
        if isinstance(self.model, KripkeModel):
            return self.model.explain(self.formula)
        raise GameError("the question was answered without listing worlds, so there is none to point at")

    def __str__(self) -> str:
        text = "yes" if self.holds else "no"
        if self.verdict == "mixed":
            text = f"in {self.verdict.satisfied} of {self.verdict.total} worlds"
        return f"{text} ({self.sampled})" if self.sampled else text


@dataclass(frozen=True)
class Inquiry:
    """A question about a game, and the engine that answers it.

    `deaths_of`: the players whose deaths matter; `weighted`: whether probabilities do.
    """

    game: QuantumWerewolf
    formula: Formula
    engine: Answering
    deaths_of: tuple[str, ...]
    weighted: bool
    limit: int
    counts: bool = False
    """Whether questions about nobody's knowledge may be answered by counting worlds."""

    @classmethod
    def of(cls, game: QuantumWerewolf, question: FormulaLike, *, engine: Answering, limit: int) -> Inquiry:
        """Read a question and choose the engine: explicit up to `limit` worlds, symbolic beyond."""
        if engine not in get_args(Answering):
            raise GameError(f"engine={engine!r} is not possible (allowed: {', '.join(get_args(Answering))})")
        asked = resolve(game, question)
        deaths_of = tuple(name for name in game.players if f"dead_{name}" in asked.atoms)
        weighted = any(isinstance(f, Probability) for f in asked.subformulas())
        counts = engine == "auto" and not secretly_told(game.events)
        if engine == "auto":
            listed = isinstance(game.worlds, Enumerated) and not secretly_told(game.events)
            fits = listed and largest_model(game, asked.agents, deaths_of=deaths_of) <= limit
            engine = "explicit" if fits or not _symbolic(game) else "symbolic"
        return cls(game, asked, engine, deaths_of, weighted, limit, counts)

    @cached_property
    def model(self) -> KripkeModel | SymbolicStructure:
        """The model of the game now, for the agents of the question."""
        agents = self.formula.agents
        if self.engine == "symbolic":
            self._check_weights()
            return build_structure(self.game, agents, deaths_of=self._followed, nodes=self._nodes)
        return build_model(
            self.game, agents, deaths_of=self.deaths_of, weighted=self.weighted, limit=self.limit
        )

    def answer(self) -> Answer:
        """Return the answer now."""
        if self.engine == "symbolic" and self.counts and self.game.size:
            verdict = verdict_by_cases(self.game.setup, self.game.worlds, self.formula)
            if verdict is not None:
                return Answer(self.formula, verdict, self.game.worlds)
        try:
            return self.asking(self.formula)
        except DiagramTooLarge as error:
            raise DiagramTooLarge(error.nodes, error.limit, self._advice()) from None

    def asking(self, question: FormulaLike) -> Answer:
        """Return the answer to another question about no more players, on the same model."""
        f = resolve(self.game, question)
        return Answer(f, self.model.verdict(self._defined(f)), self.model, self.game.setup.sampled)

    def verdicts(self, *, only: Container[int] | None = None) -> Iterator[tuple[int, Verdict]]:
        """Yield the number of each event (0: the start) and the verdict after it.

        `only`: the numbers of the events that happen, the others being left out; by default all.
        """
        agents = self.formula.agents
        if self.engine == "explicit":
            for number, model in models_after(
                self.game,
                agents,
                deaths_of=self.deaths_of,
                weighted=self.weighted,
                limit=self.limit,
                only=only,
            ):
                yield number, model().verdict(self.formula)
        else:
            for number, structure in structures_after(
                self.game, agents, deaths_of=self._followed, only=only, nodes=self._nodes
            ):
                yield number, structure.verdict(self._defined(self.formula))

    @property
    def _nodes(self) -> int:
        return max(self.limit, _LEAST_NODES)

    def _advice(self) -> str:
        """Return what helps where diagrams are too large."""
        helps = ["ask about fewer players at once", "play on a sample of the worlds"]
        if self.game.setup.targets == "secret":
            helps.insert(1, 'play with targets="public"')
        if isinstance(self.game.worlds, Enumerated) and not secretly_told(self.game.events):
            worlds = largest_model(self.game, self.formula.agents, deaths_of=self.deaths_of)
            helps.insert(0, f"let the explicit engine list up to {worlds:,} worlds (limit=)")
        else:
            helps.append("raise limit=")
        return ", ".join(helps[:-1]) + f", or {helps[-1]}"

    def _check_weights(self) -> None:
        """Raise `DiagramTooLarge` where probabilities would need every set of wolves for every secret."""
        setup, asked = self.game.setup, self.formula.agents
        secrets = sum(isinstance(e, Vision) and e.actor in asked for e in self.game.events)
        if self.weighted and setup.targets == "secret" and secrets and setup.deck.wolves > 1:
            needed = comb(len(self.game.players), setup.deck.wolves) * len(self.game.players)
            if needed > self._nodes:
                raise DiagramTooLarge(needed, self._nodes)

    @property
    def _followed(self) -> tuple[str, ...] | None:
        # the weights of states are right only if every victim is followed
        return None if self.weighted else self.deaths_of

    def _defined(self, f: Formula) -> Formula:
        # structures have atoms only for exact roles and deaths
        return f.substitute(definitions(self.game)) if self.engine == "symbolic" else f


def ask(game: QuantumWerewolf, question: FormulaLike, *, engine: Answering, limit: int) -> Answer:
    """Return whether a formula is true in the game now; see `QuantumWerewolf.ask`."""
    return Inquiry.of(game, question, engine=engine, limit=limit).answer()


def _symbolic(game: QuantumWerewolf) -> bool:
    return game.setup.deal == "quantum" and game.setup.sample is None


def resolve(game: QuantumWerewolf, question: FormulaLike) -> Formula:
    """Return a formula with all players by name, whether they were given by name or by number.

    Raises `UnknownAgentError` and `UnknownAtomError` for what the game does not have.
    """
    asked = formula(question)
    numbers = {str(number): name for number, name in zip(game.setup.numbers, game.players, strict=True)}
    by_number = {number: name for number, name in numbers.items() if number not in game.players}
    known = atoms_of(game)
    atoms = {}
    for atom in asked.atoms:
        fact, _, player = atom.rpartition("_")
        name = f"{fact}_{by_number[player]}" if player in by_number else atom
        if name not in known:
            raise UnknownAtomError(atom, known)
        atoms[atom] = name
    for agent in sorted(asked.agents):
        if agent not in game.players and agent not in by_number:
            raise UnknownAgentError(agent, game.players)
    return asked.rename(
        agents=lambda agent: by_number.get(agent, agent), atoms=lambda atom: atoms.get(atom, atom)
    )
