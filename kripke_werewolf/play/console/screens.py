"""The two screens of the console: the game master's own, and one device handed from player to player.

Both show a `Keeper` of the package `tabletop`, which holds the game and everything that is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, partial
from typing import Any, ClassVar

from kripke_werewolf.base.errors import IllegalMove, KripkeError, UnknownNameError
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language, word
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.log import PhaseChoice
from kripke_werewolf.games.werewolf.roles import Action
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.rulesheet import what_it_does
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.tale import ending
from kripke_werewolf.games.werewolf.telling import chances_text, describe_setup, messages
from kripke_werewolf.games.werewolf.told import own_chances, told
from kripke_werewolf.play import tabletop
from kripke_werewolf.play.console.commands import (
    USAGE,
    VERBS,
    Command,
    as_typed,
    first_word,
    help_text,
    parse_command,
    read_player,
    submitted,
)
from kripke_werewolf.play.console.terminal import (
    Style,
    Terminal,
    TimeUp,
    blocks,
    clock_text,
    table_text,
    wrapped_string,
)
from kripke_werewolf.play.tabletop.commands import Command as Submitted
from kripke_werewolf.play.tabletop.night import DayClaim, NightSitting
from kripke_werewolf.play.tabletop.sitting import phase_start, votes_in_words
from kripke_werewolf.play.tabletop.views import View, target_question


class _Changed(Exception):
    """Something was taken back, or the time of the phase is up; the round begins again."""


class _Quit(Exception):
    """The players stop."""


@dataclass(eq=False)
class _Screen:
    """A table on a terminal.

    `commands` are those of the screen that everybody sees. `patient`: go on after a refused command;
    otherwise the error ends the run; everything before it is saved. `clock`: tells the time by which phases
    end; without one they have no limit. `language`: the screen's.
    """

    keeper: Any
    terminal: Terminal
    _: KW_ONLY
    patient: bool = True
    clock: Callable[[], float] | None = None
    language: str = ENGLISH
    queue: list[str] = field(default_factory=list)
    """The players who get the device next; empty before and after a round."""
    notes: list[str] = field(default_factory=list)
    """What the next screen for everybody says first, once."""
    overdue: str = ""
    """The moment whose time is up, if it goes on all the same."""
    commands: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def typed(self) -> dict[str, str]:
        """The commands by their names in this language."""
        commands = ((self.told(Sentence("typed", command=verb)), verb) for verb in (*_PUBLIC, *_PRIVATE))
        return {as_typed(name): verb for name, verb in commands}

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

    def show_private(self, text: str) -> None:
        """Print the title of a private screen."""
        self.show(f"{self.told(text)}\n", "private")

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
        answer: tabletop.Receipt = self.keeper.submit(seat, command, now=self.now)
        if not answer.accepted:
            raise IllegalMove(answer.text)
        return answer

    @property
    def now(self) -> float | None:
        """The time; None if phases have no limit."""
        return self.clock() if self.clock else None

    def begin(self) -> None:
        """Let the time of the phase begin."""
        if self.clock is not None:
            self.keeper.tick(self.clock())

    def ask(
        self, prompt: str, first: Sequence[str] = (), names: Sequence[str] = (), *, gap: bool = False
    ) -> str:
        """Read a line. When its time is up, the phase ends by the house rules, and `_Changed` is raised.

        If these rules say to wait all the same, the players are told so, and the line is read without a
        limit. `gap`: with an empty line before it.
        """
        prompt = f"{self.told(prompt)} "
        prompt = f"\n{prompt}" if gap else prompt
        first = [self.told(Sentence("typed", command=w)) if w in VERBS or w in _PRIVATE else w for w in first]
        while True:
            flow, moment = self.keeper.sitting.flow, self.keeper.sitting.moment
            until = None if self.clock is None or moment == self.overdue else flow.deadline
            try:
                return self.terminal.ask(prompt, first, names, until=until)
            except TimeUp:
                self.begin()
                if self.keeper.sitting.moment != moment:
                    raise _Changed from None
                self.overdue = moment
                self.show(Sentence("time-is-up"), "title")

    def people(self, names: Iterable[str]) -> list[str]:
        """Return some players without the robots among them."""
        return [name for name in names if name not in self.keeper.sitting.flow.robots]

    def go_round(self, names: Iterable[str], turn: Callable[[str], object], *, opened: bool = False) -> None:
        """Hand the device to those who want it again, or else to some players; `opened`: all look on."""
        self.queue = self.people(self.queue or names)
        while self.queue:
            if not opened:
                self.show_public()
                while line := self.ask(Sentence("hand-to", player=self.queue[0]), self.commands, gap=True):
                    self.public_command(line, handing=True)
                self.terminal.clear()
            turn(name := self.queue[0])
            if self.queue[0] == name:
                self.queue = self.queue[1:]

    def question(self, asked: View) -> str:
        """Return a question of a view; say why the answer does not count, if it does not."""
        question: str = asked["question"]
        if not asked["counts"]:
            self.show(Sentence("as-if-there-were", why=asked["why"]))
            question = Sentence("somebody-all-the-same")
        return Sentence("may-decline", question=question) if asked["may_decline"] else question

    def show_public(self) -> None:
        """Clear the screen, and show what everybody may see."""

    def public_command(self, line: str, *, handing: bool = False) -> None:
        """Carry out what everybody may see; `handing`: the device is going round."""

    def leave(self) -> None:
        """Wait until a player has read their screen, and clear it for the next one."""
        self.ask(Sentence("leave"), gap=True)
        self.terminal.clear(hands=True)


@contextmanager
def _cleared(terminal: Terminal) -> Iterator[None]:
    """Clear the screen whatever ends the game, even a full disk or a signal: nothing private stays."""
    with suppress(_Quit, EOFError, KeyboardInterrupt):
        try:
            yield
        except BaseException:
            terminal.clear()
            raise


class _LongScreen(_Screen):
    """A table with a game of several nights."""

    keeper: tabletop.Keeper

    @property
    def sitting(self) -> tabletop.Sitting:
        """The sitting as it is on disk."""
        return self.keeper.sitting

    @property
    def game(self) -> QuantumWerewolf:
        """The game as it is on disk."""
        return self.keeper.game

    def ending(self, size: tuple[int, int] | None) -> str:
        """Return the players' roles."""
        return "\n".join(blocks(in_language(ending(self.game).table, self.language), size))

    def table(self, size: tuple[int, int] | None) -> str:
        """Return the table as it was last made public, for a screen of this size; "" if none was yet."""
        return "".join(table_text(table, size, language=self.language) for table in self.keeper.tables[-1:])

    def show_table(self) -> None:
        """Show the table as it was last made public."""
        self.show(self.table(self.terminal.size) or Sentence("no-table-yet"))

    def show_status(self, *, secret: bool) -> None:
        """Show the state of the game; `secret`: with the numbers of worlds and steps, and who is to act."""
        game = self.game
        phase = game.phase if game.verdict is None else Sentence("game-is-over")
        self.show(Sentence("where-it-stands", phase=phase, secret=secret, n=len(game.steps)))
        self.show(Sentence("alive", names=game.alive) if game.alive else Sentence("nobody-alive"))
        dead = [name for name in game.players if name not in game.alive]
        if dead:
            self.show(Sentence("dead", names=dead))
        flow = self.sitting.flow
        if flow.away:
            self.show(Sentence("away", names=flow.away))
        if flow.votes:
            opened = secret or self.sitting.house.ballot == "open"
            voted = [votes_in_words([vote]) if opened else vote[0] for vote in flow.votes]
            self.show(Sentence("voted", votes=voted))
        if flow.paused:
            self.show(Sentence("game-is-paused"))
        elif flow.deadline is not None and self.clock is not None:
            self.show(Sentence("time-left", time=clock_text(flow.deadline - self.clock())))
        if secret:
            self.show(Sentence("worlds", n=game.size))
            if self.sitting.choices:
                self.show(Sentence("choices-noted", choices=list(map(_choice_text, self.sitting.choices))))
            if game.verdict is None:
                self.show(_to_do_text(self.sitting))
        if game.setup.sampled:
            self.show(Sentence("played-on", sample=game.setup.sampled))


