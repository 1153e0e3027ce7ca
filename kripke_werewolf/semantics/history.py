"""A model and the named updates applied to it: what was known when, and since when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, islice

from kripke_werewolf.errors import FalseAnnouncement, ModelError
from kripke_werewolf.language.formulas import Formula, FormulaLike, formula
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.action import ActionModel
from kripke_werewolf.semantics.verdict import Verdict

__all__ = ["History", "Learning", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One update: its name, the action (a formula: its public announcement), and the model after it."""

    name: str
    action: ActionModel | Formula
    model: KripkeModel


@dataclass(frozen=True, slots=True)
class Learning:
    """When a formula came to hold, and which updates suffice for it.

    `since`: the number of the step from which on it has held, 0 if from the start. `sufficient`:
    steps (numbers) that, taken alone and in order, already make it hold. `smallest`: whether it is
    known that no fewer do; in any case none of them can be left out.
    """

    formula: Formula
    since: int
    sufficient: tuple[int, ...]
    smallest: bool = True


@dataclass(frozen=True, slots=True)
class History:
    """A model and the updates applied to it so far; an immutable value.

    Steps are numbered from 1; step 0 is the start.

    >>> start = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
    >>> h = History(start).then("p", name="father speaks")
    >>> h.since("K_a p"), len(h.model), [s.name for s in h.steps]
    (1, 1, ['father speaks'])
    """

    start: KripkeModel
    steps: tuple[Step, ...] = field(default=())

    @property
    def model(self) -> KripkeModel:
        """The model now."""
        return self.steps[-1].model if self.steps else self.start

    def __len__(self) -> int:
        return len(self.steps)

    def models(self) -> Iterator[KripkeModel]:
        """Yield the model at the start and after every step."""
        yield self.start
        for step in self.steps:
            yield step.model

    def then(self, action: ActionModel | FormulaLike, *, name: str | None = None) -> History:
        """Return the history after one more update: an action model, or a formula announced publicly.

        Raises `FalseAnnouncement` if it cannot happen at any designated world.
        """
        act = action if isinstance(action, ActionModel) else formula(action)
        model = _applied(self.model, act)
        label = name or (act.name if isinstance(act, ActionModel) else f"!{act}")
        return History(self.start, (*self.steps, Step(label, act, model)))

    def at(self, step: int) -> KripkeModel:
        """Return the model after a step (0: the start)."""
        return self.branch(step).model

    def undo(self) -> History:
        """Return the history without its last update."""
        if not self.steps:
            raise ModelError("nothing to undo: no update has been made")
        return History(self.start, self.steps[:-1])

    def branch(self, step: int) -> History:
        """Return the history up to and including a step, to continue differently from there."""
        if not 0 <= step <= len(self.steps):
            raise ModelError(f"there is no step {step}; steps run from 0 (the start) to {len(self.steps)}")
        return History(self.start, self.steps[:step])

    def timeline(self, *formulas: FormulaLike) -> list[tuple[Verdict, ...]]:
        """Return the verdicts of the formulas at the start and after every step."""
        asked = [formula(f) for f in formulas]
        return [tuple(model.verdict(f) for f in asked) for model in self.models()]

    def since(self, f: FormulaLike) -> int | None:
        """Return the step since which a formula has held without a break; None if it does not hold now."""
        asked = formula(f)
        held: int | None = None
        for number, model in reversed(list(enumerate(self.models()))):
            if not model.holds(asked):
                break
            held = number
        return held

    def explain_learning(self, f: FormulaLike, *, limit: int = 2000) -> Learning | None:
        """Return since when a formula holds and which steps suffice for it; None if it does not hold.

        Sets of steps are tried by size, at most `limit` of them; then steps are left out one after
        the other, as long as the rest suffices.
        """
        asked = formula(f)
        since = self.since(asked)
        if since is None:
            return None
        cache: dict[tuple[int, ...], KripkeModel | None] = {(): self.start}
        numbers = range(1, len(self.steps) + 1)
        by_size = (chosen for size in range(len(numbers) + 1) for chosen in combinations(numbers, size))
        for chosen in islice(by_size, limit):
            if self._suffices(chosen, asked, cache):
                return Learning(asked, since, chosen)
        left, tried = tuple(numbers), 0
        while tried < len(left):  # until none of those left can go
            fewer = left[:tried] + left[tried + 1 :]
            left, tried = (fewer, 0) if self._suffices(fewer, asked, cache) else (left, tried + 1)
        return Learning(asked, since, left, smallest=False)

    def _suffices(
        self, chosen: tuple[int, ...], asked: Formula, cache: dict[tuple[int, ...], KripkeModel | None]
    ) -> bool:
        model = self._only(chosen, cache)
        return model is not None and model.holds(asked)

    def _only(
        self, chosen: tuple[int, ...], cache: dict[tuple[int, ...], KripkeModel | None]
    ) -> KripkeModel | None:
        """Return the model after the chosen steps alone, None where one of them cannot happen then."""
        if chosen not in cache:
            before = self._only(chosen[:-1], cache)
            try:
                cache[chosen] = (
                    None if before is None else _applied(before, self.steps[chosen[-1] - 1].action)
                )
            except FalseAnnouncement:
                cache[chosen] = None
        return cache[chosen]


def _applied(model: KripkeModel, action: ActionModel | Formula) -> KripkeModel:
    return model.update(action) if isinstance(action, ActionModel) else model.announce(action)
