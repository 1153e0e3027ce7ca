"""Cards declared outside the package, in random games, against worlds kept by the rules' text alone."""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations

import pytest

import kripke_werewolf as kw
from kripke_werewolf import Atom, GameError, IllegalMove
from kripke_werewolf.games.werewolf.draws import Chance
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.roles import CUPID, TAKE, Consequence
from kripke_werewolf.play.tabletop import PHONES, Sitting, Vote
from tests.games.werewolf import cards

DECLARED = [role for name, role in vars(cards).items() if name.isupper() and name != "LIVES"]
FIVE = ["Ann", "Bo", "Cy", "Di", "Ed"]
RANKS = ("alpha", "beta", "gamma")


@dataclass(frozen=True)
class World:
    """One world: who has which card, who is dead, and what has happened to whom."""

    cards: tuple[str, ...]
    dead: frozenset[int] = frozenset()
    done: frozenset[tuple[str, int]] = frozenset()
    """Pairs of a word and a player, such as struck and the one whom an attack has killed tonight."""

    def has(self, word, player):
        return (word, player) in self.done

    def those(self, word):
        return {player for said, player in self.done if said == word}

    def wolf(self, player):
        return self.cards[player] in RANKS

    def side(self, player):
        if self.wolf(player):
            return "wolf"
        return "tanner" if self.cards[player] == "tanner" else "good"

    def leads(self, player):
        living = [who for who in range(len(self.cards)) if self.wolf(who) and who not in self.dead]
        return bool(living) and player == min(living, key=lambda who: RANKS.index(self.cards[who]))

    def with_done(self, *pairs):
        return replace(self, done=self.done | {*pairs})

    def without(self, *words):
        return replace(self, done=frozenset(pair for pair in self.done if pair[0] not in words))

    def dies(self, player):
        return replace(self, dead=self.dead | {player})

    def attacked(self, by, target):
        """Return the world after an attack; None: there is no such world."""
        if not self.leads(by):
            return self
        if self.wolf(target):
            return None
        if target in self.dead or self.has("guarded", target):
            return self
        if self.cards[target] == "elder" and not self.has("weak", target):
            return self.with_done(("weak", target))
        return self.dies(target).with_done(("struck", target))

    def acted(self, actor, action, targets):
        """Return the world after an action that shows nothing."""
        own, first = self.cards[actor], targets[0]
        alive = actor not in self.dead
        match action:
            case "link" if own == "cupid":
                return self.with_done(*(("linked", target) for target in targets))
            case "protect" if own == "bodyguard" and alive:
                return self.with_done(("guarded", first))
            case "rob" if own == "thief":
                return self.with_done(("robbed", first))
            case "heal" if own == "witch" and not self.has("healed", actor):
                if alive or self.has("struck", actor):
                    saved = self.dead - {first} if self.has("struck", first) else self.dead
                    return replace(self, dead=saved).with_done(("healed", actor))
            case "poison" if own == "witch" and not self.has("poisoned", actor) and alive:
                return self.dies(first).with_done(("poisoned", actor))
        return self

    def over(self, wolves):
        """Return the world when a phase is over: who was cursed is a wolf, the thief has another's card."""
        held, dead, left = list(self.cards), set(self.dead), self
        for player in self.those("struck"):
            if held[player] == "cursed":
                held[player] = RANKS[wolves]
                dead.discard(player)
                left = replace(left, done=left.done - {("struck", player)})
        for player in self.those("robbed"):
            thief = held.index("thief")
            held[thief], held[player] = held[player], held[thief]
        return replace(left, cards=tuple(held), dead=frozenset(dead)).without("robbed")

    def found(self):
        """Return the world when the dead are found: lovers die together."""
        lovers = self.those("linked")
        return replace(self, dead=self.dead | lovers) if lovers & self.dead else self


