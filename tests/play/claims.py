"""What every sentence of an evening claims, and whether it is so: `python -m tests.play.claims`.

`CLAIMS` says for each message what it claims, of whom and of which moment. A claim is judged by a `Course`:
the game read from the lines of its log, with the worlds after every step kept as the texts of the rules say.
Nothing is taken from the engine but the log. A message that is not in the table is a fault, too.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace
from typing import Any

from kripke_werewolf import QuantumWerewolf
from kripke_werewolf.base.wording import Sentence
from kripke_werewolf.play.tabletop import PHONES, Choose, EndPhase, Sitting, Undo, Vote, VoteOff
from kripke_werewolf.play.tabletop.views import Archive, View, master_view, player_view
from tests.games.werewolf.test_cards import RANKS, Simulated, World
from tests.play.tabletop.walks import drawn

DEATHS = ("voted_off", "found_dead", "taken_along")
EVIL = {*RANKS, "wolf"}


# --- the worlds of a game, step by step --------------------------------------------------------------


class Ranked(Simulated):
    """Worlds in which attacks kill at once: the rules `cisra` and `gekka`, with every card."""

    def happens(self, event):
        seat = self.players.index
        match event.name:
            case "collapsed":
                self.keep(lambda world: world.cards == tuple(event.roles))
                self.change(World.found)
            case "taken_along":
                self.dies(seat(event.player), event.role)
            case "attack":
                self.change(lambda world: self.attacked(world, seat(event.actor), seat(event.target)))
            case _:
                super().happens(event)

    def attacked(self, world, actor, target):
        """Return a world after an attack, which does not kill a fox."""
        return world if world.cards[target] == "fox" else world.attacked(actor, target)

    def looked(self, who, target, result):
        if result is None:
            return
        shown = {"evil": "wolf", "human": "good"}.get(result, result)
        fox = lambda world: world.cards[target] == "fox"  # noqa: E731
        face = lambda world: "fox" if fox(world) else world.side(target)  # noqa: E731
        self.keep(lambda world: world.cards[who] != "seer" or face(world) == shown)
        self.keep(lambda world: world.cards[who] != "drunk" or world.wolf(target) is not (shown == "wolf"))
        self.change(lambda world: world.dies(target) if world.cards[who] == "seer" and fox(world) else world)

    def dead(self, player):
        return self.share(lambda world: player in world.dead)

    def share(self, test):
        return Fraction(sum(n for world, n in self.worlds.items() if test(world)), self.size)

    @property
    def size(self):
        return sum(self.worlds.values())

    @property
    def listed(self):
        return [*self.worlds]

    def foxes(self, world):
        """Return the foxes who live in a world."""
        return {seat for seat, card in enumerate(world.cards) if card == "fox" and seat not in world.dead}


class Fractional:
    """Worlds in which attacks take a fraction of a life: the rules `straat`."""

    def __init__(self, players, wolves, worlds):
        self.players, self.left, self.worlds = players, wolves, worlds
        self.bites, self.links, self.looks, self.out = {}, {}, set(), set()

    @property
    def size(self):
        return len(self.worlds)

    @property
    def listed(self):
        return [World(cards) for cards in self.worlds]

    def foxes(self, world):
        """Return the foxes who live in a world."""
        foxes = [seat for seat, card in enumerate(world.cards) if card == "fox"]
        return {seat for seat in foxes if self.lost(world.cards, seat) < 1}

    def happens(self, event):
        seat = self.players.index
        match event.name:
            case "vision" if event.result is not None:
                actor, target = seat(event.actor), seat(event.target)
                self.worlds = [w for w in self.worlds if w[actor] != "seer" or w[target] == event.result]
                self.looks.add((actor, target))
            case "attack":
                self.bites[seat(event.actor), seat(event.target)] = Fraction(1, max(self.left, 1))
            case "acted":
                self.links[seat(event.actor)] = {seat(event.target), seat(event.other)}
            case "voted_off" | "found_dead" | "taken_along":
                player = seat(event.player)
                self.worlds = [world for world in self.worlds if world[player] == event.role]
                self.out.add(player)
                if event.role == "wolf":
                    self.left -= 1
                    self.bites = {key: bite for key, bite in self.bites.items() if key[0] != player}

    def share(self, test):
        return Fraction(sum(1 for cards in self.worlds if test(World(cards))), self.size)

    def dead(self, player):
        return sum((self.lost(world, player) for world in self.worlds), Fraction(0)) / self.size

    def lost(self, world, player):
        """Return how much of a life a player has lost in a world; lovers have lost the same."""
        pair = self.links.get(world.index("cupid"), set()) if "cupid" in world else set()
        return max(self.bitten(world, one) for one in ({player} | (pair if player in pair else set())))

    def bitten(self, world, player):
        if player in self.out:
            return Fraction(1)
        if world[player] == "fox":
            return Fraction(any(world[who] == "seer" for who, whom in self.looks if whom == player))
        hits = (share for (who, whom), share in self.bites.items() if whom == player and world[who] == "wolf")
        return Fraction(0) if world[player] == "wolf" else sum(hits, Fraction(0))


@dataclass
class Moment:
    """The game after a step: the position of the phase, who is dead, and all figures that may be told."""

    position: int
    size: int
    dead: frozenset[str]
    shares: Mapping[tuple[str, str], Fraction]
    """For each player and card, side or `dead`: the share of the worlds."""


@dataclass
class Course:
    """A game as its log tells it."""

    lines: tuple[str, ...]
    header: dict[str, Any] = field(init=False)
    steps: list[list[SimpleNamespace]] = field(init=False)
    moments: list[Moment] = field(init=False)

    def __post_init__(self):
        self.header, *rest = (json.loads(line) for line in self.lines)
        self.steps = [[self.event(event) for event in line["events"]] for line in rest if "events" in line]
        self.players, rules = self.header["players"], self.header["rules"]["name"]
        self.cards, self.roles = self.header.get("cards", {}), self.header.get("roles")
        self.numbers = dict(zip(self.players, self.header.get("numbers", ()), strict=False))
        wolves = self.header["wolves"]
        held = [
            *(["wolf"] * wolves if rules == "straat" else RANKS[:wolves]),
            *["seer"] * self.header["seers"],
        ]
        held += [name for name, number in self.cards.items() for _ in range(number)]
        held += ["villager"] * (len(self.players) - len(held))
        self.kinds = sorted({*held})
        deals = {tuple(self.roles)} if self.roles else {*permutations(held)}
        if rules == "straat":
            self.worlds = Fractional(self.players, wolves, sorted(deals))
        else:
            worlds = Counter(World(deal) for deal in deals)
            self.worlds = Ranked(self.players, rules, wolves, "witch" in self.cards, worlds)
        self.moments, self.pages, position = [self.moment(0)], list[int](), 0
        for step in self.steps:  # who died takes somebody along before anything else happens
            late = step[0].name == "taken_along" and self.pages
            self.pages.append(self.pages[-1] if late else position)
            for event in step:
                self.worlds.happens(event)
                position += event.name == "phase_ended"
            morning = step[-1].name != "taken_along" and self.kind(position) == "vote"
            if rules != "straat" and morning:
                self.worlds.change(lambda world: world.without("struck", "guarded"))
            self.moments.append(self.moment(position))

    @staticmethod
    def event(data):
        usual = {"result": None, "role": None, "announced": None, "other": "", "missing": (), "tied": ()}
        usual |= {"winners": (), "action": data["event"], "actor": "", "forced": False}
        return SimpleNamespace(**usual | data, name=data["event"], targets=[
            data[key] for key in ("target", "other") if data.get(key)
        ])  # fmt: skip

    def kind(self, position):
        """Return the kind of the phase at a position: what its end says, or what the rules say comes next."""
        ends = [event for step in self.steps for event in step if event.name == "phase_ended"]
        return ends[position].kind if position < len(ends) else ""

    def moment(self, position):
        worlds, shares = self.worlds, {}
        for seat, name in enumerate(self.players):
            if not worlds.size:
                break
            for card in self.kinds:
                shares[name, card] = worlds.share(lambda w, p=seat, c=card: w.cards[p] == c)
            wolf = sum((shares[name, card] for card in self.kinds if card in EVIL), Fraction(0))
            fox = shares.get((name, "fox"), Fraction(0))
            shares |= {(name, word): wolf for word in ("wolf", "evil", "werewolf")}
            shares |= {(name, "human"): 1 - wolf - fox, (name, "good"): 1 - wolf - fox}
            shares[name, "dead"] = worlds.dead(seat)
        return Moment(position, worlds.size, frozenset(self.players[p] for p in worlds.out), shares)

    # moments by position

    def at_begin(self, position):
        """Return the moment at which a phase began."""
        return self.at_end(position - 1)

    def at_end(self, position):
        """Return the moment at which a phase was over, or now."""
        return self.moments[sum(page <= position for page in self.pages)]

    def events(self, position):
        """Return the events of a phase."""
        pages = zip(self.steps, self.pages, strict=True)
        return [event for step, page in pages if page == position for event in step]

    @property
    def now(self):
        return self.moments[-1].position


# --- what is claimed -------------------------------------------------------------------------------


@dataclass
class Said:
    """A sentence where it is said: by its values, to whom, on the page of which phase."""

    values: dict[str, Any]
    course: Course
    owner: str | None
    """The player whose screen it is; None for everybody's, and for the game master's."""
    position: int
    """The position of the phase on whose page it stands."""

    def __getitem__(self, name):
        return self.values[name]

    def happened(self, name, **fields):
        """Whether an event of the phase has these values."""
        return any(
            event.name == name and all(getattr(event, key, None) == value for key, value in fields.items())
            for event in self.course.events(self.position)
        )

    def share(self, player, fact, moment):
        return moment.shares.get((player, fact))


def percent(text):
    """Return the bounds that a printed percentage claims."""
    text = str(text.values[0][1]) if hasattr(text, "values") else str(text)
    sign, number = text.strip("<>%") != text.rstrip("%"), Fraction(text.strip("<>%"))
    if sign:
        return (Fraction(0), number / 100) if text.startswith("<") else (number / 100, Fraction(1))
    if number in (0, 100):
        return number / 100, number / 100
    half = Fraction(1, 2) / (10 if "." in text else 1)
    half = max(half, Fraction(1, 20))
    return (number - half) / 100, (number + half) / 100


def shows(text, value):
    """Whether a printed percentage is that of a value; hidden cells claim nothing."""
    told = str(text.values[0][1]) if hasattr(text, "values") else str(text)
    if not told.endswith("%"):
        return True
    low, high = percent(text)
    return value is not None and low <= value <= high and (value in (0, 1)) == (told in ("0%", "100%"))


def meant(value):
    return {"none": None, "yes": True, "no": False}.get(value, value) if isinstance(value, str) else value


def died(name):
    def claim(said):
        (event,) = [
            e for e in said.course.events(said.position) if e.name == name and e.player == said["player"]
        ]
        words = (
            {None, event.role}
            if not said.course.roles
            else {None, said.course.roles[said.course.players.index(event.player)]}
        )
        card = event.role
        words |= (
            {"evil", "wolf", "werewolf"}
            if card in EVIL
            else {"human"} | ({"good"} if card != "fox" else {"fox"})
        )
        told = meant(said["announced"])
        return told in words and event.player in said.course.at_end(said.position).dead

    return claim


def took_along(said):
    actor = any(
        e.name == "taken_along" and e.actor == said["actor"] for e in said.course.events(said.position)
    )
    return actor and died("taken_along")(said)


def acted(said):
    """Somebody did it; the owner sees the result of their own."""
    targets, action = [*said["targets"]], said["action"]
    for event in said.course.events(said.position):
        same = event.name in ("vision", "attack", "acted") and event.action == action
        actor = said["actor"] in ("", event.actor)
        if same and actor and event.targets == targets and meant(said["result"]) in (None, event.result):
            return True
    return False


def acted_yourself(said):
    for event in said.course.events(said.position):
        same = event.name in ("vision", "attack", "acted") and event.action == said["action"]
        if same and event.actor == said.owner and event.targets == [*said["targets"]]:
            return meant(said["result"]) == event.result
    return False


def winners(said):
    """All those win who are on the winning side in every world; where a fox lives, no other side has won."""
    course = said.course
    (end,) = [e for step in course.steps for e in step if e.name == "game_ended"]

    def wins(world, seat, living):
        if living or end.verdict == "fox":
            return end.verdict == "fox" and seat in living
        match end.verdict:
            case "lovers":
                return seat in world.those("linked") if course.header["rules"]["name"] != "straat" else None
            case "village":
                return world.cards[seat] not in EVIL | {"fox"}
            case "wolves":
                return world.cards[seat] in EVIL
        return False

    worlds = [(world, course.worlds.foxes(world)) for world in course.worlds.listed]
    won = {
        name
        for seat, name in enumerate(course.players)
        if all(wins(*one[:1], seat, one[1]) for one in worlds)
    }
    unknown = not worlds or (end.verdict == "lovers" and course.header["rules"]["name"] == "straat")
    return end.verdict == said["verdict"] and (unknown or {*said["winners"]} == won)


def chance_moved(said, moved, before):
    """The owner's own chance: as at the moment that the sentence names, and as it is in the morning."""
    fact, after = said_fact(moved["fact"]), said.course.at_begin(said.position)
    old, new = (said.share(said.owner, fact, moment) for moment in (before, after))
    return shows(moved["old"], old) and shows(moved["new"], new) and old != new


