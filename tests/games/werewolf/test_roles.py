"""Roles as data: those of the catalogue against a plain enumeration, and roles that users declare."""

import ast
import random
import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path

import pytest

import kripke_werewolf as kw
import visualise
from kripke_werewolf import GameError, IllegalMove, KripkeError, LogFile
from kripke_werewolf.base.wording import LANGUAGES, word
from kripke_werewolf.games.werewolf.roles import ROLES, Consequence, Deck, Role, SecretAct, parse_roles
from kripke_werewolf.games.werewolf.told import Told
from kripke_werewolf.play.tabletop import PHONES, Choose, Keeper
from tests.cases import cases

SEVERAL = ["cupid", "hunter", "bodyguard", "witch", "fox", "drunk"]


def new_game(r, *, cards=None, rules=None, deal=None, players=None):
    """Return a game with one or two random further cards that its rules allow."""
    players = players or r.randint(4, 6)
    rules = rules or r.choice(["cisra", "gekka", "straat"])
    names = r.sample(SEVERAL, r.randint(1, 2))
    if rules == "straat":
        names = [name for name in names if name in ("cupid", "hunter", "fox")]
    if "fox" in names:
        names = [name for name in names if name != "drunk"]
    return kw.QuantumWerewolf(
        [f"P{number}" for number in range(players)],
        wolves=1,
        seers=r.choice([0, 1]),
        cards=cards or dict.fromkeys(names, 1),
        rules=rules,
        deal=deal or r.choice(["quantum", "classical"]),
        rng=r.randrange(2**32),
    )


def random_move(game, r):
    """Return the game after a random legal move."""
    may = game.may_act
    if not may:
        if game.phase.kind == "vote" and r.random() < 0.8:
            return game.vote_off(r.choice(game.alive))
        return game.end_phase()
    who = r.choice(list(may))
    action = r.choice(may[who])
    targets = game.legal_targets(who, action)
    if action == "take":
        return game.take_along(who, r.choice(targets))
    if action in ("heal", "poison", "mend", "brew") and r.random() < 0.5:
        return game.decline(who, action=action)
    two = action == "link"
    return game.do(who, action, *r.sample(targets, 1 + two)) if targets else game.end_phase()


def played(r, moves, **settings):
    game = new_game(r, **settings)
    for _ in range(moves):
        if game.verdict is not None:
            break
        game = random_move(game, r)
    return game


# --- every role ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_logs_handouts_and_undo(seed, tmp_path):
    r = random.Random(seed)
    game = played(r, r.randint(3, 25))
    with LogFile.create(tmp_path / "game.jsonl", game.at(0)) as log:
        log.write(game)
    assert kw.replay(tmp_path / "game.jsonl") == game
    for player in game.players:
        handout = game.handout(player)
        assert Told.from_dict(handout.to_dict()) == handout
    again = game
    while again.steps:
        again = again.undo()
    assert again == game.at(0)


@pytest.mark.parametrize("seed", range(6))
def test_knowledge_is_true_and_the_owner_has_it_from_the_handout_alone(seed):
    r = random.Random(100 + seed)
    game = played(r, r.randint(3, 16), players=5)
    if not game.size:
        return
    facts = ["wolf", "good", "dead", *(role.name for role, _ in game.setup.deck.others)]
    for _ in range(4):
        knower, about, fact = r.choice(game.players), r.choice(game.players), r.choice(facts)
        known = game.ask(f"K_{knower} {fact}_{about}")
        if known.holds:
            assert game.ask(f"{fact}_{about}").holds
        assert game.handout(knower).ask(f"K_{knower} {fact}_{about}").holds is known.holds


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("rules", ["cisra", "gekka"])
def test_a_role_has_a_page_a_column_and_words(name, rules):
    text = kw.werewolf.rule_sheet(kw.preset(rules), cards={name: 1}).to_text()
    assert ROLES[name].rule in " ".join(text.split())
    game = kw.QuantumWerewolf(list("abcde"), wolves=1, cards={name: 1}, rules=rules)
    assert game.table(columns=[name]).to_dict()
    for language in LANGUAGES:
        assert parse_roles(word(name).told(language), game.setup.deck) == {name}
    assert f"1 {name}" in str(game.handout("a"))


def test_what_cannot_be_played_is_refused_with_the_reason():
    five = list("abcde")
    for cards, rules, reason in (
        ({"bodyguard": 1}, "straat", "fractions of a life"),
        ({"drunk": 1}, "straat", "vision with two results"),
        ({"huntr": 1}, "cisra", "did you mean 'hunter'"),
        ({"hunter": -1}, "cisra", "not a number of cards"),
        ({"hunter": 4}, "cisra", "more roles than players"),
    ):
        with pytest.raises(KripkeError, match=reason):
            kw.QuantumWerewolf(five, wolves=1, cards=cards, rules=rules)
    for wrong, reason in (
        ({"name": "Night Owl"}, "not one letter"),
        ({"name": "owl", "letter": "ow"}, "not one letter"),
    ):
        with pytest.raises(GameError, match=reason):
            Role(**wrong)
    with pytest.raises(GameError, match="means two things"):
        Deck(5, wolves=1, others=((Role(name="seer"), 1),))


