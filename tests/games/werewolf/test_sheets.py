"""Typed sheets: their content, and the line of every mistake. The puzzle D.5 of CISRA 2008."""

from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from kripke_werewolf import FormatError, GameError, QuantumWerewolf, parse, preset
from kripke_werewolf.cli.main import cli
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.inference import NoHistory, answers, infer, plan_of
from kripke_werewolf.games.werewolf.inference.answers import find_histories
from kripke_werewolf.games.werewolf.inference.plan import Acting, Judged, Move, PlacedMove
from kripke_werewolf.games.werewolf.inference.search import drawn_roles, placements
from kripke_werewolf.games.werewolf.inference.solver import Problem
from kripke_werewolf.games.werewolf.sheets import read_entry, read_sheet
from tests.cases import cases

D5 = Path(__file__).parents[3] / "examples" / "sheets" / "schroedingers-wolves.txt"
HEAD = "rules: gekka\nplayers: Ann, Bo, Cy\nwolves: 1\nyou: Bo\n"


def typed(game, player, *, said=lambda line: True):
    """The sheet of a player with the sentences of the printed handout, or some of them."""
    setup, sheet = game.setup, game.handout(player)
    lines = [f"rules: {setup.rules.name}", f"players: {', '.join(setup.players)}"]
    lines += [f"wolves: {setup.deck.wolves}", f"targets: {setup.targets}", f"you: {player}"]
    if sheet.number is not None:
        lines.append(f"number: {sheet.number}")
    lines += printed(sheet.table)
    for part in sheet.entries:
        lines += [str(part.phase), *filter(said, sheet.lines(part)), *printed(part.table)]
    return "\n".join(lines)


def printed(table):
    if table is None:
        return []
    cells = [[table.heading, *table.columns]]
    cells += [
        [label, *("-" if v is None else str(v) for v in table[label].values())] for label in table.labels
    ]
    return ["table", *("  ".join(line) for line in cells)]


@pytest.mark.parametrize("said", ["", "you look at Ann: good", "you attack Ann"])
def test_the_solver_and_the_search_agree_on_moves_that_are_not_made(said):
    pytest.importorskip("ortools")
    head = "rules: cisra\nplayers: Ann, Bo, Cy\nwolves: 1\nyou: Cy\nnumber: 3\nopening: night,\n"
    sheet = read_sheet(f"{head}first_attack: yes\nnight 1\n{said}")
    found, plan, possible = infer(sheet), plan_of(sheet), set()
    for place, _ in placements(plan, ()):
        for roles in drawn_roles(plan, place):
            for choice in Problem(plan, place, roles).choices:
                problem = Problem(plan, place, roles)
                problem.model.add_bool_or([problem.choices[choice]])
                if problem.solve(Budget(60)).found:
                    possible.add(choice)
    leaves = (leaf for find in found.finds for leaf, _, weight in find.shares if weight)
    made = {tuple(look) for leaf in leaves for look in leaf.seen if look.target is not None}
    ways = (way for find in found.finds for way in find.attacks)
    struck = (PlacedMove(n, p, "attack", t) for way in ways for (n, p), t in way.items() if t is not None)
    made |= set(map(tuple, struck))
    assert {tuple(choice) for choice in possible if choice.target is not None} == made
    assert any(m.move == "has not acted so far (attack)" for m in found.moves) == ("attack" not in said)


LOOK, ATTACK = ("Bo", "vision"), ("Bo", "attack")


def test_sentences_about_moves_are_read():
    for text, known in [
        ("You look at Ann and see: wolf.", {LOOK: Move("Ann", "wolf")}),
        ("You attack Ann.\nEnd of night 1.", {ATTACK: Move("Ann")}),
        ("You are not asked for a vision.", {LOOK: Move(None, "not asked"), ATTACK: Move(None, "not made")}),
        ("You do without the vision.", {LOOK: Move(None)}),
        ("You are passed over: you had an attack.", {ATTACK: Move(None, "passed over")}),
        (
            "End of night 1. Passed over: Bo (attack), Cy (attack).\nYou are passed over: you had an attack.",
            {ATTACK: Move(None, "passed over"), ("Cy", "attack"): Move(None, "passed over")},
        ),
        (
            "Cy does without the vision.\nCy attacks Ann.\nAnn looks at Cy.",
            {("Cy", "vision"): Move(None), ("Cy", "attack"): Move("Ann"), ("Ann", "vision"): Move("Cy", "?")},
        ),
    ]:
        head = "rules: straat\nplayers: Ann, Bo, Cy\nwolves: 1\nyou: Bo\nnumber: 2\ntargets: public\n"
        step = plan_of(read_sheet(f"{head}vision_compulsory: no\nnight 1\n{text}")).steps[0]
        assert {key: step.known[key] for key in known} == known, text


