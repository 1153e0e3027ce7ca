"""A public class or function has a name of its own: it is defined in one module."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMIT = 25  # names that several modules may define

ALLOWED = {
    "draw": "the door of the library, and the function for axes behind it: both documented",
    "save": "the door of the library, and the function for pictures behind it: both documented",
    "Event": "of an action model (`kw.Event`), and of a game of Werewolf",
    "Game": "of `games`, played and solved; of `testing`, checked: each the subject of its package",
    "Knowledge": "everybody's knowledge at a point of a game; each game has its own",
    "Relation": "a protocol, and its implementations by cells and by decision diagrams",
    "Moves": "of a planning task, for a search; a deed in a scene, named by its verb like the others",
    "Rules": "the options of a game; each game has its own",
    "State": "of a play of any game, of a game of Werewolf, and of the explorer: each documented",
    "Task": "of an exercise sheet, and of planning: each documented, the second a word of its literature",
    "read_sheet": "of exercises, and of a player's notes: each the documented reader of its package",
    "story": "a told puzzle, and a told game: each documented",
    "main": "the entry points of three processes",
}
"""The reasons why a name may be defined in several modules."""


def definitions() -> dict[str, list[str]]:
    """Return the modules that define each public class or function at their top level."""
    found = defaultdict[str, list[str]](list)
    for package in ("kripke_werewolf", "visualise"):
        for path in sorted((ROOT / package).rglob("*.py")):
            code = path.read_text(encoding="utf-8")
            for name in {*re.findall(r"^(?:class|def) ([^\W_]\w*)", code, re.MULTILINE)}:
                found[name].append(path.relative_to(ROOT).as_posix())
    return found


def test_a_public_name_is_defined_in_one_module() -> None:
    several = {name: homes for name, homes in definitions().items() if len(homes) > 1}
    assert {name: homes for name, homes in several.items() if name not in ALLOWED} == {}
    assert ALLOWED.keys() <= several.keys()
    assert len(ALLOWED) <= LIMIT
