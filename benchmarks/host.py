"""The host: `python -m benchmarks.host [--players N …] [--rules NAME] [--days D] [--games G] [--harm]`.

Phones that are requests and streams play with a host in a process of its own on 127.0.0.1. Measured are the
times that players notice, by the wall clock (on an idle machine), and the processor time of the host:

* from a tap to the own screen: the command is sent until the stream has shown the view after it;
* from the last answer of a phase until all other phones show the next phase;
* from starting a killed host, by a new interpreter, until it answers.

With `--games` that many games are played by the same people, one after the other; measured is the memory
of the host after each. An evening of three hours has about ten.

With `--harm` one phone sends 8,000 requests, then 400 connections stay idle; measured are the answers to the
others, in turn with those in peace.

Afterwards the log is compared with what the host has confirmed, and every view with what was for others
alone.
"""

from __future__ import annotations

import argparse
import random
import socket
import statistics
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.play.host.evening import Evening
from tests.play.host.hosting import hosted


def shown(title: str, times: list[float]) -> str:
    """Return the median and the 99th percentile of some times."""
    ordered = sorted(times)
    worst = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"  {title}: median {statistics.median(ordered) * 1e3:.0f} ms, 99th percentile {worst * 1e3:.0f} ms"
    )


def play(players: int, rules: str, days: int) -> None:
    """Play some days of a game, and print the times."""
    names = tuple(f"P{number}" for number in range(1, players + 1))
    with hosted(Path(tempfile.mkdtemp()) / "g", "--rules", rules, "--seed", "3", fresh=True) as host:
        evening = Evening(host, names, random.Random(1))
        evening.begin()
        kind, phases, used = "night", 0, [host.seconds]
        while kind != "over" and phases < 3 * days:
            kind = evening.phase(pause=0.02)
            phases += 1
            used.append(host.seconds)
        killed = time.perf_counter()
        host.kill()
        host.start()
        host.wait()
        restart, started = time.perf_counter() - killed, host.seconds
        evening.close()
        lost, leaked, told = evening.lost(), evening.leaked(), evening.read()
    taps = [tap for phase in evening.taps for tap in phase]
    each = [
        (after - before) / len(phase)
        for before, after, phase in zip(used, used[1:], evening.taps, strict=False)
        if phase
    ]
    ends = sorted(evening.ends)
    print(f"{players} players, {rules}, {phases} phases, {len(taps)} taps")
    print(shown("tap to own screen", taps))
    print(shown("the same in the last phase", next(phase for phase in reversed(evening.taps) if phase)))
    print(f"  processor time for a tap, all phones served: {each[0] * 1e3:.0f} to {max(each) * 1e3:.0f} ms")
    print(f"  end of a phase to all phones: median {statistics.median(ends):.2f} s, most {ends[-1]:.2f} s")
    print(f"  killed and started again: {restart:.1f} s, processor time {started:.1f} s")
    print(f"  confirmed {len(evening.accepted)} moves and votes, lost {len(lost)}")
    print(f"  private sentences {told}, seen by others {len(leaked)}")


def harm(rules: str) -> None:
    """Measure what others notice of a phone that floods the host, and of idle connections."""
    names = tuple(f"P{number}" for number in range(1, 9))
    with hosted(Path(tempfile.mkdtemp()) / "g", "--rules", rules, "--seed", "3", fresh=True) as host:
        evening = Evening(host, names, random.Random(1))
        evening.begin()
        flooding, *others = evening.phones.values()
        statuses = list[int]()

        def flood(times: int) -> None:
            for _ in range(times):
                with suppress(OSError):
                    statuses.append(flooding.send("GET", "/hello")[0])

        def answers(seconds: float) -> tuple[list[float], int]:
            """Return how long others wait for answers, and how many are refused."""
            times, refused, end = list[float](), 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                start = time.perf_counter()
                try:
                    refused += random.choice(others).send("GET", "/hello")[0] != 200
                except OSError:
                    refused += 1
                times.append(time.perf_counter() - start)
                time.sleep(0.01)
            return times, refused

        for _ in range(2):
            times, refused = answers(3)
            print(shown(f"in peace, {refused} of {len(times)} refused", times))
            threads = [threading.Thread(target=flood, args=(500,)) for _ in range(8)]
            for thread in threads:
                thread.start()
            times, refused = answers(3)
            for thread in threads:
                thread.join()
            print(shown(f"while one floods, {refused} of {len(times)} refused", times))
        print(f"  of {len(statuses)} requests of the flood {statuses.count(429)} were refused")
        place = ("127.0.0.1", host.port)
        idle = [socket.create_connection(place, timeout=20) for _ in range(400)]
        times, refused = answers(3)
        print(shown(f"with 400 idle connections, {refused} of {len(times)} refused", times))
        for connection in idle:
            connection.close()
        evening.close()


def memory(players: int, rules: str, games: int) -> None:
    """Print the memory of the host after each of some games in a row."""
    names = tuple(f"P{number}" for number in range(1, players + 1))
    with hosted(Path(tempfile.mkdtemp()) / "g", "--rules", rules, "--seed", "3", fresh=True) as host:
        evening = Evening(host, names, random.Random(1))
        evening.begin()
        used, phases = list[int](), 0
        for _ in range(games):
            while evening.phase() != "over":
                phases += 1
            used.append(host.memory)
            for path in ("/again", "/begin"):
                assert evening.phones[names[0]].send("POST", path, {"draw": False})[0] == 200
            for stream in evening.streams.values():
                stream.wait(lambda view: view["kind"] not in ("over", "lobby"))
        evening.close()
    print(f"{players} players, {rules}, {games} games, {phases} phases; memory after each, in MB: {used}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, nargs="*", default=[8, 20])
    parser.add_argument("--rules", default="cisra")
    parser.add_argument("--days", type=int, default=9)
    parser.add_argument("--harm", action="store_true")
    parser.add_argument("--games", type=int, default=0)
    given = parser.parse_args()
    if given.harm:
        harm(given.rules)
    for number in given.players if given.games else ():
        memory(number, given.rules, given.games)
    for number in given.players if not given.games else ():
        play(number, given.rules, given.days)
