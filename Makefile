# Each target first creates .venv and installs what it needs.
# `make demo ARGS="--epochs 1"` passes arguments on; `make test PYTHON=python3.12` creates .venv with that Python (3.10 or newer).
# The targets that most people need: demo, docs, test, lint, bench.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin

export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# pip does not compile the modules that it installs, which would take as long as the rest of its work: Python compiles those that are imported.
export PIP_COMPILE := 0
export PYTHONDONTWRITEBYTECODE :=
ifneq ($(wildcard ../shared/data),)
export PADDLE_LITE_DATA_HOME ?= $(abspath ../shared/data)
endif

.PHONY: demo examples docs test acceptance judge kills fuzz soak growth bench lint ruff mypy pytest clean

demo: .venv/.demo
	$(BIN)/python -m paddle_lite.demo $(ARGS)

examples: .venv/.demo
	@for script in examples/*.py; do \
	    echo "$$script"; $(BIN)/python "$$script" $(ARGS) || exit 1; \
	done

# Build the documentation into the folder site; a warning, or an error in a notebook, is an error.
docs: .venv/.docs
	rm -rf site
	$(BIN)/python -m sphinx -b html -j auto --fail-on-warning --keep-going $(ARGS) docs site
	@rm -rf jupyter_execute
	@echo "open site/index.html"

# mypy, which takes 15 seconds of one core, runs at the same time as the tests.
test: ruff
	@$(MAKE) --no-print-directory -j 2 mypy pytest

# Two processes share the test files in the order of the folders; the short doctests come last, so that both end at the same time.
pytest: .venv/.dev
	$(BIN)/python -m pytest -q -p tests.forks --forks 2 $(ARGS)

# Compare all kernels, and 500 random ones, with those that Numba compiles, bit by bit; run the tests marked `judge`. About ten minutes.
judge: .venv/.dev
	$(BIN)/python -m pytest -q -p tests.kernels.compiler.judge tests/ops tests/kernels/test_conv.py tests/kernels/test_pool.py tests/kernels/test_norm.py
	PADDLE_LITE_ALL_KERNELS=1 $(BIN)/python -m pytest -q tests/kernels/compiler/test_random_kernels.py
	$(BIN)/python -m pytest -q -p tests.forks --forks 2 --judge -m judge tests

# Run the acceptance scripts of the folder beside this one: examples of tutorials, and distributed jobs. About four minutes.
acceptance: .venv/.dev
	$(BIN)/python tests/acceptance.py ../shared/acceptance

# Kill processes of a job with parameter servers a hundred times: is the lost process reported in time, does the job resume? About five minutes.
kills: .venv/.dev
	$(BIN)/python tests/distributed/kills.py $(ARGS)

# Try damaged files and wrong calls: each must give a result, or an error that says what is wrong. ARGS="--cases 100000" tries more.
fuzz: .venv/.dev
	$(BIN)/python -m tests.fuzz.hostile $(ARGS)

# Train, load, save and kill saving processes for half an hour (ARGS="--hours 24": a day): do memory, file handles, threads or the time
# of a step grow? ARGS="--out FOLDER" names the folder for the plot and the table.
soak: .venv/.dev
	$(BIN)/python -m tests.soak $(ARGS)

# Run 3,000 different Programs, with and without fused kernels, and 500 sizes of batches and images: does memory grow by more than 10 MiB?
growth: .venv/.dev
	$(BIN)/python -m tests.soak.growth $(ARGS)

bench: .venv/.dev
	$(BIN)/python -m benchmarks $(ARGS)

lint: ruff mypy

ruff: .venv/.dev
	$(BIN)/ruff check .

mypy: .venv/.dev
	$(BIN)/mypy

clean:
	rm -rf .venv site docs/api jupyter_execute

# Install without compiled kernels: the tests compile those that they need, on two cores.
.venv/.dev: export HATCH_BUILD_NO_HOOKS := true

# A stamp for each set of extras: pip runs again only when pyproject.toml has changed.
.venv/.%: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@

.venv/bin/python:
	@for python in "$(PYTHON)" python3.13 python3.12 python3.11 python3.10; do \
	    if "$$python" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then \
	        echo "making .venv with $$python"; exec "$$python" -m venv .venv; \
	    fi; \
	done; \
	echo "make: needs Python 3.10 or newer with venv (on Debian: python3-venv); name it with PYTHON=..." >&2; exit 1

.PRECIOUS: .venv/.%
