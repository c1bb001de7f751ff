"""Cross entropy with a softmax over sampled classes."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Variable
from ...ops.loss import sample_logits as ops
from ..shape.select import one_hot
from ..support.arguments import check_int, check_variable, flag, is_variable
from ..support.helper import LayerHelper
from .loss import softmax_with_cross_entropy

__all__ = ["sampled_softmax_with_cross_entropy"]


def sampled_softmax_with_cross_entropy(
    logits: Variable,
    label: Variable,
    num_samples: int,
    num_true: int = 1,
    remove_accidental_hits: bool = True,
    use_customized_samples: bool = False,
    customized_samples: Any = None,
    customized_probabilities: Any = None,
    seed: int = 0,
) -> Variable:
    """Compute the cross entropy with a softmax over the true class and sampled classes, instead of all classes.

    Source: Jean et al., "On Using Very Large Target Vocabulary for Neural Machine Translation", 2015.

    Arguments:
        logits: [N, classes], float32 or float64.
        label: int64 [N, 1], the class of each row.
        num_samples: the number of classes to sample without replacement; class c has a probability in proportion to
            log((c + 2) / (c + 1)).
        num_true: must be 1, as in PaddlePaddle.
        remove_accidental_hits: whether to ignore a sampled class that is the true class.
        use_customized_samples: whether to use the following samples instead of drawing some.
        customized_samples: int64 [N, 1 + num_samples], the true class first.
        customized_probabilities: [N, 1 + num_samples], the probability of each sample.
        seed: the seed of the generator; 0 for different classes in each call.

    Returns:
        A Variable [N, 1]: the loss of each row.

    Raises:
        ArgumentTypeError: logits, label or the customized samples are not Variables, or a number is not an int.
        ArgumentValueError: num_true is not 1, or num_samples is not from 1 to the number of classes.
        IndexRangeError: a label or a customized sample is not a class.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int64, or logits is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     logits = fluid.dygraph.to_variable(np.zeros([2, 50], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[3], [7]]))
    ...     fluid.layers.sampled_softmax_with_cross_entropy(logits, label, num_samples=5, seed=1).shape
    [2, 1]
    """
    where = "sampled_softmax_with_cross_entropy"
    check_variable(where, "logits", logits)
    check_variable(where, "label", label)
    if check_int(where, "num_true", num_true) != 1:
        raise ArgumentValueError(message(where, "num_true", num_true, "1"))
    given: list[Any] = [None, None]
    if use_customized_samples:
        given = [customized_samples, customized_probabilities]
        for name, value in zip(("customized_samples", "customized_probabilities"), given, strict=True):
            if not is_variable(value):
                needs = "a Variable, where use_customized_samples is set"
                raise ArgumentTypeError(message(where, name, describe(value), needs))
    helper = LayerHelper("sample_logits")
    *_, scores, places = helper.run(
        ops.sample_logits,
        logits,
        label,
        *given,
        carry=dict(zip(("Samples", "Probabilities"), given, strict=True)) if use_customized_samples else None,
        use_customized_samples=flag(where, "use_customized_samples", use_customized_samples),
        remove_accidental_hits=flag(where, "remove_accidental_hits", remove_accidental_hits),
        num_samples=check_int(where, "num_samples", num_samples),
        seed=check_int(where, "seed", seed),
    )
    true = one_hot(places, num_samples + 1)
    return softmax_with_cross_entropy(scores, true, soft_label=True, numeric_stable_mode=False) / num_true
