"""What a checkout weighs, and which modules import each other: `python -m tests.house` prints the table.

Code lines are those without docstrings, comments and blank lines. An import counts wherever it stands: at the
top of a module, in a function, or for types only.
"""

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("kripke_werewolf", "visualise")
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


@cache
def sources() -> Mapping[str, str]:
    """Return the source of each module of the packages, by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path.read_text(encoding="utf-8")
    return found


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return the syntax tree of each module."""
    return {name: ast.parse(source) for name, source in sources().items()}


def room_of(module: str) -> str:
    """Return the room in which a module stands; what stands in none belongs to the package itself."""
    package, _, rest = module.partition(".")
    room = rest.partition(".")[0]
    return room if package == PACKAGES[0] and room else package


def code_lines(source: str) -> int:
    """Return the number of lines of code.

    >>> code_lines('def f():' + chr(10) + '    "What it does."' + chr(10) + '    return 1  # one')
    2
    """
    lines, words = set(), set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        said = node.value if isinstance(node, ast.Expr) else None
        if isinstance(said, ast.Constant) and isinstance(said.value, str):
            words.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines - words)


@cache
def weights() -> Counter[str]:
    """Return the code lines of each room."""
    found: Counter[str] = Counter()
    for name, source in sources().items():
        found[room_of(name)] += code_lines(source)
    return found


def public_names() -> int:
    """Return the number of functions and classes at the top of modules whose names are not private."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    nodes = (node for tree in trees().values() for node in tree.body)
    return sum(isinstance(node, kinds) and not node.name.startswith("_") for node in nodes)


def conditionals() -> int:
    """Return the number of conditional expressions."""
    return sum(isinstance(node, ast.IfExp) for tree in trees().values() for node in ast.walk(tree))


def nested_conditionals() -> list[str]:
    """Return the places of conditional expressions that hold another."""
    found = []
    for name, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.IfExp):
                inner = sum(isinstance(part, ast.IfExp) for part in ast.walk(node))
                found += [f"{name}:{node.lineno}"] if inner > 1 else []
    return found


def _named(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def imports() -> Mapping[str, frozenset[str]]:
    """Return the modules that each module imports."""
    known, found = trees(), {}
    for name, tree in known.items():
        there = {full for node in ast.walk(tree) for full in _named(node)}
        modules = {full if full in known else full.rpartition(".")[0] for full in there}
        found[name] = frozenset(modules & known.keys() - {name})
    return found


def largest_ring() -> list[str]:
    """Return the most modules of which each leads to each other by imports; none if no two do."""
    import networkx

    graph = networkx.DiGraph([(name, other) for name, others in imports().items() for other in others])
    ring = max(networkx.strongly_connected_components(graph), key=len)
    return sorted(ring) if len(ring) > 1 else []


def table() -> dict[str, float]:
    """Return what `test_budget` holds, by name."""
    lines = weights()
    rooms = {f"code lines of {room}": count for room, count in sorted(lines.items())}
    whole = sum(lines.values())
    return {
        "code lines": whole,
        **rooms,
        "public names": public_names(),
        "modules in the largest ring": len(largest_ring()),
        "conditional expressions to 1,000 lines": round(1000 * conditionals() / whole, 1),
        "entries of kripke_werewolf": sum(
            not path.name.startswith((".", "__pycache__")) for path in (ROOT / PACKAGES[0]).iterdir()
        ),
    }


if __name__ == "__main__":
    for name, value in table().items():
        print(f"{name:45}{value:>8}")
