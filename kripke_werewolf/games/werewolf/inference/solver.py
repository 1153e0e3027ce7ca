"""The plan as a constraint problem, for the CP-SAT solver of OR-Tools (the extra `[infer]`).

The solver finds attacks, and single moves, that some history may have; it cannot weigh them. A wolf dies
only by a vote, which is public, so in every deal the night's attacker is known, and a deal survives unless
some move removes it. Each deal has two literals, that it survives the attacks and votes, and that it survives
the visions; deals removed by the same moves share them, and each table is a few linear sums. Verdicts are
left out, so what the solver rules out is impossible, and what it finds is checked by adding up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.base.errors import GameError, missing_package
from kripke_werewolf.base.grouping import grouped
from kripke_werewolf.games.werewolf.budget import Budget
from kripke_werewolf.games.werewolf.declarations import declared, seated, splits_worlds
from kripke_werewolf.games.werewolf.enumerated import rows_where
from kripke_werewolf.games.werewolf.inference import plan as plans
from kripke_werewolf.games.werewolf.inference import scenario as scenarios
from kripke_werewolf.games.werewolf.roles import Action
from kripke_werewolf.logic.formulas import TRUE, And, Atom, Everywhere, Formula, Not, Or

Literals: TypeAlias = dict[int, Any]
"""For each of some deals, a literal about it."""


def solver_covers(plan: plans.Plan) -> bool:
    """Whether the solver knows these rules: ranked wolves and one seer."""
    game, deck = declared(plan.setup), plan.setup.deck
    look = game.acts["vision"]
    alone = splits_worlds(game, look) and any(map(deck.cards, game.roles(look.by)))
    return deck.plain and game.mark is None and alone


class SolverResult(NamedTuple):
    """What the solver found."""

    found: bool
    """Whether there is a solution."""
    made: frozenset[plans.PlacedMove] = frozenset()
    """The moves of the solution."""
    core: tuple[int, ...] = ()
    """Without a solution: entries that cannot hold together."""
    tables: Mapping[int, int] = {}
    """The number of worlds behind each table, by its step."""
    broken: frozenset[int] = frozenset()
    """The assumed entries that the solution does not have."""


class Problem:
    """What a player was told, for one numbering and given drawn roles, as constraints on the deals.

    Verdicts aside they are exact, except for what depends on the order of the moves in a night with visions
    and attacks. `assumed`: the entries of tables (by their places in `Plan.cells`) that hold only if they
    are assumed; the others hold.
    """

    def __init__(
        self,
        plan: plans.Plan,
        place: Mapping[str, int],
        roles: scenarios.DrawnRoles,
        *,
        assumed: Collection[int] = (),
    ) -> None:
        try:
            from ortools.sat.python import cp_model
        except ImportError:
            raise GameError(missing_package("this", "the solver OR-Tools", extra="infer")) from None
        self.cp = cp_model
        self.plan, self.place = plan, place
        self.scenario = scenarios.Backbone(plan, place, roles, {})
        self.game, self.deals = self.scenario.game, self.scenario.deals
        self.model = self.cp.CpModel()
        self.choices: dict[plans.PlacedMove, Any] = {}
        """For each move, the variable that says it was made."""
        self._assumptions = {number: self.model.new_bool_var("") for number in assumed}
        self._always = self.model.new_constant(1)
        self._never = self._always.Not()
        self._joint: dict[frozenset[int], Any] = {}
        self._products: dict[tuple[int, ...], Any] = {}
        self._intact: Literals = dict.fromkeys(range(self.deals.size), self._always)
        """For each deal that agrees with the drawn roles, whether it survives the attacks and votes."""
        self._seen: Literals = dict(self._intact)
        """For each deal, whether it survives the visions."""
        self._killed: dict[tuple[int, int], Any] = defaultdict(lambda: self._never)
        """For each deal and place, whether the player was killed by an attack, if the deal survives."""
        self._out: set[int] = set()
        """The officially dead."""
        self._tables: dict[int, Any] = {}
        self._shares: list[tuple[Any, Any, Fraction, Fraction]] = []
        for number, step in enumerate(plan.steps[: plan.collapsed]):
            said = [
                one
                for one in self.scenario.conditions(number)
                if isinstance(step, plans.Died | plans.Noticed)
            ]
            self._demand(*(self._literal(condition) for after, condition in said if not after))
            if isinstance(step, plans.Acting):
                self._acting(number, step)
            elif isinstance(step, plans.Published):
                self._shown(number, step)
            for p in (place[name] for name in step.dead):
                if isinstance(step, plans.Voted):
                    self._intact = self._where(seated(self.game, self.game.vote.needs, p))
                self._intact = self._among(self.deals.holders[roles[number, p]][p])
                self._out.add(p)
            self._demand(*(self._literal(condition) for after, condition in said if after))
        self.with_some(TRUE)

    # literals

    def _all(self, literals: Iterable[Any]) -> Any:
        """Return a literal that is true if all of some are, the same one for the same literals."""
        needed = {v.index: v for v in literals if v.index != self._always.index}
        if self._never.index in needed:
            return self._never
        if len(needed) < 2:
            return next(iter(needed.values()), self._always)
        key = frozenset(needed)
        if key not in self._joint:
            self._joint[key] = found = self.model.new_bool_var("")
            self.model.add_bool_and(list(needed.values())).only_enforce_if(found)
            self.model.add_bool_or([found, *(v.Not() for v in needed.values())])
        return self._joint[key]

    def _any(self, literals: Iterable[Any]) -> Any:
        """Return a literal that is true if some is, the same one for the same literals."""
        return self._all(v.Not() for v in literals).Not()

    def _demand(self, *literals: Any) -> None:
        self.model.add_bool_and(literals)

    def _literal(self, condition: Formula) -> Any:
        """Return the literal that says that a condition about all worlds holds."""
        match condition:
            case Everywhere(body):
                return self._some(self._where(~body)).Not()
            case Not(body):
                return self._literal(body).Not()
            case And(parts):
                return self._all(map(self._literal, parts))
            case Or(parts):
                return self._any(map(self._literal, parts))
        return self._always if condition is TRUE else self._never

    def _among(self, worlds: scenarios.Worlds) -> Literals:
        """Return for each of some deals whether it survives the attacks and votes."""
        return {w: intact for w, intact in self._intact.items() if worlds >> w & 1}

    def _where(self, f: Formula) -> Literals:
        """Return for each deal whether it survives the attacks and votes with a formula true in it."""
        mortal = sorted(atom for atom in f.atoms if atom.startswith("dead_"))
        true = {}
        for stem, _, p in (atom.rpartition("_") for atom in f.atoms.difference(mortal)):
            true[f"{stem}_{p}"] = self.scenario.where(-1, f"{stem}_{{i}}", int(p))
        ways: dict[int, list[Any]] = {}
        for values in product((False, True), repeat=len(mortal)):
            dead = {atom: self.deals.every * value for atom, value in zip(mortal, values, strict=True)}
            for w, intact in self._among(rows_where(f, self.deals.every, (true | dead).__getitem__)).items():
                places = (int(atom.removeprefix("dead_")) for atom in mortal)
                fates = (self._always if p in self._out else self._killed[w, p] for p in places)
                so = (v if value else v.Not() for v, value in zip(fates, values, strict=True))
                ways.setdefault(w, []).append(self._all([intact, *so]))
        return {w: self._any(literals) for w, literals in ways.items()}

    def _alive(self, deals: Literals) -> Literals:
        """Return for each of some deals whether it survives, given the literals without visions."""
        return {w: self._all([intact, self._seen[w]]) for w, intact in deals.items()}

    def _some(self, deals: Literals) -> Any:
        """Return the literal that says that one of some deals survives."""
        return self._any(self._alive(deals).values())

    def with_some(self, fact: Formula) -> None:
        """Demand a surviving deal in which a fact about players by seat is true."""
        self._demand(self._some(self._where(fact)))

    def without(self, choice: plans.PlacedMove) -> None:
        """Demand that a move was not made."""
        self._demand(self.choices[choice].Not())

    # numbers

    def _number(self, deals: Literals) -> Any:
        """Return the number of some deals that survive: those with the same literal are counted together."""
        groups = grouped((intact.index, w) for w, intact in deals.items())
        return sum(self._times(deals[group[0]], [self._seen[w] for w in group]) for group in groups.values())

    def _times(self, literal: Any, counted: Sequence[Any]) -> Any:
        """Return the number of true literals if one more is true, otherwise 0."""
        key = (literal.index, *sorted(v.index for v in counted))
        if key not in self._products:
            self._products[key] = number = self.model.new_int_var(0, len(counted), "")
            every = sum(counted)
            if literal.index != self._always.index:
                every = self._times(self._always, counted)
                self.model.add(number == 0).only_enforce_if(literal.Not())
                self.model.add(number <= every)
            self.model.add(number == every).only_enforce_if(literal)
        return self._products[key]

    # moves

    def _acting(self, number: int, step: plans.Acting) -> None:
        acting = [p for p in self.scenario.living[number] if self.scenario.moves_count(number, p)]
        actions = self.scenario.setup.actions(step.phase)
        moves = {(action, p): self._choose(number, p, action) for action in actions for p in acting}
        for name in step.refused:
            accepted = self.scenario.accepted(number, self.scenario.viewer, self.place[name])
            self._demand(self._literal(accepted).Not())
        for (action, p), choices in moves.items():
            if action == "vision":
                self._look(number, p, choices, mixed="attack" in actions)
        for (action, p), choices in moves.items():
            if action == "attack":
                self._strike(number, p, choices)

    def _choose(self, number: int, actor: int, action: Action) -> list[plans.PlacedMove]:
        """Demand exactly one of the moves that fit what is known, each on its condition; return them."""
        choices = self.scenario.moves(number, actor, action)
        for choice in choices:
            self.choices[choice] = chosen = self.model.new_bool_var("")
            self.model.add_implication(chosen, self._literal(self.scenario.allowed(choice)))
        self.model.add_exactly_one([self.choices[choice] for choice in choices])
        return choices

    def _strike(self, number: int, actor: int, choices: Sequence[plans.PlacedMove]) -> None:
        """Remove the deals in which an attack is impossible; in the attacker's other deals, it kills."""
        act = self.game.acts["attack"]
        own = self.scenario.where(number, act.by, actor)
        made = [(move.target, self.choices[move]) for move in choices if move.target is not None]
        for t, attacked in made:
            impossible = self.scenario.where(number, act.impossible, actor, t)
            for w, intact in self._among(own & impossible).items():
                self._intact[w] = self._all([intact, attacked.Not()])
            for w in self._among(own & ~impossible):
                self._killed[w, t] = self._any([self._killed[w, t], attacked])

    def _look(self, number: int, actor: int, choices: Sequence[plans.PlacedMove], *, mixed: bool) -> None:
        """Demand a possible vision, or none, and remove the seer's deals that do not fit its result.

        `mixed`: attacks of the same step may come before it.
        """
        where, act = self.scenario.where, self.game.acts["vision"]
        shows, source = dict(act.shows), act.by if mixed else f"({act.by}) & ({act.pool})"
        pool = self._alive(self._where(seated(self.game, source, actor)))
        removing: dict[int, list[Any]] = {}
        for choice in choices:
            if choice.made and choice.result is not None:
                matching = where(number, shows[choice.result], actor, choice.target)
                self.model.add_bool_or(
                    [self.choices[choice].Not(), *(v for w, v in pool.items() if matching >> w & 1)]
                )
                for w in self._among(where(number, act.by, actor) & ~matching):
                    removing.setdefault(w, []).append(self.choices[choice].Not())
            elif choice.target is not None and not mixed:  # it showed nothing
                for possible in pool.values():
                    self.model.add_implication(self.choices[choice], possible.Not())
        for w, others in removing.items():
            self._seen[w] = self._all([self._seen[w], *others])

    def _shown(self, at: int, step: plans.Published) -> None:
        """Demand the shares of the surviving deals that a table shows."""
        given = replace(step, cells=()) if self._assumptions else step
        sizes = list(scenarios.worlds_behind(self.plan, given, len(self._intact)))
        sizes = sizes or [0]  # no number, no solution
        domain = self.cp.Domain.from_values(sizes)
        self._tables[at] = worlds = self.model.new_int_var_from_domain(domain, "")
        self.model.add(self._number(self._intact) == worlds)
        for cell in step.cells:
            fact, low, high = cell.as_wolf
            inside = self._number(self._where(Atom(f"{fact}_{self.plan.place_of(cell.row)}")))
            held = self._assumptions.get(len(self._shares), self._always)
            self.model.add(low.denominator * inside >= low.numerator * worlds).only_enforce_if(held)
            self.model.add(high.denominator * inside <= high.numerator * worlds).only_enforce_if(held)
            self._shares.append((inside, worlds, low, high))

    # solutions

    def solve(self, budget: Budget, assume: Collection[int] = ()) -> SolverResult:
        """Return whether all constraints hold together; raise Unfinished if that is not decided in time.

        `assume`: with these of the assumed entries.
        """
        budget.tick()
        solver = self.cp.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = parameters.random_seed = 1
        parameters.linearization_level = 0  # sums of deals bound nothing as long as moves are open
        parameters.max_presolve_iterations = 1  # most solutions are found faster than simplified
        parameters.cp_model_probing_level = parameters.symmetry_level = 0
        parameters.max_time_in_seconds = max(budget.left(), 0.01)
        self.model.clear_assumptions()
        self.model.add_assumptions([self._assumptions[i] for i in assume])
        status = self._status(solver)
        if status == self.cp.INFEASIBLE:
            core = set(solver.sufficient_assumptions_for_infeasibility())
            return SolverResult(False, core=tuple(i for i in assume if self._assumptions[i].index in core))
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            budget.stop()
        chosen = frozenset(choice for choice, v in self.choices.items() if solver.value(v))
        sizes = {number: solver.value(worlds) for number, worlds in self._tables.items()}
        shares = ((solver.value(inside), solver.value(w), low, high) for inside, w, low, high in self._shares)
        held = [low * worlds <= inside <= high * worlds for inside, worlds, low, high in shares]
        broken = frozenset(number for number, holds in enumerate(held) if not holds)
        return SolverResult(True, chosen, (), sizes, broken)

    def _status(self, solver: Any) -> Any:
        """Run the solver and return its status; at Ctrl-C stop it and raise KeyboardInterrupt.

        By itself the solver would also stop at Ctrl-C, but as if time had run out.
        """
        solver.parameters.catch_sigint_signal = False
        running = ThreadPoolExecutor(1).submit(solver.solve, self.model)
        try:
            while not wait([running], 0.1).done:  # Windows notices Ctrl-C between the waits
                pass
        except KeyboardInterrupt:
            while not running.done():  # the search may not have begun
                solver.stop_search()
                wait([running], 0.1)
            raise
        return running.result()


def attack_maps(problem: Problem, budget: Budget) -> Iterator[scenarios.Attacks]:
    """Yield the attacks of all solutions, each once; raise Unfinished if they could not all be found."""
    while (solution := problem.solve(budget)).found:
        made = [c for c in solution.made if c.action == "attack"]
        yield {(c.step, c.actor): c.target for c in sorted(made)}
        if not made:
            return
        problem.model.add_bool_or([problem.choices[c].Not() for c in made])