def said_fact(word):
    return {"werewolf": "wolf"}.get(word, word)


def changed(said):
    """What a night changed for the owner: looks of that night, and figures from its fall to its morning."""
    course, parts = said.course, dict(said.values)
    day = said.position  # of the last day
    night = day
    while night and course.kind(night - 1) != "vote":
        night -= 1
    number = dict(said["night"].values)["n"]
    ends = [e for p in range(night, day) for e in course.events(p) if e.name == "phase_ended"]
    if {str(e.number) for e in ends} - {str(number)}:
        return False
    if said["any"] == "no":
        return not any(
            e.name == "vision" and e.actor == said.owner and e.result
            for p in range(night, day)
            for e in course.events(p)
        )
    nightfall, morning = course.at_begin(night), course.at_begin(day)
    for message, values in clauses(parts["parts"]):
        before, inside = nightfall, [(message, values)]
        if message == "since-the-table":  # it names the morning from which it counts
            kind, n = (str(dict(values["since"].values)[key]) for key in ("kind", "n"))
            days = [p for p in range(day) if course.kind(p) == kind and str(number_of(course, p)) == n]
            before, inside = course.at_begin(days[0]), [*clauses(values["parts"])]
        if not all(changed_since(said, before, morning, range(night, day), *one) for one in inside):
            return False
    return True


