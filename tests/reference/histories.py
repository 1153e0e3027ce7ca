"""What a player knows when the tables speak too, by its definition: every history is played.

A history is the numbering (where numbers are hidden), every player's moves with their results, and every
role drawn. `alike` plays every history that gives a player the information of the actual one, on the
brute-force game of `tests.reference.werewolf`; K and P are read off the list. Slow: for three or four
players.
"""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations

from kripke_werewolf import KripkeModel
from kripke_werewolf.games.werewolf.events import Attack, Declined, Vision, VotedOff
from tests.reference.game_model import is_wolf
from tests.reference.werewolf import Reference


@dataclass(frozen=True)
class History:
    """One course of a game: its events, the viewer's information, its probability, its final worlds."""

    numbers: tuple
    moves: tuple = ()  # ((position, player, action), target, result); target None: declined or passed over
    drawn: tuple = ()
    info: tuple = ()
    chance: Fraction = Fraction(1)
    game: Reference = field(default=None, compare=False)

    @property
    def key(self):
        """Everything that makes the history what it is; the order inside a night does not."""
        return self.numbers, frozenset(self.moves), self.drawn


class _Open(Exception):
    """A draw that no outcome has been chosen for yet."""

    def __init__(self, weights):
        self.weights = weights


def outcomes(game, act):
    """Yield the game after `act(game)` for every way its draws may fall, the outcomes and their chance."""
    waiting = [()]
    while waiting:
        path = waiting.pop()
        copy, rest, chance = game.copied(), list(path), [Fraction(1)]

        def draw(kind, player, weights, rest=rest, chance=chance):
            if not rest:
                raise _Open(weights)
            outcome = rest.pop(0)
            chance[0] *= Fraction(weights[outcome], sum(weights.values()))
            return outcome

        copy.draw = draw
        try:
            shown = act(copy)
        except _Open as question:
            waiting += [(*path, outcome) for outcome in question.weights]
        else:
            copy.draw = None
            yield copy, path, shown, chance[0]


