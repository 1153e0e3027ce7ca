"""What was said in a game and believed, as far as it bears on knowledge."""

from __future__ import annotations

from collections.abc import Iterable

from kripke_werewolf.language.formulas import Formula, formula
from kripke_werewolf.werewolf.events import Event, Said

__all__ = ["secretly_told", "spoken_agents", "spoken_atoms"]


def _spoken(events: Iterable[Event]) -> list[tuple[Said, Formula]]:
    """Return what was said and believed, with the formulas."""
    return [(e, formula(e.formula)) for e in events if isinstance(e, Said) and e.believed]


def spoken_agents(events: Iterable[Event]) -> frozenset[str]:
    """Return the players whose knowledge bears on what was said: heard, or spoken about."""
    found: set[str] = set()
    for event, f in _spoken(events):
        found |= f.agents | ({event.speaker, *event.to} if event.to else set())
    return frozenset(found)


def spoken_atoms(events: Iterable[Event]) -> frozenset[str]:
    """Return the atoms in what was said and believed."""
    return frozenset[str]().union(*(f.atoms for _, f in _spoken(events)))


def secretly_told(events: Iterable[Event]) -> bool:
    """Whether something was told that the others did not notice, so that their beliefs may be false."""
    return any(isinstance(e, Said) and e.to and not e.noticed for e in events)
