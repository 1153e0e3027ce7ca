"""Quantum Werewolf by brute force: the worlds are a list, every rule a loop over it.

No numpy, nothing shared with the engine but the names of the rules' fields. It plays one phase at a
time and keeps what happened in plain attributes, so that it can be compared with the engine after
every step.
"""

from copy import copy
from fractions import Fraction
from itertools import permutations

RANKS = ["alpha", "beta", "gamma", "delta"]


class Reference:
    """A game on a list of worlds; a world is a pair (roles by player, set of the dead).

    `draw(kind, player, weights)` decides what is left to chance; players are numbers from 0.
    """

    def __init__(self, rules, players, wolves, seers, draw, numbers=None):
        self.rules, self.players, self.wolves, self.draw = rules, range(players), wolves, draw
        self.numbers = numbers or list(range(players))
        self.wolf_roles = RANKS[:wolves] if rules.ranked else ["wolf"]
        cards = self.wolf_roles if rules.ranked else ["wolf"] * wolves
        cards = cards + ["seer"] * seers + ["villager"] * (players - wolves - seers)
        self.worlds = [(roles, frozenset()) for roles in sorted(set(permutations(cards)))]
        self.dead = set()
        self.bites = {}
        self.known = {}
        self.verdict, self.forced = None, False
        self.kind, self.number, self.position = rules.opening[0], rules.first_number, 0
        self.votes = self.ends = 0
        self.begin()

    def copied(self):
        """The same game, to be played on in another way."""
        other = copy(self)
        other.worlds, other.dead = [*self.worlds], {*self.dead}
        other.bites, other.known = {**self.bites}, {**self.known}
        other.open = {action: {*players} for action, players in self.open.items()}
        return other

    # the worlds

    def count(self, fact):
        return sum(1 for world in self.worlds if fact(world))

    def keep(self, fact):
        self.worlds = [world for world in self.worlds if fact(world)]

    def is_wolf(self, world, player):
        return world[0][player] in self.wolf_roles

    def dominant(self, world):
        """The highest-ranked living wolf, or None."""
        roles, dead = world
        for rank in self.wolf_roles:
            if roles.index(rank) not in dead:
                return roles.index(rank)
        return None

    def death_chance(self, player):
        if not self.worlds:
            return None
        if self.rules.attack == "dominant":
            return Fraction(self.count(lambda w: player in w[1]), len(self.worlds))
        if player in self.dead:
            return Fraction(1)
        total = Fraction(0)
        for world in self.worlds:
            for attacker in self.players:
                if self.is_wolf(world, attacker) and not self.is_wolf(world, player):
                    total += self.bites.get((player, attacker), 0)
        return total / len(self.worlds)

    def table(self):
        size = len(self.worlds)
        return [
            [Fraction(self.count(lambda w, p=p, r=r: w[0][p] == r), size) for r in ("villager", "seer")]
            + [Fraction(self.count(lambda w, p=p: self.is_wolf(w, p)), size), self.death_chance(p)]
            if size
            else [None] * 4
            for p in self.players
        ]

    # phases

    def actions(self):
        every = {"vote": [], "visions": ["vision"], "attacks": ["attack"], "night": ["vision", "attack"]}[
            self.kind
        ]
        opening = self.position < len(self.rules.opening)
        return [a for a in every if a == "vision" or self.rules.first_attack or not opening]

    def begin(self):
        """Who has which action is settled when the phase begins."""
        self.votes = 0
        self.open = {}
        for action in self.actions():
            for player in self.players:
                if player not in self.dead and self.worlds and self.count(self.may(action, player)):
                    self.open.setdefault(action, set()).add(player)

    def may(self, action, player):
        if action == "vision":
            return lambda w: w[0][player] == "seer"
        if self.rules.attackers == "dominant":
            return lambda w: self.dominant(w) == player
        return lambda w: self.is_wolf(w, player)

    def legal(self, actor, action):
        """The allowed targets of a player who has the action."""
        allowed = []
        for target in self.players:
            own = self.rules.vision_self if action == "vision" else self.rules.attack_self
            if target in self.dead or (target == actor and not own):
                continue
            if (
                action == "attack"
                and self.rules.attack_must_be_possible
                and not self.count(lambda w, t=target: self.dominant(w) == actor and not self.is_wolf(w, t))
            ):
                continue
            allowed.append(target)
        return allowed

    def end_phase(self):
        self.ends += 1
        if not self.votes or self.rules.verdict_at_vote == "before deaths":
            self.aftermath(False)
        if self.verdict is None:
            schedule = list(self.rules.opening) + list(self.rules.cycle) * (self.position + 2)
            self.position += 1
            before, self.kind = self.kind, schedule[self.position]
            if self.rules.number_rises_at == "vote":
                self.number += self.kind == "vote"
            else:
                self.number += before == "vote" and self.kind != "vote"
            self.begin()

    # moves

    def shown(self, role):
        if self.rules.vision_shows == "side":
            return self.rules.sides[role in self.wolf_roles]
        if self.rules.vision_shows == "kind":
            return "wolf" if role in self.wolf_roles else role
        return role

    def vision(self, actor, target):
        weights = {}
        for roles, dead in self.worlds:
            if roles[actor] == "seer" and not (self.rules.vision_worlds == "alive" and actor in dead):
                weights[self.shown(roles[target])] = weights.get(self.shown(roles[target]), 0) + 1
        result = None
        if weights:
            result = self.draw("vision", actor, weights)
            self.keep(lambda w: w[0][actor] != "seer" or self.shown(w[0][target]) == result)
        self.done(actor, "vision")
        return result

    def attack(self, actor, target):
        if self.rules.attack == "fractional":
            dead_wolves = sum(1 for p in self.dead if self.worlds and self.is_wolf(self.worlds[0], p))
            sharing = self.wolves if self.rules.bites == "script" else self.wolves - dead_wolves
            self.bites[target, actor] = Fraction(1, sharing)
        else:
            changed = []
            for world in self.worlds:
                roles, dead = world
                if self.dominant(world) != actor:
                    changed.append(world)
                elif not self.is_wolf(world, target):
                    changed.append((roles, dead | {target}))
            self.worlds = changed
        self.done(actor, "attack")

    def done(self, actor, action):
        self.open[action].discard(actor)
        if not any(self.open.values()):
            self.end_phase()

    def vote_off(self, player):
        if self.rules.vote_eliminates:
            self.keep(lambda w: player not in w[1])
        self.die(player)
        self.votes += 1
        self.aftermath(True)
        if self.verdict is None and self.votes == self.rules.burnings:
            self.end_phase()

    # what follows

    def die(self, player):
        weights = {}
        for roles, _ in self.worlds:
            weights[roles[player]] = weights.get(roles[player], 0) + 1
        role = self.draw("role", player, weights)
        self.worlds = [(roles, dead | {player}) for roles, dead in self.worlds if roles[player] == role]
        self.dead.add(player)
        if role in self.wolf_roles and self.rules.bites == "intended":
            self.bites = {(t, x): b for (t, x), b in self.bites.items() if x != player}

    def cascade(self):
        if self.rules.cascade == "lowest":
            while True:
                dying = [p for p in self.players if p not in self.dead and self.fully_dead(p)]
                if not dying:
                    return
                self.pass_away(min(dying, key=lambda p: self.numbers[p]))
        stable = False
        while not stable:
            stable = True
            for player in self.players:
                if player not in self.dead and self.fully_dead(player):
                    self.pass_away(player)
                    stable = False

    def fully_dead(self, player):
        chance = self.death_chance(player)
        return chance is None or chance >= 1

    def pass_away(self, player):
        if self.worlds:
            self.die(player)
        else:
            self.dead.add(player)

    def aftermath(self, voted):
        if not voted or self.rules.verdict_at_vote == "after deaths":
            self.cascade()
        if voted or self.rules.verdict_after == "phase" or len(self.dead) == len(self.players):
            self.verdict = self.judge()
            if self.verdict is None and self.collapses():
                self.forced, self.dead_before = True, set(self.dead)
                for player in self.players:
                    weights = {}
                    for roles, _ in self.worlds:
                        weights[roles[player]] = weights.get(roles[player], 0) + 1
                    role = next(iter(weights))
                    if len(weights) > 1:
                        role = self.draw("collapse", player, weights)
                    self.keep(lambda w, p=player, r=role: w[0][p] == r)
                self.cascade()
                self.verdict = "wolves" if self.living_wolves(self.worlds[0]) else "village"
        for player in self.players:
            roles = {w[0][player] for w in self.worlds}
            if self.rules.told == "kind":
                roles = {"wolf" if r in self.wolf_roles else r for r in roles}
            if len(roles) == 1 and self.rules.told in ("role", "kind"):
                self.known.setdefault(player, roles.pop())

    def living_wolves(self, world):
        return sum(1 for p in self.players if self.is_wolf(world, p) and p not in world[1])

    def living_others(self, world):
        return sum(1 for p in self.players if not self.is_wolf(world, p) and p not in world[1])

    def judge(self):
        if not self.worlds:
            return "draw"
        living = [p for p in self.players if p not in self.dead]
        always = [p for p in self.players if all(self.is_wolf(w, p) for w in self.worlds)]
        good = {
            "all dead": all(self.living_wolves(w) == 0 for w in self.worlds),
            "known dead": sum(1 for p in always if self.death_chance(p) == 1) == self.wolves,
            "none living": not any(self.is_wolf(w, p) for w in self.worlds for p in living),
        }
        if good[self.rules.good_wins]:
            return "village"
        teams = {frozenset(p for p in self.players if self.is_wolf(w, p)) for w in self.worlds}
        parity = all(self.living_wolves(w) >= self.living_others(w) for w in self.worlds)
        evil = {
            "parity": len(teams) == 1 and parity,
            "known half": len(living) <= 2 * sum(1 for p in always if self.death_chance(p) == 0),
            "all wolves": all(p in always for p in living),
        }
        return "wolves" if evil[self.rules.evil_wins] else None

    def collapses(self):
        if self.rules.forced_collapse == "annihilation":
            return all(not self.living_wolves(w) or not self.living_others(w) for w in self.worlds)
        if self.rules.forced_collapse == "parity":
            return all(self.living_wolves(w) >= self.living_others(w) for w in self.worlds)
        return False

    def winners(self):
        if self.verdict == "draw" or not self.worlds:
            return [None for _ in self.players]
        evil = self.verdict == "wolves"
        return [all(self.is_wolf(w, p) == evil for w in self.worlds) for p in self.players]
