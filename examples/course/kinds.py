"""Kinds of exercises for the course: stories and goals of the textbooks, varied for each student.

The sheets of the weeks name this file: `kinds = "kinds.py"`.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

from kripke_werewolf.logic.formulas import Atom, K, parse
from kripke_werewolf.logic.formulas.logics import logic_named
from kripke_werewolf.logic.models import KripkeModel
from kripke_werewolf.logic.proofs import natural_hint
from kripke_werewolf.logic.proofs.natural import NaturalProof
from kripke_werewolf.logic.proofs.natural_rules import PALETTE
from kripke_werewolf.logic.puzzles import hexa, muddy_children
from kripke_werewolf.teach.exercises import Announcement, Derivation, FindModel, Result, TruthSet
from kripke_werewolf.teach.exercises.exercise import Parameter, modal_depth
from kripke_werewolf.teach.exercises.generation import assume
from kripke_werewolf.teach.exercises.random_parts import WORLDS, plain_formula, random_model
from kripke_werewolf.teach.exercises.validity import ProofLines, ProvingTask, small_countermodel

GROUPS = {
    "common": (
        "C_{a,b} z",
        "M_a C_{b,c} z",
        "K_c C_{a,b} z",
        "E_{a,b} E_{a,b} z",
        "E_{a,b} z & ~C_{a,b} z",
    ),
    "distributed": (
        "D_{a,b} z",
        "D_{a,b} z & ~K_a z & ~K_b z",
        "D_{a,b,c} z & ~D_{a,b} z",
        "K_a D_{b,c} z",
        "M_a D_{b,c} z & ~D_{b,c} z",
    ),
}
MODELS = {
    "not common": ("E_{a,b} E_{a,b} z & ~C_{a,b} z", "S5", 4),
    "together": ("D_{a,b} z & ~K_a z & ~K_b z & K_a ~K_b z", "S5", 3),
    "no introspection": ("~z & ~K_a ~K_a z", "S4", 2),
    "false belief": ("z & B_a z & B_b z & B_a ~B_b z", "KD45", 3),
}
DERIVATIONS = {
    "axioms": (
        (
            "K_a x & K_a y -> K_a (x & y)",
            "K_a (x & y) -> K_a y",
            "K_a y -> K_a (x -> y)",
            "K_a x | K_a y -> K_a (x | y)",
            "K_a (x -> y) & K_a ~y -> K_a ~x",
            "M_a (x & y) -> M_a x",
            "K_a (x -> y) -> (M_a x -> M_a y)",
            "K_a x & M_a y -> M_a (x & y)",
        ),
        "K",
        {"rules": ("Taut", "MP", "K", "Nec")},
    ),
    "introspection": (
        ("K_a z -> K_a K_a z", "M_a M_a z -> M_a z", "z -> K_a M_a z", "M_a K_a z -> K_a K_a z"),
        "S5",
        {"without": ("4", "RK4", "RK45", "B"), "using": ("T", "5"), "most_lines": 20},
    ),
    "Moore": (("~B_a (z & ~B_a z)",), "KD45", {"using": ("D",), "most_lines": 15}),
    "induction": (
        ("C_{a,b} z -> C_{a,b} K_a z", "C_{a,b} z -> C_{a,b} K_b z"),
        "K",
        {"using": ("Mix", "Ind"), "most_lines": 12},
    ),
    "announcement": (
        ("[!z]K_a z", "[!x](y -> K_a x)", "[!x](K_a x | y)"),
        "S5",
        {"without": ("Red",), "using": ("!K",), "most_lines": 20},
    ),
}
SEQUENTS = (
    "K_a x & M_a y -> M_a (x & y)",
    "K_a (x -> y) -> (M_a x -> M_a y)",
    "K_a x | K_a y -> K_a (x | y)",
    "K_a (x | y) & K_a ~x -> K_a y",
    "K_a x & ~M_a (x & y) -> K_a ~y",
    "K_a (x -> K_b y) & K_a x -> K_b y",
    "K_a K_b (x & y) -> K_a K_b y",
)


def varied(pattern, rng):
    """Return a formula with the agents a, b and c in another order, and formulas put in.

    These are literals of two atoms for x and y, and any formula without operators of agents for z.
    """
    names = dict(zip("abc", rng.permutation(["a", "b", "c"]).tolist(), strict=True))
    literals = [Atom(atom) if rng.random() < 0.6 else ~Atom(atom) for atom in rng.permutation(["p", "q"])]
    put = dict(zip("xy", literals, strict=True)) | {"z": plain_formula(0, rng)}
    return parse(pattern).rename(agents=lambda agent: names.get(agent, agent)).substitute(put)


def one_of(things, rng):
    """Return one of some things."""
    return things[int(rng.integers(len(things)))]


@dataclass(frozen=True, slots=True, repr=False)
class GroupTruthSet(TruthSet):
    """At which worlds is something common, distributed or everybody's knowledge?"""

    kind = "group-truth-set"
    about = "at which worlds does a group know it?"
    parameters: ClassVar = {
        "size": WORLDS,
        "knowledge": Parameter("common", tuple(GROUPS), "common, or distributed"),
    }

    @classmethod
    def deck(cls, *, size, knowledge):
        """Return the formulas about groups, which are dealt to the class."""
        return ([{"pattern": pattern} for pattern in GROUPS[knowledge]],)

    @classmethod
    def generate(cls, rng, *, size, knowledge, pattern):
        """Return a question about three agents; its answer is some but not all worlds."""
        model = random_model(size, "abc", rng)
        f = varied(pattern, rng)
        assume(0 < len(model.where(f)) < len(model))
        return cls("", model, f)


