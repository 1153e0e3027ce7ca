"""The language of moves: one command a line, as typed at the console or read from a script.

    vision PLAYER TARGET [as RESULT]     attack PLAYER TARGET      decline PLAYER [ACTION]
    vote PLAYER [PLAYER …] [as ROLE]     ballot VOTER [PLAYER]     end [pass | random]
    undo [N | phase]

Players are given by name, in any case, or by number. Names with spaces are recognised; quotes make any string
a name (`"as"`). Commands and names may be abbreviated to an unambiguous beginning: `v A B`. `as` forces an
outcome that is otherwise drawn. Blank lines and lines that begin with `#` are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal
from unicodedata import normalize

from kripke_werewolf.base.errors import GameError, UnknownNameError, check_known
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.base.wording import ENGLISH, LANGUAGES, Sentence, in_language, page_words, word
from kripke_werewolf.games.werewolf import QuantumWerewolf
from kripke_werewolf.games.werewolf.roles import ROLES, TAKE, Action
from kripke_werewolf.games.werewolf.setup import Setup, check_names
from kripke_werewolf.play import tabletop
from kripke_werewolf.play.tabletop.commands import Command as Submitted


@dataclass(frozen=True, slots=True)
class _Verb:
    """A kind of command; the catalogues say what it does (`help-NAME`)."""

    usage: str
    synonyms: str = ""
    players: int | None = 0
    """The greatest number of players it names; None: any number."""
    least: int | None = None
    """The least number of players it names; None: the greatest number, or one."""
    words: tuple[str, ...] = ()
    """The words that may follow."""


_LOOKERS = " ".join(role.name for role in ROLES.values() if role.plain and "vision" in role.acts)
_AS = ("as",)
_VERBS: Mapping[str, _Verb] = {
    "vision": _Verb("vision PLAYER TARGET [as RESULT]", f"look see {_LOOKERS} divine", 2, words=_AS),
    "attack": _Verb("attack PLAYER TARGET", "bite wolf werewolf kill", 2),
    "do": _Verb("ACTION PLAYER TARGET [TARGET] [as RESULT]", "", 3, 2, words=_AS),
    "decline": _Verb("decline PLAYER [ACTION]", "pass skip", 1),
    "vote": _Verb("vote PLAYER [PLAYER …] [as ROLE]", "burn lynch execute kill", None, words=_AS),
    "ballot": _Verb("ballot VOTER [PLAYER]", "", 2, 1),
    "end": _Verb("end [pass | random]", "done nobody next", words=("pass", "random")),
    "undo": _Verb("undo [STEPS | phase]", "correct", words=("phase",)),
    "again": _Verb("again PLAYER", players=1),
    "away": _Verb("away PLAYER", players=1),
    "back": _Verb("back PLAYER", players=1),
    "table": _Verb("table [master]", words=("master",)),
    "status": _Verb("status"),
    "numbers": _Verb("numbers"),
    "help": _Verb("help", "?"),
    "quit": _Verb("quit", "exit q"),
}

PUBLIC = ("vote", "end", "undo", "again", "away", "back", "table", "status", "help", "quit")
"""The commands on the screen that everybody sees."""
PRIVATE = ("later", "nobody", "hint", "table", "status", "help")
"""The words that a player may type with the device in hand."""
QUESTION = re.compile(r"\w.*[?？]$")
"""A line that is a question in English, and no command."""
_ENDS: Mapping[str, Literal["pass", "random"]] = {"pass": "pass", "random": "random"}
_SECRET = re.compile(r" \[as ROLE\]| \[master\]")
"""The parts of usages that are for the game master only."""

USAGE: Mapping[str, str] = {name: verb.usage for name, verb in _VERBS.items()}
"""The usage of every command."""

VERBS: Mapping[str, Sequence[str]] = grouped(
    (word, name) for name, verb in _VERBS.items() for word in (name, *verb.synonyms.split())
)
"""The words that begin commands, with the commands that they may mean."""


_WORDS = {"all", "as", "everybody", "everyone", "later", "nobody", "skip", "somebody", "tv"} | {
    word for name, verb in _VERBS.items() for word in (name, *verb.words)
}
"""Words of the commands, the pages and the news."""


_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεηικμνορτυχ", "abekmhopctyxijsdqwabenikmvoptux")
"""Cyrillic and Greek letters that look like Latin ones."""


def as_typed(text: str) -> str:
    r"""Return a string as it is compared: without case, and in characters of the usual width.

    >>> as_typed("\uff21nn\u3000\uff11")
    'ann 1'
    """
    return normalize("NFKC", text).casefold()


def _first_word(line: str) -> tuple[str, str]:
    r"""Return the first word of a line and what follows it, between blanks of any width.

    >>> _first_word("投票\u3000太郎 Bo")
    ('投票', '太郎 Bo')
    """
    first, *rest = line.strip().split(maxsplit=1) or [""]
    return first, "".join(rest)


@lru_cache
def _words_in(language: str) -> frozenset[str]:
    """Return the words of a language that are typed, or that stand for nobody."""
    nobody = Sentence("votes-for", anybody=False, player="", n=0).told(language).split()
    said = [*page_words(language, "typed-").values(), *(word for word in nobody if "0" not in word)]
    said += [Sentence(f"page-{name}").told(language) for name in ("nobody", "decline")]
    return frozenset(map(as_typed, said))


_OURS = (*PUBLIC, *PRIVATE, *_ENDS)
"""The words that every language has its own for."""


@dataclass(frozen=True, slots=True)
class Typing:
    """How words of the game are typed in a language, where these people play.

    >>> typing = Typing("nl", ("Ann", "End Zone"))
    >>> typing.typed(["help", "Ann"]), typing.in_english("/hulp")
    (['hulp', 'Ann'], '/help')
    >>> typing.in_english("klaar loten")
    'end random'
    >>> typing.said("/Later"), typing.said("end"), typing.said("end zone")
    ('later', 'end', None)
    """

    language: str
    players: tuple[str, ...]

    def typed(self, words: Iterable[str]) -> list[str]:
        """Return words as they are typed: commands in the language, and names as they are."""
        return [Sentence("typed", command=w).told(self.language) if w in _OURS else w for w in words]

    def in_english(self, line: str) -> str:
        """Return a line with its command, if it begins with one and not with a player, in English."""
        known = dict(zip(map(as_typed, self.typed(_OURS)), _OURS, strict=True))
        first, rest = _first_word(line)
        typed = as_typed(first)
        bare = typed.removeprefix("/")
        if bare not in known or self._named(line) or QUESTION.search(line):
            return line
        return f"{typed.removesuffix(bare)}{known[bare]} {known.get(as_typed(rest), rest)}".strip()

    def said(self, line: str) -> str | None:
        """Return the word of the game that a line begins with, "" if it is empty, None for anything else."""
        said = as_typed(_first_word(line)[0]).removeprefix("/")
        return said if said in ("", *VERBS, *PRIVATE) and not self._named(line) else None

    def target(self, line: str, offered: Mapping[str, str], setup: Setup | NightPlayers) -> str:
        """Return the target among those `offered`, by labels, that a line names: players or a One Night card.

        Raises UnknownNameError for anything else.
        """
        for label, target in offered.items():
            if as_typed(line) in (as_typed(label), as_typed(target)):
                return target
        if isinstance(setup, NightPlayers):
            raise UnknownNameError(line, offered, kind="choice")
        target, rest = read_player(line, setup)
        also, more = _first_word(rest)
        other = more if more and also in ("and", in_language(word("and"), self.language)) else rest
        if rest and (second := read_player(other, setup))[1] == "":
            return " and ".join(sorted((target, second[0]), key=setup.players.index))
        return read_player(f'"{line}"', setup)[0] if rest else target  # says what is unknown

    def _named(self, line: str) -> bool:
        """Whether a line begins with a player's whole name."""
        return any(f"{as_typed(line)} ".startswith(f"{as_typed(name)} ") for name in self.players)


