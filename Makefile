# holdtrue: `make demo` and `make test` do all the set-up there is; `make help` lists the rest.
PYTHON ?= python3
MODEL ?= local/qwen2.5-coder-1.5b
BIN := .venv/bin
READY := .venv/.ready
DEMO := .demo/$(subst /,-,$(MODEL))
export UV_PYTHON_DOWNLOADS := never
# Tests start many processes; each would compile every module anew where the shell forbids to keep what is compiled.
export PYTHONDONTWRITEBYTECODE :=

ADAPTERS := adk crewai
ADAPTER_adk := google_adk
ADAPTER_crewai := crewai

.PHONY: help env demo test test-all test-adapters test-schema bench wheels docs format lock clean

help:
	@echo 'make env        the environment, in .venv; then: . .venv/bin/activate'
	@echo 'make demo       a real model: three conversations by three methods, two behind the guard (MODEL=openai/... for your own server)'
	@echo 'make test       lint, types, floors, tests (the same examples in every run)'
	@echo 'make test-all   the same, slow tests, tests that need the downloaded model, and properties on fresh examples'
	@echo 'make test-adapters   the adapters of frameworks that need environments of their own, in .venvs'
	@echo 'make test-schema   5,000 requests that schemathesis makes of the server, from an environment of its own'
	@echo 'make bench      speed, as CPU time against naive twins'
	@echo 'make wheels     the wheel of each distribution, tried in an empty environment'
	@echo 'make docs       the pages of docs/ with a reference of the library, in .site; a dead link is an error'
	@echo 'make format     let ruff format and fix'
	@echo 'make lock       resolve requirements.lock anew'
	@echo 'make clean      remove the environment, the caches and the demo run'

env: $(READY)

# uv is quicker; where it cannot be had, pip installs the same locked versions.
$(READY): requirements.lock pyproject.toml packages/claims/pyproject.toml packages/lab/pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv && \
	  VIRTUAL_ENV=.venv $(BIN)/python -m uv pip sync --quiet requirements.lock || \
	  $(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  -e . -e packages/claims -e packages/lab
	@touch $(READY)

demo: $(READY)
	@case '$(MODEL)' in local/*.gguf) ;; local/*) $(BIN)/holdtrue models pull '$(patsubst local/%,%,$(MODEL))' ;; esac
	$(BIN)/holdtrue run drift --generate 3 --turns 3 --seed 40 --model '$(MODEL)' \
	  --method direct,mus_repair,drift_repair_project --max-connections 1 --show-turns --out '$(DEMO)'
	$(BIN)/python examples/guard/real_model.py '$(MODEL)'

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist worksteal

test-all: test .venvs/schemathesis/.ready
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'slow and not model' --hypothesis-profile=fresh
	$(BIN)/python -m pytest -m model --hypothesis-profile=fresh
	$(BIN)/python -m pytest -n 2 -m 'hypothesis and not slow and not model' --hypothesis-profile=fresh
	$(MAKE) test-adapters

test-adapters: $(ADAPTERS:%=test-adapter-%)

test-adapter-%: .venvs/%/.ready
	PYTHONPATH=src:. .venvs/$*/bin/python -m pytest --noconftest tests/adapters/test_$(ADAPTER_$*).py

test-schema: .venvs/schemathesis/.ready
	$(BIN)/python -m pytest -m slow tests/serve/test_openapi.py

# Make would remove it as an intermediate file.
.PRECIOUS: .venvs/%/.ready

.venvs/%/.ready: tests/adapters/locks/%.txt $(READY)
	$(PYTHON) -m venv .venvs/$*
	$(BIN)/python -m uv pip sync --quiet --python .venvs/$*/bin/python $< || \
	  .venvs/$*/bin/python -m pip install --quiet --require-hashes -r $<
	@touch $@

bench: $(READY)
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/runner.py
	$(BIN)/python bench/report.py
	$(BIN)/python bench/limits.py
	$(BIN)/python -m bench.queries
	$(BIN)/python -m bench.candidates
	$(BIN)/python -m bench.claims
	$(BIN)/python -m bench.guard
	$(BIN)/python -m bench.adapters
	$(BIN)/python -m bench.conversations
	$(BIN)/python -m bench.audit
	$(BIN)/python -m bench.stores
	$(BIN)/python -m bench.proxy
	$(BIN)/python -m bench.solver

wheels: $(READY)
	.ci/wheels

docs: $(READY)
	$(BIN)/mkdocs build --quiet

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# pytest runs in each environment, so it is locked with the adapter's extra.
lock:
	echo 'schemathesis>=4,<5' | $(BIN)/python -m uv pip compile - --generate-hashes --universal --no-emit-index-url --no-annotate --no-header \
	  --python-version 3.11 --quiet --output-file tests/adapters/locks/schemathesis.txt
	for name in $(ADAPTERS); do printf 'pytest\npytest-asyncio\n' | $(BIN)/python -m uv pip compile pyproject.toml - --extra $$name --extra guard \
	  --generate-hashes --universal --no-emit-index-url --no-annotate --no-header --no-emit-package holdtrue --python-version 3.11 --quiet \
	  --output-file tests/adapters/locks/$$name.txt || exit 1; done
	$(BIN)/python -m uv pip compile pyproject.toml packages/claims/pyproject.toml packages/lab/pyproject.toml --extra all --group dev --generate-hashes --universal --no-emit-index-url \
	  --no-annotate --no-header --no-emit-package holdtrue --no-emit-package holdtrue-claims --no-emit-package holdtrue-lab --python-version 3.11 --quiet --output-file requirements.lock

clean:
	rm -rf .venv .venvs .demo .site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