def test_other_sentences_of_handouts_are_read():
    rest = (
        "night 1\nYou look at Ann and see nothing.\nEnd of night 1. Passed over: Cy (vision).\n"
        "day 1\nThe vote is tied between Ann and Cy; the lot decides. Ann is voted off.\nEnd of day 1.\n"
        "night 2\nYou cannot attack Cy, who is a wolf in every world where you are the dominant wolf.\n"
        "Cy is found dead.\nNothing can change any more; one world is drawn.\n"
        "The wolves win; winners: Bo, Cy."
    )
    steps = plan_of(read_sheet(f"{HEAD}attack_must_be_possible: yes\n{rest}")).steps
    assert [set(step.dead) for step in steps if step.dead] == [{"Ann"}, {"Cy"}]
    assert [step.refused for step in steps if isinstance(step, Acting)][-1] == ("Cy",)
    ended = next(step for step in steps if isinstance(step, Judged) and step.collapsed)
    assert (ended.verdict, ended.winners) == ("wolves", ("Bo", "Cy"))


def test_intervals_admit_both_ends():
    def interval(text):
        entry = read_entry(text, 1)
        return entry.low, entry.high

    assert interval("8%") == (Fraction(75, 1000), Fraction(85, 1000))
    assert interval("6.2%") == (Fraction(615, 10000), Fraction(625, 10000))  # 1/16, shown with ties to even
    assert interval("0.08") == (Fraction(75, 1000), Fraction(85, 1000))
    assert interval("100%") == (1, 1) == interval("1")
    assert interval("0%") == (0, 0)
    assert interval("<0.1%")[0] > 0
    assert interval(">99.9%")[1] < 1


def test_contradictions_name_the_line():
    for text, message in [
        ("night 1\nday 1\nAnn was voted off\nAnn was voted off", "line 8: Ann has been dead since line 7"),
        (
            "night 1\nday 1\nBo was voted off\nnight 2\nyou attack Ann",
            "line 9: Bo has been dead since line",
        ),
        ("night 1\nday 1\nAnn was voted off\nnight 2\nyou attack Ann", "line 9: Ann has been dead since"),
        ("vision_self: no\nnight 1\nyou look at Bo: human", "line 7: nobody can look at themselves here"),
        (
            "vision_worlds: all\nacting_order: number\nnight 1\nyou look at Ann: nothing",
            "line 8: every vision",
        ),
        ("night 1\nyou are passed over: you had an attack", "line 6: there is no attack in night 1"),
        (
            "night 1\npassed over: Cy",
            "line 6: unknown turn 'Cy' (known: Ann (vision)",
        ),
        ("night 1\nend of day 1", "line 6: cannot read 'end of day 1'; nearest to it is"),
        ("vision_compulsory: no\nnight 1\npassed over: Cy (vision)", "line 7: the vision may be declined"),
        ("night 1\ntable\nplayer wolf\nAnn 5% 75%", "line 8: 'Ann 5% 75%' does not fit 1 column"),
        ("night 1\ntable\nplayer wolf\nAnn 5%\n\ntable\nplayer wolf\nAnn 5%", "line 12: a second table in"),
    ]:
        with pytest.raises(FormatError) as error:
            read_sheet(HEAD + text)
        assert message in str(error.value), text


