"""The story of a game after its end: its numbers are those of the game, and it depends on nothing else."""

import json
import random
import re
from fractions import Fraction
from itertools import pairwise

import pytest

from kripke_werewolf import LogFile, QuantumWerewolf, replay
from kripke_werewolf.base.reports.documents import Heading, Items, Paragraph
from kripke_werewolf.base.reports.tables import Grid, shown
from kripke_werewolf.base.wording import LANGUAGES, in_language
from kripke_werewolf.games.werewolf import game_models
from kripke_werewolf.games.werewolf.events import OfficialDeath
from kripke_werewolf.games.werewolf.tale import first_known, knowledge_after, phase_ends, tale, to_ask
from tests.logs import signed

NAMES = ["Ann", "Bob", "Cyd", "Dee", "Eve"]
OTHERS = ["Zoe", "Wes", "Vic", "Una", "Tim"]
KINDS = {
    "cisra": {"rules": "cisra", "numbers": "shuffled"},
    "gekka": {"rules": "gekka", "cards": {"hunter": 1, "cupid": 1}},
    "straat": {"rules": "straat"},
    "cards": {"rules": "gekka", "deal": "classical"},
}
SEEDS = range(1)


def played(kind, seed, names=NAMES):
    game, chance = QuantumWerewolf(names, wolves=1, rng=seed, **KINDS[kind]), random.Random(seed)
    while game.verdict is None and len(game.steps) < 80:
        if game.state.naming:
            game = game.end_phase(missing="random")
        elif game.phase.kind == "vote":
            game = game.vote_off(chance.choice(game.alive))
        else:
            game = game.end_phase(missing="random")
    return game


@pytest.fixture(scope="module", params=[(kind, seed) for kind in KINDS for seed in SEEDS], ids=str)
def game(request):
    return played(*request.param)


@pytest.fixture(scope="module")
def found(game):
    return facts(game)


def facts(game):
    return {asked: knowledge_after(game, asked) for asked in to_ask(game) if asked[1] == "facts"}


def grids(game, found=None):
    return [block for block in tale(game, found).blocks if isinstance(block, Grid)]


RISE = re.compile(r"(?P<phase>.+?): (?P<told>.+) Dead: (?P<before>\S+) → (?P<after>\S+)\.")
COUNTS = re.compile(r"(?P<told>.+) This counts where (\w+) is (.+): in (?P<share>\S+) of the worlds\.")


def test_every_death_is_told_with_the_numbers_of_that_moment(game):
    blocks, place = tale(game).blocks, 0
    deaths = [(n, e) for n, step in enumerate(game.steps) for e in step if isinstance(e, OfficialDeath)]
    assert [b.text for b in blocks if isinstance(b, Heading) and b.level == 3] == [
        f"{event.player}, {game.states[n].phase}" for n, event in deaths
    ]
    for number, event in deaths:
        place = next(i for i in range(place, len(blocks)) if blocks[i] == Paragraph(event.in_full()))
        rises = next((b.texts for b in blocks[place + 1 : place + 2] if isinstance(b, Items)), ())
        step = 0
        for line in rises:
            rise = RISE.fullmatch(line)
            counts = COUNTS.fullmatch(rise["told"])
            told = counts["told"] if counts else rise["told"]
            moves = (
                (n, (str(game.states[n].phase), game.steps[n][0].in_full())) for n in range(step, number + 1)
            )
            step = next(n for n, made in moves if made == (rise["phase"], told))
            for text, at in (("before", step), ("after", step + 1)):
                assert rise[text] == shown(game.at(at).table()[event.player, "dead"], "percent")
            if counts:
                actor, fact = counts[2], {"a wolf": "wolf", "the leading wolf": "dominant"}.get(counts[3])
                found = game.at(step).ask(f"{fact or counts[3].removeprefix('the ')}_{actor}")
                assert counts["share"] == shown(found.verdict.fraction, "percent")
            step += 1


def test_chances_are_those_of_the_tables(game):
    if game.setup.deal == "classical":
        assert len(grids(game)) == 1
        return
    table = grids(game)[1]
    tables = [game.at(step).table() for step in (0, *phase_ends(game))]
    for name, *cells in table.rows:
        ends = [(tables[0][name, c], tables[-1][name, c]) for c in tables[0].columns[-len(cells) :]]
        for cell, pair in zip(cells, ends, strict=True):
            assert cell.endswith("\xa0→\xa0".join(shown(x, "percent") for x in pair))
            assert len(cell.split(" ")[0]) <= len(tables)


