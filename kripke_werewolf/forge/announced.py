"""MindGames read back: public announcements in English, with the SMCDEL problem by which each was labelled.

Sileo and Lernould 2023, *MindGames: Targeting Theory of Mind in Large Language Models with Dynamic Epistemic
Modal Logic*. The sentences are written as a problem of their own, which is compared with the published one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from string import ascii_lowercase

from kripke_werewolf.errors import FormatError
from kripke_werewolf.files import parse_json
from kripke_werewolf.forge.family import parts
from kripke_werewolf.forge.item import numbered_lines
from kripke_werewolf.forge.judged import Format, JudgedItem, RawItem, fields_of, unknown
from kripke_werewolf.symbolic import SmcdelFile, read_smcdel

_SEES: Mapping[str, Callable[[str, str], bool]] = {
    "There is a mirror": lambda agent, other: True,
    "forehead": lambda agent, other: agent != other,
    "is thirsty": lambda agent, other: agent == other,
    " card": lambda agent, other: False,
}
"""Whether an agent sees the fact about another, by the first of these words that the premise has."""
_PREMISE = re.compile(
    r"There are \w+ persons|Everyone is visible to others|There is a mirror in the room|Each person draws .*"
    r"|(?P<shown>\w+)'s card is shown to (?P<to>\w+)|It is publicly announced that (?P<announced>.+)"
)
_FACT = re.compile(
    r"(?:or not )?(?P<who>not everyone|\w+)(?:'s forehead)? (?:is |picked a )(?P<not>not |black )?"
    r"(?:muddy|thirsty|(?:red )?card)"
)
_ALL = {"someone": ("", "|"), "everyone": ("", "&"), "nobody": ("~", "|"), "not everyone": ("~", "&")}


def _formula(sentence: str, atoms: Mapping[str, str]) -> str:
    """Write a sentence as SMCDEL does; the atoms are those about each agent."""

    def fact(found: re.Match[str]) -> str:
        denied, sign = _ALL.get(found["who"], ("", ""))
        about = atoms.values() if sign else [atoms.get(found["who"], found["who"])]
        return f"{denied}({sign.join(('~' if found['not'] else '') + atom for atom in about)})"

    knowing = re.sub(r"can (?:now )?know", "knows", sentence)
    return _FACT.sub(fact, re.sub(r"(\w+) does not know", r"~\1 knows", knowing))


def _told(premise: str, atoms: Mapping[str, str]) -> tuple[dict[str, set[str]], str]:
    """Return the facts that each agent observes, and the announcements."""
    sees = next((rule for words, rule in _SEES.items() if words in premise), None) or unknown(premise)
    observed = {agent: {atom for other, atom in atoms.items() if sees(agent, other)} for agent in atoms}
    announced = ""
    for sentence in premise.split(". "):
        found = _PREMISE.fullmatch(sentence)
        if not found or {found["shown"], found["to"]} - {*atoms, None}:
            unknown(sentence)
        elif found["to"]:
            observed[found["to"]].add(atoms[found["shown"]])
        elif found["announced"]:
            announced += f"[! {_formula(found['announced'], atoms)}]"
    return observed, announced


def _judge(item: RawItem) -> JudgedItem:
    """Decide whether the hypothesis follows from the premise, and compare the answer with the label.

    People are called as in the problem, by the order of `names`.
    """
    names, problem = [*map(str, item.rest[0])], item.rest[1]
    if not names:
        raise FormatError("expected the people of the premise in 'names'")
    called = {name: f"Agent{letter}" for name, letter in zip(names, ascii_lowercase, strict=False)}
    name = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    premise, asked = (name.sub(lambda found: called[found[0]], text).rstrip(". ") for text in item[1:3])
    atoms = {agent: str(number) for number, agent in enumerate(called.values(), 1)}
    observed, announced = _told(premise, atoms)
    asked = _formula(asked, atoms)
    chain = re.findall(r"\w+ knows \w+ ", asked)
    sights = " ".join(f"{agent}: {','.join(sorted(seen))}" for agent, seen in observed.items())
    fact, lower = asked.removeprefix("".join(chain)), [*parts(chain), tuple(chain)]
    asks = [f"VALID? {announced} {''.join(part)}{fact}" for part in lower]
    said = f"VARS {','.join(atoms.values())} LAW Top OBS {sights}"
    told = read_smcdel(" ".join([said, *asks]), source="the text")
    start = told.model()
    entailed = [start.valid(query.formula) for query in told.queries]
    answers = {
        engine: "entailment" if true else "not_entailment"
        for engine, true in (("updates", entailed[-1]), ("diagrams", told.answers()[-1]))
    }
    flaw = _difference(told, read_smcdel(problem, source="the problem"))
    if not flaw and {*answers.values()} != {item.label}:
        flaw = "the label is not the answer to the problem"
    needed = len(lower[entailed.index(entailed[-1])])
    why = f"{said} {asks[-1]}" if flaw else ""
    return JudgedItem(item.place, f"order {len(chain)}", item.label, answers, needed, flaw, why)


def _difference(told: SmcdelFile, problem: SmcdelFile) -> str:
    """Return how a problem differs from the sentences."""
    if not problem.queries or {*problem.vocabulary} != {*told.vocabulary}:
        raise FormatError(f"expected a problem with a query about the atoms {', '.join(told.vocabulary)}")
    for agent, seen in told.observables.items():
        if {*seen} != {*problem.observables.get(agent, ())}:
            return "the problem gives other observations"
    same = told.model().valid(told.queries[-1].formula.iff(problem.queries[-1].formula))
    return "" if same else "the sentences do not say what the problem says"


def _split(text: str) -> Iterator[RawItem]:
    wanted = {"premise": str, "hypothesis": str, "label": str, "names": list, "smcdel_problem": str}
    for place, line in numbered_lines(text):
        premise, hypothesis, label, *rest = fields_of(parse_json(line, place), place, **wanted)
        yield RawItem(place, premise, hypothesis, label, rest)


MINDGAMES = Format(_split, _judge)
