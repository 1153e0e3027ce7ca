"""Satisfiability with updates by naive elimination of types, for each agent a logic of its own.

A type says which atoms are true and, for each path of events, agent and formula met under K_a or C_G, whether
the agent knows it after these events. All types are written down, and removed as long as one lacks a witness.
Distributed knowledge and quantifiers over worlds are left out.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from kripke_werewolf import language as f
from kripke_werewolf.semantics.action import action_of_update, public
from tests.reference.kripke import event_pairs
from tests.reference.small_models import PROPERTIES


class TooLarge(Exception):
    """There would be too many types."""


def satisfiable(formula: f.Formula, logics: dict[str, str], most: int = 10) -> bool:
    """Return whether a formula is true somewhere in a model with each agent's logic."""
    return _Types(formula, logics, most).satisfiable()


class _Types:
    def __init__(self, formula, logics, most):
        self.formula, self.logics = formula, {a: PROPERTIES[name].split() for a, name in logics.items()}
        self.items, self.commons = {}, {}
        self.visit((), formula)
        if len(self.items) > most:
            raise TooLarge(len(self.items))
        values = np.array(list(product((False, True), repeat=len(self.items))), bool).T
        self.value = dict(zip(self.items, values, strict=True))
        self.count = 2 ** len(self.items)
        self.memo = {}

    # a path is a tuple of pairs (action, event)

    def confused(self, path, agent):
        """Return the paths that an agent considers possible after a path."""
        found = [()]
        for action, event in path:
            after = [e for d, e in event_pairs(action, agent) if d == event]
            found = [(*p, (action, e)) for p in found for e in after]
        return found

    def visit(self, path, g):
        """Find the items on which a formula after a path depends."""
        match g:
            case f.Atom(name) if path:
                *before, (action, event) = path
                self.visit(tuple(before), action.events[event].post.get(name, f.TRUE))
                if name not in action.events[event].post:
                    self.visit(tuple(before), g)
            case f.Atom():
                self.items[(), "", g] = None
            case f.Knows(agent, body):
                self.visit_box(path, agent, g, body)
            case f.Everyone(group, body):
                for agent in group:
                    self.visit(path, f.K(agent, body))
            case f.Common(group, body):
                key = path, g
                if key in self.commons:
                    return
                self.commons[key] = group
                for agent in group:
                    self.visit_box(path, agent, g, body)
                    for other in self.confused(path, agent):
                        self.visit(other, g)
            case f.Box() | f.Diamond():
                action = action_of_update(g.update) or public(g.children[0])
                for event, inside in action.events.items():
                    self.visit(path, inside.pre)
                    if event in action.designated:
                        self.visit((*path, (action, event)), g.body)
            case _:
                for child in g.children:
                    self.visit(path, child)

    def visit_box(self, path, agent, g, body):
        if (path, agent, g) in self.items:
            return
        self.items[path, agent, g] = None
        for other in self.confused(path, agent):
            self.visit(other, body)
            for n, (action, event) in enumerate(other):
                self.visit(other[:n], action.events[event].pre)

    def alive(self, path):
        found = np.ones(self.count, bool)
        for n, (action, event) in enumerate(path):
            found = found & self.true(path[:n], action.events[event].pre)
        return found

    def true(self, path, g):
        if (path, g) not in self.memo:
            self.memo[path, g] = self._true(path, g)
        return self.memo[path, g]

    def _true(self, path, g):
        match g:
            case f.Atom(name) if path:
                action, event = path[-1]
                return self.true(path[:-1], action.events[event].post.get(name, g))
            case f.Atom():
                return self.value[(), "", g]
            case f.Constant(value):
                return np.full(self.count, value)
            case f.Not(h):
                return ~self.true(path, h)
            case f.And(parts):
                return np.logical_and.reduce([self.true(path, h) for h in parts])
            case f.Or(parts):
                return np.logical_or.reduce([self.true(path, h) for h in parts])
            case f.Implies(h, i):
                return ~self.true(path, h) | self.true(path, i)
            case f.Iff(h, i):
                return self.true(path, h) == self.true(path, i)
            case f.Knows(agent, _):
                return self.value[path, agent, g]
            case f.Everyone(group, h):
                return np.logical_and.reduce([self.true(path, f.K(agent, h)) for agent in group])
            case f.Common(group, _):
                return np.logical_and.reduce([self.value[path, agent, g] for agent in group])
            case f.Box() | f.Diamond():
                action = action_of_update(g.update) or public(g.children[0])
                found = []
                for event in action.designated:
                    able, after = self.true(path, action.events[event].pre), (*path, (action, event))
                    inside = self.true(after, g.body)
                    found.append(~able | inside if g.every else able & inside)
                join = np.logical_and if g.every else np.logical_or
                return join.reduce(found)
        raise TypeError(type(g).__name__)

    def content(self, path, agent, g):
        """Return where a box allows its agent's steps to lead."""
        found = np.ones(self.count, bool)
        for other in self.confused(path, agent):
            inside = self.true(other, g.body)
            if isinstance(g, f.Common):
                inside = inside & self.true(other, g)
            found = found & (~self.alive(other) | inside)
        return found

    def satisfiable(self):
        boxes = {key: (self.value[key], self.content(*key)) for key in self.items if key[1]}
        related, left = {}, np.ones(self.count, bool)
        for agent, properties in self.logics.items():
            here = np.ones((self.count, self.count), bool)
            for (_, who, _), (true, content) in boxes.items():
                if who == agent:
                    here &= ~true[:, None] | content[None, :]
                    if "euclidean" in properties:
                        here &= true[:, None] == true[None, :]
                    elif "transitive" in properties:
                        here &= ~true[:, None] | true[None, :]
            if "symmetric" in properties:
                here &= here.T
            if "reflexive" in properties:
                left &= here.diagonal()
            related[agent] = here
        while True:
            bad = np.zeros(self.count, bool)
            for agent, properties in self.logics.items():
                if {"serial", "reflexive"} & {*properties}:
                    bad |= ~(related[agent] & left).any(axis=1)
            for (_, agent, _), (true, content) in boxes.items():
                bad |= ~true & ~(related[agent] & (left & ~content)).any(axis=1)
            for path, g in self.commons:
                bad |= ~self.true(path, g) & ~self.reaching(related, left, path, g)
            if not (bad & left).any():
                return bool((left & self.true((), self.formula)).any())
            left = left & ~bad

    def reaching(self, related, left, path, g):
        """Return the types from which a path leads to where the body of common knowledge is false."""
        at = {path: np.zeros(self.count, bool)}
        pending = [path]
        while pending:
            for agent in g.label:
                for other in self.confused(pending[0], agent):
                    if other not in at:
                        at[other] = np.zeros(self.count, bool)
                        pending.append(other)
            pending.pop(0)
        while True:
            new = {}
            for here in at:
                new[here] = at[here].copy()
                for agent in g.label:
                    for other in self.confused(here, agent):
                        goal = left & self.alive(other) & (~self.true(other, g.body) | at[other])
                        new[here] |= (related[agent] & goal).any(axis=1)
            if all((new[here] == at[here]).all() for here in at):
                return at[path]
            at = new