def test_turning_points_are_the_greatest_losses_of_worlds(game):
    lost = [
        Fraction(b.worlds.size, a.worlds.size) for a, b in zip(game.states, game.states[1:], strict=False)
    ]
    told = [line for b in tale(game).blocks if isinstance(b, Items) for line in b.texts if "Worlds:" in line]
    numbers = [re.search(r"Worlds: ([\d,]+) → ([\d,]+)\.", line).groups() for line in told]
    ratios = [Fraction(int(b.replace(",", "")), int(a.replace(",", ""))) for a, b in numbers]
    assert (
        sorted(ratios) == sorted(x for x in lost if x < 1)[:3] if game.setup.deal != "classical" else not told
    )


@pytest.mark.parametrize("kind", KINDS)
def test_who_knew_first_is_what_questions_answer(kind):
    game = played(kind, 1)
    first, roles = first_known(game, facts(game), "facts"), game.setup.deck.kinds
    for viewer in NAMES:
        expected = {}
        for step in phase_ends(game):
            at = game.at(step)
            for subject in NAMES:
                for role in roles:
                    topic = "role" if subject == viewer else role
                    if topic not in ("role", "wolf", "seer") or (topic == role and subject not in at.alive):
                        continue
                    if at.ask(f"K_{viewer} {role}_{subject}").verdict == "true":
                        expected.setdefault(topic, (step, subject, role))
        assert {topic: tuple(k) for (who, topic), k in first.items() if who == viewer} == expected


def renamed(game):
    lines = "\n".join(game.log)
    for old, new in zip(NAMES, OTHERS, strict=True):
        lines = lines.replace(f'"{old}"', f'"{new}"')
    return replay(signed(lines.split("\n")))


def test_other_names_change_the_names_alone(game, found):
    told = tale(game, found).to_text()
    for old, new in zip(NAMES, OTHERS, strict=True):
        told = re.sub(rf"\b{old}\b", new, told)
    other = renamed(game)
    assert tale(other, facts(other)).to_text() == told


def test_the_story_is_a_function_of_the_log(game, tmp_path):
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        log.write(log.game.undo())
        log.write(game)
    assert tale(replay(tmp_path / "g.jsonl")) == tale(game)
    half = game.at(len(game.steps) // 2)
    assert tale(replay(replay(game.log, since=half).log, since=game)) == tale(game)


def test_the_page_needs_nothing_else(game, found):
    assert len(grids(game)[0].header) == 4  # without the numbers of players
    for language in LANGUAGES:
        page = in_language(tale(game, found), language).to_page()
        assert f'<html lang="{language}">' in page
        assert not re.search(r"(src|href)\s*=|url\(|<script", page)
        assert json.loads(game.log[-1])["check"] not in page
        levels = [int(level) for level in re.findall(r"<h(\d)>", page)]
        assert levels[:2] == [1, 2]
        assert max(b - a for a, b in pairwise(levels)) == 1


def test_votes_are_told_where_they_were_counted():
    game = QuantumWerewolf(NAMES, wolves=1, rules="straat", rng=1).end_phase().vote_off("Bob")
    votes = {(game.states[1].phase.position, 0): "Votes: Bob 3."}
    assert "Votes: Bob 3. Bob is voted off" in tale(game, votes=votes).to_text()


def test_what_is_not_known_is_said():
    game = played("straat", 0)
    found = dict.fromkeys(to_ask(game), "too large")
    text = tale(game, found).to_text()
    number = len(phase_ends(game))
    assert text.count(f"{number} of {number} questions are left out") == 2


def three_nights(rules, seed):
    chance = random.Random(seed)
    game = QuantumWerewolf(list("ABCDEFGH"), rules=rules, wolves=3, rng=seed)
    while game.verdict is None and not (game.phase.kind == "vote" and game.phase.number > 3):
        voting = game.phase.kind == "vote"
        game = game.vote_off(chance.choice(game.alive)) if voting else game.end_phase(missing="random")
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
def test_a_model_is_built_once_for_each_player_and_only_at_the_end(rules, seed, monkeypatch):
    """The news of eight players and three nights are counted, until a game is over."""
    built, start, ends = [], game_models.first_model, []
    monkeypatch.setattr(game_models, "first_model", lambda *a, **how: built.append(a[0]) or start(*a, **how))
    game = three_nights(rules, seed)
    for asked in to_ask(game):
        if asked[1] == "facts":
            assert not isinstance(knowledge_after(game, asked), str)
            ends.append(len(built))
    assert not any(ends[:-1])
    players = [known.player for known in built]
    assert len(players) == len({*players})
    assert game.verdict is not None or not players
