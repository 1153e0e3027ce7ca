"""The evidence as a constraint problem, for the CP-SAT solver of OR-Tools (the extra `[infer]`).

The solver finds attacks, and single moves, that some history may have; it cannot weigh them. A wolf dies
only by a vote, which is public, so in every deal the night's attacker is known, and a deal survives unless
some move removes it: each deal is a handful of clauses, each table a few linear sums. Verdicts are left
out, so what the solver rules out is impossible, and what it finds is checked by adding up.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import permutations
from operator import and_
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.errors import GameError, missing_package
from kripke_werewolf.semantics.bits import members as bits
from kripke_werewolf.werewolf.inference.evidence import (
    NOT_ASKED,
    PASSED,
    Acting,
    Died,
    Evidence,
    Known,
    Move,
    Shown,
    Told,
    Voted,
)
from kripke_werewolf.werewolf.inference.scenarios import (
    Worlds,
    as_wolf,
    deals_of,
    living_places,
    moves_count,
    open_targets,
    place_of,
    worlds_behind,
)
from kripke_werewolf.werewolf.roles import SEER, WOLF, Role, is_wolf, kind
from kripke_werewolf.werewolf.state import compulsory

Attacks: TypeAlias = Mapping[tuple[int, int], "int | None"]
Chain: TypeAlias = tuple["int | None", ...]
Made: TypeAlias = Mapping[int, Mapping[int, Any]]
"""For each attacker and target the variable that says the one attacked the other."""


class Choice(NamedTuple):
    """A move by places: the step, who, what, whom (None: declined, or not asked), and the result."""

    step: int
    actor: int
    action: str
    target: int | None
    result: str | None = None


def check_solver() -> Any:
    """Return OR-Tools' CP-SAT; raise GameError naming the extra if it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise GameError(missing_package("this", "the solver OR-Tools", extra="infer")) from None
    return cp_model


def solver_covers(evidence: Evidence) -> bool:
    """Whether the solver knows these rules: ranked wolves and one seer."""
    return evidence.setup.rules.attack == "dominant" and evidence.setup.deck.seers == 1


class Solution(NamedTuple):
    """What the solver found."""

    found: bool | None
    """Whether there is a solution; None if the time was up."""
    made: frozenset[Choice]
    """The moves of the solution."""
    core: tuple[int, ...]
    """Without a solution: entries that cannot hold together."""
    worlds: int = 0
    """The number of worlds that it leaves."""
    tables: Mapping[int, int] = {}
    """The number of worlds behind each table, by its step."""
    broken: frozenset[int] = frozenset()
    """The assumed entries that the solution does not have."""


