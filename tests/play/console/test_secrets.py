"""Secrets on one shared device: the others' screens depend only on public information.

Pairs of games with the same settings and the same public answers, but other seeds, deals, numbers and private
answers: as long as the same was made public in both, the others see the same bytes, the same players get the
device, and each is asked the same number of questions.
"""

import random
import re
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kripke_werewolf import LogFile, QuantumWerewolf, preset
from kripke_werewolf.games.werewolf.log import HouseRules
from kripke_werewolf.games.werewolf.tale import ending
from kripke_werewolf.play.console.commands import parse_command, submitted
from kripke_werewolf.play.console.screens import Rounds
from kripke_werewolf.play.tabletop import DEVICE, Keeper
from tests.play.console.terminal import Listed

NAMES = ["Ann", "Bo", "Cy", "Di", "Ed"]
PUBLIC = re.compile(r"\nHand the device|(day|night) [^>]*> |The game is over|Press Enter[.]$")
HANDING = [
    "status",
    "table",
    "end",
    "end pass",
    "undo",
    "undo 2",
    "undo 9",
    "undo phase",
    "help",
    "vote Bo as wolf",
]
NIGHT = ["", "", "end", "end pass", "end random", "undo", "status"]
VARIANTS = {
    "cisra": preset("cisra"),
    "cisra, as one night": preset(
        "cisra", opening=("night",), cycle=("vote", "night"), attack_must_be_possible=False
    ),
    "gekka": preset("gekka"),
    "gekka, in numbers": preset("gekka", table="anonymous"),
    "straat": preset("straat"),
    "straat, two votes": preset("straat", burnings=2, vision_compulsory=False),
}


@dataclass(frozen=True)
class Frame:
    """A prompt: the text that others see, and the public information at its time."""

    seen: str
    """The screen with the prompt; nothing of those that one player sees."""
    shape: str
    """The prompt alone."""
    outline: object
    """Who was alive when, in public."""
    known: object
    """Everything that was public."""


class Table:
    """Answers public prompts from one random source, private ones from another; keeps what others see."""

    def __init__(self, session, public, secret, prompts=120):
        self.session, self.public, self.secret = session, random.Random(public), random.Random(secret)
        self.prompts, self.frames = prompts, []

    def __call__(self, prompt, terminal):
        if len(self.frames) == self.prompts:
            return None
        public = PUBLIC.match(prompt)
        screen = terminal.screens[-1]
        seen, shape = (screen + prompt, prompt) if public else ("", "")
        self.frames.append(Frame(seen, shape, *public_information(self.session.game)))
        first, second = self.public.random(), self.public.random()
        return (
            self.in_public(prompt, first, second)
            if public
            else self.in_private(prompt, screen, first, second)
        )

    def in_public(self, prompt, first, second):
        names = self.session.game.alive
        if prompt.startswith("day"):
            options = [*names, *names, " ".join(names[:2]), "end", "undo", "table", "status", "undo phase"]
        elif prompt.startswith("night"):
            options = NIGHT
        else:
            options = HANDING if "Hand" in prompt and first < 0.1 else [""]
        return options[int(second * len(options))]

    def in_private(self, prompt, screen, first, second):
        if "Whom do you" not in prompt and "Name somebody" not in prompt:
            return ""
        if first < 0.1:
            return "later"
        if "nobody" in prompt and self.secret.random() < 0.3:
            return "nobody"
        game, name = self.session.game, screen.split(",")[0]
        action = "vision" if "look at" in prompt else "attack"
        counts = "Whom do you" in prompt
        targets = game.legal_targets(name, action) if counts else [n for n in game.alive if n != name]
        if game.setup.targets == "public":
            return targets[int(second * len(targets))]
        return self.secret.choice(targets)


def public_information(game):
    """Return who was alive when, and all public information; at night as at its beginning."""
    acting = game.verdict is None and game.phase.kind != "vote"
    until = len(game.steps)
    while acting and until and game.at(until - 1).phase == game.phase:
        until -= 1
    return information_after(game.at(until))


@lru_cache(maxsize=1000)
def information_after(game):
    moments = [game.at(step) for step in range(len(game.steps) + 1)]
    phases = [
        (str(now.phase), now.alive) for now in moments if now.phase.kind == "vote" or now is moments[-1]
    ]
    announced = [m.text for now in moments for m in now.news if m.to is None]
    tables = [now.table(public=True).to_text() for now in moments if now.table_due]
    told = ending(game).table.to_text() if game.verdict else ""  # the end tells everything
    return (phases, game.verdict), (phases, game.verdict, announced, tables, told)


def played(folder, rules, deal, targets, missing, public, secret):
    numbers = "shuffled" if rules.table == "anonymous" else None
    settings = {"deal": deal, "targets": targets, "numbers": numbers, "rng": secret}
    game = QuantumWerewolf(NAMES, rules=rules, wolves=1, **settings)
    with LogFile.create(Path(folder) / f"{secret}.jsonl", game) as log:
        session = Keeper(log, DEVICE, house=HouseRules(missing=missing), seed=secret)
        table = Table(session, public, secret)
        Rounds(session, Listed(table)).run()
    return table.frames


