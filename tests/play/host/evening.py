"""A whole evening: every phone holds its stream, everybody answers, and all of it is written down."""

import http.client
import json
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from kripke_werewolf import QuantumWerewolf, read_log, replay
from kripke_werewolf.games.werewolf.events import Attack, Refused, Vision
from tests.play.host.hosting import Host, Phone

View = dict[str, Any]


class Stream(threading.Thread):
    """A phone's stream: the latest view, when it came, and the text of every view before the end."""

    def __init__(self, phone: Phone, who: str = "player") -> None:
        super().__init__(daemon=True)
        self.phone, self.who = phone, who
        self.view: View = {}
        self.at = 0.0
        self.shown = set[str]()
        self.changed = threading.Condition()
        self.ended = False
        self.start()

    def run(self) -> None:
        while not self.ended:
            with suppress(OSError, http.client.HTTPException):
                self.read()
            time.sleep(0.05)

    def read(self) -> None:
        connection = self.phone.host.connect()
        cookie = "; ".join(f"{k}={v}" for k, v in self.phone.cookies.items())
        connection.request("GET", f"/events/{self.who}", headers={"Cookie": cookie} if cookie else {})
        event = b""
        for line in connection.getresponse():
            if line.startswith(b"event: "):
                event = line[7:].strip()
            elif line.startswith(b"data: ") and event == b"view":
                view = json.loads(line[6:])["view"]
                with self.changed:
                    self.view, self.at = view, time.perf_counter()
                    if view["kind"] != "over":
                        self.shown.add(json.dumps(view, ensure_ascii=False))
                    self.changed.notify_all()
        connection.close()

    def wait(self, wanted: Callable[[View], bool], seconds: float = 120) -> float:
        """Return when a view came for which `wanted` holds."""
        with self.changed:
            found = self.changed.wait_for(lambda: bool(self.view) and wanted(self.view), seconds)
            assert found, f"{self.who} waits in vain: {json.dumps(self.view)[:600]}"
            return self.at


@dataclass
class Evening:
    """Players with phones at a host. `taps`: the seconds from a tap to the own screen, phase by phase."""

    host: Host
    names: tuple[str, ...]
    rng: random.Random
    phones: dict[str, Phone] = field(default_factory=dict)
    streams: dict[str, Stream] = field(default_factory=dict)
    accepted: list[tuple[str, str, View]] = field(default_factory=list)
    """Who got what accepted, in which moment."""
    taps: list[list[float]] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    """The seconds from the last tap of a phase until every phone shows the next."""

    def begin(self) -> None:
        """Let everybody join, and begin the game."""
        self.phones = {name: Phone(self.host) for name in self.names}
        for name, phone in self.phones.items():
            assert phone.join(name)[0] == 200
        status, reply = self.phones[self.names[0]].send("POST", "/begin", {})
        assert status == 200, reply
        self.streams = {name: Stream(phone) for name, phone in self.phones.items()}
        self.streams[""] = Stream(Phone(self.host), "tv")
        for stream in self.streams.values():
            stream.wait(lambda view: view["kind"] != "lobby")

    def phase(self, *, pause: float = 0.0) -> str:
        """Let everybody answer until the phase has ended; return the kind of the next."""
        first = self.streams[self.names[0]]
        moment, times, start = first.view["moment"], list[float](), time.perf_counter()
        for name in self.rng.sample(first.view["alive"], len(first.view["alive"])):
            while (todo := self.todo(name, moment)) is not None:
                time.sleep(pause)
                start = time.perf_counter()
                status, reply = self.phones[name].submit(todo, moment)
                assert status == 200, reply
                if reply["accepted"]:
                    self.accepted.append((name, moment, todo))
                times.append(
                    self.streams[name].wait(lambda v, t=todo, r=reply: _seen(v, moment, t, r)) - start
                )  # type: ignore[misc]
        shown = [stream.wait(lambda view: view["moment"] != moment) for stream in self.streams.values()]
        self.ends.append(max(shown) - start)
        self.taps.append(times)
        return str(first.view["kind"])

    def todo(self, name: str, moment: str) -> View | None:
        """Return what somebody has still to answer in this moment."""
        view = self.streams[name].view
        if view["moment"] != moment:
            return None
        if view["kind"] == "day":
            if view["vote"]["answered"]:
                return None
            return {"do": "vote", "target": self.rng.choice(view["ballot"]["candidates"])}
        for ask in view["ask"]:
            targets = [name for name in ask["targets"] if name not in ask.get("refused", ())]
            if not ask["answered"] and targets:
                return {"do": "choose", "action": ask["action"], "target": self.rng.choice(targets)}
        return None

    def close(self) -> None:
        for stream in self.streams.values():
            stream.ended = True

    # what must hold afterwards

    def lost(self) -> list[tuple[str, str, View]]:
        """Return accepted choices that were not replaced later and are missing in the log."""
        game = replay(self.host.log)
        flow = read_log(self.host.log).flow or {}
        votes = {
            (c["position"], c["voted_off"]): dict(map(tuple, c["votes"])) for c in flow.get("counted", ())
        }
        last = {
            (name, moment, todo.get("action")): (name, moment, todo) for name, moment, todo in self.accepted
        }
        return [item for item in last.values() if not _done(game, votes, *item)]

    def leaked(self) -> list[tuple[str, str]]:
        """Return which phone showed, before the end, a sentence that was for somebody else alone."""
        told = _private(replay(self.host.log))
        found = []
        for name, stream in self.streams.items():
            text = "\n".join(stream.shown)
            own = {sentence for owner, sentence in told if owner == name}
            found += [
                (name, said) for owner, said in told if said in text and said not in own and owner != name
            ]
        return found

    def read(self) -> int:
        """Return how many private sentences their owners have read, after checking that none is missing."""
        told = _private(replay(self.host.log))
        texts = {name: "\n".join(stream.shown) for name, stream in self.streams.items()}
        last = str(replay(self.host.log).states[-1].phase)
        missing = [(name, said) for name, said in told if said not in texts[name]]
        assert all(
            said in json.dumps(self.streams[name].view, ensure_ascii=False) for name, said in missing
        ), last
        return len(told)


def _private(game: QuantumWerewolf) -> list[tuple[str, str]]:
    """Return every sentence that one player alone was told, with the player."""
    told = [(message.to, message.text) for message in game.messages if message.to is not None]
    return told + [(name, text) for name in game.players for text in game.handout(name).opening]


def _seen(view: View, moment: str, command: View, reply: View) -> bool:
    """Whether a view shows that a command was answered, or that the phase is over."""
    if view["moment"] != moment:
        return True
    if command["do"] == "vote":
        return bool(view["vote"]["answered"])
    ask = next(ask for ask in view["ask"] if ask["action"] == command["action"])
    return bool(ask["answered"] if reply["accepted"] else command["target"] in ask.get("refused", ()))


def _done(game: QuantumWerewolf, votes: dict[Any, Any], name: str, moment: str, command: View) -> bool:
    """Whether an accepted choice has been carried out, or had no effect."""
    _, position, voted_off, _ = moment.split(".")
    if command["do"] == "vote":
        return bool(votes[int(position), int(voted_off)][name] == command["target"])
    steps = [n for n, state in enumerate(game.states[:-1]) if state.phase.position == int(position)]
    if command["action"] not in game.at(steps[0]).may_act.get(name, ()):
        return True  # everybody is asked
    kinds = (Vision,) if command["action"] == "vision" else (Attack, Refused)
    made = [event for step in steps for event in game.steps[step] if isinstance(event, kinds)]
    return any((event.actor, event.target) == (name, command["target"]) for event in made)
