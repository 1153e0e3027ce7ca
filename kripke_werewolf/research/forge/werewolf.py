"""The family of werewolf: what players know in a game of Quantum Werewolf, by day and by night.

Everybody sees who does what, and only those who look see the result. The first engine is the model of the
game; the second filters the ways to deal the cards, with what each look could have shown. What players can
conclude from who may still act, and from whether the game goes on, must follow from the rest of the story.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import NamedTuple

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.randomness import Draws
from kripke_werewolf.base.settings import Natural, Positive
from kripke_werewolf.games.werewolf.game import QuantumWerewolf
from kripke_werewolf.games.werewolf.rules import preset
from kripke_werewolf.logic.models.model import KripkeModel
from kripke_werewolf.research.forge.family import Knobs, with_item, yes_no
from kripke_werewolf.research.forge.knowing import (
    SPOKEN,
    Chain,
    HeardStory,
    Known,
    Language,
    StoryEvent,
    StoryFact,
    formula_asked,
    heard_family,
)
from kripke_werewolf.research.stories.scenes import Wordings, listed, read_list, sentences

_RULES = (
    "{A} play Quantum Werewolf: one of them is the seer, the number of wolves is {n}, and all others are "
    "villagers; nobody has a card yet, and every way to deal the cards is possible until it is ruled out; "
    "a player who looks at another is told good or evil, which is true if they are the seer and may be "
    "either if they are not; seers and villagers are good and wolves are evil; the first wolf is called "
    "alpha and the second beta; the card of a player who is hanged is shown to all, and the player was alive "
    "until then; alpha, or beta if alpha was hanged, kills the player whom they attack at night, and never "
    "attacks a wolf, and the attacks of all others do nothing; what players say about their own knowledge is "
    "true; everybody sees who looks at whom, who attacks whom and who speaks, but not what others are told; "
    "all of them know these rules, and know this of each other."
)
_SAID = {
    "looks": ("{a} looked at {b} and was told {word}.", "{a}, looking at {b}, was told {word}."),
    "hanged": ("{a} was hanged, and the card was {word}.",),
    "attacks": ("{a} attacked {b} at night.", "At night {a} attacked {b}."),
    **SPOKEN,
    "unsure": ("{a} said: I do not know whether {fact}.", "I do not know whether {fact}, {a} said."),
}
_FACTS = {
    "wolf": ("{a} is a wolf", "wolf_{a}"),
    "good": ("{a} is good", "good_{a}"),
    "seer": ("{a} is the seer", "seer_{a}"),
    "dead": ("{a} is dead", "dead_{a}"),
    "clears": ("it is not true both that {a} is the seer and that {b} is a wolf", "seer_{a} -> good_{b}"),
    "accuses": ("it is not true both that {a} is the seer and that {b} is good", "seer_{a} -> wolf_{b}"),
}
_BEGINS = Wordings({"": (_RULES,)})
_SIDES, _WOLVES, _AT_NIGHT = ("good", "evil"), ("alpha", "beta"), ("looks", "attacks")


class _QuantumWorlds(NamedTuple):
    """The worlds of a game: the ways to deal the cards, with what each look may have shown."""

    people: int
    wolves: int
    looks: tuple[tuple[int, ...], ...] = ()


class _QuantumStory(NamedTuple):
    people: int
    wolves: int
    events: tuple[StoryEvent, ...] = ()


class QuantumStory(_QuantumStory, HeardStory):
    """A game without names: the number of players and of wolves, and what has happened.

    The model is that of the game, which has names and log.
    """

    least, language = 1, Language(_SAID, _FACTS)

    @property
    def table(self) -> _QuantumWorlds:
        """The worlds of the game."""
        looks = tuple([deed.group for deed in self.events if deed.kind == "looks"])
        return _QuantumWorlds(self.people, self.wolves, looks)

    @property
    def stages(self) -> tuple[_QuantumStage, ...]:
        """The game at the start and after each event; `FormatError` if it is open what may happen."""
        return _stages(self.table, self.events)

    @property
    def actual(self) -> int:
        """The worlds that are left."""
        return self.stages[-1].left

    def states(self) -> tuple[Known, ...]:
        """Return the knowledge at the start and after each event: the second engine."""
        return tuple([stage.known for stage in self.stages])

    def facts(self) -> Sequence[StoryFact]:
        """Return the facts that may be asked about."""
        return _facts(self.people)

    def where(self, fact: StoryFact) -> int:
        """Return the worlds where a fact is true, as bits."""
        return self.stages[-1].dead[fact.who[0]] if fact.kind == "dead" else _where(self.table, fact)

    def sayings(self, place: int) -> Sequence[tuple[StoryEvent, StoryEvent]]:
        """Return the statements of players about their knowledge, where they speak, each with silence."""
        if self.events[place].kind not in ("says", "idle", "unsure"):
            return []
        living = self.stages[-1].living
        return [(deed, StoryEvent("idle", (i,))) for i in living for deed in _said_by(self.people, i)]

    def truths(self, fact: StoryFact) -> Sequence[int]:
        """Return the worlds where a fact is true at the start and after each event."""
        if fact.kind == "dead":
            return [stage.dead[fact.who[0]] for stage in self.stages]
        return super().truths(fact)

    def others(self) -> Sequence[QuantumStory]:
        """Return nothing: nobody has a card, so no facts could be different."""
        return []

    def alike(self, other: QuantumStory, depth: int) -> bool:
        """Return whether what is known after both is the same to a depth, as far as it is about cards."""
        if depth < 0 or self.table != other.table:
            return self.table == other.table
        (deals,) = Known.of([[deal for deal, _ in _worlds(self.table)]]).cells
        one, two = (
            {kind for kind, worlds in game.states()[-1].kinds(deals, depth).items() if worlds & game.actual}
            for game in (self, other)
        )
        return one == two

    def twins(self, order: int, draws: Draws) -> Iterator[tuple[QuantumStory, QuantumStory, int]]:
        """Yield the game with something said and without it.

        For order 2 a player says again that they do not know whether they are the seer. Each then knows the
        same about the cards in both, but not about what that player knows. They say it before in both, so
        that the words alone, without what was known when they were said, give no answer.
        """
        if order == 1:
            yield from super().twins(order, draws)
            return
        spoken = [place for place in range(len(self.events)) if self.sayings(place)]
        pairs = [*combinations(spoken, 2)]
        for first, place in draws.sample(pairs, len(pairs)):
            for said, silent in self.sayings(place):
                if said.kind != "unsure":
                    continue
                events = with_item(self.events, first, said)
                one, two = (self._replace(events=with_item(events, place, deed)) for deed in (said, silent))
                with suppress(FormatError):  # what is said may be false
                    news = one.states()[-1].worlds != two.states()[-1].worlds
                    if news and one.alike(two, 1) and not one.alike(two, 2):
                        yield one, two, place

    def head(self, agents: Sequence[str], draws: Draws) -> list[str]:
        """Return the rules."""
        return [_RULES.format(A=listed(agents), n=self.wolves)]

    def holds(self, chain: Chain, fact: StoryFact, agents: tuple[str, ...]) -> bool:
        """Return the answer to a question by the model of the game."""
        asked = formula_asked(chain, f"({self.language.formula(fact, agents)})", agents)
        return _model(self, agents).holds(asked)

    def lines(self, agents: tuple[str, ...]) -> tuple[str, ...]:
        """Return the log of the game."""
        return _game(self, agents).log

    def guesses(self, chain: Chain) -> dict[str, str]:
        """Return the answer if the last player of a question knows nothing, should they have said so.

        All others then know that; otherwise they think both possible.
        """
        if not chain[1:]:
            return {}
        (way, last), possible = chain[-1], "thinks it possible that"
        unsure = any(deed.kind == "unsure" and deed.group == (last,) for deed in self.events)
        true = way == possible if unsure else None
        for way, _ in reversed(chain[:-1]):
            true = way == possible if true is None else true or way == "knows whether"
        return {_WORDS_ALONE: yes_no(true)}


# --- the first engine: the game and its model ----------------------------------------------------------


@lru_cache(maxsize=1 << 8)
def _game(played: QuantumStory, names: tuple[str, ...]) -> QuantumWerewolf:
    """Return the game, without tables and without private notices."""
    if not played.events:
        quiet = replace(preset("cisra"), name="cisra, few words", told="nothing", table_at=())
        rules = replace(quiet, announce_vote="role", opening=("visions", "attacks"), burnings=3)
        return QuantumWerewolf(names, wolves=played.wolves, rules=rules, targets="public", rng=0)
    game, deed = _game(played._replace(events=played.events[:-1]), names), played.events[-1]
    one, other = names[deed.group[0]], names[deed.group[-1]]
    if deed.news:
        return game.claim(one, deed.news.said(played.language.formula(deed.news.fact, names), names))
    if deed.kind == "looks":
        return game.vision(one, other, result=deed.word)
    if deed.kind == "hanged":
        return game.vote_off(one, role=deed.word)
    return game.attack(one, other) if deed.kind == "attacks" else game


@lru_cache(maxsize=1 << 8)
def _model(played: QuantumStory, names: tuple[str, ...]) -> KripkeModel:
    """Return the model of the game."""
    game = _game(played, names)
    if game.verdict or len(game.alive) != played.people - sum(d.kind == "hanged" for d in played.events):
        raise FormatError("the game is over, or somebody is found dead, and the story does not say so")
    return game.model()


# --- the second engine: the ways to deal the cards ------------------------------------------------------


@lru_cache(maxsize=1 << 8)
def _worlds(table: _QuantumWorlds) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the ways to deal the cards, each with what everybody who looks may be told."""
    cards = ["seer", *_WOLVES[: table.wolves], *["villager"] * (table.people - table.wolves - 1)]
    return [
        (deal, told)
        for deal in sorted(set(permutations(cards)))
        for told in product(_SIDES, repeat=len(table.looks))
        if all(
            deal[one] != "seer" or (side == "evil") == (deal[other] in _WOLVES)
            for (one, other), side in zip(table.looks, told, strict=True)
        )
    ]


