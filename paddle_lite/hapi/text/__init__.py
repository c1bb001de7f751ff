"""Layers for text: recurrent networks, convolution, Transformer, beam search, conditional random fields.

`core/lazy.py` explains the table.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    hapi.text: bidirectional.* cells.* convolution.* decoding.* recurrent.* tagging.* transformer.*
    layers.rnn.beam_search_decoder: BeamSearchDecoder

    [text] Layers for text.
    hapi.text: bidirectional.* cells.* convolution.* decoding.* recurrent.* tagging.* transformer.*
    layers.rnn.beam_search_decoder: BeamSearchDecoder
    within hapi.text.transformer: PrePostProcessLayer
    """,
)
