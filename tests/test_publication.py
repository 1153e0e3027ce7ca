"""Version, date and authors are the same everywhere; the paper has the form that its journal asks for."""

from __future__ import annotations

import re
from pathlib import Path

from kripke_werewolf import __version__

ROOT = Path(__file__).parents[1]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PAPER = (ROOT / "docs" / "paper" / "paper.md").read_text(encoding="utf-8")
BIBLIOGRAPHY = (ROOT / "docs" / "paper" / "paper.bib").read_text(encoding="utf-8")
_, METADATA, BODY = PAPER.split("---\n", 2)

SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "References",
]


def test_version_and_date() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, date = re.findall(r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", changes, re.M)[0]
    assert version == __version__
    assert f"\nversion: {version}\ndate-released: {date}\n" in CITATION


def test_sections_and_length() -> None:
    assert re.findall(r"^# (.+)$", BODY, re.M) == SECTIONS
    assert 750 <= len(re.sub(r"\[@\w+\]|^#.*$", "", BODY, flags=re.M).split()) <= 1000


def test_metadata() -> None:
    keys = re.findall(r"^(\w+):", METADATA, re.M)
    assert keys == ["title", "tags", "authors", "affiliations", "date", "bibliography"]
    author = re.findall(r"authors:\n  - name: (.+)", METADATA)
    assert author == re.findall(r"authors:\n  - name: (.+)", CITATION)


def test_every_source_is_cited_and_known() -> None:
    cited, known = set(re.findall(r"@(\w+)", BODY)), re.findall(r"^@\w+\{(\w+),$", BIBLIOGRAPHY, re.M)
    assert cited == set(known)
    assert len(known) == len(set(known)) > 5
    for entry in re.split(r"^@", BIBLIOGRAPHY, flags=re.M)[1:]:
        assert {"author", "title", "year"} <= set(re.findall(r"^  (\w+) *=", entry, re.M)), entry