@dataclass
class Simulated:
    """The worlds of a game, changed by its events as the texts of the rules say."""

    players: list[str]
    rules: str
    wolves: int
    dawn: bool
    worlds: Counter[World]
    out: set[int] = field(default_factory=set)

    def keep(self, test):
        self.worlds = Counter({world: n for world, n in self.worlds.items() if test(world)})

    def change(self, made):
        after = Counter[World]()
        for world, n in self.worlds.items():
            if (new := made(world)) is not None:
                after[new] += n
        self.worlds = after

    def happens(self, event):
        """Follow an event."""
        seat = {name: number for number, name in enumerate(self.players)}
        who = seat.get(getattr(event, "actor", ""), seat.get(getattr(event, "player", "")))
        targets = [seat[name] for name in getattr(event, "targets", ())]
        match event.name:
            case "vision":
                self.looked(who, targets[0], event.result)
            case "attack":
                self.change(lambda world: world.attacked(who, targets[0]))
            case "acted" if event.action == "ask":
                shown = event.result == "wolf"
                if event.result is not None:
                    self.keep(
                        lambda world: (
                            world.cards[who] != "medium"
                            or who in world.dead
                            or world.wolf(targets[0]) is shown
                        )
                    )
            case "acted":
                self.change(lambda world: world.acted(who, event.action, targets))
            case "voted_off":
                self.keep(lambda world: who not in world.dead and not self.spares(world, who))
                self.dies(who, event.role, "lynched")
            case "spared":
                self.keep(lambda world: who not in world.dead and self.spares(world, who))
                self.change(lambda world: world.with_done(("lynched", who)))
            case "found_dead" if event.role:
                self.dies(who, event.role)
            case "taken_along":
                self.keep(lambda world: self.takes(world, who))
                self.dies(seat[event.player], event.role)
            case "phase_ended":
                self.change(lambda world: world.over(self.wolves))
                if not (self.dawn and event.kind not in ("vote", "dawn")):
                    self.change(World.found)

    def spares(self, world, player):
        return world.cards[player] == "prince" and not world.has("lynched", player)

    def takes(self, world, player):
        card = world.cards[player]
        return card == "hunter" or (card == "martyr" and not world.has("lynched", player))

    def looked(self, who, target, result):
        if result is not None:
            shown = {"evil": "wolf", "human": "good"}.get(result, result)
            self.keep(lambda world: world.cards[who] != "seer" or world.side(target) == shown)

    def dies(self, player, card, *words):
        self.keep(lambda world: world.cards[player] == card)
        self.change(lambda world: world.dies(player).with_done(*((word, player) for word in words)).found())
        self.out.add(player)

    def sure(self, test):
        """Return the players of whom something is true in every world."""
        return [p for p in range(len(self.players)) if all(test(world, p) for world in self.worlds)]

    def verdict(self):
        """Return the verdicts that the rules give now."""
        number = len(self.players)
        wolves, others = self.sure(World.wolf), self.sure(lambda world, p: not world.wolf(p))
        if self.rules == "cisra":
            village = len(self.sure(lambda world, p: not world.wolf(p) or p in world.dead)) == number
            living = [
                Counter(world.side(p) for p in range(number) if p not in world.dead) for world in self.worlds
            ]
            half = all(sides["wolf"] >= sides["good"] for sides in living)
            evil = half and len(wolves) + len(others) == number
        else:
            dead, alive = (
                self.sure(lambda world, p: p in world.dead),
                self.sure(lambda world, p: p not in world.dead),
            )
            village = len(others) + len({*wolves} & {*dead}) == number
            evil = 2 * len({*wolves} & {*alive}) >= number - len(self.out)
        hanged = self.sure(lambda world, p: world.cards[p] == "tanner" and world.has("lynched", p))
        lovers = {*self.sure(lambda world, p: world.has("linked", p))}
        ends = {"village": village, "wolves": evil, "tanner": bool(hanged)}
        ends["lovers"] = len(lovers | self.out) == number
        return {name for name, so in ends.items() if so}


