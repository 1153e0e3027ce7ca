"""The links of the documentation open in the explorer."""

import re
import runpy
from pathlib import Path

import pytest

from kripke_werewolf.teach.explorer import respond

ROOT = Path(__file__).parents[4]
LINKS = re.findall(
    r'href="explorer-page\.html#([^"]+)"', (ROOT / "docs" / "explorer.md").read_text(encoding="utf-8")
)


def opened(link: str) -> int:
    """Open a link; return the number of worlds."""
    reply = respond({"do": {"command": "open", "link": link}, "want": ["model", "picture", "formula"]})
    assert reply["ok"], reply["error"]
    assert reply["view"]["picture"]["nodes"]
    formula = reply["view"]["formula"]
    assert formula is None or formula["error"] is None
    size: int = reply["view"]["model"]["size"]
    return size


@pytest.mark.parametrize("link", LINKS)
def test_a_puzzle_opens(link: str) -> None:
    assert opened(link)


def test_the_pictures_of_models_have_links() -> None:
    links: dict[str, str] = runpy.run_path(str(ROOT / "examples" / "gallery.py"))["explorer_links"]()
    sizes = {file: opened(link) for file, link in links.items()}
    assert len(LINKS) == 7
    drawn = {"coin.svg": 2, "muddy-children.svg": 8, "hexa.svg": 6, "game.svg": 21, "large.svg": 840}
    told = {"father.svg": 7, "nobody-knows.svg": 4, "private.svg": 3, "suspected.svg": 4, "lie.svg": 2}
    assert drawn.items() | told.items() <= sizes.items()
