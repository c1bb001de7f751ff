"""Random calls of convolutions over volumes."""

from tests.oracle.draws.nn.conv import convolution

CALLS = {
    "conv3d": lambda d: convolution(d, d.int(1, 3), d.int(1, 3), d.int(1, 3), 3, ("NCDHW", "NDHWC", "AnyLayout")),
}