def test_mistakes_name_the_line():
    for text, message in [
        ("players: Ann", "line 1: the head lacks 'rules'"),
        ("rules: gekka\nwolvs: 1", "line 2: unknown setting 'wolvs' in the head; did you mean 'wolves'?"),
        (HEAD.replace("gekka", "geka"), "line 1: unknown rule set 'geka'; did you mean 'gekka'"),
        (HEAD.replace("you: Bo", "you: Boo"), "line 4: unknown player 'Boo'; did you mean 'Bo'"),
        (HEAD + "wolves: 2", "line 5: 'wolves' is given twice"),
        (HEAD.replace("gekka", "cisra"), "line 1: the head lacks 'number': add a line such as 'number: 1'"),
        (HEAD + "day 1", "line 5: the first phase is missing: 'night 1'"),
        (HEAD + "night 1\nday 3", "line 6: cannot read 'day 3'"),
        (HEAD + "night 1\nday 3", "the next phase is 'day 1'"),
        (HEAD + "you look at Ann: human", "line 5: the first phase is missing: 'night 1'"),
        (
            HEAD + "night 1\nyou look at An: human",
            "'You look at NAME: human or wolf.' or ",
        ),
        (HEAD + "night 1\nyou look at Ann: good", "'You look at NAME: human or wolf.'"),
        (HEAD + "night 1\nCy was found dead: dead", "'NAME was found dead.'"),
        (HEAD + "night 1\nyou are told: alpha", "'You are told: villager or seer or wolf.'"),
        (HEAD + "night 1\nAnn looks at Bo", "line 6: cannot read 'Ann looks at Bo'"),
        (HEAD + "night 1\nyou attack Ann", "line 6: there is no attack in night 1"),
        (HEAD + "night 1\nyou frown", "line 6: cannot read 'you frown'"),
        (HEAD + "night 1\nyou do not look\nyou do not look", "the vision of Bo in night 1 is given twice"),
        (HEAD + "night 1\ntable\nplayer wolv\nAnn 8%", "line 7: unknown column 'wolv'; did you mean"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnne 8%", "line 8: unknown player 'Anne'"),
        (
            HEAD + "night 1\ntable\nplayer wolf\nAnn 8%\nyou do not look",
            "line 9: unknown player 'you do",
        ),
        (HEAD + "night 1\ntable\nplayer wolf wolf\nAnn 8% 8%", "line 7: the column 'wolf' is given twice"),
        (HEAD + "night 1\ntable", "line 6: a table needs a line of headings"),
        (HEAD + "night 1\nyour chances: seer 33%", "line 6: the rules 'gekka' tell nobody chances"),
        (
            HEAD + "night 1\nday 1\nAnn was voted off\nthe village wins: Bo, Cy\nnight 2",
            "line 9: the game has been over since line 8; no phase follows",
        ),
        (HEAD + "night 1\ntable\nplayer human wolf\nAnn 50%", "line 8: 'Ann 50%' does not fit 2"),
        (HEAD + "night 1\ntable\nplayer wolf\nAnn 5%\nAnn 5%", "line 9: the row 'Ann' is given twice"),
        (HEAD.replace("wolves: 1", "wolves: 7"), "line 3: more roles than players"),
        (HEAD.replace("Cy", "Ann\u200b"), "line 2: the name 'Ann\\u200b' has the invisible character"),
        (HEAD + "vision_self: maybe", "line 5: vision_self='maybe' is not possible"),
        (
            HEAD.replace("Ann, Bo, Cy", "-4"),
            "line 2: '-4' is neither a list such as 'Ann, Bo, Cy' nor",
        ),
        (HEAD.replace("Ann, Bo, Cy", "Ann Bo Cy"), "line 2: 'Ann Bo Cy' is neither a list"),
        (HEAD.replace("Ann, Bo, Cy", "999"), "line 2: '999' is neither a list"),
    ]:
        with pytest.raises(FormatError) as error:
            read_sheet(text, source="sheet.txt")
        assert message in str(error.value), text
        assert "sheet.txt, line" in str(error.value)


@cases(
    ("worlds: 3\nAnn 75%", "Ann wolf 75% (line 9)"),
    ("Ann 50%\nBo 50%\nCy 20%", "Cy wolf 20% (line 10)"),
    ("Ann 50%\nBo 20%", "Bo wolf 20% (line 9)"),
)
def test_entries_that_cannot_hold_together_are_named_with_their_lines(rows, named):
    with pytest.raises(NoHistory) as error:
        infer(read_sheet(f"{HEAD}night 1\ntable\nplayer wolf\n{rows}"))
    assert named in str(error.value.conflict(seconds=None))


@cases("108%", "-8%", "7:7%", "8e-2", "1/0", "75", "7,5%", "?", "25 %", "one", ".5", "<", "1/13%x")
def test_other_entries_are_refused(entry):
    with pytest.raises(FormatError, match=r"line 8: .* (is not a probability: write|does not fit 1 column)"):
        read_sheet(f"{HEAD}night 1\ntable\nplayer wolf\nAnn {entry}")


def test_what_editors_add_changes_nothing():
    text = HEAD + "night 1\nyou look at Ann: human\ntable\nplayer wolf\nAnn 0%\nBo 50%\nCy 50%\n"
    plain = read_sheet(text)
    assert read_sheet("\ufeff" + text.replace("\n", "\r\n")) == plain


def test_names_may_be_composed_of_a_letter_and_an_accent():
    text = HEAD.replace("Cy", "Zo\u00e9") + "night 1\nyou look at Zo\u00e9: human\n"
    assert read_sheet(text.replace("\u00e9", "e\u0301", 1)) == read_sheet(text)


# --- D.5 -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved():
    """The histories that explain the puzzle's table."""
    return infer(read_sheet(D5.read_text(encoding="utf-8")))


def test_the_puzzle(solved):
    found = solved
    assert (found.status, found.worlds) == ("exact", (13,))
    ways = {tuple(int(target) for _, _, target in way) for _, way in found.attacks}
    assert ways == {(4, 1, 2, 5, 6, 5), (4, 1, 5, 2, 6, 5), (4, 1, 5, 5, 6, 2)}
    assert found.ask("K_4 ~dead_3") == "true"
    assert found.chance("good_1") == Fraction(12, 13)


def test_the_entries_that_force_a_move_do_and_none_can_be_left_out(solved):
    sheet, why = solved.plan, solved.because("1 attacks 4", seconds=None)
    cells = {i for i, cell in enumerate(sheet.cells) if cell in why.cells}

    def forced(kept):
        """Whether, with these entries alone, the attack cannot have been another."""
        plan = sheet.only(frozenset(kept))
        ((place, _),) = placements(plan, ())
        for roles in drawn_roles(plan, place):
            problem = Problem(plan, place, roles)
            for choice in problem.choices:
                if (choice.actor, choice.action, choice.target) == (0, "attack", 3):
                    problem.without(choice)
            if problem.solve(Budget()).found:
                return False
        return True

    assert why.least == "irreducible"
    assert forced(cells)
    assert not any(forced(cells - {cell}) for cell in cells)


def test_what_is_open_has_no_reason(solved):
    found = solved
    assert found.because("wolf_3") is None
    assert found.because("3 attacks 5") is None
    with pytest.raises(GameError, match="about what players know"):
        found.because("K_4 K_3 wolf_1")


def test_entries_are_found_without_the_solver_and_where_it_does_not_apply(monkeypatch):
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules=preset("straat", table="open"), rng=3)
    for name in game.players:
        game = game.vision(name, "Bo")
        game = game.attack(name, "Ann") if "attack" in game.may_act.get(name, ()) else game
    found = infer(game.handout("Ann"))
    fact = "~wolf_Bo"
    why = found.because(fact, seconds=None)
    assert (why.conclusion, [cell.row for cell in why.cells]) == (str(parse(fact)), ["Bo"])
    monkeypatch.setattr(answers, "find_spec", lambda name: None)
    text = HEAD + "night 1\nyou look at Ann: human\ntable\nplayer wolf\nAnn 0%\nBo 50%\nCy 50%\n"
    why = infer(read_sheet(text)).because("~wolf_Ann", seconds=None)
    assert (why.least, [cell.row for cell in why.cells]) == ("irreducible", ["Bo", "Cy"])


