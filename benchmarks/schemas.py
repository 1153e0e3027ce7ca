"""How fast schemas are decided: `python -m benchmarks.schemas [LOGIC …]`.

The textbook's schemas of public announcement logic, in every logic if none is named. A row gives the least
CPU time of the answer, and that of the answer with an instance and its smallest counter-model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial

from benchmarks.timing import best
from kripke_werewolf.logic.deciding import LOGICS, decide_validity, valid
from tests.reference.schemas import INVALID, VALID

BUDGET = 0.02  # seconds for each schema, logic and column


def slowest(step: Callable[..., object], schema: str, logics: Iterable[str]) -> float:
    """Return the time of a step for a schema in the logic where it takes longest."""
    return max(best(partial(step, schema, logic=logic), budget=BUDGET) for logic in logics)


def schema_rows(logics: Iterable[str] = tuple(LOGICS)) -> list[tuple[str, float, float]]:
    """Return each schema with the time of the answer, and of all that is shown."""
    return [(f, slowest(valid, f, logics), slowest(decide_validity, f, logics)) for f in VALID + INVALID]


def main(*logics: str) -> None:
    print(f"{'ms, in the slowest logic':52}{'answer':>9}{'shown':>9}")
    rows = schema_rows(logics or tuple(LOGICS))
    for schema, answer, shown in rows:
        print(f"{schema:52}{answer * 1e3:9.2f}{shown * 1e3:9.2f}")
    print(f"{'the slowest':52}{max(r[1] for r in rows) * 1e3:9.2f}{max(r[2] for r in rows) * 1e3:9.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
