"""Our reader of catalogues, held against another one of Fluent's format, and against the CLDR."""

import random
import re
from pathlib import Path

import pytest

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.base.wording import LANGUAGES
from kripke_werewolf.base.wording import sentences as wording
from kripke_werewolf.base.wording.fluent import Wording

pytest.importorskip("fluent.runtime")
from babel import Locale
from babel.lists import format_list
from babel.numbers import format_percent
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser, FluentSerializer, ast
from fluent.syntax.visitor import Visitor

REGIONS = {"en": "en_GB"}
NUMBERS = (0, 1, 2, 5, 11, 21, 1234, 1_000_000)
STRINGS = (
    "Ann",
    "Mary Ann",
    "Zoë",
    "猫",
    "yes",
    "no",
    "none",
    "wolf",
    "seer",
    "66.7%",
    "<0.1%",
    "100%",
    "1.5",
)
HOME = Path(__file__).parents[3]


class Listed(str):
    items: list[str]


class Other:
    """A catalogue as fluent.runtime and Babel say it."""

    def __init__(self, text, language):
        self.locale = Locale.parse(REGIONS.get(language, language))
        functions = {"LIST": self.listed, "WORD": self.worded}
        self.bundle = FluentBundle([str(self.locale).replace("_", "-")], functions, use_isolating=False)
        self.bundle.add_resource(FluentResource(text))

    def joined(self, items):
        comma = self.locale.list_patterns["standard"]["middle"]
        found = Listed(items[0] if items else "")
        for item in items[1:]:
            found = Listed(comma.format(found, item))
        found.items = items
        return found

    def listed(self, value):
        return format_list(value.items, locale=self.locale) if isinstance(value, Listed) else value

    def worded(self, value):
        if isinstance(value, Listed):
            return self.joined([self.worded(item) for item in value.items])
        if found := re.fullmatch(r"([<>]?)(\d+)(?:\.(\d+))?%", str(value)):
            sign, whole, digits = found.groups()
            share = float(f"{whole}.{digits or 0}") / 100
            shape = self.locale.percent_formats[None].pattern.replace("#,##0", "0." + "0" * len(digits or ""))
            return sign + format_percent(
                share, shape.replace(". ", " ").replace(".%", "%"), locale=self.locale
            )
        name = f"word-{value}".replace(" ", "-")
        return self.said(name, {}) if self.bundle.has_message(name) else value

    def said(self, message, values):
        given = {n: self.joined(v) if isinstance(v, list) else v for n, v in values.items()}
        told, errors = self.bundle.format_pattern(self.bundle.get_message(message).value, given)
        return None if errors else str(told)


class Mentioned(Visitor):
    """The variables of a message, the forms of each, and the messages that it quotes."""

    def __init__(self):
        self.forms, self.quoted = {}, set()

    def visit_VariableReference(self, node):
        self.forms.setdefault(node.id.name, set())

    def visit_MessageReference(self, node):
        self.quoted.add(node.id.name)

    def visit_SelectExpression(self, node):
        keys = (getattr(v.key, "name", None) or int(v.key.value) for v in node.variants)
        self.forms.setdefault(node.selector.id.name, set()).update(keys)
        self.generic_visit(node)


def mentioned(text):
    """Return for each message its variables, also those of the messages that it quotes, and their forms."""
    found = {}
    for item in FluentParser().parse(text).body:
        if isinstance(item, ast.Message):
            found[item.id.name] = Mentioned()
            found[item.id.name].visit(item)

    def whole(name):
        forms = {variable: set(keys) for variable, keys in found[name].forms.items()}
        for quoted in found[name].quoted & found.keys():
            for variable, keys in whole(quoted).items():
                forms.setdefault(variable, set()).update(keys)
        return forms

    return {name: whole(name) for name in found}


def some_value(chance, keys):
    """Return a value; for a variable with numbers as forms none that is called like a plural.

    (The other reader takes the string "one" for the number 1.)
    """
    if any(isinstance(key, int) for key in keys) or chance.random() < 0.2:
        return chance.choice(NUMBERS)
    if chance.random() < 0.2:
        return [chance.choice(STRINGS) for _ in range(chance.randrange(4))]
    return chance.choice([*STRINGS, *sorted(keys)])


