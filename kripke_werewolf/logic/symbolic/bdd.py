"""Binary decision diagrams, by the library `oxidd`.

Variables are numbered by even integers 0, 2, 4, …; the odd number v + 1 is the *copy* of v, its value at an
accessible state (the doubled vocabulary of belief structures). A copy lies directly below its variable in the
order, so that exchanging the two preserves the shape of diagrams. Sets of variables are bit sets: Python
integers with bit v set for variable v.

A structure derived from another shares its manager, and with it the memory limit.
"""

from __future__ import annotations

import gc
import io
import mmap
import pickle
import sys
import time
from collections.abc import Callable, Container, Iterable, Sequence
from functools import reduce
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from operator import or_
from typing import Any, ParamSpec, TypeAlias, TypeVar

from kripke_werewolf.base.errors import DiagramTooLarge, ModelError, missing_package
from kripke_werewolf.base.grouping import all_after
from kripke_werewolf.logic.semantics.bits import members

# a node takes 16 bytes, plus 8 in the unique table; memory is taken up as nodes come into being, but
# setting up a manager takes a millisecond for every two million
DEFAULT_NODES = 1 << 23
# the cache of operations is allocated at once; 2^19 entries take 8 MB and serve diagrams of 10^5 nodes
_CACHE = 1 << 19
# address space that the library's thread reserves for its stack, and what else it needs at once
_RESERVED = (1 << 30) + (1 << 28)
_CUBES = 4096
# the greatest number of levels that a new variable is moved up
_NEAR = 256

Variables: TypeAlias = int
Diagram: TypeAlias = Any
"""A Boolean function of the variables, with & | ^ ~; equal functions of one manager are equal values."""
_T = TypeVar("_T")
_P = ParamSpec("_P")


def variable_set(variables: Iterable[int]) -> Variables:
    """Return the bit set of the given variables."""
    return reduce(or_, [1 << v for v in variables], 0)


def _check_address_space(size: int) -> None:
    """Raise `ModelError` if the process cannot reserve this many bytes; the BDD library would abort."""
    try:
        mmap.mmap(-1, size).close()
    except (OSError, ValueError, OverflowError):
        raise ModelError(
            f"the symbolic engine reserves {size / 2**30:.1f} GiB of address space (it uses much less), "
            "which this process may not do; raise the limit (ulimit -v), or use the explicit engine"
        ) from None


def _library() -> Any:
    """Return the compiled module of `oxidd`; the package itself loads much, only to know its own version."""
    name = "oxidd._oxidd"
    package = find_spec("oxidd")
    spec = package and PathFinder.find_spec(name, package.submodule_search_locations)
    if name in sys.modules or spec is None or spec.loader is None:
        return import_module(name)
    sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


def _with_variables(limit: int, order: list[int], free: list[int]) -> Oxidd:
    """Return a new manager with these variables, in their order."""
    found = Oxidd(nodes=limit)
    found._manager.add_vars(len(order))
    found._manager.set_var_order(order)
    found._order, found._free = order, free
    return found


