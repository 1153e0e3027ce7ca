"""Style of the documentation, the docstrings and the messages, as far as it can be checked."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/course/*.md"),
        *ROOT.glob("examples/**/*.md"),
    ]
)
PACKAGES = sorted([*ROOT.glob("kripke_werewolf/**/*.py"), *ROOT.glob("visualise/**/*.py")])
SCRIPTS = sorted([*ROOT.glob("examples/**/*.py"), *ROOT.glob("benchmarks/*.py")])

WIDTH = 84  # of code in the documentation: wider blocks scroll sideways

PHRASES = {
    "'string', not 'a text'": r"\b[Aa] text\b(?! (?:file|field|format|box|node))",
    "'strings', not 'texts'": r"\b[Tt]exts\b",
    "players and agents are 'they'": r"(?<![\w'./])(?:[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b(?![\w'(=./])",
    "'invalid input' or 'anything else', not 'what is no …'": r"\b[Ww]hat is no\b",
    "'54%', not '54 %'": r"\d %(?![\w(])",
}
"""What should be written: what should not."""

DOCSTRINGS = {
    "'Return the …', not 'Return what …'": r"^(?:Return|Yield) (?:what|who|whom|how (?:many|much))\b",
    "a noun or a number, not 'so many'": r"\bso (?:many|much)\b",
    "'those who …', not 'whoever'": r"\b[Ww]hoever\b",
    "'exactly these', not 'just these'": r"\bjust (?:these|those)\b",
    "nouns, not 'this and that'": r"\bthis and that\b",
    "'is not a …', not 'is no …'": (
        r"(?<![Tt]here )\b(?:is|are) no (?!longer|more|fewer|less|larger|smaller)"
    ),
}
"""The same for docstrings alone."""

ALLOWED = {
    ("docs/muddy-children.md", "Then he asks"): "the father",
    ("docs/muddy-children.md", "however often he asks"): "the father",
    ("examples/muddy_children.py", "he speaks"): "the father",
    ("examples/muddy_children.py", "he has spoken"): "the father",
    ("kripke_werewolf/games/avalon/strategies.py", "if he knows that his own role"): "a quotation",
    ("kripke_werewolf/logic/english/sentence_parser.py", "he|she|they|it"): "the pronouns that are read",
    ("kripke_werewolf/logic/english/phrases.py", "he|she|they|it"): "the pronouns that are read",
    ("kripke_werewolf/logic/english/phrases.py", "he she they him"): "the pronouns that are read",
    ("kripke_werewolf/logic/english/phrases.py", "his her their"): "the pronouns that are read",
    ("kripke_werewolf/logic/puzzles/announcements.py", "3 knows the colour of his hat"): "three wise men",
    ("kripke_werewolf/logic/puzzles/announcements.py", "3 now knows that his is red"): "three wise men",
    ("visualise/", "text"): "what is written in a picture is a text there (`visualise.text`)",
    ("benchmarks/pictures.py", "texts"): "what is written in a picture",
}
"""(file or folder, part of a line): the reason."""


def name(path: Path) -> str:
    """Return the path as the lists of exceptions name it."""
    return path.relative_to(ROOT).as_posix()


def prose_of_a_page(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page, with what is shown of its code but not with invisible blocks."""
    hidden = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        hidden = hidden or line.startswith("<!---")
        if not hidden:
            yield number, line
        hidden = hidden and not line.endswith("-->")