class Course:
    """The part of a game that is no secret: who plays by which rules, and whom the village voted off.

    `votes`: for each position of a vote, the seats voted off, in order. `last`: the position at which the
    game stands now.
    """

    def __init__(self, game, viewer):
        setup = game.setup
        self.setup, self.rules, self.viewer = setup, setup.rules, setup.seat(viewer)
        self.hidden = setup.rules.table == "anonymous"
        self.votes, self.moves, self.orders = {}, {}, {}
        for step, before in zip(game.steps, game.states, strict=False):
            position = before.phase.position
            for event in step:
                match event:
                    case VotedOff(player):
                        self.votes.setdefault(position, []).append(setup.seat(player))
                    case Vision(actor, target, result):
                        self._made(position, actor, "vision", setup.seat(target), result)
                    case Attack(actor, target):
                        self._made(position, actor, "attack", setup.seat(target), None)
                    case Declined(actor):
                        self._made(position, actor, event.action, None, None)
        self.last, self.over = game.phase.position, game.verdict is not None
        self.worlds = sorted(game.worlds.world_strings())
        self.dead = [setup.seat(p) for p in game.players if p not in game.alive]

    def _made(self, position, actor, action, target, result):
        seat = self.setup.seat(actor)
        self.moves[position, seat, action] = target, result
        self.orders.setdefault(position, []).append(seat)

    def start(self, numbers):
        deck = self.setup.deck
        game = Reference(self.rules, deck.players, deck.wolves, deck.seers, None, list(numbers))
        told = (numbers[self.viewer],) if self.hidden else ()
        history = History(tuple(numbers), info=(told,), game=game)
        return self._opened(self._published(history, start=True))

    # one phase

    def acted(self, history, actual):
        """Yield the history after every way the actions of a phase may go, as far as they have."""
        game, position = history.game, history.game.position
        if position == self.last and not self.over:
            yield from self.in_progress(history, actual)
            return
        actors = sorted({p for players in game.open.values() for p in players})
        orders = [tuple(sorted(actors, key=lambda p: game.numbers[p]))]
        anyhow = self.rules.acting_order == "random" if game.kind == "night" else self.setup.deck.seers > 1
        if anyhow:
            orders = list(permutations(actors))
            if actual:
                orders = [tuple(dict.fromkeys(p for p in self.orders.get(position, ()) if p in actors))]
        merged = {}
        for order in orders:
            turns = [(p, a) for p in order for a in game.actions() if p in game.open.get(a, ())]
            share = replace(history, chance=history.chance / len(orders))
            for found in self._turns(share, turns, position, actual):
                if found.key in merged:
                    found = replace(found, chance=found.chance + merged[found.key].chance)
                merged[found.key] = found
        yield from merged.values()

    def in_progress(self, history, actual):
        """Yield the history after every way a phase may have gone that has not ended.

        Of the others anybody may have moved, in any order; with the last move it would have ended.
        """
        game, position = history.game, history.game.position
        turns = [(p, a) for a in game.actions() for p in game.open.get(a, ())]
        if actual:
            turns = [(p, a) for p, a in turns if (position, p, a) in self.moves]
        own = {(position, p, a) for p, a in turns if (position, p, a) in self.moves and p == self.viewer}
        found, latest = {}, {history.key: history}
        while latest:
            found |= latest
            further = {}
            for before in latest.values():
                done = {key for key, *_ in before.moves}
                for p, a in turns:
                    declines = a == "vision" and not self.rules.vision_compulsory
                    if (position, p, a) not in done and (declines or before.game.legal(p, a)):
                        for after in self._turns(before, [(p, a)], position, actual):
                            further.setdefault(after.key, after)
            latest = further
        needed = {(position, *turn) for turn in turns} if actual else own
        for after in found.values():
            runs = after == history or any(after.game.open.values())
            if runs and needed <= {key for key, *_ in after.moves}:
                yield after

    def asked(self, game):
        """The actions the viewer has in the running phase."""
        return tuple(action for action in game.actions() if self.viewer in game.open.get(action, ()))

    def _turns(self, history, turns, position, actual):
        if not turns:
            yield history
            return
        (player, action), rest = turns[0], turns[1:]
        game = history.game
        choices = list(game.legal(player, action))
        if action == "vision" and not self.rules.vision_compulsory:
            choices.append(None)
        count = len(choices)
        made = self.moves.get((position, player, action))
        if player == self.viewer or actual:
            choices = [made[0]] if made is not None and made[0] in choices else []
        if not count or (actual and made is None):  # passed over
            choices, count = [None], 1
        for target in choices:

            def act(copy, target=target):
                if target is None:
                    copy.open[action].discard(player)
                    return None
                if action == "vision":
                    return copy.vision(player, target)
                copy.attack(player, target)
                return None

            for after, _, shown, chance in _without_end(game, act):
                if (player == self.viewer or actual) and target is not None and shown != made[1]:
                    continue
                weight = chance if player == self.viewer else chance / count
                moved = replace(
                    history,
                    moves=(*history.moves, ((position, player, action), target, shown)),
                    chance=history.chance * weight,
                    game=after,
                )
                yield from self._turns(moved, rest, position, actual)

    def own(self, history, position):
        """The viewer's own moves of a phase: the actions they were asked for, and the results."""
        made = {key: rest for key, *rest in history.moves if key[0] == position and key[1] == self.viewer}
        return tuple(sorted((key[2], *map(str, rest)) for key, rest in made.items()))

    def seen(self, history, position):
        """The moves of everybody in a phase that has ended, where targets are public, without results."""
        if self.setup.targets != "public":
            return None
        return tuple(sorted((key, str(target)) for key, target, _ in history.moves if key[0] == position))

    def ended(self, history, voted, actual):
        """Yield the history after what follows by itself from a vote, or from the end of a phase."""
        position, before = history.game.position, set(history.game.dead)
        known = dict(history.game.known)

        def act(copy):
            if voted is not None:
                copy.vote_off(voted)
            else:
                copy.end_phase()

        for after, path, _, chance in outcomes(history.game, act):
            died = tuple(sorted((p, self._announced(after, p, p == voted)) for p in after.dead - before))
            told = self.notice(known, after)
            won = None if after.verdict is None else (after.verdict, tuple(after.winners()))
            collapsed = after.forced and tuple(sorted(after.dead_before - before))
            news = (self.own(history, position), self.seen(history, position), died, told, won, collapsed)
            drawn = (*history.drawn, path)
            found = replace(
                history, drawn=drawn, info=(*history.info, news), chance=history.chance * chance, game=after
            )
            yield self._opened(
                self._published(found, ended=history.game.kind, closed=after.ends > history.game.ends)
            )

    def notice(self, known, after):
        """What the viewer is told about their only role."""
        return after.known.get(self.viewer) if self.viewer not in known else None

    def _announced(self, game, player, voted):
        shown = self.rules.announce_vote if voted else self.rules.announce_found
        if shown == "death" or not game.worlds:
            return None
        role = game.worlds[0][0][player]
        if shown == "side":
            return self.rules.sides[is_wolf(role)]
        return ("wolf" if is_wolf(role) else role) if shown == "kind" else role

    def _published(self, history, *, start=False, ended=None, closed=True):
        """No night falls after a vote that ends the game at once."""
        game, table_at = history.game, self.rules.table_at
        nightfall = start or (ended == "vote" and closed)
        morning = not start and ended != "vote" and (game.kind == "vote" or game.verdict is not None)
        due = (nightfall and "nightfall" in table_at) or (morning and "morning" in table_at)
        return replace(history, info=(*history.info, self.public(game))) if due else history

    def public(self, game):
        """The table that everybody is shown, its rows by number where it is anonymous."""
        fact = {"villager": 0, "seer": 1, "wolf": 2, "evil": 2, "werewolf": 2, "dead": 3}
        rows = []
        for row in game.table():
            cells = []
            for heading in self.rules.headings:
                value = None if row[2] is None else 1 - row[2]
                if heading not in ("good", "human"):
                    value = row[fact[heading]]
                    if heading == "dead" and not self.rules.show_dead and value != 1:
                        value = None
                cells.append(value)
            rows.append(tuple(cells))
        if self.hidden:
            rows = [rows[p] for p in sorted(game.players, key=lambda p: game.numbers[p])]
        return tuple(rows), len(game.worlds) if self.rules.show_worlds else None

    def _opened(self, history):
        """The player's own chances, where the rules tell them at the beginning of a phase."""
        game = history.game
        due = self.rules.told == "probabilities" and game.verdict is None and game.actions()
        if not due or self.viewer in game.dead:
            return history
        rows = self.public(game)[0]
        row = rows[game.numbers[self.viewer] - 1] if self.hidden else rows[self.viewer]
        return replace(history, info=(*history.info, row))

    def _drawn(self, history):
        """Whether the roles drawn in a history are the actual ones."""
        now = _worlds(history.game)
        if self.over:
            return now == self.worlds
        return not now or all(now[0][p] == self.worlds[0][p] for p in self.dead)

    # all of them

    def histories(self, numberings, *, actual=False, wanted=None):
        """Return all histories, or the actual one; `wanted`: only those with this information."""
        found = [self.start(numbers) for numbers in numberings]
        done = []
        while found:
            history = found.pop()
            if wanted is not None and history.info != wanted[: len(history.info)]:
                continue
            game = history.game
            if game.verdict is not None:
                done.append(history)
                continue
            if game.kind == "vote":
                victims = self.votes.get(game.position, [])[game.votes :]
                if victims:
                    found += self.ended(history, victims[0], actual)
                elif game.position < self.last:
                    found += self.ended(history, None, actual)
                else:
                    done.append(history)
                continue
            for acted in self.acted(history, actual):
                if game.position < self.last or self.over:
                    found += self.ended(acted, None, actual)
                else:
                    now = self.viewer, self.asked(game), self.own(acted, game.position)
                    seen = self.seen(acted, game.position)
                    done.append(replace(acted, info=(*acted.info, ("running", *now, seen))))
        if actual:
            done = [history for history in done if self._drawn(history)]
        return [history for history in done if wanted is None or history.info == wanted]


