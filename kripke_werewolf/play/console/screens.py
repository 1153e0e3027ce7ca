"""The two screens of the console: the game master's own, and one device handed from player to player.

Both show a `Keeper` of the package `tabletop`, which holds the game and everything that is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from typing import Generic, TypeAlias, TypeVar

from kripke_werewolf.base.errors import IllegalMove, KripkeError, UnknownNameError
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language, word
from kripke_werewolf.games.one_night import OneNight
from kripke_werewolf.games.werewolf import Message, QuantumWerewolf
from kripke_werewolf.games.werewolf.log import PhaseChoice
from kripke_werewolf.games.werewolf.roles import Action
from kripke_werewolf.games.werewolf.rules import words_for
from kripke_werewolf.games.werewolf.rulesheet import what_it_does
from kripke_werewolf.games.werewolf.setup import Phase, Setup
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
    verb_named,
)
from kripke_werewolf.play.console.terminal import (
    Style,
    Terminal,
    TimeUp,
    blocks,
    clock_text,
    pages,
    table_text,
    wrapped_string,
)
from kripke_werewolf.play.tabletop.advice import night_changes
from kripke_werewolf.play.tabletop.commands import Command as Submitted
from kripke_werewolf.play.tabletop.commands import GoBack, TakeTurn
from kripke_werewolf.play.tabletop.night import DayClaim, NightKeeper, NightSitting
from kripke_werewolf.play.tabletop.sitting import DeviceTurn, phase_start, votes_in_words
from kripke_werewolf.play.tabletop.views import early, no_target, target_question


class _Changed(Exception):
    """Something was taken back, or the time of the phase is up; the round begins again."""


class _Quit(Exception):
    """The players stop."""


_OnTarget: TypeAlias = Callable[[str | None], Submitted]
"""Returns the command that names a target, or nobody."""
_Kept = TypeVar("_Kept", bound=tabletop.Keeper | NightKeeper)


class _Screen(Generic[_Kept]):
    """A table on a terminal.

    `patient`: go on after a refused command; otherwise the error ends the run; everything before it is saved.
    `clock`: tells the time by which phases end; without one they have no limit. `language`: the screen's.
    """

    def __init__(
        self,
        keeper: _Kept,
        terminal: Terminal,
        *,
        patient: bool = True,
        clock: Callable[[], float] | None = None,
        language: str = ENGLISH,
    ) -> None:
        self.keeper, self.terminal, self.patient, self.clock = keeper, terminal, patient, clock
        self.language = language
        commands = ((self.told(Sentence("typed", command=verb)), verb) for verb in (*_PUBLIC, *_PRIVATE))
        self.typed = {as_typed(name): verb for name, verb in commands}
        """The commands by their names in this language."""
        self.overdue = ""  # the moment whose time is up, if it goes on all the same

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

    def do(self, command: Submitted, seat: str | None = None) -> tabletop.Receipt:
        """Submit a command, and return the answer; raise IllegalMove with the reason if it is refused."""
        return _accepted(self.submit(command, seat))

    def submit(self, command: Submitted, seat: str | None = None) -> tabletop.Receipt:
        """Submit a command, and return the answer."""
        return self.keeper.submit(seat, command, now=self.now)

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
                assert self.clock is not None
                self.keeper.tick(self.clock())
                if self.keeper.sitting.moment != moment:
                    raise _Changed from None
                self.overdue = moment
                self.show(Sentence("time-is-up"), "title")

    def people(self, names: Iterable[str]) -> list[str]:
        """Return some players without the robots among them."""
        return [name for name in names if name not in self.keeper.sitting.flow.robots]

    def leave(self) -> None:
        """Wait until a player has read their screen, and clear it for the next one."""
        self.ask(Sentence("leave"), gap=True)
        self.terminal.clear(hands=True)


def _accepted(answer: tabletop.Receipt) -> tabletop.Receipt:
    """Return the answer to a command; raise IllegalMove with the reason if it is refused."""
    if not answer.accepted:
        raise IllegalMove(answer.text)
    return answer


@contextmanager
def _cleared(terminal: Terminal) -> Iterator[None]:
    """Clear the screen whatever ends the game, even a full disk or a signal: nothing private stays."""
    try:
        yield
    except (_Quit, EOFError, KeyboardInterrupt):
        terminal.clear()
    except BaseException:
        terminal.clear()
        raise


class _LongScreen(_Screen[tabletop.Keeper]):
    """A table with a game of several nights."""

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

    def told_first(self, name: str | None) -> list[str]:
        """Return the messages to a player, or to everybody, when a phase begins: news, and own chances."""
        known = told(self.game, *filter(None, [name]))
        own = own_chances(self.game.setup, self.game.state).get(name or "")
        chances = [Sentence("your-chances", chances=chances_text(own))] if own else []
        return [*known.news(known.entries[-1]), *chances]


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
                self._report(tabletop.Receipt(True, messages=_messages(self.game, made), ended=True))
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
        public = self.told_first(None)
        self.show_each(Sentence("tell-all", text=text) for text in public)
        for name in game.alive:
            for text in self.told_first(name)[len(public) :]:
                self.show(Sentence("tell", player=name, text=text))
        self.show(_to_do_text(self.sitting))

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
_PRIVATE = ("later", "nobody", "hint", "brief", "table", "status", "help")


class Rounds(_LongScreen):
    """One device for everybody: handed round by night, shown to the village by day.

    The screens that everybody sees, how often each player gets the device, and the number of prompts depend
    on public information alone:

    * by night all the living get the device, and those who died since it last went round; all the living
      are asked the same number of questions, and if there is nothing to choose the answer does not count;
    * every turn ends with a prompt that takes another name, too: an attack that is refused, for a reason that
      only its actor may know, is chosen again there, so that every turn has the same number of prompts. The
      actor is told of everybody they cannot attack for this reason, so that the second name is accepted;
    * moves are announced, and a phase ends, when the device has gone round, never in somebody's hands;
    * after a night whose visions are told at the end, it goes round once more, with or without news;
    * `undo` counts in turns of the device, votes and nights, and outcomes cannot be forced.

    By day the village says whom it votes off, or everybody votes, by the house rules: on the screen that all
    see, or with the device in hand.

    The device comes again to those who have not answered everything because they wanted it later.
    """

    unread: dict[str, list[str]]
    foretold: set[Message]  # told before the move was made
    begun = False  # whether the present turn is in the log
    greeting = answers = ""  # shown once; the answers to the present question, in words
    asked: tuple[str, Action] = "", ""  # who is asked in private, and for what
    brief: frozenset[str] = frozenset()  # the players who have put the explanations away
    present: tuple[str, ...] = ()  # who was alive when the device last went round
    read = -1  # the step after which everybody read the news of the night

    @cached_property
    def setup(self) -> Setup:
        """The public settings: nobody is called by a number that is hidden."""
        return self.game.setup.public

    def run(self) -> None:
        """Play until the game is over, or somebody quits. Whatever ends it, the screen is cleared."""
        self.begin()
        self.greeting = describe_setup(self.setup)
        self._catch_up()
        with _cleared(self.terminal):
            dealing = self.game.setup.roles is not None and self.game.phase.position == 0
            while True:
                try:
                    if self.sitting.flow.paused:  # since before a break
                        self._rest()
                    if dealing:
                        self._deal()
                        dealing = False
                    if self.game.verdict is not None:
                        self._end()
                        return
                    if self.game.state.naming:
                        self._last_words()
                    elif self.game.phase.kind != "vote":
                        self._night()
                    else:
                        self._news_round()
                        self._day()
                except _Changed:
                    self.terminal.clear(hands=True)
                    self._catch_up()

    def _end(self) -> None:
        self._show_public(ended=True)
        while line := self.ask(Sentence("over-press-enter"), _PUBLIC):
            self._public_command(line)

    def _rest(self) -> None:
        """Wait while the game is paused."""
        self.terminal.clear()
        self.show(Sentence("paused-now"), "title")
        line = as_typed(self.ask(Sentence("go-on-or-quit"))).removeprefix("/")
        if self.typed.get(line, line) == "quit":
            raise _Quit
        self.do(tabletop.Pause(False))

    # what is known to whom

    def _catch_up(self) -> None:
        """Collect again the messages that players may have missed, after a break or an undo."""
        since = _news_since(self.game)
        self.unread, self.foretold = {}, set()
        self.present = self.game.at(since).alive
        self._keep(_messages(self.game, since))

    def _keep(self, told: Iterable[Message]) -> None:
        for message in told:
            if message.to is not None and message not in self.foretold:
                self.unread.setdefault(message.to, []).append(message.text)
            self.foretold.discard(message)

    # screens for everybody

    def _show_public(self, *more: str, ended: bool = False) -> None:
        """Clear the screen and show what everybody may see, and more lines; page by page if it is long."""
        self.terminal.clear()
        for number, lines in enumerate(self._pages(more, ended=ended)):
            if number:
                self.ask(Sentence("next-page"))
                self.terminal.clear()
            for text, style in lines:
                self.show(text, style)

    def _pages(self, more: tuple[str, ...], *, ended: bool) -> Iterable[list[tuple[str, Style]]]:
        """Return pages of lines with their styles."""
        game, greeting, size = self.game, self.greeting, self.terminal.size
        self.greeting = ""
        practice = self.keeper.public_view().get("robots", "")
        news = [self.told(text) for text in [*filter(None, [greeting, practice]), *self._news()]]
        if game.verdict is None:
            more = (Sentence("it-is", phase=game.phase, names=game.alive), *more)
        state = [self.told(text) for text in more]
        height: int | None = None
        room: tuple[int, int] | None = None
        if size is not None:
            height = size[1] - 2  # two lines are left for the prompt
            news = [line for text in news for line in wrapped_string(text, size[0])]
            state = [line for text in state for line in wrapped_string(text, size[0])]
            room = size[0], height - len(news) - len(state) - 2
        table = (self.ending(room) if ended else self.table(room)).split("\n")
        styled: list[tuple[str, Style]] = [(text, "title") for text in news]
        for part in filter(any, (table, state)):
            if styled:
                styled.append(("", "plain"))
            styled += [(text, "plain") for text in part]
        return [styled] if height is None else pages(styled, height)

    def _news(self) -> list[str]:
        """Return the announcements of this day or night and the one before."""
        first, last = self.game.states[_news_since(self.game)].phase.position, self.game.phase.position
        if self.game.verdict is None and self.game.phase.kind != "vote":
            last -= 1  # moves are announced when all have acted
        feed = self.keeper.public_view()["feed"]
        return [line for page in feed if first <= page["position"] <= last for line in page["lines"]]

    # by day

    def _day(self) -> None:
        if self.sitting.house.ballot != "spoken":
            self._ballot()
            return
        self._show_public("", Sentence("who-is-voted-off", ties=self.sitting.house.ties))
        while self.sitting.voting:
            names, made = self.game.alive, len(self.game.steps)
            line = self.ask(Sentence("prompt", phase=self.game.phase), (*names, *_PUBLIC), names)
            self._public_command(line, voting=True)
            # there may be several votes
            self.show_each(message.text for message in _messages(self.game, made) if message.to is None)

    def _last_words(self) -> None:
        """Ask the dead whom they take along, on everybody's screen: their answer is announced at once."""
        (name, action), made = self.sitting.open[0], len(self.game.steps)
        self._show_public("", Sentence("whose-turn", player=name, phase=self.game.phase))
        if self.sitting.excused(name):
            self._keep(self.do(tabletop.EndPhase("random")).messages)
        while len(self.game.steps) == made:
            line = self.ask(target_question(action), (*self._offered(name, action), *_PUBLIC))
            if not line or line.startswith("/") or self._is_command(line):
                self._public_command(line)
                continue
            try:
                self._keep(self.do(tabletop.Choose(name, action, self._target(line))).messages)
            except KripkeError as error:
                self.refuse(error, capital=True)

    def _ballot(self) -> None:
        """Let everybody vote, and count the votes when all have voted or the vote is ended."""
        self.keeper.play_robots(self.now)
        moment, queue = self.sitting.moment, list(self.sitting.waiting_for)
        while self.sitting.moment == moment:
            if queue:
                first = self._ballot_of(queue[0])
                queue = [first, *queue] if first else queue[1:]
            elif self.sitting.waiting_for:
                self.terminal.clear()
                self.show(Sentence("not-all-have-voted"))
                first = self._public_command(self.ask(Sentence("prompt", phase=self.game.phase), _PUBLIC))
                queue = [first] if first else list(self.sitting.waiting_for)
            else:
                self._keep(self.do(tabletop.EndPhase()).messages)

    def _ballot_of(self, name: str) -> str | None:
        """Ask a player for their vote; return who is to be asked first, if somebody wants to vote again."""
        if self.sitting.house.ballot == "secret":
            first = self._hand_to(name)
            if first is None:
                self.show_private(Sentence("whose-turn", player=name, phase=self.game.phase))
                self._voted(name)
                self.leave()
            return first
        said = self._again()
        if votes := self.sitting.flow.votes:
            said.insert(0, Sentence("votes-so-far", votes=votes_in_words(votes)))
        self._show_public("", *said)
        return self._voted(name)

    def _again(self) -> list[str]:
        """Return the announcement of a second vote among the tied."""
        tied = Sentence("vote-was-tied", names=self.sitting.candidates)
        return [] if self.sitting.flow.round == 1 else [tied]

    def _voted(self, name: str) -> str | None:
        """Note the vote of a player, or leave it for later; return who wants to vote again first."""
        opened, names = self.sitting.house.ballot == "open", self.sitting.candidates
        self.asked = "", ""
        if not opened:
            self._explain(name, "vote")
            self.show_each(self._again())
        before = dict(self.sitting.flow.votes)
        if name in before:
            voted = {"player": before[name] or "", "anybody": before[name] is not None}
            self.show(Sentence("you-voted", **voted))
        words, self.answers = _PUBLIC if opened else _PRIVATE, Sentence("answers-of-a-vote")
        while True:
            question = Sentence("vote-for-whom", player=name, opened=opened)
            line = self.ask(question, (*names, "nobody", "later", *words), gap=not opened)
            own = self._private_word(line)
            if (not line and name in before) or own == "later":
                return None
            if own not in ("nobody", "") and opened and (as_typed(line)[0] == "/" or self._is_command(line)):
                moment = self.sitting.moment
                first = self._public_command(line)
                if self.sitting.moment != moment:
                    return None
                if first is not None and first != name:
                    return first
                continue
            answer, _ = self._submitted(name, line, partial(tabletop.Vote, name))
            if answer is not None and answer.accepted:
                self.show(Sentence("it-is-noted"))
                return None

    def _public_command(self, line: str, *, voting: bool = False, handing: bool = False) -> str | None:
        """Carry out what everybody may see; return who gets the device now, if somebody was named.

        `handing`: the device is going round. Then a night cannot be ended: otherwise everybody would learn
        who has chosen something.
        """
        if not line.strip():
            return None
        line = self.in_english(line)
        try:
            if voting and not line.startswith("/") and not self._is_command(line):
                line = f"vote {line}"
            command = parse_command(line, self.setup, likely=_PUBLIC)
            if command is None:
                return None
            if command.verb not in _PUBLIC or command.word == "master":
                self.show(Sentence("not-for-this-screen"))
            elif command.verb == "vote" and self.sitting.house.ballot != "spoken":
                self.show(Sentence("everybody-votes"))
            elif command.verb == "vote" and command.word is not None:
                self.show(Sentence("drawn-here"))
            elif handing and command.verb == "end" and self.game.phase.kind != "vote":
                self.show(Sentence("ends-after-the-round", phase=self.game.phase))
            elif command.verb == "again":
                return self._wanted(command.players[0])
            else:
                self._public_answer(command, handing=handing)
        except KripkeError as error:
            self.refuse(error)
        return None

    def _is_command(self, line: str) -> bool:
        """Whether a line by day begins with a command, not with a player."""
        with suppress(KripkeError):
            read_player(line, self.setup)
            return False
        with suppress(KripkeError):
            verb_named(first_word(line)[0], likely=_PUBLIC)
            return True
        return False

    def _wanted(self, name: str) -> str:
        """Return a player who wants the device again, if they have had it in this phase."""
        if name not in {turn.holder for turn in self.sitting.turns} | dict(self.sitting.flow.votes).keys():
            raise IllegalMove(Sentence("has-not-had-it", player=name, phase=self.game.phase))
        return name

    def _possible(self, *, handing: bool) -> list[str]:
        """Return the commands of everybody's screen that can be given now."""
        over, flow = self.game.verdict is not None, self.sitting.flow
        voting = self.game.phase.kind == "vote" and not over
        able = {
            "vote": voting and self.sitting.house.ballot == "spoken",
            "end": not over and (voting or not handing),
            "undo": bool(list(self._moments())),
            "again": bool(flow.turns or flow.votes),
        }
        return [verb for verb in _PUBLIC if able.get(verb, True)]

    def _public_answer(self, command: Command, *, handing: bool) -> None:
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                self.show(help_text(self._possible(handing=handing), secret=False, language=self.language))
            case "status":
                self.show_status(secret=False)
            case "table":
                self.show_table()
            case "undo":
                self._undo(command)
            case "away" | "back":
                self.show(self.do(submitted(command)).text)
            case "pause":
                self.do(submitted(command))
                self._rest()
                self._show_public()
            case _:
                self._keep(self.do(submitted(command)).messages)

    def _undo(self, command: Command) -> None:
        """Take back turns of the device, votes and nights, and go on from there."""
        moments = list(self._moments())
        if not moments:
            raise IllegalMove(Sentence("nothing-to-undo"))
        count = int(command.word or 1) if command.word != "phase" else len(self.sitting.turns)
        if command.word == "phase" and not count:  # it has just begun: back to the start of the one before
            start = phase_start(self.game, moments[0].step)
            count = next(place for place, moment in enumerate(moments, start=1) if moment.step == start)
        if not 0 < count <= len(moments):
            raise IllegalMove(Sentence("not-so-many-turns", count=count, n=len(moments)))
        moment = moments[count - 1]
        self.do(GoBack(moment.step, moment.choices or (), max(0, len(self.sitting.turns) - count)))
        if moment.step < self.read:
            self.read = -1
        whose = {"turn": moment.holder is not None, "player": moment.holder or ""}
        self.terminal.clear()
        self.show(Sentence("back-to", phase=self.game.phase, **whose))
        self.terminal.ask(self.told(Sentence("press-enter")))
        raise _Changed

    def _moments(self) -> Iterator[DeviceTurn]:
        """Yield the moments to which `undo` can go back, the last first."""
        turns = self.sitting.turns
        yield from reversed(turns)
        for step in self.sitting.moments:  # without turns choices were made on phones, or by an older version
            if not turns or step < turns[0].step:
                yield DeviceTurn(None, step)

    def _deal(self) -> None:
        """Let everybody see the card they were dealt, whether or not they have anything to do at first."""
        for name in self.people(self.game.players):
            self._hand_to(name)
            self.show_private(Sentence("your-card", player=name))
            self.show_each(self.game.handout(name).opening)
            self.leave()

    # by night

    def _night(self) -> None:
        living, phase = self.game.alive, self.game.phase
        self.keeper.play_robots(self.now)
        queue = self._round()
        while queue:
            if (first := self._hand_to(queue[0])) is not None:
                queue.insert(0, first)
            else:
                self._turn(queue.pop(0))
        self._close(phase)
        if not self.sitting.turns:
            self.present = living

    def _round(self) -> list[str]:
        """Return the next holders of the device: all who have not had it, or else not answered."""
        sitting, game = self.sitting, self.game
        had, open_ = {turn.holder for turn in sitting.turns}, {name for name, _ in sitting.open}
        died = [name for name in self.present if name not in game.alive]
        first = [name for name in game.players if name not in had and name in (*open_, *died)]
        queue = first or [name for name in game.players if name in open_]
        return self.people(name for name in queue if not sitting.excused(name))

    def _close(self, phase: Phase) -> None:
        """End a phase in which everybody had the device; ask what to do if somebody still has to choose."""
        self.terminal.clear()
        if not self.sitting.waiting_for or self.sitting.house.missing != "remind":
            self._public_command("end")
        while self.game.phase == phase and self.game.verdict is None and not self.game.state.naming:
            self.show(Sentence("not-all-have-chosen"))
            line = self.ask(Sentence("prompt", phase=phase), _PUBLIC)
            if not line:
                return
            wanted = self._public_command(line)
            if wanted is not None and self._hand_to(wanted) is None:
                self._turn(wanted)

    def _hand_to(self, name: str) -> str | None:
        """Ask for the device to be handed on; return who is to get it first, if somebody wants it again.

        Commands are possible meanwhile.
        """
        self._show_public()
        while line := self.ask(Sentence("hand-to", player=name), _PUBLIC, gap=True):
            typed = as_typed(line.strip())
            named = next((other for other in self.setup.players if as_typed(other) == typed), None)
            if named and typed not in VERBS:
                self.show(Sentence("only-enter", player=name, again=named != name, other=named))
                continue
            moment = self.sitting.moment
            wanted = self._public_command(line, handing=True)
            if self.sitting.moment != moment:
                raise _Changed
            if wanted is not None and wanted != name:
                return wanted
        self.terminal.clear()
        return None

    def _turn(self, name: str) -> None:
        """Let the holder of the device read and choose; the same number of prompts for all the living."""
        self.begun = False
        self.show_private(Sentence("whose-turn", player=name, phase=self.game.phase))
        self.show_each((*self.game.handout(name).opening, *self.told_first(name)))
        if self.read < 0 and self.setup.phase_at(self.game.phase.position - 1) == "vote":
            self._show_changed(name)
        alive = name in self.game.alive
        self.show_each(self.unread.pop(name, [] if alive else [Sentence("nothing-to-tell")]))
        actions = self.game.setup.actions(self.game.phase) if alive else ()
        refused = [action for action in actions if not self._choice(name, action)]
        *_, last = ("", *actions, *refused[:1])
        self._leave(name, last, anew=bool(refused))

    def _explain(self, name: str, action: Action) -> None:
        """Explain in private what a player is asked for, in the first nights and days."""
        self.asked = name, action
        if early(self.setup, self.game.phase) and name not in self.brief:
            self.show(what_it_does(self.setup, action))

    def _show_changed(self, name: str) -> None:
        if line := night_changes(self.game.handout(name)):
            self.show(line)

    def _choice(self, name: str, action: Action) -> bool:
        """Ask a player for a target until it is noted or left for later, whether or not it counts.

        Return False if the attack was refused for a reason that only the player knows: it is not asked for
        again here, where everybody would see it.
        """
        sitting = self.sitting
        noted = sitting.choice(name, action)
        counts = sitting.counts(name, action)
        if noted is not None:
            chosen = {"target": noted.target or "", "anybody": noted.target is not None}
            self.show(Sentence("you-chose", action=action, do=words_for(action).do, **chosen))
        if not counts:
            why = no_target(action, asked=action in self.game.may_act.get(name, ()))
            self.show(Sentence("as-if-there-were", why=why))
        self._explain(name, action)
        question = target_question(action) if counts else Sentence("somebody-all-the-same")
        if sitting.may_decline(action):
            question = Sentence("may-decline", question=question)
        self.answers = self._answers(action)
        while True:
            line = self.ask(question, (*self._offered(name, action), *_PRIVATE), gap=True)
            if (not line and noted is not None) or self._private_word(line) == "later":
                return True
            answer, private = self._submitted(name, line, partial(self._chosen, name, action))
            if answer is not None and answer.accepted:
                self.foretold.update(answer.messages)
                self.show_each([message.text for message in answer.messages] or [Sentence("it-is-noted")])
                return True
            if private:
                return False

    def _answers(self, action: Action) -> str:
        return Sentence("answers", decline=self.sitting.may_decline(action))

    def _submitted(self, name: str, line: str, command: _OnTarget) -> tuple[tabletop.Receipt | None, bool]:
        """Submit the command with the target that a line of a private screen names, and show a refusal.

        Return the answer (None if the line was no target), and whether it is a refusal for a reason that only
        the player knows.
        """
        said = self._private_word(line)
        if said is not None and said != "nobody":
            self._private_answer(said)
            return None, False
        try:
            target = None if said == "nobody" else self._target(line)
            answer = self.submit(command(target), name)
        except KripkeError as error:
            self.refuse(error, capital=True)
            return None, False
        if not answer.accepted:
            self.refuse(answer.text, capital=True)
        return answer, not answer.accepted and target in self.sitting.refused(name)

    def _leave(self, name: str, action: Action, *, anew: bool) -> None:
        """Let the player read to the end; a name replaces the choice for an action, if there is one.

        `anew`: that choice was refused.
        """
        while True:
            prompt = Sentence("leave-anew" if anew else "leave")
            line = self.ask(prompt, self._offered(name, action) if action else (), gap=True)
            if not line or not action or self._private_word(line) == "later":
                break
            final = self.sitting.foretells and self.sitting.choice(name, action) is not None
            self.answers = Sentence("answer-is-final") if final else self._answers(action)
            answer, private = self._submitted(name, line, partial(self._chosen, name, action))
            if answer is not None and answer.accepted:
                break
            anew = anew or private
        self._take_turn(name)
        self.terminal.clear(hands=True)

    def _chosen(self, name: str, action: Action, target: str | None) -> tabletop.Choose:
        self._take_turn(name)
        return tabletop.Choose(name, action, target)

    def _take_turn(self, name: str) -> None:
        """Record that a player has the device: when they answer, or at the latest when they hand it on."""
        if not self.begun:
            self.do(TakeTurn(name))
            self.begun = True

    def _offered(self, name: str, action: Action) -> list[str]:
        """Return the names that can be typed: the same whether or not the player may choose.

        Players whom they were told they cannot attack are left out, unless nobody else is left.
        """
        return self.sitting.possible(name, action) or list(self.sitting.choosable(name, action))

    def _private_word(self, line: str) -> str | None:
        """Return the word of the private screen that was typed, unless the line names a player."""
        typed, names = as_typed(line), set(map(as_typed, self.game.players))
        said = typed.removeprefix("/")
        if not line:
            return ""
        if typed == said and said in names:
            return None
        said = self.typed.get(said, said)
        if said in ("decline", "pass", "skip"):
            return "nobody"
        return said if said in (*_PRIVATE, *_PUBLIC) else None

    def _private_answer(self, said: str) -> None:
        match said:
            case "table":
                self.show_table()
            case "status":
                self.show_status(secret=False)
            case "hint" if self.asked[0]:
                self.show(self.keeper.hint(*self.asked))
            case "brief" if self.asked[0]:
                self.brief ^= {self.asked[0]}
                self.show(Sentence("explanations", away=self.asked[0] in self.brief))
            case "hint" | "brief":
                self.show(Sentence("only-in-private", command=said))
            case "" | "help":
                if private := bool(self.asked[0]):
                    self.show(what_it_does(self.setup, self.asked[1]))
                self.show(Sentence("possible-answers", answers=self.answers, private=private))
            case _:
                self.show(Sentence("for-everybodys-screen", command=said))

    def _target(self, line: str) -> str:
        """Return the player who is named."""
        target, rest = read_player(line, self.setup)
        also, more = first_word(rest)
        other = more if more and also in ("and", self.told(word("and"))) else rest
        if rest and (second := read_player(other, self.setup))[1] == "":
            return " and ".join(sorted((target, second[0]), key=self.setup.seat))
        if rest:
            target, _ = read_player(f'"{line}"', self.setup)  # says what is unknown
        return target

    # after a night in which all moves were made together

    def _news_round(self) -> None:
        """Let everybody read what they were shown; those with nothing to read are handed the device too."""
        game, start = self.game, len(self.game.steps)
        begun = start and phase_start(game, start) == start and self.read != start
        phase = game.states[start - 1].phase
        if begun and "vision" in game.setup.actions(phase) and not self.sitting.foretells_in(phase):
            for name in self.people(n for n in game.players if n in (*self.present, *game.alive)):
                self._hand_to(name)
                self.show_private(Sentence("night-is-over", player=name))
                self._show_changed(name)
                self.show_each(self.unread.pop(name, [Sentence("nothing-to-tell")]))
                self.leave()
            self.read, self.present = start, game.alive


