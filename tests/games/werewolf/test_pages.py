"""A printed page is everything that was told: it is read back as it was, and answers as the handout."""

import json
import os
import random

import pytest

import kripke_werewolf as kw
from kripke_werewolf.base.settings import possible_values, types_of
from kripke_werewolf.games.werewolf.roles import ROLES
from kripke_werewolf.games.werewolf.rules import Rules
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.games.werewolf.told import Told, told
from tests.cases import cases

PAGES = int(os.environ.get("PAGES", "60"))
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
OWN = kw.Role(name="mason", knows=("mason_{t}",), rule="Masons know each other.")
SEVERAL: dict[str, list[object]] = {
    "columns": [("villager", "seer", "wolf", "dead"), ("evil", "dead"), ("human", "werewolf")],
    "sides": [("village", "wolves"), ("human", "wolf")],
    "opening": [("night",), ("visions",), ("visions", "attacks")],
    "cycle": [("vote", "night"), ("vote", "attacks", "visions")],
    "table_at": [("morning",), ("nightfall", "morning"), ()],
    "first_number": [0, 1, 2],
    "burnings": [1, 2],
    "default_wolves": [1, None],
}


def random_rules(chance: random.Random) -> Rules:
    """Return published rules with some fields changed."""
    while True:
        name = chance.choice([*kw.PRESETS])
        fields = chance.sample(sorted(types_of(Rules).keys() - {"name"}), chance.choice([0, 0, 1, 2, 5]))
        try:
            values = {f: chance.choice(SEVERAL.get(f) or possible_values(types_of(Rules)[f])) for f in fields}
            return kw.preset(name, **values)
        except kw.GameError:
            continue


def random_start(chance: random.Random) -> kw.QuantumWerewolf:
    """Return a game with random settings before its first move."""
    while True:
        names = NAMES[: chance.randint(3, 7)]
        further = [*[*ROLES][3:], OWN]
        cards = dict.fromkeys(chance.sample(further, chance.choice([0, 0, 1, 2])), 1)
        settings = {
            "wolves": chance.choice([1, 1, 2]),
            "cards": cards,
            "deal": chance.choice(["quantum", "quantum", "classical"]),
            "targets": chance.choice(["secret", "public"]),
            "numbers": chance.choice([None, "shuffled"]),
            "sample": chance.choice([None, None, None, 9]),
            "strict": chance.random() < 0.1,
            "rng": chance.randrange(2**32),
        }
        try:
            return kw.QuantumWerewolf(names, rules=random_rules(chance), **settings)
        except kw.GameError:
            continue


def random_step(game: kw.QuantumWerewolf, chance: random.Random) -> kw.QuantumWerewolf:
    """Return the game after a random move, refusal, statement, vote, or the end of the phase."""
    turns = [(name, action) for name, actions in game.may_act.items() for action in actions]
    if chance.random() < 0.1:
        speaker, *others = chance.sample(game.alive, len(game.alive))
        words = chance.choice(
            [f"~wolf_{speaker}", f"K_{speaker} ~dead_{speaker}", f"wolf_{others[0]} | seer_{speaker}"]
        )
        if chance.random() < 0.5:
            return game.private(speaker, others[: chance.randint(1, 2)], words, noticed=chance.random() < 0.7)
        return game.claim(speaker, words, believed=chance.random() < 0.3)
    if game.phase.kind == "vote" and not turns and chance.random() < 0.8:
        if chance.random() < 0.2:
            return game.vote_off(chance.sample(game.alive, 2))
        return game.vote_off(chance.choice(game.alive))
    if not turns or chance.random() < 0.15:
        return game.end_phase()
    name, action = chance.choice(turns)
    if chance.random() < 0.1:
        return game.decline(name, action=action)
    refused = [t for t in game.alive if "every remaining" in str(game.refusal(name, action, target=t))]
    if refused:
        return game.refuse(name, chance.choice(refused))
    if action == "take":
        return game.take_along(name, chance.choice(game.legal_targets(name, action)))
    return game.do(name, action, *chance.choice([*game.legal_choices(name, action).values()]))


def random_game(seed: int) -> kw.QuantumWerewolf:
    """Return a random game at a random moment."""
    chance = random.Random(seed)
    game = random_start(chance)
    for _ in range(chance.choice([0, 3, 10, 20, 40])):
        if game.verdict is not None:
            break
        try:
            game = random_step(game, chance)
        except (kw.GameError, IndexError, ValueError):
            continue
    return game


@pytest.mark.parametrize("seed", range(PAGES))
def test_a_page_is_read_as_it_was_told(seed):
    chance, game = random.Random(seed), random_game(seed)
    group = chance.sample(game.players, 2)
    for known in (game.handout(chance.choice(game.players)), told(game), told(game, *group)):
        assert Told.from_dict(json.loads(known.to_json())) == known
        assert read_sheet(str(known)) == known, str(known)
        assert read_sheet(known.document.to_markdown().replace("'", "\u2019")) == known


