"""FleetUtil, `fluid.incubate.fleet.utils.fleet_util`: messages, metrics and Programs of a job with servers."""

from __future__ import annotations

import logging
import math
import os
import re
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, MissingVariableError, message
from ...core.place import CPUPlace
from ...static.execution.scope import Scope, global_scope
from ...static.program.program import Program
from .bucket_metrics import area_under_curve, bucket_error
from .model_checks import check_pruned_program_vars, check_saved_vars_try_dump
from .parameter_server import fleet as fleet_transpiler
from .program_files import graphviz, load_program, parse_program, program_type_trans
from .pslib import CallsOfPSLib, NoPSLib

__all__ = ["FleetUtil"]

_log = logging.getLogger("paddle.fluid.incubate.fleet.utils.fleet_util")

_OF_PSLIB = [
    "get_last_save_model",
    "get_last_save_xbox",
    "get_last_save_xbox_base",
    "load_fleet_model",
    "load_fleet_model_one_table",
    "load_model",
    "pull_all_dense_params",
    "save_batch_model",
    "save_cache_base_model",
    "save_cache_model",
    "save_delta_model",
    "save_fleet_model",
    "save_model",
    "save_paddle_inference_model",
    "save_paddle_params",
    "save_xbox_base_model",
    "write_cache_donefile",
    "write_model_donefile",
    "write_xbox_donefile",
]
"""The calls that save, load and list models of PSLib's servers."""


