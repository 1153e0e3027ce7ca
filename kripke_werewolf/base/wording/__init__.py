"""Sentences for players, in their languages: one catalogue in Fluent's format for each.

>>> from kripke_werewolf.base.wording import Sentence, in_language
>>> noted = Sentence("noted-choice", actor="Ann")
>>> print(noted, in_language(noted, "nl"), sep="; ")
noted: Ann has chosen; genoteerd: Ann heeft gekozen

* A `Sentence` is an English string that also keeps its meaning. Formulas and explanations are plain strings.
* `in_language` translates all sentences in a value (a view, a document, a list).
* `LANGUAGES` are the languages with a catalogue here, `known_language` also reads a file of your own.
"""

from kripke_werewolf.base.wording.sentences import (
    ENGLISH,
    LANGUAGES,
    Sentence,
    divided,
    in_language,
    known_language,
    page_words,
    sequence,
    word,
)

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "Sentence",
    "divided",
    "in_language",
    "known_language",
    "page_words",
    "sequence",
    "word",
]
