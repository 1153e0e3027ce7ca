"""How fast the host is: `python -m benchmarks.host [--players N] [--rules NAME] [--days D]`.

Phones that are requests and streams play with a host in a process of its own on 127.0.0.1. Measured are the
wall clock times that players notice:

* from a tap to the own screen: the command is sent until the stream has shown the view after it;
* from the last answer of a phase until all other phones show the next phase;
* from starting a killed host until it answers.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.host.hosting import Phone, hosted


class Stream(threading.Thread):
    """A phone's stream: every view it has shown, with the time."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(daemon=True)
        self.phone, self.view, self.seen = phone, dict[str, Any](), threading.Condition()
        self.at = 0.0
        self.start()

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.phone.host.port, timeout=60)
        cookie = "; ".join(f"{k}={v}" for k, v in self.phone.cookies.items())
        connection.request("GET", "/events/player", headers={"Cookie": cookie})
        event = b""
        try:
            for line in connection.getresponse():
                if line.startswith(b"event: "):
                    event = line[7:].strip()
                elif line.startswith(b"data: ") and event == b"view":
                    view = json.loads(line[6:])["view"]
                    with self.seen:
                        self.view, self.at = view, time.perf_counter()
                        self.seen.notify_all()
        except (OSError, http.client.HTTPException):
            return

    def wait(self, wanted: Any, seconds: float = 60) -> float:
        """Return when a view was shown for which `wanted` holds."""
        with self.seen:
            assert self.seen.wait_for(lambda: bool(self.view) and wanted(self.view), seconds)
            return self.at


def answered(view: dict[str, Any], moment: str, action: str | None) -> bool:
    """Whether a view shows that its player has answered, or that the phase is over."""
    if view["moment"] != moment:
        return True
    if action is None:
        return bool(view["vote"]["voted"])
    return any(ask["answered"] for ask in view["ask"] if ask["action"] == action)


def play(players: int, rules: str, days: int) -> None:
    """Play some days of a game, and print the times."""
    rng, names = random.Random(1), [f"P{number}" for number in range(1, players + 1)]
    taps: list[float] = []
    last: list[float] = []
    ends: list[float] = []
    log = Path(tempfile.mkdtemp()) / "g.jsonl"
    with hosted(log, "--rules", rules, "--seed", "3") as host:
        phones = {name: Phone(host) for name in names}
        for name, phone in phones.items():
            assert phone.join(name)[0] == 200
        assert phones[names[0]].send("POST", "/begin", {})[0] == 200
        streams = {name: Stream(phone) for name, phone in phones.items()}
        for stream in streams.values():
            stream.wait(lambda view: view["kind"] != "lobby")
        over, phases = False, 0
        while not over and phases < 3 * days:
            phases += 1
            moment = streams[names[0]].view["moment"]
            times: list[float] = []
            for name in [n for n in names if n in streams[names[0]].view["alive"]]:
                view = streams[name].view
                if view["moment"] != moment:
                    break
                todo: list[tuple[str | None, list[str]]] = [
                    (a["action"], a["targets"]) for a in view.get("ask", ())
                ]
                if view["kind"] == "day":
                    todo = [(None, view["ballot"]["candidates"])]
                for action, targets in todo:
                    target = rng.choice(targets)
                    command = {"do": "vote", "target": target}
                    if action:
                        command = {"do": "choose", "action": action, "target": target}
                    time.sleep(0.02)
                    start = time.perf_counter()
                    _, reply = phones[name].submit(command, moment)
                    assert reply["accepted"], reply
                    shown = streams[name].wait(lambda v, m=moment, a=action: answered(v, m, a))  # type: ignore[misc]
                    times.append(shown - start)
            taps += times
            last = times
            at = [stream.wait(lambda v, m=moment: v["moment"] != m) for stream in streams.values()]  # type: ignore[misc]
            ends.append(max(at) - start)
            over = streams[names[0]].view["kind"] == "over"
        killed = time.perf_counter()
        host.kill()
        host.start()
        host.wait()
        restart = time.perf_counter() - killed
    print(f"{players} players, {rules}, {phases} phases")
    for title, found in (("tap to own screen", taps), ("the same in the last phase", last)):
        ordered = sorted(found)
        worst = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
        print(
            f"  {title}: median {statistics.median(found) * 1e3:.0f} ms, 99th percentile {worst * 1e3:.0f} ms"
        )
    ends.sort()
    print(f"  end of a phase to all phones: median {statistics.median(ends):.2f} s, most {ends[-1]:.2f} s")
    print(f"  killed and started again: {restart:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, nargs="*", default=[8, 20])
    parser.add_argument("--rules", default="cisra")
    parser.add_argument("--days", type=int, default=9)
    given = parser.parse_args()
    for number in given.players:
        play(number, given.rules, given.days)
