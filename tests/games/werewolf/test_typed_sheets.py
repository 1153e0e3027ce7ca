"""A sheet reads the same however it is typed, copied or printed; a refusal says how to mend it."""

import random
import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kripke_werewolf import FormatError, IllegalMove, QuantumWerewolf
from kripke_werewolf.games.werewolf.inference import read_sheet
from kripke_werewolf.games.werewolf.told import Told

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


def same(text: str, other: str) -> bool:
    return content(read_sheet(text)) == content(read_sheet(other))


# --- typed ---------------------------------------------------------------------------------------------

SENTENCES: dict[str, tuple[str, ...]] = {
    r"You look at (\w+) and see: (\w+)\.": (
        r"you look at \1: \2", r"I looked at \1: \2", r"Looked at \1: \2.", r"you looked at \1 (\2)",
        r"I looked at \1 and saw \2.", r"i saw that \1 is \2", r"you saw \1 as \2", r"looked at \1 -> \2",
        r"I looked at \1 and she was \2", r"You look at \1. \2.", r"Saw \1, \2",
        r"you look at \1 and see : \2",
    ),
    r"You attack (\w+)\.": (
        r"I attacked \1", r"you attacked \1.", r"attacked \1", r"I bit \1!", r"I killed \1", r"I kill \1",
    ),
    r"You do without the vision\.": ("I did not look", "you didn't look.", "I didn't look"),
    r"You are not asked for a (\w+)\.": (
        r"I was not asked for a \1", r"you were not asked for \1", r"I wasn't asked for a \1",
        r"you werent asked for \1",
    ),
    r"(\w+) is voted off and was (\w+)\.": (
        r"\1 was burned: \2", r"\1 was lynched, she was a \2", r"\1 was voted out (\2)", r"we hanged \1: \2",
    ),
    r"(\w+) is voted off\.": (r"\1 was burned", r"the village voted off \1", r"\1 got hanged."),
    r"(\w+) is found dead\.": (r"\1 was found dead", r"\1 was killed at night", r"\1 died in the night"),
    r"The (\w+) wins?; winners: (.+)\.": (r"\1 won: \2", r"the \1 win: \2"),
}  # fmt: skip


def sentence(line: str, chosen: random.Random) -> str:
    for pattern, others in SENTENCES.items():
        if re.fullmatch(pattern, line):
            return re.sub(pattern, chosen.choice(others), line)
    return line


def heading(line: str, chosen: random.Random) -> str:
    return chosen.choice([line, line.capitalize(), line.upper(), f"{line}:", f"## {line}"])


def table(lines: list[str], chosen: random.Random) -> list[str]:
    """Return a table in a random notation: separators, decimal commas, no percent signs."""
    rows = [line.split() for line in lines]
    numbers = {cell for row in rows[1:] for cell in row[1:]}
    bare = chosen.random() < 0.4 and any(float(cell.strip("<>%")) > 1 for cell in numbers)
    comma = chosen.random() < 0.4
    separator = chosen.choice(["  ", "\t", " | ", ";", " ; ", *([] if comma else [",", ", "])])
    found = []
    for row in rows:
        cells = [cell.replace("%", "") if bare else cell for cell in row]
        cells = [cell.replace(".", ",") if comma else cell for cell in cells]
        found.append(separator.join(cells))
    if separator == " | ":
        found = [f"| {line} |" for line in found]
        found.insert(1, "|---" * len(rows[0]) + "|")
    return [*([] if chosen.random() < 0.5 else ["table"]), *found]


def typed(handout: Told, chosen: random.Random, *, freely: bool = True) -> str:
    """Return a handout as somebody types it: `freely`, or with the words of the page."""
    setup = handout.setup
    lines = [f"rules: {setup.rules.name}", f"players: {', '.join(setup.players)}", "wolves: 1", "you: Bo"]
    lines += [] if handout.number is None else [f"number: {handout.number}"]
    if freely:
        chosen.shuffle(lines)
    rows: list[str] = []
    _, _, after = str(handout).partition("Players: ")
    for line in [*after.splitlines()[1:], ""]:
        if re.match(r"(?:number|player)\s", line) or (rows and line):
            rows.append(line)
            continue
        if rows:
            lines += table(rows, chosen) if freely else rows
            rows = []
        if re.fullmatch(r"(?:night|day) \d+(?:, \w+)?", line):
            lines.append(heading(line, chosen) if freely else line)
        elif line.startswith(("*", "Left", "Now")) and "Your number" not in line:
            bullet = chosen.choice(["", "- ", "* ", "  "])
            lines.append(bullet + sentence(line.removeprefix("* "), chosen) if freely else line)
    return "\n".join(lines)


@pytest.mark.parametrize("rules", ["cisra", "gekka", "straat"])
@given(seed=st.integers(0, 10**6))
def test_a_typed_sheet_says_the_same_in_any_spelling(rules: str, seed: int) -> None:
    chosen = random.Random(seed)
    handout = chosen.choice(list(games(rules, seed))).handout("Bo")
    text = typed(handout, chosen)
    assert same(text, typed(handout, chosen, freely=False)), text


