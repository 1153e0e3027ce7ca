"""Stories under other names, and twins: properties of every family with questions about what people think."""

import re
from itertools import product

from kripke_werewolf import FormatError
from kripke_werewolf.research.forge import heard
from kripke_werewolf.research.forge import noticed as noticing
from kripke_werewolf.research.forge.family import NAMES
from kripke_werewolf.research.stories.scenes import sentences


def forget(*modules):
    """Clear what functions of modules remember, so that a mutant takes effect."""
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def differ_in(one, two):
    """Return whether two stories differ in their own sentences only."""
    told = zip(sentences(one.story), sentences(two.story), strict=True)
    return {pair for pair in told if pair[0] != pair[1]} <= {*zip(one.own, two.own, strict=True)}


def groups(items):
    """Return items by their groups, and check that every other sentence changes the answer."""
    found = {}
    for item in items:
        found.setdefault(item.group, []).append(item)
    for group in found.values():
        assert {item.corner for item in group} == {*product((0, 1), repeat=len(group[0].corner))}
        assert len({(sum(item.corner) % 2, item.answer) for item in group}) == 2
        assert len({item.answer for item in group}) == 2
        assert len({item.question for item in group}) == 1
        assert all(differ_in(group[0], item) for item in group[1:])
    return [*found.values()]


def need_their_order(group, family):
    """Check that the items of a group are alike below their order, and differ from it on."""
    one, *others = group
    for other in others:
        assert family.alike(one.story, other.story, one.question, one.order - 1)
        if other.answer != one.answer:
            assert not family.alike(one.story, other.story, one.question, one.order)


def under_other_names(item, derive):
    """Check that other names change nothing but names; return what follows from the item's own text."""
    people = dict.fromkeys(re.findall("|".join(NAMES.split()), item.story))
    names = dict(zip(people, ("Zoe", "Yan", "Xia", "Wim", "Vic", "Una", "Ted"), strict=False))

    def renamed(text):
        return re.sub("|".join(names), lambda found: names[found[0]], text)

    first, second = derive(item.story, item.question), derive(renamed(item.story), renamed(item.question))
    assert second.answers == first.answers
    assert {*first.answers.values()} == {item.answer}
    assert len(first.answers) == 2
    assert second.formula == renamed(first.formula)
    assert second.order_needed == first.order_needed == item.order_needed
    return first


def disagree(derive, told, question):
    """Return whether the engines give two answers, or one of them none."""
    try:
        return len(set(derive(told, question).answers.values())) > 1
    except FormatError:
        return True


def noticed(module, derive, texts, monkeypatch, *mutant):
    """Return whether the engines of a module disagree on a text with a mutant in place of a part."""
    monkeypatch.setattr(*mutant)
    forget(module, heard, noticing)
    try:
        return any(disagree(derive, *text) for text in texts)
    finally:
        forget(module, heard, noticing)
