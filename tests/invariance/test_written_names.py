"""How an agent is written, and what they are called, changes no answer, wherever names are read."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from random import Random

import pytest

import kripke_werewolf as kw
from kripke_werewolf import Formula, KripkeModel, UnknownAgentError
from kripke_werewolf.cli.prove import declared_groups
from kripke_werewolf.logic.formulas import operators as f
from kripke_werewolf.logic.models.formats.smcdel import to_smcdel
from kripke_werewolf.logic.proofs import read_proof
from kripke_werewolf.logic.proofs.declarations import read_actions
from kripke_werewolf.logic.written import action_lines
from kripke_werewolf.research.stories import story
from tests.cases import cases, each
from tests.theorems import formula, theorems

NAMES = [
    "Mary Ann",
    "all",
    "others",
    "everyone",
    "K",
    "1",
    "名前",
    'a"b',
    "b,c",
    "x: y",
    "#1",
    "Mary",
    "mary",
]
"""Names of agents, most of which mean something else where they stand alone."""

Writing = Callable[[str], str]


def in_quotes(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def in_escapes(name: str) -> str:
    return json.dumps(name)


def in_braces(name: str) -> str:
    return "{" + (in_quotes(name) if set(name) & set('",:#') else name) + "}"


WRITINGS: list[Writing] = [in_quotes, in_escapes, in_braces]


def written(name: str, rng: Random) -> str:
    """Return a name in one of the ways to write it."""
    ways = list(WRITINGS)
    if name.isalnum() and name != "others":
        ways.append(str)
    return rng.choice(ways)(name)


def named(g: Formula, of: dict[str, str], rng: Random) -> str:
    """Return a formula as text with other names of agents, each written in some way."""
    match g:
        case f.Atom(name):
            return name
        case f.Not(body):
            return f"~{named(body, of, rng)}"
        case f.OfAgent(agent, body):
            if isinstance(g, f.Knows) and rng.random() < 0.2:
                who = rng.choice(WRITINGS)(of[agent])
                return f"({who} knows that ({named(body, of, rng)}))"
            return f"{g.spelling.ascii}_{written(of[agent], rng)} {named(body, of, rng)}"
        case f.OfGroup(group, body):
            members = ", ".join(written(of[agent], rng) for agent in rng.sample(group, len(group)))
            return f"{g.spelling.ascii}_{{{members}}} {named(body, of, rng)}"
        case f.Box(f.Announce(content, group, whether), body):
            to = ",".join(written(of[agent], rng) for agent in group or ())
            return f"[{to}{'?' * whether}!{named(content, of, rng)}]{named(body, of, rng)}"
        case f.Infix():
            return "(" + f" {g.spelling.ascii} ".join(named(part, of, rng) for part in g.children) + ")"
    raise AssertionError(g)


def told(g: Formula, rng: Random) -> Formula:
    """Return a formula of which some announcements are to groups."""

    def step(node: Formula) -> Formula:
        if isinstance(node, f.Box) and isinstance(node.update, f.Announce) and rng.random() < 0.5:
            group = rng.choice([("a",), ("b",), ("a", "b")])
            return f.Box(f.Announce(node.update.content, group, rng.random() < 0.5), node.body)
        return node

    return g.rewrite(step)


def two_names(rng: Random) -> dict[str, str]:
    return dict(zip("ab", rng.sample(NAMES, 2), strict=True))


@each(range(6))
def test_formulas_and_logics(seed: int) -> None:
    rng = Random(seed)
    for kind in ("plain", "common", "announced", "together") * 2:
        g, of = told(formula(kind, rng, 3), rng), two_names(rng)
        text = named(g, of, rng)
        assert kw.parse(text) == kw.understand(text).formula == g.rename(agents=of.get), text  # type: ignore[arg-type]
        logics = {agent: rng.choice(["K", "KD45", "S5"]) for agent in "ab"}
        if len({*logics.values()}) > 1 and kind == "together":
            continue
        mixed = ", ".join(f"{written(of[agent], rng)}: {logic}" for agent, logic in logics.items())
        plain = kw.valid(g, logic=", ".join(f"{agent}: {logic}" for agent, logic in logics.items()))
        assert kw.valid(text, logic=mixed) == plain, (text, mixed)
        assert kw.logic_named(kw.logic_named(mixed).name) == kw.logic_named(mixed)


@each(NAMES, ["K", "KD45"])
def test_a_logic_is_that_of_the_agent_however_written(name: str, logic: str) -> None:
    asked = f"K_{in_quotes(name)} p -> p"
    for write in WRITINGS:
        assert not kw.valid(asked, logic=f"{write(name)}: {logic}")
        assert kw.derivation(asked, logic=f"{write(name)}: {logic}") is None
        assert kw.valid(asked, logic=f"{write(name)}: T, others: {logic}")
        model = KripkeModel(["w"], {name: []}, {"p": []})
        assert set(model.frame_flaws(f"{write(name)}: T, others: K")) == {name}
        read = read_proof(f"logic: {write(name)}: {logic}\n1. {asked}   T")
        assert not kw.proofs.check(read).right


@cases("mary: K", '"all": K', "all: K", "everyone: K", "everybody: K", "*: K", "other: K", "rest: K")
def test_whoever_is_named_and_not_there_is_refused(logic: str) -> None:
    asked, there = "K_Mary p -> p", KripkeModel(["w"], {"Mary": []}, {"p": []})
    for ask in (
        kw.valid,
        kw.countermodel,
        kw.satisfiable,
        kw.derivation,
        kw.prove,
        kw.proofs.tableau,
        kw.simplify,
    ):
        with pytest.raises(UnknownAgentError, match="where Mary would have S5"):
            ask(asked, logic=logic)  # type: ignore[operator]
    with pytest.raises(UnknownAgentError, match="the logic of the model"):
        there.frame_flaws(logic)
    with pytest.raises(kw.FormatError, match="the logic of the derivation"):
        read_proof(f"logic: {logic}\n{asked}   T")
    assert not kw.valid(asked, logic=f"{logic}, Mary: K4")
    assert kw.valid(asked, logic=kw.logic_named(logic))


@cache
def model_of(seed: int, first: str, second: str) -> KripkeModel:
    rng = Random(seed)
    worlds = [f"w{k}" for k in range(4)]
    cells = {}
    for name in (first, second):
        halves: dict[bool, list[str]] = {}
        for world in worlds:
            halves.setdefault(rng.random() < 0.5, []).append(world)
        cells[name] = list(halves.values())
    true = {atom: [w for w in worlds if rng.random() < 0.5] for atom in "pq"}
    return KripkeModel.from_partitions(worlds, cells, true, rng.choice(worlds))


@each(range(4))
def test_models_stories_and_actions(seed: int) -> None:
    rng = Random(seed)
    for kind in ("plain", "common", "announced") * 2:
        g, of = told(formula(kind, rng, 3), rng), two_names(rng)
        text, model = named(g, of, rng), model_of(seed, *of.values())
        verdict = model_of(seed, "a", "b").holds(g)
        assert model.holds(text) is verdict
        assert KripkeModel.from_dict(model.to_dict()).holds(text) is verdict
        said = [
            "agents: " + ", ".join(written(name, rng) for name in of.values()),
            "atoms: p, q",
            *(f"world {w}: {', '.join(model.atoms_at(w))}".rstrip() for w in model.worlds),
            *(
                f"confuses {written(name, rng)}: {', '.join(map(' '.join, model.classes(name)))}"
                for name in of.values()
            ),
            f"actual: {model.designated[0]}",
            f"expect {'yes' if verdict else 'no'}: {text}",
            f"tell {written(of['a'], rng)}: {'p' if model.holds('p') else '~p'}",
            f"expect yes: Kw_{written(of['a'], rng)} p",
            f"observe {written(of['a'], rng)}, {written(of['b'], rng)}: q",
            f"expect yes: Cw_{{{written(of['a'], rng)}, {written(of['b'], rng)}}} q",
        ]
        assert story("\n".join(said)).run().right, said


@each(range(6))
def test_action_files_and_groups(seed: int) -> None:
    rng = Random(seed)
    for _ in range(6):
        of = two_names(rng)
        action = kw.suspected([of["a"], of["b"]], "p")
        lines = ["action act:", *("    " + line for line in action_lines(action))]
        assert read_actions("\n".join(lines))["act"].relations == action.relations
        lines = [
            "action show:",
            "    event yes if p:",
            "    event no if ~p:",
            f"    agent {written(of['a'], rng)}: yes -> yes, no -> no",
            f"    confuses {written(of['b'], rng)}: yes no",
            f"group G = {written(of['a'], rng)}, {written(of['b'], rng)}",
            "agents: " + ", ".join(written(name, rng) for name in of.values()),
            "1. C_G p -> E_G p   taut",
        ]
        show = read_actions("\n".join(lines[:5]))["show"]
        assert {agent: len(pairs) for agent, pairs in show.relations.items()} == {of["a"]: 2, of["b"]: 4}
        line = read_proof("\n".join(lines[5:])).lines[0]
        assert line.formula.agents == {*of.values()}
        groups = declared_groups([("G", ", ".join(written(name, rng) for name in of.values()))])
        assert kw.parse("C_G p", groups=groups) == kw.C(of.values(), "p")


@each(range(3))
def test_proofs_are_read_back_with_their_agents(seed: int) -> None:
    rng = Random(seed)
    for g, logic, kind in theorems(6, rng):
        of = dict(zip(sorted(g.agents), rng.sample(NAMES, len(g.agents)), strict=True))
        asked = g.rename(agents=of.__getitem__)
        proof = kw.derivation(asked, logic=logic)
        assert proof is not None, asked
        read = read_proof(str(proof))
        assert read.conclusion is asked
        assert kw.proofs.check(read).right, read
        if kind != "common":
            tree = kw.proofs.tableau(asked, logic=logic)
            assert kw.proofs.read_tableau(str(tree)) == tree
        given = f"logic: {logic}\nshow: {asked}"
        assert kw.proofs.read_natural(f"{given}\n1. {asked}   PL").goal is asked


@each(range(4))
def test_smcdel_files_keep_what_agents_know(seed: int) -> None:
    rng = Random(seed)
    for kind in ("plain", "common"):
        g, of = formula(kind, rng, 2), two_names(rng)
        model = model_of(seed, *of.values())
        text = to_smcdel(model)
        read = kw.read_smcdel(text)
        names = dict(zip("ab", read.observables, strict=True))
        asked = g.rename(agents=names.get, atoms=dict(zip("pq", read.vocabulary, strict=False)).get)
        assert len(read.model().where(asked)) == len(model_of(seed, "a", "b").where(g))


def test_each_reader_says_what_is_wrong_with_a_name() -> None:
    for text, said in product(('K_"" p', "C_{a,} p", "[{}!p]q"), ["a name is missing"]):
        with pytest.raises(kw.FormulaSyntaxError, match=said):
            kw.parse(text)
    for lines, said in (
        ("agents: Mary Ann\n", "names with blanks go in braces"),
        ("agents: a,\n", "a name is missing"),
        ('agents: "a\\q"\n', "is not quoted as in JSON"),
        ("agents: a, b\natoms: p\nsees mary: p", "unknown agent 'mary'"),
    ):
        with pytest.raises(kw.FormatError, match=said):
            story(lines)
