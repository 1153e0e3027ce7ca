"""The catalogues: every language says every message, with the same values, and no sentence stands in code."""

import ast
import pickle
import re
from copy import deepcopy
from pathlib import Path

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as ftl
from fluent.syntax.visitor import Visitor

from kripke_werewolf.base.errors import FormatError, UnknownNameError
from kripke_werewolf.base.wording import LANGUAGES, Sentence, in_language, known_language, sequence, word
from kripke_werewolf.base.wording import sentences as wording

OTHERS = [language for language in LANGUAGES if language != "en"]
HINTS = {"action", "command", "do", "does", "english", "kind", "known", "many", "n", "near", "name", "one"}
HINTS |= {"several", "hidden", "ties", "verdict", "how"}
"""Values by which a language chooses or makes words: another one may do without."""


class Found(Visitor):
    def __init__(self):
        self.variables, self.quoted, self.chosen = set(), set(), set()

    def visit_VariableReference(self, node):
        self.variables.add(node.id.name)

    def visit_MessageReference(self, node):
        self.quoted.add(node.id.name)


def catalogue(path):
    """Return what each message mentions: variables, also those of messages that it quotes."""
    found = {}
    for item in FluentParser().parse(Path(path).read_text(encoding="utf-8")).body:
        assert not isinstance(item, ftl.Junk), item.content
        if isinstance(item, ftl.Message):
            assert item.id.name not in found, f"{path}: {item.id.name} stands there twice"
            found[item.id.name] = Found()
            found[item.id.name].visit(item)

    def variables(name):
        return found[name].variables.union(*map(variables, found[name].quoted))

    return {name: variables(name) for name in found}


ENGLISH = catalogue(wording._HOME / "en.ftl")


def missing(path):
    """Return what is wrong with a catalogue: messages that it lacks or has too many, and values."""
    own = catalogue(path)
    wrong = [f"no {name}" for name in ENGLISH if name not in own]
    wrong += [f"an unknown {name}" for name in own if name not in ENGLISH]
    for name in own.keys() & ENGLISH.keys():
        wrong += [f"{name}: {value}" for value in (own[name] ^ ENGLISH[name]) - HINTS]
    return wrong


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_every_message_with_the_same_values(language):
    assert missing(wording._HOME / f"{language}.ftl") == []


def test_a_message_or_a_value_that_is_missing_is_found(tmp_path):
    lines = (wording._HOME / "nl.ftl").read_text(encoding="utf-8").split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith("collapsed ="))
    path = tmp_path / "nl.ftl"
    path.write_text("\n".join(lines[:place] + lines[place + 1 :]), encoding="utf-8")
    assert missing(path) == ["no collapsed"]
    path.write_text(
        "\n".join(lines).replace("lot-among = { LIST($tied) }", "lot-among = Ze"), encoding="utf-8"
    )
    assert missing(path) == ["lot-among: tied"]


HOME = Path(wording.__file__).parents[2]
OWN = [
    *(HOME / "play" / "console").glob("*.py"),
    *(HOME / "play" / "tabletop").glob("*.py"),
    *(
        HOME / "games" / "werewolf" / f"{name}.py"
        for name in ("events", "rulesheet", "state", "table", "tale", "telling", "told")
    ),
]
ERRORS = ("FormatError", "TypeError", "NotCovered", "KeyError", "GameError", "ValueError")
"""Errors about files, settings and programs, which no player at a table causes."""
REPORTS = {"compared.py", "keeper.py", "evenings.py"}
"""For programmers: the audit; the log. For the person who keeps the logs: statistics over them."""
REASONS = {
    "what is typed": ["wolf werewolf", "pass skip", "burn lynch", "done nobody", "go continue", "look see"],
    "the name of a word": ["rule of "],
    "the name of an action model": ["the vote for ", " with certainty (", " is not "],
    "the help of an option": ["--rules: The rule set", "by default straat"],
    "values of the rules": ["before deaths", "all wolves"],
    "names of the manners of a table": ["a game master enters", "one device is", "everybody has a phone"],
    "errors in the data of a device or a log": [
        *(
            "the command ",
            "the flow of",
            "a request of",
            "a list of",
            "true or false",
            "an integer",
            "an object",
            "the name of",
        ),
        *("the event ", "werewolf handout"),
    ],
    "names of action models": ["the death of ", "the verdict and", "the forced"],
    "of a result that only the game master forces": [" cannot show "],
    "the game master's answer to a question": [
        "; what was announced",
        "since it is about nobody",
        "neither yes nor no",
    ],
}