def check_same(one, other):
    """Check that screens agree as long as public information does; return the number of such prompts."""
    same = same_outline = 0
    for a, b in zip(one, other, strict=False):
        if a.known != b.known:
            break
        assert a.seen == b.seen
        same += 1
    for a, b in zip(one, other, strict=False):
        if a.outline != b.outline:
            break
        assert a.shape == b.shape
        same_outline += 1
    if same_outline == min(len(one), len(other)):
        assert len(one) == len(other)
    return same


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("deal", ["quantum", "classical"])
@settings(max_examples=3)
@given(
    targets=st.sampled_from(["secret", "public"]),
    missing=st.sampled_from(["remind", "pass", "random"]),
    public=st.integers(0, 2**32),
    secrets=st.lists(st.integers(0, 2**32), min_size=2, max_size=2, unique=True),
)
def test_the_others_see_what_is_public_alone(variant, deal, targets, missing, public, secrets):
    with tempfile.TemporaryDirectory() as folder:
        frames = [
            played(folder, VARIANTS[variant], deal, targets, missing, public, secret) for secret in secrets
        ]
    same = check_same(*frames)
    handed = sum("Hand the device" in frame.shape for frame in frames[0][:same])
    assert handed >= len(NAMES) or same == len(frames[0])  # at least until something is announced


@pytest.mark.parametrize("late", [None, "Ann"])
@pytest.mark.parametrize(("rules", "rounds"), [("cisra", 2), ("gekka", 3), ("straat", 3)])
def test_every_deal_looks_the_same_until_the_first_vote(tmp_path, rules, rounds, late):
    """K5: everybody could see who had a choice, and whether anybody had looked."""
    views, wolf = {}, "wolf" if rules == "straat" else "alpha"
    for deal in sorted(set(permutations(["seer", wolf, "v", "v", "v"]))):
        rule_set = preset(rules, first_attack=False)
        game = QuantumWerewolf(NAMES, rules=rule_set, wolves=1, deal="classical", roles=deal)
        path = tmp_path / f"{'-'.join(deal)}.jsonl"
        with LogFile.create(path, game) as log:
            session, view = Keeper(log, DEVICE, house=HouseRules(missing="pass"), seed=1), []

            def answer(prompt, terminal, view=view):
                view.append(terminal.screens[-1] + prompt if PUBLIC.match(prompt) else "")
                if "Whom do you" in prompt or "Name somebody" in prompt:
                    name = terminal.screens[-1].split(",")[0]
                    return "later" if name == late else "Bo" if name == "Ann" else "Ann"
                return None if prompt.startswith("day") else ""

            Rounds(session, Listed(answer)).run()
            announced = tuple(message.text for message in session.game.messages if message.to is None)
            looked = any("You look at" in message.text for message in session.game.messages)
            assert looked == (deal[0] != "seer" or late is None)
        assert sum("Hand the device" in seen for seen in view) == rounds * len(NAMES)
        views.setdefault(announced, set()).add(tuple(view))
    assert all(len(seen) == 1 for seen in views.values())
    assert late or len(views) == 1


def test_the_last_to_look_is_told_at_once(tmp_path):
    """Otherwise the device would have to go round again, which shows that nobody after them could look."""
    roles = ["villager", "villager", "seer", "alpha", "villager"]
    game = QuantumWerewolf(NAMES, rules="cisra", wolves=1, deal="classical", roles=roles)
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        session = Keeper(log, DEVICE, house=HouseRules(), seed=1)
        (told,) = session.submit(None, submitted(parse_command("vision Cy Di", game.setup))).messages
        assert (told.to, told.text) == ("Cy", "You look at Di and see: evil.")
        assert session.game.steps == ()
    with LogFile.open(tmp_path / "g.jsonl") as log:
        session = Keeper(log, DEVICE, house=HouseRules(), seed=99)
        assert told in session.submit(None, submitted(parse_command("end", game.setup))).messages


def test_answers_that_do_not_count_are_refused_like_those_that_do(tmp_path):
    roles = ["villager", "villager", "seer", "wolf", "villager"]
    game = QuantumWerewolf(NAMES, rules="straat", wolves=1, deal="classical", roles=roles)
    with LogFile.create(tmp_path / "g.jsonl", game) as log:
        session = Keeper(log, DEVICE, house=HouseRules(), seed=1)
        session.submit(None, submitted(parse_command("end pass", game.setup)))
        session.submit(None, submitted(parse_command("vote Ed", game.setup)))
        answers, questions = {}, {}

        def answer(prompt, terminal):
            if "Whom do you" not in prompt and "Name somebody" not in prompt:
                return None if prompt.startswith("day") else ""
            name = terminal.screens[-1].split(",")[0]
            questions[name] = questions.get(name, 0) + 1
            return next(answers.setdefault(name, iter(["", "Zed", "Ed", "Ann", "", "Zed", "Ed", "Ann"])))

        terminal = Listed(answer)
        Rounds(session, terminal).run()
    assert questions == dict.fromkeys(NAMES[:4], 8)