class Master(_LongScreen):
    """Reads one command a line until the end of the input or `quit`, and says what to tell to whom.

    Everything secret is on this screen.
    """

    def run(self) -> None:
        """Play. Raises the error of a refused command unless patient."""
        self.begin()
        self._begin()
        while True:
            over, paused = self.game.verdict is not None, self.sitting.flow.paused
            prompt = Sentence("master-prompt", over=over, paused=paused, phase=self.game.phase)
            made = len(self.game.steps)
            try:
                line = self.ask(prompt, _MASTER, self.game.players)
            except _Changed:
                self.show(Sentence("time-is-up"), "title")
                events = [event for step in self.game.steps[made:] for event in step]
                self._report(tabletop.Receipt(True, messages=messages(self.game.setup, events), ended=True))
                continue
            except (EOFError, KeyboardInterrupt):
                return
            try:
                phase = self.game.phase
                vote = "vote" if self.sitting.house.ballot == "spoken" else "ballot"
                likely = (vote,) if phase.kind == "vote" else self.game.setup.actions(phase)
                command = parse_command(self.in_english(line), self.game.setup, likely=likely)
                if command is not None and command.verb == "quit":
                    return
                if command is not None:
                    self._answer(command)
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

    def _answer(self, command: Command) -> None:
        game = self.game
        match command.verb:
            case "help":
                self.show(help_text(_MASTER, language=self.language))
            case "status":
                self.show_status(secret=True)
            case "numbers":
                for number, name in sorted(zip(game.setup.numbers, game.players, strict=True)):
                    self.show(f"{number:4}  {name}")
            case "table" if command.word == "master":
                self.show(in_language(game.table().grid("percent"), self.language).to_text())
                self.show(Sentence("worlds", n=game.size))
            case "table":
                self.show_table()
            case "again":
                raise IllegalMove(Sentence("no-device-here"))
            case "vote" | "end":
                try:
                    self._report(self.do(submitted(command)))
                except IllegalMove as error:
                    if game.verdict is not None:
                        raise
                    to_do = _to_do_text(self.sitting)
                    raise IllegalMove(Sentence("with-more", first=str(error), second=to_do)) from None
            case _:
                self._report(self.do(submitted(command)))

    def _report(self, answer: tabletop.Receipt) -> None:
        for to, text in ((message.to, message.text) for message in answer.messages):
            self.show(Sentence("tell", player=to, text=text) if to else Sentence("tell-all", text=text))
        if answer.text and not answer.messages:
            self.show(answer.text)
        if answer.ended:
            self._phase()


