# Everything a developer or CI runs. `make` alone lists it.
# Needs only make and Python 3.11+; uv is used when it is there, else pip.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
ARGS ?=

UV := $(shell uv --version >/dev/null 2>&1 && echo uv)
# A Python on PATH can be a shim that does not run, or lack the parts that make a virtual environment: so each is tried.
PROBE := import sys$(if $(UV),,, venv, ensurepip); sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do $$p -c '$(PROBE)' >/dev/null 2>&1 && command -v $$p && break; done)

# Two sets: what Confirmo needs to run, and that plus the tools. A stamp tells which lock is installed;
# where the tools are, a new lock renews the whole set, so that `make setup` never takes them away.
RUN_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
# The programs that the benchmarks measure us against stay out of it.
BENCH := .venv-bench/bin
BENCH_STAMP := .venv-bench/.installed
SETUP := $(if $(wildcard $(DEV_STAMP)),$(DEV_STAMP),$(RUN_STAMP))

# Two at a time: what starts many processes in the one, the rest in the other. ARGS="-n 0" goes back to one.
SIDE_BY_SIDE := -n 2 --dist loadgroup

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(SETUP) ## make .venv from the hashed lock; leaves .venv/bin/confirmo

.PHONY: demo
demo: $(SETUP) ## set-up if needed, then the demo: a simulated phone and the bot; PORT=8001 for another port
	@exec $(BIN)/confirmo demo $(ARGS)

.PHONY: test
test: $(DEV_STAMP) ## set-up if needed, then all tests; ARGS="-k remind" goes to pytest
	$(BIN)/pytest $(SIDE_BY_SIDE) $(ARGS)

.PHONY: check
check: lint types coverage ## what CI runs: lint, types, import contracts, tests with coverage

.PHONY: lint
lint: $(DEV_STAMP) ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

.PHONY: types
types: $(DEV_STAMP) ## mypy, strict, over bot, jobs and tests
	$(BIN)/mypy

.PHONY: coverage
coverage: $(DEV_STAMP) ## all tests, with the coverage they must reach
	$(BIN)/pytest $(SIDE_BY_SIDE) --cov --cov-report= --cov-fail-under=0 $(ARGS)
	$(BIN)/coverage report --skip-covered
	$(BIN)/coverage report --skip-covered --fail-under=100 --include='bot/core/*,bot/understanding/*,bot/conversation/*'

.PHONY: soak
soak: $(DEV_STAMP) ## long fault runs on both databases: SOAK_SEEDS=10 SOAK_SEED=… SOAK_REMINDERS=… SOAK_SECONDS=…
	$(BIN)/python -m tests.faults.soak $(ARGS)

.PHONY: bench
bench: $(BENCH_STAMP) ## all benchmarks, in one table, beside what people would use instead; ARGS="ingest turn" picks parts
	@exec $(BENCH)/python -m tests.bench $(ARGS)

.PHONY: bench-compare
bench-compare: $(BENCH_STAMP) ## the same, and the ratio of each figure to the stored baseline
	@exec $(BENCH)/python -m tests.bench --compare $(ARGS)

.PHONY: format
format: $(DEV_STAMP) ## let ruff mend and format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# --universal: one lock for every system and Python; no index or download address gets into the files.
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-emit-find-links pyproject.toml --group build

.PHONY: lock
lock: ## write the locks anew from pyproject.toml (needs uv); ARGS=--upgrade for newer versions
	@$(if $(UV),,echo 'make lock needs uv' >&2; exit 1)
	$(COMPILE) $(ARGS) --output-file requirements.lock
	$(COMPILE) --group dev --constraints requirements.lock $(ARGS) --output-file requirements-dev.lock
	$(COMPILE) --group bench --constraints requirements-dev.lock $(ARGS) --output-file requirements-bench.lock

$(RUN_STAMP): requirements.lock pyproject.toml
	$(call install,requirements.lock,$(VENV))
	@touch $@

$(DEV_STAMP): requirements-dev.lock pyproject.toml
	$(call install,requirements-dev.lock,$(VENV))
	@touch $(RUN_STAMP) $@

$(BENCH_STAMP): requirements-bench.lock pyproject.toml
	$(call install,requirements-bench.lock,.venv-bench)
	@touch $@

# The packages come by hash; the project itself is then linked in without network, by the build tools of the lock.
define install
@test -n '$(PYTHON)' || { echo 'Python 3.11 or newer (with venv) is needed; set PYTHON=… if it is not on PATH' >&2; exit 1; }
@$(if $(UV),test -x $(2)/bin/python || uv venv --quiet --no-python-downloads --python '$(PYTHON)' $(2),\
	test -x $(2)/bin/pip || '$(PYTHON)' -m venv $(2))
@echo 'Installing $(1) into $(2) with $(if $(UV),uv,pip)'
@$(if $(UV),uv pip sync --quiet --python $(2)/bin/python --require-hashes $(1),\
	$(2)/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $(1))
@$(if $(UV),uv pip install --quiet --python $(2)/bin/python,$(2)/bin/pip install --quiet --disable-pip-version-check) \
	--no-index --no-deps --no-build-isolation --editable .
endef
