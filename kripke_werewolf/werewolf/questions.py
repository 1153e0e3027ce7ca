"""Questions about a game: any formula, with players by name or number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from kripke_werewolf.checking.verdict import Verdict
from kripke_werewolf.errors import GameError, UnknownAgentError, UnknownAtomError
from kripke_werewolf.formulas.base import Formula, FormulaLike, formula
from kripke_werewolf.formulas.probability import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.symbolic.structure import SymbolicStructure
from kripke_werewolf.werewolf.actions import definitions
from kripke_werewolf.werewolf.knowledge_model import atoms_of, build_model, largest_model
from kripke_werewolf.werewolf.symbolic_model import build_structure

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.game import QuantumWerewolf

__all__ = ["Answer", "Engine", "ask", "resolve"]


Engine: TypeAlias = Literal["auto", "explicit", "symbolic"]


@dataclass(frozen=True)
class Answer:
    """The answer to a question about a game.

    `formula`: the question, players by name. `verdict`: whether it is true in all, none or some of the
    surviving worlds. `model`: the Kripke model or knowledge structure it was evaluated on.
    """

    formula: Formula
    verdict: Verdict
    model: KripkeModel | SymbolicStructure

    @property
    def holds(self) -> bool:
        """Whether the formula is true in every surviving world."""
        return self.verdict == "true"

    def __str__(self) -> str:
        if self.verdict == "mixed":
            return f"in {self.verdict.satisfied} of {self.verdict.total} worlds"
        return "yes" if self.holds else "no"


def ask(game: QuantumWerewolf, question: FormulaLike, *, engine: Engine, limit: int) -> Answer:
    """Return whether a formula is true in the game now; see `QuantumWerewolf.ask`."""
    if engine not in get_args(Engine):
        raise GameError(f"engine={engine!r} is not possible (allowed: {', '.join(get_args(Engine))})")
    asked = resolve(game, question)
    weighted = any(isinstance(f, Probability) for f in asked.subformulas())
    # probabilities follow every victim; other questions only those whose deaths they mention
    deaths_of = [name for name in game.players if f"dead_{name}" in asked.atoms]
    if engine == "auto":
        explicit = largest_model(game, asked.agents, deaths_of=deaths_of) <= limit or not _symbolic(game)
        engine = "explicit" if explicit else "symbolic"
    if engine == "explicit":
        model = build_model(game, asked.agents, deaths_of=deaths_of, weighted=weighted, limit=limit)
        return Answer(asked, model.verdict(asked), model)
    structure = build_structure(game, asked.agents, deaths_of=None if weighted else deaths_of)
    return Answer(asked, structure.verdict(asked.substitute(definitions(game))), structure)


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