def changed_since(said, before, morning, night, message, values):
    """Whether one part of it is so: what was seen that night, or what is otherwise than before."""
    course, owner = said.course, said.owner
    if message == "if-you-are":
        looks = [e for p in night for e in course.events(p) if e.name == "vision" and e.actor == owner]
        return any((e.target, e.result) == (values["player"], values["role"]) for e in looks)
    if message == "no-longer-you":
        kinds = [dict(card.values)["card"] for card in values["cards"]]
        told = {{"evil": "wolf", "werewolf": "wolf"}.get(c, c) for c in course.header["rules"]["columns"]}
        known = [kind for kind in kinds if kind in told and said.share(owner, kind, before) == 0]
        return not known and all(said.share(owner, kind, morning) == 0 for kind in kinds)
    return all(chance_moved(said, dict(one.values), before) for one in values["moved"])


def number_of(course, position):
    (end,) = [e for e in course.events(position) if e.name == "phase_ended"][:1]
    return end.number


def clauses(meaning) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the clauses of a sentence."""
    if meaning.message == "clauses":
        for _, part in meaning.values:
            yield from clauses(part)
    else:
        yield meaning.message, dict(meaning.values)


def own_chances(said):
    """The owner's chances when the phase began."""
    begin = said.course.at_begin(said.position)
    shares = [dict(one.values) for one in dict(said["chances"].values)["items"]]
    return all(shows(one["share"], said.share(said.owner, said_fact(one["fact"]), begin)) for one in shares)


