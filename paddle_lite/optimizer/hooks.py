"""The methods by which subclasses of Optimizer define updates of their own, in both modes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any

from ..core.errors import ArgumentValueError, MissingKeyError, message
from ..core.foreign_names import OF_OPTIMIZERS, missing_on, operator_attribute
from ..static.autodiff.backward import names_of
from .rule import Accumulator

NAMES = (
    "_create_accumulators",
    "_append_optimize_op",
    "_finish_update",
    "_create_param_lr",
    "_create_optimization_pass",
)
"""The methods that a subclass overrides to define its updates."""
SPELLED = {"_momentum": "mu", "_rho": "decay"}
"""Attributes of optimizers in Paddle whose operators spell them differently."""


class Hooks:
    """The hooks of optimizers, and what hooks call.

    A subclass that overrides one of `NAMES` is run parameter by parameter: `_create_optimization_pass(pairs)` calls
    `_create_accumulators(block, parameters)`, then `_append_optimize_op(block, (parameter, gradient))` for each, then
    `_finish_update(block, pairs)`. In imperative mode the operators that they append to the block run at once, and nothing is
    recorded.
    """

    accumulators: tuple[Accumulator, ...]
    attrs: dict[str, Any]
    helper: Any = None  # a LayerHelper where a subclass has hooks, from the first step on
    _name: str | None
    _added: dict[str, dict[str, Any]]

    def _step(self) -> Any:
        raise NotImplementedError

    def _named_after(self, param: Any, suffix: str) -> str:
        raise NotImplementedError

    def set_number(self, attribute: str, argument: str, value: Any) -> None:
        raise NotImplementedError

    @classmethod
    def has_own_hooks(cls) -> bool:
        """Return whether a subclass overrides one of the hooks."""
        return any(getattr(cls, name) is not getattr(Hooks, name) for name in NAMES)

    # --- hooks: these run the rule of the optimizer ---------------------------------------------------------------------

    def _create_optimization_pass(self, parameters_and_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Append the updates of parameters with clipped and regularised gradients; return their operators, none in imperative
        mode."""
        return self._step().update_all(parameters_and_grads)

    def _create_accumulators(self, block: Any, parameters: Sequence[Any]) -> None:
        """Create the accumulators of parameters."""
        self._step().create(parameters)

    def _append_optimize_op(self, block: Any, param_and_grad: tuple[Any, Any]) -> Any:
        """Append the update of one parameter; return its operator, None in imperative mode."""
        return self._step().append(block, *param_and_grad)

    def _finish_update(self, block: Any, parameters_and_grads: Sequence[tuple[Any, Any]]) -> None:
        """Append what follows the updates of all parameters."""
        self._step().finish(block, parameters_and_grads)

    def _get_no_grad_set(self, loss: Any, no_grad_set: Iterable[Any] | None = None) -> set[str]:
        """Return the names of the Variables through which no gradient of a loss flows: the given ones, and frozen parameters."""
        names = set() if no_grad_set is None else names_of("no_grad_set", no_grad_set)
        frozen = {param.name for param in loss.block.program.global_block().all_parameters() if not param.trainable}
        return names | frozen

    # --- what hooks call ------------------------------------------------------------------------------------------------

    def _append_dgc_ops(self, param_and_grad: Any) -> None:
        """Do nothing: deep gradient compression is for `DGCMomentumOptimizer` only."""

    def _add_accumulator(
        self, name: str, param: Any, dtype: Any = None, fill_value: float = 0.0, shape: Any = None, type: Any = None,
        force_cpu: bool = True,
    ) -> Any:  # fmt: skip
        """Create a value that is kept for a parameter between steps; in imperative mode return the existing one.

        Arguments:
            name: a name, the same for all parameters. param: the parameter.
            dtype, shape: those of the parameter where they are None. fill_value: its initial value.
            type, force_cpu: have no effect.

        Raises:
            ArgumentValueError: the parameter has it already, in a static Program.
        """
        kept = self._added.setdefault(self._key(name), {})
        if param.name in kept:
            if self._step().keeps_accumulators:
                return kept[param.name]
            needs = "one that this optimizer does not update yet"
            raise ArgumentValueError(message(f"accumulator {name!r}", "parameter", param.name, needs))
        sizes = list(param.shape if shape is None else shape)
        made = self._step().new_accumulator(
            self._named_after(param, self._key(name)), sizes, dtype or param.dtype, fill_value, param
        )
        kept[param.name] = made
        return made

    def _get_accumulator(self, name: str, param: Any) -> Any:
        """Return the accumulator of a parameter.

        Raises:
            MissingKeyError: the parameter has none of this name.
        """
        kept, key = self._accumulators, self._key(name)
        if param.name not in kept.get(key, {}):
            got = f"{name!r} of parameter {param.name}"
            fix = "Create it in _create_accumulators with _add_accumulator."
            raise MissingKeyError(message("_get_accumulator", "name", got, f"one of {list(kept) or 'none'}", fix))
        return kept[key][param.name]

    @property
    def _accumulators(self) -> dict[str, dict[str, Any]]:
        """The accumulators: name, behind that of the optimizer if it has one -> {name of the parameter: Variable}."""
        kept = {self._key(name): of for name, of in self._step().by_name().items()}
        kept.update(self._added)
        return kept

    @_accumulators.setter
    def _accumulators(self, kept: dict[str, dict[str, Any]]) -> None:
        self._step().forget()
        self._added = kept

    def _key(self, name: str) -> str:
        return name if self._name is None else f"{self._name}_{name}"

    @property
    def _learning_rate_map(self) -> MutableMapping[Any, Any]:
        """The learning rate of each Program; one that is entered holds for its Program, such as a copy."""
        return self._step().rates_by_program()

    @_learning_rate_map.setter
    def _learning_rate_map(self, rates: Mapping[Any, Any]) -> None:
        kept = self._step().rates_by_program()
        kept.clear()
        kept.update(rates)

    def _create_global_learning_rate(self) -> None:
        """Create the learning rate, if there is none yet."""
        self._step().current_rate()

    def _create_param_lr(self, param_and_grad: tuple[Any, Any]) -> Any:
        """Return the learning rate of a parameter, a Variable [1]."""
        return self._step().rate_for(param_and_grad[0])

    def _number(self, name: str) -> str | None:
        """Return the attribute of the operator that Paddle keeps under a name, `beta1` for `_beta1`; None if there is none."""
        return operator_attribute(name, self.__dict__.get("attrs", {}), SPELLED)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; a number of the rule (`_beta1`) holds from the next step on."""
        key = self._number(name)
        if key is None:
            object.__setattr__(self, name, value)
        elif isinstance(value, bool) or (isinstance(value, int) and type(self.attrs[key]) is int):
            self.attrs[key] = value
        else:
            self.set_number(key, name, value)

    def __getattr__(self, name: str) -> Any:
        """Return a number of the rule (`_beta1`), or the name of an accumulator (`_velocity_acc_str`), as Paddle has them."""
        key = self._number(name)
        if key is not None:
            return self.attrs[key]
        if name.startswith("_") and name.endswith("_acc_str"):
            stem = name[1:].removesuffix("_acc_str")
            for each in self.accumulators:
                if each.name.strip("_") in (stem, f"{stem}_acc"):
                    return each.name
        raise missing_on(self, name, OF_OPTIMIZERS)
