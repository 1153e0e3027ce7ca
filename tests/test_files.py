"""Files are written completely or not at all, and never replace what is not a file."""

import os
import sys
import threading

import pytest

from kripke_werewolf.base.files import write_aside


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
