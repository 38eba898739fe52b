# BoardZero: `make run` plays, `make test` checks everything. Each sets itself up.
#
# The environment lives in .venv and is rebuilt only when pyproject.toml changes; the extension is
# compiled only when C++ changes.

VENV   := .venv
PY     := $(VENV)/bin/python
PIP     = $(PY) -m pip install --quiet --quiet --disable-pip-version-check
PYTHON ?= python3
CPP    := $(shell find cpp -name '*.hpp' -o -name '*.cpp')
SAY    := @printf '\033[1m%s\033[0m\n'

.PHONY: run test test-all check build native wheel bench format clean

run: build
	@$(PY) -m boardzero play

test: check
	$(SAY) "Running the tests"
	@$(PY) -m pytest -n 2 -m "not slow"

test-all: check
	$(SAY) "Running all tests, the slow ones too"
	@$(PY) -m pytest -n 2

check: build
	$(SAY) "Checking style, types and layers"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/clang-format --dry-run -Werror $(CPP)

build: $(VENV)/.built

wheel: $(VENV)/.installed
	$(SAY) "Building a portable wheel into dist/"
	@$(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist \
	    -C cmake.define.BOARDZERO_NATIVE=OFF .

bench: build
	@$(PY) -m boardzero bench

format: $(VENV)/.installed
	@$(PY) -m ruff check --fix-only --quiet . ; $(PY) -m ruff format --quiet .
	@$(VENV)/bin/clang-format -i $(CPP)

clean:
	rm -rf build dist $(VENV) src/boardzero/_core*

$(VENV)/bin/python:
	$(SAY) "Creating the Python environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# The project itself goes in without its compiled part, which is built in the tree below: so a change
# of C++ costs only its own compilation.
$(VENV)/.installed: pyproject.toml scripts/requirements.py | $(VENV)/bin/python
	$(SAY) "Installing packages (a few minutes the first time)"
	@$(PIP) $$($(PY) scripts/requirements.py train dev)
	@$(PIP) --no-deps --no-build-isolation -C wheel.cmake=false -C editable.mode=inplace -e .
	@touch $@

$(VENV)/.built: $(VENV)/.installed CMakeLists.txt $(CPP)
	$(SAY) "Compiling the core"
	@$(MAKE) --no-print-directory native
	@touch $@

# Compiles into this tree, with any Python that has the build tools: make native PY=python3
native:
	@$(PY) -m cmake -S . -B build/native -G Ninja -DPython_EXECUTABLE=$$($(PY) -c 'import sys; print(sys.executable)') > /dev/null
	@$(PY) -m cmake --build build/native
