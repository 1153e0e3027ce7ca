"""Files are read with or without a mark, written completely or not at all, and replace only files."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kripke_werewolf import read_smcdel
from kripke_werewolf.base.files import parse_json, write_aside
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.logic.proofs import read_proof, read_tableau, tableau
from kripke_werewolf.logic.proofs.declarations import read_actions
from kripke_werewolf.research.planning.epddl import parse_task
from kripke_werewolf.research.stories import story
from kripke_werewolf.teach.exercises.serialisation import parse_exercise
from tests.research.planning.epddl.post_office import DOMAIN, PROBLEM


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes, and seldom links")
def test_links_and_pipes_are_kept(tmp_path):
    link, file, pipe = tmp_path / "link", tmp_path / "file", tmp_path / "pipe"
    link.symlink_to(file)
    write_aside(link, b"once")
    assert link.is_symlink()
    assert file.read_bytes() == b"once"
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_aside(pipe, b"twice")
    reader.join(timeout=10)
    assert got == [b"twice"]
    assert pipe.is_fifo()


READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "smcdel": (lambda text: read_smcdel(text).queries[0].formula, "VARS 1 LAW Top OBS a: 1 VALID? 1"),
    "story": (lambda text: story(text).model, "# coin\nagents: a\natoms: p\nsees a: p"),
    "task": (lambda text: parse_task({"d": DOMAIN, "p": text}).model, PROBLEM),
    "derivation": (lambda text: read_proof(text).lines, "# trivial\nlogic: K\np -> p   PL"),
    "tableau": (read_tableau, str(tableau("K_a p -> p"))),
    "actions": (read_actions, "action tell = [a!p]"),
    "json": (lambda text: parse_json(text, "x"), '{"p": [1]}'),
    "exercise": (parse_exercise, Path("examples/exercises/where-is-it-true.toml").read_text()),
    "sheet": (read_sheet, Path("examples/sheets/schroedingers-wolves.txt").read_text()),
}


@pytest.mark.parametrize("reader", READERS)
def test_a_byte_order_mark_changes_nothing(reader: str) -> None:
    read, text = READERS[reader]
    plain = read(text)
    for marked in ("\ufeff" + text, "\ufeff" + text.replace("\n", "\r\n")):
        assert repr(read(marked)) == repr(plain)
