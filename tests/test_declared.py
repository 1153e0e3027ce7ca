"""The parts of pages that are written when the documentation is built."""

import re
import runpy
from pathlib import Path
from typing import Any

import click
import pytest

from kripke_werewolf import parse
from kripke_werewolf.cli.main import cli
from kripke_werewolf.logic.formulas.syntax import all_operators

DOCS = Path(__file__).parents[1] / "docs"
DECLARED = runpy.run_path(str(DOCS / "declared.py"))
PAGES = [path for path in sorted(DOCS.glob("**/*.md")) if DECLARED["BLOCK"].search(path.read_text("utf-8"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_block_is_written(path: Path) -> None:
    written = DECLARED["written"](path.read_text("utf-8"))
    assert "{declared}" not in written
    for rows in re.findall(r"(?:^\|.*\n)+", written, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in rows.splitlines()}
        assert len(widths) == 1, rows


def test_all_parts_are_on_a_page() -> None:
    named = {
        block.split()[0] for path in PAGES for block in DECLARED["BLOCK"].findall(path.read_text("utf-8"))
    }
    assert named == set(DECLARED["PARTS"])


def test_a_sentence_is_shown_for_every_operator() -> None:
    samples = re.findall(r"^\| `(.+?)` \| ", DECLARED["part"]("sentences"), re.MULTILINE)
    shown = {type(part) for text in samples for part in parse(text.replace(r"\|", "|")).subformulas()}
    assert not {kind.__name__ for kind in set(all_operators()) - shown}


def test_options_that_a_page_names_exist() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    known = {"--help", "--version"}
    for name in cli.list_commands(click.Context(cli)):
        known |= set(re.findall(r"--[a-z][\w-]*", DECLARED["part"]("options", name)))
    assert set(re.findall(r"--[a-z][\w-]*", re.sub(r"(?ms)^```.*?^```", "", page))) <= known


def test_every_command_has_its_section_with_all_options() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    sections = re.split(r"^### ", DECLARED["written"](page), flags=re.MULTILINE)[1:]
    found = {section.partition("\n")[0].strip("`"): section for section in sections}
    context = click.Context(cli)
    of_games = cli.get_command(context, "game")
    assert isinstance(of_games, click.Group)
    named = {f"game {name}" for name in of_games.list_commands(context)}
    assert set(found) == {*cli.list_commands(context), *named} - {"game"}
    for path, section in found.items():
        assert f"[`{path}`](#{path.replace(' ', '-')})" in page
        command: Any = cli
        for name in path.split():
            command = command.get_command(context, name)
        waiting = [command]
        while waiting:
            one = waiting.pop()
            if isinstance(one, click.Group):
                waiting += [one.get_command(context, name) for name in one.list_commands(context)]
                continue
            options = [p for p in one.params if isinstance(p, click.Option)]
            spelled = [o for p in options for o in (*p.opts, *p.secondary_opts)]
            assert not [option for option in spelled if option not in section], path