@lru_cache(maxsize=1 << 10)
def _holders(table: _QuantumWorlds, *cards: str) -> tuple[int, ...]:
    """Return for each player the worlds, as bits, where they have one of these cards."""
    deals = [deal for deal, _ in _worlds(table)]
    return tuple(
        [sum(1 << n for n, deal in enumerate(deals) if deal[i] in cards) for i in range(table.people)]
    )


@lru_cache
def _facts(people: int) -> list[StoryFact]:
    facts = [StoryFact(kind, (i,)) for kind in ("wolf", "good", "seer", "dead") for i in range(people)]
    pairs = permutations(range(people), 2)
    return facts + [StoryFact(kind, two) for two in pairs for kind in ("clears", "accuses")]


@lru_cache
def _said_by(people: int, speaker: int) -> list[StoryEvent]:
    says = [StoryEvent("says", (speaker,), fact) for fact in _facts(people) if fact.kind != "dead"]
    return [*says, StoryEvent("unsure", (speaker,), StoryFact("seer", (speaker,)))]


@lru_cache(maxsize=1 << 12)
def _where(table: _QuantumWorlds, fact: StoryFact) -> int:
    a, b, every = fact.who[0], fact.who[-1], (1 << len(_worlds(table))) - 1
    wolf, seer = _holders(table, *_WOLVES), _holders(table, "seer")
    where = {"wolf": wolf[a], "good": ~wolf[a], "seer": seer[a]}
    return every & (where | {"clears": ~seer[a] | ~wolf[b], "accuses": ~seer[a] | wolf[b]})[fact.kind]


