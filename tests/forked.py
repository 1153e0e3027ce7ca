"""The program in separate processes, without the second that a new interpreter takes to import everything.

One process has imported the program, and is copied for every run; on Windows, which copies no process, a new
interpreter runs. What a copy does not show (the locale, what is imported when) is tested with new ones.
"""

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

_PREPARED = [
    "pytest",  # every copy imports the main program of the tests
    "tests.forked",
    "kripke_werewolf.cli.play",
    "kripke_werewolf.play.host.serving",
    "prompt_toolkit.shortcuts",
]
if sys.platform != "win32":
    _CONTEXT = multiprocessing.get_context("forkserver")
    _CONTEXT.set_forkserver_preload(_PREPARED)


class Copied:
    """`kripke-werewolf ARGS` with files as its standard input, output and errors; or `python -c CODE ARGS`.

    A terminal as input is the one that controls it. `quiet`: the seconds without a key before a device
    changes hands, if not those of the program.
    """

    def __init__(
        self,
        args: tuple[str, ...],
        files: tuple[int, int, int],
        *,
        cwd: Path,
        environment: Mapping[str, str] | None = None,
        quiet: float | None = None,
    ) -> None:
        given = (args, files, str(cwd), dict(environment or os.environ), quiet)
        self._process = _CONTEXT.Process(target=_Start(*given), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def kill(self) -> None:
        """Kill it, and wait until it is gone."""
        self._process.kill()
        self._process.join()

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        """Wait for its end, and return the exit code."""
        self._process.join(seconds)
        code = self.poll()
        assert code is not None, f"it has not ended in {seconds} s"
        return code


class Spawned(subprocess.Popen[bytes]):
    """The same by a new interpreter."""

    def __init__(
        self, args: tuple[str, ...], files: Any, *, cwd: Path, environment: Any = None, quiet: None = None
    ) -> None:
        command = args if args[0] == "-c" else ("-m", "kripke_werewolf", *args)
        streams = dict(zip(("stdin", "stdout", "stderr"), files, strict=True))
        told = {**(environment or os.environ), "PYTHONIOENCODING": "utf-8"}
        super().__init__([sys.executable, *command], **streams, cwd=cwd, env=told)


Program = Spawned if sys.platform == "win32" else Copied


def run(args: tuple[str, ...], *, cwd: Path, script: str = "", seconds: float = 120) -> tuple[int, str, str]:
    """Run the program with an input; return its exit code, output and errors."""
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(script.encode())
        given.seek(0)
        program = Program(args, (given.fileno(), out.fileno(), err.fileno()), cwd=cwd)
        code = program.wait(seconds)
        out.seek(0)
        err.seek(0)
        return code, *(file.read().decode().replace("\r\n", "\n") for file in (out, err))


class _Start:
    """What the copy does; its files are handed over when it is sent there."""

    def __init__(self, args: Any, files: Any, cwd: str, environment: dict[str, str], quiet: Any) -> None:
        self.args, self.files, self.cwd, self.environment, self.quiet = args, files, cwd, environment, quiet

    def __getstate__(self) -> dict[str, Any]:
        from multiprocessing.reduction import DupFd

        return {**self.__dict__, "files": [DupFd(file) for file in self.files]}

    def __call__(self) -> None:
        for place, file in enumerate(self.files):
            os.dup2(file.detach(), place)
        os.setsid()
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.cwd)
        if os.isatty(0):
            import fcntl
            import termios

            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the program runs
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
        sys.argv = ["kripke-werewolf", *self.args]
        if self.args[0] == "-c":
            sys.argv = ["-c", *self.args[2:]]
            exec(self.args[1], {"__name__": "__main__"})
            return

        from kripke_werewolf.cli import main, play

        if self.quiet is not None:
            play.PromptTerminal = partial(play.PromptTerminal, quiet=self.quiet)  # type: ignore[misc,assignment]
        main()