FLY = {"name": "fly", "by": "owl_{i}"}


@cases(
    ({"name": "dead"}, "has a meaning in every game"),
    ({"name": "alpha"}, "means two things"),
    ({"side": "seer"}, "is the name of a card"),
    ({"side": "My Side"}, "one word in lower case"),
    ({"words": ("Seer",)}, "'seer' means two things"),
    ({"looks": "nothing"}, "not a card of this deck"),
    ({"knows": ("wolf_{u}",)}, "its places are {t}"),
    ({"knows": ("wolf_9",)}, "its places are {t}"),
    ({"knows": ("K_{i} wolf_{t}",)}, "about cards and facts"),
    ({"shield": "hidden_{t}"}, "hidden"),
    ({"shield": "out_{t}"}, "unknown fact 'out'"),
    ({"shield": "owl_{t} &"}, "says 'owl_{t} &'"),
    ({"follows": (Consequence("found", "K_{i} wolf_{t}", ()),)}, "about cards and facts"),
    ({"follows": (Consequence("once", "owl_{i}", (("wolf_{i}", "true"),)),)}, "cannot change 'wolf_{i}'"),
    ({"follows": (Consequence("phase", "owl_{i}", (("card_{i}", "fox"),)),)}, "cannot make a card 'fox'"),
    ({"facts": ("owl",)}, "is the name of a card"),
    ({"facts": ("a_b",)}, "one word in lower case"),
    ({"misled": True}, "needs a vision"),
    ({"acts": ("fly",)}, "is not possible"),
    ({"acts": (SecretAct(**FLY), SecretAct(**FLY, when="dawn"))}, "declared twice"),
    ({"acts": (SecretAct(name="take", by="owl_{i}"),)}, "has a meaning in every game"),
    ({"acts": (SecretAct(name="fly", by="owl_{t}"),)}, "its places are {i}"),
    ({"acts": (SecretAct(**FLY, change=(("good_{t}", "true"),)),)}, "cannot change 'good_{t}'"),
)
def test_declarations_that_mean_nothing_are_refused(told, reason):
    with pytest.raises(KripkeError) as refused:
        kw.QuantumWerewolf(list("abcde"), wolves=1, cards={Role(**{"name": "owl", **told}): 1}, rules="cisra")
    assert reason in str(refused.value)


def to_the_next_vote(game):
    while game.phase.kind != "vote":
        game = game.end_phase()
    return game


class TestKnowledge:
    def test_protection_ends_in_the_morning(self):
        settings = {"wolves": 1, "seers": 0, "cards": {"bodyguard": 1}, "rules": "cisra", "targets": "public"}
        game = kw.QuantumWerewolf(list("abcd"), **settings, rng=1).do("b", "protect", "a")
        assert game.ask("K_b (bodyguard_b -> guarded_a)").holds
        game = to_the_next_vote(game)
        assert not game.ask("guarded_a").verdict.satisfied
        game = game.end_phase().end_phase().attack("d", "a")
        assert game.ask("dead_a").verdict.fraction == game.worlds.counts("dead")[0] / Fraction(game.size)
        assert not game.ask("K_d (alpha_d & bodyguard_b -> ~dead_a)").holds

    @pytest.mark.parametrize("name", ["fox", "witch", "bodyguard", "hunter"])
    def test_a_card_drawn_by_day_is_possible_for_everybody(self, name):
        game = kw.QuantumWerewolf(list("abcd"), wolves=1, cards={name: 1}, rules="gekka", rng=3)
        game = to_the_next_vote(game).vote_off("d", role=name)
        assert game.ask(f"M_a {name}_d").holds
        assert not game.ask("K_d dead_c").holds

    def test_a_witch_who_has_healed_may_still_poison(self):
        roles = dict(zip("abcd", ["witch", "wolf", "villager", "villager"], strict=True))
        settings = {"wolves": 1, "seers": 0, "cards": {"witch": 1}, "rules": "gekka", "deal": "classical"}
        game = kw.QuantumWerewolf(list("abcd"), **settings, roles=roles, rng=1)
        while not game.may_act:
            game = game.end_phase()
        game = game.attack("b", "c").do("a", "heal", "c")
        assert game.ask("K_a ~dead_c").holds
        game = game.do("a", "poison", "b")
        assert game.verdict == "village"