@lru_cache(maxsize=1 << 8)
def _told(table: _QuantumWorlds) -> list[dict[str, int]]:
    """Return for each look the worlds, as bits, where each side is told."""
    told = [told for _, told in _worlds(table)]

    def where(look: int, side: str) -> int:
        return sum(1 << n for n, sides in enumerate(told) if sides[look] == side)

    return [{side: where(look, side) for side in _SIDES} for look in range(len(table.looks))]


class _QuantumStage(NamedTuple):
    """A moment of a game: what is known, the worlds that are left, and those where each player is dead.

    `told`: for everything that may have been told so far, the worlds where it was. `hanged`: who, with their
    cards. `night`: the number of the night, or of that before this day; `acted`: who has looked or attacked
    in it; `day`: whether it is over.
    """

    known: Known
    left: int
    dead: tuple[int, ...]
    told: tuple[int, ...]
    hanged: Mapping[int, str]
    night: int = 0
    acted: frozenset[tuple[str, int]] = frozenset()
    day: bool = False

    @property
    def living(self) -> list[int]:
        """The players who were not hanged."""
        return [i for i in range(len(self.dead)) if i not in self.hanged]

    def have(self, *kinds: str) -> bool:
        """Return whether all living players have done these things in this night."""
        return {(kind, i) for kind in kinds for i in self.living} <= self.acted

    @property
    def over(self) -> bool:
        """Whether the night is over: all have attacked, and after the first night all have looked."""
        return self.day or (self.have("attacks") and (not self.night or self.have("looks")))

    def always(self, fact: int) -> bool:
        """Return whether something is possible, whatever was told."""
        return all(same & fact for same in self.told)

    def limited(self, fact: int) -> _QuantumStage:
        """Return the stage when all learn that something is true."""
        told = tuple(same & fact for same in self.told if same & fact)
        return self._replace(known=self.known.announced(fact), left=self.left & fact, told=told)


