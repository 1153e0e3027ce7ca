"""Players' knowledge from the certain entries of tables, by definition: all worlds are listed.

A world is a deal of the cards with everything that happened in it: what each player was asked for, did and
saw, who died, and what each was told of their own role; worlds that differ only in what happened to players
whose knowledge is not in question are one. A player cannot tell two worlds apart in which all
that concerns them is the same; what is public keeps the worlds of which it is true. Nothing is taken from the
engine but the events of the game and the fields of its rules. Slow: for three players, or four and little.
"""

from itertools import permutations
from typing import NamedTuple

import kripke_werewolf as kw
from kripke_werewolf.games.werewolf.events import (
    Attack,
    Declined,
    FoundDead,
    Notice,
    PhaseEnded,
    Refused,
    Vision,
    VotedOff,
)

WAITS, DECLINED, NOT_ASKED, PASSED_OVER, NOTHING, REFUSED, NO_NEWS = (
    "waits", "declined", "not asked", "passed over", "nothing", "refused", "no news",
)  # fmt: skip


class TooLarge(Exception):
    """There are more worlds than the test may list."""


class World(NamedTuple):
    """A deal, who is dead in it, and everything that one player alone has seen, for each player."""

    deal: tuple
    dead: frozenset = frozenset()
    private: tuple = ()
    due: frozenset | None = frozenset()
    """The moves left in this phase of a classical deal, by player and action; None if there were none."""

    def noted(self, player, note):
        """Return the world with one more thing that one player has seen."""
        seen = list(self.private)
        seen[player] = (*seen[player], note)
        return World(self.deal, self.dead, tuple(seen), self.due)