class Constraints(ABC):
    """What a player was told, for one numbering and given drawn roles, as constraints on the worlds.

    Worlds are counted in *units*, in all worlds of which the same wolves are dominant at the same time: a
    unit is a deal (`Problem`), or all deals with the same wolves (`Outline`). `assumed`: the entries of
    tables (by their places in `Evidence.cells`) that hold only if they are assumed; the others hold.
    """

    def __init__(
        self,
        evidence: Evidence,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], Role],
        *,
        assumed: Collection[int] = (),
    ) -> None:
        self.cp = check_solver()
        self.evidence, self.place, self.roles = evidence, place, roles
        self.setup, self.deals = evidence.setup, deals_of(evidence.setup.deck)
        self.living = living_places(evidence, place)
        self.viewer = place[evidence.viewer]
        self.model = self.cp.CpModel()
        self.choices: dict[Choice, Any] = {}
        """For each move the variable that says it was made."""
        self.assumptions: dict[int, Any] = {}
        self._never = self.model.new_constant(0)
        self._assumed = set(assumed)
        self._tables: dict[int, Any] = {}
        self._shares: dict[int, tuple[Any, Any, Fraction, Fraction]] = {}
        self._cells = self._nights = 0
        self._fallen: dict[int, list[Any]] | None = None
        self._passed = any(
            PASSED in step.known.values() for step in evidence.steps if isinstance(step, Acting)
        )
        self.units = self._units()
        """For each unit its deals."""
        self.alive: dict[int, Any] = {
            unit: self.model.new_constant(deals.bit_count()) for unit, deals in self.units.items()
        }
        """For each unit the number of its deals that have survived."""
        self.chains: dict[int, Chain] = dict.fromkeys(self.alive, ())
        """For each unit who was the dominant wolf in each phase of attacks so far."""
        self.dead: dict[tuple[Chain, int], list[Any]] = {}
        """For each chain and place the attacks that killed there, if the deal has survived."""
        self._hits: dict[tuple[Chain, int], Any] = {}
        for number, step in enumerate(evidence.steps[: evidence.collapsed]):
            match step:
                case Acting():
                    self._acting(number, step)
                case Voted(player=name):
                    self._died(number, [place[name]], spare=self.setup.rules.vote_eliminates)
                case Died(players=players):
                    self._found(number, [place[name] for name in players])
                case Told():
                    self._told(step)
                case Shown():
                    self._shown(number, step)
        self.worlds = self.model.new_int_var(1, self._most, "") if self._most else self._never
        """The number of worlds at the end."""
        self.model.add(sum(self._numbers(list(self.alive))) == self.worlds)
        if not self.alive:
            self.model.add_bool_or([])

    # units

    @abstractmethod
    def _units(self) -> dict[int, int]:
        """Return the units, each with its deals as a bit set."""

    @property
    def _most(self) -> int:
        """How many worlds there are at most."""
        return sum(self.units[unit].bit_count() for unit in self.alive)

    def wolf(self, unit: int, p: int) -> bool:
        """Whether a player is a wolf in the deals of a unit."""
        return bool(self.units[unit] & self.deals.holders[WOLF][p])

    def dominant(self, unit: int, number: int) -> int | None:
        """Return the dominant wolf of a unit in a phase."""
        return self.dominant_in(self.units[unit].bit_length() - 1, number)

    def dominant_in(self, deal: int, number: int) -> int | None:
        """Return the dominant wolf of a deal in a phase: the highest not voted off."""
        for rank in self.setup.deck.wolf_roles:
            holder = self.deals.roles[deal].index(rank)
            if holder in self.living[number]:
                return holder
        return None

    @abstractmethod
    def _exists(self, units: Sequence[int]) -> Any:
        """Return a variable that is true if a deal of some units has survived."""

    @abstractmethod
    def _acting(self, number: int, step: Acting) -> None:
        """Add the moves of a phase, and remove the deals that they exclude."""

    @abstractmethod
    def _died(self, number: int, places: Sequence[int], *, spare: bool) -> None:
        """Keep the deals where the players had their drawn roles; `spare`: and were alive."""

    @abstractmethod
    def _found(self, number: int, places: Sequence[int]) -> None:
        """Keep the deals where exactly these players are dead, with their drawn roles."""

    @abstractmethod
    def _told(self, step: Told) -> None:
        """Keep the deals that agree with a private notice."""

    @abstractmethod
    def with_some(self, failing: Mapping[int, Collection[Collection[tuple[int, bool]]]]) -> None:
        """Demand a surviving deal where the dead are as given: for each deal the ways, as (place, dead)."""

    def _tune(self, parameters: Any) -> None:  # noqa: B027 - optional
        """Set how the solver works."""

    def _all(self, *variables: Any) -> Any:
        """Return a variable that is true if all of some are."""
        found = self.model.new_bool_var("")
        self.model.add_bool_and(list(variables)).only_enforce_if(found)
        self.model.add_bool_or([found, *(v.Not() for v in variables)])
        return found

    def _any(self, variables: Iterable[Any]) -> Any:
        """Return a variable that is true if some is."""
        listed = list(variables)
        if len(listed) == 1:
            return listed[0]
        found = self.model.new_bool_var("")
        self.model.add_bool_or(listed).only_enforce_if(found)
        for v in listed:
            self.model.add_implication(v, found)
        if not listed:
            self.model.add(found == 0)
        return found

    def dying(self, unit: int, p: int) -> list[Any]:
        """Return the attacks any of which kills a player in a unit, if it survives them."""
        return self.dead.get((self.chains[unit], p), [])

    def _hit(self, chain: Chain, p: int) -> Any:
        """Return the variable that says a player is dead in the deals of a chain."""
        if (chain, p) not in self._hits:
            self._hits[chain, p] = self._any(self.dead[chain, p])
        return self._hits[chain, p]

    def _acting_places(self, number: int, step: Acting) -> list[int]:
        living = self.living[number]
        return [p for p in living if moves_count(self.evidence, self.place, step, p)]

    def _known(self, step: Acting, actor: int, action: str) -> Known | None:
        known = ((self.place[n], a, k) for (n, a), k in step.known.items())
        return next((k for p, a, k in known if (p, a) == (actor, action)), None)

    def _choose(self, choices: Sequence[Choice], known: Known | None) -> None:
        """Exactly one of some moves was made, one that fits what is known."""
        for choice in choices:
            self.choices[choice] = self.model.new_bool_var("")
            if not self._fits(choice, known):
                self.model.add(self.choices[choice] == 0)
        self.model.add_exactly_one([self.choices[choice] for choice in choices])

    def _fits(self, choice: Choice, known: Known | None) -> bool:
        if known is None:
            return True
        if isinstance(known, Move):
            target = None if known.target is None else self.place[known.target]
            if choice.target != target or choice.result == NOT_ASKED:
                return False
            return target is None or not known.shown or choice.result == known.result
        return choice.target is None and choice.result == known

    def _attacks(self, number: int, step: Acting) -> dict[int, dict[int, Any]]:
        made: dict[int, dict[int, Any]] = {}
        for actor in self._acting_places(number, step):
            known = self._known(step, actor, "attack")
            targets = open_targets(self.setup, self.living[number], actor, "attack")
            none = PASSED if known == PASSED else NOT_ASKED
            choices = [Choice(number, actor, "attack", t, None) for t in targets]
            choices.append(Choice(number, actor, "attack", None, none))
            self._choose(choices, known)
            hunting = [u for u in self.alive if self.dominant(u, number) == actor]
            single = self.setup.rules.attackers == "dominant"
            asked = self._exists(hunting if single else [u for u in self.alive if self.wolf(u, actor)])
            idle = self.choices[choices[-1]]
            self.model.add(asked == (1 if none == PASSED else idle.Not()))
            refused = [self.place[name] for name in step.refused] if actor == self.viewer else []
            for target in (*targets, *refused) if self.setup.rules.attack_must_be_possible else ():
                prey = self._exists([u for u in hunting if not self.wolf(u, target)])
                if target in refused:
                    self.model.add(prey == 0)
                else:
                    self.model.add_implication(
                        self.choices[Choice(number, actor, "attack", target, None)], prey
                    )
            made[actor] = {t: self.choices[Choice(number, actor, "attack", t, None)] for t in targets}
        return made

    def _shown(self, at: int, step: Shown) -> None:
        self._fallen = None
        self._tables[at] = worlds = self._worlds(step)
        for cell in step.cells:
            number = self._cells
            self._cells += 1
            fact, low, high = as_wolf(cell)
            p = place_of(self.evidence, cell.row)
            inside: list[Any] | None
            if fact == "dead":
                if p not in self.living[-1] and any(p not in alive for alive in self._until(step)):
                    continue
                inside = self._dead_at(p)
            else:
                inside = self._having(fact, p)
                if inside is None:
                    continue
            bounds = [
                self.model.add(low.denominator * sum(inside) >= low.numerator * worlds),
                self.model.add(high.denominator * sum(inside) <= high.numerator * worlds),
            ]
            if low == high:  # follows, but the solver is told
                whole = range(0, self._most + 1, low.denominator)
                domain = self.cp.Domain.from_values(list(whole))
                bounds.append(self.model.add_linear_expression_in_domain(worlds, domain))
            self._shares[number] = sum(inside), worlds, low, high
            if number in self._assumed:
                literal = self.assumptions.setdefault(number, self.model.new_bool_var(""))
                for bound in bounds:
                    bound.only_enforce_if(literal)

    def _worlds(self, step: Shown) -> Any:
        """Return the number of worlds behind a table, one of those of which its entries can be shares.

        Where there is no such number the table has no world, so that nothing solves the problem.
        """
        given = replace(step, cells=()) if self._assumed else step
        sizes = list(worlds_behind(self.evidence, given, self._most)) or [0]
        worlds = self.model.new_int_var_from_domain(self.cp.Domain.from_values(sizes), "")
        self.model.add(sum(self._numbers(list(self.alive))) == worlds)
        return worlds

    def _numbers(self, units: Sequence[int]) -> list[Any]:
        """Return numbers that add up to the surviving deals of some units."""
        return [self.alive[unit] for unit in units]

    def _dead_at(self, p: int) -> list[Any]:
        """Return numbers whose sum is that of the surviving deals in which a player is dead.

        In all surviving deals of a chain the same players are dead, so that these are counted together.
        """
        if self._fallen is None:
            self._fallen = {place: [] for place in self.deals.places}
            for chain in dict.fromkeys(self.chains[w] for w in self.alive):
                self._fallen_in(chain, self._fallen)
        return self._fallen[p]

    def _fallen_in(self, chain: Chain, fallen: Mapping[int, list[Any]]) -> None:
        """Add how many of the surviving deals of a chain have each player dead."""
        members = [unit for unit in self.alive if self.chains[unit] == chain]
        most = sum(self.units[unit].bit_count() for unit in members)
        size, here = self.model.new_int_var(0, most, ""), list[Any]()
        self.model.add(sum(self._numbers(members)) == size)
        for p in self.deals.places:
            if (chain, p) in self.dead:
                hit, dead = self._hit(chain, p), self.model.new_int_var(0, most, "")
                self.model.add(dead == size).only_enforce_if(hit)
                self.model.add(dead == 0).only_enforce_if(hit.Not())
                fallen[p].append(dead)
                here.append(dead)
        if here and not self._passed:  # somebody is dead in every deal: that follows, but the solver is told
            self.model.add(sum(here) >= size)
            self.model.add(sum(here) <= self._nights * size)

    def _until(self, step: Shown) -> Iterator[tuple[int, ...]]:
        at = next(i for i, s in enumerate(self.evidence.steps) if s is step)
        yield self.living[at]

    def without(self, choice: Choice) -> None:
        """Demand that a move was not made."""
        if choice in self.choices:
            self.model.add(self.choices[choice] == 0)

    def solve(
        self,
        *,
        seconds: float | None,
        assume: Sequence[int] | None = None,
        effort: float | None = None,
        made: Collection[Choice] = (),
    ) -> Solution:
        """Return whether all constraints hold together; `assume`: with these of the assumed entries.

        `made`: and with these moves. `effort`: a limit for the solver's work, in its own deterministic unit
        of about a second.
        """
        solver = self.cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = 1
        self._tune(solver.parameters)
        if effort is not None:
            solver.parameters.max_deterministic_time = effort
        if seconds is not None:
            solver.parameters.max_time_in_seconds = max(seconds, 0.01)
        self.model.clear_assumptions()
        if assume is not None:
            self.model.add_assumptions([self.assumptions[i] for i in assume if i in self.assumptions])
        self.model.add_assumptions([self.choices[choice] for choice in made])
        status = solver.solve(self.model)
        if status == self.cp.INFEASIBLE:
            core = set(solver.sufficient_assumptions_for_infeasibility()) if assume is not None else set()
            needed = [i for i in assume or () if i in self.assumptions and self.assumptions[i].index in core]
            return Solution(False, frozenset(), tuple(needed))
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            late = seconds is not None and solver.wall_time > 0.9 * seconds
            tired = effort is not None and solver.response_proto.deterministic_time > 0.5 * effort
            if not (late or tired):  # the solver stops at Ctrl-C, and does not say so
                raise KeyboardInterrupt
            return Solution(None, frozenset(), ())
        chosen = frozenset(choice for choice, v in self.choices.items() if solver.value(v))
        self.model.clear_hints()  # the next solution is found sooner near this one
        for choice, variable in self.choices.items():
            self.model.add_hint(variable, choice in chosen)
        sizes = {number: solver.value(worlds) for number, worlds in self._tables.items()}
        broken = frozenset(
            number
            for number, (inside, worlds, low, high) in self._shares.items()
            if not low * solver.value(worlds) <= solver.value(inside) <= high * solver.value(worlds)
        )
        return Solution(True, chosen, (), solver.value(self.worlds), sizes, broken)

    def _hunted(self, unit: int, number: int, made: Made) -> Mapping[int, Any]:
        """Return for each target the variable that says the dominant wolf of a unit attacked there."""
        hunter = self.dominant(unit, number)
        return {} if hunter is None else made.get(hunter, {})

    def _follow_attacks(self, number: int, made: Made) -> None:
        """Note who is dead after the attacks of a phase."""
        self._nights += 1
        for unit in self.alive:
            before, hunted = self.chains[unit], self._hunted(unit, number, made)
            self.chains[unit] = now = (*before, self.dominant(unit, number))
            for p in self.deals.places:
                killing = [*self.dead.get((before, p), ()), *([hunted[p]] if p in hunted else ())]
                if killing:
                    self.dead[now, p] = killing

    def _having(self, fact: str, p: int) -> list[Any] | None:
        """Return numbers whose sum is that of the surviving deals where a player has a role.

        None if some, but not all, deals of a unit are among them.
        """
        found, holder = [], self.deals.holders[fact][p]
        for unit in self.alive:
            inside = self.units[unit] & holder
            if inside not in (0, self.units[unit]):
                return None
            found += [unit] if inside else []
        return self._numbers(found)


