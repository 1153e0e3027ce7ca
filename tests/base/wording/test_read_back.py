"""What a line says of whom, read back from its words by a table of parts, is what it was given to say.

The parts are read as grammar reads them: "and was" is about the subject, "who was" about the last person
named, and a Japanese sentence without a topic is about the topic of the one before.
"""

import random
import re
from itertools import product

import pytest

from kripke_werewolf.base.wording import LANGUAGES, Sentence, word
from kripke_werewolf.base.wording import sentences as wording
from kripke_werewolf.games.werewolf.rules import words_for

NAMES = ("Ann", "Bo", "Cy", "Mary Ann")
ROLES = ("evil", "good", "wolf", "seer", "villager")
ACTS = ("vision", "attack", "link", "protect", "heal", "poison")

DEEDS = {
    "en": {
        "voted off": "{who} is voted off",
        "found dead": "{who} is found dead",
        "take": "{who} takes along {whom}",
        "vision": "{who} looks at {whom}|You look at {whom}",
        "attack": "{who} attacks {whom}|You attack {whom}",
        "link": "{who} links {whom}|You link {whom}",
        "protect": "{who} protects {whom}|You protect {whom}",
        "heal": "{who} heals {whom}|You heal {whom}",
        "poison": "{who} poisons {whom}|You poison {whom}",
        "no vision": "{who} declines the vision|You decline the vision",
        "no attack": "{who} declines the attack|You decline the attack",
        "vote": "{who} for {whom}",
        "refused": "{who} is refused an attack on {whom}",
        "told": "{who} is told that only one role is left",
    },
    "nl": {
        "voted off": "{who} is weggestemd",
        "found dead": "{who} is dood aangetroffen",
        "take": "{who} neemt {whom} mee in de dood",
        "vision": "{who} bekijkt {whom}|Je bekijkt {whom}",
        "attack": "{who} valt {whom} aan|Je valt {whom} aan",
        "link": "{who} koppelt {whom}|Je koppelt {whom}",
        "protect": "{who} beschermt {whom}|Je beschermt {whom}",
        "heal": "{who} redt {whom}|Je redt {whom}",
        "poison": "{who} vergiftigt {whom}|Je vergiftigt {whom}",
        "no vision": "{who} ziet af van het visioen|Je ziet af van het visioen",
        "no attack": "{who} ziet af van de aanval|Je ziet af van de aanval",
        "vote": "{who} op {whom}",
        "refused": "De aanval van {who} op {whom} is geweigerd",
        "told": "{who} krijgt te horen dat er maar één rol over is",
    },
    "de": {
        "voted off": "{who} wurde abgewählt",
        "found dead": "{who} wurde tot aufgefunden",
        "take": "{who} nimmt {whom} mit in den Tod",
        "vision": "{who} sieht sich {whom} an|Du siehst dir {whom} an",
        "attack": "{who} greift {whom} an|Du greifst {whom} an",
        "link": "{who} verkuppelt {whom}|Du verkuppelst {whom}",
        "protect": "{who} beschützt {whom}|Du beschützt {whom}",
        "heal": "{who} rettet {whom}|Du rettest {whom}",
        "poison": "{who} vergiftet {whom}|Du vergiftest {whom}",
        "no vision": "{who} verzichtet auf die Vision|Du verzichtest auf die Vision",
        "no attack": "{who} verzichtet auf den Angriff|Du verzichtest auf den Angriff",
        "vote": "{who} für {whom}",
        "refused": "Der Angriff von {who} auf {whom} wurde abgelehnt",
        "told": "{who} erfährt, dass nur eine Rolle übrig ist",
    },
    "ja": {
        "voted off": "{who}は投票で追放されました",
        "found dead": "{who}が死体で発見されました",
        "take": "{who}は{whom}を道連れにしました",
        "vision": "{who}は{whom}を占いました|あなたは{whom}を占いました",
        "attack": "{who}は{whom}を襲撃しました|あなたは{whom}を襲撃しました",
        "link": "{who}は{whom}の2人を恋人にしました|あなたは{whom}の2人を恋人にしました",
        "protect": "{who}は{whom}を護衛しました|あなたは{whom}を護衛しました",
        "heal": "{who}は{whom}を救いました|あなたは{whom}を救いました",
        "poison": "{who}は{whom}に毒を盛りました|あなたは{whom}に毒を盛りました",
        "no vision": "{who}は占いを見送りました|あなたは占いを見送りました",
        "no attack": "{who}は襲撃を見送りました|あなたは襲撃を見送りました",
        "vote": "{who}→{whom}",
        "refused": "{who}は{whom}を襲撃できませんでした",
        "told": "{who}に、残る役職が一つだけだと伝えられました",
    },
}
"""For each language what is done, with who does it to whom; after a bar, said to the one who does it."""
TAILS = {
    "en": {
        " and was {role}": "who",
        ", who was {role}": "whom",
        " and sees? ?:? ?{role}": "whom",
        ": {role}": "who",
    },
    "nl": {
        " en was {role}": "who",
        "; die was {role}": "whom",
        " en ziet: {role}": "whom",
        ": {role}": "who",
    },
    "de": {
        " und war {role}": "who",
        "; {named} war {role}": "named",
        " und siehs?t: {role}": "whom",
        ": {role}": "who",
    },
    "ja": {
        "。正体は{role}でした": "who",
        "。{named}の正体は{role}でした": "named",
        "。{named}の役職は{role}でした": "named",
        "。役職は{role}でした": "who",
        "。結果は{role}です": "whom",
        "。結果：{role}": "whom",
        "：{role}": "who",
    },
}
"""What follows, and about whom it is: who did it, to whom, or who is named."""
PEOPLE = {"en": "{}", "nl": "{}", "de": "{}", "ja": "{}(?:さん)?"}
NOBODY = {"en": "nobody", "nl": "niemand", "de": "niemanden", "ja": "棄権"}


