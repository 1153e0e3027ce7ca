"""Random walks of an evening: `python -m tests.play.tabletop.walks [--walks N] [--steps N] [--seed N]`.

Phones show views that may be old, keep what was tapped until it is answered, send it twice, lose answers; a
game master undoes, pauses, ends phases; seats are freed and taken again; the program is killed while it
writes, or between writing and answering. After every step (the first: after a third) `Walk` checks that

* whatever the screens say follows from the log alone: a fresh reader derives the same bytes;
* no screen contradicts itself, or another one (`screens`);
* nothing that was acknowledged is lost, and nothing is done twice;
* the others see the same bytes whatever somebody chose in secret.
"""

import argparse
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import count
from pathlib import Path
from typing import Any

from kripke_werewolf import KripkeError, QuantumWerewolf, preset
from kripke_werewolf.base.wording import LANGUAGES, in_language
from kripke_werewolf.games.werewolf import LogFile
from kripke_werewolf.games.werewolf.events import Acted, Refused
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.play.host.evening import Evening
from kripke_werewolf.play.host.seats import SeatsFile, SeatTaken
from kripke_werewolf.play.tabletop import DEVICE, MASTER, PHONES, Choose, Keeper, Receipt, Sitting
from kripke_werewolf.play.tabletop.commands import Command, Vote, read_command
from kripke_werewolf.play.tabletop.views import Archive, View, player_view, public_view, view_bytes
from tests.play.tabletop.screens import contradictions, stated, together

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")
DECKS: tuple[Mapping[str, int], ...] = (
    {},
    {},
    {"cupid": 1},
    {"hunter": 1},
    {"bodyguard": 1},
    {"witch": 1},
    {"fox": 1},
    {"drunk": 1},
    {"hunter": 1, "cupid": 1},
)


