"""A typed sheet says what the page says, printed or shortened; else it is refused with what to write."""

import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import FormatError, IllegalMove, QuantumWerewolf
from kripke_werewolf.games.werewolf.sheets import read_sheet
from kripke_werewolf.games.werewolf.told import Told
from tests.cases import cases

PLAYERS = ["Ann", "Bo", "Cy", "Di", "Eve"]


def games(rules: str, seed: int) -> Iterator[QuantumWerewolf]:
    """Yield a random game at every step of two days and nights."""
    chosen = random.Random(seed)
    game = QuantumWerewolf(PLAYERS, wolves=1, rules=rules, rng=seed)
    for _ in range(20):
        yield game
        try:
            if game.phase.kind == "vote":
                game = game.vote_off(chosen.choice(game.alive)).end_phase()
                continue
            turns = [(name, action) for name, actions in game.may_act.items() for action in actions]
            if not turns or chosen.random() < 0.15:
                game = game.end_phase()
                continue
            name, action = chosen.choice(turns)
            game = game.do(name, action, chosen.choice(game.legal_targets(name, action)))
        except (IllegalMove, IndexError):
            return


def content(sheet: Told) -> object:
    """Return all that a sheet says, without the lines where it says it."""

    def cells(rows: object) -> str:
        return re.sub(r"line=\d+", "", repr(rows))

    entries = [
        (
            str(e.phase),
            e.asked,
            e.unsaid,
            cells(e.chances),
            e.events,
            e.acted,
            e.table and cells(e.table.rows),
        )
        for e in sheet.entries
    ]
    return sheet.setup, sheet.owners, sheet.numbers, sheet.table and cells(sheet.table.rows), entries


# --- typed ---------------------------------------------------------------------------------------------

SHORTER = {
    r"You look at (\w+) and see: (\w+)\.": r"you look at \1: \2",
    r"You attack (\w+)\.": r"you attack \1",
    r"You decline the vision\.": "you do not look",
    r"You are (not asked for|passed over: you had) an? (\w+)\.": None,
    r"(\w+) is voted off and was (\w+)\.": r"\1 was voted off: \2",
    r"(\w+) is (voted off|found dead)\.": r"\1 was \2",
    r"The (\w+) (wins?); winners: (.+)\.": r"the \1 \2: \3",
    r"Only one role is left for you: (\w+)\.": r"you are told: \1",
    r"Nothing can change any more; one world is drawn\.": "one world is drawn",
    r"Your chances at the start: (.+)\.": r"your chances: \1",
    r"End of (.+)\. Passed over: (.+)\.": r"passed over: \2",
    r"End of [^.]+\.": "end of the phase",
}


def shorter(line: str) -> str:
    """Return a printed sentence as the page on file formats says that it may be typed."""
    for pattern, short in SHORTER.items():
        if short and re.fullmatch(pattern, line):
            return re.sub(pattern, short, line)
    return line.removesuffix(".")


def typed(handout: Told, chosen: random.Random, *, freely: bool) -> str:
    """Return a handout as somebody types it: shortened here and there, or with the words of the page."""
    setup = handout.setup
    lines = [f"rules: {setup.rules.name}", f"players: {', '.join(setup.players)}", "wolves: 1", "you: Bo"]
    lines += [] if handout.number is None else [f"number: {handout.number}"]
    if freely:
        chosen.shuffle(lines)
    _, _, after = str(handout).partition("Players: ")
    table = False
    for line in after.splitlines()[1:]:
        if re.match(r"(?:number|player)\s", line):
            lines.append("table")
            table = True
        table = table and line != ""
        said = line.removeprefix("* ")
        if line and not re.match(r"Your number|Left|In fractions|Now|\(kripke", said) and set(line) != {"-"}:
            blanks = "  " if freely else ""
            lines.append(blanks + shorter(said) if freely and not table and chosen.random() < 0.7 else line)
    return "\n".join(lines)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@given(seed=st.integers(0, 10**6))
def test_a_shortened_sheet_says_the_same(rules: str, seed: int) -> None:
    chosen = random.Random(seed)
    handout = chosen.choice(list(games(rules, seed))).handout("Bo")
    text, plain = (typed(handout, chosen, freely=freely) for freely in (True, False))
    sheet = read_sheet(text)
    assert content(sheet) == content(read_sheet(plain)), text
    assert [e.events for e in sheet.entries if e.ended] == [e.events for e in handout.entries if e.ended]


