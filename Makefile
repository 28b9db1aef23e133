# The commands of CONTRIBUTING.md, one line each. PYTHON is what the environment is made with.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: help setup test slow lint docs generated coverage mutants sanitize wheel check-wheel ci

help:  ## this list
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/:.*##/\t/' | expand -t 14

setup:  ## virtual environment, package in place, core compiled
	$(PYTHON) -m venv $(VENV) && $(BIN)/pip install -q build -e '.[test,testing,lint,docs]'

test:  ## default tests
	$(BIN)/python -m pytest

slow:  ## heavier tests
	$(BIN)/python -m pytest -m slow

lint:  ## ruff, mypy
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

docs:  ## documentation site in build/site
	$(BIN)/sphinx-build -W --keep-going -q docs build/site

generated:  ## CLI reference, outputs in documents, counts of play sequences
	$(BIN)/python tools/gen_cli_reference.py && $(BIN)/python tools/make_perft.py && PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python tools/fill_docs.py

coverage:  ## lines that the default tests run, those of the compiled core too; into docs/tests.md
	$(BIN)/pip install -q -e '.[test,coverage]' && $(BIN)/python tools/measure_coverage.py --write

mutants:  ## mistakes planted into the rules that no test notices
	$(BIN)/python tools/mutate_rules.py

sanitize:  ## the core's tests under AddressSanitizer and UndefinedBehaviorSanitizer
	tools/sanitize.sh $(PYTHON)

wheel:  ## sdist and wheel in dist/
	$(BIN)/python -m build --outdir dist .

check-wheel:  ## tests from the installed wheel, not the source tree
	$(BIN)/python tools/check_wheel.py dist

ci:  ## all that must hold on every commit
	.ci/run
