"""`paddle.fluid.contrib.decoder.beam_search_decoder`. Made by `python -m stubs`."""

from paddle_lite.fluid.contrib.decoder import *
from paddle_lite.fluid.contrib.decoder import _ArrayState as _ArrayState
from paddle_lite.fluid.contrib.decoder import _DecoderType as _DecoderType
from paddle_lite.fluid.contrib.decoder import _MemoryState as _MemoryState
from paddle_lite.fluid.contrib.decoder import _append_grad_suffix_ as _append_grad_suffix_
from paddle_lite.fluid.contrib.decoder import _current_expected_place as _current_expected_place
from paddle_lite.fluid.contrib.decoder import _dygraph_tracer as _dygraph_tracer
from paddle_lite.fluid.contrib.decoder import _varbase_creator as _varbase_creator