def test_a_table_that_cannot_be():
    sheet = read_sheet(D5.read_text(encoding="utf-8").replace("46%", "53%"))
    with pytest.raises(NoHistory) as error:
        infer(sheet)
    conflict = error.value.conflict(seconds=None, smallest=False)
    assert conflict.conclusion == ""
    assert ("5", "dead") in {(cell.row, cell.heading) for cell in conflict.cells}
    plan = plan_of(sheet)
    kept = plan.only(frozenset(i for i, cell in enumerate(plan.cells) if cell in conflict.cells))
    with pytest.raises(NoHistory):
        find_histories(kept, Budget())


def test_the_command(tmp_path):
    run = CliRunner()
    done = run.invoke(cli, ["game", "infer", str(D5), "--json"])
    assert done.exit_code == 0
    assert '"move": "attacks 4"' in done.output
    game = QuantumWerewolf(["Ann", "Bo", "Cy"], wolves=1, rules="gekka", rng=2)
    for name in game.players:
        game = game.vision(name, "Ann")
    sheet = tmp_path / "bo.json"
    sheet.write_text(game.handout("Bo").to_json(), encoding="utf-8")
    known = infer(game.handout("Bo")).ask("K_Bo wolf_Ann") == "true"
    done = run.invoke(cli, ["game", "infer", str(sheet), "K_Bo wolf_Ann", "--example", "--timeout", "60"])
    assert done.exit_code == (0 if known else 1), done.output
    assert "what Bo was told" in done.output
    assert "For example:" in done.output


def test_a_contradiction_on_the_command_line(tmp_path):
    broken = tmp_path / "broken.txt"
    table = "night 1\nyou look at Ann: human\ntable\nplayer wolf\nAnn 0%\nBo 40%\nCy 60%\n"
    broken.write_text(HEAD + table, encoding="utf-8")
    with pytest.raises(GameError, match=r"these cannot hold together: .*Cy wolf 60% \(line \d+\)"):
        CliRunner().invoke(cli, ["game", "infer", str(broken)], catch_exceptions=False)


def test_a_list_of_one_phase_ends_with_a_comma():
    sheet = read_sheet("rules: cisra\nplayers: 3\nwolves: 1\nyou: 1\nopening: night,\ncycle: vote, night")
    assert sheet.setup.rules.opening == ("night",)
    assert sheet.setup.rules.cycle == ("vote", "night")