_EVENING = ("vote", "again", "claim", "end", "undo", "help", "quit")


class NightRounds(_Screen[NightKeeper]):
    """One device for everybody who plays One Night.

    At night it goes round twice: everybody answers the same number of questions, and then everybody reads
    what they saw. By day it shows what is said, and goes round once more for the vote.
    """

    begun = False  # whether the night ended on this screen, and is still to be read

    @property
    def sitting(self) -> NightSitting:
        """The sitting as it is on disk."""
        return self.keeper.sitting

    @property
    def game(self) -> OneNight:
        """The game with its players."""
        return self.keeper.game

    def run(self) -> None:
        """Play until everybody has voted, or somebody quits. Whatever ends it, the screen is cleared."""
        with _cleared(self.terminal):
            while True:
                try:
                    self.keeper.play_robots()
                    {"night": self._night, "day": self._day, "over": self._end}[self.sitting.stage]()
                except _Changed:
                    self.begun = self.begun and self.sitting.stage == "day"

    def _hand_to(self, name: str, *said: str) -> None:
        self.terminal.clear()
        practice = filter(None, [self.sitting.public_view().get("robots")])
        self.show_each((*said, *practice, *self.sitting.news), "title")
        while line := self.ask(Sentence("hand-to", player=name), _EVENING, gap=True):
            self._command(line)
        self.terminal.clear()
        self.show_private(Sentence("whose-turn", player=name, phase=self.sitting.phase))

    def _sheet(self, name: str) -> None:
        """Show a player what they know, and clear the screen."""
        self.show_each(self.sitting.sheet(name))
        if table := self.sitting.chances(name):
            self.show(f"\n{in_language(table, self.language).to_text()}")
        self.leave()

    def _night(self) -> None:
        for name in self.sitting.waiting_for:
            self._hand_to(name, self.sitting.settings)
            self.show_each(self.sitting.sheet(name))
            for number in self.sitting.open(name):
                self._asked(name, number)
            self.leave()
        self.begun = True

    def _asked(self, name: str, number: int) -> None:
        """Ask a player a question of the night until it is answered."""
        asked = self.sitting.question(name, number)
        question, labels = asked["question"], list(map(self.told, asked["labels"]))
        if not asked["counts"]:
            self.show(Sentence("as-if-there-were", why=asked["why"]))
            question = Sentence("somebody-all-the-same")
        if asked["may_decline"]:
            question = Sentence("may-decline", question=question)
        offered = dict(zip(map(as_typed, labels), asked["targets"], strict=True))
        offered |= {as_typed(target): target for target in asked["targets"]}
        self.show("; ".join(labels))
        self._answered(name, question, offered, labels, partial(tabletop.Choose, name, str(number)))

    def _answered(
        self, name: str, question: str, offered: dict[str, str], labels: Sequence[str], command: _OnTarget
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
            for name in self.people(self.game.players):
                self._hand_to(name, Sentence("night-hand-round"))
                self._sheet(name)
        self.begun = False
        self.terminal.clear()
        self._help()
        while self.sitting.stage == "day":
            self._command(self.ask(Sentence("prompt", phase=self.sitting.phase), _EVENING, self.game.players))

    def _help(self) -> None:
        """Show what can be typed now."""
        day, player = self.sitting.stage == "day", self.game.players[0]
        self.show(Sentence("night-by-day", player=player) if day else Sentence("night-commands"))

    def _vote(self) -> None:
        names = {as_typed(name): name for name in self.game.players}
        for name in self.sitting.waiting_for:
            self._hand_to(name)
            vote = partial(tabletop.Vote, name)
            self._answered(name, Sentence("night-vote"), names, self.game.players, vote)
            self.leave()

    def _end(self) -> None:
        self.terminal.clear()
        self.show("\n".join(map(self.told, self.sitting.news)), "title")
        self.show(f"\n{in_language(self.sitting.ending, self.language).to_text()}\n")
        self.show("\n".join(map(self.told, self.sitting.story)))
        if not (line := self.ask(Sentence("over-press-enter"), _EVENING, gap=True)):
            raise _Quit
        self._command(line)

    def _command(self, line: str) -> None:
        """Carry out what everybody may see."""
        verb, rest = first_word(self.in_english(line).removeprefix("/"))
        try:
            match verb:
                case "quit":
                    raise _Quit
                case "undo":
                    count = int(rest) if rest.isdecimal() else 1
                    self.show(self.do(tabletop.Undo(count, phase=rest == "phase")).text)
                    raise _Changed
                case "again" if self.sitting.stage != "night":
                    self._hand_to(name := self._named(rest)[0])
                    self._sheet(name)
                    self._help()
                case "end":
                    self.do(tabletop.EndPhase())
                    self.begun = self.sitting.stage == "day"
                    raise _Changed
                case "claim":
                    self.show(_accepted(self.keeper.submit(None, DayClaim(*self._named(rest)))).text)
                case "vote" if self.sitting.stage == "day":
                    self._vote()
                case _:
                    self._help()
        except KripkeError as error:
            self.refuse(error)

    def _named(self, text: str) -> tuple[str, str]:
        """Return the player whose name begins a string, and the rest of it."""
        known = sorted(self.game.players, key=len, reverse=True)
        found = next((name for name in known if as_typed(text).startswith(as_typed(name))), None)
        if found is None:
            raise UnknownNameError(first_word(text)[0], self.game.players, kind="player")
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


def _news_since(game: QuantumWerewolf) -> int:
    """Return the number of steps before the news: those of this day or night, and of the one before."""
    by_day = [state.phase.kind == "vote" for state in game.states]
    *_, before, _ = (0, 0, *(step for step in range(1, len(by_day)) if by_day[step] != by_day[step - 1]))
    return before


def _messages(game: QuantumWerewolf, since: int) -> tuple[Message, ...]:
    """Return the messages about the steps after this many."""
    return messages(game.setup, [event for step in game.steps[since:] for event in step])
