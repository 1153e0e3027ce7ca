"""The two screens of the console: the game master's own, and one device handed from player to player.

Both show a keeper of the package `tabletop`, which holds the game and everything that is decided. The device
shows the views that phones show, of the long game and of One Night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, partial
from typing import Any

from kripke_werewolf.base.errors import IllegalMove, KripkeError, UnknownNameError
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language, word
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.log import PhaseChoice
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.telling import chances_text, describe_setup
from kripke_werewolf.games.werewolf.told import own_chances, told
from kripke_werewolf.play import tabletop
from kripke_werewolf.play.console.commands import (
    USAGE,
    VERBS,
    Command,
    NightPlayers,
    as_typed,
    first_word,
    help_text,
    parse_command,
    read_player,
    submitted,
)
from kripke_werewolf.play.console.terminal import Style, Terminal, blocks, grid_of, table_text, wrapped_string
from kripke_werewolf.play.tabletop.commands import Command as Submitted
from kripke_werewolf.play.tabletop.night import DayClaim, NightKeeper
from kripke_werewolf.play.tabletop.sitting import phase_start, votes_in_words
from kripke_werewolf.play.tabletop.views import View


class _Changed(Exception):
    """Something was taken back, or a phase is over; the round begins again."""


class _Quit(Exception):
    """The players stop."""


_MASTER = tuple(verb for verb in USAGE if verb != "again")
_PUBLIC = ("vote", "end", "undo", "again", "away", "back", "table", "status", "help", "quit")
_PRIVATE = ("later", "nobody", "hint", "table", "status", "help")
_NOBODY = ("nobody", "decline", "pass", "skip")


@dataclass(eq=False)
class _Screen:
    """A table on a terminal.

    `patient`: go on after a refused command; otherwise the error ends the run; everything before it is saved.
    `language`: the screen's.
    """

    keeper: Any
    terminal: Terminal
    _: KW_ONLY
    patient: bool = True
    language: str = ENGLISH
    queue: list[str] = field(default_factory=list)
    """The players who get the device next; empty before and after a round."""
    notes: list[str] = field(default_factory=list)
    """What the next screen for everybody says first, once."""

    def __post_init__(self) -> None:
        if self.sitting.flow.paused:  # on phones
            self.do(tabletop.Pause(False))

    @property
    def sitting(self) -> Any:
        """The sitting as it is on disk."""
        return self.keeper.sitting

    @cached_property
    def typed(self) -> dict[str, str]:
        """The commands by their names in this language."""
        names = {verb: self.told(Sentence("typed", command=verb)) for verb in (*_PUBLIC, "claim", *_PRIVATE)}
        return {as_typed(name): verb for verb, name in names.items()}

    def told(self, text: str) -> str:
        """Return a string in the language of this screen."""
        return in_language(text, self.language)

    def in_english(self, line: str) -> str:
        """Return a line with its command, if it begins with one and not with a player, in English."""
        first, rest = first_word(line)
        typed = as_typed(first)
        bare = typed.removeprefix("/")
        verb, slash = self.typed.get(bare), typed.removesuffix(bare)
        if verb is None or (not slash and typed in map(as_typed, self.keeper.game.players)):
            return line
        return f"{slash}{verb} {rest}".strip()

    def show(self, text: str, style: Style = "plain") -> None:
        """Print lines."""
        self.terminal.show(self.told(text), style)

    def show_each(self, texts: Iterable[str], style: Style = "plain") -> None:
        """Print several strings, each on lines of its own."""
        for text in texts:
            self.show(text, style)

    def refuse(self, error: KripkeError | str, *, capital: bool = False) -> None:
        """Print why something is refused."""
        reason = str(error)
        if isinstance(error, UnknownNameError):
            near, known = error.near[:3], error.known[:12]
            said = {"kind": error.kind, "name": str(error.name), "n": len(near), "near": near, "known": known}
            reason = Sentence("unknown-name", english=reason, **said)
        self.show(Sentence("refusal", reason=reason, capital=capital), "refused")

    def do(self, command: Submitted | DayClaim, seat: str | None = None) -> tabletop.Receipt:
        """Submit a command, and return the answer; raise IllegalMove with the reason if it is refused."""
        answer: tabletop.Receipt = self.keeper.submit(seat, command)
        if not answer.accepted:
            raise IllegalMove(answer.text)
        return answer

    def ask(
        self, prompt: str, first: Sequence[str] = (), names: Sequence[str] = (), *, gap: bool = False
    ) -> str:
        """Read a line; `gap`: with an empty line before it."""
        blank = "\n" if gap else ""
        first = [self.told(Sentence("typed", command=w)) if w in VERBS or w in _PRIVATE else w for w in first]
        return self.terminal.ask(f"{blank}{self.told(prompt)} ", first, names)

    def ending(self, size: tuple[int, int] | None) -> str:
        """Return the table of the end: the players' roles, and who has won."""
        return "\n".join(blocks(grid_of(self.keeper.public_view()["ending"], self.language), size))

    def table(self, size: tuple[int, int] | None) -> str:
        """Return the table as it was last made public, for a screen of this size; "" if none was yet."""
        table = self.keeper.public_view()["table"]
        return table_text(table, size, language=self.language) if table else ""

    def show_table(self) -> None:
        """Show the table as it was last made public."""
        self.show(self.table(self.terminal.size) or Sentence("no-table-yet"))

    def show_status(self, *, secret: bool) -> None:
        """Show the state of the game; `secret`: with the numbers of worlds and steps, and who is to act."""
        view = self.keeper.master_view() if secret else self.keeper.public_view()
        steps = view.get("steps", 0)
        self.show(Sentence("where-it-stands", phase=view["phase"], secret=secret, n=steps))
        self.show(Sentence("alive", names=view["alive"]) if view["alive"] else Sentence("nobody-alive"))
        for key in ("dead", "away"):
            if view[key]:
                self.show(Sentence(key, names=view[key]))
        ballot = view.get("ballot", {})
        votes = view.get("votes") or ballot.get("votes") or ()
        voted = [votes_in_words([(voter, target)]) for voter, target in votes] or ballot.get("voted")
        if voted:
            self.show(Sentence("voted", votes=voted))
        if secret:
            self.show(view["worlds"])
            if self.sitting.choices:
                self.show(Sentence("choices-noted", choices=list(map(_choice_text, self.sitting.choices))))
            if view["kind"] != "over":
                self.show(_to_do_text(self.sitting))


