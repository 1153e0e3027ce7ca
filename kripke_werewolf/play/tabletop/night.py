"""An evening of One Night: everybody's choices at night, and one vote by day.

`NightSitting` and `NightKeeper` are to One Night what `Sitting` and `Keeper` are to the long game: they take
the same commands, and give the same views, so that the host serves both. Everybody is asked the same number
of questions at night; the answers of those whose card has nothing to choose do nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from kripke_werewolf.base.errors import FormatError, GameError, IllegalMove, KripkeError, check_known
from kripke_werewolf.base.files import being_written, locked, parse_json, read_text, replace_file, unlock
from kripke_werewolf.base.reports.documents import Block, Document, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.base.settings import as_data, from_data
from kripke_werewolf.base.wording import Sentence, sequence, word
from kripke_werewolf.games.one_night import FORMAT, OneNight, PlayedNight, place_named
from kripke_werewolf.games.werewolf.draws import Chance, drawn_outcome
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.play.tabletop import Receipt, commands
from kripke_werewolf.play.tabletop.counting import counted_chances
from kripke_werewolf.play.tabletop.keeper import Keeping
from kripke_werewolf.play.tabletop.sitting import Flow, Sent, Tally, check_own, with_answer, with_people
from kripke_werewolf.play.tabletop.views import View, grid_view, people_view, vote_view


@dataclass(frozen=True, kw_only=True)
class NightSitting:
    """A game of One Night with the choices and votes so far: an immutable value.

    >>> game = OneNight(("Ann", "Bo"), ("wolf", "seer", "villager"), middle=1)
    >>> sitting = NightSitting(game=game, dealt=("wolf", "seer", "villager"))
    >>> sitting.offered("Bo", 0)
    ('Ann',)
    >>> for name, target in (("Ann", None), ("Bo", "Ann")):
    ...     sitting, answer = sitting.submit(name, commands.Choose(name, "0", target))
    >>> sitting.stage, sitting.night.told("Bo")[-1]
    ('day', "You look at Ann's card (wolf).")
    """

    game: OneNight
    dealt: tuple[str, ...]
    """The cards that were dealt, to all places."""
    seed: int = 0
    """The source of random choices."""
    answers: tuple[tuple[str, int, str], ...] = ()
    """For each player, the number of the question and the choice, "" for nothing; in order."""
    votes: tuple[tuple[str, str], ...] = ()
    flow: Flow = field(default_factory=Flow)
    answered: Mapping[Sent, Receipt] = field(default_factory=dict, compare=False)
    """The requests answered since the file was opened, by seat and id."""

    @cached_property
    def deal(self) -> int:
        """The number of the deal."""
        return self.game.deal_of(self.dealt)

    @property
    def stage(self) -> Literal["night", "day", "over"]:
        """The part of the evening."""
        if len(self.answers) < self.game.questions * len(self.game.players):
            return "night"
        return "day" if len(self.votes) < len(self.game.players) else "over"

    @property
    def phase(self) -> Sentence:
        """The part of the evening in words."""
        return Sentence("stage", stage=self.stage)

    @property
    def moment(self) -> str:
        """A name for the part of the evening; not secret."""
        return f"{self.flow.era}.{self.stage}"

    @cached_property
    def night(self) -> PlayedNight:
        """The night once everybody has chosen, with the votes at the end."""
        made = ((p, *words) for p, n, target in self.answers if (words := self._words(p, n).get(target)))
        night = self.game.night(self.dealt, *made)
        return night.vote(dict(self.votes)) if self.stage == "over" else night

    def _words(self, player: str, question: int) -> Mapping[str, tuple[str, ...]]:
        """Return the choices of a player by the words typed; none if the answer does nothing."""
        turns = self.game.choosing(player, self.deal)
        choices = turns[question].choices if question < len(turns) else ()
        return {" and ".join(choice.words): choice.words for choice in choices}

    def counts(self, player: str, question: int) -> bool:
        """Whether an answer of a player does something."""
        return bool(self._words(player, question))

    def offered(self, player: str, question: int) -> tuple[str, ...]:
        """Return the choices of a player; "" means doing nothing."""
        others = tuple(name for name in self.game.players if name != player)
        return tuple(self._words(player, question)) or others

    def open(self, player: str) -> list[int]:
        """Return the questions that a player has not answered."""
        answered = {number for name, number, _ in self.answers if name == player}
        return [number for number in range(self.game.questions) if number not in answered]

    @property
    def waiting_for(self) -> tuple[str, ...]:
        """The players who have not answered or voted."""
        voted, night = dict(self.votes), self.stage == "night"
        return tuple(name for name in self.game.players if (self.open(name) if night else name not in voted))

    # what is done

    def submit(
        self,
        seat: str | None,
        command: commands.Command,
        *,
        request: str | None = None,
        moment: str | None = None,
        now: float | None = None,
    ) -> tuple[NightSitting, Receipt]:
        """Return the sitting after a command, and the answer to its sender; see `Sitting.submit`."""
        if request is not None and (seat, request) in self.answered:
            return self, self.answered[seat, request]
        try:
            if moment not in (None, self.moment):
                raise IllegalMove(Sentence("this-is-over", over=self.stage == "over", phase=self.phase))
            if seat is not None:
                check_own(seat, command)
            after, text = self._done(command)
            answer = Receipt(True, text, ended=after.stage != self.stage)
        except KripkeError as error:
            after, answer = self, Receipt(False, commands.reason_of(error))
        if request is not None:
            after = replace(after, answered=with_answer(self.answered, (seat, request), answer))
        return after, answer

    def _done(self, command: commands.Command) -> tuple[NightSitting, str]:
        match command:
            case commands.Choose(actor, action, target) if self.stage == "night":
                return self._choose(self._player(actor), action, target or "")
            case commands.Vote(voter, target) if self.stage == "day":
                if target not in self.game.players:
                    raise IllegalMove(Sentence("night-vote-for-one"))
                votes = {**dict(self.votes), self._player(voter): target}
                return replace(self, votes=tuple(votes.items())), Sentence("noted-vote", voter=voter)
            case commands.EndPhase() if self.stage != "over":
                return self._by_lot(), Sentence("noted")
            case commands.Undo(count, phase):
                return self._undo(count, phase)
            case commands.Away() | commands.Robots():
                flow, told = with_people(self.flow, command, self.game.players)
                return replace(self, flow=flow), told
        raise IllegalMove(Sentence("night-not-here"))

    def _player(self, name: str) -> str:
        return check_known(name, self.game.players, kind="player")

    def _choose(self, actor: str, action: str, target: str) -> tuple[NightSitting, str]:
        known = {str(number): number for number in range(self.game.questions)}
        if action not in known or target not in self.offered(actor, known[action]):
            raise IllegalMove(Sentence("night-not-here"))
        kept = (answer for answer in self.answers if answer[:2] != (actor, known[action]))
        answers = (*kept, (actor, known[action], target))
        return replace(self, answers=answers), Sentence("noted-choice", actor=actor)

    def _by_lot(self) -> NightSitting:
        """Return the sitting after everything that is missing was drawn by lot."""
        chance = Chance(self.seed, len(self.answers) + len(self.votes))
        after = self
        for name in self.waiting_for:
            others = dict.fromkeys((other for other in self.game.players if other != name), 1)
            if self.stage == "day":
                after = after._done(commands.Vote(name, drawn_outcome(chance, "vote", name, others)))[0]
            for question in self.open(name) if self.stage == "night" else ():
                target = drawn_outcome(chance, "target", name, dict.fromkeys(self.offered(name, question), 1))
                after = after._choose(name, str(question), target)[0]
        return after

    def _undo(self, count: int, phase: bool) -> tuple[NightSitting, str]:
        """Take back the last votes and answers, or all since the part of the evening began.

        Robots vote again then.
        """
        votes = tuple(vote for vote in self.votes if vote[0] not in self.flow.robots)
        parts: list[tuple[Any, ...]] = [self.answers, votes]
        if not any(parts) or count < 1:
            raise IllegalMove(Sentence("nothing-to-undo"))
        if phase:
            count = len(votes) or len(self.answers)
        for part in (1, 0):
            taken = min(count, len(parts[part]))
            parts[part], count = parts[part][: len(parts[part]) - taken], count - taken
        answers, votes = parts
        flow = replace(self.flow, era=self.flow.era + 1)
        after = replace(self, answers=answers, votes=votes, flow=flow)
        return after, Sentence("phase-taken-back", phase=after.phase)

    # what is shown

    @property
    def settings(self) -> Sentence:
        """The players and cards in one line."""
        cards = sorted(self.dealt)
        return Sentence("night-settings", n=len(self.game.players), cards=cards, middle=self.game.middle)

    def sheet(self, player: str) -> tuple[str, ...]:
        """Return everything that a player was told, did and saw so far."""
        night = self.stage == "night"
        return self.game.opening(self._player(player), self.deal) if night else self.night.told(player)

    def chances(self, player: str) -> Grid | None:
        """Return how likely each card is at each place now; None while it is night."""
        if self.stage == "night":
            return None
        shares = counted_chances(replace(self.night, votes=()), player)
        if shares is None:
            return Grid((), (), Sentence("night-too-many"))
        roles, none, rows = tuple(self.game.roles), Fraction(0), []
        for place, some in shares.items():
            rows.append((self._titled(place), *(shown(some.get(role, none), "percent") for role in roles)))
        return Grid((word("place"), *map(word, roles)), tuple(rows))

    @property
    def model(self) -> KripkeModel:
        """The model of what all know by day; raises GameError before the end of the night."""
        if self.stage == "night":
            raise GameError(Sentence("not-over"))
        return self.night.model

    def shares(self, player: str) -> Mapping[str, Mapping[str, Fraction]]:
        """Return how likely each card is for a player, by place: as dealt, or after the night as it lies."""
        if self.stage == "night":
            return self.game.dealt_chances(player, self.deal)
        return self.night.chances(player)

    @property
    def cards(self) -> Mapping[str, str]:
        """The cards at all places: as dealt, or after the night as they lie; secret."""
        if self.stage == "night":
            return dict(zip(self.game.places, self.dealt, strict=True))
        return self.night.cards

    @property
    def news(self) -> tuple[str, ...]:
        """What everybody knows: at the end the votes, the dead and the winners."""
        if self.stage != "over":
            return ()
        night = self.night
        targets = [target for _, target in self.votes]
        numbers = sorted(((p, targets.count(p)) for p in {*targets}), key=lambda pair: (-pair[1], pair[0]))
        dead = Sentence("who-is-dead", names=night.dead) if night.dead else Sentence("nobody-voted-off")
        won = Sentence("night-winners", n=len(night.winners), names=night.winners)
        return str(Tally(0, 0, tuple(numbers), self.votes)), dead, won

    @property
    def ending(self) -> Grid:
        """The cards at all places, as they were dealt and at the end, and who has won; secret before that."""
        winners, over = self.night.winners, self.game.players if self.stage == "over" else ()
        results = {player: word("won" if player in winners else "lost") for player in over}
        rows = (
            (self._titled(p), results.get(p, ""), word(card), word(now))
            for card, (p, now) in zip(self.dealt, self.night.cards.items(), strict=True)
        )
        header = (word("place"), word("result"), word("dealt"), word("at the end"))
        return Grid(header, tuple(rows), words=True)

    @property
    def story(self) -> tuple[str, ...]:
        """What everybody did at night, in order; secret before the end."""
        return tuple(move.sentence(move.player) for move in self.night.moves)

    def _titled(self, place: str) -> str:
        """Return a place as tables and buttons name it: a player by their name alone."""
        return place if place in self.game.players else place_named(place)

    def handout(self, player: str) -> Document:
        """Return everything that a player may know, on one page."""
        tables = filter(None, [self.chances(player)])
        title = Sentence("what-is-known", n=1, player=player)
        blocks: list[Block] = [Paragraph(self.settings), Items(self.sheet(player)), *tables]
        return Document(title, (*blocks, Items(self.news)))

    def report(self) -> Document:
        """Return the whole story, with all secrets; raise GameError before the end of the night."""
        if self.stage == "night":
            raise GameError(Sentence("not-over"))
        blocks = Paragraph(self.settings), Items(self.story), Items(self.news), self.ending
        return Document(Sentence("night-story"), blocks)

    def public_view(self) -> View:
        """Return the information that everybody may see; see the package for the fields of views."""
        over, day = self.stage == "over", self.stage == "day"
        dead = self.night.dead if over else ()
        alive = [name for name in self.game.players if name not in dead]
        lines = [*self.news, *(self.story if over else ())]
        found: View = {
            "view": "public",
            "settings": self.settings,
            "phase": self.phase,
            "kind": self.stage,
            "moment": self.moment,
            **people_view(self.flow, self.game.players, alive, len(self.waiting_for)),
            "feed": [{"phase": self.phase, "position": 1, "lines": lines}] if lines else [],
            "table": None,
        }
        if day:
            found["ballot"] = {"kind": "secret", "round": 1, "candidates": found["players"]}
            found["ballot"]["voted"] = [voter for voter, _ in self.votes]
        if over:
            found["ending"] = grid_view(self.ending)
            found["headline"] = self.news[-1]
        return found

    def player_view(self, player: str) -> View:
        """Return the view of one player, and nothing else."""
        told, table = self.sheet(player), self.chances(player)
        found = {**self.public_view(), "view": "player", "player": player, "early": False}
        card = self.dealt[self.game.players.index(player)]
        found["you"] = {"alive": player not in found["dead"], "opening": [], "card": word(card)}
        found["sheet"] = [{"phase": Sentence("stage", stage="night"), "lines": list(told[1:])}]
        if table is not None:
            found["table"] = grid_view(table)
        if self.stage == "night":
            found["ask"] = [self.question(player, number) for number in range(self.game.questions)]
        if self.stage == "over":
            result = {"card": self.night.cards[player], "won": player in self.night.winners}
            found["headline"] = sequence(Sentence("night-result", **result), self.news[-1])
        if self.stage == "day":
            found["vote"] = vote_view(player, self.votes, self.game.players, may_decline=False)
        return found

    def question(self, player: str, number: int) -> View:
        """Return a question of the night, with its answer."""
        offered, counts = self.offered(player, number), self.counts(player, number)
        chosen = {n: target for name, n, target in self.answers if name == player}
        turns = self.game.choosing(player, self.deal)
        told = [self.sheet(player)[0]]
        if counts:
            act = turns[number].choices[-1].act
            swaps = "own" if "own" in act.on else "swaps"
            told.append(Sentence("night-question", order=swaps if act.swaps else "looks"))
        targets = [target for target in offered if target]
        words = self._words(player, number)
        places = {target: list(map(self._titled, words.get(target, (target,)))) for target in targets}
        found: View = {
            "action": str(number),
            "question": sequence(*told),
            "targets": targets,
            "labels": [Sentence("together", names=places[target]) for target in targets],
            "pairs": [places[target] for target in targets],
            "may_decline": "" in offered,
            "answered": number in chosen,
            "target": chosen.get(number) or None,
            "final": False,
            "counts": counts,
        }
        if not counts:
            found["why"] = Sentence("night-nothing")
        return found

    def master_view(self) -> View:
        """Return everything, for the game master."""
        story, dealt = self.story, dict(zip(self.game.places, map(word, self.dealt), strict=True))
        table = self.ending
        if self.stage == "night":
            story = ()
            rows = tuple((self._titled(place), card) for place, card in dealt.items())
            table = Grid((word("place"), word("dealt")), rows)
        chosen = (
            {"actor": name, "action": dealt[name], "target": target or None, "counts": self.counts(name, n)}
            for name, n, target in self.answers
        )
        return {
            **self.public_view(),
            "view": "master",
            "acts": [],
            "master_table": grid_view(table),
            "worlds": "",
            "choices": list(chosen),
            "waiting_for": list(self.waiting_for),
            "votes": [list(vote) for vote in self.votes],
            "last": [[line] for line in story],
        }


class NightKeeper(Keeping):
    """A sitting of One Night and its file: every command that `submit` has answered is on disk.

    The file is a night as `ask`, `explore` and `night` read it, with the evening beside it. `sitting` begins
    a new file; without it the file is continued. It is locked until `close`.
    """

    sitting: NightSitting
    """The sitting as on disk."""

    def __init__(self, path: Path, sitting: NightSitting | None = None) -> None:
        if sitting is not None and path.is_file() and path.stat().st_size:
            raise GameError(f"{str(path)!r} already exists; open it to continue, or choose another name")
        self.path = path
        self._file = locked(path, being_written(path))
        self._lock = RLock()
        self.revision = 0
        self.sitting = sitting or read_night(path)
        if sitting is not None:
            self._save(sitting)

    @property
    def game(self) -> OneNight:
        """The game with its players."""
        return self.sitting.game

    @property
    def over(self) -> bool:
        """Whether everybody has voted."""
        return self.sitting.stage == "over"

    @property
    def winners(self) -> tuple[str, ...]:
        """Those who have won, once the game is over."""
        return self.sitting.night.winners

    def close(self) -> None:
        """Unlock the file."""
        unlock(self._file)

    def tick(self, now: float) -> bool:
        """Return False: an evening of One Night has no time limits."""
        return False

    def _write(self, after: NightSitting) -> None:
        if after != self.sitting:
            self._save(after)
        self.sitting = after

    def _save(self, after: NightSitting) -> None:
        begun = {**FORMAT, **as_data(after.game), "dealt": list(after.dealt)}
        night = begun if after.stage == "night" else after.night.to_dict()
        apart = ("game", "dealt", "answered")
        own = {name: value for name, value in as_data(after).items() if name not in apart}
        content = json.dumps({**night, "evening": own}, ensure_ascii=False)
        replace_file(self.path, f"{content}\n".encode(), secret=True)
        self.revision += 1

    def player_view(self, seat: str) -> View:
        """Return the information that one player may see now."""
        return self.sitting.player_view(seat)

    def hint(self, seat: str, action: str) -> str:
        """Return that there is no hint: the own screen shows all chances."""
        return Sentence("no-hint", hard=False)

    def public_view(self) -> View:
        """Return the information that everybody may see now."""
        return self.sitting.public_view()

    def master_view(self) -> View:
        """Return everything, for the game master."""
        return self.sitting.master_view()


def read_night(path: Path) -> NightSitting:
    """Return the evening in a file; raise FormatError for anything else."""
    data = parse_json(read_text(path), str(path))
    if not isinstance(data, dict) or "evening" not in data:
        raise FormatError(f"{path}: not a game that `play --rules one-night` began")
    game = PlayedNight.game_of(data)
    try:
        whole = {**data["evening"], "dealt": data["dealt"], "game": as_data(game)}
        whole.pop("claims", None)  # older files have them
        found: NightSitting = from_data(NightSitting, whole)
        return found
    except (GameError, ValueError, LookupError, TypeError) as error:
        raise FormatError(f"{path}: the evening cannot be read: {error}") from None
