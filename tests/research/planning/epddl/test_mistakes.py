"""Each message about a mistake in a file names the place, what is wrong and what is allowed."""

import pytest

from kripke_werewolf.base.errors import FormatError
from kripke_werewolf.research.planning.epddl import parse_task
from tests.cases import cases
from tests.research.planning.epddl.post_office import DOMAIN, EXPLICIT_PROBLEM, PROBLEM, THEORY

WARN = DOMAIN[DOMAIN.index("(:event e-warn") : DOMAIN.index("\n    (:action warn")]
GOAL = """    (:goal
        (and ([Cleo] (fragile vase)) ([Ann] (not ([Kw. Bob] (fragile vase))))))
"""
RATTLES = "(:event e-rattles :parameters (?p - parcel) :precondition ({} ?p))"
OTHER = DOMAIN.replace("libraries intermediate", "libraries basic")
UNTRUE = THEORY.replace("(and ", "(and (not (fragile vase)) ").replace("(frag", "«(frag", 1)

# what is replaced in which file, by what, with « before the place that the message must name, and its words


def refused(domain: str, problem: str = PROBLEM) -> str:
    with pytest.raises(FormatError) as caught:
        parse_task({"post.epddl": domain, "vase.epddl": problem})
    return str(caught.value)


@cases(
    (DOMAIN, WARN, WARN[:-2] + "«" + WARN[-2:-1], ("not closed", ":action")),
    (DOMAIN, "(and (at ?i ?r) (door ?r ?s))", "(and (at ?i ?r) (door ?r ?s«)", ("not closed", ":effects")),
    (DOMAIN, "(:and (not (at ?i ?r)) (at ?i ?s))", "(:and (not (at ?i ?r)) (at ?i ?s)«", (":action",)),
    (PROBLEM, "([Cleo] (fragile vase))", "(«[C.All] (fragile vase))", ("[C. All]",)),
    (PROBLEM, "([Cleo] (fragile vase))", "([«Cleo Ann] (fragile vase))", ("[(Ann Bob)]",)),
    (PROBLEM, "([Cleo] (fragile vase))", "([«C. Cleo Ann] (fragile vase))", ("[(Ann Bob)]",)),
    (DOMAIN, RATTLES.format("fragile"), RATTLES.format("«fragil"), ("predicate", "fragile")),
    (DOMAIN, ":precondition (and (at ?i ?r)", ":precondition (and (at «?r ?i)", ("?r", "room", "agent")),
    (OTHER, "(quasi-private-sensing", "(«quasi-private-sensing", ("intermediate",)),
    (DOMAIN, ":precondition (and (at", ":precondition («:and (at", ("'and'",)),
    (DOMAIN, "(at ?i ?s)))\n", "(at ?i ?s) («door ?s ?r)))\n", ("fact", "door")),
    (DOMAIN, "?p - parcel | (/= ?i ?j))", "?p - parcel | «(at ?i hall))", ("at", "fact")),
    (PROBLEM, "([Cleo] (fragile vase))", "([«K. Cleo] (fragile vase))", ("Kw.", "C.")),
    (PROBLEM.replace(GOAL, ""), "(define (problem", "«(define (problem", (":goal",)),
    (PROBLEM, THEORY, UNTRUE, ("designated", "fragile_vase")),
)
def test_the_message_names_the_place_and_what_is_allowed(
    source: str, old: str, new: str, words: tuple[str, ...]
) -> None:
    assert source.count(old) == 1
    before, after = source.replace(old, new).split("«")
    number, of_domain = before.count("\n"), "(define (domain" in source
    message = refused(before + after) if of_domain else refused(DOMAIN, before + after)
    place = f"{'post' if of_domain else 'vase'}.epddl:{number + 1}:{len(before) - before.rfind(chr(10))}"
    assert message.startswith(f"{place}: ")
    assert all(word in message for word in words)
    assert (before + after).splitlines()[number].strip() in message
    assert len(message) < 600


def test_a_mistake_in_an_event_that_no_action_uses() -> None:
    unused = DOMAIN.replace("(:event nothing)", "(:event nothing) (:event e :precondition (fragil vase))")
    assert "unknown predicate 'fragil'" in refused(unused)


def test_a_mistake_in_an_action_without_instances() -> None:
    parcels = PROBLEM.replace("(fragile vase)", "(at Ann hall)").replace(" vase - parcel)", ")")
    wrong = DOMAIN.replace("(e-rattles ?p) (e-silent ?p)", "(e-rattles ?p) (e-silent ?i)")
    assert "?i is of type agent, not parcel" in refused(wrong, parcels)