# --- refused -------------------------------------------------------------------------------------------

HEAD = "rules: cisra\nplayers: Ann, Bo, Cy, Di\nwolves: 1\nyou: Bo\nnumber: 2\n"
NIGHT = HEAD + "night 0\nI looked at Cy: good\n"


def test_a_missing_line_of_the_head_is_printed_and_its_line_is_accepted() -> None:
    for missing in ("rules", "players", "wolves", "you", "number"):
        text = re.sub(rf"(?m)^{missing}: .*\n", "", NIGHT)
        with pytest.raises(FormatError, match=f"{missing}: ") as error:
            read_sheet(text)
        (line,) = re.findall(rf"'({missing}: [^']+)'", str(error.value))
        assert read_sheet(f"{line}\n{text}").entries


def test_what_can_be_read_in_two_ways_is_refused_with_both() -> None:
    for line, message in (
        ("day 1\nDi died", "'Di was voted off' or 'Di was found dead'"),
        ("1 75 25 0", "is a row without a table; first write its headings"),
        ("table\nnumber dead\n1 1\n2 25%\n3 25\n4 -", "write 1% or 100%"),
        ("day 1\nnobody was voted off\nDi was voted off", "says earlier that nobody was voted off"),
        ("day 1\nDi was voted off\nnobody died", "names a player who was dead"),
    ):
        with pytest.raises(FormatError, match=re.escape(message)):
            read_sheet(NIGHT + line)


def test_each_fix_as_printed_is_accepted() -> None:
    for line in ("day 1\nDi died", "table\nnumber dead\n1 1\n2 25%\n3 25\n4 -"):
        with pytest.raises(FormatError) as error:
            read_sheet(NIGHT + line)
        fixes = re.findall(r"'(Di was [^']+)'|(\d+%)(?: or|$)", str(error.value))
        assert fixes
        for fix in map("".join, fixes):
            read_sheet(NIGHT + line.replace("Di died", fix).replace("1 1\n", f"1 {fix}\n"))


def test_nobody_may_die() -> None:
    for line in ("nobody was voted off", "No one was hanged.", "nobody died"):
        (vote,) = [e for e in read_sheet(f"{NIGHT}day 1\n{line}").entries if e.phase.kind == "vote"]
        assert not vote.events


def test_a_night_may_be_named_without_its_parts() -> None:
    """The moves say to which part they belong."""
    whole = f"{NIGHT}day 1\nDi was voted off: good\n"
    parts = "night 1, attacks\nyou attack Ann\nnight 1, visions\nyou look at Ann: good\n"
    named = "night 1\nI attacked Ann\nI looked at Ann: good\n"
    for after in ("", "day 2\n", "table\nnumber evil\n1 25%\n"):
        assert same(whole + named + after, whole + parts + after)


READERS: dict[str, Callable[[str], str]] = {
    "Windows": lambda text: text.replace("\n", "\r\n"),
    "equals": lambda text: re.sub(r"(?m)^(\w+): ", r"\1 = ", text, count=5),
    "sentence": lambda text: text.replace("you: Bo", "I am Bo.").replace("number: 2", "My number is 2"),
    "heading": lambda text: text.replace("night 0\n", "Night 0: "),
    "bars": lambda text: text.replace("\n", "\n> "),
    "blanks": lambda text: text.replace("Ann, Bo, Cy, Di", "Ann Bo Cy Di"),
    "perfect": lambda text: text.replace("I looked", "I have looked"),
    "chat": lambda text: re.sub(r"(?m)^(?=night|I)", "[20:14] Bo: ", text),
    "dates": lambda text: re.sub(r"(?m)^(?=night|I)", "28/11/2026, 8:14 pm - Bo: ", text),
    "letter": lambda text: text.replace("night 0", "N0"),
    "seen": lambda text: text.replace("I looked at Cy", "I saw Cy"),
}


def test_half_sentences_of_a_day() -> None:
    after = "night 1\nI attacked Ann\nI did not look\n"
    days = (
        "Di was voted off: good",
        "Di hanged: good",
        "Di was burned. She was good.",
        "Di got lynched (good)",
    )
    for day in days:
        for night in (after, "night 1: I attacked Ann. I didnt look at anyone.\n"):
            text = f"{NIGHT}day 1\n{day}\n{night}"
            assert same(text, f"{NIGHT}day 1\nDi was voted off: good\n{after}"), text


def test_the_first_heading_of_a_table_may_be_left_out() -> None:
    rows = "1 75 25\n2 62 38\n3 88 12\n4 75 25\n"
    assert same(f"{NIGHT}good evil\n{rows}", f"{NIGHT}table\nnumber good evil\n{rows}")


def test_other_heads_and_lines() -> None:
    assert [name for name, write in READERS.items() if not same(write(NIGHT), NIGHT)] == []
