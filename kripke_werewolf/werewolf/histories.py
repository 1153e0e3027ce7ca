"""The engine that finds all histories that explain what was told; see `inference`."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from kripke_werewolf.errors import Undecided
from kripke_werewolf.language import operators as s
from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import Probability
from kripke_werewolf.models.model import KripkeModel
from kripke_werewolf.semantics.verdict import Verdict
from kripke_werewolf.werewolf.engines import Cover, Engine, is_weighted, remembered
from kripke_werewolf.werewolf.told import Told

if TYPE_CHECKING:
    from kripke_werewolf.werewolf.inference import Budget, Replay
    from kripke_werewolf.werewolf.inference import Histories as Found

_SECONDS_FOR_ENTRIES = 10
"""The largest number of seconds for finding the entries of tables on which an answer rests."""


@dataclass(frozen=True)
class AllHistories(Engine):
    """Finds all histories that explain what was told, numbers of tables, verdicts and silence included."""

    name: ClassVar[str] = "histories"

    budget: Budget
    kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """The latest search that was finished, which questions about the same moment need not repeat."""
    _found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def covers(self, told: Told, question: Formula) -> Cover:
        """Return whether a question is about what the owners know, and histories of the game can be found.

        The cost is the number of deals that sums go over, or the most histories that are listed.
        """
        from kripke_werewolf.werewolf.inference.plan import BY_FACTS, plan_of
        from kripke_werewolf.werewolf.inference.replay import MOST_HISTORIES, unlisted
        from kripke_werewolf.werewolf.inference.search import unsearched

        operators = (s.OfAgent, s.OfGroup, Probability)
        if not all(f.pointwise or isinstance(f, operators) for f in question.subformulas()):
            return Cover(
                None, "reading='exact' is about what players know now", ("reading='facts' can answer",)
            )
        if self._of_one(told, question):
            why, cost = unsearched(plan_of(told)), told.setup.deck.worlds
        else:
            why = unlisted(told, sorted(question.agents), weighted=is_weighted(question))
            cost = MOST_HISTORIES
        if why:
            return Cover(None, why, (BY_FACTS,))
        return Cover(cost)

    def of(self, told: Told, player: str) -> Found:
        """Return the histories that explain what an owner was told."""
        from kripke_werewolf.werewolf.inference import find_histories, plan_of

        def found() -> Found:
            known, plan = self.kept.get("of one"), plan_of(told.of(player))
            if known is None or known.plan != plan:
                known = find_histories(plan, self.budget)
                if not known.reason:  # with more time there may be more
                    self.kept["of one"] = known
            return known.within(self.budget)

        return remembered(self._found, player, found)

    def listed(self, told: Told, question: Formula) -> Replay:
        """Return the list of all histories, for what several players know of each other."""
        from kripke_werewolf.werewolf.inference import Replay

        return Replay.of(told, question, self.budget, self._found, self.kept)

    def unfinished(self, told: Told, question: Formula) -> bool:
        """Whether there are too many histories to list them all."""
        return not self._of_one(told, question) and bool(self.listed(told, question).unfinished)

    def _of_one(self, told: Told, question: Formula) -> bool:
        """Whether it is about what one player knows of facts, so that the histories need not be listed."""
        from kripke_werewolf.werewolf.inference.plan import under_way, unplanned

        alone = len(told.owners) == 1 and question.agents <= {told.player}
        alone = alone and not under_way(told, question.atoms)
        return alone and told.setup.deck.plain and not any(map(unplanned, told.entries))

    def verdict(self, told: Told, question: Formula) -> Verdict:
        """Return the verdict, over all histories."""
        return self.model(told, question).verdict(question)

    def probabilities(self, told: Told, player: str, fact: Formula) -> dict[Fraction, int]:
        """Return the player's probability, over all histories."""
        return {self.of(told, player).chance(fact): 1}

    def shown(self, told: Told, question: Formula) -> KripkeModel | None:
        """Return a model of what one player knows; None for what several know of each other."""
        return self.model(told, question) if self._of_one(told, question) else None

    def model(self, told: Told, question: Formula, *, deals: bool = False) -> KripkeModel:
        """Return the model of what the owners know; `deals`: for an explanation, told apart by all cards."""
        if self._of_one(told, question):
            return self.of(told, told.player).model(question, deals=deals)
        return self.listed(told, question).model(question, deals=deals)

    def rests_on(self, told: Told, question: Formula) -> tuple[str, ...]:
        """Return the entries of tables that imply what one player knows of facts."""
        of_one = self._of_one(told, question)
        if not of_one or not isinstance(question, s.Knows) or not question.body.is_boolean:
            return ()
        seconds = self.budget.left(_SECONDS_FOR_ENTRIES)
        if not seconds:
            raise Undecided(f"time ran out before the entries on which {question} rests were found")
        why = self.of(told, question.agent).because(question.body, seconds=seconds)
        return () if why is None else tuple(map(str, why.cells))
