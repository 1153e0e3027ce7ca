"""Mistakes that users make in EPDDL, each as a change of the post office.

Of each: what is replaced in which file, by what, with « before the place that the message must name, and
words that the message must contain.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.planning.epddl.post_office import DOMAIN, PROBLEM, THEORY


class Mistake(NamedTuple):
    """A mistake: `source` is the text that is changed; the message names the place of « in it."""

    title: str
    source: str
    old: str
    new: str
    words: tuple[str, ...]

    @property
    def of_domain(self) -> bool:
        return "(define (domain" in self.source

    @property
    def files(self) -> dict[str, str]:
        changed = self.marked.replace("«", "")
        domain, problem = (changed, PROBLEM) if self.of_domain else (DOMAIN, changed)
        return {"post.epddl": domain, "vase.epddl": problem}

    @property
    def marked(self) -> str:
        assert self.source.count(self.old) == 1, self.old
        assert self.new.count("«") == 1
        return self.source.replace(self.old, self.new)

    @property
    def place(self) -> str:
        before = self.marked.partition("«")[0]
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
        return f"{'post' if self.of_domain else 'vase'}.epddl:{line}:{column}"


WARN = DOMAIN[DOMAIN.index("(:event e-warn") : DOMAIN.index("\n    (:action warn")]
GOAL = """    (:goal
        (and ([Cleo] (fragile vase)) ([Ann] (not ([Kw. Bob] (fragile vase))))))
"""

MISTAKES = [
    Mistake(
        "a missing bracket",
        DOMAIN,
        WARN,
        "«" + WARN[:-1],
        ("not closed", "(:action"),
    ),
    Mistake(
        "a bracket too many",
        DOMAIN,
        "(not (fragile ?p)))\n    (:event nothing)",
        "(not (fragile ?p))))\n    «(:event nothing)",
        ("too many",),
    ),
    Mistake("PDDL's keyword", DOMAIN, ":effects (:and", "«:effect (:and", (":effects",)),
    Mistake(
        "a misspelt predicate",
        DOMAIN,
        "(:event e-rattles :parameters (?p - parcel) :precondition (fragile ?p))",
        "(:event e-rattles :parameters (?p - parcel) :precondition («fragil ?p))",
        ("predicate", "fragile"),
    ),
    Mistake("too few arguments", DOMAIN, "(:and (not (at ?i ?r))", "(:and (not «(at ?i))", ("at", "2", "1")),
    Mistake(
        "an unknown variable",
        DOMAIN,
        "(door ?r ?s))\n        :eff",
        "(door ?r «?t))\n        :eff",
        ("?t", "?s"),
    ),
    Mistake(
        "arguments in the wrong order",
        DOMAIN,
        ":precondition (and (at ?i ?r)",
        ":precondition (and (at «?r ?i)",
        ("?r", "room", "agent"),
    ),
    Mistake(
        "an action type of another library",
        DOMAIN.replace("libraries intermediate", "libraries basic"),
        "(quasi-private-sensing",
        "(«quasi-private-sensing",
        ("intermediate",),
    ),
    Mistake(
        "an agent without observability",
        DOMAIN,
        "(:and (?i Fully) (?j Fully) (default Oblivious))",
        "«(:and (?i Fully) (?j Fully))",
        ("Cleo", "default"),
    ),
    Mistake("and for :and", DOMAIN, ":effects (:and", ":effects («and", (":and",)),
    Mistake(":and for and", DOMAIN, ":precondition (and (at", ":precondition («:and (at", ("'and'",)),
    Mistake("a change of a fact", DOMAIN, "(at ?i ?s)))\n", "(at ?i ?s) («door ?s ?r)))\n", ("fact", "door")),
    Mistake(
        "a list that depends on the state",
        DOMAIN,
        "(?i ?j - agent ?p - parcel | (/= ?i ?j))",
        "(?i ?j - agent ?p - parcel | «(at ?i hall))",
        ("at", "fact"),
    ),
    Mistake(
        "an unknown modality",
        PROBLEM,
        "([Cleo] (fragile vase))",
        "([«K. Cleo] (fragile vase))",
        ("Kw.", "C."),
    ),
    Mistake("another domain", PROBLEM, "(:domain post-office)", "(:domain «post-ofice)", ("post-office",)),
    Mistake("no goal", PROBLEM.replace(GOAL, ""), "(define (problem", "«(define (problem", (":goal",)),
    Mistake(
        "a start that contradicts itself",
        PROBLEM,
        THEORY,
        THEORY.replace("(and ", "(and (not (fragile vase)) ").replace("(frag", "«(frag", 1),
        ("designated", "fragile_vase"),
    ),
]
