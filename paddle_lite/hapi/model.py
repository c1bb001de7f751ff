"""The Model: a network that trains, evaluates and predicts by single calls, in imperative and in static mode."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    MissingFileError,
    MissingKeyError,
    ShapeError,
    describe,
    message,
)
from ..core.files.saves import loading
from ..core.mode import ByMode
from ..core.place import CPUPlace, CUDAPlace, Place, is_compiled_with_cuda
from ..core.tracebacks import user_level
from ..distributed.environment import ParallelEnv
from ..imperative.layer import Layer
from ..imperative.layers.state import NAME_TABLE
from ..io import pickled
from ..io.state import OPTIMIZER, PARAMETERS
from .callbacks import CallbackList, History, config_callbacks
from .epochs import length_of, loader_of, run_epoch
from .imperative_runner import ImperativeRunner
from .inputs import Input, set_device
from .loss import Loss
from .metrics import Metric
from .static_runner import StaticRunner
from .utils import extract_args, to_list

__all__ = ["Input", "Model", "set_device"]

_runner_of_mode = ByMode(imperative=ImperativeRunner, static=StaticRunner)


def _need_inputs(inputs: Any) -> None:
    """Raise unless inputs are described, which Programs need."""
    if not isinstance(inputs, (list, tuple, dict, Input)):
        needs = "an Input, a list of them, or a dict by argument of forward, in static mode"
        raise ArgumentTypeError(message("Model.prepare", "inputs", describe(inputs), needs))


_check_inputs = ByMode(imperative=lambda inputs: None, static=_need_inputs)


class Model(Layer):
    """A network with `fit`, `evaluate` and `predict`. A subclass makes its parts in `__init__` and computes in `forward`.

    It runs in the mode that is on when it is made. Static mode needs a description of the inputs, `prepare(inputs=)`.

    >>> import numpy as np, paddle_lite as paddle
    >>> from paddle_lite.hapi import Input, Model
    >>> paddle.enable_imperative()
    >>> class Line(Model):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.fc = paddle.nn.Linear(4, 3, act='softmax')
    ...     def forward(self, x):
    ...         return self.fc(x)
    >>> class Corners(paddle.io.Dataset):
    ...     def __getitem__(self, i):
    ...         return np.eye(4, dtype='float32')[i % 3], np.array([i % 3])
    ...     def __len__(self):
    ...         return 30
    >>> model = Line()
    >>> adam = paddle.optimizer.Adam(0.1, parameter_list=model.parameters())
    >>> model.prepare(adam, paddle.hapi.loss.CrossEntropy(), paddle.hapi.metrics.Accuracy())
    >>> history = model.fit(Corners(), batch_size=10, epochs=5, verbose=0)
    >>> model.evaluate(Corners(), batch_size=10, verbose=0)['acc']
    1.0
    """

    def __init__(self) -> None:
        super().__init__(type(self).__name__)
        self.mode = "train"
        self._place: Place = CPUPlace()
        self._inputs: list[Any] | None = None
        self._labels: list[Any] | None = None
        self._loss_function: Loss | None = None
        self._metrics: list[Metric] = []
        self._optimizer: Any = None
        self._test_dataloader: Any = None
        self._adapter = _runner_of_mode(self)

    # --- preparing ------------------------------------------------------------------------------------------------

    def prepare(
        self,
        optimizer: Any = None,
        loss_function: Loss | None = None,
        metrics: Any = None,
        inputs: Any = None,
        labels: Any = None,
        device: Any = None,
    ) -> None:
        """Say how the Model is trained and evaluated; in static mode build its Programs.

        In a job of several processes (`paddle.distributed.launch`, mpiexec) it connects them, and copies the parameters of the first
        one to the others. Each trains with its part of a Dataset, and gradients are averaged; `evaluate` and `predict` return the same
        in each, of the whole Dataset.

        Arguments:
            optimizer: the optimizer; not needed to evaluate and predict.
            loss_function: a Loss, from `paddle.hapi.loss` or of a class derived from `Loss`; training needs one.
            metrics: a Metric, or a list of them.
            inputs: an Input, a list of them in the order of the arguments of `forward`, or a dict by their names. Static
                mode needs them; in imperative mode what data holds behind the arguments of `forward` are labels by default.
            labels: an Input for each label, in a list.
            device: "cpu", "gpu" or a Place; by default the GPU if there is a usable one.

        Raises:
            ArgumentTypeError: an argument has the wrong type, or static mode lacks `inputs`.
            ArgumentValueError: `device` is something else.
            ModeError: the job has several processes, and MPI or NCCL is not available.
            PeerError: another process of the job is lost, or does not come.

        >>> import paddle_lite as paddle
        >>> paddle.enable_imperative()
        >>> model = paddle.hapi.vision.models.LeNet()
        >>> model.prepare(metrics=paddle.hapi.metrics.Accuracy(), device='cpu')
        """
        where = "Model.prepare"
        self._place = _place_of(device)
        if loss_function is not None and not isinstance(loss_function, Loss):
            fix = "Derive a class from paddle.hapi.loss.Loss whose forward(outputs, labels) computes it."
            raise ArgumentTypeError(message(where, "loss_function", describe(loss_function), "a hapi Loss", fix))
        for metric in to_list(metrics or []):
            if not isinstance(metric, Metric):
                fix = "Derive a class from paddle.hapi.metrics.Metric."
                raise ArgumentTypeError(message(where, "metrics", describe(metric), "hapi Metrics", fix))
        _check_inputs(inputs)
        self._optimizer, self._loss_function, self._metrics = optimizer, loss_function, to_list(metrics or [])
        if isinstance(inputs, dict):
            inputs = [inputs[name] for name in extract_args(self.forward) if name != "self"]
        self._inputs, self._labels = to_list(inputs), to_list(labels)
        self._adapter.prepare()

    def parameters(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Return all parameters, each once."""
        return super().parameters()

    # --- batches --------------------------------------------------------------------------------------------------

    def train_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Train with a batch: one step of the optimizer.

        Arguments:
            inputs: an array for each input, in a list.
            labels: an array for each label, in a list; None where there are none.

        Returns:
            The losses, ndarrays [1] in a list; with metrics a tuple of that list and a list of what the `update` of each
            metric returned.

        Raises:
            ModeError: `prepare` was not called with an optimizer and a loss.

        >>> import numpy as np, paddle_lite as paddle
        >>> paddle.enable_imperative()
        >>> model = paddle.hapi.vision.models.LeNet()
        >>> sgd = paddle.optimizer.SGD(0.01, parameter_list=model.parameters())
        >>> model.prepare(sgd, paddle.hapi.loss.CrossEntropy())
        >>> [loss.shape for loss in model.train_batch([np.zeros([2, 1, 28, 28], 'float32')], [np.array([[1], [2]])])]
        [(1,)]
        """
        return self._adapter.train_batch(inputs, labels)

    def eval_batch(self, inputs: Any, labels: Any = None) -> Any:
        """Evaluate a batch; the parameters stay as they are.

        Arguments:
            inputs: an array for each input, in a list.
            labels: an array for each label, in a list; None where there are none.

        Returns:
            What `train_batch` returns; the list of losses is empty without a loss_function.
        """
        return self._adapter.eval_batch(inputs, labels)

    def test_batch(self, inputs: Any) -> list[np.ndarray]:
        """Return the outputs for a batch as ndarrays.

        Arguments:
            inputs: an array for each input, in a list.
        """
        return self._adapter.test_batch(inputs)

    # --- files ----------------------------------------------------------------------------------------------------

    def save(self, path: str) -> None:
        """Write the parameters to `path`.pdparams, and the state of the optimizer to `path`.pdopt if it has any.

        A Model of either mode loads the files, and so does PaddlePaddle.

        Arguments:
            path: folder and file name without a suffix; the folder is created.

        Raises:
            ArgumentValueError: the path has no file name.
        """
        if not os.path.basename(path):
            raise ArgumentValueError(message("Model.save", "path", repr(path), "folder/name, without a suffix"))
        if ParallelEnv().local_rank == 0:
            self._adapter.save(path)

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Set the parameters, and the state of the optimizer, from the files that `save` wrote in either mode.

        Arguments:
            path: the path that was passed to `save`, with or without a suffix.
            skip_mismatch: whether parameters that the file lacks, or holds in another shape, give a warning and stay as
                they are, as for fine-tuning; the optimizer then stays as it is, too. False: they raise.
            reset_optimizer: whether the optimizer stays as it is.

        Raises:
            ArgumentValueError: the path has an unknown suffix.
            MissingFileError: there is no file `path`.pdparams.
            MissingKeyError, ShapeError: the file lacks a parameter, or holds it in another shape.
        """
        stem, suffix = os.path.splitext(path)
        if suffix not in ("", PARAMETERS, OPTIMIZER, ".pdmodel"):
            raise ArgumentValueError(message("Model.load", "path", repr(path), "a path without a suffix, or .pdparams"))
        if not os.path.isfile(stem + PARAMETERS):
            raise MissingFileError(message("Model.load", "path", repr(path), f"an existing file {stem}{PARAMETERS}"))
        with loading(os.path.dirname(stem)):
            found = pickled.read(stem + PARAMETERS)
            values = []
            for key, parameter in self.state_dict().items():
                misfit = _misfit(key, parameter, found)
                if misfit is None:
                    values.append((parameter, found[key]))
                elif skip_mismatch:
                    warnings.warn(f"Skip loading for {key}. {misfit}", stacklevel=user_level())
                    reset_optimizer = True
                else:
                    raise misfit
            keeps = reset_optimizer or not os.path.isfile(stem + OPTIMIZER)
            kept = {} if keeps else pickled.read(stem + OPTIMIZER)
        self._adapter.load(values, {key: value for key, value in kept.items() if key != NAME_TABLE})

    def save_inference_model(
        self,
        save_dir: str,
        model_filename: str | None = None,
        params_filename: str | None = None,
        model_only: bool = False,
    ) -> list[str]:
        """Write the Program that predicts and its parameters, for `fluid.io.load_inference_model`.

        Arguments:
            save_dir: the folder.
            model_filename: the name of the Program's file, "__model__" by default.
            params_filename: the name of one file of all parameters; None: a file for each.
            model_only: whether to write no parameters.

        Returns:
            The names of the outputs.

        Raises:
            ModeError: the Model was made in imperative mode, or `prepare` was not called.
        """
        return self._adapter.save_inference_model(save_dir, model_filename, params_filename, model_only)

    # --- data sets ------------------------------------------------------------------------------------------------

    def fit(
        self,
        train_data: Any = None,
        eval_data: Any = None,
        batch_size: int = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: Any = None,
    ) -> History:
        """Train for a number of epochs.

        Arguments:
            train_data: a Dataset, a DataLoader, another iterable over batches, or a function that returns one for each epoch.
            eval_data: the same, to evaluate after epochs; None: no evaluation.
            batch_size, drop_last, shuffle, num_workers: of the DataLoader that is made for a Dataset.
            epochs: the number of epochs.
            eval_freq: the number of epochs between two evaluations.
            log_freq: the number of steps between two prints.
            save_dir: a folder for checkpoints; None: nothing is saved.
            save_freq: the number of epochs between two checkpoints.
            verbose: 0 prints nothing, 1 a bar, 2 a line each time.
            callbacks: a Callback, or a list of them.

        Returns:
            A History: the losses and metrics of all steps and epochs, which `paddle_lite.plot.curves` draws.

        Raises:
            ArgumentValueError: `train_data` is missing.
            ModeError: `prepare` was not called with an optimizer and a loss.
        """
        if train_data is None:
            raise ArgumentValueError(
                message("Model.fit", "train_data", "None", "a Dataset or an iterable over batches")
            )
        train = loader_of(train_data, self._place, batch_size, num_workers, shuffle, drop_last)
        evaluated = loader_of(eval_data, self._place, batch_size, num_workers)
        self._test_dataloader = evaluated
        names = self._metrics_name()
        history = History()
        run = config_callbacks(
            [*to_list(callbacks or []), history],
            model=self,
            epochs=epochs,
            steps=length_of(train),
            log_freq=log_freq,
            save_freq=save_freq,
            save_dir=save_dir,
            verbose=verbose,
            metrics=names,
        )
        run.on_begin("train")
        logs: dict[str, Any] = {}
        for epoch in range(epochs):
            run.on_epoch_begin(epoch)
            logs, _ = run_epoch(self, train, run, "train")
            run.on_epoch_end(epoch, logs)
            if evaluated is not None and epoch % eval_freq == 0:
                self._evaluate(evaluated, run)
        run.on_end("train", logs)
        self._test_dataloader = None
        return history

    def _evaluate(self, loader: Any, run: CallbackList) -> dict[str, Any]:
        """Evaluate all batches; return the logs of the last one."""
        run.on_begin("eval", {"steps": length_of(loader), "metrics": self._metrics_name()})
        logs, _ = run_epoch(self, loader, run, "eval")
        run.on_end("eval", logs)
        return logs

    def evaluate(
        self,
        eval_data: Any,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: Any = None,
    ) -> dict[str, Any]:
        """Return the loss of the last batch, and the metrics of all batches.

        Arguments:
            eval_data: as for `fit`.
            batch_size, num_workers: of the DataLoader that is made for a Dataset.
            log_freq: the number of steps between two prints.
            verbose: 0 prints nothing, 1 a bar, 2 a line each time.
            callbacks: a Callback, or a list of them.

        Returns:
            A dict of "loss", if the Model has a loss_function, and of the metrics by their names.
        """
        loader = loader_of(eval_data, self._place, batch_size, num_workers)
        self._test_dataloader = loader
        run = config_callbacks(callbacks, model=self, log_freq=log_freq, verbose=verbose, metrics=self._metrics_name())
        logs = self._evaluate(loader, run)
        self._test_dataloader = None
        return {name: logs[name] for name in self._metrics_name()}

    def predict(
        self,
        test_data: Any,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        callbacks: Any = None,
    ) -> list[Any]:
        """Return the outputs for all batches.

        Arguments:
            test_data: as for `fit`; what follows the inputs is ignored.
            batch_size, num_workers: of the DataLoader that is made for a Dataset.
            stack_outputs: whether to return an ndarray [N, ...] for each output; False: a tuple of the batches' ndarrays.
            callbacks: a Callback, or a list of them.

        Returns:
            A list with an entry for each output of the Model.
        """
        loader = loader_of(test_data, self._place, batch_size, num_workers)
        self._test_dataloader = loader
        run = config_callbacks(callbacks, model=self, verbose=1)
        run.on_begin("test", {"steps": length_of(loader)})
        logs, batches = run_epoch(self, loader, run, "test")
        outputs: list[Any] = list(zip(*batches, strict=False))
        self._test_dataloader = None
        run.on_end("test", logs)
        return [np.vstack(each) for each in outputs] if stack_outputs else outputs

    def _metrics_name(self) -> list[str]:
        """Return "loss", and the names of the metrics."""
        return ["loss", *(name for metric in self._metrics for name in to_list(metric.name()))]

    def _reset_metrics(self) -> None:
        for metric in self._metrics:
            metric.reset()


