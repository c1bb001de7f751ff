"""The memory of training: the increase of the process's peak memory by a step.

Every measurement runs in a new process after a small step, so that libraries and kernels do not count. Weights do not
count either; optimizer state, gradients, activations and temporary memory do.
"""

from benchmarks.bench_lstm_cell import Cell
from benchmarks.bench_mnist import Network
from benchmarks.bench_pointwise_block import Block as Pointwise
from benchmarks.bench_transformer_block import Block as Transformer
from benchmarks.bench_vision import ResNet18
from benchmarks.side import EVERYWHERE, bar, on, shown

SIDES = EVERYWHERE - {"torch.compile", "paddle3 to_static", "fluid", "fluid dygraph"}
"""All sides but those that compile again for the larger step, and PaddlePaddle 1.8.5, which preallocates its memory."""


@on(*SIDES)
@bar("torch", 0.7)
def peakmem_mnist(side):
    """memory of a training step, MNIST network, batch 512"""
    return [side.training(Network(True, batch), "adam", 0.001) for batch in (2, 512)]


@on(*SIDES)
@bar("torch", 0.7)
def peakmem_resnet18(side):
    """memory of a training step, ResNet-18, 32 images"""
    return [side.training(ResNet18(batch, trained=True), "momentum", 0.001) for batch in (1, 32)]


@on(*SIDES)
@bar("torch", 0.7)
def peakmem_lstm(side):
    """memory of a training step, LSTM cell by ops, 128 samples, width 256, 64 steps"""
    return [side.training(Cell(samples, 256, 64), "sgd", 0.001) for samples in (4, 128)]


@on(*SIDES)
@bar("torch", 0.7)
def peakmem_transformer_block(side):
    """memory of a training step, transformer block, 8 x 128 x 512"""
    return [side.training(Transformer(batch), "sgd", 0.001) for batch in (1, 8)]


@on(*SIDES)
@shown
def peakmem_pointwise_block(side):
    """memory of a training step, pointwise block, 4096 x 512"""
    return [side.training(Pointwise(rows), "sgd", 0.001) for rows in (16, 4096)]