class Oxidd:
    """Diagrams by the library `oxidd` (complemented edges, one thread, exact counts).

    `nodes` is the greatest number of nodes at one time, about 24 bytes of memory each. Structures that share
    a manager must not be used by several threads at once.
    """

    def __init__(self, *, nodes: int = DEFAULT_NODES) -> None:
        try:
            library = _library()
        except ImportError:
            raise ModelError(
                missing_package("the symbolic engine", "oxidd")
                + " (it has no wheels for some platforms; the explicit engine works without it)"
            ) from None
        if not isinstance(nodes, int) or nodes < 1024:
            raise ModelError(f"a limit of at least 1024 nodes is needed, got {nodes!r}")
        _check_address_space(_RESERVED + 24 * nodes)
        self.limit = nodes
        self._manager: Any = library.BCDDManager(nodes, min(_CACHE, max(nodes // 4, 1024)), 1)
        self._function: Any = library.BCDDFunction
        self.out_of_memory: type[Exception] = library.DDMemoryError
        self._and: Any = library.BooleanOperator.AND
        self.true: Any = self._manager.true()
        self.false: Any = self._manager.false()
        self._free: list[int] = []
        self._order: list[int] = []
        self._cubes: dict[Variables, Any] = {}
        self._copying: dict[tuple[Variables, bool], Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_variables, (self.limit, self._order, self._free)

    def declare(self, count: int, *, below: int | None = None) -> Sequence[int]:
        """Return new variables with copies, all below a given variable and close to it if that is cheap."""
        place = -1 if below is None else self.level(below) + 1  # of its copy
        found = [(level, v) for v in self._free if (level := self.level(v)) > place]
        used = [v for _, v in sorted(found)[:count]]
        self._free = [v for v in self._free if v not in used]
        added = self._manager.add_vars(2 * (count - len(used)))
        # moving a variable up exchanges it with every level on its way
        if below is not None and added and 0 < len(self._order) - 1 - place <= _NEAR:
            self._order[place + 1 : place + 1] = added
            self.attempt(self._manager.set_var_order, self._order)
        else:
            self._order += added
        return [*used, *added[::2]]

    def release(self, variables: Variables) -> None:
        """Free variables on which no diagram in use depends."""
        self._free = [*self._free, *members(variables)]

    def variable(self, v: int) -> Diagram:
        """Return the function that is true where the variable (or copy) is."""
        return self.attempt(self._manager.var, v)

    def level(self, v: int) -> int:
        """Return the position of a variable in the order, 0 at the top."""
        return self._manager.var_to_level(v)  # type: ignore[no-any-return]

    def exists(self, f: Diagram, variables: Variables) -> Diagram:
        """Return the existential quantification of `f` over the variables."""
        return f.exists(self._cube(variables)) if variables else f

    def and_exists(self, f: Diagram, g: Diagram, variables: Variables) -> Diagram:
        """Return `exists(f & g, variables)` without building the conjunction."""
        return f.apply_exists(self._and, g, self._cube(variables)) if variables else f & g

    def count(self, f: Diagram, variables: int) -> int:
        """Return the exact number of satisfying assignments to `variables` variables."""
        return f.sat_count(variables)  # type: ignore[no-any-return]

    def size(self, f: Diagram) -> int:
        """Return the number of nodes."""
        return f.node_count()  # type: ignore[no-any-return]

    def top(self, f: Diagram) -> int:
        """Return the level of the top node; for a constant, a level below every variable."""
        level = f.node_level()
        return self._manager.num_vars() if level is None else level  # type: ignore[no-any-return]

    def branch(self, f: Diagram) -> tuple[int, Diagram, Diagram] | None:
        """Return the top variable and the functions where it is true and false; None for a constant."""
        parts = f.cofactors()
        return None if parts is None else (f.node_var(), *parts)

    def branches(self, roots: Iterable[Diagram]) -> dict[Diagram, tuple[int, Diagram, Diagram]]:
        """Return the branches of all nodes of some diagrams, each node after those below it."""
        nodes = all_after(roots, lambda f: (self.branch(f) or ())[1:])
        upwards = sorted(nodes, key=self.top, reverse=True)
        return {f: branch for f in upwards if (branch := self.branch(f)) is not None}

    def value(self, f: Diagram, true: Container[int]) -> bool:
        """Return the value at the assignment in which exactly the given variables are true."""
        # the library's own evaluation does not take variables that are left out for false
        while (parts := f.cofactors()) is not None:
            f = parts[0] if f.node_var() in true else parts[1]
        return f == self.true  # type: ignore[no-any-return]

    def attempt(self, step: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs) -> _T:
        """Run a step; if memory runs out, collect garbage and run it once more.

        Raises `DiagramTooLarge` if that does not help. The step must have no side effects.
        """
        for _ in range(2):
            try:
                return step(*args, **kwargs)
            except self.out_of_memory:
                used = self._manager.num_inner_nodes()
            self._collect()
        raise DiagramTooLarge(used, self.limit)

    def _collect(self) -> None:
        gc.collect()  # exceptions leave reference cycles that hold diagrams
        # the library collects in a thread of its own, during which a call returns without effect
        for pause in (0.0, 0.01, 0.05, 0.2):
            time.sleep(pause)
            if self._manager.gc():
                return

    def _cube(self, variables: Variables) -> Diagram:
        cube = self._cubes.get(variables)
        if cube is None:
            if len(self._cubes) >= _CUBES:
                self._cubes.clear()
            # upwards from the bottom every step adds one node
            cube = self.true
            for v in sorted(members(variables), key=self.level, reverse=True):
                cube = self._manager.var(v) & cube
            self._cubes[variables] = cube
        return cube

    def copied(self, f: Diagram, variables: Variables, *, back: bool = False) -> Diagram:
        """Replace variables by their copies (`back`: the copies by the variables)."""
        if not variables:
            return f
        # the same substitution object each time lets the library reuse its cache
        renaming = self._copying.get((variables, back))
        if renaming is None:
            if len(self._copying) >= _CUBES:
                self._copying.clear()
            pairs = [(v + 1, v) if back else (v, v + 1) for v in members(variables)]
            renaming = self._function.make_substitution([(v, self._manager.var(w)) for v, w in pairs])
            self._copying[variables, back] = renaming
        return f.substitute(renaming)


# --- diagrams as plain data ------------------------------------------------------------------------
# so that structures can be pickled; those that are pickled together share their manager afterwards


def stored(bdds: Oxidd, value: object) -> tuple[Oxidd, bytes, list[tuple[int, int, int]], list[int]]:
    """Return a value with diagrams of a manager among its parts, in the form that `restored` reads.

    For each node of the diagrams, its variable, and the places of its two branches; places 0 and 1 are true
    and false.
    """
    file, roots = io.BytesIO(), dict[Diagram, int]()

    class Pickler(pickle.Pickler):
        def persistent_id(self, part: Any) -> int | None:
            if isinstance(part, type(bdds.true)):
                return roots.setdefault(part, len(roots))
            return -1 if part is bdds else None

    Pickler(file, pickle.HIGHEST_PROTOCOL).dump(value)
    branches = bdds.branches(roots)
    places = {f: place for place, f in enumerate((bdds.true, bdds.false, *branches))}
    nodes = [(v, places[high], places[low]) for v, high, low in branches.values()]
    return bdds, file.getvalue(), nodes, [places[f] for f in roots]


def restored(bdds: Oxidd, data: bytes, nodes: Sequence[tuple[int, int, int]], roots: Sequence[int]) -> Any:
    """Return the value that was stored, with its diagrams in a manager."""
    built = [bdds.true, bdds.false]
    for variable, high, low in nodes:
        built.append(bdds.attempt(bdds.variable(variable).ite, built[high], built[low]))
    parts = [*(built[place] for place in roots), bdds]

    class Unpickler(pickle.Unpickler):
        def persistent_load(self, number: int) -> Any:
            return parts[number]

    return Unpickler(io.BytesIO(data)).load()