def tally(said):
    """The votes for each are counted, open votes by who voted."""
    counts = {dict(one.values)["player"]: dict(one.values)["n"] for one in said["counts"]}
    if said["opened"] == "no":
        return sum(map(int, counts.values())) <= len(said.course.players)
    votes = Counter(values["player"] for _, values in clauses(said["by"]))
    return dict(votes) == counts


def role_left(said):
    """In every world the owner has this role, or one of this kind."""
    return (
        said.share(said.owner or said["player"], said_fact(said["role"]), said.course.at_end(said.position))
        == 1
    )


def own_card(said):
    """The card that was dealt; a drunk is told to be the seer."""
    card = said.course.roles[said.course.players.index(said.owner)]
    return said["role"] == ("seer" if card == "drunk" else card)


def other_wolves(said):
    course = said.course
    wolves = {name for name, card in zip(course.players, course.roles, strict=True) if card in EVIL}
    return {dict(one.values)["player"] for one in said["others"]} == wolves - {said.owner}


def news(said):
    """In love: the other lover; attacked tonight: those who were struck."""
    course, names = said.course, {*said["names"]}
    links = [e for step in course.steps for e in step if e.action == "link"]
    if said["word"] == "in love":
        cupid = [e for e in links if course.roles[course.players.index(e.actor)] == "cupid"]
        return names == {name for e in cupid for name in e.targets if said.owner in e.targets}
    night = said.position
    while night and course.kind(night - 1) != "vote":
        night -= 1
    struck = {e.target for p in range(night, said.position) for e in course.events(p) if e.name == "attack"}
    return names <= struck


