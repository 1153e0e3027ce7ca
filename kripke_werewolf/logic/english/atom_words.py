"""The words for kinds of atoms: declared once, as they are written and read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from kripke_werewolf.base.errors import FormulaError

PLACE = re.compile(r"\{(\w+)\}")
"""A place in words for atoms."""
_WORD = r"(?!(?:is|was|has)\b)(?:[a-zA-Z]+|\{\w+\})(?:'s)?"
_SAID = re.compile(rf"(\{{who\}}|{_WORD}(?: {_WORD})*)(?: (is|was|has)|(?<=\{{who\}}) (\w+s))((?: {_WORD})*)")


class AtomWords(NamedTuple):
    """The words for a kind of atoms, `said` and `denied`, with places for the parts of their names.

    A place that begins with `who` is for an agent. After the verbs "is", "was" and "has" comes "not"; any
    other verb follows the agent of whom it is said, and is denied by "does not" and its base form.
    """

    atom: str
    subject: str
    verb: str
    rest: str
    auxiliary: str
    """The verb before "not": the verb itself, or "does"."""
    base: str
    """The verb after "not", if there is one."""
    said: str
    denied: str

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, atom: str, said: str) -> AtomWords:
        """Return the words for a kind of atoms, as they are declared; raises `FormulaError` for others.

        >>> AtomWords.of("{who}_{card}", "{who} holds card {card}").denied
        '{who} does not hold card {card}'
        """
        found, places = _SAID.fullmatch(said), sorted(PLACE.findall(said))
        unlike = places != sorted(PLACE.findall(atom)) or len({*places}) < len(places)
        if found is None or unlike or not atom.strip("~"):
            raise FormulaError(
                f"{said!r} is not a phrase for {atom!r} (allowed: words, its places, and once 'is',"
                " 'was' or 'has', or a verb after '{who}': '{who} holds card {card}' for '{who}_{card}')"
            )
        subject, auxiliary, verb, rest = map(str.strip, found.groups(default=""))
        before, base = auxiliary or "does", base_form(verb)
        denied = f"{subject} {before} not {base} {rest}".replace("  ", " ").rstrip()
        return cls(atom, subject, auxiliary or verb, rest, before, base, said, denied)


@lru_cache(maxsize=4096)
def parts_in(template: str, name: str, agents: tuple[str, ...] = ()) -> dict[str, str] | None:
    """Return the parts of a name that stand in the places of a template; None for a name of another kind.

    >>> parts_in("{who}_{card}", "Bo_Lee_2", ("Bo", "Bo_Lee"))
    {'who': 'Bo_Lee', 'card': '2'}
    """
    pattern = re.escape(template.removeprefix("~"))
    fitting = "|".join([*map(re.escape, sorted(agents, key=len, reverse=True)), ".+?"])
    for place in PLACE.findall(template):
        named = "[0-9]+" if place == "night" else fitting
        pattern = pattern.replace(rf"\{{{place}\}}", f"(?P<{place}>{named})")
    found = re.fullmatch(pattern, name)
    return found and found.groupdict()


def base_form(verb: str) -> str:
    """Return the base form of a verb: `know` of `knows`."""
    if verb.endswith("ies"):
        return verb.removesuffix("ies") + "y"
    return verb.removesuffix("es" if re.search(r"(ss|sh|ch|x|z|o)es$", verb) else "s")