class Master(_Screen):
    """Reads one command a line until the end of the input or `quit`, and says what to tell to whom.

    Everything secret is on this screen.
    """

    keeper: tabletop.Keeper

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self.keeper.game

    def run(self) -> None:
        """Play. Raises the error of a refused command unless patient."""
        self._begin()
        with suppress(_Quit, EOFError, KeyboardInterrupt):
            while True:
                prompt = Sentence("master-prompt", over=self.keeper.over, phase=self.game.phase)
                line = self.in_english(self.ask(prompt, _MASTER, self.game.players))
                try:
                    self._answer(line)
                except KripkeError as error:
                    if not self.patient:
                        raise
                    self.refuse(error)

    def _begin(self) -> None:
        game = self.game
        self.show(describe_setup(game.setup))
        self.show(Sentence("players", names=game.players))
        if not game.steps:
            for name in game.players:
                for text in game.handout(name).opening:
                    self.show(Sentence("tell", player=name, text=text))
        self._phase()

    def _phase(self) -> None:
        """Announce what there is to announce now, and who is to act."""
        game = self.game
        if game.table_due:
            self.show(Sentence("tell-all", text=word("the table")))
            self.show(f"\n{self.table(self.terminal.size)}\n")
        if game.verdict is not None:
            self.show(Sentence("game-over"), "title")
            self.show(self.ending(self.terminal.size))
            return
        self.show(f"== {self.told(str(game.phase))} ==", "title")
        public = self._told_first(None)
        self.show_each(Sentence("tell-all", text=text) for text in public)
        for name in game.alive:
            for text in self._told_first(name)[len(public) :]:
                self.show(Sentence("tell", player=name, text=text))
        self.show(_to_do_text(self.sitting))

    def _told_first(self, name: str | None) -> list[str]:
        """Return the messages to a player, or to everybody, when a phase begins: news, and own chances."""
        known = told(self.game, *filter(None, [name]))
        own = own_chances(self.game.setup, self.game.state).get(name or "")
        chances = [Sentence("your-chances", chances=chances_text(own))] if own else []
        return [*known.news(known.entries[-1]), *chances]

    def _answer(self, line: str) -> None:
        """Carry out the command in a line, if there is one."""
        game = self.game
        vote = "vote" if self.sitting.house.ballot == "spoken" else "ballot"
        likely = (vote,) if game.phase.kind == "vote" else game.setup.actions(game.phase)
        command = parse_command(line, game.setup, likely=likely)
        match command and command.verb:
            case None:
                return
            case "quit":
                raise _Quit
            case "help":
                self.show(help_text(_MASTER, language=self.language))
            case "status":
                self.show_status(secret=True)
            case "numbers":
                for number, name in sorted(zip(game.setup.numbers, game.players, strict=True)):
                    self.show(f"{number:4}  {name}")
            case "table" if command and command.word == "master":
                self.show(in_language(game.table().grid("percent"), self.language).to_text())
                self.show(Sentence("worlds", n=game.size))
            case "table":
                self.show_table()
            case "again":
                raise IllegalMove(Sentence("no-device-here"))
            case _ if command is not None:
                self._report(self._done(command))

    def _done(self, command: Command) -> tabletop.Receipt:
        """Submit a command; if the phase cannot end, the refusal says what is missing."""
        over = self.keeper.over
        try:
            return self.do(submitted(command))
        except IllegalMove as error:
            if over or command.verb not in ("vote", "end"):
                raise
            to_do = _to_do_text(self.sitting)
            raise IllegalMove(Sentence("with-more", first=str(error), second=to_do)) from None

    def _report(self, answer: tabletop.Receipt) -> None:
        for to, text in ((message.to, message.text) for message in answer.messages):
            self.show(Sentence("tell", player=to, text=text) if to else Sentence("tell-all", text=text))
        if answer.text and not answer.messages:
            self.show(answer.text)
        if answer.ended:
            self._phase()


