"""What EPDDL means, point by point."""

import random
from itertools import product

import pytest

from kripke_werewolf import KripkeModel, ModelError, formula
from kripke_werewolf.logic.models.model import Numbered
from kripke_werewolf.research.planning import Task
from kripke_werewolf.research.planning.epddl import library_types, parse_task
from tests.cases import cases

SEEDS = range(20)
ONE_WORLD = "(:init :worlds (w) :relations () :labels (w {}) :designated (w))"


def task(domain: str, problem: str, *libraries: str) -> Task:
    sources = [f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})", *libraries]
    return parse_task({f"{number}.epddl": text for number, text in enumerate(sources)})


# --- when an action can be taken -----------------------------------------------------------------

COIN = """
(:predicates (h) (seen))
(:event e-heads :precondition (h))
(:event e-tails :precondition (not (h)))
(:action say-heads :action-type (basic (e-heads)))
(:action look :action-type (public-sensing (e-heads) (e-tails)))
(:action-type-libraries basic)
"""


def test_some_designated_event_must_be_possible_at_every_designated_world() -> None:
    both = task(COIN, "(:agents a) (:init ([C. All] (not (seen)))) (:goal ([Kw. a] (h)))")
    assert len(Numbered(both.model).points) == 2
    assert not both.applies(both.model, "say-heads")
    assert both.applies(both.model, "look")
    one = task(COIN, "(:agents a) (:init (:and (h) ([C. All] (not (seen))))) (:goal ([Kw. a] (h)))")
    assert len(one.model) == 2
    assert one.applies(one.model, "say-heads")
    assert one.after(one.model, "say-heads").holds("K_a h")


# --- how agents observe --------------------------------------------------------------------------

WATCH = """
(:action-type-libraries intermediate)
(:predicates (h) (near ?i - agent) (far ?i - agent))
(:event e :precondition (h))
(:event n)
(:action tell
  :action-type (private-announcement (e) (n))
  :observability-conditions {conditions})
"""
THREE = """
(:agents a b c)
(:init (:and (h) (near a) ([C. All] (and (near a) (not (near b)) (not (near c)) (not (far a)) (far b)))
             ([C. All] (not (far c)))))
(:goal ([b] (h)))
"""


@cases(
    ("(default Oblivious)", "OOO"),
    ("(:forall (?i - agent) (?i (if (near ?i) Fully else Oblivious)))", "FOO"),
    ("(:forall (?i - agent) (?i (if (near ?i) Fully else-if (far ?i) Fully else Oblivious)))", "FFO"),
    ("(:and (:forall (?i - agent) (?i (if (near ?i) Fully))) (default Oblivious))", "FOO"),
    ("(:and (a Fully) (a Fully) (:forall (?i | (/= ?i a)) (?i Oblivious)))", "FOO"),
)
def test_the_first_true_condition_says_how_an_agent_observes(conditions: str, ways: str) -> None:
    found = task(WATCH.format(conditions=conditions), THREE)
    action = found.instance(found.model, "tell")
    for agent, way in zip("abc", ways, strict=True):
        assert action._sight(agent) == {"F": (1, 2), "O": (2, 2)}[way]


def test_without_a_true_condition_the_error_names_the_agent() -> None:
    found = task(WATCH.format(conditions="(:forall (?i - agent) (?i (if (near ?i) Fully)))"), THREE)
    with pytest.raises(ModelError, match=r"tell.* how b, c observes"):
        found.instance(found.model, "tell")


def test_a_condition_must_be_true_at_all_designated_worlds() -> None:
    found = task(
        WATCH.format(conditions="(:forall (?i - agent) (?i (if (h) Fully else Oblivious)))"),
        "(:agents a) (:init ([C. All] (and (near a) (far a)))) (:goal (h))",
    )
    assert len(Numbered(found.model).points) == 2
    with pytest.raises(ModelError, match="how a observes"):
        found.instance(found.model, "tell")


def test_without_conditions_all_observe_in_the_first_way() -> None:
    found = task(WATCH.replace(":observability-conditions {conditions}", ""), THREE)
    assert {found.instance(found.model, "tell")._sight(agent) for agent in "abc"} == {(1, 2)}


# --- effects -------------------------------------------------------------------------------------

EFFECTS = """
(:predicates (p) (q) (r))
(:event e :effects {effects})
(:action go :action-type (basic (e)))
"""