def passed_over(said):
    """Those who are named did not act, and were asked for it."""
    ends = [e for e in said.course.events(said.position) if e.name == "phase_ended"]
    missing = Counter(action for end in ends for _, action in end.missing)
    named = [dict(one.values) for one in said["who"]]
    pairs = {(name, action) for end in ends for name, action in end.missing}
    return (
        all((one["player"], one["action"]) in pairs or not one["player"] for one in named)
        and Counter(one["action"] for one in named) == missing
    )


def asked(said):
    """Who is asked for an action may have its card; who is not asked for a vision or an attack cannot."""
    course, action = said.course, said["action"]
    begin = course.at_begin(said.position)
    cards = {"vision": ("seer", "drunk"), "attack": ("wolf",), "link": ("cupid",), "protect": ("bodyguard",)}
    may = [said.share(said.owner, card, begin) for card in cards.get(action, ("witch",))]
    return any(may) or action == "take" or not begin.size


def not_asked(said):
    course, action = said.course, said["action"]
    begin = course.at_begin(said.position)
    first = said.position < len(course.header["rules"]["opening"])
    if action not in ("vision", "attack") or said.owner in begin.dead or (action == "attack" and first):
        return True
    if action == "attack" and course.header["rules"]["attackers"] == "dominant":
        return True  # one who leads in no world may be a wolf in some
    cards = {"vision": ("seer", "drunk"), "attack": ("wolf",)}[action]
    return not any(said.share(said.owner, card, begin) for card in cards)


