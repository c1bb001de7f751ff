"""BeamSearchDecoder: the most probable sequences that a cell predicts, found by beam search."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...core import unique_name
from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...layers.control.control_flow import Switch, While
from ...layers.control.tensor_array import array_read, array_write
from ...layers.math.arithmetic import increment
from ...layers.math.compare import is_empty, less_than
from ...layers.math.elementwise import elementwise_add
from ...layers.nn.activation import log
from ...layers.nn.dense import fc
from ...layers.nn.embedding import embedding
from ...layers.rnn.beam import beam_search, beam_search_decode
from ...layers.sequence.sequence_shape import lod_reset, sequence_expand
from ...layers.shape.fill import fill_constant
from ...layers.shape.index import topk
from ...layers.shape.shape import reshape
from ...static.program.block import Block
from ...static.program.program import default_main_program
from ...static.program.python_operators import is_variable
from .stages import BEHIND, Stages
from .state_cell import DecoderError, DecoderType, StateCell

SEARCH_END = 1
"""The word behind which `decode` does not go on: PaddlePaddle 1.8.5 takes this one, whatever end_id is."""


class BeamSearchDecoder(Stages):
    """Predicts sequences by a cell: in each step the `beam_size` most probable beginnings of each sequence go on.

    `decode()` embeds the words of the step before, computes the states, and predicts words from the cell's out_state by a fully
    connected layer. Other steps are written inside of `block()`.

    Arguments:
        state_cell: the StateCell.
        init_ids, init_scores: the first word of each sequence, int64 [N, 1], and its score, float32 [N, 1]; both with two LoD levels.
        target_dict_dim: how many words there are.
        word_dim: the size of embeddings.
        input_var_dict: name -> Variable of inputs of the cell that do not change from step to step.
        topk_size: how many words of each beginning are looked at.
        sparse_emb: whether gradients of the embedding are sparse.
        max_len: the number of steps at most.
        beam_size: how many beginnings of a sequence go on.
        end_id: the word that ends a sequence in the results; `decode` stops a beginning at word 1, as PaddlePaddle 1.8.5 does.
        name: not used; names of results come from the layers.

    Raises:
        ArgumentTypeError: state_cell is no StateCell.
        DecoderError: the cell is part of another decoder that is not complete; a method is called outside of `block()`, or the results
            are read inside of it.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.contrib.decoder import BeamSearchDecoder, InitState, StateCell
    >>> with fluid.program_guard(fluid.Program()):
    ...     first = fluid.data('first', [None, 8], lod_level=1)
    ...     cell = StateCell(inputs={'x': None}, states={'h': InitState(init=first)}, out_state='h')
    ...     @cell.state_updater
    ...     def update(cell):
    ...         parts = [cell.get_state('h'), cell.get_input('x')]
    ...         cell.set_state('h', fluid.layers.fc(parts, 8, act='tanh'))
    ...     ids = fluid.data('ids', [None, 1], 'int64', lod_level=2)
    ...     scores = fluid.data('scores', [None, 1], lod_level=2)
    ...     decoder = BeamSearchDecoder(cell, ids, scores, target_dict_dim=10, word_dim=4, topk_size=5, beam_size=2)
    ...     decoder.decode()
    ...     len(decoder())
    2
    """

    BEFORE_BEAM_SEARCH_DECODER, IN_BEAM_SEARCH_DECODER, AFTER_BEAM_SEARCH_DECODER = 0, 1, 2

    def __init__(
        self,
        state_cell: StateCell,
        init_ids: Any,
        init_scores: Any,
        target_dict_dim: int,
        word_dim: int,
        input_var_dict: Mapping[str, Any] | None = None,
        topk_size: int = 50,
        sparse_emb: bool = True,
        max_len: int = 100,
        beam_size: int = 1,
        end_id: int = 1,
        name: str | None = None,
    ) -> None:
        super().__init__(state_cell)
        self._counter = fill_constant(shape=[1], dtype="int64", value=0)
        self._counter.stop_gradient = True
        self._max_len = fill_constant(shape=[1], dtype="int64", value=max_len)
        self._cond = less_than(x=self._counter, y=fill_constant(shape=[1], dtype="int64", value=max_len))
        self._while_op = While(self._cond)
        self._zero_idx = fill_constant(shape=[1], dtype="int64", value=0, force_cpu=True)
        self._array_dict: dict[str, Any] = {}  # by the name of what was read
        self._array_link: list[tuple[Any, Any]] = []  # (value, array to write it to at the end of the step)
        self._ids_array: Any = None
        self._scores_array: Any = None
        self._init_ids, self._init_scores = init_ids, init_scores
        self._target_dict_dim, self._word_dim = target_dict_dim, word_dim
        self._input_var_dict = dict(input_var_dict or {})
        self._topk_size, self._sparse_emb = topk_size, sparse_emb
        self._beam_size, self._end_id = beam_size, end_id

    @contextmanager
    def block(self) -> Iterator[None]:
        """Build one step inside of the `with` block."""
        self._begin()
        with self._while_op.block():
            yield
            with Switch() as switch, switch.case(self._cond):
                increment(x=self._counter, value=1, in_place=True)
                for value, array in self._array_link:
                    array_write(x=value, i=self._counter, array=array)
                less_than(x=self._counter, y=self._max_len, cond=self._cond)
        self._end()

    @property
    def type(self) -> int:
        """The kind of decoder."""
        return DecoderType.BEAM_SEARCH

    @property
    def state_cell(self) -> StateCell:
        """The cell, inside of `block()`."""
        self._assert_in_decoder_block("state_cell")
        return self._state_cell

    def early_stop(self) -> None:
        """End the search behind this step."""
        fill_constant(shape=[1], value=0, dtype="bool", force_cpu=True, out=self._cond)

    def decode(self) -> None:
        """Build the whole search.

        Raises:
            ArgumentValueError: the cell has no input of a name of input_var_dict.
        """
        with self.block():
            words = self.read_array(init=self._init_ids, is_ids=True)
            scores = self.read_array(init=self._init_scores, is_scores=True)
            size = [self._target_dict_dim, self._word_dim]
            embedded = embedding(input=words, size=size, dtype="float32", is_sparse=self._sparse_emb)
            constant, inputs = self._constant_inputs(scores)
            cell = self.state_cell
            states = {name: cell.get_state(name) for name in cell._state_names}
            for name, state in states.items():
                cell.set_state(name, sequence_expand(state, scores))
            for name in cell._inputs:
                inputs.setdefault(name, embedded)
            cell.compute_state(inputs=inputs)
            found_words, found_scores = self._search(words, scores, cell.out_state())
            with Switch() as switch:
                with switch.case(is_empty(x=found_words)):
                    self.early_stop()
                with switch.default():
                    cell.update_states()
                    self.update_array(words, found_words)
                    self.update_array(scores, found_scores)
                    for name, read in constant.items():
                        self.update_array(read, inputs[name])

    def _constant_inputs(self, scores: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the inputs that do not change, by name: as they were read, and with a row for each beginning."""
        constant, inputs = {}, {}
        for name, variable in self._input_var_dict.items():
            if name not in self._state_cell._inputs:
                got, needs = f"an input {name!r}", f"inputs of the cell, {list(self._state_cell._inputs)}"
                raise ArgumentValueError(message("BeamSearchDecoder.decode", "input_var_dict", got, needs))
            constant[name] = self.read_array(init=variable)
            inputs[name] = sequence_expand(constant[name], scores)
        return constant, inputs

    def _search(self, words: Any, scores: Any, state: Any) -> tuple[Any, Any]:
        """Return the words with which the most probable beginnings go on, and their scores."""
        predicted = fc(lod_reset(x=state, y=scores), size=self._target_dict_dim, act="softmax")
        top, indices = topk(predicted, k=self._topk_size)
        total = elementwise_add(x=log(top), y=reshape(scores, shape=[-1]), axis=0)
        return beam_search(words, scores, indices, total, self._beam_size, end_id=SEARCH_END, level=0)

    def read_array(self, init: Any, is_ids: bool = False, is_scores: bool = False) -> Any:
        """Return what an array holds for this step, which is `init` in the first one.

        Arguments:
            init: the value in the first step, a Variable.
            is_ids: whether it holds the words.
            is_scores: whether it holds the scores.

        Raises:
            ArgumentTypeError: init is no Variable.
            ArgumentValueError: both is_ids and is_scores are True.
        """
        self._assert_in_decoder_block("read_array")
        call = "BeamSearchDecoder.read_array"
        if is_ids and is_scores:
            raise ArgumentValueError(message(call, "is_ids and is_scores", "both True", "one of them only"))
        if not is_variable(init):
            raise ArgumentTypeError(message(call, "init", describe(init), "a Variable"))
        block = self._parent_block()
        name = unique_name.generate("beam_search_decoder_array")
        array = block.create_var(name=name, type=VarType.LOD_TENSOR_ARRAY, dtype=init.dtype)
        block.append_op("write_to_array", {"X": init, "I": self._zero_idx}, {"Out": array})
        if is_ids:
            self._ids_array = array
        elif is_scores:
            self._scores_array = array
        read = array_read(array=array, i=self._counter)
        self._array_dict[read.name] = array
        return read

    def update_array(self, array: Any, value: Any) -> None:
        """Set what an array holds for the next step.

        Arguments:
            array: what `read_array` returned.
            value: a Variable.

        Raises:
            ArgumentTypeError: an argument is no Variable.
            ArgumentValueError: `read_array` has not returned `array`.
        """
        self._assert_in_decoder_block("update_array")
        call = "BeamSearchDecoder.update_array"
        for argument, given in (("array", array), ("value", value)):
            if not is_variable(given):
                raise ArgumentTypeError(message(call, argument, describe(given), "a Variable"))
        if array.name not in self._array_dict:
            raise ArgumentValueError(message(call, "array", array.name, "what read_array returned"))
        self._array_link.append((value, self._array_dict[array.name]))

    def __call__(self) -> tuple[Any, Any]:
        """Return the sequences that were found, and their scores; `layers.beam_search_decode` explains both."""
        if self._status != BEHIND:
            raise DecoderError("BeamSearchDecoder: its results are there behind `decode()` only.")
        return beam_search_decode(
            ids=self._ids_array, scores=self._scores_array, beam_size=self._beam_size, end_id=self._end_id
        )

    def _parent_block(self) -> Block:
        """Return the block around the loop."""
        program = default_main_program()
        return program.block(program.current_block().parent_idx)