def check_people(players: Sequence[str], language: str = ENGLISH) -> tuple[str, ...]:
    """Return names that people at a table have chosen; raise GameError for misleading ones.

    Besides the names that no game allows (`check_names`), these are names that differ only in case or in
    letters that look alike, numbers, two names with "and", and words that are typed or shown at the table, in
    any case: in English, in the other languages with a catalogue, and in `language`. Games made in Python may
    have such names: their moves are not typed.

    >>> check_people(["Ann", "TV"])
    Traceback (most recent call last):
    ...
    kripke_werewolf.errors.GameError: nobody can be called 'TV' here: ...
    """
    known: dict[str, str] = {}
    words = _WORDS.union(*map(_words_in, (*LANGUAGES, language)))
    try:
        checked = check_names(list(players))
    except GameError as error:
        raise GameError(Sentence("impossible-name", english=str(error))) from None
    for name in checked:
        plain = as_typed(name).translate(_ALIKE)
        if as_typed(name) in words or name.isdecimal() or " and " in name:
            raise GameError(Sentence("word-of-the-game", name=name))
        if plain in known:
            raise GameError(Sentence("only-in-case", one=known[plain], other=name))
        known[plain] = name
    return tuple(players)


def help_text(verbs: Sequence[str] = tuple(_VERBS), *, secret: bool = True, language: str = ENGLISH) -> str:
    """Return the commands with their meaning; `secret`: with those for the game master only."""
    typed = {word: Sentence("typed", command=word).told(language) for word in (*verbs, *_ENDS)}
    usages = {verb: USAGE[verb] if secret else _SECRET.sub("", USAGE[verb]) for verb in verbs}
    lines = {v: re.sub(r"\w+", lambda w: typed.get(w[0], w[0]), usage) for v, usage in usages.items()}
    width = max(map(len, lines.values()))
    said = {verb: Sentence("help", command=verb, secret=secret).told(language) for verb in verbs}
    return "\n".join(f"  {usage:{width}}  {said[verb]}" for verb, usage in lines.items())