class Everybody(Course):
    """All histories that the public events leave, whatever was published, each with what everybody was told.

    For tables with names.
    """

    def __init__(self, game):
        super().__init__(game, game.players[0])
        assert not self.hidden
        self.viewer, self.seats = -1, range(len(game.players))

    def asked(self, game):
        """The actions of everybody in the running phase, by seat."""
        return tuple(tuple(a for a in game.actions() if p in game.open.get(a, ())) for p in self.seats)

    def _opened(self, history):
        """Everybody's own chances."""
        due = self.rules.told == "probabilities" and history.game.verdict is None and history.game.actions()
        if not due:
            return history
        rows = [None if p in history.game.dead else row for p, row in enumerate(self.public(history.game)[0])]
        return replace(history, info=(*history.info, ("chances", rows)))

    def notice(self, known, after):
        """What everybody is told about their only role, by seat."""
        return tuple(after.known.get(p) if p not in known else None for p in self.seats)

    @staticmethod
    def told(history, seat):
        """What one player was told in a history."""
        found = [key + tuple(map(str, rest)) for key, *rest in history.moves if key[1] == seat]
        for entry in history.info:
            if entry[:1] == ("chances",):
                found.append(entry[1][seat])
            elif entry[:1] == ("running",):
                found.append((entry[2][seat], entry[4]))
            elif len(entry) == 6 and isinstance(entry[3], tuple):  # what followed from a phase
                found.append((*entry[1:3], entry[3][seat], *entry[4:]))
            else:
                found.append(entry)
        return tuple(found)

    def model(self, game, players):
        """The Kripke model of what some players know: pairs of a history and a world of it, by what they saw.

        Designated is the actual history with all its worlds.
        """
        found = self.histories([game.setup.numbers])
        seats, records = {player: game.players.index(player) for player in players}, {}
        told = [
            {player: records.setdefault(self.told(h, seat), len(records)) for player, seat in seats.items()}
            for h in found
        ]
        actual = Course(game, players[0])
        moves = {((position, p, a), *made) for (position, p, a), made in actual.moves.items()}
        true = {}
        for i, history in enumerate(found):
            made = [*made_in(history, game)]
            for roles, dead in history.game.worlds:
                facts = true[i, (roles, dead)] = [*made]
                for seat, name in enumerate(game.players):
                    side = "good" if roles[seat] in ("villager", "seer") else "wolf"
                    facts += [f"{fact}_{name}" for fact in (side, roles[seat], *["dead"] * (seat in dead))]
        return KripkeModel.from_observations(
            list(true),
            {player: lambda w, player=player: told[w[0]][player] for player in players},
            valuation=true.__getitem__,
            designated=[w for w in true if self._is_actual(found[w[0]], moves, game)],
        )

    def _is_actual(self, history, moves, game):
        return set(history.moves) == moves and _worlds(history.game) == sorted(game.worlds.world_strings())