_MASTER = tuple(verb for verb in USAGE if verb != "again")
_PUBLIC = ("vote", "end", "undo", "again", "away", "back", "pause", "table", "status", "help", "quit")
_PRIVATE = ("later", "nobody", "hint", "table", "status", "help")
_NOBODY = ("nobody", "decline", "pass", "skip")


class Rounds(_LongScreen):
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
    see, or with the device in hand.
    """

    commands = _PUBLIC
    read = -1  # the step after which everybody read the news of the night

    @cached_property
    def setup(self) -> Setup:
        """The public settings: nobody is called by a number that is hidden."""
        return self.game.setup.public

    def run(self) -> None:
        """Play until the game is over, or somebody quits. Whatever ends it, the screen is cleared."""
        self.begin()
        self.notes = [describe_setup(self.setup)]
        dealing = self.game.setup.roles is not None and self.game.phase.position == 0
        with _cleared(self.terminal):
            while True:
                try:
                    if self.sitting.flow.paused:  # since before a break
                        self._rest()
                    if dealing:  # everybody sees their card, whether or not they have anything to do at first
                        self.go_round(self.game.players, partial(self._read, title="your-card"))
                        dealing = False
                    if self.game.verdict is not None:
                        self._end()
                        return
                    self._go_on()
                except _Changed:
                    self.queue = []
                    self.terminal.clear(hands=True)

    def _go_on(self) -> None:
        """Do what is to be done now."""
        game = self.game
        if game.state.naming:
            self._everybody(self._last_words, opened=True)
        elif game.phase.kind != "vote":
            self._everybody(self._turn)
        else:
            self._news_round()
            ballot = self.sitting.house.ballot
            if ballot == "spoken":
                self._day()
            else:
                self._everybody(self._ballot_of, opened=ballot == "open")

    def _end(self) -> None:
        self.show_public(ended=True)
        while line := self.ask(Sentence("over-press-enter"), _PUBLIC):
            self.public_command(line)

    def _rest(self) -> None:
        """Wait while the game is paused."""
        self.terminal.clear()
        self.show(Sentence("paused-now"), "title")
        if as_typed(self.in_english(self.ask(Sentence("go-on-or-quit")))).removeprefix("/") == "quit":
            raise _Quit
        self.do(tabletop.Pause(False))

    # screens for everybody

    def show_public(self, *more: str, ended: bool = False) -> None:
        """Clear the screen and show what everybody may see, and more lines."""
        self.terminal.clear()
        game, size = self.game, self.terminal.size
        practice = self.keeper.public_view().get("robots", "")
        news = [*self.notes, *filter(None, [practice]), *self._news()]
        self.notes = []
        if game.verdict is None:
            more = (Sentence("it-is", phase=game.phase, names=game.alive), *more)
        if size is not None:  # four lines are left for the prompt and between the parts
            lines = [line for text in (*news, *more) for line in wrapped_string(self.told(text), size[0])]
            size = size[0], size[1] - 4 - len(lines)
        table = self.ending(size) if ended else self.table(size)
        self.show_each(news, "title")
        for part in filter(any, ([table], more)):
            self.show_each(["", *part] if news else part)
            news = [*news, *part]

    def _recent(self) -> int:
        """Return the position of the first phase of the day or night before this one."""
        by_day = [self.setup.phase_at(place) == "vote" for place in range(self.game.phase.position + 1)]
        changes = [place for place in range(1, len(by_day)) if by_day[place] != by_day[place - 1]]
        if len(changes) < 2:
            return 0
        return changes[-2]

    def _news(self) -> list[str]:
        """Return the announcements of this day or night and the one before."""
        last = self.game.phase.position
        if self.game.verdict is None and self.game.phase.kind != "vote":
            last -= 1  # moves are announced when all have acted
        feed = self.keeper.public_view()["feed"]
        return [line for page in feed if self._recent() <= page["position"] <= last for line in page["lines"]]

    # by day

    def _day(self) -> None:
        self.show_public("", Sentence("who-is-voted-off", ties=self.sitting.house.ties))
        while not self.queue:
            names = self.game.alive
            line = self.ask(Sentence("prompt", phase=self.game.phase), (*names, *_PUBLIC), names)
            self.public_command(line, voting=True)
        self.go_round((), self._read)

    def _last_words(self, name: str) -> None:
        """Ask the dead whom they take along, on everybody's screen: their answer is announced at once."""
        name, action = self.sitting.open[0]  # even if another was called
        self.show_public("", Sentence("whose-turn", player=name, phase=self.game.phase))
        self._answered(name, action, target_question(action), opened=True)
        raise _Changed

    def _news_round(self) -> None:
        """Let everybody read what they were shown; those with nothing to read are handed the device too."""
        game, start = self.game, len(self.game.steps)
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
            command = parse_command(line, self.setup, likely=_PUBLIC)
            if command is not None:
                self._public_answer(command, handing=handing)
        except KripkeError as error:
            self.refuse(error)
        if self.sitting.moment != moment:
            raise _Changed

    def _is_command(self, line: str) -> bool:
        """Whether a line begins with a whole command, not with a player."""
        first = as_typed(first_word(line)[0])
        return first in VERBS and first not in map(as_typed, self.game.players)

    def _public_answer(self, command: Command, *, handing: bool) -> None:
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                possible = [verb for verb in _PUBLIC if verb != "vote" or self.sitting.voting]
                self.show(help_text(possible, secret=False, language=self.language))
            case "status":
                self.show_status(secret=False)
            case "table" if command.word is None:
                self.show_table()
            case "end" if handing and self.game.phase.kind != "vote":
                self.show(Sentence("ends-after-the-round", phase=self.game.phase))
            case "again":
                (name,) = command.players
                if name not in self.game.alive:
                    raise IllegalMove(Sentence("is-dead", player=name))
                self.queue = self.people([name, *(other for other in self.queue if other != name)])
            case "undo":
                self.notes = [self.do(submitted(command)).text]
                self.read = min(self.read, len(self.game.steps) - 1)
            case "away" | "back":
                self.show(self.do(submitted(command)).text)
            case "pause":
                self.do(submitted(command))
                self._rest()
                self.show_public()
            case "vote" if self.sitting.house.ballot != "spoken":
                self.show(Sentence("everybody-votes"))
            case "vote" | "end" if command.verb == "end" or command.word is None:
                self.do(submitted(command))
            case _:
                self.show(Sentence("not-for-this-screen"))

    # the device in somebody's hands

    def _everybody(self, turn: Callable[[str], object], *, opened: bool = False) -> None:
        """Ask all who have not answered, and end the phase; ask what to do if somebody still has not."""
        self.keeper.play_robots(self.now)
        self.go_round(self.sitting.waiting_for, turn, opened=opened)
        self.terminal.clear()
        voting = self.sitting.voting
        if not self.sitting.waiting_for or not (voting or self.sitting.house.missing == "remind"):
            self.public_command("end")
        self.show(Sentence("not-all-have-voted" if voting else "not-all-have-chosen"))
        while line := self.ask(Sentence("prompt", phase=self.game.phase), _PUBLIC):
            self.public_command(line)
            if self.queue:
                return

    def _show_sheet(self, name: str, title: str) -> None:
        """Show a player what they alone were told in this day or night and the one before, by phases."""
        view = self.keeper.player_view(name)
        self.show_private(title)
        self.show_each(view["you"]["opening"])
        by_day = self.game.phase.kind == "vote"
        if by_day or (self.read < 0 and self.setup.phase_at(self.game.phase.position - 1) == "vote"):
            self.show_each(filter(None, [view["changed"]]))
        public = {line for page in view["feed"] for line in page["lines"]}
        for page in view["sheet"][self._recent() :]:
            ended = Sentence("end-of", phase=page["phase"])
            lines = [line for line in page["lines"] if line not in public and line != ended]
            self.show_each([f"{self.told(page['phase'])}:", *lines] if lines else [])

    def _read(self, name: str, title: str = "night-is-over") -> None:
        """Let a player read their card, or what the night has shown them."""
        self._show_sheet(name, Sentence(title, player=name))
        self.leave()

    def _turn(self, name: str) -> None:
        """Let the holder of the device read and choose; the same number of prompts for all the living."""
        self._show_sheet(name, Sentence("whose-turn", player=name, phase=self.game.phase))
        actions = self.sitting.slots.get(name, ())
        refused = [action for action in actions if not self._choice(name, action)]
        anew = bool(refused)
        *_, action = ("", *actions, *refused[:1])
        while True:
            prompt = Sentence("leave-anew" if anew else "leave")
            line = self.ask(prompt, self._offered(name, action) if action else (), gap=True)
            if not line or not action or self._private_word(line) == "later":
                break
            accepted, private = self._submitted(name, line, action)
            if accepted and anew:  # this costs no further prompt, which everybody would notice
                break
            anew = anew or private
        self.terminal.clear(hands=True)

    def _choice(self, name: str, action: Action) -> bool:
        """Ask a player for a target until it is noted or left for later, whether or not it counts.

        Return False if the attack was refused for a reason that only the player knows: it is not asked for
        again here, where everybody would see it.
        """
        view = self.keeper.player_view(name)
        (asked,) = (asked for asked in view["ask"] if asked["action"] == action)
        if known := asked["answered"]:
            target = {"target": asked["target"] or "", "anybody": asked["target"] is not None}
            self.show(Sentence("you-chose", action=action, do=words_for(action).do, **target))
        question = self.question(asked)
        if view["early"]:
            self.show(asked["explained"])
        return self._answered(name, action, question, known=known)

    def _ballot_of(self, name: str) -> None:
        """Ask a player for their vote: on everybody's screen, or alone."""
        view, opened = self.keeper.player_view(name), self.sitting.house.ballot == "open"
        ballot, (known, target) = view["ballot"], view["vote"].values()
        said = [Sentence("vote-was-tied", names=ballot["candidates"])] if ballot["round"] > 1 else []
        if opened:
            votes = self.sitting.flow.votes
            so_far = [Sentence("votes-so-far", votes=votes_in_words(votes))] if votes else []
            self.show_public(*so_far, *said)
        else:
            self.show_private(Sentence("whose-turn", player=name, phase=view["phase"]))
            self.show_each([ballot["explained"], *said] if view["early"] else said)
        if known:
            self.show(Sentence("you-voted", player=target or "", anybody=target is not None))
        question = Sentence("vote-for-whom", player=name, opened=opened)
        self._answered(name, "vote", question, known=known, opened=opened)
        if not opened:
            self.leave()

    def _answered(
        self, name: str, action: Action, question: str, *, known: bool = False, opened: bool = False
    ) -> bool:
        """Ask for a name until it is noted, or until the player keeps what is `known` or wants to wait.

        `opened`: everybody looks on, and may give commands. Return False if an attack was refused for a
        reason that only the player knows.
        """
        words = (*self._offered(name, action), *(("nobody", "later", *_PUBLIC) if opened else _PRIVATE))
        while True:
            line = self.ask(question, words, gap=not opened)
            said = self._private_word(line)
            if said == "later" or (known and not line):
                return True
            command = said is not None or line.startswith("/") or self._is_command(self.in_english(line))
            if opened and command and said not in _NOBODY:
                self.public_command(line or "help")
                if self.queue[:1] not in ([], [name]):
                    return True
                continue
            accepted, private = self._submitted(name, line, action, opened=opened)
            if accepted or private:
                return accepted

    def _submitted(self, name: str, line: str, action: Action, *, opened: bool = False) -> tuple[bool, bool]:
        """Submit the target that a line names for an action, or the vote, and say what comes of it.

        Return whether it was accepted, and whether it was refused for a reason that only the player knows.
        """
        said = self._private_word(line)
        if said is not None and said not in _NOBODY:
            self._private_answer(said, name, action)
            return False, False
        target: str | None = None
        try:
            target = None if said in _NOBODY else self._target(line)
            vote = tabletop.Vote(name, target)
            answer = self.do(vote if action == "vote" else tabletop.Choose(name, action, target), name)
        except KripkeError as error:
            self.refuse(error, capital=True)
            return False, target in self.sitting.refused(name)
        told = [] if opened else [message.text for message in answer.messages]
        self.show_each(told or [Sentence("it-is-noted")])
        return True, False

    def _offered(self, name: str, action: Action) -> list[str]:
        """Return the names that can be typed: the same whether or not the player may choose.

        Players whom they were told they cannot attack are left out, unless nobody else is left.
        """
        if action == "vote":
            return list(self.sitting.candidates)
        return self.sitting.possible(name, action) or list(self.sitting.choosable(name, action))

    def _private_word(self, line: str) -> str | None:
        """Return the word of the game in a line, "" for an empty one; None if it names a player."""
        typed = as_typed(self.in_english(line))
        said = typed.removeprefix("/")
        if typed == said and as_typed(line) in map(as_typed, self.game.players):
            return None
        return said if said in ("", *_NOBODY, *_PRIVATE, *_PUBLIC) else None

    def _private_answer(self, said: str, name: str, action: Action) -> None:
        match said:
            case "table" | "status":
                self._public_answer(Command(said), handing=True)
            case "hint":
                self.show(self.keeper.hint(name, action))
            case "" | "help":
                decline = action == "vote" or self.sitting.may_decline(action)
                answers = Sentence("answers", decline=decline)
                self.show(what_it_does(self.setup, action))
                self.show(Sentence("possible-answers", answers=answers))
            case _:
                self.show(Sentence("for-everybodys-screen", command=said))

    def _target(self, line: str) -> str:
        """Return the player who is named, or the two."""
        target, rest = read_player(line, self.setup)
        also, more = first_word(rest)
        other = more if more and also in ("and", self.told(word("and"))) else rest
        if rest and (second := read_player(other, self.setup))[1] == "":
            return " and ".join(sorted((target, second[0]), key=self.setup.seat))
        if rest:
            target, _ = read_player(f'"{line}"', self.setup)  # says what is unknown
        return target