@dataclass(frozen=True, slots=True)
class NightPlayers:
    """The players of a game in which nobody has a number and nobody names an action: One Night."""

    players: tuple[str, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Command:
    """A command; players by their full names."""

    verb: str
    players: tuple[str, ...] = ()
    word: str | None = None
    """A forced outcome (`as`), or the argument of `end`, `undo` and `table`."""
    action: Action = "vision"
    """The action that is taken or declined."""


def parse_command(line: str, setup: Setup | NightPlayers, *, likely: Sequence[str] = ()) -> Command | None:
    """Return the command in a line; None for a blank line or a comment.

    `likely`: the commands preferred for an ambiguous beginning. Raises UnknownNameError for unknown commands
    and players, with similar names, and GameError with the usage for an incomplete command.

    >>> from kripke_werewolf import QuantumWerewolf
    >>> setup = QuantumWerewolf(["Ann", "Mary Ann", "Bo"], wolves=1).setup
    >>> parse_command("vision mary ann Bo as wolf", setup)
    Command(verb='vision', players=('Mary Ann', 'Bo'), word='wolf', action='vision')
    >>> parse_command("v m b", setup, likely=["vision"])
    Command(verb='vision', players=('Mary Ann', 'Bo'), word=None, action='vision')
    """
    line = line.strip()
    if not line or line.startswith("#"):
        return None
    first, rest = _first_word(line)
    others = set[str]()
    if isinstance(setup, Setup) and setup.deck.others:
        others = {action for action, *_ in setup.deck.timed} - {"vision", "attack"} | {TAKE}
    if first.casefold() in others:
        return replace(_named("do", rest, setup), action=first.casefold())
    name = _verb_named(first, likely=likely, line=line)
    verb = _VERBS[name]
    player, *last = rest.rsplit(maxsplit=1) or [""]
    if name == "decline" and last and last[0].casefold() in others and rest not in setup.players:
        return replace(_named(name, player, setup), action=last[0].casefold())
    if verb.players != 0:
        return _named(name, rest, setup)
    if rest and rest not in verb.words and not (name == "undo" and rest.isdecimal()):
        said = {"text": rest, "after": True, "command": first, "usage": verb.usage}
        raise GameError(Sentence("not-understood", **said))
    return Command(name, (), rest or None)


def _verb_named(word: str, *, likely: Sequence[str] = (), line: str = "") -> str:
    """Return the command with this name or unambiguous beginning; of several with a word, a likely one.

    Raises UnknownNameError if there is none, and GameError if there are several. `line`: all of what was
    typed; for "Ann attacks Bo" the error shows the command.
    """
    typed = as_typed(word).removeprefix("/")
    if typed in VERBS:
        return next((name for name in VERBS[typed] if name in likely), VERBS[typed][0])
    fitting = [name for name in USAGE if typed and name.startswith(typed)]
    preferred = [name for name in fitting if name in likely]
    if len(found := preferred or fitting) > 1:
        raise GameError(Sentence("may-be", text=word, names=found, exactly=False))
    if not found:
        told = re.fullmatch(r"(.+?) (\w+?)s? (?:at )?(.+)", line)
        meant = f"{told[2]} {told[1]} {told[3]}" if told and told[2] in VERBS else None
        raise UnknownNameError(word, USAGE, kind="command", meant=meant)
    return found[0]


def _named(name: str, rest: str, setup: Setup | NightPlayers) -> Command:
    """Return a command that names players and may force an outcome."""
    verb = _VERBS[name]
    least = verb.least or verb.players or 1
    players: list[str] = []
    word = None
    while rest:
        forced = re.fullmatch(r"as\s+(\S.*)", rest, re.IGNORECASE)
        if forced and "as" in verb.words and len(players) >= least:
            word, rest = forced[1], ""
        elif len(players) == verb.players:
            said = {"text": rest, "after": False, "command": "", "usage": verb.usage}
            raise GameError(Sentence("not-understood", **said))
        else:
            player, rest = read_player(rest, setup)
            players.append(player)
    if len(players) < least:
        raise GameError(Sentence("who", usage=verb.usage))
    return Command(name, tuple(players), word)


def submitted(command: Command) -> Submitted:
    """Return the command as submitted to the table; raises GameError if it changes nothing.

    >>> submitted(Command("end", word="pass"))
    EndPhase(missing='pass')
    """
    match command:
        case Command("vision" | "attack" | "do" as verb, (actor, *targets), word):
            action = command.action if verb == "do" else verb
            return tabletop.Choose(actor, action, " and ".join(targets), word)
        case Command("decline", (actor,)):
            return tabletop.Choose(actor, command.action, None)
        case Command("vote", players, word):
            return tabletop.VoteOff(players, word)
        case Command("ballot", (voter, *targets)):
            return tabletop.Vote(voter, targets[0] if targets else None)
        case Command("end", _, word):
            return tabletop.EndPhase(_ENDS.get(word or ""))
        case Command("undo", _, word):
            return tabletop.Undo(phase=True) if word == "phase" else tabletop.Undo(int(word or 1))
        case Command("away" | "back" as verb, (player,)):
            return tabletop.Away(player, verb == "away")
    raise GameError(f"{command.verb!r} does not change the game")


def move(game: QuantumWerewolf, command: Command) -> QuantumWerewolf:
    """Return the game after a move; raises GameError for an illegal move, or another command."""
    match command:
        case Command("vision" | "attack" | "do" as verb, (actor, *targets), word):
            return game.do(actor, command.action if verb == "do" else verb, *targets, result=word)
        case Command("decline", (actor,)):
            return game.decline(actor, action=command.action)
        case Command("vote", players, word):
            return game.vote_off(players if len(players) > 1 else players[0], role=word)
        case Command("end", _, word):
            return game.end_phase(missing=_ENDS.get(word or ""))
    raise GameError(f"{command.verb!r} is not a move")


def read_player(text: str, setup: Setup | NightPlayers) -> tuple[str, str]:
    """Return the player named at the beginning of a string, and the rest of the string.

    The longest matching name wins, then a quoted string (`\\"` for a quote within), then a word: a name in
    any case, or a number. Raises UnknownNameError, and GameError if several players match.
    """
    for fold in (str, as_typed):
        begun = [name for name in setup.players if fold(text[: len(name)]) == fold(name)]
        found = [name for name in begun if not text[len(name) : len(name) + 1].strip()]
        longest = [name for name in found if len(name) == max(map(len, found))]
        if len(longest) > 1:
            raise GameError(Sentence("may-be", text=text[: len(longest[0])], names=longest, exactly=True))
        if longest:
            return longest[0], text[len(longest[0]) :].strip()
    quoted = re.match(r"""(["'])((?:\\.|(?!\1).)*)\1(?=\s|$)""", text)
    if quoted:
        named, rest = re.sub(r"\\([\\\"'])", r"\1", quoted[2]), text[quoted.end() :]
    else:
        named, rest = _first_word(text)
    return player_named(named, setup), rest.strip()


def player_named(word: str, setup: Setup | NightPlayers) -> str:
    """Return the player with this name, number or unambiguous beginning.

    Raises UnknownNameError with similar names, and GameError if it is ambiguous.
    """
    by_number = dict(zip(map(str, setup.numbers), setup.players, strict=False))
    typed = as_typed(word)  # also with accents that are typed apart
    if word in setup.players or typed in by_number:
        return word if word in setup.players else by_number[typed]
    plain = {name: as_typed(name) for name in setup.players}
    same = [name for name, said in plain.items() if said == typed]
    found = same or [name for name, said in plain.items() if typed and said.startswith(typed)]
    if len(found) > 1:
        raise GameError(Sentence("may-be", text=word, names=found, exactly=False))
    return found[0] if found else check_known(word, setup.players, kind="player")
