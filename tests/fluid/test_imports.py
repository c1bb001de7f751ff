"""The import lines of programs of 2018-2020, under `run`."""

from __future__ import annotations

import subprocess
import sys

LINES = """
import paddle
import paddle.fluid as fluid
import paddle.fluid.core as core
import paddle.fluid.framework as framework
import paddle.fluid.layers as layers
import paddle.fluid.dygraph as dygraph
import paddle.fluid.initializer as init
import paddle.fluid.optimizer as opt
import paddle.fluid.io as io
import paddle.fluid.average as average
import paddle.dataset.mnist as mnist
import paddle.dataset.uci_housing as uci
import paddle.compat as cpt
import paddle.version
import paddle.batch
from paddle import fluid
from paddle.fluid import core, dygraph, layers, ParamAttr, Parameter, Variable
from paddle.fluid.clip import GradientClipByGlobalNorm, GradientClipByNorm, GradientClipByValue
from paddle.fluid.core import CPUPlace, CUDAPlace, EOFException, EnforceNotMet, VarDesc
from paddle.fluid.dygraph import Conv2D, Embedding, Layer, LayerList, LayerNorm, Linear, Pool2D, Sequential, to_variable
from paddle.fluid.contrib import memory_usage, mixed_precision, op_freq_statistic, slim
from paddle.fluid.contrib.layers.rnn_impl import basic_lstm
from paddle.fluid.contrib.memory_usage_calc import memory_usage
from paddle.fluid.contrib.mixed_precision.decorator import decorate
from paddle.fluid.debugger import draw_block_graphviz
from paddle.fluid.dygraph import declarative_is_missing
from paddle.fluid.dygraph.base import guard, no_grad, to_variable
from paddle.fluid.dygraph.checkpoint import load_dygraph, save_dygraph
from paddle.fluid.dygraph.container import Sequential
from paddle.fluid.dygraph.jit import TracedLayer
from paddle.fluid.dygraph.layers import Layer
from paddle.fluid.dygraph.learning_rate_scheduler import LearningRateDecay, NoamDecay, PiecewiseDecay
from paddle.fluid.dygraph.parallel import DataParallel, Env, ParallelEnv, ParallelStrategy, prepare_context
from paddle.fluid.dygraph.nn import BatchNorm, Conv2D, Dropout, Embedding, LayerNorm, Linear, Pool2D
from paddle.fluid.framework import Parameter, Variable, _current_expected_place, cpu_places, default_main_program, in_dygraph_mode
from paddle.fluid.initializer import Constant, ConstantInitializer, MSRA, Normal, NumpyArrayInitializer, Uniform, Xavier
from paddle.fluid.io import DataLoader, PyReader
from paddle.fluid.layer_helper import LayerHelper
from paddle.fluid.layers.learning_rate_scheduler import cosine_decay, noam_decay, piecewise_decay
from paddle.fluid.layers.nn import dropout, matmul, pool2d, relu, reshape, topk
from paddle.fluid.layers.ops import exp, sigmoid, sqrt, tanh
from paddle.fluid.layers.tensor import cast, concat, fill_constant, zeros
from paddle.fluid.metrics import Accuracy, Auc
from paddle.fluid.optimizer import Adam, AdamOptimizer, Momentum, SGD, SGDOptimizer
from paddle.fluid.param_attr import ParamAttr
from paddle.fluid.profiler import profiler, start_profiler, stop_profiler
from paddle.fluid.reader import DataLoader, PyReader
from paddle.fluid.regularizer import L1Decay, L2Decay, L2DecayRegularizer
from paddle.fluid.transpiler import DistributeTranspiler, memory_optimize
from paddle.fluid.transpiler.distribute_transpiler import DistributeTranspilerConfig
from paddle.profiler import profiler
from paddle.reader import buffered, map_readers, shuffle, xmap_readers
from paddle.imperative import DataParallel, ParallelEnv, TracedLayer, prepare_context, to_variable
from paddle.io import DataLoader, PyReader
from paddle import create_parameter
from paddle.incubate_is_missing import x
from paddle.nn import Conv2D, Layer, Linear, Pool2D
from paddle.nn.functional import cross_entropy, softmax
from paddle.optimizer import AdamOptimizer
from paddle.tensor.math import add, mm
"""

PROGRAM = f"""
failed = []
for line in {LINES.strip().splitlines()!r}:
    try:
        exec(line, {{}})
    except ImportError as error:
        failed.append((line.split()[1], str(error)))
for failure in failed:
    print(*failure)
"""


def test_import_lines() -> None:
    """All but those that ask for what neither PaddlePaddle nor paddle_lite has."""
    command = [sys.executable, "-m", "paddle_lite", "run", "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    failed = done.stdout.splitlines()
    assert [line.split()[0] for line in failed] == ["paddle.fluid.dygraph", "paddle.incubate_is_missing"]
    assert all("has no attribute" in line for line in failed)


ORDER = """
import paddle_lite.compat; paddle_lite.compat.install()
import importlib
import paddle.fluid
importlib.import_module("paddle_lite.fluid.reader")
from paddle.fluid.reader import DataLoader
assert DataLoader is paddle.fluid.io.DataLoader
from paddle.fluid.layers.tensor import LayerHelper, Initializer, core, templatedoc
from paddle.fluid.transpiler.distribute_transpiler import grad_var_name
assert core is paddle.fluid.core and grad_var_name is paddle.fluid.framework.grad_var_name
try:
    from paddle.fluid.transpiler.distribute_transpiler import ConvLSTM
except ImportError as error:
    assert "ConvLSTM" in str(error)
else:
    raise AssertionError
"""


def test_names_that_files_of_1_8_import_for_themselves() -> None:
    """Also where a module is imported under its second name below paddle_lite first."""
    subprocess.run([sys.executable, "-c", ORDER], check=True)
