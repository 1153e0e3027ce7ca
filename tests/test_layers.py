"""A room uses only the rooms above it in the map of CONTRIBUTING.md, whenever it imports them."""

import ast
import re

from tests import house

WHOLE, PICTURES = house.PACKAGES


def rooms() -> dict[str, str]:
    """Return the rooms of the map, from the top, with what it says of them."""
    page = (house.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("| room | |\n")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE))


def test_the_map_is_what_the_rooms_say() -> None:
    folders = {path.parent.name for path in (house.ROOT / WHOLE).glob("*/__init__.py")}
    assert rooms().keys() == folders | {PICTURES}
    for room, said in rooms().items():
        words = ast.get_docstring(house.trees()[room if room == PICTURES else f"{WHOLE}.{room}"]) or ""
        first, *more = words.splitlines()
        assert f"{said}." == first
        assert 5 <= len(more) < 15, f"{room}: about ten lines"


def test_a_room_uses_only_rooms_above_it() -> None:
    """At the top of modules, in functions, and for types."""
    order = [*rooms(), WHOLE, "__main__"]
    upward = []
    for module, used in house.imports().items():
        allowed = {WHOLE, *order[: order.index(house.room_of(module)) + 1]}
        upward += [
            f"{module} imports {other}" for other in sorted(used) if house.room_of(other) not in allowed
        ]
    assert upward == []


def test_few_modules_are_in_a_ring() -> None:
    assert len(house.largest_ring()) <= 12
