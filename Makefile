# Two commands matter: `make run` and `make test`. Both set up what they need, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: run site test lint page check-page docs format bench published soak screenshots clean lock

run: page
	$(BIN)/grognard serve

site: page
	$(BIN)/grognard site -o build/site

test:
	$(MAKE) --jobs 2 lint check-page
	$(BIN)/python -m pytest -n auto

soak: $(VENV)/.dev
	GROGNARD_SOAK=10 $(BIN)/python -m pytest -n auto -m soak --record-soak $(ARGS)
	$(BIN)/python -m bench.live --record

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

check-page: page
	$(BIN)/python hatch_build.py check

page: $(VENV)/.run
	@! $(BIN)/python hatch_build.py needs-node || $(PIP) install --require-hashes -r requirements-page.lock
	$(BIN)/python hatch_build.py

docs: page $(VENV)/.dev
	$(BIN)/sphinx-build -W -n --keep-going -b html docs build/docs

format: page $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python hatch_build.py format

bench: page $(VENV)/.dev
	$(BIN)/python -m bench $(ARGS)

published: $(VENV)/.dev
	$(BIN)/python -m docs.published

screenshots: page $(VENV)/.dev
	$(BIN)/python -m docs.pictures.screenshots

lock: $(VENV)/.dev
	$(PIP) install uv
	$(BIN)/uv pip compile pyproject.toml --extra web --group build $(LOCK) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra web --group dev $(LOCK) -o requirements-dev.lock
	$(BIN)/uv pip compile --group page $(LOCK) -o requirements-page.lock
LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock"

clean:
	rm -rf $(VENV) build dist web/node_modules src/grognard/server/page .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made requirements.lock pyproject.toml
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