@cases(
    ("(p)", lambda p, q, r: (1, q, r)),
    ("(not (p))", lambda p, q, r: (0, q, r)),
    ("(when (q) (p))", lambda p, q, r: (p | q, q, r)),
    ("(iff (q) (:and (p) (not (r))))", lambda p, q, r: (q, q, 1 - q)),
    ("(:and (when (q) (p)) (when (r) (not (p))))", lambda p, q, r: (q | (p & (1 - r)), q, r)),
    ("(:and (when (p) (:and (q) (not (p)))) (when (q) (p)))", lambda p, q, r: (q, p | q, r)),
    ("()", lambda p, q, r: (p, q, r)),
)
def test_effects_change_all_atoms_at_once(effects: str, after: object) -> None:
    goal = "(:goal (or (p) (q) (r)))"
    for values in product((0, 1), repeat=3):
        true = " ".join(f"({atom})" for atom, value in zip("pqr", values, strict=True) if value)
        start = ONE_WORLD.format(f"(:and {true})" if true else "()")
        found = task(EFFECTS.format(effects=effects), start + goal)
        model = found.after(found.model, "go")
        assert tuple(int(model.holds(atom)) for atom in "pqr") == after(*values)  # type: ignore[operator]


# --- types, facts, lists, variables --------------------------------------------------------------

SHOP = """
(:types fruit nut - food  tool  food - object  apple - fruit)
(:constants hammer - tool)
(:predicates (have ?x - (either food tool)) (eat ?x - food) (:fact ripe ?x - fruit))
(:event e :parameters (?x - food) :effects (eat ?x))
(:action eat :parameters (?x - food) :action-type (basic (e ?x)))
(:event get :parameters (?x - object) :effects (:forall (?y - (either nut tool) | (/= ?y ?x)) (have ?y)))
(:action get :parameters (?x - fruit | (ripe ?x)) :action-type (basic (get ?x)))
"""
SHELF = """
(:agents ann) (:objects braeburn - apple pear - fruit hazel - nut)
(:facts-init (ripe pear))
(:init ([C. All] (forall (?x - food) (not (eat ?x)))))
(:goal (exists (?x - food) (eat ?x)))
"""


def test_subtypes_either_and_constants() -> None:
    found = task(SHOP, SHELF)
    assert list(found.actions) == ["eat_braeburn", "eat_pear", "eat_hazel", "get_pear"]
    assert str(found.goal) == "eat_braeburn | eat_pear | eat_hazel"
    assert set(found.action("get_pear").kind.events["get"].post) == {"have_hazel", "have_hammer"}


def test_facts_are_evaluated_and_never_atoms() -> None:
    found = task(SHOP, SHELF)
    assert not any("ripe" in atom for atom in found.model.atoms)
    goal = "(and (ripe pear) (imply (ripe braeburn) ([ann] (eat pear))) (eat pear))"
    assert task(SHOP, SHELF.replace("(exists (?x - food) (eat ?x))", goal)).goal == formula("eat_pear")


def test_agents_are_not_objects() -> None:
    everything = SHOP.replace("get :parameters (?x - object)", "get :parameters (?x)")
    assert list(task(everything, SHELF).actions) == list(task(SHOP, SHELF).actions)
    goal = "(forall (?x) (imply (= ?x ?x) (exists (?y - entity) (= ?x ?y))))"
    assert str(task(SHOP, SHELF.replace("(exists (?x - food) (eat ?x))", goal)).goal) == "true"


PASS = """
(:predicates (secret ?i - agent))
(:event e :parameters (?i - agent) :precondition (secret ?i))
(:action tell :parameters (?i ?j - agent) :action-type (basic (e ?j)))
"""


def test_parameters_of_events_and_actions_may_have_the_same_names() -> None:
    found = task(PASS, "(:agents a b) (:init ([C. All] (secret a))) (:goal (secret b))")
    told = {name: str(action.kind.events["e"].pre) for name, action in found.actions.items()}
    assert told == {f"tell_{i}_{j}": f"secret_{j}" for i in "ab" for j in "ab"}