def test_the_wrong_files() -> None:
    with pytest.raises(FormatError, match=r"one problem, got post\.epddl \(domain\)$"):
        parse_task({"post.epddl": DOMAIN})
    with pytest.raises(FormatError, match="one domain, got no files"):
        parse_task({})
    with pytest.raises(FormatError, match=r"empty\.epddl: empty"):
        parse_task({"empty.epddl": " ; nothing\n"})
    with pytest.raises(FormatError, match=r"a\.epddl:1:1: expected \(define \(KIND NAME\)"):
        parse_task({"a.epddl": "(defin (domain d))"})


def test_brackets_are_not_nested_without_end() -> None:
    deep = "(not " * 20_000 + "(true)" + ")" * 20_000
    assert "brackets inside each other" in refused(
        DOMAIN, PROBLEM.replace("(and ([Cleo]", f"(and {deep} ([Cleo]")
    )


def test_a_precondition_in_an_action() -> None:
    wrong = DOMAIN.replace(
        ":action-type (public-ontic", ":precondition (at ?i ?r) :action-type (public-ontic"
    )
    assert "unknown keyword ':precondition'" in refused(wrong)


@cases(
    ("(?i Fully) (?j Fully) (default", "(?i Fully) (?i Oblivious) (default", "two different"),
    ("(e-warn ?i ?p) (nothing)", "(e-warn ?i ?p) (e-warn ?i ?p)", "needs :trivial-event"),
    ("(public-ontic (e-walk ?i ?r ?s))", "(public-ontic (nothing))", ":non-trivial-postconditions"),
    ("(?i - agent ?p - parcel)\n        :pre", "(?i ?i - agent)\n        :pre", "declared twice"),
    (":parameters (?i - agent ?r ?s - room)\n        :action-type", ":action-type", "unknown variable"),
    (":typing :facts", ":typing :flying", "2:28: unknown requirement :flying"),
)  # fmt: skip
def test_other_mistakes_in_a_domain(old: str, new: str, words: str) -> None:
    assert DOMAIN.count(old) == 1
    assert words in refused(DOMAIN.replace(old, new))


@cases(
    ("(door hall yard) (door", "(at Ann yard) (door", "(:fact at …)"),
    ("([C. All] (<Kw. ?i> (fragile vase)))", "([?i] (fragile vase))", "only inside [C. All]"),
    ("([C. All] (<Kw. ?i> (fragile vase)))", "([C. All] (<?i> (fragile vase)))", "<Kw. AGENT>"),
    ("(<Kw. ?i> (fragile vase))", "(<Kw. ?i> (at Ann hall))", "does know whether at_Ann_hall"),
    ("(:agents Ann Bob Cleo)", "(:agents Ann Bob - room Cleo)", "of type room, not agent"),
)
def test_other_mistakes_in_a_problem(old: str, new: str, words: str) -> None:
    assert PROBLEM.count(old) == 1
    assert words in refused(DOMAIN, PROBLEM.replace(old, new))


@cases(
    (":designated (w)", "", "has no :designated"),
    ("Bob (:and", "Bert (:and", "unknown agent 'Bert'"),
)
def test_other_mistakes_in_listed_worlds(old: str, new: str, words: str) -> None:
    assert EXPLICIT_PROBLEM.count(old) == 1
    assert words in refused(DOMAIN, EXPLICIT_PROBLEM.replace(old, new))


def test_too_many_worlds_are_refused_with_the_number_and_the_atoms() -> None:
    parcels = PROBLEM.replace("vase - parcel", f"vase {' '.join(f'p{k}' for k in range(40))} - parcel")
    message = refused(DOMAIN, parcels)
    assert message.startswith("vase.epddl:6:5: the theory has about 10^12 worlds, above the limit of 100,000")
    assert "nothing is commonly known about fragile_vase, fragile_p0" in message


def test_two_atoms_with_one_name() -> None:
    predicates = DOMAIN.replace("(fragile ?p - parcel)", "(fragile ?p - parcel) (at_Ann ?r - room)")
    used = predicates.replace("(:event nothing)", "(:event nothing) (:event e :precondition (at_Ann hall))\n"
                              "(:action a :action-type (basic (e)))")  # fmt: skip
    assert "would both be at_Ann_hall" in refused(used)
