"""Whatever is said in games is said in every language, without an error and with all its values."""

import random
import re
from itertools import product

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.visitor import Visitor

from kripke_werewolf import GameError, QuantumWerewolf, preset
from kripke_werewolf.werewolf import PRESETS, rule_sheet
from kripke_werewolf.werewolf.events import PhaseEnded
from kripke_werewolf.werewolf.tale import knowledge_after, report, tale, to_ask
from kripke_werewolf.wording import sentences as wording
from tests.wording.test_catalogues import ENGLISH, catalogue
from tests.wording.test_evenings_in_languages import SETTINGS, Guest, evening, master

SEEDS = range(2)


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """All that was said at some evenings: messages with their values."""
    found = dict[wording._Meaning, None]()
    told = wording._told

    def heard(meaning, language):
        found[meaning] = None
        return told(meaning, language)

    patch = pytest.MonkeyPatch()
    patch.setattr(wording, "_told", heard)
    try:
        for seed, kind in product(SEEDS, SETTINGS):
            folder = tmp_path_factory.mktemp("evening")
            evening(folder, kind, seed, "en", Guest(random.Random(seed)))
            master(tmp_path_factory.mktemp("evening"), kind, seed, "en")
            game = played(kind, seed)
            report(game, plots=False)
            tale(game, {one: knowledge_after(game, one, 0.01) for one in to_ask(game)})
        for name, deal, targets in product(PRESETS, ("quantum", "classical"), ("secret", "public")):
            cards = {"hunter": 1, "cupid": 1}
            cards |= {} if name == "straat" else {"witch": 2, "fox": 1, "bodyguard": 1}
            for more in ({}, cards):
                rule_sheet(preset(name), deal=deal, targets=targets, cards=more)
    finally:
        patch.undo()
    return tuple(found)


def played(kind, seed):
    """Return a game that was played to its end by lot."""
    settings = {"rules": "cisra", **SETTINGS[kind]}
    chance = random.Random(seed)
    game = QuantumWerewolf(["Ann", "Bo", "Cy", "Di", "Ed"], rng=seed, **settings)
    for _ in range(40):
        if game.verdict is not None:
            break
        if game.phase.kind == "vote" and not game.state.naming:
            game = game.vote_off(chance.choice(game.alive))
            continue
        try:
            game = game.end_phase(missing="random")
        except GameError:
            game = game.end_phase(missing="pass")
    for name in game.players:
        str(game.handout(name))
    assert any(isinstance(event, PhaseEnded) for event in game.events)
    return game


@pytest.mark.parametrize("language", wording.LANGUAGES)
def test_in_every_language(said, language):
    bundle = wording._bundle(language)
    for meaning in said:
        given = {name: wording._given(value, language) for name, value in meaning.values}
        told, errors = bundle.formatted(meaning.message, given)
        assert not errors, (meaning, errors)
        assert "{" not in told, meaning
        assert told.strip() or meaning.message in ("word", "list"), meaning


def test_most_messages_are_said(said):
    """The others are refusals that are rare, and the words of phones."""
    known = {name for name in ENGLISH if not re.match("page-|word-|typed-", name)}
    heard = {meaning.message for meaning in said}
    assert len(known & heard) > len(known) / 2, sorted(known - heard)


def test_every_message_is_said_somewhere():
    folders = (path for path in wording._HOME.parent.iterdir() if path.is_dir())
    code = "\n".join(path.read_text(encoding="utf-8") for f in folders for path in f.rglob("*.py"))
    english = (wording._HOME / "en.ftl").read_text(encoding="utf-8")
    said = {*re.findall(r"[\"'](?=([\w-]+)[\"'])", code), *re.findall(r"\{ ([\w-]+) \}", english)}
    assert [n for n in ENGLISH if n not in said and not re.match("page-|word-|typed-", n)] == []


class Choices(Visitor):
    """The variants of a catalogue by variable."""

    def __init__(self):
        self.found = dict[str, dict[str, None]]()

    def visit_SelectExpression(self, node):
        keys = (getattr(one.key, "name", None) or one.key.value for one in node.variants)
        self.found.setdefault(node.selector.id.name, {}).update(dict.fromkeys(keys))
        self.generic_visit(node)


def choices(language):
    found = Choices()
    text = (wording._HOME / f"{language}.ftl").read_text(encoding="utf-8")
    found.visit(FluentParser().parse(text))
    return found.found


def forms(names, keys):
    """Yield values for the variables of a message: each variant of each, the others as at first."""
    numbers = ("n", "count", "steps")
    first = {name: next(iter(keys.get(name, {})), "XY") for name in names}
    first |= {name: 5 for name in names if name in numbers}
    for name in ("", *names):
        for key in keys.get(name, {"XY": None}) if name not in numbers else {"0": 0, "1": 1, "2": 2, "x": 7}:
            value = {"0": 0, "1": 1, "2": 2, "x": 7}.get(key, key) if name in numbers else key
            yield first | ({name: value} if name else {})


@pytest.mark.parametrize("language", wording.LANGUAGES)
def test_every_form_of_every_message(language):
    """No missing value, nothing empty, and no English word that the language does not have."""
    bundle, keys = wording._bundle(language), choices(language)
    own = {*re.findall("[A-Za-z]{4,}", (wording._HOME / f"{language}.ftl").read_text(encoding="utf-8"))}
    english = {*re.findall("[a-z]{4,}", (wording._HOME / "en.ftl").read_text(encoding="utf-8"))} - own
    for message, names in catalogue(wording._HOME / f"{language}.ftl").items():
        for given in forms(sorted(names), keys):
            told, errors = bundle.formatted(message, given)
            assert not errors, (message, given, errors)
            assert told or message == "page-space", (message, given)
            assert "{" not in told
            assert not {*re.findall("[A-Za-z]{4,}", told)} & english - {*given.values()}, told