def test_an_event_without_parameters_may_quantify() -> None:
    found = task(
        "(:predicates (on ?x))"
        "(:event e :precondition (forall (?x) (on ?x)) :effects (:forall (?x) (not (on ?x))))"
        "(:action off :action-type (basic (e)))",
        f"(:objects x y) {ONE_WORLD.format('(:and (on x) (on y))')} (:goal (not (exists (?x) (on ?x))))",
    )
    event = found.action("off").kind.events["e"]
    assert (event.pre, event.post) == (
        formula("on_x & on_y"),
        {"on_x": formula("false"), "on_y": formula("false")},
    )
    assert found.after(found.model, "off").holds(found.goal)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_list_contains_all_values_for_which_the_condition_is_true(seed: int) -> None:
    rng = random.Random(seed)
    objects = ["o1", "o2", "o3", "o4"]
    near = {(x, y) for x in objects for y in objects if rng.random() < 0.4}
    parts = [
        "(near ?x ?y)",
        "(not (near ?y ?z))",
        "(/= ?x ?z)",
        "(or (= ?y o1) (near ?z ?x))",
        "(near ?z ?z)",
    ]
    chosen = rng.sample(parts, rng.randint(1, 4))
    condition = f"(and {' '.join(chosen)})" if len(chosen) > 1 or rng.random() < 0.5 else chosen[0]
    tests = {
        parts[0]: lambda x, y, z: (x, y) in near,
        parts[1]: lambda x, y, z: (y, z) not in near,
        parts[2]: lambda x, y, z: x != z,
        parts[3]: lambda x, y, z: y == "o1" or (z, x) in near,
        parts[4]: lambda x, y, z: (z, z) in near,
    }
    wanted = [xyz for xyz in product(objects, repeat=3) if all(tests[part](*xyz) for part in chosen)]
    facts = " ".join(f"(near {x} {y})" for x, y in near)
    found = task(
        "(:predicates (p ?x ?y ?z) (:fact near ?x ?y)) (:event e)"
        f"(:action go :parameters (?x ?y ?z | {condition}) :action-type (basic (e)))",
        f"(:objects {' '.join(objects)}) (:facts-init {facts}) {ONE_WORLD.format('()')}"
        f"(:goal (forall (?x ?y ?z | {condition}) (p ?x ?y ?z)))",
    )
    assert list(found.actions) == ["_".join(["go", *xyz]) for xyz in wanted]
    assert found.goal.atoms == {"_".join(["p", *xyz]) for xyz in wanted}


# --- goals ---------------------------------------------------------------------------------------


@cases(
    ("([a] (p))", "K_a p"),
    ("([All] (p))", "K_a p & K_b p & K_c p"),
    ("([(:forall (?i - agent | (/= ?i b)) ?i)] (p))", "K_a p & K_c p"),
    ("(<Kw. b> (p))", "~Kw_b p"),
    ("([Kw. (a b)] (p))", "Kw_a p & Kw_b p"),
    ("([C. All] (p))", "C_{a,b,c} p"),
    ("(<C. (a b)> (p))", "Cm_{a,b} p"),
    ("(forall (?i - agent) ([?i] (not ([Kw. a] (p)))))", "K_a ~Kw_a p & K_b ~Kw_a p & K_c ~Kw_a p"),
    ("(imply (p) (q))", "p -> q"),
    ("(and (p) (true))", "p"),
    ("(= a b)", "false"),
)
def test_goals_about_knowledge(goal: str, meaning: str) -> None:
    problem = "(:agents a b c) (:agent-groups (team (a c))) (:init ()) (:goal {})"
    assert task("(:predicates (p) (q))", problem.format(goal)).goal == formula(meaning)


# --- initial states ------------------------------------------------------------------------------


def test_listed_worlds() -> None:
    found = task(
        "(:predicates (p) (q))",
        "(:agents a b) (:init :worlds (w v)"
        ":relations (a (:forall (?x ?y - world) (?x ?y)) b (:and (w w) (v w)))"
        ":labels (w (:and (p) (q)) v ()) :designated (w)) (:goal (p))",
    )
    everything = [(x, y) for x in "wv" for y in "wv"]
    wanted = KripkeModel(
        ["w", "v"], {"a": everything, "b": [("w", "w"), ("v", "w")]}, {"p": ["w"], "q": ["w"]}, ["w"]
    )
    assert found.model == wanted


class Random:
    """Random propositional formulas, as EPDDL and as functions of a valuation."""

    def __init__(self, rng: random.Random, atoms: list[str]) -> None:
        self.rng, self.atoms = rng, atoms

    def formula(self, depth: int = 3) -> tuple[str, object]:
        if depth == 0 or self.rng.random() < 0.2:
            atom = self.rng.choice(self.atoms)
            return f"({atom})", lambda true: atom in true
        kind = self.rng.choice(["not", "and", "or", "imply"])
        parts = [self.formula(depth - 1) for _ in range(1 if kind == "not" else 2)]
        tests = [test for _, test in parts]
        meaning = {
            "not": lambda true: not tests[0](true),  # type: ignore[operator]
            "and": lambda true: tests[0](true) and tests[1](true),  # type: ignore[operator]
            "or": lambda true: tests[0](true) or tests[1](true),  # type: ignore[operator]
            "imply": lambda true: not tests[0](true) or tests[1](true),  # type: ignore[operator]
        }[kind]
        return f"({kind} {' '.join(text for text, _ in parts)})", meaning