def new_game(seed, *, sizes=(4, 5)):
    """Return a game with two of the cards, under random rules, and its worlds as the text has them."""
    r = random.Random(seed)
    more = r.sample(DECLARED, 2) + r.sample(["cupid", "hunter", "bodyguard", "witch"], r.randint(0, 1))
    players = [f"P{number}" for number in range(max(r.choice(sizes), 2 + len(more)))]
    deal, rules, wolves = (
        r.choice(["quantum", "classical"]),
        r.choice(["cisra", "gekka"]),
        r.choice([1, 1, 2]),
    )
    wolves = min(wolves, len(players) - len(more) - 1)
    settings = {"wolves": wolves, "seers": 1, "cards": dict.fromkeys(more, 1), "deal": deal, "rng": seed}
    rest = kw.preset(rules, forced_collapse="none", burnings=r.choice([1, 1, 2]) if rules == "cisra" else 1)
    game = kw.QuantumWerewolf(players, rules=rest, **settings)
    names = [getattr(role, "name", role) for role in more]
    dealt = [*RANKS[:wolves], "seer", *names]
    dealt += ["villager"] * (len(players) - len(dealt))
    deals = {game.setup.roles} if deal == "classical" else {*permutations(dealt)}
    worlds = Counter(World(tuple(deal)) for deal in deals)
    return game, Simulated(players, rules, wolves, "witch" in names, worlds)


def random_move(game, r):
    """Return the game after a random legal move."""
    may = game.may_act
    if not may:
        votes = game.phase.kind == "vote" and r.random() < 0.8
        return game.vote_off(r.choice(game.alive)) if votes else game.end_phase()
    who = r.choice(list(may))
    action = r.choice(may[who])
    choices, due = [*game.legal_choices(who, action).values()], (who, action) in game.waiting_for
    if not due and (not choices or r.random() < 0.3):
        return game.decline(who, action=action)
    return game.do(who, action, *r.choice(choices)) if choices else game.end_phase()


def compare(game, simulated):
    """Check worlds, chances, deaths, facts and the verdict."""
    deck, seats = game.setup.deck, range(len(game.players))
    written = Counter[str]()
    for world, number in simulated.worlds.items():
        letters = [deck.letter(card) for card in world.cards]
        written["".join(c.upper() if p in world.dead else c for p, c in enumerate(letters))] += number
    assert Counter(game.worlds.world_strings()) == written
    assert {game.players.index(name) for name in set(game.players) - {*game.alive}} == simulated.out
    for p in seats:
        dead = sum(n for world, n in simulated.worlds.items() if p in world.dead)
        assert not game.size or game.table()[game.table().labels[0], "dead"] is not None
        assert game.state.death_chances[p] == (Fraction(dead, game.size) if game.size else None)
        for fact in {*deck.facts} - {"robbed"}:
            true = sum(n for world, n in simulated.worlds.items() if world.has(fact, p))
            assert game.worlds.count(Atom(f"{fact}_{p}")) == true, (fact, p)
    if game.size and game.verdict not in (None, "draw"):
        assert game.verdict in simulated.verdict()
    waits = game.state.naming or game.phase.kind != "vote"
    if game.size and game.verdict is None and not waits and not game.state.votes:
        assert not simulated.verdict()


def play_and_compare(seed):
    game, simulated = new_game(seed)
    r = random.Random(seed + 1)
    for _ in range(30):
        if game.verdict is not None:
            break
        phase, after = game.phase, random_move(game, r)
        for event in after.events[len(game.events) :]:
            simulated.happens(event)
        if after.phase != phase and after.phase.kind == "vote":
            simulated.change(lambda world: world.without("struck", "guarded"))
        game = after
        compare(game, simulated)
    return game


