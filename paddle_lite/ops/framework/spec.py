"""The declaration of an operator: slots, attributes, inference, reference, gradient. All else is derived from it.

    @op("scale", inputs="X ScaleTensor?", outputs="Out", attrs={"scale": 1.0, "bias": 0.0, "bias_after_scale": True})
    class scale(Declaration):
        '''Out = scale * X + bias.'''
        def infer(X, ScaleTensor, *, scale, bias, bias_after_scale): return X
        def reference(xp, X, ScaleTensor, *, scale, bias, bias_after_scale): ...
        grad = Grad("Out@GRAD", "X@GRAD", via="scale", attrs=lambda a: {"scale": a["scale"]})

Slots are written `X` (one), `X*` (a list), `X?` (may be absent), `Mask~` (an output that only the gradient needs).
The keyword-only parameters of `reference` are the attributes that it reads; the others exist in files only.
"""

from __future__ import annotations

import inspect
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from ctypes import c_float
from keyword import iskeyword
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, message
from ...core.mode import state
from ...core.threads.cached import cached_property
from ...core.tracebacks import shortened
from .origin import Origin, calling
from .traits import Traits


class CallSite:
    """The call site of an operator with effects.

    names, results: the names of its inputs and of its outputs, in the order of the slots.
    runs: how often it has had its effect there.
    kept: what the operator keeps there from one run to the next.
    """

    __slots__ = ("kept", "names", "results", "runs")

    def __init__(self, names: Sequence[str], results: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.results = tuple(results)
        self.runs = 0
        self.kept: Any = None

    def exhausted(self, limit: int) -> bool:
        """Count one run; return whether the limit had been reached before it. A negative limit is none."""
        self.runs += 1
        return 0 <= limit < self.runs


class Slot(NamedTuple):
    """One named place for inputs or outputs."""

    name: str
    many: bool = False
    optional: bool = False
    intermediate: bool = False

    @property
    def spelled(self) -> str:
        """Return the slot as declarations spell it."""
        return self.name + "*" * self.many + "?" * self.optional + "~" * self.intermediate


class Attr(NamedTuple):
    """An attribute: its type as in a ProgramDesc, and its default (None: the attribute is required)."""

    type: str
    default: Any


def Long(default: int | None = None) -> Attr:
    """Return an attribute that holds an int of 64 bits."""
    return Attr("LONG", default)


def Longs(default: list | None = None) -> Attr:
    """Return an attribute that holds a list of ints of 64 bits."""
    return Attr("LONGS", default)


def Ints(default: list | None = None) -> Attr:
    """Return an attribute that holds a list of ints."""
    return Attr("INTS", default)


def Floats(default: list | None = None) -> Attr:
    """Return an attribute that holds a list of floats."""
    return Attr("FLOATS", default)


def Strings(default: list | None = None) -> Attr:
    """Return an attribute that holds a list of strings."""
    return Attr("STRINGS", default)


def Required(type: str) -> Attr:
    """Return an attribute without a default, e.g. Required("INT")."""
    return Attr(type, None)


MKLDNN: dict[str, Any] = {"use_mkldnn": False}
CUDNN: dict[str, Any] = {"use_cudnn": False}

_ACCEPTS: dict[str, tuple[type, ...]] = {
    "BOOLEAN": (bool, np.bool_),
    "INT": (int, np.integer),
    "LONG": (int, np.integer),
    "FLOAT": (float, int, np.floating, np.integer),
    "STRING": (str,),
}
_OPS = __name__.removesuffix("framework.spec")
_NEEDS = {"BOOLEAN": "a bool", "INT": "an int", "LONG": "an int", "FLOAT": "a number", "STRING": "a string"}
_ELEMENT = {"INTS": "INT", "LONGS": "LONG", "FLOATS": "FLOAT", "STRINGS": "STRING"}


def single(value: Any) -> Any:
    """Return a number, or a list of numbers, rounded to float32, as FLOAT and FLOATS attributes hold it; other values as is.

    >>> single(0.1), single([0.5, 2])
    (0.10000000149011612, [0.5, 2])
    """
    if isinstance(value, (float, np.floating)):
        return c_float(float(value)).value
    if not isinstance(value, (list, tuple)):
        return value
    if set(map(type, value)) != {float}:
        return [single(each) for each in value]
    return array("f", value).tolist()  # all at once: initial values of parameters are long lists


def file_name(name: str) -> str:
    """Return the name of an attribute in files: "lambda" for `lambda_`."""
    return name[:-1] if name.endswith("_") and iskeyword(name[:-1]) else name


def _attr(type: str, attribute: str, value: Any) -> Attr:
    """Return an attribute from its default, whose class determines the type."""
    if isinstance(value, Attr):
        return value
    for python, name in ((bool, "BOOLEAN"), (int, "INT"), (float, "FLOAT"), (str, "STRING")):
        if isinstance(value, python):
            return Attr(name, value)
    needs = "a bool, an int, a float, a str, or a type: Ints, Longs, Floats, Strings, Long or Required"
    raise ArgumentTypeError(message(f"operator {type}", f"attribute {attribute!r}", f"the default {value!r}", needs))


_SLOT = re.compile(r"([A-Za-z_][\w@-]*)([*?~]*)")


def parse_slots(text: str) -> tuple[Slot, ...]:
    """Return the slots of a declaration, e.g. "X* AxisTensor?".

    Raises:
        ArgumentValueError: a word is not a name followed by marks.
    """
    slots = []
    for word in text.split():
        found = _SLOT.fullmatch(word)
        if found is None:
            needs = "names with a blank between them, each with * (a list), ? (may be absent) or ~ (for the gradient only) behind it"
            raise ArgumentValueError(message("slots of an operator", f"{text!r}", repr(word), needs))
        name, marks = found.groups()
        slots.append(Slot(name, "*" in marks, "?" in marks, "~" in marks))
    return tuple(slots)


class Grad:
    """The gradient of an operator, itself an operator.

    Arguments:
        reads: the slots that the gradient reads: the forward slots first, then the gradients of outputs. `X#` keeps only
            shape and dtype of X alive.
        gives: the gradients that it computes, e.g. "X@GRAD Y@GRAD".
        reference: `f(xp, *reads, **attrs)` returns one array, or a tuple in the order of `gives`. A parameter `need` gets a bool for
            each of `gives`: whether it is needed; the reference may return None for the others.
        type: the type of the gradient operator; by default "<op>_grad".
        via: the name of an existing operator that computes it, with `attrs(forward attributes)` as its attributes and
            `reads` in the order of its inputs.
        compose: `f(*reads, **attrs)` over Variables that calls operators and returns the gradients in `gives`.
        grad: the gradient of the gradient operator, for double gradients.
        needs_lod: the slot of `reads` whose LoD is needed, where it differs from the forward operator's.
        make_kernel: `f(device)` makes its kernel, where it is generated rather than registered.
        traits: those of the gradient operator, see Traits.
    """

    def __init__(
        self,
        reads: str,
        gives: str,
        reference: Callable | None = None,
        *,
        type: str | None = None,
        via: str | None = None,
        compose: Callable | None = None,
        attrs: Callable[[Mapping[str, Any]], dict] | None = None,
        grad: Grad | None = None,
        needs_lod: str | None = None,
        make_kernel: Callable[[str], Callable | None] | None = None,
        **traits: Any,
    ) -> None:
        words = reads.split()
        self.shape_only = frozenset(w.rstrip("*?#") for w in words if "#" in w)
        self.optional = frozenset(w.rstrip("*?#") for w in words if "?" in w)
        self.reads = tuple(w.rstrip("*?#") for w in words)
        self.gives = tuple(gives.split())
        self.reference = reference
        self.type = type
        self.via = via
        self.compose = compose
        self.attrs = attrs
        self.grad = grad
        self.needs_lod = needs_lod
        self.make_kernel = make_kernel
        self.traits = Traits(**traits)
        self.op: OpDef | None = None
        if sum(x is not None for x in (reference, via, compose)) != 1:
            raise TypeError("Grad needs exactly one of reference, via, compose")
        self.targets = tuple(g.removesuffix("@GRAD") for g in self.gives)
        self.saved: tuple[str, ...] = ()
        self.incoming: tuple[str, ...] = ()

    def bind(self, slots: set[str]) -> None:
        """Split `reads` into the slots of the operator (`saved`) and the gradients of its outputs (`incoming`)."""
        self.saved = tuple(r for r in self.reads if r in slots)
        self.incoming = tuple(r.removesuffix("@GRAD") for r in self.reads if r not in slots)


def keyword_only(function: Callable) -> tuple[str, ...]:
    """Return the names of a function's keyword-only parameters.

    They are read from the code of a plain function, since inspect.signature takes long for hundreds of declarations. A function
    that takes `**attrs` has their names in an attribute `keyword_only`.

    >>> keyword_only(lambda x, *, axis, keep_dim=False: x)
    ('axis', 'keep_dim')
    """
    if isinstance(function, FunctionType) and not vars(function):  # no decorator has given it another signature
        code = function.__code__
        return code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
    if hasattr(function, "keyword_only"):
        return function.keyword_only
    return tuple(p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY)


class OpDef:
    """A declared operator. Calling it is the one call site that every mode shares (see dispatch.py).

    any_shape: whether `infer` accepts inputs of every shape, so that it depends on dtypes and attributes only.
    settled: `settled(*arrays, **attributes)` is given the inputs and attributes of a valid call; it returns a function of the
        arrays of the required inputs that computes what the kernel does, for all calls with such dtypes, shapes and attributes; or
        None, if values of other inputs matter.
    """

    def __init__(
        self,
        type: str,
        inputs: tuple[Slot, ...],
        outputs: tuple[Slot, ...],
        attrs: Mapping[str, Any],
        *,
        family: str,
        reference: Callable,
        infer: Callable | None,
        grad: Grad | None = None,
        lod: Any = "first",
        needs_lod: str | None = None,
        effects: str = "",
        ufunc: Callable | None = None,
        forward: OpDef | None = None,
        make_kernel: Callable[[str], Callable | None] | None = None,
        traits: Traits = Traits(),  # noqa: B008  it is immutable
        any_shape: bool = False,
        settled: Callable | None = None,
        origin: Origin | None = None,
        doc: str = "",
    ) -> None:
        self.type = type
        self.inputs = inputs
        self.outputs = outputs
        self.attrs = {name: _attr(type, name, value) for name, value in attrs.items()}
        self.family = family
        self.reference = reference
        self.infer = infer
        self.lod = (inputs[0].name if inputs else None) if lod == "first" else lod
        self.needs_lod = needs_lod
        self.effects = effects
        self.ufunc = ufunc
        self.forward = forward
        self.__doc__ = doc
        names = keyword_only(reference)
        self.wants_need = "need" in names
        self.wants_site = "site" in names
        self.live = tuple(n for n in names if n not in ("need", "lod", "site"))
        self.singles = tuple(n for n in self.live if file_name(n) in self.attrs and self._is_single(file_name(n)))
        unknown = [n for n in self.live if file_name(n) not in self.attrs]
        if unknown:
            fix = f"Declare it with its default, attrs={{{file_name(unknown[0])!r}: ...}}, or drop the parameter."
            got = f"the keyword {unknown[0]!r}, which is no attribute"
            raise ArgumentValueError(message(f"operator {type}", "reference", got, f"one of {list(self.attrs)}", fix))
        self.origin = origin
        self.kernels: dict[str, Callable] = {}
        self.make_kernel = make_kernel
        self.traits = traits
        self.any_shape = any_shape
        self.settled = settled
        self.call: Callable = FirstCall(self)
        self.gpu_call: Callable | None = None
        self.grad = grad
        if grad is not None:
            grad.bind({s.name for s in (*inputs, *outputs)})
            self._declare_gradient(grad)

    def __reduce__(self) -> Any:
        from .registry import get  # which imports this module

        return get, (self.type,)

    def __deepcopy__(self, memo: Any) -> OpDef:
        return self

    def _is_single(self, attribute: str) -> bool:
        return self.attrs[attribute].type in ("FLOAT", "FLOATS")

    def _declare_gradient(self, grad: Grad) -> None:
        if grad.reference is None:
            return
        slots = {s.name: s for s in (*self.inputs, *self.outputs)}

        inherited = self.needs_lod if {*(self.needs_lod or "").split()} <= {*grad.reads} else None

        def of(name: str) -> Slot:
            slot = slots.get(name) or slots.get(name.removesuffix("@GRAD"))
            if slot is None:
                needs = f"slots of the operator ({', '.join(slots)}), and their gradients with @GRAD behind"
                raise ArgumentValueError(message(f"operator {self.type}", "Grad", repr(name), needs))
            return Slot(name, slot.many, slot.optional or name in grad.optional)

        grad.op = OpDef(
            grad.type or f"{self.type}_grad",
            tuple(of(r) for r in grad.reads),
            tuple(of(g) for g in grad.gives),
            self.attrs,
            family=self.family,
            reference=grad.reference,
            infer=None,
            grad=grad.grad,
            lod=None,
            needs_lod=grad.needs_lod or inherited,
            forward=self,
            make_kernel=grad.make_kernel,
            traits=self.traits.of_gradient(grad.traits),
            origin=self.origin,
            doc=f"The gradient of {self.type}.",
        )

    def __call__(self, *inputs: Any, **attrs: Any) -> Any:
        unknown = [name for name in attrs if file_name(name) not in self.attrs]
        if unknown:
            raise ArgumentValueError(
                message(self.type, f"attribute {unknown[0]!r}", repr(attrs[unknown[0]]), f"one of {sorted(self.attrs)}")
            )
        return self.call(*inputs, **{k: v for k, v in attrs.items() if k in self.live})

    @property
    def outside(self) -> bool:
        """Return whether the operator is declared outside of paddle_lite."""
        return self.origin is not None and self.origin.outside

    @property
    def root(self) -> OpDef:
        """Return the forward operator at the root of a chain of gradient operators; itself for any other operator."""
        return self if self.forward is None else self.forward.root

    @cached_property
    def one_flows(self) -> bool:
        """Whether one output only has a gradient, and is no list; a tape entry then stands for this output alone."""
        if self.grad is None:
            return False
        flowing = self.outputs if len(self.outputs) == 1 else [s for s in self.outputs if s.name in self.grad.incoming]
        return len(flowing) == 1 and not flowing[0].many

    def forget_kernels(self) -> None:
        """Drop compiled calls, so that the next call finds a kernel that was registered since."""
        op: OpDef | None = self.root
        while op is not None:
            op.kernels.clear()
            op.call, op.gpu_call = FirstCall(op), None
            op = None if op.grad is None else op.grad.op

    def __repr__(self) -> str:
        return f"<op {self.type}: {self.slots}; {', '.join(self.live) or 'no attributes'}>"

    @property
    def slots(self) -> str:
        """Return the slots as text, e.g. "X Y? -> Out"."""
        ins, outs = (" ".join(slot.spelled for slot in slots) or "()" for slots in (self.inputs, self.outputs))
        return f"{ins} -> {outs}"

    def defaults(self) -> dict[str, Any]:
        """Return the defaults of the attributes that `reference` reads."""
        return {name: self.attrs[file_name(name)].default for name in self.live}

    @cached_property
    def fixed_defaults(self) -> dict[str, Any]:
        """Return the default of each keyword of a call, lists as tuples: the attributes, and `need` if it has it."""
        fixed = {k: tuple(v) if isinstance(v, list) else v for k, v in self.defaults().items()}
        return {**fixed, "need": None} if self.wants_need else fixed

    def bind(self, inputs: tuple, attrs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """Return (the value of each input slot, the attributes that `reference` reads) for the arguments of a call.

        Raises:
            TypeError: there are too many arguments, one that the operator does not have, or too few.
        """
        names, required = self._parameters
        if len(inputs) > len(names):
            raise TypeError(f"{self.type}() takes {len(names)} positional arguments but {len(inputs)} were given")
        if len(inputs) < len(names):
            for name in names[len(inputs) : required]:
                if name not in attrs:
                    raise TypeError(f"{self.type}() missing 1 required positional argument: {name!r}")
            attrs = dict(attrs)
            inputs = (*inputs, *[attrs.pop(name, None) for name in names[len(inputs) :]])
        defaults = self.fixed_defaults
        bound = {**defaults, **attrs}
        if len(bound) > len(defaults):
            unknown = next(name for name in attrs if name not in defaults)
            raise TypeError(f"{self.type}() got an unexpected keyword argument {unknown!r}")
        return inputs, bound

    @cached_property
    def _parameters(self) -> tuple[tuple[str, ...], int]:
        """Return the names of the input slots as parameters of a call, and the number before the first optional one."""
        optional = [slot.optional for slot in self.inputs]
        return tuple(slot.name.replace("@", "_") for slot in self.inputs), [*optional, True].index(True)

    def check_attrs(self, attrs: Mapping[str, Any]) -> None:
        """Raise if an attribute is missing or of the wrong type."""
        for name, value in attrs.items():
            kind = self.attrs[file_name(name)].type
            if not fits(kind, value):
                needs = _NEEDS.get(kind) or f"a list, each element {_NEEDS[_ELEMENT[kind]]}"
                raise ArgumentTypeError(message(self.type, f"attribute {name!r}", repr(value), needs))


def fits(kind: str, value: Any) -> bool:
    """Return whether an attribute of a kind takes a value as it is."""
    if kind not in _ELEMENT:
        return _accepts(kind, type(value))
    if not isinstance(value, (list, tuple, np.ndarray)):
        return False
    classes = set(map(type, value))
    if kind == "INTS" and classes <= {bool, np.bool_}:  # 1 and 0, as bool_values of assign_value has them
        return True
    return all(_accepts(_ELEMENT[kind], each) for each in classes)


def _accepts(kind: str, python: type) -> bool:
    """Return whether values of a class of Python may stand in an attribute; a bool is no number."""
    return issubclass(python, _ACCEPTS[kind]) and (kind == "BOOLEAN" or not issubclass(python, (bool, np.bool_)))


def family_of(module: str) -> str:
    """Return the family of the operators that a module declares: its path below paddle_lite.ops; a user's module itself.

    >>> family_of("paddle_lite.ops.nn.conv")
    'nn.conv'
    """
    return module.removeprefix(_OPS)


class Declaration:
    """Base of the classes that `@op` turns into an OpDef; it gives type checkers the attributes of the OpDef.

    Type checkers ignore the result of a class decorator: to them `scale` remains the class that declares the operator.
    This base class therefore declares the attributes that callers of operators use. They have no effect at run time.
    """

    type: str
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    attrs: dict[str, Attr]
    live: tuple[str, ...]
    singles: tuple[str, ...]
    call: Callable[..., Any]
    defaults: Callable[[], dict[str, Any]]


class FirstCall:
    """Placeholder for an operator's compiled call: delegates to the mode, which may compile it and set `op.call`."""

    def __init__(self, op: OpDef) -> None:
        self.op = op

    def __call__(self, *inputs: Any, **attrs: Any) -> Any:
        if self.op.call is not self:  # the call has been compiled since
            return self.op.call(*inputs, **attrs)
        try:
            return state.mode.call(self.op, *self.op.bind(inputs, attrs))
        except EnforceNotMet as error:
            raise shortened(error)  # noqa: B904 - the same error


def op(
    type: str,
    *,
    inputs: str,
    outputs: str,
    attrs: Mapping[str, Any] | None = None,
    lod: Any = "first",
    needs_lod: str | None = None,
    effects: str = "",
    **traits: Any,
) -> Callable[[Any], OpDef]:
    """Declare an operator from a class that holds `infer`, `reference` and perhaps `grad` and `settled` (see OpDef).

    Arguments:
        type: the type of the operator, as in a ProgramDesc.
        inputs, outputs: the slots as text, e.g. "X Y?" (see the top of this module).
        attrs: the attributes with their defaults.
        lod: the input slot whose LoD all outputs get ("first": the first slot; in Programs each result in a list gets that of
            its own input, where both slots are lists of one length), None for no LoD, or a function
            `f(lods, ins, outs, attrs)` that returns a LoD for each output. "made": the LoDs depend on values, and the kernels return
            (result, its LoD); for several outputs a tuple of LoDs, which contains a list for an output that is a list.
        needs_lod: the input slot whose LoD the kernels get as `lod`; for several slots ("X Y") a tuple, for a list of inputs a list.
        effects: "random", "state" or "io" for an operator that is not a pure function of its inputs. A reference with a
            parameter `site` gets the CallSite of the call, or None if it is not known.
        traits: facts for Plans and cost estimates, e.g. `flops=PerElement(5)`: see Traits.

    Returns:
        A decorator that replaces the class by the operator, an OpDef.

    Raises:
        ArgumentValueError: the class lacks `infer` or `reference`, or the declaration contradicts itself.
        ArgumentTypeError: the type of an attribute does not follow from its default.
    """
    from .registry import register

    origin = calling(type)

    def declare(body: Any) -> OpDef:
        members = getattr(body, "__dict__", {})
        lacking = [name for name in ("infer", "reference") if name not in members]
        if lacking:
            needs = (
                "a class with the functions `infer(inputs, *, attributes)` and `reference(xp, inputs, *, attributes)`"
            )
            got = f"{getattr(body, '__name__', repr(body))} without {' and '.join(lacking)}"
            raise ArgumentValueError(message(f"operator {type}", "the declaration", got, needs))
        return register(
            OpDef(
                type,
                parse_slots(inputs),
                parse_slots(outputs),
                attrs or {},
                family=family_of(body.__module__),
                reference=members["reference"],
                infer=members["infer"],
                grad=members.get("grad"),
                lod=lod,
                needs_lod=needs_lod,
                effects=effects,
                settled=members.get("settled"),
                ufunc=members.get("ufunc"),
                traits=Traits(**traits),
                origin=origin._replace(name=getattr(body, "__qualname__", type)),
                doc=inspect.cleandoc(body.__doc__ or ""),
            )
        )

    return declare
