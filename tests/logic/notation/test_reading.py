"""Formulas in the notation of others: small printers of each, read back; and what the reader must not do."""

import sys
import warnings
from itertools import count
from random import Random
from typing import ClassVar

import pytest

from kripke_werewolf import FormulaError, FormulaSyntaxError, KripkeModel, parse, understand, valid
from kripke_werewolf.logic.english.vocabulary import Vocabulary
from kripke_werewolf.logic.formulas import Atom, Formula
from kripke_werewolf.logic.formulas import operators as s
from kripke_werewolf.logic.notation.reading import read_asked
from tests.cases import cases, each

AGENTS, ATOMS = ["a", "b", "c"], ["p", "q", "r", "wolf_2"]


def random_formula(rng: Random, depth: int, *, modal: bool = True, groups: bool = True) -> Formula:
    """Return a formula of atoms, Boolean operators, K, M and, if wanted, operators of groups and updates."""
    if depth == 0 or rng.random() < 0.15:
        return Atom(rng.choice(ATOMS))

    def part() -> Formula:
        return random_formula(rng, depth - 1, modal=modal, groups=groups)

    agent, group = rng.choice(AGENTS), rng.sample(AGENTS, rng.randint(2, 3))
    made = [lambda: ~part(), lambda: s.And(part(), part()), lambda: s.Or(part(), part())]
    made += [lambda: s.Implies(part(), part())]
    made += [lambda: s.Knows(agent, part()), lambda: s.Possible(agent, part())]
    if groups:
        made += [lambda: s.Common(group, part()), lambda: s.Everyone(group, part())]
        made += [lambda: s.Distributed(group, part()), lambda: s.KnowsWhether(agent, part())]
        made += [lambda: s.Iff(part(), part()), lambda: s.Box(s.Announce(part()), part())]
    return rng.choice(made)()


class Printer:
    """A notation: the words of each operator, with `{}` for its agents and `%` for each part."""

    words: ClassVar[dict[str, tuple[str, ...]]]
    brackets: tuple[tuple[str, str], ...] = (("(", ")"),)
    index = ","
    spaces = ("", " ", "  ")

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def atom(self, name: str) -> str:
        return name

    def of(self, f: Formula) -> str:
        """Return the formula, every part in brackets."""
        if isinstance(f, Atom):
            return self.atom(f.name)
        agents = self.index.join(f.label) if isinstance(f, s.Modal) else ""
        text = self.rng.choice(self.words[type(f).__name__]).replace("{}", agents)
        for child in f.children:
            text = text.replace("%", self.inside(child), 1)
        return text

    def inside(self, f: Formula) -> str:
        opening, closing = self.rng.choice(self.brackets)
        space = self.rng.choice(self.spaces)
        again = self.rng.random() < 0.2
        text = f"{opening}{space}{self.of(f)}{space}{closing}"
        return f"{opening}{text}{closing}" if again else text


class Latex(Printer):
    words: ClassVar = {
        "Not": (r"\neg %", r"\lnot\,%", r"\sim %"),
        "And": (r"% \wedge %", r"%\,\land\;%", r"% \text{ and } %"),
        "Or": (r"% \vee %", r"% \lor\ %"),
        "Implies": (r"% \to %", r"% \Rightarrow %", r"\text{if } % \text{ then } %", r"%\implies %"),
        "Iff": (r"% \leftrightarrow %", r"% \equiv %", r"% \text{ if and only if } %"),
        "Knows": (r"\mathbf{K}_{{}}%", r"\square_{{}} %", r"\Box_{{}}%", r"\mathcal{K}_{\mathrm{{}}} %"),
        "Possible": (r"\hat{\mathbf{K}}_{{}} %", r"\Diamond_{{}} %", r"\widehat{K}_{{}} %"),
        "KnowsWhether": (r"\mathit{Kw}_{{}} %", r"\mathsf{Kw}_{{}}%"),
        "Common": (r"\mathbf{C}_{\{{}\}} %", r"C_{{}} %"),
        "Everyone": (r"\mathrm{E}_{{}} %",),
        "Distributed": (r"\mathsf{D}_{{}} %",),
        "Box": (r"[\,! %\,] %", r"\left[! %\right]%"),
    }
    brackets = (("(", ")"), (r"\left(", r"\right)"), (r"\bigl(", r"\bigr)"), (r"\{", r"\}"))
    spaces = ("", " ", r"\,", r"\ ", r"\quad ")


