# make demo, make examples, make docs, make test, make acceptance, make judge, make kills, make fuzz, make soak, make growth, make bench, make lint: each
# makes .venv with what it needs, once, and runs.
# `make demo ARGS="--epochs 1"` hands ARGS on; `make test PYTHON=python3.12` makes .venv with that Python (3.10 or newer).

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin

export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1
# Of the ten thousand modules of other packages few are imported. Python compiles these at their first import, and keeps them; pip, which would
# take as long for all as for the rest of its work, compiles none.
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

# The documentation as a site, in the folder site; a warning, and an error in a notebook, ends it.
docs: .venv/.docs
	rm -rf site
	$(BIN)/python -m sphinx -b html -j auto --fail-on-warning --keep-going $(ARGS) docs site
	@rm -rf jupyter_execute
	@echo "open site/index.html"

# mypy needs a quarter of a minute of one core: it works beside the tests.
test: ruff
	@$(MAKE) --no-print-directory -j 2 mypy pytest

# Files go to two processes in the order of the folders: the quick examples of docstrings come last, so that both end at the same time.
pytest: .venv/.dev
	$(BIN)/python -m pytest -q -p tests.forks --forks 2 $(ARGS)

# Every kernel of the operators, and 500 random ones, by our compiler and by Numba: the same bits? And the tests that are marked `judge`.
# Takes some ten minutes.
judge: .venv/.dev
	$(BIN)/python -m pytest -q -p tests.kernels.compiler.judge tests/ops tests/kernels/test_conv.py tests/kernels/test_pool.py tests/kernels/test_norm.py
	PADDLE_LITE_ALL_KERNELS=1 $(BIN)/python -m pytest -q tests/kernels/compiler/test_random_kernels.py
	$(BIN)/python -m pytest -q -p tests.forks --forks 2 --judge -m judge tests

# The examples of the tutorials, and jobs of several processes, where the folder of them stands beside this one. Takes some four minutes.
acceptance: .venv/.dev
	$(BIN)/python tests/acceptance.py ../shared/acceptance

# A hundred kills of processes of a job with parameter servers: is a process named in time, does training go on? Some five minutes.
kills: .venv/.dev
	$(BIN)/python tests/distributed/kills.py $(ARGS)

# Hostile files and wrong calls: does each end in a result, or in an error that says what is wrong? ARGS="--cases 100000" tries more.
fuzz: .venv/.dev
	$(BIN)/python -m tests.fuzz.hostile $(ARGS)

# Half an hour (a day: ARGS="--hours 24") of training, loading, saving and kills of savers: do memory, file handles, threads or the time
# of a step grow? --out FOLDER says where the picture and the table go.
soak: .venv/.dev
	$(BIN)/python -m tests.soak $(ARGS)

# 3,000 different Programs, with and without fused kernels, and 500 sizes of batches and images: does memory grow by more than 10 MiB?
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

# The tests compile the kernels that they need, on two cores; an installation would compile all beforehand, on one.
.venv/.dev: export HATCH_BUILD_NO_HOOKS := true

# The stamp of a set of extras: pip runs again only when pyproject.toml has changed.
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
