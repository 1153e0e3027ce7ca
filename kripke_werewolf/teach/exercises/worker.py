"""Reading and checking answers in a separate process, with limits on time and memory.

Answers are untrusted: one that takes too long or too much memory, or breaks the process, ends only that
process. `Worker` is the client; `python -m kripke_werewolf.teach.exercises.worker` is the server, which
answers a line of JSON with a line of JSON.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from fractions import Fraction
from math import ceil
from time import process_time
from typing import Any, NamedTuple, Self

from kripke_werewolf.base.errors import KripkeError, cut_off
from kripke_werewolf.base.processes import Helper
from kripke_werewolf.teach.exercises.exercise import Exercise, Result
from kripke_werewolf.teach.exercises.serialisation import from_dict, to_dict
from kripke_werewolf.teach.exercises.submissions import LARGEST_ANSWER, Answers, Found, read_submission

SECONDS = 10.0
"""The limit on processor time for one answer, or for reading one file."""
WAITING = 6
"""How much longer that may take by the clock, so that a busy machine does not refuse right answers."""
MEGABYTES = 2048
"""The memory limit of the process."""
_LONGEST_REASON = 4_000
_SERVER = "from kripke_werewolf.teach.exercises.worker import main; main()"


class Unchecked(NamedTuple):
    """An answer that could not be checked, or a file that could not be read, and the reason."""

    why: str


class Worker:
    """Reads and checks in another process, restarted when it fails. Use it as a context manager.

    `seconds`: the processor time for a request; by the clock it may take `WAITING` times as long. Windows has
    only the latter limit.

    >>> from kripke_werewolf.teach.exercises import new_exercise
    >>> with Worker() as worker:
    ...     exercise = new_exercise("truth-set", rng=2)
    ...     worker.check(exercise, exercise.solution()).right, worker.check(exercise, "maybe").why
    (True, "answer, line 1, column 1: unknown world 'maybe'...")
    """

    def __init__(self, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        self._seconds = seconds
        self._helper = Helper(_SERVER, str(megabytes), str(seconds), quiet=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._helper.stop()

    def check(self, exercise: Exercise, answer: str, *, only_read: bool = False) -> Result | Unchecked:
        """Return the result of an answer, or why it could not be checked.

        `only_read`: the result only says how the answer was read, and is right if it has the right form.
        """
        if len(answer) > LARGEST_ANSWER:
            most = f"at most {LARGEST_ANSWER:,} are checked"
            return Unchecked(f"the answer has {len(answer):,} characters; {most}")
        task = "form" if only_read else "check"
        said = self._ask({"do": task, "exercise": to_dict(exercise), "answer": answer})
        if isinstance(said, Unchecked):
            return said
        return Result(said["right"], said["reason"], Fraction(said["partial"]), said["mistake"])

    def read(self, path: str, data: bytes) -> list[Found]:
        """Return the content of a file handed in."""
        said = self._ask({"do": "read", "path": path, "data": base64.b64encode(data).decode()})
        if isinstance(said, Unchecked):
            return [Found(path, problem=said.why)]
        return [Found(place, given and _answers(*given), why) for place, given, why in said["found"]]

    def _ask(self, request: Mapping[str, Any]) -> Any:
        """Return the reply to a request, or the reason why there is none."""
        if not self._helper.running:
            try:
                self._helper.ask(json.dumps({"do": "start"}), seconds=300)
            except (TimeoutError, EOFError):
                raise KripkeError("the process that checks answers could not be started") from None
        try:
            reply = json.loads(self._helper.ask(json.dumps(request), seconds=WAITING * self._seconds))
        except TimeoutError:
            return Unchecked(f"it took more than {self._seconds:g} seconds")
        except EOFError:
            return Unchecked("it took too much memory, or broke the program")
        return Unchecked(reply["refused"]) if "refused" in reply else reply


def _answers(student: str, answers: Mapping[str, str], *others: Any) -> Answers:
    """Return answers as they were before they became JSON, whose keys are strings."""
    return Answers(student, {int(number): text for number, text in answers.items()}, *others)


# --- the process -----------------------------------------------------------------------------------


def main() -> None:
    """Answer requests until the input ends."""
    # models and numbers are loaded before the limits, which then apply only to answers
    from kripke_werewolf.logic.deciding import satisfiable
    from kripke_werewolf.logic.formulas import parse

    satisfiable(parse("p & ~K_a p"))
    megabytes, seconds = int(sys.argv[1]), float(sys.argv[2])
    _limit(RLIMIT_AS=megabytes << 20, RLIMIT_FSIZE=0, RLIMIT_CORE=0)
    out, sys.stdout = sys.stdout, sys.stderr  # other output must not corrupt the replies
    for line in sys.stdin:
        _limit(RLIMIT_CPU=ceil(process_time() + seconds))
        print(json.dumps(_reply(json.loads(line))), file=out, flush=True)


def _limit(**limits: int) -> None:
    """Limit the memory, files and time of this process, where the system allows."""
    if sys.platform == "win32":
        return
    import resource

    for name, value in limits.items():
        with suppress(AttributeError, ValueError, OSError):  # some systems do not have this one
            limit = getattr(resource, name)
            hard = resource.getrlimit(limit)[1]
            resource.setrlimit(limit, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _reply(request: Mapping[str, Any]) -> dict[str, Any]:
    try:
        if request["do"] == "start":
            return {}
        if request["do"] == "read":
            found = read_submission(request["path"], base64.b64decode(request["data"]))
            return {"found": list(found)}
        exercise, answer = from_dict(request["exercise"]), request["answer"]
        if request["do"] == "form":
            result = Result(True, exercise.read_back(answer))
        else:
            result = exercise.check(answer)
    except MemoryError:
        os._exit(1)  # at once, without cleaning up
    except RecursionError:
        return {"refused": "it is nested too deeply"}
    except KripkeError as error:
        return {"refused": str(error)}
    reason = cut_off(result.reason, _LONGEST_REASON)
    return asdict(result) | {"reason": reason, "partial": str(result.partial)}