class Problem(Constraints):
    """The constraints deal by deal: exact, verdicts aside."""

    def _tune(self, parameters: Any) -> None:
        parameters.linearization_level = 0  # sums of deals bound nothing as long as moves are open
        parameters.max_presolve_iterations = 1  # most solutions are found faster than simplified
        parameters.cp_model_probing_level = parameters.symmetry_level = 0

    def _units(self) -> dict[int, int]:
        return {w: 1 << w for w in range(len(self.deals.roles))}

    def _exists(self, units: Sequence[int]) -> Any:
        return self._any(self.alive[w] for w in units)

    def _break(self, removed: Mapping[int, Sequence[Any]]) -> None:
        """Record which attacks remove which deals."""

    def _look(self, actor: int, effects: Sequence[tuple[Any, Worlds, bool]]) -> None:
        """Record which deals with a seer survive the seer's visions."""

    def _keep(self, conditions: Mapping[int, Sequence[Any]]) -> None:
        """Let deals survive only where certain moves were not made."""
        for w, killing in conditions.items():
            if killing and w in self.alive:
                self.alive[w] = self._all(self.alive[w], *(v.Not() for v in killing))

    def _acting(self, number: int, step: Acting) -> None:
        actions = self.setup.actions(step.phase)
        before = dict(self.alive)
        mixed = step.phase.kind == "night"
        if "attack" in actions:
            made = self._attacks(number, step)
            if not mixed:
                self._strike(number, made)
        if "vision" in actions:
            self._visions(number, step, before if mixed else dict(self.alive), exact=not mixed)
        if "attack" in actions and mixed:
            self._strike(number, made)

    def _strike(self, number: int, made: Mapping[int, Mapping[int, Any]]) -> None:
        removed: dict[int, list[Any]] = {}
        for w in self.alive:
            hunted = self._hunted(w, number, made)
            removed[w] = [v for target, v in hunted.items() if is_wolf(self.deals.roles[w][target])]
        self._follow_attacks(number, made)
        self._break(removed)
        self._keep(removed)

    def _visions(self, number: int, step: Acting, before: Mapping[int, Any], *, exact: bool) -> None:
        labels = self.setup.rules.labels(self.setup.rules.vision_shows, self.setup.deck)
        removed: dict[int, list[Any]] = {}
        mortal = self.setup.rules.vision_worlds == "alive"
        for actor in self._acting_places(number, step):
            known = self._known(step, actor, "vision")
            row = [w for w in before if self.deals.roles[w][actor] == SEER]
            asked = self._any(before[w] for w in row)
            targets = open_targets(self.setup, self.living[number], actor, "vision")
            idle = Choice(number, actor, "vision", None, PASSED if known == PASSED else NOT_ASKED)
            results = [*labels, None] if mortal else list(labels)
            looks = [Choice(number, actor, "vision", t, r) for t in targets for r in results]
            declined = [] if compulsory(self.setup, "vision") else [Choice(number, actor, "vision", None)]
            self._choose([*looks, *declined, idle], known)
            self.model.add(asked == (1 if known == PASSED else self.choices[idle].Not()))
            pool = {w: before[w] for w in row}
            if mortal and exact:
                pool = {
                    w: self._all(v, *(d.Not() for d in self.dying(w, actor))) if self.dying(w, actor) else v
                    for w, v in pool.items()
                }
            every = sum(1 << w for w in row)
            effects = [(self.choices[c], every, False) for c in (*declined, idle)]
            for look in looks:
                assert look.target is not None
                variable = self.choices[look]
                fitting = [
                    w
                    for w in row
                    if look.result is None or self.deals.roles[w][look.target] in labels[look.result]
                ]
                effects.append((variable, sum(1 << w for w in fitting), True))
                if look.result is None:
                    for seen in pool.values() if exact else ():
                        self.model.add_implication(variable, seen.Not())
                    continue
                self.model.add_bool_or([pool[w] for w in fitting]).only_enforce_if(variable)
                for w in row:
                    if w not in fitting:
                        removed.setdefault(w, []).append(variable)
            if row:
                self._look(actor, effects)
        self._keep(removed)

    def _died(self, number: int, places: Sequence[int], *, spare: bool) -> None:
        for p in places:
            if spare:
                self._break({w: self.dying(w, p) for w in self.alive})
                self._keep({w: self.dying(w, p) for w in self.alive})
            role = self.roles[number, p]
            self.alive = {w: v for w, v in self.alive.items() if self.deals.roles[w][p] == role}

    def _found(self, number: int, places: Sequence[int]) -> None:
        if len(places) == 1:
            for w, variable in self.alive.items():
                self.model.add_bool_or([variable.Not(), *self.dying(w, places[0])])
        self._died(number, places, spare=False)
        for w, variable in self.alive.items():
            for p in places:
                self.model.add_bool_or([variable.Not(), *self.dying(w, p)])
        for p in self.living[number]:
            if p not in places:
                lives = (self._all(v, *(d.Not() for d in self.dying(w, p))) for w, v in self.alive.items())
                if any(self.dying(w, p) for w in self.alive):
                    self.model.add_bool_or(list(lives))

    def _told(self, step: Told) -> None:
        rules, p = self.setup.rules, self.place[step.player]
        if rules.told not in ("role", "kind"):
            return
        words: dict[str, list[Any]] = {}
        for w, variable in self.alive.items():
            role = self.deals.roles[w][p]
            words.setdefault(role if rules.told == "role" else kind(role), []).append(variable)
        if step.role is None:
            if not self._informed(step):
                self.model.add(sum(self._any(listed) for listed in words.values()) >= 2)
            return
        for word, listed in words.items():
            if word not in (step.role, kind(step.role)):
                for variable in listed:
                    self.model.add(variable == 0)

    def _informed(self, step: Told) -> bool:
        """Whether the player has been told before."""
        steps = self.evidence.steps
        before = next(i for i, s in enumerate(steps) if s is step)
        return any(isinstance(s, Told) and s.player == step.player and s.role for s in steps[:before])

    def with_some(self, failing: Mapping[int, Iterable[Collection[tuple[int, bool]]]]) -> None:
        """Demand a surviving deal where the dead are as given: for each deal the ways, as (place, dead)."""
        options = []
        for w, ways in failing.items():
            for way in ways if w in self.alive else ():
                literals = [self.alive[w]]
                for p, is_dead in way:
                    if p not in self.living[-1]:
                        literals += [] if is_dead else [self._never]
                        continue
                    died = self._hit(self.chains[w], p) if self.dying(w, p) else self._never
                    literals.append(died if is_dead else died.Not())
                options.append(self._all(*literals))
        self.model.add_bool_or(options)


