"""Relations: the properties of an agent's, and bisimulations between two models."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Self

from kripke_werewolf.base.errors import ModelError
from kripke_werewolf.base.reader import Part
from kripke_werewolf.logic.formulas.logics import FRAME_CLASSES, FRAME_PROPERTIES
from kripke_werewolf.logic.formulas.syntax import Formula
from kripke_werewolf.logic.models import FrameClass, KripkeModel, bisimilar, distinguishing_formula
from kripke_werewolf.logic.semantics.worlds import world_text
from kripke_werewolf.teach.exercises import drawings, forms
from kripke_werewolf.teach.exercises.drawings import Pair, relation_of, true_atoms
from kripke_werewolf.teach.exercises.exercise import Exercise, Listing, OnModel, Parameter, Result, Shown
from kripke_werewolf.teach.exercises.generation import Rng, assume, random_model
from kripke_werewolf.teach.exercises.serialisation import Agent
from kripke_werewolf.teach.language import one_of_names

_LOOPS = "If the picture says that loops are left out, every world has one."


@dataclass(frozen=True, slots=True, repr=False)
class FrameProperties(Listing, OnModel):
    """Which properties does the relation of an agent have?"""

    kind: ClassVar[str] = "frame-properties"
    parameters: ClassVar = {"size": Parameter(4, range(3, 9), "worlds of the model")}
    cards: ClassVar = ([{"wanted": some} for some in FRAME_CLASSES.values() if len(some) < 5],)
    agent: Agent

    def question(self) -> str:
        """Return the task in words."""
        listed = ", ".join(FRAME_PROPERTIES)
        return f"{_LOOPS} Which of these properties does the relation of {self.agent} have: {listed}?"

    @property
    def form(self) -> forms.Names:
        """The names of properties."""
        return forms.Names(FRAME_PROPERTIES, "property")

    def right(self) -> frozenset[str]:
        """Return the properties that the relation has."""
        return frozenset(self.model.frame_class(self.agent).properties)

    def option_reason(self, option: str) -> str:
        """Return why the relation has a property, or lacks it."""
        flaws = self.model.frame_class(self.agent).flaws
        meaning = str(getattr(FrameClass, option).__doc__).removeprefix("Whether ").rstrip(".")
        return flaws.get(option, f"it is {option}: {meaning}").replace("'", "")

    def difficulty(self) -> int:
        """Return the number of worlds and arrows, all of which must be examined."""
        return len(self.model) + len(self.model.relation(self.agent))

    @classmethod
    def generate(cls, rng: Rng, *, size: int, wanted: frozenset[str]) -> Self:
        """Return a random relation with some properties and no others."""
        names = [f"w{k}" for k in range(1, size + 1)]
        count = int(rng.integers(2, 3 * size + 1))
        pairs = {(names[rng.integers(size)], names[rng.integers(size)]) for _ in range(count)}
        arrows = drawings.closed(pairs, names, wanted - {"serial"})
        exercise = cls("", KripkeModel(names, {"a": arrows}, {}), "a")
        assume(exercise.right() == wanted)
        return exercise


# --- bisimulations ---------------------------------------------------------------------------------

_JOINED = r"<?[-=]*>|[~∼≈≃↔⇔⟷→⟶↦×–—-]|\\\w+|(?<=\d|\s)Z(?=\w|\s)|\b(?:bisimilar|match\w*|to|with)\b"
"""What may stand between the worlds of a pair."""


@dataclass(frozen=True, slots=True)
class ABisimulation(forms.Form):
    """Pairs of worlds of two models, or a formula about them."""

    left: tuple[str, ...]
    right: tuple[str, ...]
    atoms: tuple[str, ...]
    agents: tuple[str, ...]
    lines: ClassVar[int] = 3

    @property
    def words(self) -> str:
        """The form in words."""
        pair = f"{self.left[0]}-{self.right[0]}"
        return f"a bisimulation as pairs such as {pair}, or a formula that is true at one world only"

    def parse(self, given: Part) -> frozenset[Pair] | Formula:
        """Return the pairs or the formula."""
        verdicts, given = forms.opened(given, "no", "not bisimilar", "yes", "bisimilar")
        names = (*self.left, *self.right)
        pairs = forms.blanked(forms.quiet(given), rf"\A\s*Z\s*=|{_JOINED}")
        found = re.match(rf"[\s({{\[⟨<|]*(?:{one_of_names(names)})(?!\w)", forms.spelt(pairs.text, names))
        paired = found is not None and not re.search("[⊨⊭]", given.text)
        if verdicts and bool(verdicts & {"no", "not bisimilar"}) == paired:
            forms.refuse(given, f"the verdict and what follows contradict each other; expected {self.words}")
        if not paired:
            return forms.AFormula(self.atoms, self.agents).parse(given)
        said = [one for one in forms.spoken(pairs, names, "world") if one[0] != "s"]
        side_of = dict.fromkeys(self.left, "n") | dict.fromkeys(self.right, "N")
        sides = "".join(side_of.get(part.text, letter) for letter, part in said)
        if not re.fullmatch("(nN+)+|(Nn+)+", sides):
            forms.refuse(given, f"a pair needs a world of each model; expected {self.words}")
        worlds = [part.text for _, part in said]
        runs = [range(*run.span()) for run in re.finditer("nN+|Nn+", sides)]
        joined = [sorted((worlds[run[0]], worlds[k]), key=names.index) for run in runs for k in run[1:]]
        return frozenset((w, v) for w, v in joined)


@dataclass(frozen=True, slots=True, repr=False)
class Bisimilar(Exercise):
    """Are the designated worlds of two models bisimilar? Show why or why not."""

    kind: ClassVar[str] = "bisimilar"
    parameters: ClassVar = {"size": Parameter(4, range(3, 9), "worlds of the first model")}
    cards: ClassVar = ([{"same": True}], [{"same": False}])
    left: KripkeModel
    right: KripkeModel

    def __post_init__(self) -> None:
        for side, model in (("left", self.left), ("right", self.right)):
            if len(model.designated) != 1:
                raise ModelError(f"the {side} model must designate the world in question")
        if self.left.agents != self.right.agents or self.left.atoms != self.right.atoms:
            raise ModelError("the two models must have the same agents and atoms")
        if same := set(_names(self.left)) & set(_names(self.right)):
            raise ModelError(f"both models have a world {min(same)}; give the worlds different names")

    def question(self) -> str:
        """Return the task in words."""
        w, v = self._points()
        return (
            f"Are {world_text(w)} and {world_text(v)} bisimilar? If they are, give a bisimulation; if not, "
            "a formula that is true at one of them and false at the other."
        )

    def shown(self) -> tuple[Shown, ...]:
        """Return both models."""
        return Shown(self.left, "The first model"), Shown(self.right, "The second model")

    @property
    def form(self) -> ABisimulation:
        """Pairs, or a formula."""
        return ABisimulation(_names(self.left), _names(self.right), self.left.atoms, self.left.agents)

    def _points(self) -> tuple[Hashable, Hashable]:
        return self.left.designated[0], self.right.designated[0]

    def judge(self, answer: frozenset[Pair] | Formula) -> Result:
        """Return whether the pairs are a bisimulation, or the formula distinguishes the worlds, and why."""
        points = self._points()
        w, v = map(world_text, points)
        if isinstance(answer, Formula):
            here, there = self.left.explain(answer, at=points[0]), self.right.explain(answer, at=points[1])
            same = "" if here.value != there.value else f"it is {str(here.value).lower()} at both worlds\n"
            return Result(not same, f"{same}at {w}: {here}\nat {v}: {there}")
        if (w, v) not in answer:
            return Result(False, f"the pair {w}-{v} is missing: it joins the two worlds in question")
        left, right = true_atoms(self.left), true_atoms(self.right)
        ordered = [(x, y) for x in left for y in right if (x, y) in answer]
        for x, y in ordered:
            for atom in self.left.atoms:
                if (atom in left[x]) != (atom in right[y]):
                    true, false = (x, y) if atom in left[x] else (y, x)
                    said = f"{atom} is true at {true} and false at {false}"
                    return Result(False, f"{x}-{y} does not fit: {said}")
            for agent in self.left.agents:
                seen = [u for u in left if (x, u) in relation_of(self.left, agent)]
                other = [t for t in right if (y, t) in relation_of(self.right, agent)]
                alone = [(x, u, y, other) for u in seen if not any((u, t) in answer for t in other)]
                alone += [(y, t, x, seen) for t in other if not any((u, t) in answer for u in seen)]
                for origin, step, across, others in alone:
                    only = "nothing"
                    if others:
                        only = f"only {', '.join(others)}, and no pair joins {step} to any of these"
                    said = f"from {origin} {agent} sees {step}, but from {across} {only}"
                    return Result(False, f"{x}-{y} does not fit: {said}")
        same = "the same atoms, and each step from one is matched by one from the other"
        return Result(True, "\n".join(["this is a bisimulation", *(f"{x}-{y}: {same}" for x, y in ordered)]))

    def solution(self) -> str:
        """Return the largest bisimulation, or a formula."""
        w, v = self._points()
        f = distinguishing_formula(self.left, w, self.right, v)
        if f is not None:
            return str(f)
        pairs = product(self.left.worlds, self.right.worlds)
        both = [(x, y) for x, y in pairs if bisimilar(self.left, x, self.right, y)]
        return ", ".join(f"{world_text(x)}-{world_text(y)}" for x, y in both)

    @classmethod
    def generate(cls, rng: Rng, *, size: int, same: bool) -> Self:
        """Return a model and a copy with a world doubled, which is changed unless they are the `same`."""
        left = random_model(size, "ab", rng)
        copies = [*map(str, left.worlds), str(left.worlds[int(rng.integers(size))])]
        names = [f"v{k + 1}" for k in rng.permutation(size + 1).tolist()]
        sources = dict(zip(names, copies, strict=True))
        order = sorted(names)

        def copied(cell: Sequence[Hashable]) -> list[str]:
            return [name for name in order if sources[name] in cell]

        classes = {agent: [*map(copied, left.classes(agent) or [])] for agent in left.agents}
        true = {atom: [name for name in order if atom in left.atoms_at(sources[name])] for atom in left.atoms}
        if not same and rng.random() < 0.5:  # an agent distinguishes one world from all others
            agent, apart = str(rng.choice(["a", "b"])), order[int(rng.integers(len(order)))]
            cells = [[w for w in cell if w != apart] for cell in classes[agent]]
            classes[agent] = [cell for cell in [*cells, [apart]] if cell]
        elif not same:  # an atom changes at a world
            atom, at = str(rng.choice(list(true))), order[int(rng.integers(len(order)))]
            true[atom] = sorted(set(true[atom]) ^ {at})
        point = next(name for name in order if sources[name] == "w1")
        right = KripkeModel.from_partitions(order, classes, true, point)
        assume(bisimilar(left, "w1", right, point) == same and bisimilar(left, "w1", right, point, depth=0))
        return cls("", left, right)


def _names(model: KripkeModel) -> tuple[str, ...]:
    return tuple(map(world_text, model.worlds))
