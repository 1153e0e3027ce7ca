"""Write a site that any web server can serve, as `make site` does: python examples/site.py FOLDER [--online]

It has a page for each puzzle, a game as a film, a sheet for each student of a class, and the explorer, and
needs no program on the server. With --online the explorer loads Pyodide from its public server.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import visualise
from kripke_werewolf.logic.puzzles import PUZZLES, puzzle

HERE = Path(__file__).resolve().parent
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Puzzles, a game, a course</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 1rem auto; padding: 0 1rem; }}
</style>
<h1>Puzzles, a game, a course</h1>
<p><a href="explorer/index.html">The explorer</a>: ask, announce, build.</p>
<h2>Puzzles, step by step</h2>
<ul>
{puzzles}
</ul>
<h2>A game</h2>
<p><a href="game.html">Quantum Werewolf with five players</a></p>
<h2>A course</h2>
<p>Week 1, a sheet for each student:</p>
<ul>
{sheets}
</ul>
</html>
"""
SLOW = ("what-sum",)
"""Puzzles with too many worlds for a page that opens at once."""


def written(folder: Path, *explorer: str) -> list[Path]:
    """Write the site into a folder; return its pages. `explorer`: more options of the explorer's page."""
    (folder / "puzzles").mkdir(parents=True, exist_ok=True)
    (folder / "explorer").mkdir(exist_ok=True)
    names = [name for name in PUZZLES if name not in SLOW]
    pages = [visualise.save(puzzle(name), folder / "puzzles" / f"{name}.html") for name in names]
    run("draw", HERE / "games" / "five_players.jsonl", "-o", folder / "game.html")
    run("explore", "muddy-children", "--export", folder / "explorer" / "index.html", *explorer)
    sheets = published(folder / "course", *explorer)
    lists = {
        "puzzles": [(f"{name}</a>: {PUZZLES.about(name)}", f"puzzles/{name}.html") for name in names],
        "sheets": [(f"{name}</a>", link) for name, link in sheets],
    }
    texts = {
        key: "\n".join(f'<li><a href="{link}">{words}</li>' for words, link in items)
        for key, items in lists.items()
    }
    (folder / "index.html").write_text(PAGE.format_map(texts), encoding="utf-8")
    return [folder / "index.html", *pages, folder / "game.html", *folder.glob("*/index.html")]


def published(course: Path, *explorer: str) -> list[tuple[str, str]]:
    """Write the sheets of a class into a folder; return the students with their links."""
    with tempfile.TemporaryDirectory() as home:  # solutions stay out of the site
        students, made = Path(home, "class.csv"), Path(home, "class")
        students.write_text("name,id\nAnn,s1\nBo,s2\nCem,s3\n", encoding="utf-8")
        run("exercise", "class", "make", HERE / "course" / "week1.toml", "--roster", students, "-o", made)
        run("exercise", "class", "publish", made, "-o", course, "--address", f"{course.name}/", *explorer)
        rows = csv.DictReader((made / "links.csv").read_text(encoding="utf-8-sig").splitlines())
        return [(row["name"], row["link"]) for row in rows]


def run(*arguments: object) -> None:
    """Run a command of kripke-werewolf."""
    subprocess.run([sys.executable, "-m", "kripke_werewolf", *map(str, arguments)], check=True)


if __name__ == "__main__":
    found = written(Path(sys.argv[1]), *sys.argv[2:])
    print(f"{len(found)} pages in {found[0].parent}")
