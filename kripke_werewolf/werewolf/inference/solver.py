"""The plan as a constraint problem, for the CP-SAT solver of OR-Tools (the extra `[infer]`).

The solver finds attacks, and single moves, that some history may have; it cannot weigh them. A wolf dies
only by a vote, which is public, so in every deal the night's attacker is known, and a deal survives unless
some move removes it: attacks and votes remove all deals with the same wolves, visions those with the same
seer to whom the players look the same, and each table is a few linear sums. Verdicts are left out, so what
the solver rules out is impossible, and what it finds is checked by adding up.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from threading import Event, Thread
from typing import Any, NamedTuple, TypeAlias

from kripke_werewolf.errors import GameError, missing_package
from kripke_werewolf.semantics.bits import members as bits
from kripke_werewolf.werewolf.declarations import declared, splits_worlds
from kripke_werewolf.werewolf.enumerated import deals_of
from kripke_werewolf.werewolf.inference.plan import (
    PASSED,
    UNMADE,
    Acting,
    Died,
    Noticed,
    PlacedMove,
    Plan,
    Published,
    Voted,
    idle,
)
from kripke_werewolf.werewolf.inference.scenarios import (
    Backbone,
    Worlds,
    worlds_behind,
)
from kripke_werewolf.werewolf.roles import SEER, WOLF, Role, is_wolf
from kripke_werewolf.werewolf.state import compulsory

Attacks: TypeAlias = Mapping[tuple[int, int], "int | None"]
Chain: TypeAlias = tuple["int | None", ...]
Made: TypeAlias = Mapping[int, Mapping[int, Any]]
"""For each attacker and target the variable that says the one attacked the other."""


def check_solver() -> Any:
    """Return OR-Tools' CP-SAT; raise GameError naming the extra if it is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise GameError(missing_package("this", "the solver OR-Tools", extra="infer")) from None
    return cp_model


def solver_covers(plan: Plan) -> bool:
    """Whether the solver knows these rules: ranked wolves and one seer."""
    game = declared(plan.setup)
    return game.mark is None and splits_worlds(game, game.acts["vision"]) and bool(plan.setup.deck.seers)


class SolverResult(NamedTuple):
    """What the solver found."""

    found: bool | None
    """Whether there is a solution; None if the time was up."""
    made: frozenset[PlacedMove]
    """The moves of the solution."""
    core: tuple[int, ...]
    """Without a solution: entries that cannot hold together."""
    tables: Mapping[int, int] = {}
    """The number of worlds behind each table, by its step."""
    broken: frozenset[int] = frozenset()
    """The assumed entries that the solution does not have."""