# --- cupid and hunter, against a list of worlds -------------------------------------------------------


class Listed:
    """The worlds of the program that people install, as letters, and how dead everybody is."""

    def __init__(self, deck):
        self.worlds, self.n = sorted({"".join(w) for w in permutations(deck)}), len(deck)
        self.left, self.bites, self.links, self.out = deck.count("w"), {}, {}, set()

    def bitten(self, world, target):
        bites = (x for (by, t), x in self.bites.items() if t == target and world[by] == "w")
        return Fraction(0) if world[target] == "w" else sum(bites, Fraction(0))

    def degree(self, target):
        if target in self.out:
            return Fraction(1)
        total = Fraction(0)
        for world in self.worlds:
            pair = self.links.get(world.find("k"), ())
            lost = self.bitten(world, target)
            for lover in pair if target in pair else ():
                lost = max(lost, Fraction(1) if lover in self.out else self.bitten(world, lover))
            total += lost
        return total / len(self.worlds)

    def dies(self, player, letter):
        self.worlds = [world for world in self.worlds if world[player] == letter]
        self.out.add(player)
        if letter == "w":
            self.left -= 1
            self.bites = {key: share for key, share in self.bites.items() if key[0] != player}


LETTERS = {"villager": "v", "seer": "s", "wolf": "w", "cupid": "k", "hunter": "h"}


@pytest.mark.parametrize("seed", range(25))
def test_cupid_and_hunter_against_a_list_of_worlds(seed):
    r = random.Random(seed)
    rules = kw.preset("straat", attack_self=False, cascade="together", nobody_left="draw")
    more = r.choice([{"cupid": 1}, {"hunter": 1}, {"cupid": 1, "hunter": 1}, {"hunter": 2, "cupid": 1}])
    n = r.randint(5, 6)
    names = [f"P{number}" for number in range(n)]
    game = kw.QuantumWerewolf(names, wolves=1, seers=1, cards=more, rules=rules, rng=seed)
    rest = n - 2 - sum(more.values())
    plain = Listed("ws" + "v" * rest + "".join(LETTERS[name] * k for name, k in more.items()))
    for _ in range(30):
        if game.verdict is not None or not game.size:
            break
        after = random_move(game, r)
        for event in after.events[len(game.events) :]:
            seats = [names.index(name) for name in getattr(event, "targets", ())]
            match event.name:
                case "vision":
                    actor, letter = names.index(event.actor), LETTERS[event.result]
                    plain.worlds = [w for w in plain.worlds if w[actor] != "s" or w[seats[0]] == letter]
                case "attack":
                    plain.bites[names.index(event.actor), seats[0]] = Fraction(1, max(plain.left, 1))
                case "acted":
                    plain.links[names.index(event.actor)] = tuple(seats)
                case "voted_off" | "found_dead" | "taken_along":
                    plain.dies(names.index(event.player), LETTERS[event.role])
        game = after
        assert game.size == len(plain.worlds)
        assert sorted(game.worlds.world_strings(deaths=False)) == plain.worlds
        assert list(game.state.death_chances) == [plain.degree(player) for player in range(n)]


def names_the_seer(path):
    """Whether a module names the seer in code: in a name or a string, docstrings aside."""
    code, seer = path.read_text(encoding="utf-8"), re.compile(r"(?<![a-z])seers?(?![a-z])", re.IGNORECASE)
    tree = ast.parse(code if seer.search(code) else "")
    docstrings = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    said = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            said.append(node.value)
        said += [str(getattr(node, field, "")) for field in ("id", "attr", "arg", "name")]
    return seer.search("\n".join(said)) is not None


def test_modules_ask_for_properties_of_roles_instead_of_the_seer():
    root = Path(kw.__file__).parents[1]
    modules = [path for name in ("kripke_werewolf", "visualise") for path in (root / name).rglob("*.py")]
    assert {path.relative_to(root).as_posix() for path in modules if names_the_seer(path)} == {
        "kripke_werewolf/cli/play.py",
        "kripke_werewolf/play/tabletop/beginning.py",
        "kripke_werewolf/teach/exercises/games.py",
        "kripke_werewolf/research/forge/players.py",
        "kripke_werewolf/research/arena/tables.py",
        "kripke_werewolf/logic/english/phrases.py",
        "kripke_werewolf/games/werewolf/game.py",
        "kripke_werewolf/games/werewolf/sheets.py",
        "kripke_werewolf/games/werewolf/pages.py",
        "kripke_werewolf/games/werewolf/roles.py",
        "kripke_werewolf/games/werewolf/rules.py",
        "kripke_werewolf/games/werewolf/rulesheet.py",
        "kripke_werewolf/games/werewolf/setup.py",
    }


