"""A pseudo-terminal with a program in it, and a terminal that is only a list."""

import os
import re
import select
import struct
import time

from tests.forked import Program

ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z~]|\][^\x07]*\x07|[=>()][0-9A-Za-z]?)")
CLEARED = "\x1b[3J"
NEW_PROMPT = "\x1b[?2004h"  # prompt_toolkit switches bracketed paste on when a prompt begins


class Pty:
    """`kripke-werewolf ARGS` in a pseudo-terminal; `hurried`: it waits for no held key."""

    def __init__(self, *args, cwd, timeout=60, size=(200, 50), hurried=True, **environment):
        import fcntl
        import pty
        import termios

        self.timeout, self.output = timeout, ""
        self.prompts = 0
        columns, lines = size
        environment = os.environ | {
            "TERM": "xterm",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "COLUMNS": str(columns),
            "LINES": str(lines),
            **environment,
        }
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        quiet = 0.05 if hurried else None
        self.child = Program(args, (slave,) * 3, cwd=cwd, environment=environment, quiet=quiet)
        os.close(slave)

    def prompt(self, pattern, *, later=False):
        """Wait for the next prompt; return what matches the pattern in it, or None if the program ends.

        `later`: or for one after it; those between do not match.
        """
        self.prompts += 1
        deadline = time.monotonic() + self.timeout
        while True:
            parts = self.output.split(NEW_PROMPT)
            for number in range(self.prompts, len(parts) if later else min(len(parts), self.prompts + 1)):
                found = re.search(pattern, plain(parts[number]))
                if found:
                    self.prompts = number
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

    def complete(self, text, rest):
        """Type the beginning of a word, press the tab key, and wait until the rest of it is there."""
        seen = len(self.output)
        os.write(self.master, f"{text}\t".encode())
        deadline = time.monotonic() + self.timeout
        while rest not in plain(self.output[seen:]):
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
        os.close(self.master)

    @property
    def screens(self):
        """The texts visible at one time, between two clearings of the screen."""
        return [plain(screen) for screen in self.output.split(CLEARED)]


def plain(text):
    return ESCAPES.sub("", text).replace("\r", "")


class Listed:
    """A terminal that answers from a function, and keeps every screen."""

    def __init__(self, answer):
        self.answer, self.screens = answer, [""]

    def show(self, text, style="plain"):
        self.screens[-1] += text + "\n"

    def clear(self, *, hands=False):
        self.screens.append("")

    def ask(self, prompt, words=(), about=None):
        text = self.answer(prompt, self)
        if text is None:
            raise EOFError
        self.screens[-1] += f"{prompt}{text}\n"
        return text