@lru_cache(maxsize=1 << 12)
def _stages(table: _QuantumWorlds, deeds: tuple[StoryEvent, ...]) -> tuple[_QuantumStage, ...]:
    """Return the stages of a game, in which others may look later."""
    if not deeds:
        number = len(_worlds(table))
        every = (1 << number) - 1
        known = Known.of([[0] * number] * table.people)
        return (_QuantumStage(known, every, (0,) * table.people, (every,), {}),)
    before = _stages(table, deeds[:-1])
    stage = _after(table, before[-1], deeds[-1], sum(deed.kind == "looks" for deed in deeds[:-1]))
    if not stage.left:
        raise FormatError(f"{deeds[-1]} cannot have happened")
    return (*before, stage)


def _after(table: _QuantumWorlds, now: _QuantumStage, deed: StoryEvent, looked: int) -> _QuantumStage:
    """Return the stage after something has happened, if the story implies whether it may happen."""
    kind, a, b, word = deed.kind, deed.group[0], deed.group[-1], deed.word
    wolf, seer = _holders(table, *_WOLVES), _holders(table, "seer")
    first = _holders(table, "beta" if "alpha" in now.hanged.values() else "alpha")
    if kind not in _AT_NIGHT:
        clear = now.over and a not in now.hanged
        now = now._replace(day=True)
    else:
        if now.day:
            now = now._replace(day=False, night=now.night + 1, acted=frozenset())
        clear = a != b and not {a, b} & {*now.hanged} and (kind, a) not in now.acted
        begun = any(("attacks", i) in now.acted for i in now.living)
        clear &= kind == "attacks" or (now.have("attacks") if now.night else not begun)
        now = now._replace(acted=now.acted | {(kind, a)})
    if kind == "looks":
        sides = _told(table)[looked]
        clear &= all(now.always(seer[a] & side) for side in sides.values())
        told = tuple(same & side for same in now.told for side in sides.values() if same & side)
        found = now._replace(
            known=now.known.shown([a], sides["good"]), left=now.left & sides[word], told=told
        )
    elif kind == "attacks":
        clear &= now.always(first[a] & ~wolf[b])
        found = now.limited(~(first[a] & wolf[b]))._replace(dead=_with(now.dead, b, first[a]))
    elif kind == "hanged":
        found = now.limited(_holders(table, word)[a] & ~now.dead[a])
        found = found._replace(hanged={**now.hanged, a: word}, dead=_with(now.dead, a, -1))
    else:
        news = deed.news
        found = now.limited(news.heard(now.known, _where(table, news.fact)) if news else now.known.worlds)
    clear &= all(sum(bool(same & own) for own in wolf) > table.wolves for same in found.told)
    if not clear or not all(found.always(~found.dead[i]) for i in found.living):
        raise FormatError(f"{kind} {deed.group} {word}: it is open who may act, or whether the game is over")
    return found