def made_in(history, game):
    """The atoms of the moves of a history, as `attacked_Ann_Bo` and `attacked_Ann_Bo_1`."""
    nights = _nights(game)
    for (position, actor, action), target, result in history.moves:
        if target is not None:
            pair = f"{game.players[actor]}_{game.players[target]}"
            shown = [f"saw_{pair}_{result or 'nothing'}"] if action == "vision" else []
            for atom in (f"{'looked' if action == 'vision' else 'attacked'}_{pair}", *shown):
                yield from (atom, f"{atom}_{nights.get(position)}")  # None: after the moment of the game


@lru_cache(maxsize=4)
def _nights(game):
    """The number of the night or day of each phase so far, by its position."""
    return {entry.phase.position: entry.phase.number for entry in game.handout(game.players[0]).entries}


def _worlds(game):
    """The worlds as strings: a letter for each player, a capital where they are dead."""
    letters = {"villager": "v", "seer": "s", "wolf": "w", "alpha": "a", "beta": "b", "gamma": "c"}
    return sorted(
        "".join(letters[r].upper() if p in dead else letters[r] for p, r in enumerate(roles))
        for roles, dead in game.worlds
    )


def _without_end(game, act):
    """Yield the outcomes of a move, keeping the phase from ending by itself."""

    def keeping(copy):
        copy.open["kept open"] = {-1}
        shown = act(copy)
        del copy.open["kept open"]
        return shown

    yield from outcomes(game, keeping)


def alike(game, viewer):
    """Return all histories that a player cannot tell from the actual one, each once."""
    course = Course(game, viewer)
    setup = game.setup
    (actual,) = course.histories([setup.numbers], actual=True)
    seats = range(1, len(setup.players) + 1)
    numberings = list(permutations(seats)) if course.hidden else [setup.numbers]
    numberings = [n for n in numberings if n[course.viewer] == setup.numbers[course.viewer]]
    return course.histories(numberings, wanted=actual.info)


def hidden_moves(history):
    """The moves of others in a running phase that the viewer does not see."""
    entry = history.info[-1] if history.info else ()
    if entry[:1] != ("running",) or entry[4] is not None:
        return ()
    return tuple(m for m in history.moves if m[0][0] == history.game.position and m[0][1] != entry[1])


def shares(histories):
    """Return the weight of every pair (history, world), chance over number of worlds; they sum to 1.

    In a running phase the hidden moves of others do not change what roles are how likely: the share of a
    world before them is divided equally among what may have become of it by the attack of its dominant wolf.
    None if somebody must have moved.
    """
    before = {h.key: h for h in histories if not hidden_moves(h)}
    attacked, weights = {}, {}
    for h in histories:
        made = hidden_moves(h)
        key = h.numbers, frozenset(h.moves) - {*made}, h.drawn
        if key not in before:
            return None
        if len(made) == 1 and made[0][0][2] == "attack":
            attacked.setdefault(key, []).append((made[0], h))
    for h in before.values():
        for world in h.game.worlds:
            pairs = [(h, world)]
            for ((_, actor, _), target, _), after in attacked.get(h.key, ()):
                now, killing = (world[0], world[1] | {target}), h.game.rules.attack == "dominant"
                if killing and h.game.dominant(world) == actor and now in after.game.worlds:
                    pairs.append((after, now))
            for pair in pairs:
                share = h.chance / len(h.game.worlds) / len(pairs)
                weights[pair] = weights.get(pair, 0) + share
    total = sum(weights.values())
    return {pair: weight / total for pair, weight in weights.items()}


def chance_of(histories, fact):
    """Return P of a fact, a function of (roles, dead); None where `shares` has none."""
    found = shares(histories)
    if found is None:
        return None
    return sum((weight for (_, world), weight in found.items() if fact(*world)), Fraction(0))


def is_certain(histories, fact):
    """Whether a fact is true in every world of every history: the player knows it."""
    return all(fact(*world) for h in histories for world in h.game.worlds)


__all__ = [
    "Course",
    "Everybody",
    "History",
    "alike",
    "chance_of",
    "hidden_moves",
    "is_certain",
    "made_in",
    "outcomes",
    "shares",
]
