"""Readers who do not understand a story, and how often they guess right nevertheless.

Some follow a rule, some nest nothing, and some learn from the words: from two thirds of the groups of a set,
to be tested on the others. What they get is what a set gives away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations, pairwise
from operator import attrgetter
from typing import Any
from zlib import crc32

from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.research.forge.family import YES_NO, StoryItem, likeness

ALLOWED = 0.55
"""The share of items that a reader may get right who does not understand them."""
LEARNING = find_spec("sklearn") is not None
"""Whether the package is there with which readers learn (extra 'readers')."""
_FOLDS, _LAST, _NOT_NAMES = 3, 12, {"Where", "Who", "Does", "Is", "Merlin"}
_ROLES = ("Q0", "Q1", "Q2", "X", "Y", "Z")  # of words: people in the question, two answers, other places


def guessed(items: Sequence[StoryItem]) -> dict[str, list[bool | None]]:
    """Return by reader which items they get right, None where they have no answer.

    The readers: the same answer always, or the same position; the shortcuts of the items; and those who learn
    from words, pairs of words, the positions of sentences, and their likeness, if scikit-learn is installed.
    They are told which two answers a group has, and say whether it is the one that is named later.
    """
    found = {"the best label": _constant(items, attrgetter("answer"))}
    found["the best position"] = _constant(items, lambda one: [*one.choices, one.answer].index(one.answer))
    for name in dict.fromkeys(name for item in items for name in item.shortcuts):
        found[name] = [one.shortcuts[name] == one.answer if name in one.shortcuts else None for one in items]
    named = grouped((_group(item), item.answer) for item in items)
    both = {name: sorted({*answers}) for name, answers in named.items()}
    pairs = [[*YES_NO] if item.choices == YES_NO else both[_group(item)] for item in items]
    if LEARNING and all(len(pair) == 2 for pair in pairs) and len(both) >= _FOLDS:
        told = [_Told(item, pair) for item, pair in zip(items, pairs, strict=True)]
        for name, (features, learner) in _LEARNERS.items():
            late = [own.late for own in told]
            found[name] = _learnt([features(own) for own in told], late, items, learner())
    return found


def cues(items: Sequence[StoryItem]) -> dict[str, float]:
    """Return the readers who are right more often than is allowed, by more than two standard errors."""
    found = dict[str, float]()
    for name, right in guessed(items).items():
        told = [(item.order, own) for item, own in zip(items, right, strict=True) if own is not None]
        for own in grouped(told).values():
            if sum(own) / len(own) > ALLOWED + len(own) ** -0.5:
                found[name] = max(sum(own) / len(own), found.get(name, 0.0))
    return found


def _constant(items: Sequence[StoryItem], own: Callable[[StoryItem], object]) -> list[bool | None]:
    """Return which items have the most frequent value among those of their order."""
    kinds = grouped((item.order, own(item)) for item in items)
    best = {order: Counter(values).most_common(1)[0][0] for order, values in kinds.items()}
    return [own(item) == best[item.order] for item in items]


def _group(item: StoryItem) -> str:
    return item.group or item.id


class _Told:
    """The sentences and the question of an item, with people by their place in the question.

    `late`: whether the answer is that of two which is named later in the story, or yes.
    """

    def __init__(self, item: StoryItem, pair: Sequence[str]) -> None:
        late = "yes" if item.choices == YES_NO else max(pair, key=lambda place: item.story.rfind(f" {place}"))
        self.late = item.answer == late
        names = re.findall(r"\b[A-Z][a-z]+\b", item.question)
        asked = dict.fromkeys(name for name in names if name not in _NOT_NAMES)
        roles = {name: f"Q{number}" for number, name in enumerate(asked)}
        if item.choices != YES_NO:
            roles = dict.fromkeys(item.choices, "Z") | roles | dict.fromkeys(pair, "X") | {late: "Y"}

        def masked(word: re.Match[str]) -> str:
            return roles.get(word[0], "N" if word[0][0].isupper() and word[0] not in _NOT_NAMES else word[0])

        story, self.question = (re.sub(r"[A-Za-z]+", masked, text) for text in (item.story, item.question))
        self.sentences = re.split(r"(?<=\.) ", story)
        self.last = [*re.split(r"(?<=\.) ", item.story)[-6:], item.question]
        self.fact = re.split(r" that | whether ", self.question.rstrip("?"))[-1]


def _words(told: _Told, size: int = 1) -> dict[str, float]:
    """Return counts of words, and of sentences with the question; with size 2, of bigrams as well."""
    found = Counter[str]()
    asked = re.sub(r"\d+", "#", told.question)
    for sentence in told.sentences:
        plain, words = re.sub(r"\d+", "#", sentence), sentence.split()
        found.update([plain, f"{asked}|{plain}", *words])
        found.update(map(" ".join, pairwise(words)) if size > 1 else ())
    found.update([asked, *(f"?{word}" for word in told.question.split())])
    return {name: min(number, 3) for name, number in found.items()}


def _likenesses(told: _Told) -> dict[str, float]:
    """Return of each of the last sentences its kind, who is in it, and how it relates to the question.

    Also how alike they and the question look, two by two.
    """
    found = {"question": _kind(told.question)}
    for place, sentence in enumerate(told.sentences[::-1][:_LAST]):
        found[f"kind {place}"], found[f"hit {place}"] = _kind(sentence), told.fact in sentence
        found |= {f"{role} {place}": sentence.find(role) for role in _ROLES}
    denied = [sentence for sentence in told.sentences[1:] if " not " in sentence]
    found |= {f"{role} not": sum(role in sentence for sentence in denied) for role in _ROLES}
    pairs = [likeness(*pair) for pair in combinations(told.last[::-1], 2)]
    for kind, values in enumerate(zip(*pairs, strict=True)):
        found |= {f"least {kind}": min(values), f"most {kind}": max(values)}
        found |= {f"{kind} of {number}": value for number, value in enumerate(values)}
    return found


def _kind(text: str) -> float:
    """Return a number for the form of a sentence."""
    return crc32(re.sub(r"\b(Q\d|[NXYZ]|\d+)\b", "_", text).encode()) % 97


def _learner(module: str, name: str, *, sparse: bool, **settings: Any) -> Any:
    """Return a learner of scikit-learn who reads counts by their names."""
    counts = import_module("sklearn.feature_extraction").DictVectorizer(sparse=sparse)
    learner = getattr(import_module(f"sklearn.{module}"), name)(**settings)
    return import_module("sklearn.pipeline").make_pipeline(counts, learner)


_linear = partial(_learner, "linear_model", "LogisticRegression", sparse=True, C=0.1, max_iter=300)
_boosted = partial(_learner, "ensemble", "HistGradientBoostingClassifier", sparse=False, random_state=0)
_LEARNERS: dict[str, tuple[Callable[[_Told], dict[str, float]], Callable[[], Any]]] = {
    "bag of words": (_words, _linear),
    "bag of bigrams": (lambda told: _words(told, 2), _linear),
    "positions and likeness": (_likenesses, _boosted),
}


def _learnt(
    features: Sequence[dict[str, float]], right: Sequence[bool], items: Sequence[StoryItem], learner: Any
) -> list[bool | None]:
    """Return which items somebody gets right who has learnt from two thirds of the groups."""
    folds = [crc32(_group(item).encode()) % _FOLDS for item in items]
    found: list[bool | None] = [None] * len(items)
    for fold in range(_FOLDS):
        known = [n for n, own in enumerate(folds) if own != fold]
        tested = [n for n, own in enumerate(folds) if own == fold]
        if tested and len({right[n] for n in known}) == 2:
            with import_module("threadpoolctl").threadpool_limits(1):  # or they wait for other programs
                learner.fit([features[n] for n in known], [right[n] for n in known])
                said = learner.predict([features[n] for n in tested])
            for n, own in zip(tested, said, strict=True):
                found[n] = bool(own) == right[n]
    return found