def parts(language):
    """Yield the patterns of a language, each with the deed and about whom its end is."""
    person = "|".join(sorted((*NAMES, NOBODY[language]), key=len, reverse=True))
    one = PEOPLE[language].format(f"(?:{person})")
    several = f"{one}(?:(?:, | and | en | und |、|と){one})*"
    roles = "|".join(re.escape(word(role).told(language)) for role in ROLES)
    for deed, told in DEEDS[language].items():
        for template, (end, about) in product(told.split("|"), {"": "", **TAILS[language]}.items()):
            pattern = re.escape(template).replace(r"\{who\}", f"(?P<who>{one})")
            pattern = pattern.replace(r"\{whom\}", f"(?P<whom>{several})")
            end = end.replace("{role}", f"(?P<role>{roles})").replace("{named}", f"(?P<named>{one})")
            yield re.compile(f"{pattern}{end}[.。]?"), deed, about


def read(text, language):
    """Return what a line says: what was done, by whom, to whom, and who is said to be what."""
    found = set()
    for pattern, deed, about in parts(language):
        if match := pattern.fullmatch(text):
            given = match.groupdict()
            names = {key: named(given.get(key), language) for key in ("who", "whom", "named")}
            role = next((r for r in ROLES if word(r).told(language) == given.get("role")), None)
            found.add((deed, names["who"], names["whom"], (names[about], role) if role else None))
    return found


def named(text, language):
    """Return the names in a string, in order."""
    return tuple(name for name in re.findall("Mary Ann|Ann|Bo|Cy", text or ""))


def lines(chance):
    """Yield sentences with random values, and what they are given to say."""
    one, two, three = chance.sample(NAMES, 3)
    role = chance.choice([None, *ROLES])
    also = None if role is None else ((one,), role)
    yield Sentence("voted-off", player=one, announced=role), ("voted off", (one,), (), also)
    yield Sentence("found-dead", player=one, announced=role), ("found dead", (one,), (), also)
    also = None if role is None else ((two,), role)
    yield Sentence("taken-along", actor=one, player=two, announced=role), ("take", (one,), (two,), also)
    if role:
        for name, deed in (("voted-off-in-full", "voted off"), ("found-dead-in-full", "found dead")):
            yield Sentence(name, player=two, role=role, drawn=""), (deed, (two,), (), also)
        full = Sentence("taken-along-in-full", actor=one, player=two, role=role, drawn="")
        yield full, ("take", (one,), (two,), also)
        yield Sentence("told-role", player=two, role=role), ("told", (two,), (), also)
    for act in ACTS:
        whom = (two, three) if act == "link" else (two,)
        verbs = words_for(act)
        values = {"actor": one, "targets": whom, "action": act, "drawn": "", "hidden": False}
        values |= {"do": verbs.do, "does": verbs.does}
        seen = role if act == "vision" else None
        result = None if seen is None else (whom, seen)
        yield Sentence("acted", result=None, **values), (act, (one,), whom, None)
        if act != "vision" or seen:
            yield Sentence("acted-in-full", result=seen, **values), (act, (one,), whom, result)
            yield Sentence("acted-yourself", result=seen, **values), (act, (), whom, result)
    for act in ("vision", "attack"):
        yield Sentence("declined", actor=one, action=act, hidden=False), (f"no {act}", (one,), (), None)
        yield Sentence("declined-yourself", action=act), (f"no {act}", (), (), None)
    yield Sentence("vote-of", voter=one, player=two, anybody=True), ("vote", (one,), (two,), None)
    yield Sentence("vote-of", voter=one, player="", anybody=False), ("vote", (one,), (), None)
    yield Sentence("refused", actor=one, target=two), ("refused", (one,), (two,), None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(3))
def test_a_line_says_of_everybody_what_it_was_given(language, seed):
    for sentence, meant in lines(random.Random(seed)):
        assert read(sentence.told(language), language) == {meant}, sentence.told(language)


def test_a_line_about_the_wrong_person_is_found(tmp_path):
    text = (wording._HOME / "en.ftl").read_text(encoding="utf-8")
    path = tmp_path / "en.ftl"
    planted = text.replace(", who was { was-announced }", '{ " " }and was { was-announced }')
    path.write_text(planted, encoding="utf-8")
    told = Sentence("taken-along", actor="Ann", player="Bo", announced="evil").told(str(path))
    assert read(told, "en") == {("take", ("Ann",), ("Bo",), (("Ann",), "evil"))}