@pytest.mark.parametrize("seed", range(60))
def test_a_theory_against_all_valuations(seed: int) -> None:
    rng = random.Random(seed)
    atoms = list("pqrstu")[: rng.randint(2, 6)]
    draw = Random(rng, atoms).formula
    facts = [draw() for _ in range(rng.randint(0, 2))]
    common = [draw() for _ in range(rng.randint(0, 4))]
    know = {agent: [draw() for _ in range(rng.randint(0, 3))] for agent in "ab"}
    known_that = [draw() for _ in range(rng.randint(0, 1))]
    parts = [text for text, _ in facts]
    parts += [f"([C. All] {text})" for text, _ in common]
    parts += [f"([C. All] ([b] {text}))" for text, _ in known_that]
    parts += [f"([C. All] ([Kw. {agent}] {text}))" for agent, its in know.items() for text, _ in its]
    rng.shuffle(parts)
    valuations = [
        frozenset(a for a, v in zip(atoms, bits, strict=True) if v)
        for bits in product((0, 1), repeat=len(atoms))
    ]
    worlds = [v for v in valuations if all(test(v) for _, test in [*common, *known_that])]  # type: ignore[operator]
    points = [v for v in worlds if all(test(v) for _, test in facts)]  # type: ignore[operator]
    problem = (
        f"(:agents a b) (:init (:and {' '.join(parts)})) (:goal (or {' '.join(f'({a})' for a in atoms)}))"
    )
    domain = f"(:predicates {' '.join(f'({a})' for a in atoms)})"
    if not points:
        with pytest.raises(ValueError, match=r"no world is (possible|designated)"):
            task(domain, problem)
        return
    model = task(domain, problem).model
    wanted = KripkeModel.from_observations(
        worlds,
        {agent: lambda w, its=its: tuple(test(w) for _, test in its) for agent, its in know.items()},  # type: ignore[misc]
        lambda w: w,
        points,
        atoms=atoms,
    )
    labels = [frozenset(model.atoms_at(w)) for w in model.worlds]
    assert sorted(map(sorted, labels)) == sorted(map(sorted, worlds))
    assert {labels[k] for k in Numbered(model).points} == set(points)
    for agent in "ab":
        assert {(labels[v], labels[w]) for v, w in Numbered(model).space.pairs(agent)} == {
            (worlds[v], worlds[w]) for v, w in Numbered(wanted).space.pairs(agent)
        }


def test_what_is_commonly_known_may_be_said_at_once() -> None:
    domain = "(:predicates (p) (q) (r))"
    apart = "([C. All] (or (p) (q))) ([C. All] ([Kw. a] (p))) ([C. All] (<Kw. b> (q))) ([C. All] ([b] (r)))"
    at_once = "([C. All] (and (or (p) (q)) ([Kw. a] (p)) (and (<Kw. b> (q)) ([b] (r)))))"
    goal = "(:goal (and (p) (q) (r)))"
    one, other = (task(domain, f"(:agents a b) (:init (:and {t})) {goal}").model for t in (apart, at_once))
    assert one == other
    assert len(one) == 3


def test_a_theory_is_read_without_trying_all_valuations() -> None:
    # one of 30 positions and 30 switches: 30 * 2 worlds of 2^61 valuations
    objects = " ".join(f"o{k}" for k in range(30))
    found = task(
        "(:predicates (at ?x) (on ?x) (lamp))",
        f"(:agents a) (:objects {objects}) (:init (:and"
        "([C. All] (exists (?x) (at ?x)))"
        "([C. All] (forall (?x ?y | (/= ?x ?y)) (imply (at ?x) (not (at ?y)))))"
        "([C. All] (forall (?x) (imply (lamp) (on ?x))))"
        "([C. All] (forall (?x) (imply (on ?x) (lamp))))"
        "(:forall (?x) ([C. All] ([Kw. a] (at ?x))))))"
        "(:goal ([Kw. a] (lamp)))",
    )
    assert len(found.model) == 60
    assert len(found.model.classes("a") or ()) == 30


