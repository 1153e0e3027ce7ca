"""The two screens of the console: the game master's own, and one device handed from player to player.

Both show a keeper of the package `tabletop`, which holds the game and everything that is decided. The device
shows the views that phones show, of the long game and of One Night.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, partial
from typing import Any

from kripke_werewolf.base.errors import IllegalMove, KripkeError
from kripke_werewolf.base.wording import ENGLISH, Sentence, in_language, word
from kripke_werewolf.games.werewolf.setup import Setup
from kripke_werewolf.games.werewolf.telling import chances_text
from kripke_werewolf.games.werewolf.told import told
from kripke_werewolf.games.werewolf.vocabulary import vocabulary
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.play import tabletop
from kripke_werewolf.play.console import commands
from kripke_werewolf.play.console.terminal import Style, Terminal, table_text
from kripke_werewolf.play.tabletop.night import NightKeeper
from kripke_werewolf.play.tabletop.sitting import phase_start, votes_in_words
from kripke_werewolf.play.tabletop.views import View, status_lines


class _Changed(Exception):
    """Something was taken back, or a phase is over; the round begins again."""


class _Quit(Exception):
    """The players stop."""


_MASTER = tuple(verb for verb in commands.USAGE if verb != "again")
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
    read: set[object] = field(default_factory=set)
    """What was read: by everybody at a moment, and the changes that a night made for a player."""

    def __post_init__(self) -> None:
        if self.sitting.flow.paused:  # on phones
            self.do(tabletop.Pause(False))

    @property
    def typing(self) -> commands.Typing:
        """How lines are typed here."""
        return commands.Typing(self.language, self.keeper.game.players)

    @property
    def sitting(self) -> Any:
        """The sitting as it is on disk."""
        return self.keeper.sitting

    def told(self, text: str) -> str:
        """Return a string in the language of this screen."""
        return in_language(text, self.language)

    def show(self, *texts: str, style: Style = "plain") -> None:
        """Print strings, each on lines of its own, and nothing for an empty one."""
        for text in filter(None, texts):
            self.terminal.show(self.told(text), style)

    def refuse(self, error: KripkeError) -> None:
        """Print why something is refused."""
        self.show(Sentence("refusal", reason=tabletop.commands.reason_of(error)), style="refused")

    def do(self, command: tabletop.commands.Command, seat: str | None = None) -> tabletop.Receipt:
        """Submit a command, and return the answer; raise IllegalMove with the reason if it is refused."""
        answer: tabletop.Receipt = self.keeper.submit(seat, command)
        if not answer.accepted:
            raise IllegalMove(answer.text)
        return answer

    def ask(
        self, prompt: str, words: Sequence[str] = (), *, gap: bool = False, about: Vocabulary | None = None
    ) -> str:
        """Read a line, of which these are possible words; return it with its command in English.

        `gap`: with an empty line before it; `about`: the names that a question is about, if one may be asked.
        """
        shown = self.told(prompt) + " "
        if gap:
            shown = "\n" + shown
        line = self.terminal.ask(shown, self.typing.typed(words), about)
        return self.typing.in_english(line)

    def table(self) -> str:
        """Return the table last made public, or that of the end; "" if there is none."""
        view = self.keeper.public_view()
        table = view.get("ending", view["table"])
        return table_text(table, self.language) if table else ""

    def show_table(self) -> None:
        """Show the table as it was last made public."""
        self.show(self.table() or Sentence("no-table-yet"))


class Master(_Screen):
    """Reads one command a line until the end of the input or `quit`, and says what to tell to whom.

    Everything secret is on this screen.
    """

    keeper: tabletop.Keeper

    def run(self) -> None:
        """Play. Raises the error of a refused command unless patient."""
        game = self.keeper.game
        self.show(self.keeper.public_view()["settings"], Sentence("players", names=game.players))
        for name in game.players if not game.steps else ():
            self._tell(self.keeper.player_view(name)["you"]["opening"], name)
        self._phase()
        with suppress(_Quit, EOFError, KeyboardInterrupt):
            while True:
                prompt = Sentence("master-prompt", over=self.keeper.over, phase=self.keeper.game.phase)
                line = self.ask(prompt, (*_MASTER, *game.players), about=game.words)
                try:
                    self._answer(line)
                except KripkeError as error:
                    if not self.patient:
                        raise
                    self.refuse(error)
                    self.show(self.keeper.master_view()["to_do"])

    def _tell(self, texts: Iterable[str], player: str | None = None) -> None:
        """Show what is to be said to a player, or to all."""
        for text in texts:
            alone = Sentence("tell", player=player or "", text=text)
            self.show(alone if player else Sentence("tell-all", text=text))

    def _phase(self) -> None:
        """Announce what there is to announce now, and who is to act."""
        game = self.keeper.game
        if game.verdict is not None:
            self.show(Sentence("game-over"), style="title")
            self.show_table()
            return
        if game.table_due:
            self._tell([word("the table")])
            self.show(f"\n{self.table()}\n")
        self.show(f"== {self.told(str(game.phase))} ==", style="title")
        public = self._told_first(None)
        self._tell(public)
        for name in game.alive:
            self._tell(self._told_first(name)[len(public) :], name)
        self.show(self.keeper.master_view()["to_do"])

    def _told_first(self, name: str | None) -> list[str]:
        """Return the messages to a player, or to everybody, when a phase begins: news, and own chances."""
        known = told(self.keeper.game, *filter(None, [name]))
        now = known.entries[-1]
        chances = (Sentence("your-chances", chances=chances_text(row)) for _, row in now.chances)
        return [*known.news(now), *chances]

    def _answer(self, line: str) -> None:
        """Carry out the command in a line, if there is one."""
        if commands.QUESTION.search(line):
            self.show(self.keeper.ask(None, line))
            return
        game = self.keeper.game
        vote = "vote" if self.sitting.house.ballot == "spoken" else "ballot"
        likely = (vote,) if game.phase.kind == "vote" else game.setup.actions(game.phase)
        command = commands.parse_command(line, game.setup, likely=likely)
        match command and command.verb:
            case None:
                return
            case "quit":
                raise _Quit
            case "help":
                self.show(commands.help_text(_MASTER, language=self.language))
                self.show(Sentence("questions-too"))
            case "status":
                self.show(*status_lines(self.keeper.master_view()))
            case "numbers":
                for number, name in sorted(zip(game.setup.numbers, game.players, strict=True)):
                    self.show(f"{number:4}  {name}")
            case "table" if command and command.word == "master":
                view = self.keeper.master_view()
                self.show(table_text(view["master_table"], self.language), view["worlds"])
            case "table":
                self.show_table()
            case _ if command is not None:
                self._report(self.do(commands.submitted(command)))

    def _report(self, answer: tabletop.Receipt) -> None:
        for message in answer.messages:
            self._tell([message.text], message.to)
        if not answer.messages:
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

    @property
    def long(self) -> bool:
        """Whether it is the game of several nights, and not One Night."""
        return not isinstance(self.keeper, NightKeeper)

    @property
    def _naming(self) -> bool:
        """Whether somebody who died takes another along: all see whom, at once."""
        return self.long and bool(self.sitting.game.state.naming)

    @cached_property
    def setup(self) -> Setup | commands.NightPlayers:
        """The public settings: nobody is called by a number that is hidden."""
        game = self.keeper.game
        return game.setup.public if self.long else commands.NightPlayers(game.players)

    def run(self) -> None:
        """Play until the game is over, or somebody quits. Whatever ends it, the screen is cleared."""
        self.notes = [self.keeper.public_view()["settings"]]
        with suppress(_Quit, EOFError, KeyboardInterrupt):
            while True:
                try:
                    if self.keeper.over:
                        self._end()
                        return
                    self._go_on()
                except _Changed:
                    self.queue = []
                    self.terminal.clear(hands=True)
                except BaseException:  # even a full disk or a signal: nothing private stays
                    self.terminal.clear()
                    raise

    def _go_on(self) -> None:
        """Do what is to be done now."""
        self._news_round()
        ballot = self.keeper.public_view().get("ballot", {}).get("kind")
        if ballot == "spoken":
            self._day()
        else:
            self._everybody(opened=ballot == "open" or self._naming)

    def _end(self) -> None:
        self.show_public()
        while line := self.ask(Sentence("over-press-enter"), commands.PUBLIC):
            self.public_command(line)

    def go_round(self, names: Iterable[str], turn: Callable[[str], object], *, opened: bool = False) -> None:
        """Hand the device to those who want it again, or else to some players; `opened`: all look on."""
        self.queue = [name for name in self.queue or names if name not in self.sitting.flow.robots]
        while self.queue:
            if not opened:
                self.show_public()
                while line := self.ask(Sentence("hand-to", player=self.queue[0]), commands.PUBLIC, gap=True):
                    self.public_command(line, handing=True)
                self.terminal.clear()
            turn(name := self.queue[0])
            if self.queue[0] == name:
                self.queue = self.queue[1:]

    # screens for everybody

    def show_public(self, *more: str) -> None:
        """Clear the screen and show what everybody may see, and more lines."""
        self.terminal.clear()
        view = self.keeper.public_view()
        if table := self.table():  # what is long comes first, and may be scrolled away
            self.show(f"{table}\n")
        # moves of a night are announced when all have acted
        pages = [page for page in view["feed"] if page["phase"] != view["phase"] or view["kind"] != "night"]
        news = (line for page in pages[-2:] for line in page["lines"])
        self.show(*self.notes, view.get("robots", ""), *news, style="title")
        self.notes = []
        if view["kind"] != "over":
            more = (Sentence("it-is", phase=view["phase"], names=view["alive"]), *more)
        if more:
            self.terminal.show("")
            self.show(*more)

    # by day

    def _day(self) -> None:
        self.show_public(Sentence("who-is-voted-off", ties=self.sitting.house.ties))
        while not self.queue:
            game = self.keeper.game
            line = self.ask(Sentence("prompt", phase=game.phase), (*game.alive, *commands.PUBLIC))
            self.public_command(f"vote {line}" if self.typing.said(line) is None else line)
        self.go_round((), self._shown)

    def _news_round(self) -> None:
        """Let everybody read their card, or what a night has shown; those with nothing to read, too."""
        view = self.keeper.public_view()
        now = self.sitting.flow.era, view["phase"]
        if now in self.read:
            return
        if not self.long and view["kind"] == "day":
            self.notes = [Sentence("night-hand-round")]
            self.go_round(view["players"], self._shown)
            self.notes = [Sentence("night-by-day")]
        elif self.long:
            game, start = self.sitting.game, len(self.sitting.game.steps)
            if not game.phase.position and game.setup.roles is not None:
                self.go_round(game.players, lambda name: self._shown(name, "your-card"))
            elif start and view["kind"] == "day" and phase_start(game, start) == start:
                phase = game.states[start - 1].phase
                if "vision" in game.setup.actions(phase) and not self.sitting.foretells_in(phase):
                    self.go_round(game.at(phase_start(game, start - 1)).alive, self._shown)
        self.read.add(now)

    def public_command(self, line: str, *, handing: bool = False) -> None:
        """Carry out what everybody may see; raise `_Changed` if another moment has begun.

        `handing`: the device is going round. Then a night cannot be ended: otherwise everybody would learn
        who has chosen something.
        """
        moment = self.sitting.moment
        try:
            if command := commands.parse_command(line, self.setup, likely=commands.PUBLIC):
                self._public_answer(command, handing=handing)
        except KripkeError as error:
            self.refuse(error)
        if self.sitting.moment != moment:
            raise _Changed

    def _public_answer(self, command: commands.Command, *, handing: bool) -> None:
        view = self.keeper.public_view()
        match command.verb:
            case "quit":
                raise _Quit
            case "help":
                possible = [verb for verb in commands.PUBLIC if verb != "vote" or view["kind"] == "day"]
                self.show(commands.help_text(possible, secret=False, language=self.language))
            case "status":
                self.show(*status_lines(view))
            case "table" if command.word is None:
                self.show_table()
            case "end" if handing and view["kind"] == "night":
                self.show(Sentence("ends-after-the-round", phase=view["phase"]))
            case "again" if {*command.players} <= {*view["alive"]} - {*self.sitting.flow.robots}:
                self.queue = list(dict.fromkeys((*command.players, *self.queue)))
            case "again":
                self.show(Sentence("gets-no-device", player=command.players[0]))
            case "undo":
                self.notes = [self.do(commands.submitted(command)).text]
            case "vote" if view.get("ballot", {"kind": "spoken"})["kind"] != "spoken":
                self.show(Sentence("everybody-votes"))
            case "vote" | "end" | "away" | "back" if command.verb != "vote" or command.word is None:
                self.show(self.do(commands.submitted(command)).text)
            case _:
                self.show(Sentence("not-for-this-screen"))

    # the device in somebody's hands

    def _everybody(self, *, opened: bool) -> None:
        """Ask all who have not answered, and end the phase; ask what to do if somebody still has not."""
        moment = self.sitting.moment
        self.keeper.play_robots()
        self.go_round(self.sitting.waiting_for, partial(self._turn, opened=opened), opened=opened)
        self.terminal.clear()
        if self.sitting.moment != moment or self._naming:
            raise _Changed
        view = self.keeper.public_view()
        voting = view["kind"] == "day"
        reminded = not self.long or self.sitting.house.missing == "remind"
        if not self.sitting.waiting_for or not (voting or reminded):
            self.public_command("end")
        self.show(Sentence("not-all-have-voted" if voting else "not-all-have-chosen"))
        while line := self.ask(Sentence("prompt", phase=view["phase"]), commands.PUBLIC):
            self.public_command(line)
            if self.queue:
                return

    def _show_sheet(self, name: str, view: View, title: str) -> None:
        """Show a player what they alone were told in the last day and night, by phases."""
        self.show(f"{self.told(title)}\n", style="private")
        if not self.long:
            self.show(*self.sitting.sheet(name))
            if view["table"]:
                self.show(f"\n{table_text(view['table'], self.language)}")
            return
        self.show(*view["you"]["opening"])
        if (name, view["changed"]) not in self.read:
            self.read.add((name, view["changed"]))
            self.show(view["changed"])
        public = {line for page in view["feed"] for line in page["lines"]}
        for page in view["sheet"][-len(self.sitting.game.rules.cycle) :]:
            ended = Sentence("end-of", phase=page["phase"])
            lines = [line for line in page["lines"] if line not in public and line != ended]
            if lines:
                self.show(f"{self.told(page['phase'])}:", *lines)

    def _shown(self, name: str, title: str = "night-is-over") -> None:
        """Let a player read their card, or what the night has shown them."""
        self._show_sheet(name, self.keeper.player_view(name), Sentence(title, player=name))
        self.ask(Sentence("leave"), gap=True)
        self.terminal.clear(hands=True)

    def _turn(self, name: str, *, opened: bool = False) -> None:
        """Let the holder of the device read and choose; the same number of prompts for all the living.

        `opened`: they choose on everybody's screen.
        """
        view = self.keeper.player_view(name)
        ballot = view.get("ballot", {"round": 1})
        turn = Sentence("whose-turn", player=name, phase=view["phase"])
        if opened:
            votes = votes_in_words(ballot.get("votes", ()))
            self.show_public(Sentence("votes-so-far", votes=votes) if votes else turn)
        else:
            self._show_sheet(name, view, turn)
        if ballot["round"] > 1:
            self.show(Sentence("vote-was-tied", names=ballot["candidates"]))
        asks = [*view.get("ask", ()), *filter(None, [view.get("vote")])]
        refused = [ask for ask in asks if not self._choice(name, ask, early=view["early"], opened=opened)]
        if opened:
            return
        last = next(iter((*refused, *reversed(asks))), None)
        anew = bool(refused)
        while True:
            prompt = Sentence("leave-anew" if anew else "leave")
            words = [*self._labels(last)] if last else ()
            line = self.ask(prompt, words, gap=True, about=self._about())
            if not line or last is None or self.typing.said(line) == "later":
                break
            accepted, private = self._submitted(name, line, last)
            if accepted and anew:  # this costs no further prompt, which everybody would notice
                break
            anew = anew or private
        self.terminal.clear(hands=True)

    def _choice(self, name: str, asked: View, *, early: bool, opened: bool) -> bool:
        """Ask a player for an answer until it is noted, kept or left for later, whether or not it counts.

        Return False if the attack was refused for a reason that only the player knows: it is not asked for
        again here, where everybody would see it. `early`: whether the question is explained; `opened`:
        everybody looks on, and may give commands.
        """
        question = asked.get("question", Sentence("vote-for-whom", player=name, opened=opened))
        if asked["answered"]:
            target = asked["target"]
            self.show(Sentence("you-chose", target=target or "", anybody=target is not None))
        if "why" in asked:
            self.show(Sentence("as-if-there-were", why=asked["why"]))
            question = Sentence("somebody-all-the-same")
        if asked["may_decline"]:
            question = Sentence("may-decline", question=question)
        if early and not opened:
            self.show(asked["explained"])
        if not self.long and "labels" in asked:
            self.show("; ".join(self._labels(asked)))
        more = ("nobody", "later", *commands.PUBLIC) if opened else commands.PRIVATE
        while True:
            about = self._about(alone=not opened)
            line = self.ask(question, (*self._labels(asked), *more), gap=not opened, about=about)
            said = self.typing.said(line)
            if said == "later" or (asked["answered"] and not line):
                return True
            if opened and said not in (None, *_NOBODY):
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
        said, action = self.typing.said(line), asked["action"]
        if said is not None and said not in _NOBODY:
            self._private_answer(said, name, asked)
            return False, False
        target: str | None = None
        try:
            if commands.QUESTION.search(line) and self._about(alone=not opened):
                self.show(self.keeper.ask(name, line))
                return False, False
            if said not in _NOBODY:
                target = self.typing.target(line, self._labels(asked), self.setup)
            vote = tabletop.Vote(name, target)
            answer = self.do(vote if action == "vote" else tabletop.Choose(name, action, target), name)
        except KripkeError as error:
            self.refuse(error)
            asks = self.keeper.player_view(name).get("ask", ())
            return False, any(target in each.get("refused", ()) for each in asks)
        told = [] if opened else [message.text for message in answer.messages]
        self.show(*told or [Sentence("it-is-noted")])
        return True, False

    def _labels(self, asked: View) -> dict[str, str]:
        """Return the targets by the words typed for them: the same whether or not the player may choose."""
        labels = map(self.told, asked.get("labels") or asked["targets"])
        return dict(zip(labels, asked["targets"], strict=True))

    def _about(self, *, alone: bool = True) -> Vocabulary | None:
        """Return the names that a player's questions are about; None in One Night, and if others look on."""
        return vocabulary(self.setup) if alone and isinstance(self.setup, Setup) else None

    def _private_answer(self, said: str, name: str, asked: View) -> None:
        match said:
            case "table" | "status":
                self._public_answer(commands.Command(said), handing=True)
            case "hint":
                self.show(self.keeper.hint(name, asked["action"]))
            case "" | "help":
                self.show(asked.get("explained", ""), Sentence("answers", decline=asked["may_decline"]))
                if self.long:
                    self.show(Sentence("questions-too"))
            case _:
                self.show(Sentence("for-everybodys-screen", command=said))
