"""How fast certified items are: `python -m benchmarks.forge [--batches 20]`.

Every row gives the CPU time of an item with all that it contains, and the items of a minute on two cores. An
item is derived by product updates and by perspectives, and read back from its English.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from benchmarks.timing import timed
from kripke_werewolf.research.forge import Knobs, family_named
from kripke_werewolf.research.forge.family import batch

KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("rooms", "pairs, orders 1 to 4"): {"pairs": True},
    ("rooms", "pairs, orders 5 and 6"): {"pairs": True, "orders": (5, 6)},
    ("rooms", "quadruples, orders 1 to 4"): {"quadruples": True},
    ("rooms", "plain, orders 1 to 4"): {},
    ("rooms", "open places, two rooms"): {"open": True, "rooms": 2},
    ("announcements", "pairs, orders 1 to 4"): {"pairs": True},
    ("announcements", "quadruples, orders 1 to 4"): {"quadruples": True},
    ("gossip", "pairs, orders 1 to 4"): {"pairs": True},
    ("gossip", "quadruples, orders 1 to 4"): {"quadruples": True},
    ("avalon", "pairs, orders 1 and 2"): {"pairs": True},
    ("avalon", "quadruples, orders 1 and 2"): {"quadruples": True, "orders": (1, 2)},
    ("werewolf", "pairs, orders 1 and 2"): {"pairs": True},
    ("werewolf", "quadruples, order 1"): {"quadruples": True, "orders": (1,)},
}


def written(family: str, knobs: Knobs, numbers: range) -> int:
    """Write the items of some batches and return how many different ones there are."""
    groups = [group for number in numbers for group in batch(family, knobs, 1, number)]
    return len({item.id: item.to_json() for group in groups for item in group})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batches", type=int, default=20)
    number = parser.parse_args().batches
    print(f"{'':40}{'µs an item':>12}{'a minute on two cores':>24}")
    for (family, kind), given in KINDS.items():
        knobs = family_named(family).knobs(**given)
        written(family, knobs, range(number // 2))  # models that stories share are made by now
        seconds, items = timed(partial(written, family, knobs, range(number // 2, number // 2 + number)))
        each = seconds / items
        print(f"{family:14}{kind:26}{each * 1e6:12,.0f}{120 / each:24,.0f}")


if __name__ == "__main__":
    main()
