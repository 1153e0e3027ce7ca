# Needs nothing but Python 3.11 or later. Each target makes a virtual environment, installs and does its job.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

# how long `make explore-tests` searches
MINUTES ?= 10

# Processes for tests that often wait for a browser or another program: one more than processors.
# The files with slow tests come first (conftest.py), so that none of them is left alone at the end.
WAITING = -n $$($(BIN)/python -c "import os; print(1 + os.cpu_count())") --dist loadfile --no-loadscope-reorder

.PHONY: demo test slow-tests all-tests explore-tests lint docs release-check site images bench install-all clean

demo: $(VENV)/installed
	$(BIN)/kripke-werewolf demo
	@echo "To have the command kripke-werewolf in this shell: . $(BIN)/activate"

# the same examples in every run, on every machine
test: $(VENV)/installed-test
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow"

# those that take over half a second each; tests whose programs are not installed skip
slow-tests: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(WAITING) -m slow

# both in one run, which collects them once
all-tests: $(VENV)/installed-dev
	$(BIN)/python -m pytest $(WAITING)

# new random examples until the time is up; prints how to repeat what fails
explore-tests: $(VENV)/installed-dev
	$(BIN)/python -m tests.explore --minutes $(MINUTES)

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 --package kripke_werewolf --package visualise

docs: $(VENV)/installed-docs
	$(BIN)/sphinx-build --fail-on-warning --keep-going -q docs docs/_build

# the documentation, and beside it pages that any server can serve: puzzles, a game, a course; needs npm
site: docs
	$(BIN)/python examples/site.py docs/_build/pages

# the pictures of the documentation anew; those of costs are drawn by benchmarks/avalon.py and explicit.py
images: $(VENV)/installed-dev
	$(BIN)/python -m tests.images

# every table of the documentation anew, beside the other programs that are here, as a page: about an hour,
# with QUICK=--quick five minutes
bench: $(VENV)/installed-dev
	$(BIN)/python -m benchmarks $(QUICK) --page docs/measured.md

# the archives built, installed in every Python there is, and tested
release-check: $(VENV)/installed-release
	$(BIN)/python -m tests.release

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "kripke_werewolf needs Python 3.11 or later; try make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-test: $(VENV)/bin/python pyproject.toml
	@echo "installs 44 packages (about 300 MB) in $(VENV); the tests then take a few minutes"
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@ $(VENV)/installed

$(VENV)/installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@ $(VENV)/installed $(VENV)/installed-test

$(VENV)/installed-docs: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	touch $@ $(VENV)/installed

# everything but the release's tools, in one step
install-all: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[dev,docs]'
	touch $(VENV)/installed $(VENV)/installed-test $(VENV)/installed-dev $(VENV)/installed-docs

$(VENV)/installed-release: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[release]'
	touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) demo.png demo.jsonl
