# Every recipe is one line, and the same line works where make is missing: python3 dev.py TARGET

PYTHON ?= python3
.DEFAULT_GOAL := help
.PHONY: help run test check format lint imports types migrations openapi tests fix conformance bench lock setup

help: ## this text
	@$(PYTHON) dev.py help

run: ## everything on this machine: set-up, PostgreSQL and Valkey, migrations, a demo, web + worker + beat
	@$(PYTHON) dev.py run

test: ## the whole test suite against real PostgreSQL and Valkey
	@$(PYTHON) dev.py test

check: ## what CI runs: all steps below up to tests
	@$(PYTHON) dev.py check

format: ## step of check: the formatting is ruff's
	@$(PYTHON) dev.py format

lint: ## step of check: ruff's rules
	@$(PYTHON) dev.py lint

imports: ## step of check: imports point down the floors
	@$(PYTHON) dev.py imports

types: ## step of check: strict mypy
	@$(PYTHON) dev.py types

migrations: ## step of check: no model without its migration
	@$(PYTHON) dev.py migrations

openapi: ## step of check: docs/openapi.yaml is what the code says
	@$(PYTHON) dev.py openapi

tests: ## step of check: the suite on two processes, every landed conformance row proved
	@$(PYTHON) dev.py tests

fix: ## formats, and mends what ruff can mend
	@$(PYTHON) dev.py fix

conformance: ## a line for every row of docs/conformance.md: tests and result
	@$(PYTHON) dev.py conformance

bench: ## the benchmarks, as ratios against peers measured in the same run
	@$(PYTHON) dev.py bench

lock: ## makes the locks anew from requirements/*.in
	@$(PYTHON) dev.py lock

setup: ## only the virtual environment, from the locks
	@$(PYTHON) dev.py setup
