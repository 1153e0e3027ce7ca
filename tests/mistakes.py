"""Fifty mistakes that students make, and some more, each with the words that show how to put it right.

`python -m tests.mistakes` prints what happens at each one, and in how many the fix is obvious.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from click.testing import CliRunner

import kripke_werewolf as kw
import visualise
from kripke_werewolf.cli.main import cli


def run(*arguments: str) -> str:
    """Return the output and the error of the command."""
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    return done.output + str(done.exception or "")


NAMES = {
    "run": run,
    "kw": kw,
    "visualise": visualise,
    "Model": kw.KripkeModel,
    "cells": kw.KripkeModel.from_partitions,
    "game": kw.QuantumWerewolf(["Ann", "Bo", "Cy", "Di"], wolves=2, rng=1),
    "m": kw.KripkeModel.from_partitions(
        ["w", "v"], {"a": [["w", "v"]], "b": [["w"], ["v"]]}, {"p": ["w"], "q": ["v"]}, designated=["w"]
    ),
}


@dataclass(frozen=True)
class Mistake:
    """What a student writes, and the words of the message that show what to write instead.

    `works`: the notation is read today; `fix` is the answer then.
    """

    code: str
    fix: str
    works: bool = False

    def outcome(self) -> str:
        """Return the message of the error, or the answer if there is none."""
        try:
            answer = eval(self.code, dict(NAMES))
        except Exception as error:
            return str(error)
        return repr(answer)

    def is_obvious(self) -> bool:
        """Return whether the message holds the fix, or the answer is right."""
        return self.outcome() == self.fix if self.works else self.fix in self.outcome()


MISTAKES = (
    Mistake('Model(["w", "v"], {"a": ["w", "v"]}, {})', "must consist of pairs of worlds, got 'w'"),
    Mistake('Model(["w", "v"], {"a": [("w", "u")]}, {})', "unknown world 'u'"),
    Mistake('cells(["w"], {"a": [["w"]]}, {"w": ["p"]})', "such as {'p': ['w']}"),
    Mistake('cells(["w"], {"a": [["w"]]}, {"p": "w"})', "must be a collection, such as ['w']; got 'w'"),
    Mistake('cells(["w", "v"], {"a": [["w"]]}, {})', "world 'v' is in no class of agent 'a'"),
    Mistake('cells(["w", "v"], {"a": [["w", "v"], ["v"]]}, {})', "world 'v' is in more than one class"),
    Mistake('cells(["w", "v"], {"a": ["w", "v"]}, {})', "one class of all is [['w', 'v']]"),
    Mistake('cells(["w", "v"], {"a": [("w", "v"), ("v", "w")]}, {})', "pairs of worlds go to the plain"),
    Mistake('cells(["w", "w"], {"a": [["w"]]}, {})', "world 'w' is given twice"),
    Mistake('cells(["w"], {"a": [["w"]]}, {}, designated=["x"])', "unknown world 'x' (known: w)"),
    Mistake('cells([["w"]], {"a": [["w"]]}, {})', "name worlds by"),
    Mistake('cells(["w"], {"a": [["w"]]})', "missing a required argument: 'valuation'"),
    Mistake('m.holds("K_c p")', "unknown agent 'c' (known: a, b)"),
    Mistake('m.holds("P")', "did you mean 'p'?"),
    Mistake('m.holds("Ka p")', "False", works=True),
    Mistake('m.holds("K a p")', "False", works=True),
    Mistake('m.holds("Kap")', "did you mean K_a p?"),
    Mistake('run("prove", "Kap -> p")', "K_a p"),
    Mistake('m.holds("K(a,p)")', "False", works=True),
    Mistake('m.holds("C_a,b p")', "False", works=True),
    Mistake('m.holds("E_ab p")', "did you mean {a,b}?"),
    Mistake('m.holds("C p")', "False", works=True),
    Mistake('m.holds("p => p | q")', "True", works=True),
    Mistake('m.holds("p && ~q")', "True", works=True),
    Mistake('m.holds("-q")', "True", works=True),
    Mistake('m.holds("(p & q")', "expected an operator (& ^ | -> <->) or"),
    Mistake('m.holds("p & q)")', 'unexpected ")"'),
    Mistake('m.holds("")', "the text is empty"),
    Mistake('m.holds("[p]K_b p")', "write [!p] to announce it"),
    Mistake('m.holds("[p!]q")', "False", works=True),
    Mistake('m.holds("$K_b p$")', "True", works=True),
    Mistake('kw.K("a", "p") and kw.K("b", "p")', "combine formulas with & | ^ ~ >>"),
    Mistake('m.holds(kw.K("a", "p") == kw.K("b", "p"))', "f.iff(g)"),
    Mistake('kw.K("a")', 'for example K("a", "p")'),
    Mistake('kw.C("a", "b", "p")', 'for example C(["a", "b"], "p")'),
    Mistake('m.holds("p", world="v")', "at="),
    Mistake('m.announce("~p")', "~p is false at the designated world (w)"),
    Mistake('m.update("p")', "announce a formula with announce"),
    Mistake('m.update(kw.private("p", "b"))', "did you mean private(agents, formula)?"),
    Mistake('m.update(kw.ActionModel({"e": "p"}, {"a": [("e", "e")]}))', "others=[…] for all who have none"),
    Mistake('visualise.save(m, "x.jpg")', "its extension must be one of .png"),
    Mistake('visualise.save("x.png", m)', "write save(model, 'x.png')"),
    Mistake('visualise.save(m, "x.svg", labels=True)', "edge_labels=True"),
    Mistake("m.show()", "write model.draw()"),
    Mistake('kw.puzzles.puzzle("muddychildren")', "did you mean 'muddy-children'?"),
    Mistake('Model.from_observations(["w"], {"a": {"w": 1}}, {"p": ["w"]})', "lambda world: …"),
    Mistake('kw.History(m).announce("p")', "write history.then("),
    Mistake('kw.ActionModel({"e": {"p": True}}, {})', "or Event(pre, {atom: formula})"),
    Mistake('kw.valid("K_a p -> p", "K")', "False", works=True),
    Mistake('kw.QuantumWerewolf("Ann")', "players='Ann' is not a list of names"),
)

FURTHER = (
    # what a stranger tried, see `calls.txt`
    Mistake('Model(["w"], partitions={"a": [["w"]]}, valuation={})', "write KripkeModel.from_partitions("),
    Mistake('Model(["w"], {}, {}, frame="S5")', ".closed()"),
    Mistake("m.is_s5()", 'write model.frame_class("a")'),
    Mistake('m.draw("m.png")', "write visualise.save(model, "),
    Mistake('m.draw(filename="m.png")', "write visualise.save(model, "),
    Mistake('visualise.tikz(m, "m.tex")', 'write visualise.save(model, "picture.tex")'),
    Mistake("m.equivalent(m)", "write kw.bisimilar(model, model)"),
    Mistake("kw.compare(m, m)", "write kw.bisimilar(model, model)"),
    Mistake('m.announce("p", to="a")', 'kw.private("a", "p")'),
    Mistake('m.restrict("p")', 'write model.announce("p")'),
    Mistake('kw.private("a", "p").update(m)', "write model.update(action)"),
    Mistake('kw.prove("K_a p -> p", "T")', 'kw.derivation("K_a p -> p", logic="T")'),
    Mistake('kw.derivation("K_a p -> p", "T")', "logic='T'"),
    Mistake('kw.derivation("K_a p -> p", logic="T").check()', "write kw.proofs.check(proof)"),
    Mistake('visualise.draw(kw.derivation("K_a p -> p", logic="T"))', "proof.to_latex()"),
    Mistake("visualise.draw(game)", 'game.model("Ann").draw()'),
    Mistake('game.view("Ann")', 'write game.handout("Ann")'),
    Mistake("game.legal_moves()", "write game.waiting_for"),
    Mistake("game.end_night()", "write game.end_phase()"),
    Mistake('game.vision("Ann", "Bo", "wolf")', "result='wolf'"),
    Mistake('game.ask("who is the wolf?").value', "write answer.probability"),
    Mistake('kw.load("game.log")', "write kw.replay("),
    Mistake('kw.LogFile("x.log", game)', "write LogFile.create("),
    Mistake("game.table().to_pandas()", "write pandas.DataFrame("),
    Mistake('run("countermodel", "K_a p -> p")', "did you mean prove"),
    Mistake('run("muddy", "4")', "puzzle muddy-children -n 4 --muddy 2"),
    Mistake("kw.KripkeModel()", 'for example KripkeModel(["w", "v"], {"a": [("w", "w"), '),
    Mistake('Model(W=["w"], R={}, V={})', "did you mean worlds=?"),
    Mistake('kw.K(kw.Atom("p"), "a")', "in another order: write K('a', parse('p'))"),
    Mistake('kw.K("a", m)', "expected a formula, its text, or True/False; got <KripkeModel: "),
    Mistake('kw.World("1", {"p": True})', 'write kw.KripkeModel(worlds=["w", "v"], '),
    Mistake('kw.Box_a("a", kw.Atom("p"))', 'write kw.parse("K_a p")'),
    Mistake("kw.Game(players=4)", "kw.QuantumWerewolf(players)"),
    Mistake("kw.visualise is visualise", "True", works=True),
    Mistake('run("ask", "K_1 muddy_1", "muddy-children")', 'write ask muddy-children "K_1 muddy_1"'),
    Mistake('run("list")', "did you mean 'puzzle'?"),
    Mistake('run("play", "--players", "five")', "such as --players Ann Bo Cy Di"),
    Mistake('run("play", "--players", "1")', "such as --players Ann Bo Cy Di"),
    Mistake('Model(["w"], ["a", "b"], {})', "must be a mapping, such as {'a': …}"),
    Mistake('cells(["w"], [[["w"]]], {})', "must be a mapping, such as {'a': …}"),
    Mistake('cells(["w"], {"a": [["w"]]}, ["p"])', "must be a mapping, such as {'p': [worlds]}"),
    Mistake('cells(["w", "v"], {"a": [["w", "v"]]}, {"p": {"w": True, "v": False}})', "such as ['w']; got {"),
    Mistake('cells(["w"], {"a": []}, {})', "every world must be in one"),
    Mistake('kw.ActionModel(["e"], {})', "must be a mapping, such as {'e': precondition}"),
    Mistake('m.holds("Knows_a p")', "False", works=True),
    Mistake('m.holds("Box_a p")', "False", works=True),
    Mistake('m.holds("Diamond_a p")', "True", works=True),
    Mistake('m.holds("K_[a] p")', "False", works=True),
    Mistake('m.holds("K_{a b} p")', "did you mean {a,b}?"),
    Mistake('m.holds("a knows p")', "False", works=True),
    Mistake('m.holds("[K_a p]q")', "True", works=True),
    Mistake('m.holds("p == q")', "False", works=True),
    Mistake('game.ask("wolf(Bo)")', "<Answer: wolf_Bo: in 6 of 12 worlds>", works=True),
    Mistake('game.ask("wolf_Eve")', "did you mean 'wolf_Di' or"),
    Mistake('game.vision("Ann", "Eve")', "(known: Ann, Bo, Cy, Di)"),
    Mistake('m.check("p")', "write model.holds(formula)"),
    Mistake('m.knows("a", "p")', 'write model.holds("K_a p")'),
    Mistake('m.plot("x.png")', "write model.draw()"),
    Mistake('m.save("coin.png")', "visualise.save(model, path)"),
    Mistake('m.add_world("u")', "models do not change"),
    Mistake("m.to_json()", "write model.save(path)"),
    Mistake('visualise.save("muddy-children", "x.png")', "cannot draw 'muddy-children': expected a model"),
    Mistake('visualise.save(m, "x.svg", theme="black")', "(known: light, dark, print)"),
    Mistake("kw.muddy_children(3)", "write kw.puzzles.muddy_children("),
    Mistake('kw.tableau("p -> p")', "it is kripke_werewolf.proofs.tableau"),
    Mistake('kw.puzzles.puzzle("muddy")', "did you mean 'muddy-children'?"),
    Mistake('kw.valid("p", logic="S6")', "(known: K, T, KD, K4, S4, K45, KD45, S5, KB, KDB, KTB"),
    Mistake('run("puzzle", "muddy-children", "-n", "99")', "n can be at most 20 here"),
    Mistake('run("draw", "nothing", "-o", "x.svg")', "(known: muddy-children, three-wise-men"),
    Mistake('run("game", "rules", "cisk")', "did you mean 'cisra'?"),
)
"""More mistakes of the first hour."""


def main() -> int:
    """Print each mistake with its outcome, and how many have an obvious fix."""
    unclear = 0
    for name, mistakes in (("the fifty", MISTAKES), ("further ones", FURTHER)):
        obvious = 0
        for number, mistake in enumerate(mistakes, 1):
            clear = mistake.is_obvious()
            obvious += clear
            print(f"{number:2} {'  ' if clear else 'NO'} {mistake.code}")
            print("      " + mistake.outcome().replace("\n", "\n      "))
        print(f"{name}: obvious fix in {obvious} of {len(mistakes)}")
        unclear += len(mistakes) - obvious
    return 1 if unclear else 0


if __name__ == "__main__":
    sys.exit(main())
