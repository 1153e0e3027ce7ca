"""A pseudo-terminal with a program in it, and a terminal that is only a list."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z~]|\][^\x07]*\x07|[=>()][0-9A-Za-z]?)")
CLEARED = "\x1b[3J"
NEW_PROMPT = "\x1b[?2004h"  # prompt_toolkit switches bracketed paste on when a prompt begins


class Pty:
    """`kripke-werewolf ARGS` in a pseudo-terminal."""

    def __init__(self, *args, cwd, timeout=60):
        self.timeout, self.output = timeout, ""
        self.prompts = 0
        environment = os.environ | {
            "TERM": "xterm",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "200",
            "LINES": "50",
        }
        self.master, slave = pty.openpty()
        self.child = subprocess.Popen(
            [sys.executable, "-m", "kripke_werewolf", *args],
            stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=environment, start_new_session=True,
        )  # fmt: skip
        os.close(slave)

    def prompt(self, pattern):
        """Wait for the next prompt; return what matches the pattern in it, or None if the program ends."""
        self.prompts += 1
        deadline = time.monotonic() + self.timeout
        while True:
            parts = self.output.split(NEW_PROMPT)
            if len(parts) > self.prompts:
                found = re.search(pattern, plain(parts[self.prompts]))
                if found:
                    return found
            if not self.read(deadline):
                return None

    def read(self, deadline):
        if time.monotonic() > deadline:
            raise AssertionError(f"nothing came for {self.timeout} s after:\n{plain(self.output)[-1500:]}")
        ready, _, _ = select.select([self.master], [], [], 0.2)
        if not ready:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux: the other side is closed
            return False
        self.output += data.decode("utf-8", "replace")
        return bool(data)

    def type(self, text):
        os.write(self.master, text.encode() + b"\r")

    def complete(self, text, whole):
        """Type the beginning of a word, wait until the whole is offered, and take it with the tab key."""
        for keys in (text, "\t"):
            seen = len(self.output)
            os.write(self.master, keys.encode())
            deadline = time.monotonic() + self.timeout
            while whole not in plain(self.output[seen:]):
                assert self.read(deadline)

    def end(self):
        """Wait for the program to end; return its exit code."""
        deadline = time.monotonic() + self.timeout
        while self.read(deadline):
            pass
        return self.child.wait(self.timeout)

    def close(self):
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()
        os.close(self.master)

    @property
    def screens(self):
        """What could be read at one time, between two moments at which everything was cleared."""
        return [plain(screen) for screen in self.output.split(CLEARED)]


def plain(text):
    return ESCAPES.sub("", text).replace("\r", "")


class Listed:
    """A terminal that answers from a function and keeps every screen."""

    def __init__(self, answer):
        self.answer, self.screens = answer, [""]

    def show(self, text):
        self.screens[-1] += text + "\n"

    def clear(self):
        self.screens.append("")

    def ask(self, prompt, first=(), names=()):
        text = self.answer(prompt, self)
        if text is None:
            raise EOFError
        self.screens[-1] += f"{prompt}{text}\n"
        return text
