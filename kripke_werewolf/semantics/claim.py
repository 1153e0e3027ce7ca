"""A claim to be explained, and the reasons that lie in the parts of its formula."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kripke_werewolf.language import operators as s
from kripke_werewolf.models.frames import failures
from kripke_werewolf.semantics.costs import FEW, Lengths
from kripke_werewolf.semantics.explanation import Explanation, Link
from kripke_werewolf.semantics.truth import Frame
from kripke_werewolf.semantics.wording import clause, listed, quoted, world_text

__all__ = ["Claim", "Place", "Worlds"]

Worlds: TypeAlias = npt.NDArray[np.integer]

_LONGEST = 60  # the length from which on many claims of equal standing are summed up


class Place(NamedTuple):
    """A model of the query, and the updates that lead to it."""

    frame: Frame
    after: tuple[s.Announce | s.Act, ...]

    def name(self, world: int) -> Hashable:
        """Return the name of a world."""
        return self.frame.model.names[world]

    def said(self, world: int) -> str:
        """Return the name of a world as sentences have it."""
        return world_text(self.name(world))


class Claim:
    """A formula at a world, `depth` levels below the claim that was asked about."""

    def __init__(self, lengths: Lengths, place: Place, f: s.Formula, w: int, depth: int) -> None:
        self.lengths, self.place, self.f, self.w, self.depth = lengths, place, f, w, depth
        self.frame = place.frame
        self.model = place.frame.model
        self.value = bool(self.frame.memo[f][w])
        self.world, self.here = place.name(w), place.said(w)

    def explained(self) -> Explanation:
        """Return the claim with its reasons."""
        raise NotImplementedError

    # --- the claim in words, and parts of the tree ---------------------------------------------------

    def clause(self, f: s.Formula, value: bool = True, *, place: Place | None = None) -> str:
        """Return a clause about the model here, or in another place: who may be wrong there *believes*."""
        relations = (place or self.place).frame.model.relations.items()
        believers = [agent for agent, relation in relations if "reflexive" in failures(relation)]
        return clause(f, value, believers=believers)

    def claim(self) -> str:
        """Return the claim in words."""
        return f"{self.clause(self.f, self.value)} at {self.here}"

    def node(
        self,
        rule: str,
        sentence: str,
        children: Sequence[Explanation] = (),
        links: Sequence[Link] = (),
    ) -> Explanation:
        """Return the claim with the reasons given."""
        return Explanation(
            self.f, self.value, self.world, rule, sentence, tuple(children), tuple(links), self.place.after
        )

    def child(self, f: s.Formula, w: int | None = None, place: Place | None = None) -> Explanation:
        """Return the explanation of another claim: of a part, at another world, or after an update."""
        place = place or self.place
        place.frame.add([f])
        return type(self)(self.lengths, place, f, self.w if w is None else w, self.depth + 1).explained()

    def length(self, f: s.Formula) -> npt.NDArray[np.int64]:
        """Return the length of the explanation of a formula at each world here."""
        return self.lengths.of(self.frame, f)

    def brief(self, claims: int, length: int) -> bool:
        """Return whether that many claims, of this length altogether, are explained one by one."""
        return claims <= FEW and length + 8 * self.depth <= _LONGEST

    # --- parts of the formula, at the same world -----------------------------------------------------

    def some(self, parts: Sequence[s.Formula], value: bool) -> Explanation:
        """One part of that truth value decides: the one with the shortest explanation."""
        self.frame.add(parts)
        deciding = [g for g in parts if bool(self.frame.memo[g][self.w]) == value]
        best = min(deciding, key=lambda g: int(self.length(g)[self.w]))
        return self.node("one part", f"{self.claim()}: {self.clause(best, value)}", [self.child(best)])

    def every(self, parts: Sequence[s.Formula]) -> Explanation:
        """All parts matter."""
        parts = list(dict.fromkeys(parts))
        self.frame.add(parts)
        w = self.w
        true = [g for g in parts if self.frame.memo[g][w]]
        false = [g for g in parts if not self.frame.memo[g][w]]
        if len(parts) <= FEW:
            what = " and ".join(self.clause(g, bool(self.frame.memo[g][w])) for g in parts)
        elif true and false:
            what = f"{_few(true)} {_is(true)} true, {_few(false)} {_is(false)} false"
        else:
            what = f"all {len(parts)} parts are {'true' if true else 'false'}"
        sentence = f"{self.claim()}: {what}"
        if len(parts) > 2 * FEW or sum(int(self.length(g)[w]) for g in parts) + 8 * self.depth > _LONGEST:
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in parts])

    def implication(self, left: s.Formula, right: s.Formula) -> Explanation:
        """One side decides, unless the left is true and the right false."""
        memo, w = self.frame.memo, self.w
        if not self.value:
            sentence = f"{self.claim()}: {self.clause(left)}, but {self.clause(right, False)}"
            return self.node("one part", sentence, [self.child(left), self.child(right)])
        deciding = [g for g, value in ((left, False), (right, True)) if bool(memo[g][w]) == value]
        best = min(deciding, key=lambda g: int(self.length(g)[w]))
        return self.node(
            "one part", f"{self.claim()}: {self.clause(best, bool(memo[best][w]))}", [self.child(best)]
        )

    def count(self, parts: Sequence[s.Formula]) -> Explanation:
        """All parts are counted."""
        true = sum(bool(self.frame.memo[g][self.w]) for g in parts)
        sentence = f"{self.claim()}: {true} of the {len(parts)} parts {'is' if true == 1 else 'are'} true"
        if len(parts) > 2 * FEW:
            return self.node("all parts", sentence)
        return self.node("all parts", sentence, [self.child(g) for g in dict.fromkeys(parts)])


def _few(parts: Sequence[s.Formula]) -> str:
    return listed([quoted(g) for g in parts[:FEW]], len(parts))


def _is(parts: Sequence[s.Formula]) -> str:
    return "is" if len(parts) == 1 else "are"
