"""Stories: the classic puzzles, the meaning of each statement, and invalid stories."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kripke_werewolf import Believes, FormatError, Knows, bisimilar
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle
from kripke_werewolf.logic.puzzles.puzzle import Moment
from kripke_werewolf.research.stories import Asked, Happened, Story, read_story, story
from tests.cases import cases, each
from tests.running import invoke

STORIES = Path(__file__).parents[3] / "examples" / "stories"
SIZES = {
    "cheryl": [10, 5, 3, 1],
    "muddy-children": [16, 15, 11, 5, 1],
    "three-wise-men": [7, 6, 4],
    "drinking-logicians": [32, 16, 8, 4, 2, 1],
    "russian-cards": [140, 20, 3],
    "moore": [2, 1],
    "sally-anne": [1, 1, 1, 2, 2],
    "keyhole": [1, 1, 4, 4, 8, 8, 40, 120],
    "coin": [2, 2, 3, 3],
    "consecutive-numbers": [20, 18, 14, 4, 4],
    "dining-cryptographers": [32, 16, 8, 6],
    "aces-and-eights": [19, 17, 15, 11, 7, 7],
    "coordinated-attack": [7],
    "gossip": [1, 3, 9, 27],
    "hexa": [6, 6],
    "prisoners": [1, 3, 9, 27, 81],
    "resistance": [10, 7],
    "sum-and-product": [25, 10, 5, 3, 1],
    "surprise-exam": [5, 4, 3, 2, 1],
    "what-sum": [43, 28, 12, 4, 4],
}
SAME = {  # the puzzle of the catalogue and its size
    "aces-and-eights": None,
    "cheryl": None,
    "consecutive-numbers": None,
    "coordinated-attack": 6,
    "dining-cryptographers": None,
    "hexa": None,
    "muddy-children": 4,
    "prisoners": None,
    "resistance": None,
    "russian-cards": None,
    "sally-anne": None,
    "surprise-exam": None,
    "three-wise-men": None,
}
OTHER_ATOMS = {"aces-and-eights", "prisoners"}
START = "agents: a, b\natoms: p, q\nsees a: p\n"


def right(text: str) -> list[bool]:
    return [outcome.right for outcome in story(text).outcomes()]


def test_every_story_is_listed_here() -> None:
    assert {path.stem for path in STORIES.glob("*.txt")} == SIZES.keys()
    assert {name for name in PUZZLES if not puzzle(name).model.ranks} <= SIZES.keys()  # stories say no orders


@each(SIZES)
def test_puzzles_as_stories(name: str) -> None:
    told = read_story(STORIES / f"{name}.txt")
    assert [len(model) for model in told.history().models] == SIZES[name]
    outcomes = list(told.outcomes())
    assert all(outcome.right for outcome in outcomes)
    assert sum(not isinstance(outcome.moment, Happened) for outcome in outcomes) >= 4


@each(SIZES)
def test_stories_have_no_orders_so_belief_is_knowledge(name: str) -> None:
    told = read_story(STORIES / f"{name}.txt")
    believed = replace(told, moments=tuple(map(with_belief, told.moments)))
    for outcome, other in zip(told.outcomes(), believed.outcomes(), strict=True):
        assert not outcome.model.ranks
        assert outcome.found == other.found


def with_belief(moment: Moment) -> Moment:
    """Return a question with B for K; an event stays as it is."""
    if not isinstance(moment, Asked):
        return moment
    believed = moment.formula.rewrite(lambda f: Believes(f.agent, f.body) if type(f) is Knows else f)
    return replace(moment, formula=believed)


def test_ranks_are_no_statement() -> None:
    with pytest.raises(FormatError, match=r"expected a statement .*, got 'ranks'"):
        story(f"{START}ranks a: p\n")


@each(SAME)
def test_a_story_is_the_puzzle_of_the_catalogue(name: str) -> None:
    told, found = read_story(STORIES / f"{name}.txt"), puzzle(name, SAME[name])
    assert [len(m) for m in told.history().models] == [len(m) for m in found.history().models]
    assert set(told.model.agents) == set(found.model.agents)
    if name not in OTHER_ATOMS:
        for m, n in zip(told.history().models, found.history().models, strict=True):
            fewer, more = sorted([m, n], key=lambda model: len(model.designated))  # one may leave it open
            for w in fewer.designated[:20]:
                assert any(bisimilar(fewer, w, more, v) for v in more.designated)


# --- what statements mean ------------------------------------------------------------------------


@cases(
    ("actual: p\nexpect yes: K_a p\nexpect no: K_b p\nexpect mixed: q", [True] * 3),
    ("expect yes: p\nexpect no: p\nexpect mixed: p", [False, False, True]),
    ("law: p | q\nsize: 3\ncount 2: p\ncount 3: p", [True, True, False]),
    ("sees b: p -> q\nactual: p & q\nexpect yes: ~K_b q & D_{a,b} q", [True]),
    ("sees b: all but q\nexpect yes: Kw_b p & ~Kw_b q", [True]),
    ("sees b: all\nexpect yes: Kw_b p & Kw_b q", [True]),
    ("actual: p\ntell b: p\nexpect yes: K_b p & B_a ~K_b p\nsize: 8", [True, True, False]),
    ("actual: p\nshow b: p\nexpect yes: K_a K_b p\nsize: 4", [True] * 3),
    ("actual: p\nsuspect b: p\nexpect yes: K_b p & ~K_a K_b p", [True, True]),
    ("actual: ~p\nlie a: p\nexpect yes: B_b p & K_a ~p", [True, True]),
    ("actual: p & q\nobserve b: p, q\nexpect mixed: K_b p", [True, True]),
    ("actual: p & ~q\nassign: p := q, q := p\nexpect yes: ~p & q", [True, True]),
    ("let both: p & q\nlet known: K_a both\nactual: both\nexpect no: known", [True]),
    ("variable x: p, q\nlaw: oneof(p, q)\nexpect yes: Kv_a(x) & ~Kv_b(x)", [True]),
    ("ask: p", [True]),
)
def test_statements(lines: str, expected: list[bool]) -> None:
    assert right(START + lines) == expected


PHRASED = """
phrase {thing}_in_{place}: the {thing} is in the {place}
actual: the key is in the box
sees Ann: key_in_box
expect yes: Does Ann know whether the key is in the box?
expect no: Isn't the face of Bo muddy?
announce: the key is not in the bag
expect yes: it is common knowledge among Ann and Bo that the key isn't in the bag.
expect no: Bo knows that Ann knows that the key is in the bag
"""


def test_phrases_for_atoms() -> None:
    told = "agents: Ann, Bo\natoms: key_in_box, key_in_bag, muddy_Bo\n"
    told += "law: ~muddy_Bo & oneof(key_in_box, key_in_bag)"
    phrased = f"{told}\nphrase muddy_{{child}}: the face of {{child}} is muddy{PHRASED}"
    assert right(phrased) == [True] * 5
    asked = [o.moment.meaning for o in story(phrased).outcomes() if isinstance(o.moment, Asked)]
    assert asked[0] == "Does Ann know whether the key is in the box"


def test_scenes_have_the_phrase_of_their_things() -> None:
    told = (
        "agents: Ann, Bo\nroom hall: box, bag\ninside Ann: hall\nthing key: box\nmove Ann: key, bag\n"
        "expect yes: Does Bo think that the key is in the box?\n"
        "expect yes: Ann believes that the key is in the bag"
    )
    assert right(told) == [True, True, True]


def test_worlds_that_are_listed() -> None:
    told = story(
        "agents: a, {Mary Ann}\natoms: p\nworld u: p\nworld v:\nworld w: p\n"
        "confuses a: u v\nconfuses {Mary Ann}: u v w\nactual: u\n"
    )
    assert told.model.where("K_a p") == ["w"]
    assert told.model.where("K_{Mary Ann} p") == []
    assert told.model.designated == ("u",)


def test_an_action_of_ones_own() -> None:
    told = (
        "actual: p\n"
        "action peek:\n  event yes if p:\n  event no if ~p:\n  event skip: q := true\n"
        "  agent a: yes -> skip, no -> skip, skip -> skip\n  actual: yes, no\n"
        "expect yes: [peek]K_b p\n"
        'do "b peeks": peek\n'
        "expect yes: K_b p & B_a ~K_b p\nexpect no: K_a K_b p\n"
    )
    assert right(START + told) == [True] * 4


def test_an_action_that_others_do_not_notice() -> None:
    told = (
        "actual: p\n"
        'action peek:\n  event "yes, p" if [peer:seen]p: q := true\n  event no:\n'
        '  agent b: "yes, p" -> "yes, p", no -> no\n  others: "yes, p" -> no, no -> no\n'
        '  actual: "yes, p"\n'
        'do "b peeks": peek\n'
        "expect yes: K_b (p & q) & B_a ~K_b p\n"
    )
    assert right(START + "action peer:\n  event seen:\n" + told) == [True, True]


def test_an_action_whose_events_are_confused_and_chosen() -> None:
    told = (
        "actual: p\naction peek:\n  event yes if p:\n  event no if ~p:\n  event skip:\n"
        "  confuses a: yes no, skip\n"
        'do "b peeks, and a sees that": peek: yes, no\n'
        "size: 8\nexpect yes: K_b p & K_a Kw_b p\n"
        'do "b might have peeked, but did not": peek: skip\n'
        "expect yes: K_a Kw_b p\n"
    )
    assert right(START + told) == [True] * 5


def test_comments_and_continued_lines() -> None:
    told = story('# a comment\nagents: a # b\natoms: p,\n\n   q\n\nexpect no "why # not": K_a\n   p # so\n')
    assert told.model.agents == ("a",)
    assert told.model.atoms == ("p", "q")
    assert [o.moment.meaning for o in told.outcomes()] == ["why # not"]  # type: ignore[union-attr]


# --- texts that are no stories -------------------------------------------------------------------


@cases(
    ("", 1, 1, "expected a line such as 'agents: a, b'"),
    ("agents: a, a\n", 1, 12, "named twice"),
    ("  agents: a\natoms: p\n", 1, 1, "indented"),
    (START + "expekt yes: p", 4, 1, "did you mean 'expect'"),
    (START + "expect yes: K_a (p -> ", 4, 22, "ends too early"),
    (START + "expect yes: p &\n  & q", 5, 3, "expected a formula"),
    (START + "expect yes:\n  p & K_c p", 5, 9, "unknown agent 'c'"),
    (START + "size: many", 4, 7, "expected a number"),
    (START + "tell: p", 4, 5, "expected at least one agent"),
    (START + "announce a: p", 4, 9, "expected ':' or a label"),
    (START + "assign: p = q", 4, 9, "expected 'atom := formula'"),
    (START + "announce: p\nsees b: q", 5, 1, "must stand before"),
    (START + "phrase p: it sleeps", 4, 8, "is not a phrase for 'p'"),
    (START + "sees b: K_a p", 4, 9, "without knowledge"),
    (START + "law: p & ~p", 4, 6, "leave no world"),
    (START + "actual: p & ~p", 4, 9, "no world satisfies"),
    (START + "world w: p\nlaw: p", 5, 6, "not both"),
    (START + "action x:\n event e:\n event f:\n confuses a: e f, f e", 7, 19, "'f' is in two cells"),
    (START + "action x:\n event e:\ndo: x: f", 6, 8, "unknown event 'f'"),
    (START + "action x:\n wrong e:", 5, 2, "expected a line of an action"),
    (START + "(p): q", 4, 1, "expected a statement"),
)
def test_errors_name_line_and_column(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(FormatError) as caught:
        story(text, source="my.txt")
    message = str(caught.value)
    assert message.startswith(f"my.txt, line {line}, column {column}: "), message
    assert words in message


def test_too_many_states_are_refused() -> None:
    with pytest.raises(FormatError, match="states to look at"):
        story("agents: a\natoms: " + ", ".join(f"p{k}" for k in range(40)))


def test_an_event_that_cannot_happen_names_its_line() -> None:
    told: Story = story(START + "actual: ~p\nannounce: p", source="my.txt")
    with pytest.raises(FormatError, match=r"my.txt, line 5: this cannot happen: .* is false at"):
        list(told.outcomes())


# --- the command ---------------------------------------------------------------------------------


def test_the_command_prints_steps_and_answers() -> None:
    found = invoke("story", STORIES / "cheryl.txt")
    assert found.return_value == 0
    lines = found.output.splitlines()
    assert "at the start: 10 worlds" in lines
    assert "Albert: then I know it too: 1 world: July_16" in lines
    assert lines[-1] == "all 7 answers as expected"


def test_wrong_answers_have_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text(START + "actual: p\nexpect yes: K_b p\nsize: 5\nexpect yes: p\n", encoding="utf-8")
    found = invoke("story", path, "--quiet", "--explain")
    assert found.return_value == 1
    assert "line 5: K_b p? no  WRONG: expected yes" in found.output
    assert "b does not know that p is true" in found.output
    assert "line 6: worlds: 4  WRONG: expected 5" in found.output
    assert found.output.endswith("2 of 3 answers not as expected\n")


def test_json() -> None:
    found = json.loads(invoke("story", STORIES / "moore.txt", "--json").output)
    assert found["worlds"] == 2
    assert [m["worlds"] for m in found["moments"] if "event" in m] == [1]
    assert all(m["right"] for m in found["moments"] if "right" in m)


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("title: Märchen".encode("latin-1"))
    with pytest.raises(FormatError, match="not valid UTF-8"):
        read_story(path)