class Summed(Problem):
    """The constraints for each deal, with redundant sums that speed up proofs of infeasibility.

    Attacks and votes remove all deals with the same wolves or none of them; the visions of a player remove
    deals where this player is the seer. Each table is therefore added up twice more, by wolves and by
    seers. Few of these sums are open, so proofs are several times as fast.
    """

    def _units(self) -> dict[int, int]:
        self._seen: dict[int, dict[Worlds, Any]] = {
            p: {row: self.model.new_constant(1)} for p, row in enumerate(self.deals.holders[SEER])
        }
        self._intact: dict[Worlds, Any] = {}
        self._counted: dict[tuple[Worlds, int, tuple[int, ...]], tuple[Any, Any]] = {}
        self._leaving: dict[tuple[int, ...], Any] = {}
        self._seer = {w: p for p, row in enumerate(self.deals.holders[SEER]) for w in bits(row)}
        wolves = [self.deals.holders[rank] for rank in self.setup.deck.wolf_roles]
        for pack in permutations(self.deals.places, len(wolves)):
            deals = reduce(and_, (holder[p] for holder, p in zip(wolves, pack, strict=True)))
            self._intact[deals] = self.model.new_constant(1)
        self._pack = {w: deals for deals in self._intact for w in bits(deals)}
        return super()._units()

    def _numbers(self, units: Sequence[int]) -> list[Any]:
        """Return numbers that add up to the surviving deals, grouped by wolves.

        Attacks and votes remove a whole group or nothing, and visions decide which of the deals with one seer
        remain. The solver uses a few sums better than one constraint for each deal.
        """
        asked: dict[Worlds, Worlds] = {}
        for w in units:
            asked[self._pack[w]] = asked.get(self._pack[w], 0) | 1 << w
        open_ = sum(1 << w for w in self.alive)
        found: list[Any] = []
        for pack, deals in asked.items():
            if deals == pack & open_:
                found.append(self._of_pack(pack, deals))
            else:
                found += [self.alive[w] for w in bits(deals)]
        return found

    def _of_pack(self, pack: Worlds, deals: Worlds) -> Any:
        """Return the number of surviving open deals with the same wolves: all that visions leave, or none."""
        intact = self._intact[pack]
        left = [self._left(w) for w in bits(deals)]
        key = (deals, intact.index, tuple(v.index for v in left))
        if key not in self._counted:
            kept = self.model.new_int_var(0, deals.bit_count(), "")
            number = self.model.new_int_var(0, deals.bit_count(), "")
            self.model.add(sum(left) == kept)
            self.model.add(kept == number).only_enforce_if(intact)
            self.model.add(number == 0).only_enforce_if(intact.Not())
            self.model.add(number <= kept)
            self._counted[key] = kept, number
        return self._counted[key][1]

    def _left(self, w: int) -> Any:
        """Return the variable that is true if visions leave a deal."""
        states = self._seen[self._seer[w]]
        key = (w, *(v.index for v in states.values()))
        if key not in self._leaving:
            self._leaving[key] = self._any(v for kept, v in states.items() if kept >> w & 1)
        return self._leaving[key]

    def _shown(self, at: int, step: Shown) -> None:
        """Add up the deals that visions leave, by wolves and by seers."""
        open_ = sum(1 << w for w in self.alive)
        for inside in (self.deals.every, *self.deals.holders[WOLF]) if step.cells else ():
            packs = [pack & open_ for pack in self._intact if pack & open_ & inside]
            self._numbers([w for deals in packs for w in bits(deals)])
            kept = []
            for pack in self._intact:
                if deals := pack & open_ & inside:
                    left = tuple(self._left(w).index for w in bits(deals))
                    kept.append(self._counted[deals, self._intact[pack].index, left][0])
            rows = []
            for states in self._seen.values():
                sizes = {k: (k & open_ & inside).bit_count() for k in states}
                row = self.model.new_int_var_from_domain(self.cp.Domain.from_values(list(sizes.values())), "")
                for k, variable in states.items():
                    self.model.add(row == sizes[k]).only_enforce_if(variable)
                rows.append(row)
            self.model.add(sum(kept) == sum(rows))
        super()._shown(at, step)

    def _break(self, removed: Mapping[int, Sequence[Any]]) -> None:
        killing = {self._pack[w]: by for w, by in removed.items() if by}
        for pack, by in killing.items():
            self._intact[pack] = self._all(self._intact[pack], *(v.Not() for v in by))

    def _look(self, actor: int, effects: Sequence[tuple[Any, Worlds, bool]]) -> None:
        after: dict[Worlds, list[tuple[Any, Any]]] = {}
        for kept, before in self._seen[actor].items():
            for variable, fitting, must in effects:
                if kept & fitting or not must:
                    after.setdefault(kept & fitting, []).append((before, variable))
                else:
                    self.model.add_bool_or([before.Not(), variable.Not()])
        self._seen[actor] = {kept: self.model.new_bool_var("") for kept in after}
        for kept, found in self._seen[actor].items():
            for before, variable in after[kept]:
                self.model.add_bool_or([before.Not(), variable.Not(), found])
            for causes in zip(*after[kept], strict=True):
                self.model.add_bool_or([found.Not(), *{v.index: v for v in causes}.values()])
        self.model.add_exactly_one(list(self._seen[actor].values()))