class Textbook(Printer):
    words: ClassVar = {
        "Not": ("~%", "¬%", "not %", "Not %"),
        "And": (r"% /\ %", "% and %", "%&%"),
        "Or": (r"% \/ %", "% v %", "%∨%"),
        "Implies": ("% --> %", "% ==> %", "if % then %", "% only if %", "%⟹%"),
        "Iff": ("% <--> %", "% = %", "% == %", "% if and only if %"),
        "Knows": ("K({}, %)", "K {} %", "K{} %", "Know({}, %)", "K[{}] %", "{} knows %", "Box_{} %"),
        "Possible": ("L_{} %", "M({}, %)", "Diamond_{} %", "{} considers it possible that %"),
        "KnowsWhether": ("Kwh_{} %", "{} knows whether %"),
        "Common": ("CK_{{}} %", "C({}, %)", "C_{} %", "C({{}}, %)", "C[{}] %"),
        "Everyone": ("EK_{{}} %", "E({}, %)"),
        "Distributed": ("DK_{{}} %", "D[{}]%"),
        "Box": ("[%!]%", "[! %] %"),
    }
    brackets = (("(", ")"), ("[", "]"), ("{", "}"))


class Smcdel(Printer):
    words: ClassVar = {
        "Not": ("~%", "Not %", "not %"),
        "And": ("AND(%,%)", "AND{%, %}", "% & %"),
        "Or": ("OR(%,%)", "% | %"),
        "Implies": ("% -> %",),
        "Iff": ("% iff %",),
        "Knows": ("K {} %", "{} knows that %"),
        "Possible": ("~({} knows that ~ %)",),
        "KnowsWhether": ("{} knows whether %", "Kw {} %"),
        "Common": ("({}) comknow that %", "{} comknow that %"),
        "Everyone": ("E_{{}} %",),
        "Distributed": ("({}) distknow that %", "Dk_{{}} %"),
        "Box": ("[! %] %",),
    }


class Mlsolver(Printer):
    words: ClassVar = {
        "Not": ("Not(%)",),
        "And": ("And(%, %)",),
        "Or": ("Or(%, %)",),
        "Implies": ("Implies(%, %)",),
        "Knows": ("Box_a('{}', %)",),
        "Possible": ('Diamond_a("{}", %)',),
    }
    brackets = (("", ""),)
    spaces = ("",)

    def atom(self, name: str) -> str:
        return f"Atom('{name}')"


@pytest.mark.parametrize("printer", [Latex, Textbook, Smcdel, Mlsolver])
@pytest.mark.parametrize("seed", range(8))
def test_what_another_notation_writes_is_read_back(printer: type[Printer], seed: int) -> None:
    rng = Random(seed)
    for _ in range(25):
        f = random_formula(rng, rng.randint(1, 5), groups=printer is not Mlsolver)
        if printer is Smcdel:
            f = f.rewrite(lambda g: ~s.Knows(g.agent, ~g.body) if isinstance(g, s.Possible) else g)
        text = printer(rng).of(f)
        assert understand(text).formula is f, text
        for before, after in (("", " "), ("$", "$"), ("", ".")):
            assert understand(f"{before}{text}{after}").formula is f, text


@each(range(6))
def test_no_spelling_of_others_changes_a_formula_of_ours(seed: int) -> None:
    rng = Random(seed)
    for _ in range(60):
        f = random_formula(rng, 4)
        for text in (str(f), f.unicode(), f.latex()):
            found = understand(text)
            assert (found.formula, found.guessed) == (f, False)
    # names that are words of others stay names
    for name in ("And", "v", "Top", "L", "Box", "then", "if", "CK", "Know", "Pr"):
        assert understand(f"{name} -> K_{name} {name}").formula is parse(f"{name} -> K_{name} {name}")
        assert understand(f'AND("{name}", p)').formula is s.And(name, "p")


@cases(
    ("K_a^2 p & E^3_{a,b} q", "K_a K_a p & E_{a,b} E_{a,b} E_{a,b} q"),
    ("Pr_a(p) >= 1/2", "P_a(p) >= 1/2"),
    ("P(a, p) > 50% & q", "P_a(p) > 1/2 & q"),
    (r"\Pr_a(p) \ge \frac{1}{2}", "P_a(p) >= 1/2"),
    ("VALID? p | q", "everywhere (p | q)"),
    ("Box_star(Atom('p'))", "p & E_{a,b} p"),
    ("everybody believes p", "E_{a,b} p"),
    ("nobody knows p", "~Sk_{a,b} p"),
    ("p if q & r", "q & r -> p"),
    ("K₁ p & K_'Mary Ann' q", "K_1 p & K_{Mary Ann} q"),
    ("Exactly(1, p, q)", "exactly(1; p, q)"),
    ("[p & q]K_a p", "[!p & q]K_a p"),
    ("[p & q] | r", "p & q | r"),
    ("wolf(Bo) -> K_a wolf_Bo", "wolf_Bo -> K_a wolf_Bo"),
    ("C_G p --> E_H p", "C_{a,b} p -> E_{b,c} p"),
)
def test_forms_of_others(text: str, formula: str) -> None:
    groups = {"G": ["a", "b"], "H": ["b", "c"]}
    assert understand(text, agents=["a", "b"], groups=groups).formula is parse(formula)


