"""Stories under other names, and twins: properties of every family with questions about what people think."""

import re

from kripke_werewolf import FormatError
from kripke_werewolf.research.forge import knowing


def forget(*modules):
    """Clear what functions of modules remember, so that a mutant takes effect."""
    for module in modules:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def differ_in(story, twin):
    """Return whether the twin's story is the story with one sentence changed."""
    first, *others = (found.start() for found in re.finditer(re.escape(twin.own), story))
    return twin.story in [story[:at] + twin.other + story[at + len(twin.own) :] for at in (first, *others)]


def need_their_order(item, family):
    """Check that an item and its twin differ in one sentence, in the answer, and from their order on."""
    twin = item.twin
    assert differ_in(item.story, twin)
    assert set(family.derive(twin.story, item.question).answers.values()) == {twin.answer} != {item.answer}
    assert twin.depth == item.order - 1
    assert family.alike(item.story, twin.story, item.question, item.order - 1)
    assert not family.alike(item.story, twin.story, item.question, item.order)


def under_other_names(item, derive):
    """Check that other names change nothing but names; return what follows from the item's own text."""
    names = dict(zip(item.trace, ("Zoe", "Yan", "Xia", "Wim", "Vic", "Una", "Ted"), strict=False))

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
    forget(module, knowing)
    try:
        return any(disagree(derive, *text) for text in texts)
    finally:
        forget(module, knowing)