class Outline(Constraints):
    """The constraints by the wolves of a deal, visions aside: what they rule out is impossible.

    In the deals with the same wolves the same players die, so it is enough to know how many of them survive.
    That is decided in milliseconds, where a `Problem` takes seconds.
    """

    def _units(self) -> dict[int, int]:
        packs: dict[tuple[int, ...], int] = {}
        for w, roles in enumerate(self.deals.roles):
            pack = tuple(roles.index(rank) for rank in self.setup.deck.wolf_roles)
            packs[pack] = packs.get(pack, 0) | 1 << w
        return dict(enumerate(packs.values()))

    def _exists(self, units: Sequence[int]) -> Any:
        found = self.model.new_bool_var("")
        if units:
            number = sum(self.alive[unit] for unit in units)
            self.model.add(number >= 1).only_enforce_if(found)
            self.model.add(number == 0).only_enforce_if(found.Not())
        else:
            self.model.add(found == 0)
        return found

    def _fewer(self, unit: int) -> None:
        """Let some deals of a unit go."""
        before = self.alive[unit]
        self.alive[unit] = self.model.new_int_var(0, self.units[unit].bit_count(), "")
        self.model.add(self.alive[unit] <= before)

    def _none_if(self, unit: int, *literals: Any) -> None:
        """Demand that no deal of a unit survives if some literals are true."""
        self.model.add(self.alive[unit] == 0).only_enforce_if(list(literals))

    def _acting(self, number: int, step: Acting) -> None:
        actions = self.setup.actions(step.phase)
        made = self._attacks(number, step) if "attack" in actions else {}
        for unit in self.alive:
            hunted = self._hunted(unit, number, made)
            killing = [v for target, v in hunted.items() if self.wolf(unit, target)]
            before = self.alive[unit]
            self._fewer(unit)
            for variable in killing:
                self._none_if(unit, variable)
            if "vision" not in actions:
                same = self.model.add(self.alive[unit] == before)
                same.only_enforce_if([v.Not() for v in killing])
        if "attack" in actions:
            self._follow_attacks(number, made)

    def _died(self, number: int, places: Sequence[int], *, spare: bool) -> None:
        for p in places:
            holder = self.deals.holders[self.roles[number, p]][p]
            for unit in list(self.alive):
                self._fewer(unit)
                if spare and self.dying(unit, p):
                    self._none_if(unit, self._hit(self.chains[unit], p))
                self.units[unit] &= holder
                if self.units[unit]:
                    self.model.add(self.alive[unit] <= self.units[unit].bit_count())
                else:
                    del self.alive[unit]

    def _found(self, number: int, places: Sequence[int]) -> None:
        self._died(number, places, spare=False)
        for unit in self.alive:
            for p in places:
                hit = [self._hit(self.chains[unit], p).Not()] if self.dying(unit, p) else []
                self._none_if(unit, *hit)

    def _told(self, step: Told) -> None:
        """Leave notices out: they are about deals."""

    def with_some(self, failing: Mapping[int, Collection[Collection[tuple[int, bool]]]]) -> None:  # noqa: D102
        options = []
        for unit in self.alive:
            if any(ways for w, ways in failing.items() if self.units[unit] >> w & 1):
                options.append(self._exists([unit]))
        self.model.add_bool_or(options)


