"""A language for tests: the English catalogue with every text in capitals, so that other text is seen."""

import re

import pytest

import kripke_werewolf.base.wording.sentences as wording

pytest.importorskip("fluent.syntax")
from fluent.syntax import FluentParser, FluentSerializer, ast
from fluent.syntax.visitor import Transformer


class Shouted(Transformer):
    def visit_Message(self, node):
        return node if node.id.name == "language-plural" else self.generic_visit(node)

    def visit_TextElement(self, node):
        return ast.TextElement(node.value.upper())

    def visit_StringLiteral(self, node):
        return node


def pseudo_language(folder):
    """Return the path of a catalogue made from the English one, in one file and without Python."""
    text = (wording._HOME / "en.ftl").read_text(encoding="utf-8")
    path = folder / "xx.ftl"
    shouted = Shouted().visit(FluentParser().parse(text))
    path.write_text(FluentSerializer().serialize(shouted), encoding="utf-8")
    return str(path)


def unspoken(text, known):
    """Return the words of a text with small letters that are no names: they came from no catalogue."""
    for word in sorted(known, key=len, reverse=True):
        text = text.replace(word, " ")
    return [word for word in re.findall(r"[^\W\d_]+", text) if word != word.upper()]
