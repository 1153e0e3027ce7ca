"""Version, addresses and persons are the same in every file; the paper has the form of its journal."""

import contextlib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kripke_werewolf import __version__
from tests.publication import SETTINGS, Publication, main

yaml = pytest.importorskip("yaml")
markdown = pytest.importorskip("readme_renderer.markdown")
build_text = pytest.importorskip("hatch_fancy_pypi_readme._builder").build_text
load_and_validate_config = pytest.importorskip("hatch_fancy_pypi_readme._config").load_and_validate_config

ROOT = Path(__file__).parents[1]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PAPER = (ROOT / "docs" / "paper" / "paper.md").read_text(encoding="utf-8")
BIBLIOGRAPHY = (ROOT / "docs" / "paper" / "paper.bib").read_text(encoding="utf-8")
_, METADATA, BODY = PAPER.split("---\n", 2)

SECTIONS = [
    "Summary",
    "Statement of need",
    "State of the field",
    "Software design",
    "Research impact statement",
    "References",
]


FILLED = """
[addresses]
repository = "https://example.org/logic/kripke_werewolf/"
documentation = "https://docs.example.org"
explorer = "https://docs.example.org/explorer"
[contact]
security = "security@example.org"
conduct = "https://example.org/conduct"
[[maintainers]]
given = "Ada Maria"
family = "O'Neil"
email = "ada@example.org"
affiliation = "A: University"
orcid = "https://orcid.org/0000-0002-1825-0097"
[[maintainers]]
given = ""
family = "李"
email = "li@example.org"
affiliation = "A: University"
orcid = ""
"""
SCHEMAS = {
    "github-workflows": ".github/workflows/*.yml",
    "github-issue-forms": ".github/ISSUE_TEMPLATE/w*.yml",
    "github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "dependabot": ".github/dependabot.yml",
    "gitlab-ci": ".gitlab-ci.yml",
    "readthedocs": ".readthedocs.yaml",
    "citation-file-format": "CITATION.cff",
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the files that are read and written, with settings that say everything."""
    root = tmp_path_factory.mktemp("filled")
    for path in {*Publication().texts(), SETTINGS, "CHANGELOG.md"}:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, root / path)
    (root / SETTINGS).write_text(FILLED, encoding="utf-8")
    main([], root)
    return root


def test_version() -> None:
    version, _ = Publication().release
    assert version == __version__


def test_files_say_what_the_settings_say(filled: Path) -> None:
    for root in (ROOT, filled):
        publication = Publication(root)
        assert {path: publication.read(path) for path in publication.texts()} == publication.texts()


def test_what_is_empty_fails_a_release(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Publication(filled).empty == ["maintainers, 2: given", "maintainers, 2: orcid"]
    with pytest.raises(SystemExit, match="not ready to be published"):
        main(["--check"], filled)
    assert "maintainers, 2: orcid is empty" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (
            "pyproject.toml",
            "Ada Maria O'Neil|ada@example.org|李|Issues = \"https://example.org/logic/kripke_werewolf/issues",
        ),
        ("CITATION.cff", "O'Neil|0000-0002-1825-0097|A: University|李"),
        ("docs/paper/paper.md", "Ada Maria O'Neil|0000-0002-1825-0097|A: University|李"),
        ("codemeta.json", "Ada Maria|A: University|https://example.org/logic/kripke_werewolf"),
        (".zenodo.json", "O'Neil, Ada Maria|0000-0002-1825-0097"),
        (".github/SECURITY.md", "in confidence to security@example.org."),
        (".github/CODE_OF_CONDUCT.md", "in confidence to https://example.org/conduct."),
        ("README.md", "git clone https://example.org/logic/kripke_werewolf\ncd kripke_werewolf"),
        ("README.md", "[Open this model in your browser](https://docs.example.org/explorer/)"),
        ("docs/install.md", "git clone https://example.org/logic/kripke_werewolf\ncd kripke_werewolf"),
        (".ci/conda/meta.yaml", "home: https://example.org/logic/kripke_werewolf"),
    ],
)
def test_settings_are_in_every_file(filled: Path, path: str, said: str) -> None:
    text = (filled / path).read_text(encoding="utf-8")
    assert [part for part in said.split("|") if part not in text] == []


@pytest.mark.parametrize("which", ["here", "filled"])
def test_what_is_written_can_be_read(filled: Path, which: str) -> None:
    root = ROOT if which == "here" else filled
    publication = Publication(root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["authors"]) == (len(publication.persons) or 1)
    urls = {key.capitalize() for key in publication.addresses}
    assert set(project.get("urls", ())) == urls | ({"Changelog", "Issues"} if "Repository" in urls else set())
    assert which == "here" or len(urls) == 3
    for path in ("codemeta.json", ".zenodo.json"):
        json.loads((root / path).read_text(encoding="utf-8"))
    recipe = yaml.safe_load((root / ".ci" / "conda" / "meta.yaml").read_text(encoding="utf-8"))
    named = [need.split()[0] for need in recipe["requirements"]["run"]]
    assert {"python", "numpy", "networkx", "matplotlib-base", "click"} <= set(named)
    paper = yaml.safe_load(
        (root / "docs" / "paper" / "paper.md").read_text(encoding="utf-8").split("---\n")[1]
    )
    places = {place["index"] for place in paper["affiliations"]}
    assert {author["affiliation"] for author in paper["authors"]} <= places


@pytest.mark.parametrize("schema", SCHEMAS)
def test_schemas_of_the_hosts(schema: str, filled: Path) -> None:
    files = sorted({*ROOT.glob(SCHEMAS[schema]), *filled.glob(SCHEMAS[schema])})
    assert files
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_python_is_tried() -> None:
    known = {c.rpartition(" ")[2] for c in Publication().project["classifiers"] if ":: 3." in c}
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    pipeline = yaml.safe_load((ROOT / ".gitlab-ci.yml").read_text(encoding="utf-8"))
    assert set(workflow["jobs"]["fast"]["strategy"]["matrix"]["python"]) == known
    assert set(pipeline["fast"]["parallel"]["matrix"][0]["PYTHON"]) == known


def test_page_of_the_index(filled: Path) -> None:
    """README.md as the index makes a page of it: every link and picture has an absolute address."""
    config = tomllib.loads((filled / "pyproject.toml").read_text(encoding="utf-8"))
    with contextlib.chdir(filled):
        hook = load_and_validate_config(config["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"])
        text = build_text(hook.fragments, hook.substitutions, version=__version__)
    page = markdown.render(text)
    assert page is not None
    written = (filled / "README.md").read_text(encoding="utf-8")
    places = re.findall(r'(?:href|src)="([^#][^"]*)"', page)
    assert len(places) == len(re.findall(r"\]\(", written))
    assert [place for place in places if not place.startswith("https://")] == []
    for place in places:
        inside = re.fullmatch(
            r"https://example.org/logic/kripke_werewolf/(?:raw|blob)/HEAD/([^#]+)(?:#.*)?", place
        )
        assert inside is None or (ROOT / inside[1]).exists(), place
    assert len(
        re.findall(r'src="https://example.org/logic/kripke_werewolf/raw/HEAD/', page)
    ) == written.count("![")


def test_sections_and_length() -> None:
    assert re.findall(r"^# (.+)$", BODY, re.M) == SECTIONS
    assert 750 <= len(re.sub(r"\[@\w+\]|^#.*$", "", BODY, flags=re.M).split()) <= 1000


def test_metadata() -> None:
    keys = re.findall(r"^(\w+):", METADATA, re.M)
    assert keys == ["title", "tags", "authors", "affiliations", "date", "bibliography"]
    named = [author["name"] for author in yaml.safe_load(METADATA)["authors"]]
    cited = yaml.safe_load(CITATION)["authors"]
    whole = [[author.get(key) for key in ("given-names", "family-names", "name")] for author in cited]
    assert named == [" ".join(filter(None, names)) for names in whole]


def test_every_source_is_cited_and_known() -> None:
    cited, known = set(re.findall(r"@(\w+)", BODY)), re.findall(r"^@\w+\{(\w+),$", BIBLIOGRAPHY, re.M)
    assert cited == set(known)
    assert len(known) == len(set(known)) > 5
    for entry in re.split(r"^@", BIBLIOGRAPHY, flags=re.M)[1:]:
        assert {"author", "title", "year"} <= set(re.findall(r"^  (\w+) *=", entry, re.M)), entry