def test_atoms_that_nothing_mentions_make_no_worlds() -> None:
    found = task("(:predicates (p) (q))", "(:agents a) (:init ()) (:goal (p))")
    assert found.model.atoms == ("p",)
    assert len(found.model) == 2


# --- libraries -----------------------------------------------------------------------------------


def test_the_libraries_that_come_with_the_package() -> None:
    basic, intermediate = library_types("basic"), library_types("intermediate")
    assert set(basic) <= set(intermediate)
    assert all(intermediate[name] == kind for name, kind in basic.items())
    names = {
        f"{who}-{what}" for who in ("public", "private") for what in ("ontic", "sensing", "announcement")
    }
    names |= {f"{who}-private-{what}" for who in ("semi", "quasi") for what in ("sensing", "announcement")}
    assert set(intermediate) == names
    quasi = intermediate["quasi-private-sensing"]
    assert quasi.sights == {"Fully": (1, 2, 4), "Partially": (3, 3, 4), "Oblivious": (4, 4, 4)}
    assert quasi.designated == (0, 1)
    assert intermediate["quasi-private-announcement"].designated == (0,)
    for kind in intermediate.values():
        assert kind.sights["Fully"] == tuple(1 << k for k in range(len(kind.events)))


def test_a_library_of_ones_own() -> None:
    lies = """(define (action-type-library lies)
      (:action-type lie :events (?said ?not) :observability-types (Liar Fooled)
        :relations (Liar (:forall (?e - event) (?e ?e)) Fooled (:forall (?e - event) (?e ?said)))
        :designated (?not)
        :conditions (?said (:propositional-precondition :trivial-postconditions)
                     ?not (:propositional-event))))"""
    domain = """(:action-type-libraries lies) (:predicates (p)) (:event yes :precondition (p))
      (:event no :precondition (not (p))) (:event k :precondition ([a] (p)))
      (:action lie :action-type (lie (yes) (no))
        :observability-conditions (:and (a Liar) (default Fooled)))"""
    problem = "(:agents a b) (:init (:and (not (p)) ([C. All] ([Kw. a] (p))))) (:goal ([b] (p)))"
    found = task(domain, problem, lies)
    assert found.after(found.model, "lie").holds("K_b p & ~p & K_a ~p")
    with pytest.raises(
        ValueError, match="k cannot be \\?said of lie, which needs :propositional-precondition"
    ):
        task(domain.replace("(lie (yes) (no))", "(lie (k) (no))"), problem, lies)


# --- PDDL ----------------------------------------------------------------------------------------

GRIPPER = """
(:requirements :strips :typing :conditional-effects)
(:types room ball agent - object)
(:predicates (at ?b - ball ?r - room) (robot ?r - room) (holds ?b - ball) (free))
(:action move :parameters (?r ?s - room) :precondition (and (robot ?r) (not (= ?r ?s)))
  :effect (and (robot ?s) (not (robot ?r))))
(:action pick :parameters (?b - ball ?r - room) :precondition (and (at ?b ?r) (robot ?r) (free))
  :effect (and (holds ?b) (not (at ?b ?r)) (not (free))))
(:action drop :parameters (?r - room) :precondition (and (robot ?r))
  :effect (and (free) (forall (?b - ball) (when (holds ?b) (and (at ?b ?r) (not (holds ?b)))))))
(:action rest :parameters () :precondition () :effect ())
"""
ROOMS = """
(:objects hall yard - room red - ball bob - agent)
(:init (at red hall) (robot hall) (free)) (:goal (at red yard))
"""


def test_pddl() -> None:
    found = task(GRIPPER, ROOMS)
    assert found.model.agents == ()
    assert set(found.model.atoms_at("w")) == {"at_red_hall", "robot_hall", "free"}
    assert "rest" in found.actions
    model = found.model
    for step in ("pick_red_hall", "move_hall_yard", "drop_yard"):
        assert found.applies(model, step)
        model = found.after(model, step)
    assert model.holds(found.goal)
    assert not found.applies(model, "pick_red_hall")


def test_pddl_does_not_use_the_lists_of_epddl() -> None:
    with pytest.raises(ValueError, match=r"expected 'and' here, found ':and'"):
        task(GRIPPER.replace(":effect (and (robot", ":effect (:and (robot"), ROOMS)


def test_pddl_has_no_agents() -> None:
    with pytest.raises(ValueError, match="only EPDDL has agents"):
        task(GRIPPER, ROOMS.replace("(:init", "(:agents Ann Bo) (:init"))


# --- what does not matter ------------------------------------------------------------------------