def settings(said):
    """The players, the rules, the deal, and the number of each card."""
    header, cards = (
        said.course.header,
        {dict(one.values)["one"]: dict(one.values)["n"] for one in said["cards"]},
    )
    told = said["n"], said["rules"], said["deal"], said["targets"]
    true = len(header["players"]), header["rules"]["name"], header["deal"], header["targets"]
    dealt = {"wolf": header["wolves"], "seer": header["seers"], **header.get("cards", {})}
    dealt["villager"] = len(header["players"]) - sum(dealt.values())
    return told == true and cards == {card: number for card, number in dealt.items() if number}


def fractions(said):
    """Each percentage is that of the fractions beside it."""
    pairs = [values for _, values in clauses(said["shares"])]
    return all(shows(one["share"], Fraction(value)) for one in pairs for value in one["values"])


def nothing(said):
    """Claim nothing about the game: a question, an instruction, a name of something."""
    return True


def worlds_left(said):
    return said["n"] == said.course.moments[-1].size


CLAIMS: dict[str, Callable[[Said], bool]] = {
    "voted-off": died("voted_off"),
    "voted-off-in-full": lambda said: said.happened(
        "voted_off", player=said["player"], role=meant(said["role"])
    ),
    "found-dead": died("found_dead"),
    "found-dead-in-full": lambda said: said.happened(
        "found_dead", player=said["player"], role=meant(said["role"])
    ),
    "taken-along": took_along,
    "taken-along-in-full": lambda said: said.happened(
        "taken_along", player=said["player"], actor=said["actor"]
    ),
    "nobody-voted-off": lambda said: not said.happened("voted_off"),
    "nobody-found-dead": lambda said: not said.happened("found_dead"),
    "lot-decides": lambda said: any({*e.tied} == {*said["tied"]} for e in said.course.events(said.position)),
    "lot-among": lambda said: any({*e.tied} == {*said["tied"]} for e in said.course.events(said.position)),
    "acted": acted,
    "acted-in-full": acted,
    "acted-yourself": acted_yourself,
    "declined": lambda said: any(
        e.name == "declined" and e.action == said["action"] and said["actor"] in ("", e.actor)
        for e in said.course.events(said.position)
    ),
    "declined-yourself": lambda said: said.happened("declined", actor=said.owner, action=said["action"]),
    "refused": lambda said: said.happened("refused", actor=said["actor"], target=said["target"]),
    "refused-yourself": lambda said: said.happened("refused", actor=said.owner, target=said["target"]),
    "passed-over": passed_over,
    "you-are-passed-over": lambda said: any(
        [said.owner, said["action"]] in e.missing
        for e in said.course.events(said.position)
        if e.name == "phase_ended"
    ),
    "told-your-role": role_left,
    "told-role": role_left,
    "collapsed": lambda said: said.happened("collapsed"),
    "collapsed-in-full": lambda said: said.happened("collapsed"),
    "game-ended": winners,
    "tally": tally,
    "your-number": lambda said: str(said["number"]) == str(said.course.numbers[said.owner]),
    "your-role": own_card,
    "other-wolves": other_wolves,
    "shown": news,
    "chances-at-first": own_chances,
    "changed-for-you": changed,
    "worlds": worlds_left,
    "in-fractions": fractions,
    "asked-for": asked,
    "not-asked": not_asked,
    "settings": settings,
    **dict.fromkeys(
        ("as-of-the-end", "end-of", "phase", "game-is-over", "robots-play", "votes-again"), nothing
    ),
    **dict.fromkeys(
        ("whom", "explained", "explained-take", "rule-voted-off", "together", "nobody-to"), nothing
    ),
    **dict.fromkeys(("word", "died", "list", "share"), nothing),  # cells, which `figures` reads
}
"""For each message what it claims; `nothing` for questions and instructions."""


# --- an evening, sentence by sentence --------------------------------------------------------------


