"""Sentences for players, in their languages: one catalogue in Fluent's format for each.

>>> from kripke_werewolf.base.wording import Sentence, in_language
>>> noted = Sentence("noted-choice", actor="Ann")
>>> print(noted, in_language(noted, "nl"), sep="; ")
noted: Ann has chosen; genoteerd: Ann heeft gekozen

* A `Sentence` is an English string that also keeps its meaning. Formulas and explanations are plain strings.
* `in_language` translates all sentences in a value (a view, a document, a list).
* `LANGUAGES` are the languages with a catalogue here, `known_language` also reads a file of your own.
"""

from kripke_werewolf.base.usage import load_later as _load_later
from kripke_werewolf.base.wording.sentences import ENGLISH as ENGLISH
from kripke_werewolf.base.wording.sentences import LANGUAGES as LANGUAGES
from kripke_werewolf.base.wording.sentences import Sentence as Sentence
from kripke_werewolf.base.wording.sentences import divided as divided
from kripke_werewolf.base.wording.sentences import in_language as in_language
from kripke_werewolf.base.wording.sentences import known_language as known_language
from kripke_werewolf.base.wording.sentences import page_words as page_words
from kripke_werewolf.base.wording.sentences import sequence as sequence
from kripke_werewolf.base.wording.sentences import word as word

_load_later(__name__)