@pytest.mark.parametrize("seed", range(30))
def test_games_with_the_cards_go_as_the_text_says(seed):
    play_and_compare(seed)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_the_end_closes_every_naming(rules):
    """Also that of hunters whom a final collapse finds dead."""
    for seed in range(12):
        game = kw.QuantumWerewolf(FIVE[: 3 + seed % 3], rules=rules, wolves=1, cards={"hunter": 1}, rng=seed)
        r = random.Random(seed)
        while game.verdict is None:
            game = random_move(game, r)
        assert not game.state.naming
        assert not game.may_act
        for name in game.players:
            assert not game.legal_targets(name, TAKE)


def at_dawn(*, fate="found", heals=True):
    """Return the game of a lover whom a wolf attacks and a witch may heal, after the dawn."""
    dies = replace(CUPID.follows[0], moment=fate)
    settings = {"wolves": 1, "rules": "cisra", "cards": {replace(CUPID, follows=(dies,)): 1, "witch": 1}}
    roles = dict(zip(FIVE, ["alpha", "villager", "witch", "cupid", "villager"], strict=True))
    game = kw.QuantumWerewolf(FIVE, deal="classical", seers=0, roles=roles, **settings)
    game = game.do("Di", "link", "Bo", "Ed")
    while game.phase.kind != "vote":
        game = game.end_phase()
    game = game.end_phase().attack("Ann", "Bo")
    while game.phase.kind != "dawn":
        game = game.end_phase()
    return (game.do("Cy", "heal", "Bo") if heals else game).end_phase()


def test_fate_looks_at_who_is_found_dead():
    healed, dead, at_once = at_dawn(), at_dawn(heals=False), at_dawn(fate="once")
    assert healed.alive == healed.players
    assert dead.alive == ("Ann", "Cy", "Di")
    assert at_once.alive == dead.alive  # who was dead at once, was so for the healed lover, too
    for game, moment in (healed, "when the dead are found"), (at_once, "at once"):
        assert kw.replay(game.log) == game
        for name in ("Bo", "Ed"):
            lives = name in game.alive
            assert game.ask(f"dead_{name}").holds is not lives
            assert game.model("Cy").verdict(f"dead_{name}").satisfied == (not lives)
        assert moment in kw.werewolf.rule_sheet(game.rules, cards=dict(game.setup.deck.others)).to_text()


@pytest.mark.parametrize("seed", range(12))
def test_logs_models_and_handouts_agree_about_the_cards(seed):
    game, _ = new_game(seed, sizes=(4,))
    r = random.Random(seed + 1)
    for _ in range(r.randint(2, 14)):
        if game.verdict is None:
            game = random_move(game, r)
    assert kw.replay(game.log) == game
    if not game.size:
        return
    setup, viewer = game.setup, r.choice(game.players)
    model, handout = game.model(viewer), game.handout(viewer)
    for name in game.players:
        for fact in (*setup.deck.roles, "wolf", "good", "dead", "dominant", *setup.deck.facts):
            there = game.worlds.count(Atom(setup.by_seat(f"{fact}_{name}")))
            found = model.verdict(f"{fact}_{name}")
            assert (found == "true", found == "false") == (there == game.size, there == 0), (fact, name)
        known = f"K_{viewer} wolf_{name}"
        assert (
            handout.ask(known).holds
            is game.ask(known).holds
            is game.ask(f"P_{viewer}(wolf_{name}) >= 1").holds
        )


@pytest.mark.parametrize(
    "role", [cards.THIEF, cards.CURSED, cards.PRINCE, cards.TANNER, cards.MEDIUM, cards.ELDER]
)
@pytest.mark.parametrize("seed", range(2))
def test_all_histories_refine_the_facts(role, seed):
    r, dealt = random.Random(seed), {role: 1, "seer": 0}
    rules = kw.preset("gekka", first_attack=True, forced_collapse="none")
    game = kw.QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, cards=dealt, rules=rules, rng=seed)
    while game.phase.kind != "vote" and game.verdict is None:
        game = random_move(game, r)
    if game.verdict is None:
        game = game.vote_off(r.choice(game.alive))
    atoms = [f"{fact}_{name}" for fact in (role.name, "wolf", "dead") for name in game.players]
    for atom in r.sample(atoms, 4) if game.size else ():
        exact = game.ask(f"K_Ann {atom}", reading="exact", timeout=60)
        assert exact.holds >= game.ask(f"K_Ann {atom}").holds
        assert not exact.holds or game.ask(atom).holds