class Rounds(_Screen):
    """One device for everybody: handed round by night, shown to the village by day.

    Private screens show the holder's view, as on a phone. The screens that everybody sees, how often each
    player gets the device, and the number of prompts depend on public information alone:

    * by night all the living get the device and are asked the same number of questions; if there is nothing
      to choose the answer does not count. It comes again to those who wanted it later;
    * every turn ends with a prompt that takes another name, too: an attack that is refused, for a reason that
      only its actor may know, is chosen again there, so that every turn has the same number of prompts. The
      actor is told of everybody they cannot attack for this reason, so that the second name is accepted;
    * moves are announced, and a phase ends, when the device has gone round, never in somebody's hands;
    * after a night whose visions are told at the end, it goes round once more, with or without news;
    * `undo` counts in votes and phases, and outcomes cannot be forced.

    By day the village says whom it votes off, or everybody votes, by the house rules: on the screen that all
    see, or with the device in hand. In One Night all vote with the device in hand.
    """

    read = -1  # the step after which everybody read the news of the night

    @property
    def long(self) -> bool:
        """Whether it is the game of several nights, and not One Night."""
        return not isinstance(self.keeper, NightKeeper)

    @cached_property
    def setup(self) -> Setup | NightPlayers:
        """The public settings: nobody is called by a number that is hidden."""
        game = self.keeper.game
        return game.setup.public if self.long else NightPlayers(game.players)

    def run(self) -> None:
        """Play until the game is over, or somebody quits. Whatever ends it, the screen is cleared."""
        view, game = self.keeper.public_view(), self.keeper.game
        self.notes = [view["settings"]]
        dealing = self.long and game.setup.roles is not None and game.phase.position == 0
        if not self.long and view["kind"] != "night":
            self.read = 0
        with _cleared(self.terminal):
            while True:
                try:
                    if dealing:  # everybody sees their card, whether or not they have anything to do at first
                        self.go_round(game.players, partial(self._read, title="your-card"))
                        dealing = False
                    if self.keeper.over:
                        self._end()
                        return
                    self._go_on()
                except _Changed:
                    self.queue = []
                    self.terminal.clear(hands=True)

    def _go_on(self) -> None:
        """Do what is to be done now."""
        view = self.keeper.public_view()
        if view["kind"] == "night":
            naming = self.long and self.sitting.game.state.naming
            self._everybody(self._last_words if naming else self._turn, opened=bool(naming))
        else:
            self._news_round()
            ballot = view["ballot"]["kind"]
            if ballot == "spoken":
                self._day()
            else:
                self._everybody(self._ballot_of, opened=ballot == "open")

    def _end(self) -> None:
        self.show_public()
        while line := self.ask(Sentence("over-press-enter"), _PUBLIC):
            self.public_command(line)

    def people(self, names: Iterable[str]) -> list[str]:
        """Return some players without the robots among them."""
        return [name for name in names if name not in self.sitting.flow.robots]

    def go_round(self, names: Iterable[str], turn: Callable[[str], object], *, opened: bool = False) -> None:
        """Hand the device to those who want it again, or else to some players; `opened`: all look on."""
        self.queue = self.people(self.queue or names)
        while self.queue:
            if not opened:
                self.show_public()
                while line := self.ask(Sentence("hand-to", player=self.queue[0]), _PUBLIC, gap=True):
                    self.public_command(line, handing=True)
                self.terminal.clear()
            turn(name := self.queue[0])
            if self.queue[0] == name:
                self.queue = self.queue[1:]

    def leave(self) -> None:
        """Wait until a player has read their screen, and clear it for the next one."""
        self.ask(Sentence("leave"), gap=True)
        self.terminal.clear(hands=True)

    # screens for everybody

    def show_public(self, *more: str) -> None:
        """Clear the screen and show what everybody may see, and more lines."""
        self.terminal.clear()
        view, size = self.keeper.public_view(), self.terminal.size
        over = view["kind"] == "over"
        news = [*self.notes, *filter(None, [view.get("robots")]), *self._news(view)]
        self.notes = []
        if self.long and not over:
            more = (Sentence("it-is", phase=self.sitting.game.phase, names=view["alive"]), *more)
        if not self.long and view["kind"] == "day" and self.read >= 0:
            more = (Sentence("night-by-day", player=view["players"][0]), *more)
        if size is not None:  # four lines are left for the prompt and between the parts
            lines = [line for text in (*news, *more) for line in wrapped_string(self.told(text), size[0])]
            size = size[0], size[1] - 4 - len(lines)
        table = self.ending(size) if over else self.table(size)
        self.show_each(news, "title")
        for part in filter(any, ([table], more)):
            self.show_each(["", *part] if news else part)
            news = [*news, *part]

    def _recent(self) -> int:
        """Return the position of the first phase of the day or night before this one."""
        phase_at, now = self.sitting.game.setup.phase_at, self.sitting.game.phase.position
        by_day = [phase_at(place) == "vote" for place in range(now + 1)]
        changes = [place for place in range(1, len(by_day)) if by_day[place] != by_day[place - 1]]
        return changes[-2] if len(changes) > 1 else 0

    def _news(self, view: View) -> list[str]:
        """Return the announcements of this day or night and the one before."""
        if not self.long:
            return [line for page in view["feed"] for line in page["lines"]]
        last, game = self.sitting.game.phase.position, self.sitting.game
        if game.verdict is None and game.phase.kind != "vote":
            last -= 1  # moves are announced when all have acted
        pages = (page for page in view["feed"] if self._recent() <= page["position"] <= last)
        return [line for page in pages for line in page["lines"]]

    # by day

    def _day(self) -> None:
        self.show_public("", Sentence("who-is-voted-off", ties=self.sitting.house.ties))
        while not self.queue:
            names = self.sitting.game.alive
            line = self.ask(Sentence("prompt", phase=self.sitting.game.phase), (*names, *_PUBLIC), names)
            self.public_command(line, voting=True)
        self.go_round((), self._read)

    def _last_words(self, name: str) -> None:
        """Ask the dead whom they take along, on everybody's screen: their answer is announced at once."""
        name, _ = self.sitting.open[0]  # even if another was called
        asked = self.keeper.player_view(name)["ask"][0]
        self.show_public("", Sentence("whose-turn", player=name, phase=self.sitting.game.phase))
        self._answered(name, asked, asked["question"], opened=True)
        raise _Changed

    def _news_round(self) -> None:
        """Let everybody read what they were shown; those with nothing to read are handed the device too."""
        if not self.long:
            if self.read < 0:
                self.notes = [Sentence("night-hand-round")]
                self.go_round(self.keeper.game.players, self._read)
                self.read = 0
            return
        game, start = self.sitting.game, len(self.sitting.game.steps)
        if not start or phase_start(game, start) != start or self.read == start:
            return
        phase = game.states[start - 1].phase
        if "vision" in game.setup.actions(phase) and not self.sitting.foretells_in(phase):
            self.go_round(game.at(phase_start(game, start - 1)).alive, self._read)
            self.read = start

    def public_command(self, line: str, *, voting: bool = False, handing: bool = False) -> None:
        """Carry out what everybody may see; raise `_Changed` if another moment has begun.

        `handing`: the device is going round. Then a night cannot be ended: otherwise everybody would learn
        who has chosen something.
        """
        moment = self.sitting.moment
        line = self.in_english(line)
        if voting and line and not line.startswith("/") and not self._is_command(line):
            line = f"vote {line}"
        try:
            verb, rest = first_word(line.removeprefix("/"))
            if verb == "claim" and not self.long:
                self.show(self.do(DayClaim(*read_player(rest, self.setup))).text)
            elif command := parse_command(line, self.setup, likely=_PUBLIC):
                self._public_answer(command, handing=handing)
        except KripkeError as error:
            self.refuse(error)
        if self.sitting.moment != moment:
            raise _Changed

    def _is_command(self, line: str) -> bool:
        """Whether a line begins with a whole command, not with a player."""
        first = as_typed(first_word(line)[0])
        return first in VERBS and first not in map(as_typed, self.keeper.game.players)

    def _public_answer(self, command: Command, *, handing: bool) -> None:
        view = self.keeper.public_view()
        spoken = view.get("ballot", {}).get("kind") == "spoken"
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                possible = [verb for verb in _PUBLIC if verb != "vote" or view["kind"] == "day"]
                self.show(help_text(possible, secret=False, language=self.language))
            case "status":
                self.show_status(secret=False)
            case "table" if command.word is None:
                self.show_table()
            case "end" if handing and view["kind"] == "night":
                self.show(Sentence("ends-after-the-round", phase=view["phase"]))
            case "again":
                (name,) = command.players
                if name not in view["alive"]:
                    raise IllegalMove(Sentence("is-dead", player=name))
                self.queue = self.people([name, *(other for other in self.queue if other != name)])
            case "undo":
                self.notes = [self.do(submitted(command)).text]
                self.read = min(self.read, len(self.sitting.game.steps) - 1) if self.long else -1
            case "away" | "back":
                self.show(self.do(submitted(command)).text)
            case "vote" if view["kind"] == "day" and not spoken:
                self.show(Sentence("everybody-votes"))
            case "vote" | "end" if command.verb == "end" or command.word is None:
                self.do(submitted(command))
            case _:
                self.show(Sentence("not-for-this-screen"))

    # the device in somebody's hands

    def _everybody(self, turn: Callable[[str], object], *, opened: bool = False) -> None:
        """Ask all who have not answered, and end the phase; ask what to do if somebody still has not."""
        moment = self.sitting.moment
        self.keeper.play_robots()
        self.go_round(self.sitting.waiting_for, turn, opened=opened)
        self.terminal.clear()
        if self.sitting.moment != moment:
            raise _Changed
        view = self.keeper.public_view()
        voting = view["kind"] == "day"
        reminded = not self.long or self.sitting.house.missing == "remind"
        if not self.sitting.waiting_for or not (voting or reminded):
            self.public_command("end")
        self.show(Sentence("not-all-have-voted" if voting else "not-all-have-chosen"))
        while line := self.ask(Sentence("prompt", phase=view["phase"]), _PUBLIC):
            self.public_command(line)
            if self.queue:
                return

    def _show_sheet(self, name: str, title: str) -> View:
        """Show a player what they alone were told in this day or night and the one before, by phases."""
        view: View = self.keeper.player_view(name)
        self.show(f"{self.told(title)}\n", "private")
        if not self.long:
            self.show_each(self.sitting.sheet(name))
            if view["table"]:
                self.show(f"\n{grid_of(view['table'], self.language).to_text()}")
            return view
        self.show_each(view["you"]["opening"])
        phase_at, position = self.sitting.game.setup.phase_at, self.sitting.game.phase.position
        by_day = self.sitting.game.phase.kind == "vote"
        if by_day or (self.read < 0 and phase_at(position - 1) == "vote"):
            self.show_each(filter(None, [view["changed"]]))
        public = {line for page in view["feed"] for line in page["lines"]}
        for page in view["sheet"][self._recent() :]:
            ended = Sentence("end-of", phase=page["phase"])
            lines = [line for line in page["lines"] if line not in public and line != ended]
            self.show_each([f"{self.told(page['phase'])}:", *lines] if lines else [])
        return view

    def _read(self, name: str, title: str = "night-is-over") -> None:
        """Let a player read their card, or what the night has shown them."""
        self._show_sheet(name, Sentence(title, player=name))
        self.leave()

    def _turn(self, name: str) -> None:
        """Let the holder of the device read and choose; the same number of prompts for all the living."""
        if not self.long:
            self.read = -1
        phase = self.keeper.public_view()["phase"]
        view = self._show_sheet(name, Sentence("whose-turn", player=name, phase=phase))
        asks = [asked for asked in view.get("ask", ()) if self.long or not asked["answered"]]
        refused = [asked for asked in asks if not self._choice(name, asked, early=view.get("early", False))]
        last = next(iter((*refused, *reversed(asks))), None)
        anew = bool(refused)
        while True:
            prompt = Sentence("leave-anew" if anew else "leave")
            line = self.ask(prompt, self._offered(name, last) if last else (), gap=True)
            if not line or last is None or self._private_word(line) == "later":
                break
            accepted, private = self._submitted(name, line, last)
            if accepted and anew:  # this costs no further prompt, which everybody would notice
                break
            anew = anew or private
        self.terminal.clear(hands=True)

    def _choice(self, name: str, asked: View, *, early: bool) -> bool:
        """Ask a player for a target until it is noted or left for later, whether or not it counts.

        Return False if the attack was refused for a reason that only the player knows: it is not asked for
        again here, where everybody would see it. `early`: whether the question is explained.
        """
        action, question = asked["action"], asked["question"]
        if asked["answered"]:
            target = {"target": asked["target"] or "", "anybody": asked["target"] is not None}
            self.show(Sentence("you-chose", action=action, do=words_for(action).do, **target))
        if not asked["counts"]:
            self.show(Sentence("as-if-there-were", why=asked["why"]))
            question = Sentence("somebody-all-the-same")
        if asked["may_decline"]:
            question = Sentence("may-decline", question=question)
        if early:
            self.show(asked["explained"])
        if not self.long:
            self.show("; ".join(map(self.told, asked["labels"])))
        return self._answered(name, asked, question)

    def _ballot_of(self, name: str) -> None:
        """Ask a player for their vote: on everybody's screen, or alone."""
        view = self.keeper.player_view(name)
        ballot, vote = view["ballot"], view["vote"]
        opened, must = ballot["kind"] == "open", ballot.get("must", False)
        said = [Sentence("vote-was-tied", names=ballot["candidates"])] if ballot["round"] > 1 else []
        title = Sentence("whose-turn", player=name, phase=view["phase"])
        if opened:
            votes = ballot["votes"]
            so_far = [Sentence("votes-so-far", votes=votes_in_words(votes))] if votes else []
            self.show_public(*so_far, *said)
        elif self.long:
            self.show(f"{self.told(title)}\n", "private")
            self.show_each([ballot["explained"], *said] if view["early"] else said)
        else:
            self._show_sheet(name, title)
        if vote["voted"]:
            target = vote["target"]
            self.show(Sentence("you-voted", player=target or "", anybody=target is not None))
        question = Sentence("night-vote") if must else Sentence("vote-for-whom", player=name, opened=opened)
        asked = {"action": "vote", "targets": ballot["candidates"], "may_decline": not must}
        asked |= {"answered": vote["voted"], "explained": ballot.get("explained", "")}
        self._answered(name, asked, question, opened=opened)
        if not opened:
            self.leave()

    def _answered(self, name: str, asked: View, question: str, *, opened: bool = False) -> bool:
        """Ask for a name until it is noted, or until the player keeps what is known or wants to wait.

        `opened`: everybody looks on, and may give commands. Return False if an attack was refused for a
        reason that only the player knows.
        """
        more = ("nobody", "later", *_PUBLIC) if opened else _PRIVATE
        while True:
            line = self.ask(question, (*self._offered(name, asked), *more), gap=not opened)
            said = self._private_word(line)
            if said == "later" or (asked["answered"] and not line):
                return True
            command = said is not None or line.startswith("/") or self._is_command(self.in_english(line))
            if opened and command and said not in _NOBODY:
                self.public_command(line or "help")
                if self.queue[:1] not in ([], [name]):
                    return True
                continue
            accepted, private = self._submitted(name, line, asked, opened=opened)
            if accepted or private:
                return accepted

    def _submitted(self, name: str, line: str, asked: View, *, opened: bool = False) -> tuple[bool, bool]:
        """Submit the target that a line names for an action, or the vote, and say what comes of it.

        Return whether it was accepted, and whether it was refused for a reason that only the player knows.
        """
        said, action = self._private_word(line), asked["action"]
        if said is not None and said not in _NOBODY:
            self._private_answer(said, name, asked)
            return False, False
        target: str | None = None
        try:
            target = None if said in _NOBODY else self._target(line, asked)
            vote = tabletop.Vote(name, target)
            answer = self.do(vote if action == "vote" else tabletop.Choose(name, action, target), name)
        except KripkeError as error:
            self.refuse(error, capital=True)
            return False, target in self._refused(name)
        told = [] if opened else [message.text for message in answer.messages]
        self.show_each(told or [Sentence("it-is-noted")])
        return True, False

    def _refused(self, name: str) -> set[str]:
        """Return the players whom this one was told in this phase that they cannot attack."""
        asks = self.keeper.player_view(name).get("ask", ())
        return {target for asked in asks for target in asked.get("refused", ())}

    def _offered(self, name: str, asked: View) -> list[str]:
        """Return the names that can be typed: the same whether or not the player may choose.

        Players whom they were told they cannot attack are left out, unless nobody else is left.
        """
        if not self.long:
            return [self.told(label) for label in asked.get("labels") or asked["targets"]]
        refused = self._refused(name) if asked["action"] == "attack" else set()
        return [target for target in asked["targets"] if target not in refused] or asked["targets"]

    def _private_word(self, line: str) -> str | None:
        """Return the word of the game in a line, "" for an empty one; None if it names a player."""
        typed = as_typed(self.in_english(line))
        said = typed.removeprefix("/")
        if typed == said and as_typed(line) in map(as_typed, self.keeper.game.players):
            return None
        return said if said in ("", *_NOBODY, *_PRIVATE, *_PUBLIC) else None

    def _private_answer(self, said: str, name: str, asked: View) -> None:
        match said:
            case "table" | "status":
                self._public_answer(Command(said), handing=True)
            case "hint":
                self.show(self.keeper.hint(name, asked["action"]))
            case "" | "help":
                self.show_each(filter(None, [asked.get("explained")]))
                answers = Sentence("answers", decline=asked["may_decline"])
                self.show(Sentence("possible-answers", answers=answers))
            case _:
                self.show(Sentence("for-everybodys-screen", command=said))

    def _target(self, line: str, asked: View) -> str:
        """Return the player who is named, the two, or a card of One Night."""
        targets = asked["targets"]
        labels = [self.told(label) for label in asked.get("labels") or targets]
        for label, target in zip(labels, targets, strict=True):
            if as_typed(line) in (as_typed(label), as_typed(target)):
                return str(target)
        if not self.long:
            raise UnknownNameError(line, labels, kind="choice")
        target, rest = read_player(line, self.setup)
        also, more = first_word(rest)
        other = more if more and also in ("and", self.told(word("and"))) else rest
        if rest and (second := read_player(other, self.setup))[1] == "":
            return " and ".join(sorted((target, second[0]), key=self.keeper.game.players.index))
        if rest:
            target, _ = read_player(f'"{line}"', self.setup)  # says what is unknown
        return target


