"""Explanations: why a formula is true or false at a world, as a tree of reasons."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from kripke_werewolf.language.formulas import Formula
from kripke_werewolf.language.operators import Act, Announce

if TYPE_CHECKING:
    from kripke_werewolf.models.model import KripkeModel

__all__ = ["Explanation", "Link"]


class Link(NamedTuple):
    """A step from a world to one that all of the agents consider possible there."""

    source: Hashable
    agents: tuple[str, ...]
    target: Hashable


@dataclass(frozen=True, slots=True)
class Explanation:
    """The claim that `formula` has the truth value `value` at `world`, and why.

    `children` are the claims that it follows from, by the `rule`; where a rule looks at more worlds
    or parts than anybody would read, there are no children and the sentence sums them up. `links`:
    the steps between worlds that were taken. `after`: the updates made on the way from the model
    that was asked; `world` is a world of the updated model. `world` is None if the claim is about
    all designated worlds.

    `str` gives the whole tree, indented; `sentences` the gist.
    """

    formula: Formula
    value: bool
    world: Hashable | None
    rule: str
    sentence: str
    children: tuple[Explanation, ...] = ()
    links: tuple[Link, ...] = ()
    after: tuple[Announce | Act, ...] = ()

    def __iter__(self) -> Iterator[Explanation]:
        """Yield this claim and all it follows from, each before its own reasons."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def __str__(self) -> str:
        return "\n".join("  " * depth + node.sentence for depth, node in self._told())

    def _told(self) -> Iterator[tuple[int, Explanation]]:
        # what a negation rests on says it all, and an atom's value is said where it is used
        stack = [(0, self)]
        while stack:
            depth, node = stack.pop()
            if node.rule != "negation":
                if not (depth and node.rule == "valuation"):
                    yield depth, node
                depth += 1
            stack.extend((depth, child) for child in reversed(node.children))

    def sentences(self) -> str:
        """Return the reason in at most two sentences."""
        # not capitalised: a sentence may begin with the name of an agent
        return " ".join(f"{node.sentence}." for _, node in [*self._told()][:2])

    @property
    def path(self) -> tuple[Link, ...]:
        """The steps between worlds of the model that was asked, in the order of the reasons."""
        return tuple(dict.fromkeys(link for node in self if not node.after for link in node.links))

    @property
    def worlds(self) -> tuple[Hashable, ...]:
        """The worlds of the model that was asked which the reasons mention, in their order."""
        found = [w for node in self if not node.after for w in (node.world, *(k.target for k in node.links))]
        return tuple(dict.fromkeys(w for w in found if w is not None))

    def check(self, model: KripkeModel) -> bool:
        """Return whether every claim holds in the model, and follows from its reasons."""
        from kripke_werewolf.semantics.recheck import follows

        return all(follows(model, node) for node in self)