def test_what_cannot_be_played_with_such_cards_is_refused():
    names = list("abcdefg")
    for more, settings, reason in (
        ({cards.CURSED: 1}, {"rules": "cisra"}, "forced_collapse='none'"),
        ({cards.CURSED: 2}, {"rules": "gekka"}, "only one wolf can have the lowest rank"),
        ({cards.THIEF: 2}, {"rules": "gekka"}, "a deck has at most one"),
        ({cards.ELDER: 1}, {"rules": "straat"}, "fractions of a life"),
        ({cards.ELDER: 1}, {"rules": "gekka", "engine": "counting"}, "does not know elder"),
    ):
        with pytest.raises(GameError, match=reason):
            kw.QuantumWerewolf(names, wolves=1, cards=more, **settings)
    for wrong in (("once", "wolf_{i}", (("card_{i}", "wolf"),)), ("once", "true", (("dead_{t}", "true"),))):
        with pytest.raises(GameError, match="this can only be"):
            Consequence(*wrong)
    game = kw.QuantumWerewolf(names, wolves=1, cards={cards.MEDIUM: 1}, rules="gekka")
    assert "ask" not in {action for acts in game.may_act.values() for action in acts}  # nobody is dead


def test_a_vote_that_spares_is_drawn_and_seen_by_all():
    game = kw.QuantumWerewolf(list("abcde"), wolves=1, cards={cards.PRINCE: 1}, rules="gekka", rng=1)
    while game.phase.kind != "vote":
        game = game.end_phase()
    shares = Counter(game.with_draw(Chance(seed)).vote_off("b").alive == game.alive for seed in range(200))
    assert 20 < shares[True] < 60  # a fifth of 200
    spared = game.vote_off("b", role="spared")
    assert "b is spared: the vote does not kill." in [event.in_public() for event in spared.steps[-1]]
    assert spared.ask("K_a prince_b").holds
    assert spared.steps[-1][0].weights
    assert "weights" not in str([spared.handout(name).to_dict() for name in spared.players])
    assert kw.replay(spared.log) == spared
    with pytest.raises(IllegalMove, match="prince is impossible"):
        game.vote_off("b", role="prince")
    while spared.phase.kind != "vote" or spared.phase == game.phase:
        spared = spared.end_phase()
    assert spared.vote_off("b").known_roles["b"] == "prince"  # only the first vote spares


def test_the_vote_of_a_mayor_counts_twice():
    names, roles = ["Ann", "Bo", "Cy", "Di"], ["mayor", "alpha", "villager", "seer"]
    settings = {"cards": {cards.MAYOR: 1}, "rules": "gekka"}
    game = kw.QuantumWerewolf(names, wolves=1, deal="classical", roles=roles, **settings)
    while game.phase.kind != "vote":
        game = game.end_phase()
    sitting = Sitting(game=game, manner=PHONES, house=HouseRules(ballot="open"))
    for name, target in zip(names, ["Bo", "Cy", "Cy", "Bo"], strict=True):
        sitting, _ = sitting.submit(name, Vote(name, target))
    assert sitting.flow.counted[0].counts == (("Bo", 3), ("Cy", 2))
    quantum = kw.QuantumWerewolf(names, wolves=1, **settings).state
    assert [quantum.votes_of(name) for name in names] == [1] * 4


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1500, 100))
def test_five_hundred_games_with_the_cards_go_as_the_text_says(start):
    for seed in range(start, start + 100):
        play_and_compare(seed)