def parts_of(meaning) -> Iterator[tuple[str, dict[str, Any]]]:
    if meaning.message in ("sequence", "labelled", "with-more"):
        for _, value in meaning.values:
            for part in value if isinstance(value, tuple) and not hasattr(value, "message") else (value,):
                if hasattr(part, "message"):
                    yield from parts_of(part)
    else:
        yield meaning.message, dict(meaning.values)


def judged(text: object, course: Course, owner: str | None, position: int) -> Iterator[tuple[str, str]]:
    """Yield the messages of a sentence, and what is wrong with each, or ""."""
    if not isinstance(text, Sentence):
        return
    for message, values in parts_of(text._meaning):
        if message not in CLAIMS:
            yield message, f"{message} is not in the table: {text}"
            continue
        try:
            true = CLAIMS[message](Said(values, course, owner, position))
        except (LookupError, ValueError, TypeError, AttributeError, StopIteration) as error:
            true, text = False, f"{text} {error!r}"
        yield message, "" if true else f"{owner or 'everybody'}, phase {position}: {text}"


def figures(table: View, course: Course, moment: Moment, owner: str | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the cells of a table of shares, or "" for each."""
    columns = [str(cell._meaning.values[0][1]) for cell in table["header"]]
    by_number = {str(number): name for name, number in course.numbers.items()}
    for label, *cells in table["rows"]:
        name = str(label) if str(label) in course.players else by_number[str(label)]
        for column, cell in zip(columns[1:], cells, strict=True):
            value = moment.shares.get((name, said_fact(column)))
            wrong = not shows(cell._meaning if isinstance(cell, Sentence) else cell, value)
            yield "figure", f"{owner}: {label} {column} {cell}, not {value}" if wrong else ""
    if "left" in table:
        n = dict(table["left"]._meaning.values)["n"]
        yield "left", "" if n == moment.size else f"{table['left']}, not {moment.size}"


def faults(sitting: Sitting) -> Iterator[tuple[str, str]]:
    """Yield all that the screens of a moment say, by message, with what is wrong with it, or ""."""
    course, archive = Course(sitting.game.log), Archive()
    phases = [entry.phase for entry in archive.at(sitting.game).whole.entries]
    for name in sitting.game.players:
        view = player_view(sitting, name, archive)
        yield from of_player(view, course, name, phases)
    yield from of_master(master_view(sitting, archive), course)


def of_player(view: View, course: Course, name: str, phases: list[Any]) -> Iterator[tuple[str, str]]:
    yield from judged(view["settings"], course, name, 0)
    for text in view["you"]["opening"]:
        yield from judged(text, course, name, 0)
    for page, phase in zip(view["sheet"], phases, strict=True):
        position = phase.position
        for text in page["lines"]:
            yield from judged(text, course, name, position)
        if "table" in page:
            yield from figures(page["table"], course, course.at_end(position), name)
    days = [phase.position for phase in phases if phase.kind == "vote"]
    if view["changed"]:
        yield from judged(view["changed"], course, name, days[-1])
    for page in view["feed"]:
        for text in page["lines"]:
            yield from judged(text, course, None, page["position"])
    for column, share in view["you"].get("chances", ()):
        begin = course.at_begin(phases[-1].position)
        value = begin.shares.get((name, said_fact(dict(column._meaning.values)["word"])))
        yield "chances", "" if shows(share._meaning, value) else f"{name}: {column} {share}, not {value}"
    for ask in view.get("ask", ()):
        for key in ("question", "explained", "why"):
            yield from judged(ask.get(key), course, name, phases[-1].position)
    if view["kind"] == "over":
        yield from judged(view["headline"], course, None, phases[-1].position)
        yield from of_ending(view["ending"], course)


def of_ending(table: View, course: Course) -> Iterator[tuple[str, str]]:
    """Yield the roles and deaths of the end: of who died, as drawn then; of others, what is certain."""
    now = course.moments[-1]
    drawn = {e.player: e.role for step in course.steps for e in step if e.name in DEATHS and e.role}
    ends = [event for step in course.steps for event in step if event.name == "game_ended"]
    for name, result, role, death, *_ in table["rows"]:
        told = str(role._meaning.values[0][1]) if role._meaning.message == "word" else None
        card = drawn.get(name) or next((c for c in course.kinds if now.shares.get((name, c)) == 1), None)
        true = told == card if told and card else now.shares.get((name, card or "")) != 1
        yield "ending: role", "" if true else f"{name} was {told}, not {card}"
        dead = isinstance(death, Sentence)
        yield "ending: death", "" if dead == (name in now.dead) else f"{name} died: {death}"
        won = isinstance(result, Sentence) and "won" in dict(result._meaning.values).values()
        yield "ending: result", "" if won == (name in ends[0].winners) else f"{name} {result}"


def of_master(view: View, course: Course) -> Iterator[tuple[str, str]]:
    yield from judged(view["worlds"], course, None, course.now)
    yield from figures(view["master_table"], course, course.moments[-1], None)
    pages = course.pages[len(course.pages) - len(view["last"]) :]
    for texts, page in zip(view["last"], pages, strict=True):
        for text in texts:
            yield from judged(text, course, None, page)


def answered(sitting: Sitting, rng: random.Random) -> Sitting:
    """Return the sitting after everybody has answered at random, or the village has decided."""
    game, moment = sitting.game, sitting.moment
    if sitting.voting and sitting.house.ballot == "spoken":
        names = rng.sample(game.alive, min(len(game.alive), rng.choice([0, 1, 1, 1, 2])))
        command = (
            VoteOff(tuple(names[: None if sitting.house.ties == "lot" else 1])) if names else EndPhase("pass")
        )
        return sitting.submit(None, command)[0]
    for name in rng.sample(game.players, len(game.players)):
        if sitting.voting and name in game.alive and rng.random() < 0.95:
            sitting, _ = sitting.submit(name, Vote(name, rng.choice([*sitting.candidates, None])))
        asleep = sitting.voting or rng.random() < 0.1
        for action in () if asleep else sitting.slots.get(name, ()):
            choices = [*sitting.choosable(name, action), *([None] if sitting.may_decline(action) else [])]
            for _ in range(3):
                if sitting.moment == moment and choices:
                    sitting, answer = sitting.submit(name, Choose(name, action, rng.choice(choices)))
                    if answer.accepted:
                        break
        if sitting.moment != moment:
            return sitting
    return sitting.submit(None, EndPhase("random" if rng.random() < 0.5 else "pass"))[0]


def evening(seed: int) -> Iterator[Sitting]:
    """Yield a random evening at the beginning and after every phase, to its end."""
    settings, rng = drawn(seed), random.Random(f"claims {seed}")
    game = QuantumWerewolf(settings["players"], **settings["game"])
    sitting = Sitting(game=game, manner=PHONES, house=settings["house"], seed=seed)
    for _ in range(30):
        yield sitting
        if sitting.game.verdict is not None:
            return
        sitting = answered(sitting, rng)
        if rng.random() < 0.05:
            sitting, _ = sitting.submit(None, Undo())


def read(seed: int, every: int = 2) -> tuple[Counter[str], list[str]]:
    """Return how often each message was said in an evening, and what was wrong, every so many phases."""
    said, wrong = Counter[str](), list[str]()
    moments = list(evening(seed))
    for sitting in [*moments[1:-1:every], moments[-1]]:
        for message, fault in faults(sitting):
            said[message] += 1
            wrong += [f"{seed} {message}: {fault}"] if fault else []
    return said, wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.play.claims")
    for name, usual in (("evenings", 100), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    total, kinds = Counter[str](), Counter[str]()
    for number in range(given.seed, given.seed + given.evenings):
        said, wrong = read(number)
        total += said
        kinds.update(text.split()[1] for text in wrong)
        for text in wrong[:3]:
            print(text, drawn(number)["game"], flush=True)
    print(
        f"{given.evenings} evenings from seed {given.seed}: {total.total()} sentences, wrong: {dict(kinds)}"
    )
    print(dict(total))