# --- roles of a user's own -----------------------------------------------------------------------------

MARKSMAN = Role(name="marksman", follows=(Consequence("found", "marksman_{i}", (("dead_{t}", "true"),)),))
GUARDIAN = Role(
    name="guardian",
    acts=(
        SecretAct(
            name="watch", by="guardian_{i} & ~dead_{i}", when="evening", change=(("safe_{t}", "true"),)
        ),
    ),
    nightly=("safe",),
    shield="safe_{t}",
)
SORCERESS = Role(
    name="sorceress",
    rule="A sorceress mends once, and brews once.",
    acts=(
        SecretAct(
            name="mend",
            by="sorceress_{i} & ~mended_{i} & (~dead_{i} | struck_{i})",
            when="dawn",
            compulsory=False,
            on_self=True,
            change=(("dead_{t}", "dead_{t} & ~struck_{t}"), ("mended_{i}", "true")),
        ),
        SecretAct(
            name="brew",
            by="sorceress_{i} & ~brewed_{i} & ~dead_{i}",
            when="dawn",
            compulsory=False,
            change=(("dead_{t}", "true"), ("brewed_{i}", "true")),
        ),
    ),
    facts=("mended", "brewed"),
    nightly=("struck",),
)
OWN = {MARKSMAN: 1, GUARDIAN: 1, SORCERESS: 1}
SAME = {"marksman": "hunter", "guardian": "bodyguard", "sorceress": "witch"}
VERBS = {"protect": "watch", "heal": "mend", "poison": "brew"}


@pytest.mark.parametrize("seed", [0, 1, 4, 7])  # both rule sets with both deals
def test_roles_declared_outside_play_as_those_of_the_catalogue(seed):
    r = random.Random(seed)
    rules, deal = r.choice(["cisra", "gekka"]), r.choice(["quantum", "classical"])
    settings = {"wolves": 1, "rules": rules, "deal": deal, "rng": seed}
    own = kw.QuantumWerewolf(list("abcdef"), cards=OWN, **settings)
    usual = kw.QuantumWerewolf(list("abcdef"), cards=dict.fromkeys(SAME.values(), 1), **settings)
    for _ in range(25):
        if usual.verdict is not None:
            break
        state = r.getstate()
        usual = random_move(usual, r)
        r.setstate(state)
        own = random_move(own, r)
        assert (own.size, own.verdict) == (usual.size, usual.verdict)
        assert own.state.death_chances == usual.state.death_chances
        for name, same in SAME.items():
            assert own.worlds.counts(name) == usual.worlds.counts(same)
    for name, same in SAME.items():
        for player in "ab":
            mine = own.ask(f"K_{player} {name}_c | M_{player} {name}_d")
            assert mine.holds is usual.ask(f"K_{player} {same}_c | M_{player} {same}_d").holds


def test_a_role_of_ones_own_is_logged_hosted_printed_and_drawn(tmp_path):
    game = kw.QuantumWerewolf(list("abcdef"), wolves=1, cards=OWN, rules="gekka", rng=5)
    path = tmp_path / "own.jsonl"
    with LogFile.create(path, game) as log:
        keeper = Keeper(log, PHONES, seed=7)
        assert keeper.player_view("a")["ask"][0]["question"] == "Whom do you watch?"
        for name, target in zip("abcdef", "baaaaa", strict=True):
            assert keeper.submit(name, Choose(name, "watch", target)).accepted
    again = kw.replay(path)
    assert again.setup.deck == game.setup.deck
    assert again.setup.deck.role("guardian") == GUARDIAN
    assert again.phase.kind == "night"
    sheet = kw.werewolf.rule_sheet(game.rules, cards=OWN).to_text()
    assert "everybody watches another player" in sheet
    assert "A sorceress mends once, and brews once." in sheet
    assert again.table(columns=["guardian"])["a", "guardian"] == Fraction(1, 6)
    assert "<svg" in visualise.svg(game.model("a"))


def test_the_dead_take_one_along_before_anything_else_happens():
    game = kw.QuantumWerewolf(list("abcde"), wolves=1, cards={"hunter": 1}, rules="cisra", rng=1).end_phase()
    game = game.vote_off("a", role="hunter")
    assert game.may_act == {"a": ("take",)}
    for refused in (
        lambda: game.vote_off("b"),
        lambda: game.end_phase(),
        lambda: game.take_along("b", "c"),
        lambda: game.take_along("a", "a"),
    ):
        with pytest.raises(IllegalMove):
            refused()
    after = game.take_along("a", "b", role="villager")
    assert {"a", "b"}.isdisjoint(after.alive)
    assert after.ask("hunter_a").holds
    assert after.ask("K_c hunter_a").holds
