"""An operator is found by its type, without loading the families that do not declare it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from paddle_lite.core.errors import NotYetAvailable
from paddle_lite.core.lazy import source_of
from paddle_lite.ops.framework import registry


def test_the_source_of_its_family_names_every_operator() -> None:
    texts = [source_of(f"{registry.OPS}.{family}") for family in registry.families()]
    declared = [op.type for op in registry.all_ops() if op.family in registry.families()]
    assert len(declared) > 400
    missing = [type for type in declared if not any(registry.named(type) in (text or b"") for text in texts)]
    assert missing == []


ONE_OPERATOR = """
import os, sys
from paddle_lite.ops.framework import registry

for type in sys.argv[1:]:
    child = os.fork()
    if not child:
        print(registry.get(type).type, sum(f"{registry.OPS}.{family}" in sys.modules for family in registry.families()), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
print(len(registry.families()))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process for each operator is forked")
def test_few_families_are_loaded_for_one_operator() -> None:
    types = ["uniform_random", "softmax_grad", "square_grad_grad", "elementwise_add", "sgd"]
    done = subprocess.run([sys.executable, "-c", ONE_OPERATOR, *types], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *lines, families = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == types
    for line in lines:
        assert 0 < int(line.split()[1]) < int(families) // 2, line


def test_an_operator_that_nobody_declares() -> None:
    with pytest.raises(NotYetAvailable, match="operator 'no_such_operator' is not available"):
        registry.get("no_such_operator")


@pytest.mark.parametrize("module", ["layers.nn.dense", "imperative.base", "static.execution.executor"])
def test_every_use_of_operators_sets_the_process_up(module: str) -> None:
    """Overflows in kernels warn of nothing, and freed arrays are kept for the next ones."""
    code = (
        f"import sys, warnings, paddle_lite.{module}\n"
        "from paddle_lite.kernels import memory\n"
        "print(any(category is RuntimeWarning and action == 'ignore' and module.match('paddle_lite.ops.x')\n"
        "    for action, text, category, module, line in warnings.filters if module is not None))\n"
        "print(memory._done or sys.platform != 'linux')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True"], done.stderr
