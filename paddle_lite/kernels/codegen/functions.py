"""The functions of the expression language: one table, from which every form and the derivatives are generated."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """A scalar function of `u` (and `v`).

    `derivatives` has one expression for each argument. `meaning` defines the function in terms of simpler ones, for the
    forms that lack it. `truth` marks a function that returns a truth value.
    """

    derivatives: tuple[str, ...]
    meaning: str = ""
    truth: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        return ("u", "v")[: len(self.derivatives)]


# round: the distance to the truncated value is exact, where u + 0.5 would round up 0.49999999999999994.
FUNCTIONS: dict[str, Function] = {
    "exp": Function(("exp(u)",)),
    "log": Function(("1 / u",)),
    "log1p": Function(("1 / (1 + u)",)),
    "expm1": Function(("exp(u)",)),
    "sqrt": Function(("0.5 / sqrt(u)",)),
    "rsqrt": Function(("-0.5 * rsqrt(u) / u",), "1 / sqrt(u)"),
    "tanh": Function(("1 - tanh(u) ** 2",)),
    "sigmoid": Function(("sigmoid(u) * (1 - sigmoid(u))",), "1 / (1 + exp(-u))"),
    "erf": Function(("1.1283791670955126 * exp(-u ** 2)",)),  # 2 / sqrt(pi)
    "sin": Function(("cos(u)",)),
    "cos": Function(("-sin(u)",)),
    "asin": Function(("rsqrt(1 - u ** 2)",)),
    "acos": Function(("-rsqrt(1 - u ** 2)",)),
    "atan": Function(("1 / (1 + u ** 2)",)),
    "sinh": Function(("cosh(u)",)),
    "cosh": Function(("sinh(u)",)),
    "abs": Function(("sign(u)",)),
    "sign": Function(("0",), "1 if u > 0 else -1 if u < 0 else u"),
    "floor": Function(("0",)),
    "ceil": Function(("0",)),
    "trunc": Function(("0",)),
    "round": Function(("0",), "trunc(u) + sign(u) if abs(u - trunc(u)) >= 0.5 else trunc(u)"),
    "min": Function(("1 if u < v else 0", "0 if u < v else 1"), "u if u < v or isnan(u) else v"),
    "max": Function(("1 if u > v else 0", "0 if u > v else 1"), "u if u > v or isnan(u) else v"),
    "isnan": Function(("0",), "u != u", truth=True),
    "isinf": Function(("0",), "abs(u) == 1e999", truth=True),
}