def drawn(seed: int) -> dict[str, Any]:
    """Return the settings of a walk: players, rules, deck, house rules."""
    rng = random.Random(seed)
    rules = ("straat", "cisra", "gekka")[seed % 3]
    cards = rng.choice(
        [deck for deck in DECKS if rules != "straat" or not deck.keys() & {"drunk", "bodyguard", "witch"}]
    )
    deal = rng.choice(["quantum", "classical"])
    players = NAMES[: rng.randint(max(4, 3 + len(cards)), 5 + len(cards) // 2)]
    house = HouseRules(
        ties=rng.choice(["lot", "village", "nobody"]),
        missing=rng.choice(["remind", "pass", "random"]),
        ballot=rng.choice(["open", "secret", "spoken"]),
        absent=rng.choice(["wait", "pass", "random"]),
        night_seconds=rng.choice([None, None, 30]),
        day_seconds=rng.choice([None, None, 30]),
    )
    numbers = "shuffled" if preset(rules).table == "anonymous" and deal == "quantum" else None
    targets = rng.choice(["secret", "secret", "public"])
    game = {"rules": rules, "deal": deal, "wolves": 1, "cards": dict(cards), "targets": targets, "rng": seed}
    return {"players": players, "house": house, "game": game | ({"numbers": numbers} if numbers else {})}


@dataclass
class Tab:
    """A page on somebody's phone: what it shows, and what it has still to send."""

    seat: str | None
    view: View
    earlier: list[View] = field(default_factory=list)
    queue: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)
    """Requests that were not answered: their id, the moment they were made for, and the command."""


class Walk:
    """An evening that goes on at random; `wrong` lists what was found, by kind."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng, self.seed, self.settings = random.Random(f"walk {seed}"), seed, drawn(seed)
        self.folder, self.path, self.ids, self.now = folder / "g", folder / "g" / "game-1.jsonl", count(), 0.0
        self.manner = self.rng.choice([PHONES, PHONES, PHONES, DEVICE, MASTER])
        self.wrong: list[tuple[str, str]] = []
        self.steps: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        """How often a screen stated what."""
        self.acknowledged: dict[tuple[str, str], dict[tuple[str, str], str | None]] = {}
        """By moment and step of the ballot: the last accepted answers, by player and action."""
        self.language = self.rng.choice(LANGUAGES)
        self.file = SeatsFile(self.folder)
        players = self.settings["players"]
        self.evening = Evening(self.file, {})
        for name in players:
            self.evening.join(name)
            self.taken_twice(name)
        self.evening = Evening(self.file, {}, keeper=self.begun(players))
        self.evening.tick(self.now)
        self.with_manner()
        self.tabs = [Tab(name, self.view_of(name)) for name in (*players, *players[:2], None)]

    def begun(self, names: tuple[str, ...]) -> Keeper:
        """Return the keeper of a new game of these players."""
        game = QuantumWerewolf(names, **self.settings["game"])
        return Keeper(LogFile.create(self.path, game, session=(self.settings["house"], self.seed)), PHONES)

    def with_manner(self) -> None:
        """Run the table in the manner of this walk, not in that of a host."""
        if self.manner is not PHONES:
            self.keeper.sitting = replace(self.keeper.sitting, manner=self.manner)

    @property
    def keeper(self) -> Keeper:
        """The keeper of the table."""
        assert self.evening.keeper is not None
        return self.evening.keeper

    @property
    def sitting(self) -> Sitting:
        return self.keeper.sitting

    def view_of(self, seat: str | None) -> View:
        return self.keeper.player_view(seat) if seat else self.keeper.master_view()

    def note(self, kind: str, text: str) -> None:
        self.wrong.append((kind, text))

    # what happens

    def step(self) -> None:
        """Let something happen, and check everything."""
        rng, moves = self.rng, [self.tap] * 8 + [self.send] * 8 + [self.look] * 6
        moves += [self.twice, self.lose, self.back, self.reload, self.kill, self.torn, self.wait, self.resume]
        moves += [self.late, self.stranger] + [self.rule] * 3 + [self.round] * 3
        move = rng.choice(moves)
        self.steps[move.__name__] += 1
        before = self.sitting
        move(rng.choice(self.tabs))
        self.evening.tick(self.now)
        self.check(before)

    def look(self, tab: Tab) -> None:
        """The stream brings the present view."""
        tab.earlier.append(tab.view)
        tab.view = self.view_of(tab.seat)

    def back(self, tab: Tab) -> None:
        """The page shows an earlier view again."""
        if tab.earlier:
            tab.view = self.rng.choice(tab.earlier)

    def reload(self, tab: Tab) -> None:
        """Another tab of the same phone sends what this one has kept."""
        others = [t for t in self.tabs if t.seat == tab.seat and t is not tab]
        for other in others[:1]:
            other.queue, tab.queue = [*other.queue, *tab.queue], []
        tab.view = self.view_of(tab.seat)

    def tap(self, tab: Tab) -> None:
        """Tap what the page offers, which may be no longer possible."""
        if (command := self.offered(tab)) is not None:
            tab.queue.append((f"r{next(self.ids)}", tab.view["moment"], command))

    def offered(self, tab: Tab) -> Mapping[str, Any] | None:
        view, rng = tab.view, self.rng
        if tab.seat is None:
            return None
        if view["kind"] == "day" and "vote" in view:
            return {"do": "vote", "target": rng.choice([*view["ballot"]["candidates"], None])}
        asks = view.get("ask", ())
        if not asks:
            return None
        ask = rng.choice(asks)
        targets = [t for t in ask["targets"] if t not in ask.get("refused", ()) or rng.random() < 0.2]
        choices = [*targets, *([None] if ask["may_decline"] else [])]
        return {"do": "choose", "action": ask["action"], "target": rng.choice(choices)} if choices else None

    def round(self, tab: Tab) -> None:
        """Everybody answers what they are asked, so that an evening gets on; or the village votes aloud."""
        aloud = self.sitting.house.ballot == "spoken" and self.sitting.game.phase.kind == "vote"
        if aloud and self.sitting.game.alive and self.sitting.game.verdict is None:
            command = {"do": "vote_off", "players": [self.rng.choice(self.sitting.game.alive)]}
            self.submit(None, command, f"m{next(self.ids)}", self.sitting.moment)
        for name in self.rng.sample(self.settings["players"], len(self.settings["players"])):
            own = Tab(name, self.view_of(name))
            if (command := self.offered(own)) is not None:
                self.submit(name, command, f"r{next(self.ids)}", own.view["moment"])

    def send(self, tab: Tab) -> None:
        """Send the first of the queue until it is answered."""
        if tab.queue:
            request, moment, command = tab.queue.pop(0)
            self.submit(tab.seat, command, request, moment)

    def lose(self, tab: Tab) -> None:
        """The answer is lost on its way; the page will send the same again."""
        if tab.queue:
            request, moment, command = tab.queue[0]
            self.submit(tab.seat, command, request, moment)

    def twice(self, tab: Tab) -> None:
        """The same request arrives twice: the same answer, and nothing more happens."""
        if not tab.queue:
            return
        request, moment, command = tab.queue.pop(0)
        first = self.submit(tab.seat, command, request, moment)
        sitting, size = self.sitting, self.path.stat().st_size
        second = self.submit(tab.seat, command, request, moment)
        if first != second or self.sitting is not sitting or self.path.stat().st_size != size:
            self.note("twice", f"{command}: {first}, {second}")

    def submit(
        self, seat: str | None, command: Mapping[str, Any], request: str, moment: str
    ) -> Receipt | None:
        """Send a command, and remember what was acknowledged."""
        before = self.sitting
        self.now += 1
        try:
            body = {"command": command, "request": request, "moment": f"1:{moment}"}
            answer = self.evening.submit(seat, body, self.now)
        except KripkeError as error:
            if seat is not None:
                self.note("error", f"{seat} {command}: {error}")
            return None
        done = read_command(command, seat)
        if self.sitting is before:
            return answer
        self.unseen(before, seat, done, moment, answer)
        if answer.accepted and moment == before.moment and seat is not None:
            said = self.acknowledged.setdefault((before.moment, before.flow.moment), {})
            if isinstance(done, Choose):
                said[seat, done.action] = done.target
            elif isinstance(done, Vote):
                said[seat, "vote"] = done.target
        return answer

    def rule(self, tab: Tab) -> None:
        """The game master, with a page that may be old."""
        rng, (own,) = self.rng, [t for t in self.tabs if t.seat is None]
        own.view = self.view_of(None) if rng.random() < 0.8 else own.view
        alive, players = own.view["alive"] or ["Ann"], own.view["players"]
        acts = list(self.sitting.game.setup.actions(self.sitting.game.phase)) or ["vision"]
        commands: list[Mapping[str, Any]] = [
            {"do": "undo", "count": rng.randint(1, 3)},
            {"do": "undo", "phase": True},
            {"do": "pause", "paused": rng.random() < 0.3},
            {"do": "away", "player": rng.choice(players), "away": rng.random() < 0.5},
            {"do": "end"},
            {"do": "end", "missing": rng.choice(["pass", "random", "remind"])},
            {"do": "vote_off", "players": rng.sample(alive, min(len(alive), rng.choice([1, 1, 1, 2])))},
            {"do": "vote_off", "players": [rng.choice(alive)]},
            {"do": "vote", "voter": rng.choice(players), "target": rng.choice([*alive, None])},
            {
                "do": "choose",
                "actor": rng.choice(players),
                "action": rng.choice(acts),
                "target": rng.choice([*alive, None]),
            },
        ]
        command = rng.choice(commands)
        before = self.sitting
        self.submit(None, command, f"m{next(self.ids)}", own.view["moment"])
        if self.sitting is not before and command["do"] in ("vote", "choose", "undo"):
            self.acknowledged.clear()  # the game master has answered for somebody, or taken answers back
        if self.sitting.flow.paused and rng.random() < 0.7:
            self.submit(None, {"do": "pause", "paused": False}, f"m{next(self.ids)}", self.sitting.moment)

    def wait(self, tab: Tab) -> None:
        """Time passes."""
        self.now += self.rng.choice([1, 40])
        self.evening.tick(self.now)

    def resume(self, tab: Tab) -> None:
        """The program ends, and goes on from the log."""
        self.restart(self.path.read_bytes())

    def kill(self, tab: Tab) -> None:
        """The program is killed after it has written, and before it has answered."""
        self.lose(tab)
        self.restart(self.path.read_bytes())

    def torn(self, tab: Tab) -> None:
        """The program is killed while it writes an answer that nobody has seen."""
        if not tab.queue:
            return
        request, moment, command = tab.queue[0]
        whole, kept = self.path.read_bytes(), {key: dict(value) for key, value in self.acknowledged.items()}
        wrong = list(self.wrong)
        self.submit(tab.seat, command, request, moment)
        content = self.path.read_bytes()
        more = content[len(whole) :]
        if not content.startswith(whole) or len(more) < 2:
            return
        unknown = tab.seat or "", command.get("action") or "vote"  # it may be done, or not
        self.wrong = wrong
        self.acknowledged = {
            key: {k: v for k, v in said.items() if k != unknown} for key, said in kept.items()
        }
        self.restart(whole + more[: self.rng.randrange(1, len(more) - 1)])

    def restart(self, content: bytes) -> None:
        self.evening.close()
        self.file.close()
        self.path.write_bytes(content)
        self.file = SeatsFile(self.folder)
        self.evening = Evening(self.file, {}, keeper=Keeper(LogFile.open(self.path), self.manner))

    def late(self, tab: Tab) -> None:
        """Somebody's seat is freed, and another device takes it; no screen changes, if they were not away."""
        name, players = self.rng.choice(self.settings["players"]), self.settings["players"]
        before, away = [view_bytes(self.view_of(other)) for other in players], self.sitting.flow.away
        self.evening.free(name)
        self.evening.join(name)
        self.taken_twice(name)
        if name not in away and [view_bytes(self.view_of(other)) for other in players] != before:
            self.note("late", f"{name} came, and a screen changed")
        if name in self.sitting.flow.away:
            self.note("late", f"{name} came, and is away")

    def taken_twice(self, name: str) -> None:
        """A second device with the same name is sent away."""
        seats = self.evening.seats
        try:
            self.evening.join(name)
            self.note("name twice", name)
        except SeatTaken:
            if self.evening.seats != seats:
                self.note("name twice", f"{name} changed the seats")

    def stranger(self, tab: Tab) -> None:
        """Somebody comes late: they wait for the next game, and neither see nor change this one."""
        before = [view_bytes(self.view_of(name)) for name in self.settings["players"]]
        self.evening.join("Zoe")
        view = self.evening.view(("player", "Zoe"))
        if not view["waits"] or view.keys() & {"feed", "table", "ask", "you", "moment"}:
            self.note("stranger", "sees a game that had begun")
        if [view_bytes(self.view_of(name)) for name in self.settings["players"]] != before:
            self.note("stranger", "a screen changed")
        self.evening.leave("Zoe")

    # what must hold

    def check(self, before: Sitting) -> None:
        """Check everything."""
        sitting, players = self.sitting, self.settings["players"]
        views = {name: self.keeper.player_view(name) for name in players}
        public, master = self.keeper.public_view(), self.keeper.master_view()
        screens = [*views.items(), ("everybody", public), ("the game master", master)]
        self.seen.update([public["kind"], *(m for line in last(public) for m, _ in stated(line))])
        for who, view in screens:
            for text in contradictions(view):
                self.note("contradiction", f"{who}: {text}")
        for text in together(views, public):
            self.note("contradiction", text)
        flow, done = (
            sitting.flow,
            sitting.choices or (sitting.house.ballot != "spoken" and sitting.flow.votes),
        )
        if (
            self.manner is not DEVICE
            and not (flow.paused or sitting.waiting_for)
            and done
            and sitting.game.verdict is None
        ):
            self.note("stuck", f"everybody has answered in {sitting.game.phase}, and it goes on")
        if self.rng.random() < 0.3:
            self.derived(dict(screens))
        self.kept()
        if sitting.game.verdict is None:
            told = {(m.to, m.text) for m in sitting.game.messages if m.to is not None}
            own = {name: {text for to, text in told if to == name} for name in players}
            said = {name: view_bytes(view).decode() for name, view in views.items()}
            said["everybody"] = view_bytes(public).decode()
            for to, text in told:
                for name, shown in said.items():
                    if name != to and text in shown and text not in own.get(name, ()):
                        self.note("seen by others", f"{name} reads of {to}: {text}")

    def derived(self, screens: Mapping[str, View]) -> None:
        """A fresh reader of the log shows the same bytes, in every language."""
        copy = self.path.with_name("copy.jsonl")
        copy.write_bytes(self.path.read_bytes())
        with LogFile.open(copy) as log:
            fresh = Keeper(log, self.manner)
            again = {name: fresh.player_view(name) for name in self.settings["players"]}
            again |= {"everybody": fresh.public_view(), "the game master": fresh.master_view()}
        if fresh.sitting != self.sitting:
            parts = [
                f.name
                for f in fields(Sitting)
                if getattr(fresh.sitting, f.name) != getattr(self.sitting, f.name)
            ]
            self.note("not from the log", f"the sitting: {parts}")
        for who, view in screens.items():
            for name in ("en", self.language):
                if view_bytes(in_language(view, name)) != view_bytes(in_language(again[who], name)):
                    self.note("not from the log", f"the screen of {who} in {name}")

    def kept(self) -> None:
        """What was acknowledged is on the screen, or has been done."""
        sitting = self.sitting
        for (moment, of), said in list(self.acknowledged.items()):
            era = moment.partition(".")[0]
            if sitting.game.state.naming and int(era) == sitting.flow.era:
                continue  # somebody who died names another first
            if int(era) != sitting.flow.era:  # taken back
                del self.acknowledged[moment, of]
            elif moment == sitting.moment:
                for (name, action), target in said.items():
                    view = self.keeper.player_view(name)
                    shown = {ask["action"]: (ask["answered"], ask["target"]) for ask in view.get("ask", ())}
                    if "vote" in view:
                        shown["vote"] = view["vote"]["answered"], view["vote"]["target"]
                    if action in shown and shown[action] != (True, target):
                        self.note("lost", f"{name} {action} {target}, but {shown[action]}")
                    if action not in shown and action != "vote":
                        self.note("lost", f"{name} {action} {target}, but nothing is asked")
            else:
                for text in undone(sitting, moment, said):
                    self.note("lost", text)
                del self.acknowledged[moment, of]

    def unseen(
        self, before: Sitting, seat: str | None, command: Command, moment: str, answer: Receipt
    ) -> None:
        """Whatever somebody chooses, all others see the same bytes if they are told the same."""
        if not isinstance(command, Choose) or seat is None or moment != before.moment:
            return
        archive = Archive()
        after = self.sitting
        others = [name for name in self.settings["players"] if name != seat]
        if not answer.accepted:
            for name in others:
                if view_bytes(player_view(after, name, archive)) != view_bytes(
                    player_view(before, name, archive)
                ):
                    self.note("seen by others", f"{name} sees that {command} is refused")
            return
        if before.game.setup.targets == "public" and after.moment != before.moment:
            return
        choices = [name for name in before.choosable(seat, command.action) if name != command.target]
        if not choices:
            return
        other = replace(command, target=self.rng.choice(choices))
        twin, twin_answer = before.submit(seat, other, request="twin", moment=moment, now=self.now)
        if not twin_answer.accepted:
            return
        for name in (*others, None):
            if _told(after, name, archive) == _told(twin, name, archive):
                view = public_view if name is None else player_view
                seen = [view_bytes(view(s, *([name] if name else []), archive)) for s in (after, twin)]  # type: ignore[operator]
                if seen[0] != seen[1]:
                    self.note("seen by others", f"{name} sees whether {command} or {other}")

    def close(self) -> None:
        self.evening.close()
        self.file.close()


def last(view: View) -> list[str]:
    """Return the latest news."""
    return view["feed"][-1]["lines"] if view["feed"] else []


def undone(sitting: Sitting, moment: str, said: Mapping[tuple[str, str], str | None]) -> list[str]:
    """Return which acknowledged answers of a moment that is over were not carried out.

    `said`: targets by player and action, or "vote".
    """
    game, (_, position, voted_off, turn), wrong = sitting.game, moment.split("."), list[str]()
    votes = {name: target for (name, action), target in said.items() if action == "vote"}
    tallies = [
        t for t in sitting.flow.counted if (str(t.position), str(t.voted_off)) == (position, voted_off)
    ]
    for tally in tallies[int(turn) - 1 : int(turn)] if votes else ():
        given = list(votes.values())
        few = [name for name in given if dict(tally.counts).get(name, 0) < given.count(name)]
        if few or (tally.votes and any(dict(tally.votes).get(n, 0) != t for n, t in votes.items())):
            wrong.append(f"votes {votes}, counted {tally}")
    steps = [n for n, state in enumerate(game.states[:-1]) if str(state.phase.position) == position]
    if not steps or game.verdict is not None or str(game.phase.position) == position:
        return wrong
    could = game.at(steps[0]).may_act
    events = [event for n in steps for event in game.steps[n]]
    made = {(e.actor, e.action, e.targets) for e in events if isinstance(e, Acted | Refused)}
    for (name, action), target in said.items():
        if action not in ("vote", "take") and target is not None and action in could.get(name, ()):
            names = tuple(target.split(" and "))
            if not {(name, action, names), (name, action, names[::-1])} & made:
                wrong.append(f"{name} {action} {target} in {game.states[steps[0]].phase}: {sorted(made)}")
    return wrong


def _told(sitting: Sitting, name: str | None, archive: Archive) -> object:
    """Return everything that somebody's screen may depend on."""
    own = {(c.action, c.target) for c in sitting.choices if c.actor == name}
    handout = archive.at(sitting.game).handout(name)
    return handout, own, sitting.flow, len(sitting.waiting_for), sitting.game.verdict


def walked(seed: int, steps: int) -> Walk:
    """Return a walk of some steps, or up to its first fault."""
    folder = Path(tempfile.mkdtemp())
    walk = Walk(folder, seed)
    try:
        for _ in range(steps):
            walk.step()
            if walk.wrong:
                break
    finally:
        walk.close()
        shutil.rmtree(folder)
    return walk


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.play.tabletop.walks")
    for name, usual in (("walks", 100), ("steps", 40), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    kinds, steps, seen, first = Counter[str](), Counter[str](), Counter[str](), {}
    for number in range(given.seed, given.seed + given.walks):
        try:
            found = walked(number, given.steps)
        except Exception as error:
            kinds["crash"] += 1
            first.setdefault(f"crash {type(error).__name__}", f"{number}: {error!r}")
            continue
        steps += found.steps
        seen += found.seen
        for kind, text in found.wrong[:1]:
            kinds[kind] += 1
            print(number, drawn(number)["game"], kind, text, flush=True)
    print(f"{given.walks} walks from seed {given.seed}, {steps.total()} steps: {dict(steps)}")
    print(f"screens that stated: {dict(seen)}")
    print(f"walks with a fault: {dict(kinds)}")
    for kind, text in first.items():
        print(kind, text)
