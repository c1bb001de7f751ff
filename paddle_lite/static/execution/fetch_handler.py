"""`fluid.executor.FetchHandler`: looks at values now and then while a Program runs over a data set."""

from __future__ import annotations

import threading
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.tensor import LoDTensor
from ...core.threads.contexts import with_this_context
from ..program.program import Program
from .plan_cache import fetch_names
from .results import to_result
from .scope import Scope

_EXAMPLE = """
class FetchHandlerExample(FetchHandler):
    def handler(self, res_dict):
        print(res_dict["auc"])
        print("auc: {}, {}".format(res_dict["auc"], time.ctime()))

auc = Variable()
var_dict = {"auc": auc}
handler = FetchHandlerExample(var_dict=var_dict)
"""


class FetchHandler:
    """Gets values of Variables now and then; a subclass defines `handler`.

    Arguments:
        var_dict: a key for each Variable -> the Variable. The name of one Variable stands for {name: the Variable}.
        period_secs: seconds between two calls.

    Raises:
        ArgumentValueError: `var_dict` is None, or `period_secs` is not positive.

    >>> import paddle_lite.fluid as fluid
    >>> class Losses(fluid.executor.FetchHandler):
    ...     def handler(self, res_dict):
    ...         print(res_dict["loss"])
    >>> Losses({"loss": "mean_0.tmp_0"}, period_secs=10).period_secs
    10
    """

    def __init__(self, var_dict: Any = None, period_secs: float = 60) -> None:
        if var_dict is None:
            raise ArgumentValueError(message("FetchHandler", "var_dict", "None", "a dict from keys to Variables"))
        if isinstance(period_secs, bool) or not isinstance(period_secs, (int, float)) or not period_secs > 0:
            raise ArgumentValueError(
                message("FetchHandler", "period_secs", describe(period_secs), "seconds, more than 0")
            )
        self.var_dict = var_dict
        self.period_secs = period_secs

    def handler(self, res_dict: dict[str, Any]) -> None:
        """Look at values; does nothing unless a subclass defines it.

        Arguments:
            res_dict: each key -> the value of the last batch of the first thread, an ndarray.
        """

    @staticmethod
    def help() -> None:
        """Print an example."""
        print(_EXAMPLE)


class FetchHandlerMonitor:
    """Calls a FetchHandler every `period_secs` seconds, in a thread.

    Arguments:
        scope: the Scope of the run.
        handler: the FetchHandler.

    Attributes:
        latest: the values by name that the run has computed last; None before its first batch.
    """

    def __init__(self, scope: Scope, handler: FetchHandler) -> None:
        if not isinstance(handler, FetchHandler):
            needs = "an instance of a subclass of fluid.executor.FetchHandler"
            raise ArgumentTypeError(message("train_from_dataset", "fetch_handler", describe(handler), needs))
        self.scope, self.handler = scope, handler
        self.latest: dict[str, LoDTensor] | None = None
        self._names: dict[Any, str] = {}
        self._ended = threading.Event()
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def names(self, program: Program) -> list[str]:
        """Return the names of the Variables, which must be the Program's."""
        wanted = self.handler.var_dict
        wanted = {wanted: wanted} if isinstance(wanted, str) else wanted
        if not isinstance(wanted, dict):
            raise ArgumentTypeError(
                message("FetchHandler", "var_dict", describe(wanted), "a dict from keys to Variables")
            )
        found = fetch_names(program, list(wanted.values()), "FetchHandler")
        self._names = dict(zip(wanted, found, strict=True))
        return found

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(
            target=with_this_context(self._run), name="paddle_lite FetchHandler", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread, after the present call of the handler."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def check(self) -> None:
        """Raise the error of the handler, if it had one."""
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        try:
            while not self._ended.wait(self.handler.period_secs):
                latest = self.latest
                if latest is not None:
                    self.handler.handler(
                        {
                            key: to_result(latest[name].array, latest[name].levels, True)
                            for key, name in self._names.items()
                        }
                    )
        except BaseException as error:
            self._error = error
