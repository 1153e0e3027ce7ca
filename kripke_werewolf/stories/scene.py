"""The scene of a story: agents, worlds, who sees what, and the actual worlds."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import numpy.typing as npt

from kripke_werewolf.errors import KripkeError
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.stories.lines import Part, Statement, Text

__all__ = ["Scene"]

_MOST = 2**21  # states that are looked at on the way, before a law removes them

ReadFormula = Callable[[Part], Formula]


class Scene:
    """What has been said so far about the start of a story.

    The worlds are those listed (`world`), or else all sets of atoms that obey the laws.
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.agents: list[str] = []
        self.atom_names: list[str] = []
        self.listed: dict[str, list[str]] = {}
        self.laws: list[tuple[Formula, int]] = []
        self.seen: dict[str, list[Formula]] = {}
        self.cells: dict[str, list[list[Part]]] = {}
        self.variables: dict[str, dict[str, Formula]] = {}
        self.actual_part: tuple[Part, ReadFormula] | None = None

    def _new(self, part: Part, names: list[str]) -> str:
        if part.text in names:
            self.text.fail(part.start, f"{part.text!r} is named twice")
        return part.text

    def _agents_of(self, statement: Statement) -> list[str]:
        names = self.text.names(statement.arguments)
        if not names:
            self.text.fail(statement.arguments.start, f"expected an agent after {statement.word.text!r}")
        return [self.text.known(part, self.agents, "agent") for part in names]

    def say(self, word: str, statement: Statement, read: ReadFormula) -> None:
        """Take in one statement of the scene; `read` reads the formulas in it."""
        {
            "agents": self._declare_agents,
            "atoms": self._declare_atoms,
            "law": self._law,
            "world": self._world,
            "sees": self._sees,
            "confuses": self._confuses,
            "variable": self._variable,
            "actual": self._actual,
        }[word](statement, read)

    # --- statements --------------------------------------------------------------------------------

    def _declare_agents(self, statement: Statement, read: ReadFormula) -> None:
        """Declare agents."""
        for part in self.text.names(statement.content):
            self.agents.append(self._new(part, self.agents))

    def _declare_atoms(self, statement: Statement, read: ReadFormula) -> None:
        """Declare atoms."""
        for part in self.text.names(statement.content):
            self.atom_names.append(self._new(part, self.atom_names))

    def _law(self, statement: Statement, read: ReadFormula) -> None:
        """Add a formula that is true at all worlds."""
        law = read(statement.content)
        if law.agents:
            self.text.fail(
                statement.content.start, "expected a formula without knowledge: a law makes the worlds"
            )
        self.laws.append((law, statement.content.start))

    def _world(self, statement: Statement, read: ReadFormula) -> None:
        """List a world, with the atoms that are true at it."""
        names = self.text.names(statement.arguments)
        if len(names) != 1:
            self.text.fail(statement.arguments.start, "expected one name: 'world heads: h'")
        true = [self.text.known(p, self.atom_names, "atom") for p in self.text.names(statement.content)]
        self.listed[self._new(names[0], list(self.listed))] = true

    def _sees(self, statement: Statement, read: ReadFormula) -> None:
        """Say what agents see: formulas without knowledge, `nothing`, `all`, or `all but` some atoms."""
        agents, content = self._agents_of(statement), statement.content
        if content.text.startswith("all but "):
            rest = self.text.stripped(content.start + 8, content.start + len(content.text))
            out = [self.text.known(p, self.atom_names, "atom") for p in self.text.names(rest)]
            parts = [read(Part(_quoted(a), content.start)) for a in self.atom_names if a not in out]
        elif content.text == "all":
            parts = [read(Part(_quoted(a), content.start)) for a in self.atom_names]
        elif content.text == "nothing":
            parts = []
        else:
            pieces = self.text.split(content)
            if not pieces:
                self.text.fail(
                    content.start, "expected what is seen: atoms or formulas, all, all but …, nothing"
                )
            parts = [read(piece) for piece in pieces]
            for f, piece in zip(parts, pieces, strict=True):
                if f.agents:
                    self.text.fail(piece.start, f"expected a formula without knowledge, got {piece.text!r}")
        for agent in agents:
            self.seen.setdefault(agent, []).extend(parts)

    def _confuses(self, statement: Statement, read: ReadFormula) -> None:
        """Say which worlds an agent cannot tell apart: names with blanks between, cells with commas."""
        for agent in self._agents_of(statement):
            self.cells.setdefault(agent, []).extend(self.text.cells(statement.content))

    def _variable(self, statement: Statement, read: ReadFormula) -> None:
        """Declare a variable; its values are atoms."""
        names = self.text.names(statement.arguments)
        if len(names) != 1:
            self.text.fail(statement.arguments.start, "expected one name: 'variable birthday: July_16, …'")
        self.variables[names[0].text] = {p.text: read(p) for p in self.text.split(statement.content)}

    def _actual(self, statement: Statement, read: ReadFormula) -> None:
        """Say which worlds may be the actual one: a world listed, or a formula."""
        self.actual_part = statement.content, read

    # --- the model ---------------------------------------------------------------------------------

    def model(self) -> KripkeModel:
        """Return the model described."""
        names, true = self._worlds()
        columns: dict[str, npt.NDArray[np.bool_]] = {a: true[:, k] for k, a in enumerate(self.atom_names)}
        rows = {a: [names[i] for i in np.flatnonzero(row)] for a, row in columns.items()}
        flat = KripkeModel(names, {}, rows)
        labels = {agent: self._labels(agent, flat) for agent in self.agents}
        classes = {
            agent: [[names[i] for i in np.flatnonzero(found == k)] for k in np.unique(found)]
            for agent, found in labels.items()
        }
        try:
            model = KripkeModel.from_partitions(names, classes, rows, variables=self.variables)
        except KripkeError as error:
            self.text.fail(0, str(error))
        if self.actual_part is None:
            return model
        part, read = self.actual_part
        if part.text in self.listed:
            return model.point(part.text)
        worlds = model.where(read(part))
        if not worlds:
            self.text.fail(part.start, f"no world is such that {part.text}")
        return model.point(*worlds)

    def _worlds(self) -> tuple[list[str], npt.NDArray[np.bool_]]:
        if self.listed:
            true = np.array(
                [[a in atoms for a in self.atom_names] for atoms in self.listed.values()], bool
            ).reshape(len(self.listed), len(self.atom_names))
            if self.laws:
                self.text.fail(self.laws[0][1], "a story lists its worlds or has laws, not both")
            return list(self.listed), true
        if not self.atom_names:
            self.text.fail(0, "a story needs worlds; expected a line 'atoms: p, q' or 'world NAME: atoms'")
        # atom by atom; a law removes states as soon as all its atoms are there
        states = np.zeros((1, 0), bool)
        left = list(self.laws)
        for number, atom in enumerate(self.atom_names, 1):
            if 2 * len(states) > _MOST:
                self.text.fail(0, f"more than {_MOST:,} states to look at; put laws about few atoms first, "
                               "and atoms that a law relates next to each other")  # fmt: skip
            states = np.repeat(states, 2, axis=0)
            states = np.column_stack([states, np.arange(len(states)) % 2 == 0])
            known = set(self.atom_names[:number])
            for law in [law for law in left if law[0].atoms <= known]:
                states = states[_truth(law[0], self.atom_names[:number], states)]
                left.remove(law)
            if not len(states):
                self.text.fail(self.laws[0][1], f"the laws leave no world: no state of {atom!r} obeys them")
        names = [
            " ".join(a for a, bit in zip(self.atom_names, row, strict=True) if bit) or "-"
            for row in states.tolist()
        ]
        return names, states

    def _labels(self, agent: str, flat: KripkeModel) -> npt.NDArray[np.intp]:
        if agent in self.cells:
            if agent in self.seen:
                self.text.fail(
                    self.cells[agent][0][0].start if self.cells[agent] else 0,
                    f"say of {agent!r} what it sees or which worlds it confuses, not both",
                )
            found = np.arange(len(flat))
            taken: set[Hashable] = set()
            for number, cell in enumerate(self.cells[agent], len(flat)):
                for part in cell:
                    name = self.text.known(part, map(str, flat.worlds), "world")
                    if name in taken:
                        self.text.fail(part.start, f"{name!r} is in two cells of {agent!r}")
                    taken.add(name)
                    found[flat.worlds.index(name)] = number
            return found
        masks = [flat.truth_set(f) for f in self.seen.get(agent, [])]
        if not masks:
            return np.zeros(len(flat), np.intp)
        _, labels = np.unique(np.column_stack(masks), axis=0, return_inverse=True)
        return labels.reshape(-1)


def _quoted(atom: str) -> str:
    from kripke_werewolf.language.operators import Atom

    return str(Atom(atom))


def _truth(law: Formula, atoms: list[str], states: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    from kripke_werewolf.models.valuation import Valuation
    from kripke_werewolf.models.worlds import Computed

    rows = {a: np.ascontiguousarray(states[:, k]) for k, a in enumerate(atoms)}
    names = Computed(len(states), lambda i: i, lambda name: name if isinstance(name, int) else None)
    return KripkeModel.from_parts(names, {}, Valuation(len(states), rows)).truth_set(law)