@dataclass(frozen=True, slots=True, repr=False)
class Generals(TruthSet):
    """At which numbers of messages do two generals know of each other's knowledge?"""

    kind = "generals"
    about = "what do two generals know after some messages?"
    parameters: ClassVar = {
        "levels": Parameter(2, range(1, 5), "how often one knows that the other knows, at least")
    }

    def question(self):
        """Return the task in words."""
        return (
            "General A sends a messenger to tell general B the day, B confirms it, A confirms that, and so "
            "on; a messenger may be caught. World k is the one where exactly k messages have arrived, "
            f"of at most {len(self.model) - 1}, and `told` says that B has been told the day. "
            + TruthSet.question(self)
        )

    def difficulty(self):
        """Return 1: all these questions are read off the same chain."""
        return 1

    @classmethod
    def generate(cls, rng, *, levels):
        """Return a question about what is known up to some level, and not beyond."""
        most = levels + int(rng.integers(2, 7))
        model = KripkeModel.from_observations(
            [str(k) for k in range(most + 1)],
            {"A": lambda k: int(k) // 2, "B": lambda k: (int(k) + 1) // 2},
            lambda k: ["told"] if k != "0" else [],
            designated=str(most),
        )
        agents, f = one_of(("AB", "BA"), rng), parse("told")
        for level in range(levels + int(rng.integers(0, 2))):
            f = K(agents[level % 2], f)
        following = K(one_of("AB", rng), f)
        f = one_of((f, f & ~following, parse("told") & ~f, parse("E_{A,B} told & ~C_{A,B} told") & ~f), rng)
        assume(0 < len(model.where(f)) < len(model))
        return cls("", model, f)


@dataclass(frozen=True, slots=True, repr=False)
class Children(TruthSet):
    """At which worlds does a child know something, after the father has asked some times?"""

    kind = "children"
    about = "what do muddy children know after some questions?"
    parameters: ClassVar = {"children": Parameter(3, range(3, 4), "children")}

    def question(self):
        """Return the task in words."""
        least = min(world.count("1") for world in self.model)
        told = " Asked once whether they know if they are muddy, all say no." if least == 2 else ""
        return (
            "Children 1, 2 and 3 see the others' foreheads but not their own. World "
            f"{self.model.worlds[-2]} is the one where all but the last are muddy. Somebody says that at "
            f"least one is muddy.{told} The model shows the worlds that are left. {TruthSet.question(self)}"
        )

    def difficulty(self):
        """Return the modal depth of the formula."""
        return modal_depth(self.formula)

    @classmethod
    def generate(cls, rng, *, children):
        """Return a question about the model after some rounds in which nobody knew."""
        puzzle = muddy_children(children)
        model = puzzle.history().at(int(rng.integers(children - 2, children)))
        i, k = (int(n) for n in rng.permutation(range(1, children + 1))[:2])
        shapes = (
            "M_k K_i muddy_i",
            "K_k Kw_i muddy_i",
            "K_k ~Kw_i muddy_i",
            "~Kw_i muddy_i & M_k Kw_i muddy_i",
            "K_i muddy_i & M_k ~Kw_i muddy_i",
            "Kw_i muddy_i & ~K_k Kw_i muddy_i",
            "~Kw_k muddy_k & K_k K_i muddy_i",
        )
        f = parse(one_of(shapes, rng).replace("_i", f"_{i}").replace("_k", f"_{k}"))
        assume(0 < len(model.where(f)) < len(model))
        return cls("", model, f)


@dataclass(frozen=True, slots=True, repr=False)
class Cards(Announcement):
    """What to say aloud so that one player learns your card, and the other learns no card?"""

    kind = "cards"
    about = "how to tell your card to one player and not to the other?"
    parameters: ClassVar = {"cards": Parameter(3, range(3, 4), "cards")}

    def question(self):
        """Return the task in words."""
        return (
            "a, b and c each hold one of the cards 0, 1 and 2, and see only their own: a_0 says that a has "
            f"card 0, and in world 120 a has card 1, b card 2 and c card 0. {Announcement.question(self)}"
        )

    @classmethod
    def generate(cls, rng, *, cards):
        """Return a deal, a speaker, and the one who is to learn the speaker's card."""
        model = hexa().model
        deal = one_of(model.worlds, rng)
        speaker, hearer, other = (int(k) for k in rng.permutation(cards))
        held = [parse(f"{player}_{card}") for player, card in zip("abc", deal, strict=True)]
        kept = tuple(("abc"[other], held[k]) for k in (speaker, hearer))
        return cls("", model.point(deal), "abc"[speaker], (("abc"[hearer], held[speaker]),), kept)


@dataclass(frozen=True, slots=True, repr=False)
class SetModel(FindModel):
    """Find a model of an instance of a formula that textbooks ask about."""

    kind = "set-model"
    about = "find a model that textbooks ask about"
    parameters: ClassVar = {"goal": Parameter("together", tuple(MODELS), "what is to be true")}

    @classmethod
    def generate(cls, rng, *, goal):
        """Return an instance that has a model of the allowed size."""
        pattern, logic, most = MODELS[goal]
        exercise = cls("", varied(pattern, rng), logic, most)
        assume(exercise.check(exercise.solution()).right)
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class SetDerivation(Derivation):
    """Derive an instance of a theorem of the textbooks, with restrictions."""

    kind = "set-derivation"
    about = "derive a theorem of the textbooks"
    parameters: ClassVar = {"goal": Parameter("introspection", tuple(DERIVATIONS), "what to derive")}

    @classmethod
    def deck(cls, *, goal):
        """Return the theorems, which are dealt to the class."""
        return ([{"pattern": pattern} for pattern in DERIVATIONS[goal][0]],)

    @classmethod
    def generate(cls, rng, *, goal, pattern):
        """Return an instance for which a derivation within the restrictions is found."""
        _, logic, restrictions = DERIVATIONS[goal]
        exercise = cls("", varied(pattern, rng), logic, **restrictions)
        assume(exercise.found() is not None and not exercise.at_once())
        return exercise


@dataclass(frozen=True, slots=True, repr=False)
class NaturalDeduction(ProvingTask):
    """Show a formula by natural deduction. The answer is the proof, row by row; a wrong one gets a hint."""

    kind = "natural-deduction"
    about = "show a formula by natural deduction"
    parameters: ClassVar = {"logic": ProvingTask.parameters["logic"]}
    heading = 3

    def question(self):
        """Return the task in words."""
        return f"Show `{self.formula.unicode()}` in {self.in_words} by natural deduction."

    @property
    def form(self):
        """A natural deduction."""
        example = "3. | p   KE 1: bars for the subproofs, a formula, a rule, and the rows it is applied to"
        return ProofLines("natural deduction", example, self.logic)

    def of(self, rows):
        """Return rows as a proof of this task, whatever they say about themselves."""
        return NaturalProof(logic_named(self.logic), rows, self.formula, (), PALETTE)

    def judge(self, answer):
        """Return whether every row is right and the last one is the formula; if not, why, and a hint."""
        proof = self.of(answer.rows)
        if proof.done:
            return Result(True, f"each of the {len(proof)} rows follows by its rule")
        if proof.flaw is None:
            return Result(False, proof.missing)
        number, why = proof.flaw
        hint = natural_hint(replace(proof, rows=proof.rows[: number - 1])).row
        return Result(False, f"row {number} is wrong: {why}" + (f"\nhint: {hint}" if hint else ""))

    def found(self):
        """Return a proof, following the hints."""
        return self.of(natural_hint(self.of(())).plan)

    @classmethod
    def deck(cls, *, logic):
        """Return the sequents, which are dealt to the class."""
        return ([{"pattern": pattern} for pattern in SEQUENTS],)

    @classmethod
    def generate(cls, rng, *, logic, pattern):
        """Return an instance of a sequent of the textbooks that is valid in the logic."""
        exercise = cls("", varied(pattern, rng), logic)
        assume(small_countermodel(exercise.formula, logic) is None)
        return exercise
