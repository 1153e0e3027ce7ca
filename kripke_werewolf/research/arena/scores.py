"""Scores of decisions, of three kinds, and reports of them with intervals.

*Knowledge* assumes nothing of the others: weight on what is known to be false. *P* compares stated beliefs
with the exact probabilities under a named reference of the others' play. *Truth* compares them with what is
so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import log
from statistics import fmean
from typing import Any, TypeAlias

from kripke_werewolf.base.reports.tables import Grid
from kripke_werewolf.games.programs.chance import clustered

Shares: TypeAlias = Mapping[str, Fraction]
"""Probabilities of facts."""
LEAST = 0.001
"""Beliefs nearer to 0 or 1 count as this far from them in the log loss, and are counted apart."""


def scored(exact: Shares, truth: Shares, stated: Mapping[str, float], total: int | None) -> dict[str, Any]:
    """Return the scores of stated beliefs: means over the facts, in nats; a fact left out counts as 1/2.

    `log` and `brier` are expected losses under P, `log_bound` and `brier_bound` the least possible ones;
    `log_truth` and `brier_truth` are losses against the truth. `against_known`: the weight against facts that
    are known, of which `known` were stated; `sure_wrong`: facts stated as 0 or 1 that are not known;
    `sum_off`: how far the beliefs are from adding up to the number of facts that are true.
    """
    p, t = ([float(shares[fact]) for fact in exact] for shares in (exact, truth))
    q = [stated.get(fact, 0.5) for fact in exact]
    found: dict[str, Any] = {"exact": {fact: str(share) for fact, share in exact.items()}}
    found |= {"truth": {fact: str(share) for fact, share in truth.items()}, "stated": dict(stated)}
    found |= {"log": _log_loss(p, q), "log_bound": _log_loss(p, p), "log_truth": _log_loss(t, q)}
    found |= {"brier": _brier(p, q), "brier_bound": _brier(p, p), "brier_truth": _brier(t, q)}
    known = [fact for fact in stated if exact[fact] in (0, 1)]
    found |= {"left_out": len(exact) - len(stated), "known": len(known)}
    found["against_known"] = round(sum(abs(float(exact[fact]) - stated[fact]) for fact in known), 6)
    found["sure_wrong"] = sum(stated[fact] in (0, 1) for fact in stated if fact not in known)
    if total is not None and not found["left_out"]:
        found["sum_off"] = round(abs(sum(q) - total), 6)
    return found


def _log_loss(p: Sequence[float], q: Sequence[float]) -> float:
    clipped = [(one, min(max(other, LEAST), 1 - LEAST)) for one, other in zip(p, q, strict=True)]
    return round(-fmean(one * log(other) + (1 - one) * log(1 - other) for one, other in clipped), 6)


def _brier(p: Sequence[float], q: Sequence[float]) -> float:
    pairs = zip(p, q, strict=True)
    return round(fmean(one * (1 - other) ** 2 + (1 - one) * other**2 for one, other in pairs), 6)


# --- reports -------------------------------------------------------------------------------------


def measures(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the measures of a decision with their values; their means are reported."""
    yield "answers without a legal move", len(row["tries"]) - 1 + row["forfeit"]
    yield "forfeits", row["forfeit"]
    yield "P: log loss above its bound", row["log"] - row["log_bound"]
    yield "P: Brier above its bound", row["brier"] - row["brier_bound"]
    yield "truth: log loss above the bound of P", row["log_truth"] - row["log_bound"]
    yield "K: sure of what is open", row["sure_wrong"]
    if row["known"]:
        yield "K: weight against what is known", row["against_known"] / row["known"]
    if "sum_off" in row:
        yield "K: sum off by", row["sum_off"]
    if "regret" in row:
        yield f"regret ({row['regret_kind']})", row["regret"]
    for one in (*row["claims"], row.get("judged", {})):
        if one.get("sentence"):
            yield "said: unread", "unread" in one
        if "speaker" in one:
            yield "said: known to be false", one["speaker"] is False
        if "caught_by" in one:
            yield "said: caught by somebody", bool(one["caught_by"])
            yield "said: impossible", one["impossible"]


def arena_report(games: Iterable[Sequence[Mapping[str, Any]]], by: Sequence[str] = ()) -> Grid:
    """Return the means of the measures by table and agent, with 95% intervals.

    `games`: the lines of recorded games (`read_rows`); `by`: fields of decisions to divide by, such as
    `role`, `phase` or `kind`. A mean is a ratio over decisions, with games as clusters: the mean of the
    games' means would be biased, since the length of a game depends on who is what.
    """
    found: dict[tuple[str, ...], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, (head, *rows, _) in enumerate(games):
        table = " ".join(f"{name}={v}" for name, v in (head["table"] | {"seed": 0}).items() if v)
        for row in rows:
            for name, value in measures(row):
                group = table, row["agent"], *(str(row[field]) for field in by), name
                found[group][number].append(float(value))
    lines = []
    for group, values in sorted(found.items()):
        mean, half = clustered(values.values())
        numbers = f"{mean:.4f}", f"{half:.4f}", str(sum(map(len, values.values()))), str(len(values))
        lines.append((*group, *numbers))
    header = ("table", "agent", *by, "measure", "mean", "±", "decisions", "games")
    return Grid(header, tuple(lines), words=True)
