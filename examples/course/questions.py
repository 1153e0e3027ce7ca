"""Write the questions to check oneself into the pages of the course, as the generator makes them.

    python examples/course/questions.py

A page of docs/course has commands such as `kripke-werewolf exercise new --kind valid --seed 3 -o q.md`,
each on a line of its own. Below it, up to `</details>`, is the question with its answer, which this script
writes.
"""

import re
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent, wrap

from kripke_werewolf.cli.main import cli

PAGES = Path(__file__).parents[2] / "docs" / "course"
COMMAND = re.compile(
    r"^`kripke-werewolf (exercise new .* -o q\.md)`\n(?:(?!</details>).*\n)*</details>$", re.MULTILINE
)
WIDTH = 80


def question(command: str) -> str:
    """Return the question that a command makes, with its answer folded."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "q.md")
        cli(shlex.split(command.replace("q.md", str(path))), standalone_mode=False)
        asked, _, solved = (
            path.with_suffix(".solution.md").read_text(encoding="utf-8").partition("\n## Solution\n")
        )
    asked = asked.removeprefix("# Exercise\n").strip()
    lines = [part for line in dedent(solved).strip("\n").splitlines() for part in wrapped(line)]
    answer = ["```text", *lines, "```"]
    return "\n".join([asked, "", "<details><summary>Answer</summary>", "", *answer, "", "</details>"])


def wrapped(line: str) -> list[str]:
    """Return a line in parts of at most 80 characters; those after the first are indented further."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    return wrap(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


def with_questions(page: str) -> str:
    """Return a page with the questions that its commands make."""
    return COMMAND.sub(lambda found: f"`kripke-werewolf {found[1]}`\n\n{question(found[1])}", page)


if __name__ == "__main__":
    for path in sorted(PAGES.glob("week-*.md")):
        path.write_text(with_questions(path.read_text(encoding="utf-8")), encoding="utf-8")
