"""A model and the named updates applied to it, with queries about when formulas were true."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, combinations, islice
from math import inf
from typing import Any, Generic, TypeAlias, TypeVar, Unpack

from kripke_werewolf.base.display import DRAWN_WORLDS, Displayed
from kripke_werewolf.base.drawing import Options, Picture, Pictures, drawer
from kripke_werewolf.base.errors import FalseAnnouncement, ModelError
from kripke_werewolf.base.reports.documents import Block, Paragraph
from kripke_werewolf.base.reports.tables import Grid, Tabled
from kripke_werewolf.logic.formulas.operators import TRUE
from kripke_werewolf.logic.formulas.syntax import Formula, FormulaLike, asked_formula, formula
from kripke_werewolf.logic.models.model import KripkeModel, Model, Numbered
from kripke_werewolf.logic.semantics.action import ActionModel
from kripke_werewolf.logic.semantics.space import check_formula_names, needs
from kripke_werewolf.logic.semantics.verdict import Verdict

M = TypeVar("M", bound=Model)

_Known: TypeAlias = "dict[tuple[int, ...], History[M] | None]"  # the histories of some of the steps alone
_SMALL = 1024  # worlds up to which a model is kept as it is
_GROWTH = 4  # and the factor by which it may have grown since the start


@dataclass(frozen=True, repr=False)
class Step(Displayed, Generic[M]):
    """An update: its name, the action (a formula: its public announcement), and the model before it."""

    name: str
    action: ActionModel | Formula
    before: Step[M] | M

    @property
    def model(self) -> M:
        """The model after the step, computed on first use.

        Of announcements in a large model that were followed by another step, only the worlds left are kept.
        """
        if "model" in self.__dict__:
            return self.__dict__["model"]  # type: ignore[no-any-return]
        if "left" in self.__dict__:
            return self._again()
        missing: list[Step[M]] = [self]  # a list, since a history may have more steps than calls can nest
        while isinstance(before := missing[-1].before, Step) and not before.is_known:
            missing.append(before)
        model = before.model if isinstance(before, Step) else before
        for step in reversed(missing):
            model = step.made(_applied(model, step.action))
        return model

    @property
    def is_known(self) -> bool:
        """Whether the model has been computed."""
        return "model" in self.__dict__ or "left" in self.__dict__

    def made(self, model: M) -> M:
        """Keep the model after the step, and less of the one before it if it was an announcement."""
        self.__dict__["model"] = model
        if isinstance(self.before, Step):
            self.before._lighten()
        return model

    def _lighten(self) -> None:
        """Keep only which worlds of a large model are left, if the step was an announcement."""
        origin, model = self._origin(), self.__dict__.get("model")
        if isinstance(origin, KripkeModel) and isinstance(model, KripkeModel) and model.size > _SMALL:
            left = model.worlds.places_in(origin.worlds)
            if left is not None:
                import numpy as np

                self.__dict__["left"] = np.packbits(np.bincount(left, minlength=len(origin)).astype(bool))
                del self.__dict__["model"]

    def _origin(self) -> Any:
        """Return the model before the announcements that end with this step."""
        moment: Any = self
        while isinstance(moment, Step) and not isinstance(moment.action, ActionModel):
            moment = moment.before
        return moment.model if isinstance(moment, Step) else moment

    def _again(self) -> M:
        """Return the model of the worlds that are left."""
        import numpy as np

        origin = self._origin()
        moments = [moment for moment in (self.before, self) if isinstance(moment, Step)]
        packed = [moment.__dict__["left"] for moment in moments if "left" in moment.__dict__]
        left = [np.unpackbits(bits, count=len(origin)).view(np.bool_) for bits in packed]
        if len(left) == 2:  # what the step itself lost is found by comparing it with the step before
            origin, left[1] = Numbered(origin).submodel(np.flatnonzero(left[0])), left[1][left[0]]
        return Numbered(origin).submodel(np.flatnonzero(left[-1]))  # type: ignore[return-value]

    def headline(self) -> str:
        """Return the name of the step and, if known, the number of worlds after it."""
        return f"{self.name}; worlds afterwards: {_size(self)}"

    def display(self) -> Iterator[Block]:
        """Yield the line and the picture: the model with the lost parts in grey, or the product."""
        yield Paragraph(self.headline())
        if _is_small(self) and _is_small(self.before):
            yield from self.draw().display()

    def draw(self, **options: Unpack[Options]) -> Picture:
        """Return the picture of the update: the model with everything lost in grey.

        For an action model: the model, the action and the product.
        """
        before: Any = self.before.model if isinstance(self.before, Step) else self.before
        if isinstance(self.action, ActionModel):
            return drawer("update_picture")(before, self.action, **options)
        after: Any = self.model
        return drawer("difference")(before, after, **options)


@dataclass(frozen=True, slots=True, repr=False)
class Learning(Displayed):
    """The step that made a formula true, and which updates suffice for it.

    `since`: the step since which it has been true, 0 for the start. `sufficient`: the numbers of steps that
    make it true even without the others, in order; none of them can be left out. `smallest`: whether it is
    known that no smaller set suffices.
    """

    formula: Formula
    since: int
    sufficient: tuple[int, ...]
    smallest: bool = True

    def headline(self) -> str:
        """Return the step since which the formula has been true, and the steps that suffice."""
        which = ", ".join(map(str, self.sufficient))
        enough = f"updates {which} alone suffice"
        if len(self.sufficient) == 1:
            enough = f"update {which} alone suffices"
        if not self.sufficient:
            enough = "none is needed"
        fewest = "" if self.smallest else " (fewer may do)"
        return f"{self.formula.unicode()} since update {self.since}; {enough}{fewest}"


@dataclass(frozen=True, repr=False)
class History(Displayed, Generic[M]):
    """A model and the updates applied to it so far; an immutable value.

    Steps are numbered from 1; step 0 is the start. If the models grow, queries about the designated worlds
    are answered on contracted models, with the same answers.

    >>> start = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]})
    >>> h = History(start).then("p", name="father speaks")
    >>> h.since("K_a p"), len(h.model), [s.name for s in h.steps]
    (1, 1, ['father speaks'])
    >>> h["father speaks"].model == h.model, [step.name for step in h]
    (True, ['father speaks'])
    """

    start: M
    steps: tuple[Step[M], ...] = ()

    @property
    def model(self) -> M:
        """The model now."""
        return self.steps[-1].model if self.steps else self.start

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step[M]]:
        return iter(self.steps)

    def __contains__(self, step: object) -> bool:
        return step in self.steps or step in [each.name for each in self.steps]

    def __getitem__(self, name: str) -> Step[M]:
        found = [step for step in self.steps if step.name == name]
        if len(found) != 1:
            told = "several steps" if found else "no step"
            numbers = "history.steps[0] is the first step, history.at(1) the model after it"
            raise ModelError(f"the history has {told} {name!r} ({self._names()[1:]!r}); {numbers}")
        return found[0]

    def headline(self) -> str:
        """Return the updates, and the number of worlds before and after them."""
        updates = ", ".join(step.name for step in self.steps)
        sizes = " → ".join(_size(moment) for moment in self._moments())
        return f"{updates or 'no update'}; worlds: {sizes}"

    def display(self) -> Iterator[Block]:
        """Yield the pictures, or for large models a table of the updates and sizes."""
        if all(map(_is_small, self._moments())):
            yield from self.draw().display()
        else:
            sizes = map(_size, self._moments())
            yield Grid(("after", "worlds"), tuple(zip(self._names(), sizes, strict=True)))

    def draw(self, **options: Unpack[Options]) -> Pictures:
        """Return the pictures of all models, with fixed positions of worlds; a notebook shows them all."""
        return drawer("film")(self, **options)

    def _moments(self) -> list[Step[M] | M]:
        return [self.start, *self.steps]

    def _names(self) -> list[str]:
        return ["the start", *(step.name for step in self.steps)]

    @property
    def models(self) -> tuple[M, ...]:
        """The model at the start and after every step."""
        return tuple(map(self.at, range(len(self) + 1)))

    def then(self, action: ActionModel | FormulaLike, *, name: str | None = None) -> History[M]:
        """Return the history after one more update: an action model, or a formula announced publicly.

        Raises `FalseAnnouncement` if it cannot happen at any designated world.
        """
        act: ActionModel | Formula
        if isinstance(action, ActionModel):
            act, label = action, action.name
        else:
            act = formula(action, agents=self.start.agents)
            label = f"!{act}"
        step = Step(name or label, act, self._moments()[-1])
        longer = History(self.start, (*self.steps, step))
        longer._after(len(longer), TRUE)  # an update that cannot happen is refused here
        return longer

    def at(self, step: int) -> M:
        """Return the model after a step (0: the start)."""
        return self.branch(step).model

    def undo(self) -> History[M]:
        """Return the history without its last update."""
        if not self.steps:
            raise ModelError("nothing to undo: no update has been made")
        return History(self.start, self.steps[:-1])

    def branch(self, step: int) -> History[M]:
        """Return the history up to and including a step, from which another can be continued."""
        if not 0 <= step <= len(self.steps):
            raise ModelError(f"there is no step {step}; steps run from 0 (the start) to {len(self.steps)}")
        return History(self.start, self.steps[:step])

    def holds(self, f: FormulaLike, *, step: int | None = None) -> bool:
        """Return whether a formula is true at all designated worlds after a step, by default the last.

        While the models grow, it is evaluated on contracted ones.

        >>> from functools import reduce
        >>> from kripke_werewolf.logic.semantics import private
        >>> start = KripkeModel.from_partitions("wv", {"a": ["wv"], "b": ["wv"]}, {"p": ["w"]}, "w")
        >>> secrets = [private(agent, "p") for agent in 20 * "ab"]
        >>> reduce(History.then, secrets, History(start)).holds("K_a p & ~K_a K_b p")
        True
        """
        asked = asked_formula(f, self.start.agents)
        number = len(self.branch(len(self) if step is None else step))
        return self._after(number, asked).holds(asked)

    def verdict(self, f: FormulaLike, *, step: int | None = None) -> Verdict:
        """Return the verdict on a formula at the designated worlds after a step, by default the last."""
        asked = asked_formula(f, self.start.agents)
        number = len(self.branch(len(self) if step is None else step))
        return self._after(number, asked).verdict(asked)

    def timeline(self, *formulas: FormulaLike) -> Tabled[tuple[Verdict, ...]]:
        """Return the verdicts of the formulas at the start and after every step.

        >>> start = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"]}, ["w"])
        >>> History(start).then("p", name="father speaks").timeline("K_a p")
        step  after          K_a p
        0     the start      false
        1     father speaks  true
        """
        asked = [formula(f) for f in formulas]
        rows = [tuple(self.verdict(f, step=k) for f in asked) for k in range(len(self) + 1)]
        cells = ((str(k), name, *row) for k, (name, row) in enumerate(zip(self._names(), rows, strict=True)))
        header = ("step", "after", *(f.unicode() for f in asked))
        return Tabled(rows, Grid(header, tuple(cells), words=True))

    def since(self, f: FormulaLike) -> int | None:
        """Return the step since which a formula has been true; None if it is not true now."""
        held: int | None = None
        for number in reversed(range(len(self) + 1)):
            if self.verdict(f, step=number) != "true":
                break
            held = number
        return held

    def explain_learning(self, f: FormulaLike, *, limit: int = 2000) -> Learning | None:
        """Return the steps that made a formula true; None if it is not true.

        Sets of steps are tried in order of size, at most `limit` of them; then single steps are removed as
        long as the rest suffices.
        """
        asked = asked_formula(f, self.start.agents)
        since = self.since(asked)
        if since is None:
            return None
        known: _Known[M] = {(): History(self.start)}

        def suffices(chosen: tuple[int, ...]) -> bool:
            alone = self._only(chosen, known)
            return alone is not None and alone.verdict(asked) == "true"

        numbers = range(1, len(self.steps) + 1)
        by_size = (chosen for size in range(len(numbers) + 1) for chosen in combinations(numbers, size))
        for chosen in islice(by_size, limit):
            if suffices(chosen):
                return Learning(asked, since, chosen)
        left, tried = tuple(numbers), 0
        while tried < len(left):  # until none of those left can go
            fewer = left[:tried] + left[tried + 1 :]
            if suffices(fewer):
                left, tried = fewer, 0
            else:
                tried += 1
        return Learning(asked, since, left, smallest=False)

    def _only(self, chosen: tuple[int, ...], known: _Known[M]) -> History[M] | None:
        """Return the history of the chosen steps alone, None if one of them is impossible in it."""
        if chosen not in known:
            known[chosen], before = None, self._only(chosen[:-1], known)
            if before is not None:
                with suppress(FalseAnnouncement):
                    known[chosen] = before.then(self.steps[chosen[-1] - 1].action)
        return known[chosen]

    def _after(self, number: int, asked: Formula) -> M:
        """Return a model that satisfies the same formula as the model after a step."""
        built = max(k for k in range(number + 1) if k == 0 or self.steps[k - 1].is_known)
        model = self.at(built)
        for done, step in enumerate(self.steps[built:number], built):
            after = _applied(model, step.action)
            if isinstance(model, KripkeModel) and isinstance(after, KripkeModel):
                # with one designated world, the contraction has one too
                large = after.size > max(_SMALL, _GROWTH * self.start.size)
                if large and len(after.designated) == 1:
                    return _contracted(model, self.steps[done:number], asked)  # type: ignore[return-value]
            model = step.made(after)
        return model


def _applied(model: M, action: ActionModel | Formula) -> M:
    after: Any = model.update(action) if isinstance(action, ActionModel) else model.announce(action)
    return after  # type: ignore[no-any-return]


def _size(moment: Step[Any] | Model) -> str:
    """Return the number of worlds at a moment; "?" if a large model has not been computed yet."""
    if isinstance(moment, Step):
        return _size(moment.model) if moment.is_known else "?"
    return f"{moment.size:,}"


def _is_small(moment: Step[Any] | Model) -> bool:
    """Return whether a notebook draws the model at a moment."""
    if isinstance(moment, Step):
        return moment.is_known and _is_small(moment.model)
    return isinstance(moment, KripkeModel) and moment.size <= DRAWN_WORLDS


def _contracted(model: KripkeModel, steps: Sequence[Step[Any]], asked: Formula) -> KripkeModel:
    """Return a model that satisfies the same formula as the model after some more steps.

    It keeps only the agents and atoms that matter to the formula; the models along the way are contracted.
    """
    check_formula_names(model.space, asked)
    lacking = [needs(asked, model.variables)]
    for step in reversed(steps):
        lacking.append(lacking[-1].after(needs(step.action, model.variables)))
    small, whole = model, lacking[-1].whole
    if not whole:
        values = (value for values in model.variables.values() for value in values.values())
        conditions = (s.action.formulas if isinstance(s.action, ActionModel) else (s.action,) for s in steps)
        mattering = [asked, *values, *chain.from_iterable(conditions)]
        agents = frozenset[str]().union(*(f.agents for f in mattering))
        atoms = frozenset[str]().union(*(f.atoms for f in mattering))
        small = model.for_agents(sorted(agents), sorted(atoms.intersection(model.atoms)))
    for step, need in zip(steps, lacking[-2::-1], strict=True):
        if isinstance(step.action, ActionModel):
            small = small.update(step.action, merge=not whole)
        else:
            small = small.announce(step.action)
        if small.size <= _SMALL:
            continue
        near = need.depth < inf and not need.distributed and not need.probable
        if near and not small.space.is_ordered:
            small = small.contract(depth=int(need.depth))
        else:
            reached = small if need.whole else small.generated()
            small = reached.contract(keep_distributed=need.distributed, keep_probability=need.probable)
    return small