@contextmanager
def _cleared(terminal: Terminal) -> Iterator[None]:
    """Clear the screen whatever ends the game, even a full disk or a signal: nothing private stays."""
    with suppress(_Quit, EOFError, KeyboardInterrupt):
        try:
            yield
        except BaseException:
            terminal.clear()
            raise


def _choice_text(choice: PhaseChoice) -> str:
    """Return a noted choice, with everything that is secret."""
    forced = {"forced": choice.result is not None, "result": choice.result or ""}
    done = {"any": bool(choice.target), "target": choice.target or ""}
    return Sentence("choice", actor=choice.actor, action=choice.action, **done, **forced)


def _to_do_text(sitting: tabletop.Sitting) -> str:
    """Return the missing actions and their players, with all secrets."""
    game = sitting.game
    if game.verdict is not None:
        return Sentence("game-is-over")
    if sitting.voting:
        missing = sitting.waiting_for
        return Sentence("to-vote", names=missing) if missing else Sentence("village-votes")
    due = [Sentence("due", player=name, actions=actions) for name, actions in sitting.to_choose.items()]
    if not due:
        return Sentence("nothing-to-do")
    free = [a for a in game.setup.actions(game.phase) if sitting.may_decline(a)]
    return Sentence("to-act", due=due, free=bool(free), action="".join(free[:1]))
