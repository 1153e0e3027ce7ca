"""How fast certified items are: `python -m benchmarks.forge [--items 2000]`.

Every row gives the CPU time of an item with all that it contains, and the items of a minute on two cores. An
item is derived by product updates and by perspectives, and read back from its English.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from benchmarks.timing import timed
from kripke_werewolf.forge import StoryItem, family_named, forged

KINDS: dict[tuple[str, str], dict[str, Any]] = {
    ("rooms", "pairs, orders 1 to 4"): {"pairs": True},
    ("rooms", "pairs, orders 5 and 6"): {"pairs": True, "orders": (5, 6)},
    ("rooms", "plain, orders 0 to 4"): {"orders": (0, 1, 2, 3, 4)},
    ("rooms", "open places, two rooms"): {"open": True, "rooms": 2},
    ("announcements", "pairs, orders 1 to 4"): {"pairs": True},
    ("gossip", "pairs, orders 1 to 4"): {"pairs": True},
    ("werewolf", "plain, orders 1 and 2"): {"orders": (1, 2)},
}


def written(items: Iterator[StoryItem]) -> int:
    """Write items and return how many they are."""
    return sum(1 for item in items if item.to_json())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=2000)
    number = parser.parse_args().items
    print(f"{'':40}{'µs an item':>12}{'a minute on two cores':>24}")
    for (called, kind), knobs in KINDS.items():
        family = family_named(called)
        made = forged(family, family.knobs(**knobs), items=2 * number, seed=1)
        list(islice(made, number))  # models that stories share are made by now
        seconds, rest = timed(partial(written, made))
        each = seconds / rest
        print(f"{called:14}{kind:26}{each * 1e6:12,.0f}{120 / each:24,.0f}")


if __name__ == "__main__":
    main()