@pytest.mark.parametrize("seed", range(PAGES // 4))
def test_a_page_answers_as_the_handout(seed):
    chance, game = random.Random(seed), random_game(seed)
    handout = game.handout(chance.choice(game.players))
    sheet = read_sheet(str(handout))
    for _ in range(3):
        card, about = chance.choice(["wolf", "seer", "dead", "good"]), chance.choice(game.players)
        question = f"K_{handout.player} {chance.choice(['', '~'])}{card}_{about}"
        try:
            wanted = str(handout.ask(question, timeout=5))
        except (kw.GameError, kw.Undecided, kw.ModelTooLarge):
            continue
        assert str(sheet.ask(question)) == wanted
        assert wanted.startswith(("yes", "no"))


def test_house_rules_are_printed_and_followed():
    """Finding A3."""
    rules = kw.preset("cisra", vote_eliminates=False)
    game = kw.QuantumWerewolf(NAMES[:6], wolves=1, rules=rules).end_phase().end_phase()
    game = game.attack("Ann", "Bo").end_phase().end_phase().vote_off("Bo", role="villager")
    handout = game.handout("Ann")
    assert "drawn from all worlds, even those where they were already dead" in str(handout)
    assert str(read_sheet(str(handout)).ask("K_Ann ~wolf_Ann")) == str(handout.ask("K_Ann ~wolf_Ann")) == "no"


def test_who_is_asked_is_printed_and_typed():
    """Finding A4."""
    game = (
        kw.QuantumWerewolf(NAMES[:4], wolves=1, rules="cisra", numbers=[1, 2, 3, 4]).end_phase().end_phase()
    )
    handout = game.handout("Di")
    assert "You are asked for an attack." in str(handout)
    assert str(read_sheet(str(handout)).ask("K_Di ~alpha_Di")) == str(handout.ask("K_Di ~alpha_Di")) == "no"
    head = "rules: cisra\nplayers: Ann, Bo, Cy, Di\nwolves: 1\nyou: Di\nnumber: 4\nnight 1, visions\n"
    head += "you do not look\n"
    with pytest.raises(kw.GameError, match="write 'You are asked for an attack' or 'You are not asked for"):
        read_sheet(f"{head}day 1\nnight 2, attacks").ask("K_Di ~alpha_Di")
    sheet = read_sheet(f"{head}day 1\nnight 2, attacks\nYou are asked for an attack.")
    assert str(sheet.ask("K_Di ~alpha_Di")) == "no"


def test_every_changed_field_is_printed():
    for name, rules in kw.PRESETS.items():
        for field, hint in types_of(Rules).items():
            for value in (SEVERAL.get(field) or possible_values(hint))[-1:]:
                try:
                    changed = kw.preset(name, **{field: value})
                except kw.GameError:
                    continue
                if changed != rules:
                    told_ = str(
                        kw.QuantumWerewolf(NAMES, wolves=1, rules=changed, numbers=range(1, 8)).handout("Ann")
                    )
                    assert f"* {field}: {json.dumps(value)}" in told_
                    assert read_sheet(told_).setup.rules == changed


@cases(
    (
        "handout 2 en",
        "handout 3 en",
        "line 17: a printed page .* not .*handout 3 en.* of another version",
    ),
    ("handout 2 en", "handout 2 nl", "not .*handout 2 nl.* of another version or language"),
    ("(kripke-werewolf handout 2 en)", "", "a printed page ends with the line"),
    (
        "asked for a vision",
        "asked for an attack",
        "line 13: .* is not what the page says here",
    ),
    ("1 wolf", "2 wolves", "line 4: "),
    (
        "Alive: Ann, Bo",
        "Alive: Bo",
        "line 15: 'Now: night 1, visions. Alive: Bo, Cy.' is not what the page says here",
    ),
    ("Players:", "* sides: good\nPlayers:", "line 6: "),
    ("Ann, Bo, Cy.\n\n*", "Ann, Bo.\n\n*", "line 4: "),
    ("Now:", "Then:", "cannot read 'Then: "),
)
def test_another_page_is_refused(given, changed, said):
    page = str(kw.QuantumWerewolf(NAMES[:3], wolves=1, rules="cisra").handout("Ann"))
    assert given in page
    with pytest.raises(kw.FormatError, match=said):
        read_sheet(page.replace(given, changed))


def test_names_may_look_like_sentences():
    names = ["Smith, John", "night 1", "Ann and Bo", "An'n *|b", "Ann", "everyone"]
    game = kw.QuantumWerewolf(names, wolves=1, rules="gekka", targets="public", rng=1)
    for name in names:
        game = game.vision(name, names[0])
    for known in (*map(game.handout, names), told(game), told(game, "Ann", "night 1")):
        assert read_sheet(str(known)) == known == read_sheet(known.document.to_markdown())
