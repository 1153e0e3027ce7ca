"""Links in the project's pages lead somewhere: to a file, and to a heading in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/course/*.md"), *ROOT.glob("examples/*.md")]
)
BUILT = re.compile(r"docs/(api|gallery)/[\w.-]+\.(md|html)$")  # made when the documentation is built


def prose(page: Path) -> str:
    """Return a page without its code."""
    text = re.sub(r"^```.*?^```$|^<!---.*?-->$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]+`", "code", text)


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as made by GitHub and MyST."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#{1,6} (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?://|mailto:", link):
            continue
        name, _, heading = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        if BUILT.search(target.as_posix()):
            continue
        assert target.exists(), link
        if heading and target.suffix == ".md":
            assert heading in anchors(target), link


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A title, `code`\n\n[there](#a-title-code) [nowhere](lost.md)\n", encoding="utf-8")
    assert anchors(page) == {"a-title-code"}
    with pytest.raises(AssertionError, match=r"lost\.md"):
        test_links(page)
