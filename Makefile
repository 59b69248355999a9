# Everything from a fresh checkout to a checked build; `make help` lists it.
# Needs Python >= 3.10 and a C++20 compiler; the rest comes from the package index into .venv.
#   PYTHON=python3.12   the interpreter .venv is made with
#   CXX=clang++         the compiler
#   ARGS="-k front"     handed to pytest, or to the paper's experiments (ARGS=--quick)

PYTHON ?= python3
ARGS   ?=
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip -qq
NATIVE := build/native
MERMAID := build/mermaid
DIST   := build/dist
WHEEL  := build/wheel
OLDEST := build/oldest
SANITIZE ?= ON

CXX_FILES    := $(wildcard core/*.cpp core/*.hpp bindings/*.cpp bindings/*.hpp)
NATIVE_FILES := $(wildcard tests/native/*.cpp tests/native/*.hpp)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help install demo docs dist test test-native test-wheel test-oldest test-python test-long lint format bench paper clean

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# ---- what must be there: one line that says what is missing, and no further step ----

python_says = $(shell $(PYTHON) -c '$1' 2>/dev/null && echo yes)
need_python = $(strip \
    $(if $(shell command -v $(PYTHON)),,$(error '$(PYTHON)' not found: install Python 3.10 or newer, or name one with PYTHON=python3.12)) \
    $(if $(call python_says,import sys; sys.exit(sys.version_info < (3, 10))),,$(error treefront needs Python 3.10 or newer, but '$(PYTHON)' is $(shell $(PYTHON) -V 2>&1): name another with PYTHON=python3.12)) \
    $(if $(call python_says,import ensurepip; import venv),,$(error '$(PYTHON)' lacks the venv module: install it (Debian and Ubuntu: python3-venv))))

hash         := \#
compilers    := $(if $(filter default,$(origin CXX)),c++ g++ clang++,$(CXX))
need_compiler = $(if $(shell for c in $(compilers); do \
    printf '%s\n' '$(hash)include <bit>' '$(hash)include <concepts>' '$(hash)include <span>' 'int main() { return std::popcount(0u); }' \
    | $$c -std=c++20 -x c++ -fsyntax-only - 2>/dev/null && echo yes && break; done),,$(error no C++20 compiler found ($(compilers)): install g++ 11, clang 14 or newer, or name one with CXX=clang++))

# ---- .venv, in steps that are redone only when what they depend on changed ----

$(VENV)/.created:
	@$(need_python)$(need_compiler)echo "==> creating $(VENV) with $$($(PYTHON) -V)"
	@rm -rf build/cp* && $(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.build-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing build tools"
	@$(PIP) install --group build
	@touch $@

# Editable: Python files are used from src/ as they are, C++ is built in build/<tag>.
$(VENV)/.installed: $(VENV)/.build-tools pyproject.toml CMakeLists.txt
	@$(need_compiler)echo "==> building treefront and installing it with every extra"
	@$(PIP) install --no-build-isolation --config-settings=build-dir='build/{wheel_tag}' --editable '.[all]'
	@$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))' > $@.path
	@touch $@

# After the first time only what changed is compiled. The stub goes next to its user, for mypy.
$(VENV)/.built: $(VENV)/.installed $(CXX_FILES)
	@echo "==> compiling what changed"
	@for dir in build/cp*; do \
	    $(BIN)/cmake --build $$dir && \
	    $(BIN)/cmake --install $$dir --prefix "$$(cat $(VENV)/.installed.path)" >/dev/null && \
	    cp $$dir/_core.pyi src/treefront/_core.pyi || exit 1; done
	@touch $@

$(VENV)/.test-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing test and lint tools"
	@$(PIP) install --group test --group lint
	@touch $@

$(VENV)/.docs-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing what builds the documentation"
	@$(PIP) install --group docs
	@touch $@

$(VENV)/.dist-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing what builds and looks at distributions"
	@$(PIP) install --group dist
	@touch $@

$(VENV)/.bench-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing the benchmarks' rivals"
	@$(PIP) install --group bench
	@touch $@

$(VENV)/.paper-tools: $(VENV)/.created pyproject.toml
	@echo "==> installing what the paper's experiments need"
	@$(PIP) install --group paper
	@touch $@

install: $(VENV)/.built  ## .venv with treefront (editable) and every extra
	@echo "==> ready: $(BIN)/treefront, $(BIN)/python"

# The wheel takes its compiled core from the build folder of .venv: seconds, and no isolation.
dist: $(VENV)/.built $(VENV)/.dist-tools  ## the wheel of this Python and the source distribution, into build/dist
	@echo "==> building the wheel and the source distribution"
	@rm -rf $(DIST) && $(BIN)/python -m build --no-isolation --outdir $(DIST) --wheel --sdist \
	    --config-setting=build-dir='build/{wheel_tag}' . > build/dist.log 2>&1 || { cat build/dist.log; exit 1; }
	@$(BIN)/twine --no-color check --strict $(DIST)/*

demo: $(VENV)/.built  ## the main job on real data
	@$(BIN)/treefront demo

docs: $(VENV)/.built $(VENV)/.docs-tools  ## the documentation as a site, into build/docs (open build/docs/index.html)
	@echo "==> documentation"
	@$(BIN)/python -m sphinx -b html -c docs -W --keep-going -n -E -q -d build/doctrees . build/docs

# ---- checks ----

# Unit tests of what other libraries have a part in; the others only test the project's own code.
UNIT_OF_LIBRARIES := $(patsubst %,tests/unit/test_%.py,\
    classifier columns cross_validated data files fixtures hard_inputs inputs labels plots regressor score_plot threads times tree)

# pytest comes last, so that its closing line ends the run.
test: lint test-native test-wheel test-oldest test-python  ## everything that CI runs

test-native: $(NATIVE)/treefront_tests  ## C++ unit tests under sanitizers (SANITIZE=thread, OFF)
	@echo "==> C++ unit tests, sanitizers: $(SANITIZE)"
	@$(NATIVE)/treefront_tests

$(NATIVE)/treefront_tests: $(VENV)/.build-tools CMakeLists.txt $(CXX_FILES) $(NATIVE_FILES) $(NATIVE)/.sanitize-$(SANITIZE)
	@$(need_compiler)echo "==> building the C++ unit tests"
	@$(BIN)/cmake -S . -B $(NATIVE) -G Ninja -DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja \
	    -DTREEFRONT_NATIVE_TESTS=ON -DTREEFRONT_SANITIZE=$(SANITIZE) >/dev/null
	@$(BIN)/cmake --build $(NATIVE)
	@touch $@

$(NATIVE)/.sanitize-$(SANITIZE):
	@mkdir -p $(NATIVE) && rm -f $(NATIVE)/.sanitize-* && touch $@

# A new environment with the wheel, its dependencies and pytest: nothing of the project is on its path.
test-wheel: dist  ## the wheel, installed into an environment of its own
	@echo "==> pytest on the installed wheel"
	@! ls $(DIST)/*.whl | grep -q abi3 || $(BIN)/abi3audit --strict $(DIST)/*.whl
	@test "$$(uname)" != Linux || $(BIN)/auditwheel -v show $(DIST)/*.whl > build/dist.log 2>&1 || { cat build/dist.log; exit 1; }
	@$(BIN)/python -m venv --clear --without-pip $(WHEEL)
	@$(PIP) --python $(WHEEL) install $(DIST)/*.whl --group wheel
	@TREEFRONT_DIST=$(DIST) $(WHEEL)/bin/python -m pytest -q tests/wheel

$(OLDEST)/.created: $(VENV)/.created pyproject.toml
	@echo "==> creating an environment of the oldest supported releases"
	@$(BIN)/python -m venv --clear --without-pip $(OLDEST)
	@$(PIP) --python $(OLDEST) install --group oldest
	@touch $@

test-oldest: dist $(OLDEST)/.created  ## the wheel on the oldest supported releases of what it needs
	@echo "==> pytest on the oldest releases"
	@$(PIP) --python $(OLDEST) install --force-reinstall --no-deps $(DIST)/*.whl
	@$(OLDEST)/bin/python -m pytest -q -m "not long" -p no:cacheprovider tests/sklearn $(UNIT_OF_LIBRARIES)

# Mermaid's own parser reads our flowcharts; without npm, or a network, that is a test less.
$(MERMAID)/.installed: tests/export/package.json tests/export/package-lock.json
	@mkdir -p $(@D) && cp $^ $(@D)
	@if command -v npm >/dev/null; then echo "==> installing Mermaid, to test flowcharts"; \
	    npm ci --prefix $(@D) --ignore-scripts --no-audit --no-fund --silent && touch $@ \
	    || echo "==> that failed: tests of flowcharts by Mermaid itself will be skipped"; fi

test-python: $(VENV)/.built $(VENV)/.test-tools $(VENV)/.docs-tools $(MERMAID)/.installed  ## pytest without the long tests
	@echo "==> pytest"
	@$(BIN)/python -m pytest -m "not long" $(ARGS)

test-long: $(VENV)/.built $(VENV)/.test-tools $(VENV)/.docs-tools $(MERMAID)/.installed  ## all of pytest, with many more examples per property
	@echo "==> pytest, long tests and many examples"
	@HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -o timeout=3600 $(ARGS)

lint: $(VENV)/.built $(VENV)/.test-tools  ## ruff, mypy, import contract
	@echo "==> ruff"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "==> mypy"
	@$(BIN)/mypy
	@echo "==> import contract"
	@$(BIN)/lint-imports --no-logo

format: $(VENV)/.test-tools  ## rewrite sources in the project's format
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .
	@$(BIN)/clang-format -i $(CXX_FILES) $(NATIVE_FILES)

bench: $(VENV)/.built $(VENV)/.bench-tools  ## the paper's Table 1 and the rivals, into benchmarks/results/
	@echo "==> table1"
	@$(BIN)/python -m benchmarks.table1
	@echo "==> rivals"
	@$(BIN)/python -m benchmarks.rivals

paper: $(VENV)/.built $(VENV)/.paper-tools  ## the paper's tables and figures, into benchmarks/results/paper/ (a day; goes on where it stopped)
	@echo "==> paper"
	@$(BIN)/python -m benchmarks.paper $(ARGS)

clean:  ## remove .venv and everything built
	@rm -rf $(VENV) build dist src/treefront/_core.pyi .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
