"""Addresses and persons, from one file into all that need them: `python -m tests.publication`.

`.ci/publication.toml` holds the settings. This program writes them, with what `pyproject.toml` and the
changelog say, into the files that hosts, indexes and archives read. With `--check` it only says which files
would change and which settings are empty; exit code 1 if there is one, as `make release-check` does.
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SETTINGS = ".ci/publication.toml"
NOBODY = "The kripke_werewolf maintainers"
UNKNOWN = "to the person who gave you the program"  # as long as there is no address
BLOCK = r"(?m)^((?:#|<!--) publication: {} *(?:-->)?\n)(?s:.*?)(^(?:#|<!--) end)"


@dataclass(frozen=True)
class Publication:
    """The settings, with what the project's own file and its changelog say."""

    root: Path = ROOT

    def read(self, path: str) -> str:
        """Return the text of one of the project's files."""
        return (self.root / path).read_text(encoding="utf-8")

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """The addresses, contacts and maintainers."""
        return tomllib.loads(self.read(SETTINGS))

    @cached_property
    def pyproject(self) -> Mapping[str, Any]:
        """What pyproject.toml says."""
        return tomllib.loads(self.read("pyproject.toml"))

    @property
    def project(self) -> Mapping[str, Any]:
        """The table `project` of pyproject.toml."""
        found: Mapping[str, Any] = self.pyproject["project"]
        return found

    @cached_property
    def release(self) -> tuple[str, str]:
        """Version and date of the newest release."""
        found: tuple[str, str] = re.findall(
            r"^## \[(.+)\] - (\d{4}-\d\d-\d\d)$", self.read("CHANGELOG.md"), re.M
        )[0]
        return found

    @property
    def empty(self) -> list[str]:
        """The settings that have no value."""
        tables = {key: self.settings[key] for key in ("addresses", "contact")}
        tables |= {f"maintainers, {n}": person for n, person in enumerate(self.settings["maintainers"], 1)}
        return [
            f"{table}: {key}" for table, keys in tables.items() for key, value in keys.items() if not value
        ]

    @property
    def addresses(self) -> dict[str, str]:
        """The addresses that are known."""
        return {key: value.rstrip("/") for key, value in self.settings["addresses"].items() if value}

    @property
    def persons(self) -> list[Mapping[str, str]]:
        """The maintainers who are known."""
        return [person for person in self.settings["maintainers"] if person["family"]]

    def texts(self) -> dict[str, str]:
        """Return what each file should hold, by its path from the root."""
        whole = {
            "codemeta.json": self._codemeta(),
            ".zenodo.json": self._zenodo(),
            ".ci/conda/meta.yaml": self._conda(),
        }
        parts = {
            ("pyproject.toml", "persons"): self._authors(),
            ("pyproject.toml", "links"): self._links(),
            ("pyproject.toml", "addresses"): self._urls(),
            ("CITATION.cff", "release"): "version: {}\ndate-released: {}\n".format(*self.release),
            ("CITATION.cff", "persons"): self._cited(),
            ("docs/paper/paper.md", "persons"): self._paper(),
            ("README.md", "explorer"): self._explorer(),
            (".github/SECURITY.md", "contact"): self._contact("security"),
            (".github/CODE_OF_CONDUCT.md", "contact"): self._contact("conduct"),
        }
        for (path, name), part in parts.items():
            text = whole.get(path) or self.read(path)
            block = re.search(BLOCK.format(name), text)
            assert block, f"{path} has no part {name!r}"
            whole[path] = text[: block.end(1)] + part + text[block.start(2) :]
        clone = f"git clone {self.addresses.get('repository', '<the repository>')}"
        for path in ("README.md", "docs/install.md"):
            whole[path] = re.sub(r"git clone (<.+?>|\S+)", clone, whole.get(path) or self.read(path))
        return whole

    def _contact(self, key: str) -> str:
        address = self.settings["contact"][key]
        return f"Write in confidence {f'to {address}' if address else UNKNOWN}.\n"

    def _explorer(self) -> str:
        """Return the one thing to click; without an address README.md has only the command."""
        address = self.addresses.get("explorer")
        said = "and click a world to see who knows what there, and why. Nothing needs to be installed."
        return f"**[Open this model in your browser]({address}/)** {said}\n" if address else ""

    def _authors(self) -> str:
        known = [
            f"{{ name = {_quoted(_name(person))}, email = {_quoted(person['email'])} }}"
            for person in self.persons
        ]
        return f"authors = [{', '.join(known) or f'{{ name = {_quoted(NOBODY)} }}'}]\n"

    def _urls(self) -> str:
        shown = {"repository": "Repository", "documentation": "Documentation", "explorer": "Explorer"}
        lines = [f"{shown[key]} = {_quoted(value)}" for key, value in self.addresses.items()]
        if "repository" in self.addresses:
            lines += [f"{name} = {_quoted(self._source(path))}" for name, path in _PAGES.items()]
        return "".join(f"{line}\n" for line in (["[project.urls]", *lines] if lines else []))

    def _source(self, path: str) -> str:
        return self.addresses["repository"] + path

    def _links(self) -> str:
        """Return how the relative links of README.md become absolute on the page of the package index."""
        if "repository" not in self.addresses:
            return ""
        rules = [
            (r"(!\[[^\]]*\])\((?!https?:)([^)]+)\)", rf"\1({self._source('/raw/HEAD/')}\2)"),
            (r"(?<!!)(\[[^\]]*\])\((?!https?:|#)([^)]+)\)", rf"\1({self._source('/blob/HEAD/')}\2)"),
        ]
        return "".join(
            "[[tool.hatch.metadata.hooks.fancy-pypi-readme.substitutions]]\n"
            f"pattern = '{pattern}'\nreplacement = '{replacement}'\n"
            for pattern, replacement in rules
        )

    def _cited(self) -> str:
        lines = [f"  - name: {NOBODY}"] * (not self.persons)
        for person in self.persons:
            keys = {
                "family-names": "family",
                "given-names": "given",
                "affiliation": "affiliation",
                "orcid": "orcid",
            }
            entries = [f"{key}: {_quoted(person[of])}" for key, of in keys.items() if person[of]]
            lines += [("  - " if n == 0 else "    ") + entry for n, entry in enumerate(entries)]
        places = {"repository-code": "repository", "url": "documentation"}
        lines += [
            f"{key}: {_quoted(self.addresses[of])}" for key, of in places.items() if of in self.addresses
        ]
        return "".join(f"{line}\n" for line in ("authors:", *lines))

    def _paper(self) -> str:
        places = list(dict.fromkeys(person["affiliation"] for person in self.persons)) or ["Independent"]
        lines = [f"  - name: {NOBODY}", "    affiliation: 1"] * (not self.persons)
        for person in self.persons:
            lines.append(f"  - name: {_quoted(_name(person))}")
            lines += [f"    orcid: {person['orcid'].rpartition('/')[2]}"] * bool(person["orcid"])
            lines.append(f"    affiliation: {places.index(person['affiliation']) + 1}")
        lines.append("affiliations:")
        for n, place in enumerate(places, 1):
            lines += [f"  - name: {_quoted(place)}", f"    index: {n}"]
        return "".join(f"{line}\n" for line in ("authors:", *lines))

    def _codemeta(self) -> str:
        version, date = self.release
        authors = [
            _known(
                {
                    "@type": "Person",
                    "@id": person["orcid"],
                    "givenName": person["given"],
                    "familyName": person["family"],
                    "email": person["email"],
                    "affiliation": _known({"@type": "Organization", "name": person["affiliation"]}),
                }
            )
            for person in self.persons
        ]
        return _json(
            _known(
                {
                    "@context": "https://w3id.org/codemeta/3.0",
                    "@type": "SoftwareSourceCode",
                    "name": self.project["name"],
                    "description": self.project["description"],
                    "version": version,
                    "dateModified": date,
                    "license": "https://spdx.org/licenses/" + self.project["license"],
                    "programmingLanguage": "Python",
                    "runtimePlatform": "Python " + self.project["requires-python"],
                    "keywords": self.project["keywords"],
                    "codeRepository": self.addresses.get("repository", ""),
                    "softwareHelp": self.addresses.get("documentation", ""),
                    "author": authors or [{"@type": "Organization", "name": NOBODY}],
                }
            )
        )

    def _zenodo(self) -> str:
        creators = [
            _known(
                {
                    "name": f"{person['family']}, {person['given']}",
                    "affiliation": person["affiliation"],
                    "orcid": person["orcid"].rpartition("/")[2],
                }
            )
            for person in self.persons
        ]
        (title,) = re.findall(r'(?m)^title: "(.+)"$', self.read("CITATION.cff"))
        return _json(
            {
                "title": title,
                "description": self.project["description"],
                "upload_type": "software",
                "license": self.project["license"],
                "keywords": self.project["keywords"],
                "creators": creators or [{"name": NOBODY}],
            }
        )

    def _conda(self) -> str:
        """Return the recipe for conda: one package for all platforms, without what only some of them have."""
        needs = [_conda_name(need) for need in self.project["dependencies"] if ";" not in need]
        version, _ = self.release
        home = self.addresses.get("repository", "")
        return "\n".join(
            [
                "# Written by `python -m tests.publication`. Source: `python -m build --sdist`.",
                "package:",
                f"  name: {self.project['name']}",
                f'  version: "{version}"',
                "source:",
                f"  url: ../../dist/{self.project['name'].replace('-', '_')}-{version}.tar.gz",
                "build:",
                "  noarch: python",
                "  script: python -m pip install . --no-deps --no-build-isolation -vv",
                "  entry_points:",
                *(f"    - {name} = {place}" for name, place in self.project["scripts"].items()),
                "requirements:",
                "  host:",
                f"    - python {self.project['requires-python']}",
                "    - pip",
                *(f"    - {_conda_name(need)}" for need in self.pyproject["build-system"]["requires"]),
                "  run:",
                f"    - python {self.project['requires-python']}",
                *(f"    - {need}" for need in needs),
                "test:",
                "  imports: [kripke_werewolf, visualise]",
                "  commands:",
                "    - kripke-werewolf prove 'K_a p -> K_a K_a p' --logic S5",
                "about:",
                *([f"  home: {home}"] if home else []),
                f"  license: {self.project['license']}",
                "  license_file: LICENSE",
                f"  summary: {_quoted(self.project['description'])}",
                "",
            ]
        )