class FleetUtil(CallsOfPSLib):
    """Messages, metrics and Programs of a job with servers.

    The calls that save and load models of PSLib's servers raise NoPSLib, an ImportError: public builds of PaddlePaddle do
    not have these servers either.

    Arguments:
        mode: "transpiler" for jobs of `fluid.incubate.fleet.parameter_server.distribute_transpiler`; "pslib" for those
            of PSLib, of which only the calls work that need no other process.

    Raises:
        ArgumentValueError: another mode.

    >>> from paddle_lite.fluid.incubate.fleet.utils.fleet_util import FleetUtil
    >>> FleetUtil("transpiler").get_online_pass_interval("20200101", "{0..1}", 30, 2, False)
    [['0000', '0030'], ['0100', '0130']]
    """

    _calls, _owner = _OF_PSLIB, "FleetUtil"
    _instead = "fleet.save_persistables saves the models of other jobs."

    def __init__(self, mode: str = "pslib") -> None:
        if mode not in ("pslib", "transpiler"):
            raise ArgumentValueError(message("FleetUtil", "mode", repr(mode), "'pslib' or 'transpiler'"))
        self._mode = mode

    @property
    def _fleet(self) -> Any:
        if self._mode == "pslib":
            raise NoPSLib("FleetUtil", "FleetUtil('transpiler') is for jobs of a DistributeTranspiler.")
        return fleet_transpiler

    # --- messages -----------------------------------------------------------------------------------------------------

    def rank0_print(self, s: Any) -> None:
        """Print a text on the first worker."""
        if self._fleet.worker_index() == 0:
            print(s, flush=True)

    def rank0_info(self, s: Any) -> None:
        """Log a text on the first worker."""
        if self._fleet.worker_index() == 0:
            _log.info(s)

    def rank0_error(self, s: Any) -> None:
        """Log a text as an error on the first worker."""
        if self._fleet.worker_index() == 0:
            _log.error(s)

    # --- metrics ------------------------------------------------------------------------------------------------------

    def set_zero(self, var_name: str, scope: Scope | None = None, place: Any = None, param_type: str = "int64") -> None:
        """Set a Variable to zeros, such as a count of `fluid.layers.auc` before a new pass.

        Arguments:
            var_name: its name.
            scope: where it is; None means the global Scope.
            place: where to put it; None means the CPU.
            param_type: its dtype.

        Raises:
            MissingVariableError: the Scope has no such Variable.
        """
        scope = scope or global_scope()
        variable = scope.find_var(var_name)
        if variable is None:
            raise MissingVariableError(message("FleetUtil.set_zero", "var_name", repr(var_name), "a name in the Scope"))
        tensor = variable.get_tensor()
        tensor.set(np.zeros(tensor.shape(), param_type), CPUPlace() if place is None else place)

    def get_global_auc(
        self, scope: Scope | None = None, stat_pos: str = "_generated_var_2", stat_neg: str = "_generated_var_3"
    ) -> float | None:
        """Return the AUC of the predictions of all workers.

        Arguments:
            scope: where the counts are; None means the global Scope.
            stat_pos, stat_neg: the names of the counts of examples with and without the label, of `fluid.layers.auc`.

        Returns:
            The AUC; None, and a printed text, if the Scope lacks a count.
        """
        counts = self._sums(scope, [stat_pos, stat_neg])
        return None if counts is None else area_under_curve(*counts)

    def print_global_auc(
        self,
        scope: Scope | None = None,
        stat_pos: str = "_generated_var_2",
        stat_neg: str = "_generated_var_3",
        print_prefix: str = "",
    ) -> None:
        """Print the AUC of the predictions of all workers on the first; arguments are those of `get_global_auc`."""
        self.rank0_print(f"{print_prefix} global auc = {self.get_global_auc(scope, stat_pos, stat_neg)}")

    def get_global_metrics(
        self,
        scope: Scope | None = None,
        stat_pos_name: str = "_generated_var_2",
        stat_neg_name: str = "_generated_var_3",
        sqrerr_name: str = "sqrerr",
        abserr_name: str = "abserr",
        prob_name: str = "prob",
        q_name: str = "q",
        pos_ins_num_name: str = "pos",
        total_ins_num_name: str = "total",
    ) -> list[Any]:
        """Return metrics of the predictions of all workers.

        Arguments:
            scope: where the Variables are; None means the global Scope.
            stat_pos_name, stat_neg_name: counts of examples with and without the label, of `fluid.layers.auc`.
            sqrerr_name, abserr_name: sums of squared and of absolute errors.
            prob_name, q_name: sums of predictions and of q values.
            pos_ins_num_name, total_ins_num_name: numbers of examples with the label, and of all.
                `fluid.contrib.layers.ctr_metric_bundle` makes these six.

        Returns:
            AUC, bucket error, mean absolute error, root of the mean squared error, share of the label, mean prediction,
            share over prediction, mean q value, number of examples; nine times None, and a printed text, if the Scope
            lacks a Variable.
        """
        names = [sqrerr_name, abserr_name, prob_name, q_name, pos_ins_num_name, total_ins_num_name]
        found = self._sums(scope, [stat_pos_name, stat_neg_name, *names])
        if found is None:
            return [None] * 9
        positive, negative, *sums = found
        squares, errors, predicted, q, labelled, total = (float(each.sum()) for each in sums)
        mae, square, share, prediction, mean_q = (
            each / total if total else math.nan for each in (errors, squares, labelled, predicted, q)
        )
        ratio = share / prediction if predicted else 0.0
        areas = [area_under_curve(positive, negative), bucket_error(positive, negative)]
        return [*areas, mae, math.sqrt(square), share, prediction, ratio, mean_q, int(total)]

    def print_global_metrics(
        self,
        scope: Scope | None = None,
        stat_pos_name: str = "_generated_var_2",
        stat_neg_name: str = "_generated_var_3",
        sqrerr_name: str = "sqrerr",
        abserr_name: str = "abserr",
        prob_name: str = "prob",
        q_name: str = "q",
        pos_ins_num_name: str = "pos",
        total_ins_num_name: str = "total",
        print_prefix: str = "",
    ) -> None:
        """Print metrics of the predictions of all workers on the first; arguments are those of `get_global_metrics`."""
        sums = (sqrerr_name, abserr_name, prob_name, q_name, pos_ins_num_name, total_ins_num_name)
        found = self.get_global_metrics(scope, stat_pos_name, stat_neg_name, *sums)
        if found[0] is not None:
            form = (
                "%s global AUC=%.6f BUCKET_ERROR=%.6f MAE=%.6f RMSE=%.6f Actural_CTR=%.6f Predicted_CTR=%.6f COPC=%.6f"
            )
            self.rank0_print((form + " MEAN Q_VALUE=%.6f Ins number=%s") % (print_prefix, *found))

    def _sums(self, scope: Scope | None, names: list[str]) -> list[np.ndarray] | None:
        """Return the sums of Variables over the workers; None, and a printed text, if the Scope lacks one."""
        scope, roles = scope or global_scope(), self._fleet._role_maker
        variables = {name: scope.find_var(name) for name in names}
        absent = [name for name, variable in variables.items() if variable is None]
        if absent:
            self.rank0_print(f"FleetUtil: not found in the Scope: {', '.join(absent)}")
            return None
        sums = [np.array(variable.get_tensor()) for variable in variables.values()]
        for each in sums:
            roles.all_reduce_worker(each, each)
        return sums

    # --- passes over data that come in all the time ---------------------------------------------------------------------

    def get_online_pass_interval(
        self, days: Any, hours: Any, split_interval: Any, split_per_pass: Any, is_data_hourly_placed: bool
    ) -> list[list[str]]:
        """Return the names of the parts of a day's data that each pass reads.

        Arguments:
            days: not used.
            hours: those with data: numbers with spaces between them, or "{FIRST..LAST}".
            split_interval: minutes of a part.
            split_per_pass: parts of a pass.
            is_data_hourly_placed: whether parts are named by the hour (HH) only; by hour and minute (HHMM) otherwise.

        Returns:
            For each pass the names of its parts; the last pass may have fewer.

        Raises:
            ArgumentValueError: `hours` is neither form, or an interval is not positive.
        """
        where, step, size = "FleetUtil.get_online_pass_interval", int(split_interval), int(split_per_pass)
        if step < 1 or size < 1:
            raise ArgumentValueError(message(where, "split_interval and split_per_pass", (step, size), "1 or more"))
        between = re.fullmatch(r"\{(\d+)\.\.(\d+)\}", str(hours).strip())
        if between is None and not re.fullmatch(r"\d+(\s+\d+)*", str(hours).strip()):
            raise ArgumentValueError(
                message(where, "hours", repr(hours), "numbers with spaces between them, or {FIRST..LAST}")
            )
        numbers = list(map(int, between.groups() if between else str(hours).split()))
        starts = [start for start in range(0, 24 * 60, step) if min(numbers) <= start // 60 <= max(numbers)]
        names = [f"{start // 60:02}" + ("" if is_data_hourly_placed else f"{start % 60:02}") for start in starts]
        return [names[i : i + size] for i in range(0, len(names), size)]

    # --- Programs in files ----------------------------------------------------------------------------------------------

    def program_type_trans(self, prog_dir: str, prog_fn: str, is_text: bool) -> str:
        """Write a Program that is in a file anew, as `program_type_trans` of `fluid.incubate.fleet.utils.utils`."""
        return program_type_trans(prog_dir, prog_fn, is_text)

    def parse_program_proto(self, prog_path: str, is_text: bool, output_dir: str) -> None:
        """Write what a Program in a file consists of into files of a folder, as `parse_program`.

        Arguments:
            prog_path, is_text: of `load_program`.
            output_dir: of `parse_program`.
        """
        parse_program(load_program(prog_path, is_text), output_dir)

    def draw_from_program_file(self, model_filename: str, is_text: bool, output_dir: str, output_filename: str) -> None:
        """Draw a Program in a file, as `graphviz`; its arguments are those of `load_program` and `graphviz`."""
        self.draw_from_program(load_program(model_filename, is_text), output_dir, output_filename)

    def draw_from_program(self, program: Program, output_dir: str, output_name: str) -> None:
        """Draw a Program, as `graphviz`."""
        graphviz(program.global_block(), output_dir, output_name)

    def check_two_programs(self, config: Any) -> bool:
        """Return whether the persistable Variables of a pruned Program are those of the training; the log says it, too.

        Arguments:
            config: an object with train_prog_path, is_text_train_program, pruned_prog_path, is_text_pruned_program; and
                draw: whether to draw the pruned Program beside its file, with the name draw_out_name.
        """
        trained = load_program(config.train_prog_path, config.is_text_train_program)
        pruned = load_program(config.pruned_prog_path, config.is_text_pruned_program)
        if config.draw:
            self.draw_from_program(pruned, os.path.dirname(config.pruned_prog_path), config.draw_out_name)
        same = check_pruned_program_vars(trained, pruned)
        _log.info(
            "check_two_programs: the Variables of the pruned Program are %sthose of the training",
            "" if same else "not ",
        )
        return same

    def check_vars_and_dump(self, config: Any) -> list[Any]:
        """Load a saved model and run it once, as `check_saved_vars_try_dump`.

        Arguments:
            config: an object with dump_model_dir, dump_program_filename, is_text_dump_program, feed_config, fetch_config,
                batch_size and save_params_filename.
        """
        return check_saved_vars_try_dump(
            config.dump_model_dir,
            config.dump_program_filename,
            config.is_text_dump_program,
            config.feed_config,
            config.fetch_config,
            config.batch_size,
            config.save_params_filename,
        )