class OutOfTime(Exception):
    """The solver did not finish."""


def attack_maps(problem: Constraints, *, deadline: float | None) -> Iterator[Attacks]:
    """Yield the attacks of all solutions, each once; raise OutOfTime if they could not all be found."""
    while True:
        solution = problem.solve(seconds=_left(deadline))
        if solution.found is None:
            raise OutOfTime
        if not solution.found:
            return
        made = [c for c in solution.made if c.action == "attack"]
        yield {(c.step, c.actor): c.target for c in sorted(made)}
        if not made:
            return
        problem.model.add_bool_or([problem.choices[c].Not() for c in made])


class Possible(NamedTuple):
    """What some solution has: moves, and numbers of worlds that are left."""

    moves: frozenset[Choice]
    sizes: frozenset[int]
    """Empty if they were not asked for, or are many."""


_MOST_SIZES = 20


def possible_choices(
    problem: Constraints, *, deadline: float | None, actions: Collection[str], sizes: bool = False
) -> Possible:
    """Return all moves of some kinds that some solution has; raise OutOfTime if not finished.

    `sizes`: and all numbers of worlds that some solution leaves.
    """
    found, left = set[Choice](), set[int]()
    while True:
        solution = problem.solve(seconds=_left(deadline))
        if solution.found is None:
            raise OutOfTime
        if solution.found:
            found |= {c for c in solution.made if c.action in actions}
            left.add(solution.worlds)
        counted = sizes and len(left) <= _MOST_SIZES
        new = [v for c, v in problem.choices.items() if c.action in actions and c not in found]
        if not solution.found or not (new or counted):
            return Possible(frozenset(found), frozenset(left if counted else ()))
        if counted:
            other = problem.model.new_bool_var("")
            for size in left:
                problem.model.add(problem.worlds != size).only_enforce_if(other)
            new.append(other)
        problem.model.add_bool_or(new)


def _left(deadline: float | None) -> float | None:
    if deadline is None:
        return None
    left = deadline - time.monotonic()
    if left <= 0:
        raise OutOfTime
    return left


__all__ = [
    "Attacks",
    "Choice",
    "Constraints",
    "OutOfTime",
    "Outline",
    "Possible",
    "Problem",
    "Solution",
    "Summed",
    "attack_maps",
    "check_solver",
    "possible_choices",
    "solver_covers",
]