class Game:
    """The worlds of a game, kept through everything that happened in it."""

    def __init__(self, game, agents, movers, limit):
        self.movers = {game.players.index(name) for name in movers}
        self.agents = self.movers | {game.players.index(name) for name in agents}
        self.game, self.setup, self.rules, self.limit = game, game.setup, game.setup.rules, limit
        self.players = range(len(game.players))
        ranks = ["alpha", "beta", "gamma"][: game.setup.deck.wolves]
        self.wolves = ranks if self.rules.ranked else ["wolf"]
        cards = ranks if self.rules.ranked else ["wolf"] * game.setup.deck.wolves
        cards = cards + ["seer"] * game.setup.deck.seers
        cards = cards + ["villager"] * (len(game.players) - len(cards))
        nothing = tuple(() for _ in self.players)
        self.worlds = [World(deal, private=nothing) for deal in sorted(set(permutations(cards)))]
        self.actual = list(nothing)
        if game.setup.roles is not None:
            self.dealt(game.setup.roles)
        self.gone = set()
        self.told = {p: set(cards) for p in self.players}
        self.numbers = game.setup.numbers
        self.attacked = False
        self.published(self.game.handout(game.players[0]).table)
        for place, part in enumerate(game.handout(game.players[0]).entries):
            self.phase(place, part)
        if len(game.handout(game.players[0]).entries) > 1 and game.setup.roles is None:
            self.news()

    def dealt(self, roles):
        """In a classical deal players see their own cards, and wolves the other wolves."""

        def seen(deal, p):
            wolf = deal[p] in self.wolves
            return deal[p], wolf and tuple((q, role) for q, role in enumerate(deal) if role in self.wolves)

        for p in self.players:
            self.actual[p] = (seen(roles, p),)
            self.worlds = [self.noted(world, p, seen(world.deal, p)) for world in self.worlds]

    # facts

    def is_wolf(self, world, p):
        return world.deal[p] in self.wolves

    def dominant(self, world):
        """The highest wolf who is alive."""
        living = [p for p in self.players if self.is_wolf(world, p) and p not in world.dead]
        return min(living, key=lambda p: self.wolves.index(world.deal[p]), default=None)

    def shown(self, role, what):
        """What a vision or an announcement says of a role."""
        if what == "side":
            return self.rules.sides[role in self.wolves]
        if what == "kind":
            return "wolf" if role in self.wolves else role
        return role

    def noted(self, world, player, note):
        """Return the world with what one player has seen, if their knowledge is in question."""
        return world.noted(player, note) if player in self.agents else world

    def listed(self, worlds):
        """Keep some worlds, each once."""
        self.worlds = list(dict.fromkeys(worlds))
        if len(self.worlds) > self.limit:
            raise TooLarge

    def keep(self, fact):
        self.worlds = [world for world in self.worlds if fact(world)]

    def seat(self, name):
        return self.game.players.index(name)

    # phases

    def phase(self, place, part):
        """Everything that happened in a phase: moves of everybody, then what followed."""
        position = part.phase.position
        events = [
            event
            for step, before in zip(self.game.steps, self.game.states, strict=False)
            if before.phase.position == position
            for event in step
        ]
        ended = any(isinstance(event, PhaseEnded) for event in events)
        kinds = {"vote": (), "visions": ("vision",), "attacks": ("attack",), "night": ("attack", "vision")}
        actions = kinds[part.phase.kind]
        if not self.rules.first_attack and position < len(self.rules.opening):
            actions = tuple(action for action in actions if action == "vision")
        if self.setup.deal == "classical":
            self.worlds = [world._replace(due=self.due(world, actions)) for world in self.worlds]
        for action in actions:
            for player in self.players:
                if player not in self.gone:
                    self.moved(position, player, action, actions, events, ended)
            self.attacked |= action == "attack"
        if not ended:  # as all are told: it ends with the last move
            self.keep(lambda world: world.due is None or world.due or self.setup.deal == "quantum")
        self.listed(world._replace(due=frozenset()) for world in self.worlds)
        for event in events:
            self.followed(event)
        parts = self.game.handout(self.game.players[0]).entries
        self.published(parts[place].table)
        for player in self.players:
            own = self.game.handout(self.game.players[player]).entries[place]
            for column, value in own.chances:
                self.hears(player, column, value)

    def due(self, world, actions):
        """The moves with which a phase ends in a world."""
        living = [p for p in self.players if p not in self.gone]
        return frozenset((p, a) for p in living for a in actions if self.entitled(world, p, a)) or None

    def entitled(self, world, player, action):
        """Whether a player may look, or attack, in a world."""
        if action == "vision":
            return world.deal[player] == "seer"
        dominant = self.rules.attackers == "dominant"
        return self.dominant(world) == player if dominant else self.is_wolf(world, player)

    def moved(self, position, player, action, actions, events, ended):
        """Let one player do, in every world, everything that they may have done there."""
        name = self.game.players[player]
        moves = [e for e in events if isinstance(e, Vision | Attack | Declined)]
        made = next((e for e in moves if (e.actor, e.action) == (name, action)), None)
        passed = any(isinstance(e, PhaseEnded) and (name, action) in e.missing for e in events)
        asked = (name, action) in self.game.handout(name).entries[self.place_of(position)].asked
        actual = WAITS
        if isinstance(made, Declined):
            actual = DECLINED
        elif isinstance(made, Vision):
            actual = made.target, made.result or NOTHING
        elif isinstance(made, Attack):
            bitten = self.rules.attack == "fractional" and player not in self.movers
            actual = WAITS if bitten else made.target
        elif passed:
            actual = PASSED_OVER
        elif not asked:
            actual = NOT_ASKED
        self.actual[player] = (*self.actual[player], (position, action, actual))
        following = {}
        for world in self.worlds:
            for option, after in self.options(world, player, action, actions, position, made, passed, ended):
                if after.due and option not in (WAITS, NOT_ASKED):
                    after = after._replace(due=after.due - {(player, action)})
                following[self.noted(after, player, (position, action, option))] = None
            if len(following) > self.limit:
                raise TooLarge
        self.worlds = list(following)

    def place_of(self, position):
        parts = self.game.handout(self.game.players[0]).entries
        return next(i for i, part in enumerate(parts) if part.phase.position == position)

    def options(self, world, player, action, actions, position, made, passed, ended):
        """Yield a player's publicly possible actions in a world, with the resulting world."""
        open_ = self.setup.targets == "public"
        entitled = self.entitled(world, player, action)
        if self.setup.deal == "classical" and not entitled:
            yield NOT_ASKED, world
            return
        if passed:
            yield PASSED_OVER, world
            return
        seen = made if open_ else None
        if seen is None and not ended:
            yield WAITS, world
        seerless = action == "vision" and not self.setup.deck.seers
        if seen is None and (position or seerless) and not entitled:
            yield NOT_ASKED, world
        if open_ and made is None:
            return
        compulsory = action == "attack" or self.rules.vision_compulsory
        if isinstance(seen, Declined) or (seen is None and not compulsory):
            yield DECLINED, world
        if isinstance(seen, Declined):
            return
        if action == "attack" and self.rules.attack == "fractional" and player not in self.movers:
            if ended or seen is not None:
                yield WAITS, world
            return
        own = self.rules.vision_self if action == "vision" else self.rules.attack_self
        targets = [p for p in self.players if p not in self.gone and (own or p != player)]
        if seen is not None:
            targets = [self.seat(seen.target)]
        for target in targets:
            yield from self.aimed(world, player, target, action, actions, position)

    def aimed(self, world, player, target, action, actions, position):
        name = self.game.players[target]
        if action == "attack":
            if self.dominant(world) != player or self.rules.attack == "fractional":
                yield name, world
            elif not self.is_wolf(world, target):
                yield name, world._replace(dead=world.dead | {target})
            return
        seer = world.deal[player] == "seer"
        every = {self.shown(role, self.rules.vision_shows) for role in set(self.worlds[0].deal)}
        for result in sorted(every):
            if not seer or self.shown(world.deal[target], self.rules.vision_shows) == result:
                yield (name, result), world
        dies = self.rules.attack == "dominant" and "attack" in actions
        mortal = self.rules.vision_worlds == "alive" and position > 0
        sees = seer and not (self.rules.vision_worlds == "alive" and player in world.dead)
        if (dies or mortal or self.setup.deck.seers > 1) and not sees:
            yield (name, NOTHING), world

    # what followed

    def followed(self, event):
        match event:
            case VotedOff(player=name):
                self.died(name, event, self.rules.announce_vote, spared=self.rules.vote_eliminates)
            case FoundDead(player=name):
                if self.rules.attack == "dominant":
                    self.keep(lambda world: self.seat(name) in world.dead)
                self.died(name, event, self.rules.announce_found, spared=False)
            case Notice(player=name, role=role):
                kind = {role} if self.rules.told == "role" else self.covered(role)
                self.told[self.seat(name)] &= kind
            case Refused(actor=name, target=target):
                actor, prey = self.seat(name), self.seat(target)
                note = (REFUSED, target)
                self.actual[actor] = (*self.actual[actor], note)
                self.listed(
                    self.noted(world, actor, it)
                    for world in self.worlds
                    for it in (note, WAITS)
                    if it == WAITS or self.dominant(world) != actor or self.is_wolf(world, prey)
                )

    def died(self, name, event, announced, *, spared):
        seat = self.seat(name)
        if spared:
            self.keep(lambda world: seat not in world.dead)
        if announced != "death":
            self.keep(lambda world: self.shown(world.deal[seat], announced) == event.announced)
        self.worlds = [world._replace(dead=world.dead | {seat}) for world in self.worlds]
        self.gone.add(seat)

    def published(self, table):
        """A table with names says in public what is certain; of an anonymous one players know their rows."""
        if table is None:
            return
        fatal = self.attacked and self.rules.attack == "dominant"
        for label in table.labels:
            row = table[label]
            if self.rules.table != "anonymous":
                seat = self.seat(label)
                for column, value in row.items():
                    if value in (0, 1) and (column != "dead" or fatal):
                        self.keep(lambda w, c=column, v=value, p=seat: self.true(w, c, p) == bool(v))
                continue
            player = self.numbers.index(int(label))
            for column, value in row.items():
                if column != "dead":
                    self.hears(player, column, value)
            if fatal and "dead" in row:
                lives = row["dead"] == 0
                self.actual[player] = (*self.actual[player], lives)
                self.listed(
                    self.noted(world, player, it)
                    for world in self.worlds
                    for it in (True, False)
                    if not it or player not in world.dead
                )

    def true(self, world, column, player):
        if column == "dead":
            return player in world.dead
        return world.deal[player] in self.covered(column)

    def covered(self, column):
        """The roles of which the heading of a column is true."""
        roles = {role for deal in self.worlds for role in deal.deal}
        if column in ("wolf", "evil", "werewolf"):
            return roles & set(self.wolves)
        return roles - set(self.wolves) if column in ("good", "human") else {column}

    def hears(self, player, column, value):
        if value == 1:
            self.told[player] &= self.covered(column)
        if value == 0:
            self.told[player] -= self.covered(column)

    def news(self):
        """Add every true notice that players may have received about their own roles."""
        every = frozenset(role for world in self.worlds[:1] for role in world.deal)
        facts = set()
        if self.rules.table == "anonymous" or self.rules.told == "probabilities":
            for column in self.rules.headings:
                if column != "dead":
                    facts |= {every & self.covered(column), every - self.covered(column)}
        if self.rules.told == "role":
            facts |= {frozenset({role}) for role in every}
        if self.rules.told == "kind":
            facts |= {every & self.covered(kind) for kind in ("villager", "seer", "wolf")}
        heard = {every}
        for fact in facts:
            heard |= {roles & fact for roles in heard}
        for player in self.players:
            self.actual[player] = (*self.actual[player], frozenset(self.told[player]))
            self.listed(
                self.noted(world, player, roles)
                for world in self.worlds
                for roles in heard
                if world.deal[player] in roles or roles == every
            )


