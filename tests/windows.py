"""The tests under what Windows does differently: `python -m tests.windows PYTEST-ARGUMENTS`.

This is not Windows. In this process and in every Python that it starts, the files of this project see another
platform name, and none of the modules, functions and signals that Windows lacks; text is written in the old
Western encoding with a carriage return, if nothing else is said, and standard output is such a file; new
processes are spawned; a file that is open can be neither replaced nor removed, and names of files are refused
as Windows refuses them. Backslashes in paths cannot be tried in this way.
"""

import builtins
import io
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
ENCODING = "cp1252"
MISSING = {"crypt", "curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty"}
"""The modules of Python that Windows lacks."""
POSIX = frozenset(
    re.findall(
        r"\w+",
        """
        chown fchown fork forkpty getegid geteuid getgid getgroups getpgid getpgrp getpriority getsid getuid
        killpg lchown mkfifo mknod nice openpty posix_fallocate posix_spawn pread pwrite sched_getaffinity
        sendfile setgid setpgid setpriority setsid setuid statvfs sync sysconf ttyname uname wait wait3 wait4
        O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_SYNC WNOHANG
        """,
    )
)
"""What `os` lacks there."""
SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "SIG_DFL", "SIG_IGN"}
"""What `signal` has there, of the names that begin so."""
OUTPUT = {"PYTHONIOENCODING": ENCODING, "PYTHONUTF8": "0"}
"""The variables by which another Python writes as there."""
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


class Seen(ModuleType):
    """A module as the files of the project see it: with other values, and without some names."""

    def __init__(
        self, module: ModuleType, values: Mapping[str, object], without: Collection[str] = ()
    ) -> None:
        super().__init__(module.__name__)
        object.__setattr__(self, "_as_seen", (module, values, without))

    def __getattribute__(self, name: str) -> Any:
        module, values, without = object.__getattribute__(self, "_as_seen")
        if name in without:
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r} on Windows")
        return values[name] if name in values else getattr(module, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(object.__getattribute__(self, "_as_seen")[0], name, value)

    def __delattr__(self, name: str) -> None:
        delattr(object.__getattribute__(self, "_as_seen")[0], name)


def _seen_modules() -> dict[str, ModuleType]:
    signals = {name for name in dir(signal) if name.startswith("SIG")} - SIGNALS
    timers = {"ITIMER_REAL", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "getitimer"}
    return {
        "sys": Seen(sys, {"platform": "win32"}),
        "os": Seen(os, {"name": "nt"}, POSIX),
        "signal": Seen(signal, {}, signals | timers),
    }


def _is_ours(scope: Mapping[str, Any] | None) -> bool:
    return str((scope or {}).get("__file__", "")).startswith(f"{ROOT}{os.sep}")


def _import() -> None:
    """Let imports in the files of the project see what Windows has."""
    real, modules = builtins.__import__, _seen_modules()

    def imported(name: str, globals: Any = None, *args: Any, **named: Any) -> ModuleType:
        ours = _is_ours(globals)
        if ours and name.partition(".")[0] in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        found: ModuleType = real(name, globals, *args, **named)
        return modules.get(name, found) if ours else found

    builtins.__import__ = imported  # type: ignore[assignment]


def _processes() -> None:
    """Let new processes be spawned, and nothing else."""
    real = multiprocessing.get_context

    def context(method: str | None = None) -> Any:
        if method not in (None, "spawn"):
            raise ValueError(f"cannot find context for {method!r}")
        return real("spawn")

    multiprocessing.get_context = context  # type: ignore[assignment]
    multiprocessing.set_start_method("spawn", force=True)
    started = subprocess.Popen.__init__

    @wraps(started)
    def start(self: Any, *args: Any, **named: Any) -> None:
        if named.get("start_new_session") or named.get("preexec_fn"):
            raise ValueError("preexec_fn and new sessions are not supported on Windows platforms")
        if (named.get("text") or named.get("universal_newlines")) and named.get("encoding") is None:
            named["encoding"] = ENCODING
        started(self, *args, **named)

    subprocess.Popen.__init__ = start  # type: ignore[method-assign]


def _text() -> None:
    """Let text be written in the encoding and with the ends of lines that are usual there."""
    real = io.open

    def opened(
        file: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, errors: Any = None,
        newline: Any = None, closefd: bool = True, opener: Any = None,
    ) -> Any:  # fmt: skip
        if not isinstance(file, int) and {*mode} & {*"wxa+"}:
            _refuse_name(file)
        if "b" not in mode:
            encoding = ENCODING if encoding in (None, "locale") else encoding
            newline = "\r\n" if newline is None and {*mode} & {*"wxa"} and "+" not in mode else newline
        return real(file, mode, buffering, encoding, errors, newline, closefd, opener)

    builtins.open = io.open = opened  # type: ignore[assignment]
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(newline="\r\n")  # type: ignore[union-attr]


def _refuse_name(file: Any) -> None:
    name = os.path.basename(os.fsdecode(file))
    refused = re.search(r'[<>:"|?*\\\x00-\x1f]', name) or _DEVICE.fullmatch(name)
    if (refused or name.endswith((".", " "))) and not os.fsdecode(file).startswith(("/dev/", "/proc/")):
        raise OSError(22, "Invalid argument", file)


def _files() -> None:
    """Let files that are open be kept, and names be refused."""

    def is_open(path: Any) -> bool:
        try:
            wanted = os.stat(path)
        except OSError:
            return False
        for descriptor in os.listdir("/proc/self/fd"):
            try:
                held = os.stat(int(descriptor))
            except OSError:
                continue
            if (held.st_dev, held.st_ino) == (wanted.st_dev, wanted.st_ino):
                return True
        return False

    def refusing(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        @wraps(real)
        def done(*paths: Any, **named: Any) -> Any:
            plain = [path for path in paths if isinstance(path, str | bytes | os.PathLike)]
            held = [path for path in plain if not os.fsdecode(path).endswith(".lock")]  # of filelock
            if named.get("dir_fd") is None and any(map(is_open, held)):
                raise PermissionError(13, "used by another process", plain[0])
            for new in plain[1:] or (plain if name == "mkdir" else ()):
                _refuse_name(new)
                if name == "rename" and os.path.exists(new):
                    raise FileExistsError(17, "already exists", new)
            return real(*paths, **named)

        return done

    for name in ("replace", "rename", "remove", "unlink", "mkdir"):
        setattr(os, name, refusing(name))


def install() -> None:
    """Let this process do what Windows does."""
    for part in (_text, _files, _processes, _import):
        part()


def main() -> int:
    """Run pytest, and every Python that it starts, in this way."""
    with tempfile.TemporaryDirectory() as place:
        code = f"from runpy import run_path\nrun_path({str(Path(__file__))!r})['install']()\n"
        Path(place, "sitecustomize.py").write_text(code, encoding="utf-8")
        paths = os.pathsep.join([place, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        there = os.environ | OUTPUT | {"PYTHONPATH": paths}
        command = [sys.executable, "-m", "pytest", *sys.argv[1:]]
        return subprocess.run(command, env=there, cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