def _place_of(device: Any) -> Place:
    """Return the place of an argument `device`."""
    if isinstance(device, Place):
        return device
    if device is None:
        return CUDAPlace(ParallelEnv().dev_id) if is_compiled_with_cuda() else CPUPlace()
    if not isinstance(device, str) or device.lower() not in ("cpu", "gpu"):
        needs = "'cpu', 'gpu', a Place or None"
        raise ArgumentValueError(message("Model.prepare", "device", describe(device), needs))
    return CPUPlace() if device.lower() == "cpu" else CUDAPlace(ParallelEnv().dev_id)


def _misfit(key: str, parameter: Any, found: dict[str, Any]) -> Exception | None:
    """Return the error of a parameter that a file lacks, or holds in another shape; None where it fits."""
    where = "Model.load"
    if found.get(key) is None:
        held: Sequence[str] = [name for name in found if name != NAME_TABLE]
        text = ", ".join(held[:8]) + (", ..." if len(held) > 8 else "")
        fix = "Pass skip_mismatch=True to load what fits."
        return MissingKeyError(message(where, "the file", f"no entry for {key}", f"one; it holds {text}", fix))
    got, needs = list(np.shape(found[key])), list(parameter.shape)
    if got != needs:
        fix = "Pass skip_mismatch=True to load what fits."
        return ShapeError(message(where, f"entry {key}", f"shape {got}", f"shape {needs}", fix))
    return None