def made_by(name, private, numbers, players):
    """The atoms of the moves that a player made, from what they alone have seen."""
    for position, action, option in (note for note in private if isinstance(note, tuple) and len(note) == 3):
        target, result = option if isinstance(option, tuple) else (option, None)
        if action not in ("vision", "attack") or target not in players:
            continue
        verb = "looked" if action == "vision" else "attacked"
        atoms = [f"{verb}_{name}_{target}", *([f"saw_{name}_{target}_{result}"] if result else [])]
        yield from (f"{atom}{night}" for atom in atoms for night in ("", f"_{numbers[position]}"))


def facts_model(game, agents, *, movers=(), limit=30_000):
    """Return the model of what some players know of a game that nobody spoke in.

    `movers`: the players whose moves are atoms, too, as `attacked_Ann_Bo` and `attacked_Ann_Bo_1`.

    What they know is so in all designated worlds or in none; these are the worlds in which just that happened
    to these players which really did. In a classical deal targets are secret, attacks kill, and nobody was
    passed over.
    """
    played = Game(game, agents, movers, limit)
    seats = {name: played.seat(name) for name in agents}

    entries = game.handout(game.players[0]).entries
    nights = {entry.phase.position: entry.phase.number for entry in entries}
    made = {
        world: {a for p in movers for a in made_by(p, world.private[played.seat(p)], nights, game.players)}
        for world in played.worlds
    }

    def true(world):
        found = set(made[world])
        for p, name in enumerate(game.players):
            side = "wolf" if played.is_wolf(world, p) else "good"
            found |= {f"{world.deal[p]}_{name}", f"{side}_{name}"}
            found |= {f"dead_{name}"} if p in world.dead else set()
            found |= {f"dominant_{name}"} if played.dominant(world) == p else set()
        return found

    atoms = [
        f"{fact}_{name}"
        for fact in ("villager", "seer", "good", "dead", "dominant", "wolf", *played.wolves)
        for name in game.players
    ]
    return kw.KripkeModel.from_observations(
        played.worlds,
        {name: lambda world, p=p: world.private[p] for name, p in seats.items()},
        true,
        [w for w in played.worlds if all(w.private[p] == played.actual[p] for p in seats.values())],
        atoms=list(dict.fromkeys([*atoms, *(atom for true in made.values() for atom in true)])),
    )


__all__ = ["Game", "TooLarge", "World", "facts_model", "made_by"]