@lru_cache(maxsize=1)
def constants(path: Path) -> list[tuple[ast.Constant, bool]]:
    """Return the constants of a module, each with whether it stands alone as a docstring does."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    return [(node, id(node) in alone) for node in nodes if isinstance(node, ast.Constant)]


def words_of_a_module(path: Path) -> Iterator[tuple[int, str]]:
    """Yield docstrings, comments and string literals of a module, line by line."""
    source = path.read_text(encoding="utf-8")
    for node, _ in constants(path):
        if isinstance(node.value, str):
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line
    for number, line in enumerate(source.splitlines(), 1):
        if comment := re.search(r"(?:^|\s)#\s(.*)", line):
            yield number, comment[1]


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the docstrings of a module, of fields too, line by line."""
    for node, alone in constants(path):
        if alone:
            for offset, line in enumerate(str(node.value).splitlines()):
                yield node.lineno + offset, line


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that people read in a page or a module."""
    return prose_of_a_page(path) if path.suffix == ".md" else words_of_a_module(path)


def faults(path: Path) -> list[str]:
    """Return the faults of a file, one line for each."""
    allowed = [part.lower() for file, part in ALLOWED if name(path).startswith(file)]
    found = [(PHRASES, *each) for each in lines(path) if not any(part in each[1].lower() for part in allowed)]
    if path.suffix == ".py":
        found += [(DOCSTRINGS, *each) for each in docstrings(path)]
    return [
        f"{name(path)}:{number}: {rule}: {line.strip()}"
        for phrases, number, line in found
        for rule, pattern in phrases.items()
        if re.search(pattern, line.strip())
    ]


def wide_code(path: Path, width: int = WIDTH) -> list[tuple[int, str]]:
    """Return the lines of code of a page that are too wide, with their numbers; directives are not shown."""
    found, fence = [], ""
    for number, line in prose_of_a_page(path):
        if line.startswith("```"):
            fence = "" if fence else line
        elif fence and not fence.startswith("```{") and len(line) > width:
            found.append((number, line))
    return found


@pytest.mark.parametrize("path", [*PAGES, *PACKAGES, *SCRIPTS], ids=name)
def test_words(path: Path) -> None:
    assert not faults(path)


@pytest.mark.parametrize("path", [page for page in PAGES if page.name != "measured.md"], ids=name)
def test_code_in_pages_does_not_scroll_sideways(path: Path) -> None:
    assert not wide_code(path)


def test_exceptions_are_needed() -> None:
    for (file, part), reason in ALLOWED.items():
        paths = [path for path in [*PAGES, *PACKAGES, *SCRIPTS] if name(path).startswith(file)]
        assert any(part.lower() in line.lower() for path in paths for _, line in lines(path)), reason


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("reads a text and returns it", "'string', not 'a text'"),
        ("names must be texts", "'strings', not 'texts'"),
        ("Bo knows what he saw", "players and agents are 'they'"),
        ("and His own card", "players and agents are 'they'"),
        ("refuses what is no answer", "'invalid input' or 'anything else', not 'what is no …'"),
        ("intervals of 95 %", "'54%', not '54 %'"),
    ],
)
def test_faults_are_found(line: str, rule: str, tmp_path: Path) -> None:
    found = [each for each, pattern in PHRASES.items() if re.search(pattern, line)]
    assert found == [rule]
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n\n{line}\n\n```python\n{'x' * (WIDTH + 1)}\n```\n", encoding="utf-8")
    assert [number for number, shown in lines(page) if shown == line] == [3]
    assert [number for number, _ in wide_code(page)] == [6]


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("Return what a group considers possible together.", ["'Return the …', not 'Return what …'"]),
        ("Yield who was what.", ["'Return the …', not 'Return what …'"]),
        ("Return the blocks after so many rounds.", ["a noun or a number, not 'so many'"]),
        ("Return the seat of whoever has joined.", ["'those who …', not 'whoever'"]),
        ("Return the worlds where just these are dead.", ["'exactly these', not 'just these'"]),
        ("Record this and that of a player.", ["nouns, not 'this and that'"]),
        ("Raises ModelError if it is no model.", ["'is not a …', not 'is no …'"]),
        ("Return None if there is no model, or it is no longer there.", []),
    ],
)
def test_faults_of_docstrings_are_found(line: str, rules: list[str], tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(f'"""{line}"""\n\n\ndef f():\n    """{line}"""\n', encoding="utf-8")
    shown = [text for _, text in docstrings(module)]
    assert shown == [line, line]
    assert [rule for rule, pattern in DOCSTRINGS.items() if re.search(pattern, line)] == rules


FIRST = ["README", "docs/index", "docs/install", "docs/first-model", "docs/muddy-children"]
FIRST += ["docs/private-announcements"]


@pytest.mark.parametrize("page", FIRST)
def test_code_of_the_first_pages_fits_a_phone(page: str) -> None:
    assert not wide_code(ROOT / f"{page}.md", width=60)


# what these say at the top is rewritten together with their contents
@pytest.mark.parametrize("path", PAGES, ids=name)
def test_pages_do_not_begin_with_a_template(path: Path) -> None:
    assert "By the end of this page" not in path.read_text(encoding="utf-8")