def prose(tree):
    """Yield strings with two words or more that a module may show, f-strings by their parts."""
    quiet = set()
    for node in ast.walk(tree):
        docs = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        raised = isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
        error = raised and ast.unparse(node.exc.func) in ERRORS
        named = isinstance(node, ast.Call) and ast.unparse(node.func) in ("word", "Sentence")
        if docs or error or named:
            quiet |= {id(part) for part in (node.args if named else ast.walk(node))}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quiet:
            yield node.lineno, node.value


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_sentence_for_players_stands_in_code(path):
    excused = [text for texts in REASONS.values() for text in texts]
    said = [] if path.name in REPORTS else prose(ast.parse(path.read_text(encoding="utf-8")))
    found = [(line, text) for line, text in said if re.search(r"[A-Za-z]{2,} [a-z]{2,}", text)]
    found = [one for one in found if not re.search(r"[A-Z]{4}|[{}&|~]", one[1])]  # usages and formulas
    assert [one for one in found if not any(text in one[1] for text in excused)] == []


def test_the_search_finds_sentences():
    assert list(prose(ast.parse("show(f'{name} is dead')"))) == [(1, " is dead")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_plurals_and_missing_words(language):
    one, many = (Sentence("worlds", n=n).told(language) for n in (1, 1234))
    assert "1" in one
    assert re.search(r"1[.,]?234", many)
    names = Sentence("is-dead", player="{x}").told(language)
    assert "{x}" in names
    assert Sentence("word", word="Alice the 1st").told(language) == "Alice the 1st"
    assert Sentence("word", word="wolf").told(language) != "word-wolf"


def test_sentences_are_strings_and_values():
    nested = sequence("", Sentence("collapsed"), Sentence("found-dead", player="Ann", announced=None))
    assert nested == "Nothing can change any more; one world is drawn. Ann is found dead."
    for copy in (pickle.loads(pickle.dumps(nested)), deepcopy(nested), str(nested)):
        assert copy == nested
        assert copy.told("nl") == nested.told("nl") != nested
    assert str(ValueError(nested)).told("de") == nested.told("de")
    assert in_language({"a": [nested, ("Ann", 1)]}, "ja") == {"a": [nested.told("ja"), ("Ann", 1)]}
    assert in_language(nested, "en") is nested


def test_a_language_is_a_name_or_a_file(tmp_path):
    with pytest.raises(UnknownNameError, match="unknown language 'klingon'"):
        known_language("klingon")
    broken = tmp_path / "fr.ftl"
    broken.write_text("noted = noté\ncollapsed = {", encoding="utf-8")
    with pytest.raises(FormatError, match=r"fr\.ftl, line 2, column 14: expected \$name"):
        known_language(str(broken))
    own = tmp_path / "fy.ftl"
    own.write_text("collapsed = It is dien.\nis-dead = { $nobody }\n", encoding="utf-8")
    assert Sentence("collapsed").told(known_language(str(own))) == "It is dien."
    assert Sentence("is-dead", player="Ann").told(str(own)) == "Ann is dead"  # its own is wrong
    assert Sentence("noted").told(str(own)) == "noted"


@pytest.mark.parametrize(
    "text",
    [
        "noted = { noted }",
        "noted = { collapsed }\ncollapsed = { noted }",
        "collapsed = { $n ->\n   *[other] { noted }\n }\nnoted = { collapsed }",
    ],
)
def test_a_message_that_quotes_itself_is_said_in_english(tmp_path, text):
    own = tmp_path / "fy.ftl"
    own.write_text(f"{text}\nword-wolf = {{ word-wolf }}\ngame-over = Dien.\n", encoding="utf-8")
    language = known_language(str(own))
    assert Sentence("noted").told(language) == "noted"
    assert word("wolf").told(language) == "wolf"
    assert Sentence("game-over").told(language) == "Dien."
