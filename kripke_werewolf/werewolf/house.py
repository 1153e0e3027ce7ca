"""What a group settles for itself: house rules, and the seed of all chance, as a log keeps them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

from kripke_werewolf.errors import FormatError, GameError

__all__ = ["HouseRules", "Ties", "Unacted", "read_session", "session_fields"]

Ties: TypeAlias = Literal["lot", "village"]
Unacted: TypeAlias = Literal["remind", "pass", "random"]


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the published rules leave to the village. Raises GameError for what they cannot be.

    >>> HouseRules(missing="pass")
    HouseRules(ties='lot', missing='pass')
    """

    ties: Ties = "lot"
    """Who decides among several: the lot, or the village, which then names one."""
    missing: Unacted = "remind"
    """A phase ends only when every compulsory action was taken, or they are passed over, or random."""

    def __post_init__(self) -> None:
        for name, allowed in (("ties", get_args(Ties)), ("missing", get_args(Unacted))):
            value = getattr(self, name)
            if value not in allowed:
                raise GameError(
                    f"{name}={value!r} is not possible (allowed: {', '.join(map(repr, allowed))})"
                )


def session_fields(house: HouseRules, seed: int) -> dict[str, object]:
    """Return house rules and seed as fields of JSON."""
    return {**asdict(house), "seed": seed}


def read_session(value: Any) -> tuple[HouseRules, int]:
    """Return house rules and seed from fields of JSON; raise FormatError for others."""
    if not isinstance(value, dict) or value.keys() != {"ties", "missing", "seed"}:
        raise FormatError(f"{value!r} is no session: it has the fields ties, missing, seed")
    seed = value["seed"]
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise FormatError(f"the seed of a session is an integer of at least 0, not {seed!r}")
    return HouseRules(value["ties"], value["missing"]), seed