_PAGES = {"Changelog": "/blob/HEAD/CHANGELOG.md", "Issues": "/issues"}


def _conda_name(need: str) -> str:
    """Return a requirement as conda writes it: a blank before the versions, and names that differ there."""
    matched = re.match(r"([\w.-]+)(.*)", need)
    assert matched
    name = {"matplotlib": "matplotlib-base"}.get(matched[1], matched[1])
    return f"{name} {matched[2]}".rstrip()


def _name(person: Mapping[str, str]) -> str:
    return f"{person['given']} {person['family']}".strip()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value and value != {"@type": "Organization"}}


def _json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False) + "\n"


def main(words: Sequence[str] | None = None, root: Path = ROOT) -> None:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(prog="python -m tests.publication", description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit code 1 if something is missing"
    )
    check = parser.parse_args(words).check
    publication = Publication(root)
    changed = {path: text for path, text in publication.texts().items() if _held(root / path) != text}
    for path, text in changed.items():
        print(f"{path}: {'does not say what the settings say' if check else 'written'}")
        if not check:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8", newline="\n")
    for name in publication.empty:
        print(f"{SETTINGS}: {name} is empty")
    if check and (changed or publication.empty):
        sys.exit("not ready to be published: fill in the settings, then run `python -m tests.publication`")


def _held(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    main()
