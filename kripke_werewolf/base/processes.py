"""Python in a process of its own, which answers one line with one line, and can be stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic


class Helper:
    """A process that runs Python code with this package; started when needed, and again after it has ended.

    `code` reads lines from the standard input and writes a line for each; `arguments` are its `sys.argv[1:]`.
    With `quiet`, what it writes to the standard error is dropped.

    >>> helper = Helper("for line in sys.stdin: print(line.upper(), end='', flush=True)")
    >>> helper.ask("yes", seconds=30)
    'YES'
    >>> helper.stop()
    """

    def __init__(self, code: str, *arguments: str, quiet: bool = False) -> None:
        home = str(Path(__file__).parents[2])  # the folder of the package, so that the process finds it
        code = f"import sys; sys.path.insert(0, {home!r})\n{code}"
        self._command = [sys.executable, "-c", code, *arguments]
        self._errors = subprocess.DEVNULL if quiet else None
        self._process: subprocess.Popen[str] | None = None

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process anew."""
        self.stop()
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self._command, stdin=pipe, stdout=pipe, stderr=self._errors, text=True, encoding="utf-8"
        )

    def ask(self, line: str, *, seconds: float) -> str:
        """Return the answer to a line.

        Raises `TimeoutError` if it takes longer than some seconds, or the system ends the process because it
        has used more processor time than it may; `EOFError` if the process ends otherwise.
        """
        if not self.running:
            self.start()
        process, begun, reply = self._process, monotonic(), ""
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(seconds, process.kill)
        late.start()
        with suppress(OSError):
            process.stdin.write(f"{line}\n")
            process.stdin.flush()
            reply = process.stdout.readline()
        late.cancel()
        if reply.endswith("\n"):
            return reply.rstrip("\n")
        self.stop()
        if monotonic() - begun >= seconds or -process.wait() == getattr(signal, "SIGXCPU", None):
            raise TimeoutError
        raise EOFError

    def kill(self) -> None:
        """End the process, and so the answer that it is working on."""
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """End the process, and release its pipes."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with suppress(OSError):  # unwritten output is dropped on purpose
                        stream.close()