def read(language):
    return (wording._HOME / f"{language}.ftl").read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_what_another_reader_says(language, seed):
    text, chance = read(language), random.Random(seed)
    ours, other = wording._catalogue(language), Other(text, language)
    for message, variables in mentioned(text).items():
        for _ in range(8 if variables else 1):
            values = {name: some_value(chance, keys) for name, keys in variables.items()}
            assert ours.said(message, values) == other.said(message, values), (message, values)


def some_words(chance, depth):
    """Return random words: text of several lines, variables, functions, other messages, choices."""
    parts = []
    for _ in range(chance.randint(1, 4)):
        kind = chance.choice(["text", "string", "variable", "list", "word", "quoted", "choice"])
        variable = ast.VariableReference(ast.Identifier(chance.choice("ab")))
        if kind == "text":
            lines = ["and so,", "[it] is *true*.", "\n\nUnd wenn =", "zwei  ", "# drei", "\nthe last"]
            text = chance.choice(lines)
            if not (parts and isinstance(parts[-1], ast.TextElement)):
                parts.append(ast.TextElement(text))
        elif kind == "choice" and depth:
            keys = [*chance.sample(["yes", "no", "one", "few", "other", "few"], 2), "last"]
            keys = [ast.Identifier(key) for key in dict.fromkeys(keys)]
            keys.insert(0, ast.NumberLiteral(str(chance.randrange(3))))
            forms = [ast.Variant(key, some_words(chance, depth - 1), key is keys[-1]) for key in keys]
            parts.append(ast.Placeable(ast.SelectExpression(variable, forms)))
        else:
            arguments = ast.CallArguments([variable])
            expressions = {
                "string": ast.StringLiteral(chance.choice(["", " ", "{", "  a}"])),
                "list": ast.FunctionReference(ast.Identifier("LIST"), arguments),
                "word": ast.FunctionReference(ast.Identifier("WORD"), arguments),
                "quoted": ast.MessageReference(ast.Identifier("quoted")),
            }
            parts.append(ast.Placeable(expressions.get(kind, variable)))
    return ast.Pattern(parts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_random_messages_are_what_another_reader_says(language):
    manners = "\n".join(re.findall(r"^language-.*(?:\n .*)*", read(language), flags=re.MULTILINE))
    for seed in range(150):
        chance = random.Random(f"{language} {seed}")
        some = ast.Message(ast.Identifier("some"), some_words(chance, 2))
        text = f"quoted = it\nword-wolf = loup\n{FluentSerializer().serialize(ast.Resource([some]))}"
        parsed = FluentParser().parse(text)
        if any(isinstance(item, ast.Junk) for item in parsed.body):
            continue  # such as words that end in blanks
        ours, other = Wording(f"{text}\n{manners}\n", "x.ftl"), Other(text, language)
        values = {name: some_value(chance, {"few", "last"}) for name in "ab"}
        if (told := other.said("some", values)) is not None:
            assert ours.said("some", values) == told, text


# --- plurals -----------------------------------------------------------------------------------------

PLURALS = {
    "ru": """{ $last-two ->
        [11] many
        [12] many
        [13] many
        [14] many
       *[other] { $last ->
            [1] one
            [2] few
            [3] few
            [4] few
           *[other] many
        }
    }""",
    "lv": """{ $last-two ->
        [11] zero
        [12] zero
        [13] zero
        [14] zero
        [15] zero
        [16] zero
        [17] zero
        [18] zero
        [19] zero
       *[other] { $last ->
            [0] zero
            [1] one
           *[other] other
        }
    }""",
}


def own(folder, text, name="own"):
    path = folder / f"{name}.ftl"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_plurals_are_those_of_the_cldr(tmp_path):
    page = (HOME / "docs" / "languages.md").read_text(encoding="utf-8")
    told = {"pl": re.search(r"language-plural = (\{.*?^\})", page, re.DOTALL | re.MULTILINE)[1]} | PLURALS
    given = {name: own(tmp_path, f"language-plural = {rule}\n", name) for name, rule in told.items()}
    for name, path in (given | {language: language for language in LANGUAGES}).items():
        plural = Locale.parse(name).plural_form
        for number in (*range(300), 1111, 123_456):
            assert wording._catalogue(path).plural(number) == plural(number), (name, number)


@pytest.mark.parametrize(
    "rule",
    ["eins", "{ $m }", "{ language-plural }", "{ $n ->\n [1] one\n *[other] others\n }"],
)
def test_a_plural_has_one_of_six_names(rule, tmp_path):
    expected = r"own\.ftl, line 2, .*: expected one of few, many, one, other, two, zero, by \$n,"
    with pytest.raises(FormatError, match=expected):
        wording.known_language(own(tmp_path, f"noted = x\nlanguage-plural = {rule}\n"))


def test_a_form_that_no_number_has_is_refused(tmp_path):
    text = "worlds = { $n ->\n    [one] x\n    [few] y\n   *[other] z\n  }\n"
    with pytest.raises(FormatError, match=r"own\.ftl, line 3, .*: no number is 'few': see language-plural"):
        wording.known_language(own(tmp_path, text))
    assert wording.known_language(own(tmp_path, f"{text}language-plural = few\n"))


# --- what is refused ---------------------------------------------------------------------------------

REFUSED = {
    "-brand = Wolf": (1, "expected a message"),
    "noted = x\n.title = y": (2, "expected a message"),
    "noted": (1, "expected a message"),
    "\tnoted = x": (1, "expected a message"),
    "noted = x\n    .title = y": (2, "expected words or the next message"),
    "noted = x }": (1, "expected words or the next message"),
    "noted = x\n    [one] y": (2, "expected words or the next message"),
    "noted =": (1, "expected words"),
    "noted = { $n ->\n    [one]\n   *[other] y\n}": (3, "expected words"),
    "noted = { NUMBER($n) }": (1, "expected $name"),
    "noted = { -brand }": (1, "expected $name"),
    "noted = { over.title }": (1, "expected $name"),
    "noted = { 5 }": (1, "expected $name"),
    'noted = { "\\u00a0" }': (1, "expected $name"),
    "noted = { { $n } }": (1, "expected $name"),
    "noted = { LIST() }": (1, "expected $name"),
    "noted = { LIST($names, 1) }": (1, "expected ')'"),
    "noted = x { $n": (1, "expected '}'"),
    "noted = { WORD($n) ->\n   *[other] x\n}": (1, "expected '}'"),
    "noted = { $n ->\n    [one] x\n}": (3, "expected forms"),
    "noted = { $n -> [one] x *[other] y }": (1, "expected forms"),
    "noted = { $n ->\n   *[one] x\n   *[other] y\n}": (4, "expected forms"),
    "noted = { $n ->\n    [1.5] x\n   *[other] y\n}": (2, "expected forms"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_read_is_refused_with_its_line(text, tmp_path):
    line, expected = REFUSED[text]
    with pytest.raises(FormatError) as raised:
        wording.known_language(own(tmp_path, f"# Westfrysk\n\n{text}\n\nover = y\n"))
    assert f"own.ftl, line {line + 2}, column" in str(raised.value)
    assert expected in str(raised.value)


def test_blanks_lines_and_comments():
    text = "# a\n## b\n\nnoted =\n    { $n } is,\n      noted\n\n    here \n# c\n"
    text += "over={$n ->\n[one]x\n*[other]y { $n }}\n"
    read = Wording(text, "x.ftl", wording._catalogue("en"))
    assert read.said("noted", {"n": 1234}) == "1,234 is,\nnoted\n\nhere"
    assert [read.said("over", {"n": n}) for n in (1, 2)] == ["x", "y 2"]
    assert read.messages["over"].variables == ["n", "n"]


def test_a_word_of_the_game_that_needs_values_is_only_a_name():
    assert wording.word("of the game") == "of the game"
