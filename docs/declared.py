"""The parts of pages that are declared in code, written when the documentation is built.

A page names them in a block of language `{declared}`, such as `options ask` or `axioms`.
"""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import MISSING, fields
from typing import Any

import click

BLOCK = re.compile(r"^```\{declared\} (.+)\n```$", re.MULTILINE)


def written(page: str) -> str:
    """Return a page with what its blocks name."""
    return BLOCK.sub(lambda block: part(*block[1].split()), page)


def part(kind: str, *names: str) -> str:
    """Return the part of a page that a block names."""
    return "\n".join(PARTS[kind](*names))


def _table(heads: Sequence[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    for row in (heads, ["---"] * len(heads), *rows):
        cells = [cell.replace("|", r"\|") for cell in row]
        yield f"| {' | '.join(cells)} |"


def _code(*names: str) -> str:
    return ", ".join(f"`` {name} ``" if "`" in name else f"`{name}`" for name in names)


def about(*names: str) -> Iterator[str]:
    """Yield what a command does, and what its exit code says."""
    yield _about(_named(names)[0])


def options(*names: str) -> Iterator[str]:
    """Yield what a command takes; of a group, what each of its commands takes."""
    yield from _command(*_named(names))


def _named(names: Iterable[str]) -> tuple[Any, click.Context]:
    from kripke_werewolf.cli.main import cli

    command: Any = cli
    context = click.Context(cli, info_name="", **cli.context_settings)
    for name in names:
        command = command.get_command(context, name)
        context = click.Context(command, parent=context, info_name=name)
    return command, context


def _about(command: click.Command) -> str:
    first, *further = (command.help or "").split("\n\n")
    kept = [first, *(each for each in further if each.startswith("Exit code"))]
    return _escaped(" ".join(" ".join(kept).split()))


def _command(command: click.Command, context: click.Context) -> Iterator[str]:
    inner: dict[str, Any] = {}
    if isinstance(command, click.Group):
        inner = {name: command.get_command(context, name) for name in command.list_commands(context)}
    for name, of in inner.items():
        below = click.Context(of, parent=context, info_name=name)
        if not isinstance(of, click.Group):
            usage = " ".join([below.command_path.strip(), *_arguments(of, below)])
            yield f"**`{usage}`** {_about(of)}"
            yield ""
        yield from _command(of, below)
    rows = [
        (
            "<br>".join(f"`{'/'.join(names)}`" for names in (o.opts, o.secondary_opts) if names),
            _help(o, context),
        )
        for o in command.params
        if isinstance(o, click.Option)
    ]
    if rows and not inner:
        yield from _table(("option", ""), rows)
        yield ""


def _arguments(command: click.Command, context: click.Context) -> list[str]:
    return [a.make_metavar(context) for a in command.params if isinstance(a, click.Argument)]


def _beginning(text: str | None) -> str:
    """Return the first paragraph of a docstring, in one line."""
    return " ".join((text or "").partition("\n\n")[0].split())


def _help(option: click.Option, context: click.Context) -> str:
    words = [_escaped(option.help or "")]
    if isinstance(option.type, click.Choice):
        words.append("One of " + ", ".join(f"`{choice}`" for choice in option.type.choices) + ".")
    if option.required:
        words.append("Required.")
    elif option.show_default and option.default not in (None, False, ()):
        words.append(f"Default: `{option.get_default(context)}`.")
    return " ".join(words)


def _escaped(text: str) -> str:
    """Return plain text as Markdown, with options as code."""
    escaped = re.sub(r"([*_<>])", r"\\\1", text)
    return re.sub(r"(?<![\w`-])(--[a-z][\w-]*)", r"`\1`", escaped)


def rule_sheets() -> Iterator[str]:
    """Yield the rules of each rule set, and of the same game with cards."""
    from kripke_werewolf.games.werewolf import PRESETS, rule_sheet

    for name, rules in PRESETS.items():
        for deal in ("quantum", "classical"):
            yield f"## `{name}`" + (", with cards" if deal == "classical" else "")
            yield rule_sheet(rules, deal=deal).to_markdown().partition("\n")[2]


def axioms() -> Iterator[str]:
    """Yield the axioms and rules that are not derived."""
    from kripke_werewolf.logic.proofs import RULES

    yield from _table(
        ("name", "", "also", "sound on", ""),
        (
            (
                *_rule(rule),
                f"{' and '.join(rule.frame.split()) or 'all'} frames",
                rule.english,
            )
            for rule in RULES.values()
        ),
    )


def derived() -> Iterator[str]:
    """Yield the derived axioms and rules."""
    from kripke_werewolf.logic.proofs import DERIVED

    yield from _table(
        ("name", "", "also", ""),
        ((*_rule(rule), rule.english) for rules in DERIVED.values() for rule in rules),
    )


def natural() -> Iterator[str]:
    """Yield the rules of natural deduction, without those that are axioms about one update."""
    from kripke_werewolf.logic.proofs import NATURAL

    yield from _table(
        ("name", "", "also", "lines", ""),
        (
            (*_rule(rule), _code(*rule.hilbert), rule.english)
            for rule in NATURAL.values()
            if rule.name[0] not in "!@" or rule.name in ("!", "!=")
        ),
    )


def _rule(rule: Any) -> tuple[str, str, str]:
    """Return the name of a rule, its notation and its further names."""
    notation = [
        part if part.startswith(("and so", "any ")) else _code(part) for part in rule.text.split("; ")
    ]
    return _code(rule.name), "; ".join(notation), _code(*rule.also)


def _key(name: str, default: object) -> str:
    """Return a key of a file, in parentheses if it may be left out."""
    return _code(name) if default is MISSING else f"({_code(name)})"


def answer_forms(kind: str) -> Iterator[str]:
    """Yield the forms of lists of names, or of drawings, and what they mean."""
    from kripke_werewolf.teach.exercises.forms import WAYS

    yield from _table(("form", "meaning"), ((f"`{way}`", said) for way, said in WAYS[kind].items()))


def exercise_keys() -> Iterator[str]:
    """Yield the keys of each kind of exercise; a file may leave out those in parentheses."""
    from kripke_werewolf.teach.exercises import Exercise
    from kripke_werewolf.teach.exercises.serialisation import known_fields

    yield from _table(
        ("kind", "keys"),
        (
            (
                _code(name),
                ", ".join(
                    _key(key, field.default) for key, field in known_fields(kind).items() if key != "title"
                ),
            )
            for name, kind in Exercise.kinds.items()
        ),
    )


def puzzles() -> Iterator[str]:
    """Yield the puzzles and their sources."""
    from kripke_werewolf.logic.puzzles import PUZZLES, puzzle

    yield from _table(("puzzle", "source"), ((_code(name), puzzle(name).source) for name in PUZZLES))


def spellings() -> Iterator[str]:
    """Yield the notation of others for each operator."""
    from kripke_werewolf.logic.formulas.names import spellings as signs
    from kripke_werewolf.logic.formulas.syntax import all_operators

    declared = [kind for kind in all_operators() if hasattr(kind, "spelling") or hasattr(kind, "spellings")]
    yield from _table(
        ("operator", "further spellings"),
        (
            (_code(sign.ascii), _code(*sign.foreign))
            for kind in declared
            for sign in signs(kind)
            if sign.foreign
        ),
    )


_SAMPLES = """
true; wolf_4; p; ~p; p & q; p & q & r; p | q; p | q | r; p ^ q; p -> q; p <-> q; exactly(2; p, q, r);
forall p, q. (p | q); exists p. p; K_a p; ~Kw_a p; B_a p; M_a p; Kv_a(x); E_{a,b,c} p; Ew_{a,b} p; Sk_{a,b} p;
Em_{a,b} p; C_{a,b} p; C_{a,b}^{q} p; Cw_{a,b} p; Cm_{a,b} p; D_{a,b} p; Dw_{a,b} p; Dm_{a,b} p; everywhere p;
somewhere p; B_a^{q} p; Bw_a p; Sf_a p; Sb_a p; Best_a p; CB_{a,b} p; CB_{a,b}^{q} p; [!p]q; [^^p]q; [^p]q;
[?!p]q; [a,b!p]q; [a,b?!p]q; [show]p; [show:yes]p; <!p>q; P_a(p) >= 1/2;
2*P_a(p) - P_b(p) < 0
"""
"""Formulas with every operator, separated by semicolons that are not in parentheses."""


def sentences() -> Iterator[str]:
    """Yield a sentence with each operator, and its formula."""
    from kripke_werewolf import to_sentence

    samples = re.split(r";\s(?![^(]*\))", " ".join(_SAMPLES.split()))
    yield from _table(
        ("formula", "sentence"), ((_code(text), _escaped(to_sentence(text))) for text in samples)
    )


def questions() -> Iterator[str]:
    """Yield what can be asked, form by form."""
    from kripke_werewolf.logic.english.phrases import asked_forms, sections

    titles = dict.fromkeys(form.title for form in asked_forms())
    for title in titles:
        yield f"### {title}\n"
        entries = sections("forms")[title].items()
        yield from _table(
            ("you ask", "it means"),
            (("<br>".join(map(_escaped, asked.split(" | "))), _code(meaning)) for asked, meaning in entries),
        )
        yield ""


_AMOUNTS = ("each", "some", "none", "not all", "together")


def amounts() -> Iterator[str]:
    """Yield the words for several agents that may stand where a form has X."""
    from kripke_werewolf.logic.english.phrases import sections

    rows = [
        (found[1].replace("jointly", "together"), _code(*words.split(" | ")))
        for name, words in sections("grammar")["subjects"].items()
        if (found := re.fullmatch(r"(?:Amount|Named) = (?:listed|amount_of|but)\(([\w ]+)\)", name))
    ]
    yield from _table(("", "words"), sorted(rows, key=lambda row: _AMOUNTS.index(row[0])))


def alike() -> Iterator[str]:
    """Yield the words of questions that mean the same."""
    from kripke_werewolf.logic.english.phrases import sections

    yield from _table(
        ("word", "also"),
        (
            (_code(word.replace("-", " ")) if word != "nothing" else "passed over", _code(*said.split(" | ")))
            for word, said in sections("alike")["alike"].items()
        ),
    )


def events() -> Iterator[str]:
    """Yield the fields of each kind of event in a log; a log may leave out those in parentheses."""
    from kripke_werewolf.games.werewolf.events import Event

    kinds: dict[str, Any] = {**Event.kinds}
    yield from _table(
        ("event", "fields", ""),
        (
            (
                _code(name),
                ", ".join(_key(f.name, f.default) for f in fields(kind)),
                _beginning(kind.__doc__).partition("; see")[0],
            )
            for name, kind in kinds.items()
        ),
    )


def errors(*names: str) -> Iterator[str]:
    """Yield the meaning of classes of errors, and the classes of Python from which they derive."""
    from kripke_werewolf import games
    from kripke_werewolf.base import errors
    from kripke_werewolf.games.werewolf import inference

    public = {**vars(errors), **vars(games), **vars(inference)}
    for name in names:
        python = [f"a `{base.__name__}`" for base in public[name].__mro__ if base.__module__ == "builtins"]
        also = " and ".join(python[: python.index("a `Exception`")])
        yield f"### {name}\n\n{inspect.getdoc(public[name])}\n\nAlso {also}.\n"


PARTS: dict[str, Callable[..., Iterable[str]]] = {
    "about": about,
    "options": options,
    "rule-sheets": rule_sheets,
    "axioms": axioms,
    "derived": derived,
    "natural": natural,
    "puzzles": puzzles,
    "answer-forms": answer_forms,
    "exercise-keys": exercise_keys,
    "spellings": spellings,
    "sentences": sentences,
    "questions": questions,
    "amounts": amounts,
    "alike": alike,
    "events": events,
    "errors": errors,
}
"""What a block can name."""