def test_an_assignment_is_an_action_that_everybody_sees() -> None:
    model = KripkeModel.from_partitions(["w", "v"], {"a": [["w", "v"]]}, {"p": ["w"], "q": []}, "w")
    assert model.valid("[q := p](q <-> p)")
    assert model.valid("[p := q, q := p](q & K_a (q | ~p))") == model.valid("p & everywhere true")
    assert model.where("<p := ~p>p") == ["v"]


@each(["K_a,b p", "Kab p", "K_{a,b} p", "K(a, b, p)"])
def test_where_two_readings_are_likely_the_reader_asks(text: str) -> None:
    with pytest.raises(FormulaSyntaxError, match=r"did you mean: E_\{a,b\} p") as caught:
        understand(text)
    assert "C_ is common and D_ distributed" in str(caught.value)


@each(["who", "one", "both", "neither", "which"])
def test_words_for_a_certain_number_name_no_agent(word: str) -> None:
    with pytest.raises(FormulaError):
        valid(f"{word} knows that p -> p")
    assert understand(f'"{word}" knows that p').formula is s.Knows(word, "p")


def test_a_reading_that_is_not_obvious_is_told() -> None:
    model = KripkeModel.from_partitions(["w"], {"a": [["w"]]}, {"p": ["w"]}, "w")
    with pytest.warns(UserWarning, match=r"'L_a p' is read as M_a p"):
        assert model.holds("L_a p")
    assert understand("K(a, p)").how == ""
    assert understand("p = q").how == "read as p <-> q"


@pytest.mark.parametrize("seed", range(20))
def test_a_caret_is_remarked_on_where_it_joins_formulas(seed: int) -> None:
    rng = Random(seed)
    model = KripkeModel(["w"], {agent: [("w", "w")] for agent in AGENTS}, {atom: ["w"] for atom in ATOMS})
    one, other = (random_formula(rng, 2) for _ in range(2))
    with pytest.warns(UserWarning, match=r"^\^ is read as exclusive or; 'and' is written &$"):
        assert model.holds(f"({one}) ^ ({other})") is (model.holds(one) != model.holds(other))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.holds(f"({one}) & ({other})")
        model.holds(s.Xor(one, other))
        model.holds(f"K_a^2 ({one})")


def test_a_question_in_the_notation_of_others_is_about_known_names() -> None:
    about = Vocabulary(("Bo", "Di"), ("wolf_Bo", "wolf_Di"), numbers=(("1", "Bo"),))
    for text, meant in (
        ("And(Know(Bo, wolf_Di), Not(wolf_Bo))", "K_Bo wolf_Di & ~wolf_Bo"),
        ("Or(wolf_Bo, Know(Di, wolf_Di))", "wolf_Bo | K_Di wolf_Di"),
        ("Not(Know(1, wolf_1))", "~K_1 wolf_1"),
    ):
        assert read_asked(text, about) is parse(meant)
    for text in ("And(Know(Bo, wolf_Zo), wolf_Bo)", "Know(Zo, wolf_Bo)", "K(Bo, Di, wolf_Bo)"):
        with pytest.raises(FormulaSyntaxError):
            read_asked(text, about)


def test_reading_is_linear() -> None:
    """Ten times as long takes about ten times as many calls, however it is nested."""

    def calls(text: str) -> int:
        made = count()
        before = sys.getprofile()
        sys.setprofile(lambda *_event: next(made) and None)
        try:
            understand(text)
        finally:
            sys.setprofile(before)
        return next(made)

    for make in (
        lambda n: "AND(" + ", ".join(["K(a, p)"] * n) + ")",
        lambda n: r" \/ ".join(["K a p"] * n),
        lambda n: "Not(" * (n // 5) + "p" + ")" * (n // 5),
        lambda n: "if p then " * (n // 5) + "K(a, q)",
        lambda n: "AND(" + ", ".join(["p"] * n) + ")",
    ):
        understand(make(500))
        assert calls(make(5_000)) < 12 * calls(make(500))