class Problem:
    """What a player was told, for one numbering and given drawn roles, as constraints on the deals.

    Verdicts aside they are exact: a deal survives if its wolves and its seer's view do. `assumed`: the
    entries of tables (by their places in `Plan.cells`) that hold only if they are assumed; the others
    hold.
    """

    def __init__(
        self,
        plan: Plan,
        place: Mapping[str, int],
        roles: Mapping[tuple[int, int], Role],
        *,
        assumed: Collection[int] = (),
    ) -> None:
        self.cp = check_solver()
        self.plan, self.place, self.roles = plan, place, roles
        self.setup, self.deals = plan.setup, deals_of(plan.setup.deck)
        self.game = declared(self.setup)
        self._labels = {word: self.game.roles(f) for word, f in self.game.acts["vision"].shows}
        self.bare = Backbone(plan, place, roles, {})
        self.living = self.bare.living
        self.viewer = place[plan.viewer]
        self.model = self.cp.CpModel()
        self.choices: dict[PlacedMove, Any] = {}
        """For each move the variable that says it was made."""
        self.assumptions: dict[int, Any] = {}
        self._never, self._always = self.model.new_constant(0), self.model.new_constant(1)
        self._joint: dict[tuple[int, ...], Any] = {}
        self._some: dict[tuple[int, ...], Any] = {}
        self._assumed = set(assumed)
        self._tables: dict[int, Any] = {}
        self._shares: dict[int, tuple[Any, Any, Fraction, Fraction]] = {}
        self._cells = self._nights = 0
        self._fallen: dict[int, list[Any]] | None = None
        self._passed = any(known.result in (PASSED, UNMADE) for known in self.bare.known.values())
        self._divide()
        self.open = list(range(len(self.deals.roles)))
        """The deals that agree with the drawn roles."""
        self.chains: dict[int, Chain] = dict.fromkeys(self.open, ())
        """For each deal who was the dominant wolf in each phase of attacks so far."""
        self.dead: dict[tuple[Chain, int], list[Any]] = {}
        """For each chain and place the attacks that killed there, if the deal has survived."""
        self._hits: dict[tuple[Chain, int], Any] = {}
        for number, step in enumerate(plan.steps[: plan.collapsed]):
            match step:
                case Acting():
                    self._acting(number, step)
                case Voted():
                    self._died(number, [place[step.player]], spare=self.game.vote.needs != "true")
                case Died(dead=players):
                    self._found(number, [place[name] for name in players])
                case Noticed():
                    self._told(step)
                case Published():
                    self._shown(number, step)
        left = self.model.new_int_var(1, len(self.open), "") if self.open else 1
        self.model.add(sum(self._numbers(self.open)) == left)
        moves = list(self.choices.values())  # each decides which deals are counted in the later tables
        self.model.add_decision_strategy(moves, self.cp.CHOOSE_FIRST, self.cp.SELECT_MAX_VALUE)

    # deals

    def _divide(self) -> None:
        """Divide the deals by what removes them: visions, and attacks and votes."""
        labels = self._labels
        views: dict[object, list[int]] = {}
        packs: dict[tuple[int, ...], Worlds] = {}
        for w, roles in enumerate(self.deals.roles):
            shown = tuple(tuple(r for r, fitting in labels.items() if role in fitting) for role in roles)
            views.setdefault((roles.index(SEER), shown), []).append(w)
            pack = tuple(roles.index(rank) for rank in self.setup.deck.wolf_roles)
            packs[pack] = packs.get(pack, 0) | 1 << w
        self._views = tuple(map(tuple, views.values()))
        """The deals that survive the same visions: with the same seer, to whom the players look the same."""
        self._view = {w: view for view, deals in enumerate(self._views) for w in deals}
        self._seen: dict[int, Any] = dict.fromkeys(range(len(self._views)), self._always)
        """For each view whether its deals survive the visions."""
        self._pack = {w: deals for deals in packs.values() for w in bits(deals)}
        self._intact: dict[Worlds, Any] = dict.fromkeys(packs.values(), self._always)
        """For all deals with the same wolves whether they survive the attacks and votes."""
        self._sums: dict[tuple[int, ...], Any] = {}
        self._counted: dict[tuple[int, int], Any] = {}

    def dominant(self, w: int, number: int) -> int | None:
        """Return the dominant wolf of a deal in a phase: the highest not voted off."""
        for rank in self.setup.deck.wolf_roles:
            holder = self.deals.roles[w].index(rank)
            if holder in self.living[number]:
                return holder
        return None

    def _alive(self, w: int) -> Any:
        """Return the literal that says that a deal has survived."""
        return self._all(self._intact[self._pack[w]], self._seen[self._view[w]])

    def _numbers(self, deals: Sequence[int]) -> list[Any]:
        """Return numbers that add up to some surviving deals.

        All deals with the same wolves are counted at once, less some of them where most are asked for.
        """
        asked: dict[Worlds, Worlds] = {}
        for w in deals:
            asked[self._pack[w]] = asked.get(self._pack[w], 0) | 1 << w
        every = sum(1 << w for w in self.open)
        found: list[Any] = []
        for pack, some in asked.items():
            rest = pack & every & ~some
            if rest.bit_count() < some.bit_count():
                found += [self._of_pack(pack), *(-self._alive(w) for w in bits(rest))]
            else:
                found += [self._alive(w) for w in bits(some)]
        return found

    def _of_pack(self, pack: Worlds) -> Any:
        """Return the number of surviving deals with the same wolves: all that visions leave, or none."""
        every = sum(1 << w for w in self.open)
        left = [self._seen[self._view[w]] for w in bits(pack & every)]
        kept, intact = self._sum(left), self._intact[pack]
        if intact is self._always:
            return kept
        key = kept.index, intact.index
        if key not in self._counted:
            self._counted[key] = number = self.model.new_int_var(0, len(left), "")
            self.model.add(kept == number).only_enforce_if(intact)
            self.model.add(number == 0).only_enforce_if(intact.Not())
            self.model.add(number <= kept)
        return self._counted[key]

    def _sum(self, literals: Sequence[Any]) -> Any:
        """Return the number of true literals, the same variable for the same literals."""
        key = tuple(sorted(v.index for v in literals))
        if key not in self._sums:
            self._sums[key] = self.model.new_int_var(0, len(key), "")
            self.model.add(sum(literals) == self._sums[key])
        return self._sums[key]

    def _exists(self, deals: Sequence[int]) -> Any:
        """Return a variable that is true if some of the deals has survived."""
        found = self.model.new_bool_var("")
        number = sum(self._numbers(deals))
        self.model.add(number >= 1).only_enforce_if(found)
        self.model.add(number == 0).only_enforce_if(found.Not())
        return found

    def _tune(self, parameters: Any) -> None:
        """Set how the solver works."""
        parameters.linearization_level = 0  # sums of deals bound nothing as long as moves are open
        parameters.max_presolve_iterations = 1  # most solutions are found faster than simplified
        parameters.cp_model_probing_level = parameters.symmetry_level = 0
        parameters.search_branching = self.cp.PARTIAL_FIXED_SEARCH  # guess moves in the order of the game

    def _all(self, *literals: Any) -> Any:
        """Return a literal that is true if all of some are, the same one for the same literals."""
        needed = {v.index: v for v in literals if v.index != self._always.index}
        if self._never.index in needed:
            return self._never
        if len(needed) < 2:
            return next(iter(needed.values()), self._always)
        key = tuple(sorted(needed))
        if key not in self._joint:
            self._joint[key] = found = self.model.new_bool_var("")
            self.model.add_bool_and(list(needed.values())).only_enforce_if(found)
            self.model.add_bool_or([found, *(v.Not() for v in needed.values())])
        return self._joint[key]

    def _any(self, literals: Iterable[Any]) -> Any:
        """Return a literal that is true if some is, the same one for the same literals."""
        needed = {v.index: v for v in literals if v.index != self._never.index}
        if self._always.index in needed:
            return self._always
        if len(needed) < 2:
            return next(iter(needed.values()), self._never)
        key = tuple(sorted(needed))
        if key not in self._some:
            self._some[key] = found = self.model.new_bool_var("")
            self.model.add_bool_or(list(needed.values())).only_enforce_if(found)
            for v in needed.values():
                self.model.add_implication(v, found)
        return self._some[key]

    def dying(self, w: int, p: int) -> list[Any]:
        """Return the attacks any of which kills a player in a deal, if it survives them."""
        return self.dead.get((self.chains[w], p), [])

    def _hit(self, chain: Chain, p: int) -> Any:
        """Return the variable that says a player is dead in the deals of a chain."""
        if (chain, p) not in self._hits:
            self._hits[chain, p] = self._any(self.dead[chain, p])
        return self._hits[chain, p]

    def _acting_places(self, number: int) -> list[int]:
        return [p for p in self.living[number] if self.bare.moves_count(number, p)]

    def _choose(self, choices: Sequence[PlacedMove], known: PlacedMove | None) -> None:
        """Exactly one of some moves was made, one that fits what is known."""
        for choice in choices:
            self.choices[choice] = self.model.new_bool_var("")
            if not choice.fits(known):
                self.model.add(self.choices[choice] == 0)
        self.model.add_exactly_one([self.choices[choice] for choice in choices])

    def _attacks(self, number: int, step: Acting) -> dict[int, dict[int, Any]]:
        made: dict[int, dict[int, Any]] = {}
        for actor in self._acting_places(number):
            known = self.bare.known.get((number, actor, "attack"))
            targets = self.bare.targets(number, actor, "attack")
            none = idle(known)
            choices = [PlacedMove(number, actor, "attack", t, None) for t in targets]
            choices.append(PlacedMove(number, actor, "attack", None, none))
            self._choose(choices, known)
            hunting = [w for w in self.open if self.dominant(w, number) == actor]
            act = self.game.acts["attack"]
            asked = self._exists(hunting if act.asked == act.by else self._holding(WOLF, actor))
            unmoved = self.choices[choices[-1]]
            if none != UNMADE:
                self.model.add(asked == (1 if none == PASSED else unmoved.Not()))
            refused = [self.place[name] for name in step.refused] if actor == self.viewer else []
            for target in (*targets, *refused) if act.refusable else ():
                left = sum(self._numbers([w for w in hunting if not is_wolf(self.deals.roles[w][target])]))
                if target in refused:
                    self.model.add(left == 0)
                else:
                    made_ = self.choices[PlacedMove(number, actor, "attack", target, None)]
                    self.model.add(left >= 1).only_enforce_if(made_)
            made[actor] = {t: self.choices[PlacedMove(number, actor, "attack", t, None)] for t in targets}
        return made

    def _shown(self, at: int, step: Published) -> None:
        self._fallen = None
        self._tables[at] = worlds = self._worlds(step)
        for cell in step.cells:
            number = self._cells
            self._cells += 1
            fact, low, high = cell.as_wolf
            p = self.plan.place_of(cell.row)
            if fact == "dead" and p not in self.living[at]:
                continue
            inside = self._dead_at(p) if fact == "dead" else self._numbers(self._holding(fact, p))
            bounds = [
                self.model.add(low.denominator * sum(inside) >= low.numerator * worlds),
                self.model.add(high.denominator * sum(inside) <= high.numerator * worlds),
            ]
            if low == high:  # follows, but the solver is told
                whole = range(0, len(self.open) + 1, low.denominator)
                domain = self.cp.Domain.from_values(list(whole))
                bounds.append(self.model.add_linear_expression_in_domain(worlds, domain))
            self._shares[number] = sum(inside), worlds, low, high
            if number in self._assumed:
                literal = self.assumptions.setdefault(number, self.model.new_bool_var(""))
                for bound in bounds:
                    bound.only_enforce_if(literal)

    def _worlds(self, step: Published) -> Any:
        """Return the number of worlds behind a table, one of those of which its entries can be shares.

        Where there is no such number the table has no world, so that nothing solves the problem.
        """
        given = replace(step, cells=()) if self._assumed else step
        sizes = list(worlds_behind(self.plan, given, len(self.open))) or [0]
        worlds = self.model.new_int_var_from_domain(self.cp.Domain.from_values(sizes), "")
        self.model.add(sum(self._numbers(self.open)) == worlds)
        return worlds

    def _dead_at(self, p: int) -> list[Any]:
        """Return numbers whose sum is that of the surviving deals in which a player is dead.

        In all surviving deals of a chain the same players are dead, so that these are counted together.
        """
        if self._fallen is None:
            self._fallen = {place: [] for place in self.deals.places}
            for chain in dict.fromkeys(self.chains[w] for w in self.open):
                self._fallen_in(chain, self._fallen)
        return self._fallen[p]

    def _fallen_in(self, chain: Chain, fallen: Mapping[int, list[Any]]) -> None:
        """Add how many of the surviving deals of a chain have each player dead."""
        members, here = self._members(chain), list[Any]()
        size = self.model.new_int_var(0, len(members), "")
        self.model.add(sum(self._numbers(members)) == size)
        for p in self.deals.places:
            if (chain, p) in self.dead:
                hit, dead = self._hit(chain, p), self.model.new_int_var(0, len(members), "")
                self.model.add(dead == size).only_enforce_if(hit)
                self.model.add(dead == 0).only_enforce_if(hit.Not())
                fallen[p].append(dead)
                here.append(dead)
        if here and not self._passed:  # somebody is dead in every deal: that follows, but the solver is told
            self.model.add(sum(here) >= size)
            self.model.add(sum(here) <= self._nights * size)

    def without(self, choice: PlacedMove) -> None:
        """Demand that a move was not made."""
        if choice in self.choices:
            self.model.add(self.choices[choice] == 0)

    def solve(
        self,
        *,
        seconds: float | None,
        assume: Sequence[int] | None = None,
        effort: float | None = None,
        made: Collection[PlacedMove] = (),
    ) -> SolverResult:
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
        status = self._status(solver)
        if status == self.cp.INFEASIBLE:
            core = set(solver.sufficient_assumptions_for_infeasibility()) if assume is not None else set()
            needed = [i for i in assume or () if i in self.assumptions and self.assumptions[i].index in core]
            return SolverResult(False, frozenset(), tuple(needed))
        if status not in (self.cp.OPTIMAL, self.cp.FEASIBLE):
            return SolverResult(None, frozenset(), ())
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
        return SolverResult(True, chosen, (), sizes, broken)

    def _status(self, solver: Any) -> Any:
        """Run the solver and return its status; at Ctrl-C stop it and raise KeyboardInterrupt.

        By itself the solver would also stop at Ctrl-C, but as if its time were over.
        """
        solver.parameters.catch_sigint_signal = False
        found, done = list[Any](), Event()

        def run() -> None:
            try:
                found.append(solver.solve(self.model))
            finally:
                done.set()

        thread = Thread(target=run, daemon=True)
        try:
            thread.start()
            while not done.wait(0.1):  # Windows notices Ctrl-C between the waits
                pass
        except KeyboardInterrupt:
            while not done.is_set():  # the search may not have begun
                solver.stop_search()
                done.wait(0.1)
            raise
        return found[0]

    def _hunted(self, w: int, number: int, made: Made) -> Mapping[int, Any]:
        """Return for each target the variable that says the dominant wolf of a deal attacked there."""
        hunter = self.dominant(w, number)
        return {} if hunter is None else made.get(hunter, {})

    def _follow_attacks(self, number: int, made: Made) -> None:
        """Note who is dead after the attacks of a phase."""
        self._nights += 1
        for w in self.open:
            before, hunted = self.chains[w], self._hunted(w, number, made)
            self.chains[w] = now = (*before, self.dominant(w, number))
            for p in self.deals.places:
                killing = [*self.dead.get((before, p), ()), *([hunted[p]] if p in hunted else ())]
                if killing:
                    self.dead[now, p] = killing

    def _holding(self, fact: str, p: int) -> list[int]:
        """Return the deals in which a player has a role."""
        holder = self.deals.holders[fact][p]
        return [w for w in self.open if holder >> w & 1]

    def _acting(self, number: int, step: Acting) -> None:
        actions = self.setup.actions(step.phase)
        mixed = step.phase.kind == "night"
        made = self._attacks(number, step) if "attack" in actions else {}
        if made and not mixed:
            self._strike(number, made)
        if "vision" in actions:
            self._visions(number, step, exact=not mixed)
        if made and mixed:
            self._strike(number, made)

    def _strike(self, number: int, made: Made) -> None:
        removed: dict[Worlds, list[Any]] = {}
        for w in self.open:
            hunted = self._hunted(w, number, made)
            killing = [v for target, v in hunted.items() if is_wolf(self.deals.roles[w][target])]
            removed[self._pack[w]] = killing
        self._follow_attacks(number, made)
        for pack, killing in removed.items():
            self._intact[pack] = self._all(self._intact[pack], *(v.Not() for v in killing))

    def _visions(self, number: int, step: Acting, *, exact: bool) -> None:
        labels, mortal = self._labels, self.game.acts["vision"].pool != "true"
        seen = dict(self._seen)
        for actor in self._acting_places(number):
            known = self.bare.known.get((number, actor, "vision"))
            row: dict[int, list[int]] = {}
            for w in self.open:
                if self.deals.roles[w][actor] == SEER:
                    row.setdefault(self._view[w], []).append(w)
            alive = {v: self._all(seen[v], self._any(self._unharmed(w) for w in row[v])) for v in row}
            pool = alive
            if mortal and exact:
                pool = {
                    v: self._all(seen[v], self._any(self._unharmed(w, actor) for w in row[v])) for v in row
                }
            targets = self.bare.targets(number, actor, "vision")
            unmoved = PlacedMove(number, actor, "vision", None, idle(known))
            results = [*labels, None] if mortal else list(labels)
            looks = [PlacedMove(number, actor, "vision", t, r) for t in targets for r in results]
            declined = [] if compulsory(self.setup, "vision") else [PlacedMove(number, actor, "vision", None)]
            self._choose([*looks, *declined, unmoved], known)
            if unmoved.result != UNMADE:
                asked = self._any(alive.values())
                self.model.add(asked == (1 if unmoved.result == PASSED else self.choices[unmoved].Not()))
            effects: list[tuple[Any, Collection[int], bool]] = [
                (self.choices[c], row, False) for c in (*declined, unmoved)
            ]
            for look in looks:
                assert look.target is not None
                variable = self.choices[look]
                if look.result is None:
                    effects.append((variable, row, True))
                    for literal in pool.values() if exact else ():
                        self.model.add_implication(variable, literal.Not())
                    continue
                role = labels[look.result]
                fitting = [v for v in row if self.deals.roles[row[v][0]][look.target] in role]
                effects.append((variable, fitting, True))
                self.model.add_bool_or([pool[v] for v in fitting]).only_enforce_if(variable)
            if row:
                self._look(actor, list(row), effects)

    def _unharmed(self, w: int, p: int | None = None) -> Any:
        """Return the literal that says a deal survives the attacks so far, in it also a player."""
        dying = [] if p is None else self.dying(w, p)
        return self._all(self._intact[self._pack[w]], *(d.Not() for d in dying))

    def _look(
        self, actor: int, row: Sequence[int], effects: Sequence[tuple[Any, Collection[int], bool]]
    ) -> None:
        """Remove the views of a seer that do not fit; `effects`: moves, the views left, whether some is."""
        for view in row:
            removing = [v.Not() for v, fitting, _ in effects if view not in fitting]
            self._seen[view] = self._all(self._seen[view], *removing)

    def _died(self, number: int, places: Sequence[int], *, spare: bool) -> None:
        for p in places:
            for pack in {self._pack[w]: w for w in self.open if spare and self.dying(w, p)}.items():
                hit = self._hit(self.chains[pack[1]], p)
                self._intact[pack[0]] = self._all(self._intact[pack[0]], hit.Not())
            role = self.roles[number, p]
            self.open = [w for w in self.open if self.deals.roles[w][p] == role]

    def _found(self, number: int, places: Sequence[int]) -> None:
        if len(places) == 1:
            self._all_dead(places[0])
        self._died(number, places, spare=False)
        for p in places:
            self._all_dead(p)
        chains = dict.fromkeys(self.chains[w] for w in self.open)
        for p in self.living[number]:
            mortal = any((chain, p) in self.dead for chain in chains)
            if mortal and p not in places and not self._shown_later(number, p, "dead"):
                lives = []
                for chain in chains:
                    hit = [self._hit(chain, p).Not()] if (chain, p) in self.dead else []
                    lives.append(self._all(self._exists(self._members(chain)), *hit))
                self.model.add_bool_or(lives)

    def _members(self, chain: Chain) -> list[int]:
        return [w for w in self.open if self.chains[w] == chain]

    def _all_dead(self, p: int) -> None:
        """Demand that a player is dead in all surviving deals."""
        for chain in dict.fromkeys(self.chains[w] for w in self.open):
            none = self.model.add(sum(self._numbers(self._members(chain))) == 0)
            if (chain, p) in self.dead:
                none.only_enforce_if(self._hit(chain, p).Not())

    def _shown_later(self, number: int, p: int, fact: str) -> bool:
        """Whether a later table rules out that a player is dead (a wolf) in all deals, or a wolf in none.

        Deals only disappear, and the dead remain dead: then it was so before.
        """
        cells = self._cells
        for step in self.plan.steps[number : self.plan.collapsed]:
            for cell in step.cells if isinstance(step, Published) else ():
                about, low, high = cell.as_wolf
                tells = high < 1 and (fact == "dead" or low > 0) and cells not in self._assumed
                if tells and about == fact and self.plan.place_of(cell.row) == p:
                    return True
                cells += 1
        return False

    def _told(self, step: Noticed) -> None:
        p = self.viewer
        if not self.game.notices:
            return
        words = {
            word: [w for w in self.open if self.deals.roles[w][p] in self.game.roles(schema)]
            for word, schema in self.game.notices
        }
        number = next(i for i, s in enumerate(self.plan.steps) if s is step)
        if step.role is None:
            if not self._informed(number) and not self._shown_later(number, p, WOLF):
                self.model.add(sum(self._exists(deals) for deals in words.values()) >= 2)
            return
        for word, deals in words.items():
            if word != step.role:
                self.model.add(sum(self._numbers(deals)) == 0)

    def _informed(self, number: int) -> bool:
        """Whether the player has been told before."""
        return any(isinstance(s, Noticed) and s.role for s in self.plan.steps[:number])

    def with_some(self, failing: Mapping[int, Iterable[Collection[tuple[int, bool]]]]) -> None:
        """Demand a surviving deal where the dead are as given: for each deal the ways, as (place, dead)."""
        options: dict[tuple[Chain, tuple[tuple[int, bool], ...]], list[int]] = {}
        for w in self.open:
            for way in failing.get(w, ()):
                options.setdefault((self.chains[w], tuple(way)), []).append(w)
        found = []
        for (chain, way), deals in options.items():
            literals = [self._exists(deals)]
            for p, is_dead in way:
                if p not in self.living[-1]:
                    literals += [] if is_dead else [self._never]
                    continue
                died = self._hit(chain, p) if (chain, p) in self.dead else None
                if died is None:
                    literals += [self._never] if is_dead else []
                else:
                    literals.append(died if is_dead else died.Not())
            found.append(self._all(*literals))
        self.model.add_bool_or(found)


