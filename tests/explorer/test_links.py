"""The links of the documentation open in the explorer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kripke_werewolf.web import respond

DOCS = Path(__file__).parents[2] / "docs"
LINKS = [
    (path.name, link)
    for path in sorted(DOCS.glob("*.md"))
    for link in re.findall(r'href="explorer-page\.html#([^"]+)"', path.read_text(encoding="utf-8"))
]


def test_there_are_links() -> None:
    assert {page for page, _ in LINKS} >= {"explorer.md", "first-model.md", "muddy-children.md"}


@pytest.mark.parametrize(("page", "link"), LINKS)
def test_it_opens(page: str, link: str) -> None:
    reply = respond({"do": {"command": "open", "link": link}, "want": ["model", "picture"]})
    assert reply["ok"], reply["error"]
    assert reply["view"]["picture"]["nodes"]