def _with(dead: tuple[int, ...], player: int, worlds: int) -> tuple[int, ...]:
    return with_item(dead, player, dead[player] | worlds)


# --- reading -----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _read(text: str) -> tuple[QuantumStory, tuple[str, ...]]:
    """Return the game and the players of a story in English."""
    first, *rest = sentences(text)
    given = _BEGINS.read(first)[1]
    names = tuple(read_list(given["A"]))
    deeds = tuple([QuantumStory.language.read(sentence, names) for sentence in rest])
    if not 3 <= len(names) <= 6 or not 1 <= int(given["n"]) <= 2:
        raise FormatError("a story of Quantum Werewolf has 3 to 6 players and 1 or 2 wolves")
    played = QuantumStory(len(names), int(given["n"]), deeds)
    if not played.stages[-1].over:
        raise FormatError(
            "the story ends at night, before everybody has attacked and, after the first night, looked"
        )
    return played, names


_WORDS_ALONE = "that player said they do not know"


# --- the generator -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _WerewolfKnobs(Knobs):
    """The kind of games of Quantum Werewolf to make; four or five players, and orders 1 and 2."""

    possible = range(4, 6)
    limits = (
        (1, 2),
        "allowed: 1 and 2; games that agree on what each knows of the others' knowledge of cards agree on "
        "all, so no question needs a higher order",
    )
    orders: tuple[Natural, ...] = (1, 2)
    events: Positive = 24


def _random_game(knobs: _WerewolfKnobs, order: int, draws: Draws) -> QuantumStory:
    """Return a random game: looks, words, and often an execution and another night."""
    people = range(knobs.agents)
    game = QuantumStory(knobs.agents, 1 if knobs.agents < 5 else 1 + draws.below(2))
    plan = [("looks", i) for i in people if draws.random() < _LOOKING] + [("attacks", i) for i in people]
    talk = [("idle", draws.choice(people)) for _ in range(3)]
    if draws.random() < _HANGING:
        talk.insert(1 + draws.below(3), ("hanged", -1))
    again = [(kind, i) for kind in ("attacks", "looks") for i in people]
    if draws.random() >= _AGAIN:
        again = []
    day = game
    for kind, a in [*plan, *talk, *again, ("idle", draws.choice(people))][: knobs.events]:
        for _ in range(_CHOICES):
            words = {"looks": _SIDES, "hanged": ("villager", "seer", *_WOLVES[: game.wolves])}
            if kind == "hanged":
                a = draws.choice([deed.group[1] for deed in game.events if deed.kind == "looks"] or people)
            group = (a, draws.choice([i for i in people if i != a])) if kind in _AT_NIGHT else (a,)
            deed = StoryEvent(kind, group, None, draws.choice(words.get(kind, ("",))))
            with suppress(FormatError):
                if kind == "idle" and draws.random() < _SPEAKING:
                    deed = draws.choice(_news(game, a) or _said_by(game.people, a)[-1:])
                longer = game._replace(events=(*game.events, deed))
                if longer.stages:
                    game = longer
                    break
        day = game if game.stages[-1].over else day
    return day


def _news(game: QuantumStory, speaker: int) -> list[StoryEvent]:
    """Return the statements of a player about their knowledge, unless everybody knows them already."""
    known, left = game.states()[-1], game.actual
    heard = ((deed, ~game.heard(known, deed)) for deed in _said_by(game.people, speaker))
    return [deed for deed, ruled_out in heard if not left & ruled_out and known.worlds & ruled_out]


_LOOKING, _HANGING, _AGAIN, _SPEAKING = 0.7, 0.8, 0.5, 0.8
_CHOICES = 10  # that are tried for something that happens


WEREWOLF = heard_family("werewolf", _WerewolfKnobs, _read, _random_game)