class Summed(Problem):
    """The same constraints, with redundant sums that speed up proofs of infeasibility for few deals.

    Attacks and votes remove all deals with the same wolves or none of them; the visions of a player remove
    deals where this player is the seer. Each table is therefore added up twice more, by wolves and by
    seers. Few of these sums are open, so proofs are several times as fast.
    """

    def _tune(self, parameters: Any) -> None:
        super()._tune(parameters)
        parameters.search_branching = self.cp.AUTOMATIC_SEARCH  # the solver's own choice uses these sums

    def _divide(self) -> None:
        super()._divide()
        self._rows: dict[int, dict[frozenset[int], Any]] = {}
        """For each seer the sets of views that visions may leave, each with its variable."""
        for p, deals in enumerate(self.deals.holders[SEER]):
            self._rows[p] = {frozenset(self._view[w] for w in bits(deals)): self._always}

    def _shown(self, at: int, step: Published) -> None:
        """Add up the deals that visions leave, by wolves and by seers."""
        every = sum(1 << w for w in self.open)
        for inside in (self.deals.every, *self.deals.holders[WOLF]) if step.cells else ():
            asked = every & inside
            packs = dict.fromkeys(self._pack[w] for w in bits(asked))
            kept = [self._sum([self._seen[self._view[w]] for w in bits(pack & asked)]) for pack in packs]
            rows = []
            for states in self._rows.values():
                sizes = {k: sum(asked >> w & 1 for view in k for w in self._views[view]) for k in states}
                row = self.model.new_int_var_from_domain(self.cp.Domain.from_values(list(sizes.values())), "")
                for k, variable in states.items():
                    self.model.add(row == sizes[k]).only_enforce_if(variable)
                rows.append(row)
            self.model.add(sum(kept) == sum(rows))
        super()._shown(at, step)

    def _look(
        self, actor: int, row: Sequence[int], effects: Sequence[tuple[Any, Collection[int], bool]]
    ) -> None:
        after: dict[frozenset[int], list[tuple[Any, Any]]] = {}
        for kept, before in self._rows[actor].items():
            for variable, fitting, must in effects:
                left = kept.intersection(fitting)
                if left or not must:
                    after.setdefault(left, []).append((before, variable))
                else:
                    self.model.add_bool_or([before.Not(), variable.Not()])
        self._rows[actor] = {kept: self.model.new_bool_var("") for kept in after}
        for kept, found in self._rows[actor].items():
            for before, variable in after[kept]:
                self.model.add_bool_or([before.Not(), variable.Not(), found])
            for causes in zip(*after[kept], strict=True):
                self.model.add_bool_or([found.Not(), *{v.index: v for v in causes}.values()])
        self.model.add_exactly_one(list(self._rows[actor].values()))
        for view in row:
            self._seen[view] = self._any(v for kept, v in self._rows[actor].items() if view in kept)


class OutOfTime(Exception):
    """The solver did not finish."""


def attack_maps(problem: Problem, *, deadline: float | None) -> Iterator[Attacks]:
    """Yield the attacks of all solutions, each once; raise OutOfTime if they could not all be found."""
    while True:
        solution = problem.solve(seconds=seconds_left(deadline))
        if solution.found is None:
            raise OutOfTime
        if not solution.found:
            return
        made = [c for c in solution.made if c.action == "attack"]
        yield {(c.step, c.actor): c.target for c in sorted(made)}
        if not made:
            return
        problem.model.add_bool_or([problem.choices[c].Not() for c in made])


def seconds_left(deadline: float | None) -> float | None:
    """Return the seconds until a deadline, None without a deadline; raise OutOfTime once it has passed."""
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        raise OutOfTime
    return left


__all__ = [
    "Attacks",
    "OutOfTime",
    "Problem",
    "SolverResult",
    "Summed",
    "attack_maps",
    "check_solver",
    "seconds_left",
    "solver_covers",
]
