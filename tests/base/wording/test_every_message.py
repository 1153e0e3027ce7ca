"""Whatever is said in games is said in every language, without an error and with all its values."""

import re

import pytest
from fluent.syntax import FluentParser
from fluent.syntax.visitor import Visitor

from kripke_werewolf.base.wording import sentences as wording
from tests.base.wording.test_catalogues import ENGLISH, catalogue


def test_every_message_is_said_somewhere():
    folders = (path for path in wording._HOME.parents[1].iterdir() if path.is_dir())
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
    said, keys = wording._catalogue(language).said, choices(language)
    own = {*re.findall("[A-Za-z]{4,}", (wording._HOME / f"{language}.ftl").read_text(encoding="utf-8"))}
    english = {*re.findall("[a-z]{4,}", (wording._HOME / "en.ftl").read_text(encoding="utf-8"))} - own
    for message, names in catalogue(wording._HOME / f"{language}.ftl").items():
        for given in forms(sorted(names), keys):
            told = said(message, given)
            assert told or message == "page-space", (message, given)
            assert "{" not in told
            assert not {*re.findall("[A-Za-z]{4,}", told)} & english - {*given.values()}, told