# --- refused -------------------------------------------------------------------------------------------

HEAD = "rules: cisra\nplayers: Ann, Bo, Cy, Di\nwolves: 1\nyou: Bo\nnumber: 2\n"
NIGHT = HEAD + "night 1, visions\nyou look at Cy: good\n"


def test_a_missing_line_of_the_head_is_printed_and_its_line_is_accepted() -> None:
    for missing in ("rules", "players", "wolves", "you", "number"):
        text = re.sub(rf"(?m)^{missing}: .*\n", "", NIGHT)
        with pytest.raises(FormatError, match=f"{missing}: ") as error:
            read_sheet(text)
        (line,) = re.findall(rf"'({missing}: [^']+)'", str(error.value))
        assert read_sheet(f"{line}\n{text}").entries


@cases(
    ("day 1\nDi died", "line 9: write 'Di was voted off' or 'Di was found dead', not 'died'"),
    ("day 1\nDi was burned: good", "'NAME was voted off: good or evil.'"),
    ("day 1\nthe village voted off Di", "'table' begins a table"),
    ("day 1\nnobody was voted off", "'NAME was voted off.'"),
    ("day 1\nnight 2\nI attacked Ann", "the next phase is 'night 2, attacks'"),
    ("day 1\nnight 2, attacks\nI attacked Ann", "'You attack NAME.'"),
    ("day 1\nnight 2, attacks\nyou killed Ann", "cannot read 'you killed Ann'"),
    ("Day 1", "the next phase is 'day 1'"),
    ("## day 1", ""),
    ("- day 1", "the next phase is 'day 1'"),
    ("day 1: Di was voted off", "the next phase is 'day 1'"),
    ("number good\n1 25%", "'table' begins a table"),
    ("| number | good |", "'table' begins a table"),
    ("table\n| number | good |", "unknown first heading of a table '|' (known: number, player)"),
    ("table\nnumber good\n1, 25%", "unknown number '1,'; did you mean '1'"),
    ("table\nnumber good\n1 25", "line 10: '25' is not a probability: write 8%, 7.7%, 1/13, 0.08, <1%"),
    ("table\nnumber good\n1 2,5%", "line 10: '2,5%' is not a probability"),
    ("Left: 13 worlds.", "line 8: cannot read 'Left: 13 worlds.'"),
    ("wolves: 1", "line 8: cannot read 'wolves: 1'"),
)
def test_what_is_not_documented_is_refused_with_what_is(line: str, said: str) -> None:
    if said:
        with pytest.raises(FormatError, match=re.escape(said)):
            read_sheet(NIGHT + line)
    else:
        assert content(read_sheet(NIGHT + line)) == content(read_sheet(NIGHT))  # a comment


@cases(
    ("you look at Cy: good", "I looked at Cy: good", "'You look at NAME: good or evil.'"),
    ("you look at Cy: good", "you look at Cy and see good", "'You look at NAME and see: good or evil.'"),
    ("you look at Cy: good", "you look at cy: good", "players: Ann, Bo, Cy, Di"),
    ("you look at Cy: good", "you look at Cy: Good", "'You look at NAME: good or evil.'"),
    ("you look at Cy: good", "[20:14] Bo: you look at Cy: good", "'You look at NAME: good or evil.'"),
    ("you look at Cy: good", "you didn't look", "'You do not look.'"),
    ("you look at Cy: good", "I was not asked for a vision", "'You are not asked for a vision.'"),
    ("night 1, visions", "night 1", "line 6: the first phase is missing: 'night 1, visions'"),
    ("night 1, visions", "N0", "line 6: the first phase is missing: 'night 1, visions'"),
    ("wolves: 1", "Wolves: 1", "line 3: unknown setting 'Wolves' in the head; did you mean 'wolves'"),
    ("you: Bo", "I am Bo", "line 1: the head lacks 'you'"),
    ("rules: cisra", "rules = cisra", "line 1: the head lacks 'rules': add a line such as 'rules: cisra'"),
    ("rules: cisra", "rules: CISRA", "unknown rule set 'CISRA'"),
)
def test_other_spellings_are_refused_with_the_documented_one(given: str, typed: str, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        read_sheet(NIGHT.replace(given, typed))