class NightRounds(_Screen):
    """One device for everybody who plays One Night.

    At night it goes round twice: everybody answers the same number of questions, and then everybody reads
    what they saw. By day it shows what is said, and goes round once more for the vote.
    """

    commands = ("vote", "again", "claim", "end", "undo", "help", "quit")
    begun = False  # whether the night ended on this screen, and is still to be read

    @property
    def sitting(self) -> NightSitting:
        """The sitting as it is on disk."""
        found: NightSitting = self.keeper.sitting
        return found

    def run(self) -> None:
        """Play until everybody has voted, or somebody quits. Whatever ends it, the screen is cleared."""
        with _cleared(self.terminal):
            while True:
                try:
                    self.keeper.play_robots()
                    {"night": self._night, "day": self._day, "over": self._end}[self.sitting.stage]()
                except _Changed:
                    self.begun, self.queue = self.begun and self.sitting.stage == "day", []

    def show_public(self) -> None:
        """Clear the screen, and show the news."""
        self.terminal.clear()
        practice = filter(None, [self.sitting.public_view().get("robots")])
        self.show_each((*self.notes, *practice, *self.sitting.news), "title")
        self.notes = []

    def _sheet(self, name: str, *, asked: bool = False) -> None:
        """Show a player what they know, ask what there is to ask, and clear the screen."""
        self.show_private(Sentence("whose-turn", player=name, phase=self.sitting.phase))
        self.show_each(self.sitting.sheet(name))
        if table := self.sitting.chances(name):
            self.show(f"\n{in_language(table, self.language).to_text()}")
        for number in self.sitting.open(name) if asked else ():
            self._asked(name, number)
        self.leave()

    def _night(self) -> None:
        self.notes = [self.sitting.settings]
        self.go_round(self.sitting.waiting_for, partial(self._sheet, asked=True))
        self.begun = True

    def _asked(self, name: str, number: int) -> None:
        """Ask a player a question of the night until it is answered."""
        asked = self.sitting.question(name, number)
        question, labels = self.question(asked), list(map(self.told, asked["labels"]))
        offered = dict(zip(map(as_typed, labels), asked["targets"], strict=True))
        offered |= {as_typed(target): target for target in asked["targets"]}
        self.show("; ".join(labels))
        self._answered(name, question, offered, labels, partial(tabletop.Choose, name, str(number)))

    def _answered(
        self,
        name: str,
        question: str,
        offered: dict[str, str],
        labels: Sequence[str],
        command: Callable[[str | None], Submitted],
    ) -> None:
        """Read a line until its command is accepted; `offered`: what may be typed, and what it means."""
        nobody = {as_typed(self.told(Sentence("typed", command="nobody"))), "nobody"}
        while True:
            line = as_typed(typed := self.ask(question, labels, gap=True))
            try:
                if line not in offered and line not in nobody:
                    raise UnknownNameError(typed, labels, kind="choice")
                self.do(command(offered.get(line)), name)
            except KripkeError as error:
                self.refuse(error, capital=True)
                continue
            self.show(Sentence("it-is-noted"))
            return

    def _day(self) -> None:
        if self.begun:
            self.notes = [Sentence("night-hand-round")]
            self.go_round(self.keeper.game.players, self._sheet)
        self.begun = False
        self.terminal.clear()
        self._help()
        while self.sitting.stage == "day":
            prompt = Sentence("prompt", phase=self.sitting.phase)
            self.public_command(self.ask(prompt, self.commands, self.keeper.game.players))

    def _help(self) -> None:
        """Show what can be typed now."""
        day, player = self.sitting.stage == "day", self.keeper.game.players[0]
        self.show(Sentence("night-by-day", player=player) if day else Sentence("night-commands"))

    def _vote_of(self, name: str) -> None:
        self.show_private(Sentence("whose-turn", player=name, phase=self.sitting.phase))
        players = self.keeper.game.players
        names = {as_typed(player): player for player in players}
        self._answered(name, Sentence("night-vote"), names, players, partial(tabletop.Vote, name))
        self.leave()

    def _end(self) -> None:
        self.terminal.clear()
        self.show("\n".join(map(self.told, self.sitting.news)), "title")
        self.show(f"\n{in_language(self.sitting.ending, self.language).to_text()}\n")
        self.show("\n".join(map(self.told, self.sitting.story)))
        if not (line := self.ask(Sentence("over-press-enter"), self.commands, gap=True)):
            raise _Quit
        self.public_command(line)

    def public_command(self, line: str, *, handing: bool = False) -> None:
        """Carry out what everybody may see; `handing`: the device is going round, and not for another."""
        verb, rest = first_word(self.in_english(line).removeprefix("/"))
        try:
            match verb:
                case "quit":
                    raise _Quit
                case "undo":
                    count = int(rest) if rest.isdecimal() else 1
                    self.notes = [self.do(tabletop.Undo(count, phase=rest == "phase")).text]
                    raise _Changed
                case "end":
                    self.do(tabletop.EndPhase())
                    self.begun = self.sitting.stage == "day"
                    raise _Changed
                case "claim":
                    self.show(self.do(DayClaim(*self._named(rest))).text)
                case "again" if self.sitting.stage != "night" and not handing:
                    self.go_round([self._named(rest)[0]], self._sheet)
                    self._help()
                case "vote" if self.sitting.stage == "day" and not handing:
                    self.go_round(self.sitting.waiting_for, self._vote_of)
                case _:
                    self._help()
        except KripkeError as error:
            self.refuse(error)

    def _named(self, text: str) -> tuple[str, str]:
        """Return the player whose name begins a string, and the rest of it."""
        known = sorted(self.keeper.game.players, key=len, reverse=True)
        found = next((name for name in known if as_typed(text).startswith(as_typed(name))), None)
        if found is None:
            raise UnknownNameError(first_word(text)[0], known, kind="player")
        return found, text[len(found) :].strip()


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
