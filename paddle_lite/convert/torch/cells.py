"""One step of recurrent cells, with operators of PyTorch."""

from __future__ import annotations

from .call import TorchCall, converts, number

ACTIVATIONS = {0: "", 1: "torch.sigmoid", 2: "torch.tanh", 3: "F.relu"}
"""The functions of gru_unit by their numbers."""


@converts("gru_unit")
def gru_unit(call: TorchCall) -> None:
    """Compute one step of a gated recurrent unit; Weight holds [n, 2n] of the gates, then [n, n] of the candidate."""
    n = call.shape("HiddenPrev")[1]
    x, before, weight = call.x("Input"), call.x("HiddenPrev"), f"{call.x('Weight')}.reshape(-1)"
    if call.has("Bias"):
        x = f"({x} + {call.x('Bias')}.reshape(1, -1))"
    of_gates, of_candidate = ACTIVATIONS[int(call.attr("gate_activation"))], ACTIVATIONS[int(call.attr("activation"))]
    gates, kept, candidate, hidden = (call.source.local(name) for name in ("gates", "kept", "candidate", "hidden"))
    call.source.line(
        f"{gates} = {of_gates}({x}[:, :{2 * n}] + {before} @ {weight}[:{2 * n * n}].reshape({n}, {2 * n}))"
    )
    call.source.line(f"{kept} = {gates}[:, {n}:] * {before}")
    call.source.line(
        f"{candidate} = {of_candidate}({x}[:, {2 * n}:] + {kept} @ {weight}[{2 * n * n}:].reshape({n}, {n}))"
    )
    old, new = (candidate, before) if call.attr("origin_mode") else (before, candidate)
    call.source.line(f"{hidden} = torch.lerp({old}, {new}, {gates}[:, :{n}])")
    call.out(f"torch.cat([{gates}, {candidate}], 1)", "Gate")
    call.out(kept, "ResetHiddenPrev")
    call.out(hidden, "Hidden")


@converts("lstm_unit")
def lstm_unit(call: TorchCall) -> None:
    """Compute one step of a long short-term memory: gates of input, forgetting and output, then the candidate."""
    n = call.shape("C_prev")[1]
    x, before, bias = call.x(), call.x("C_prev"), number(call.attr("forget_bias"))
    cell, hidden = call.source.local("cell"), call.source.local("hidden")
    kept = f"torch.sigmoid({x}[:, {n}:{2 * n}] + {bias}) * {before}"
    call.source.line(f"{cell} = {kept} + torch.sigmoid({x}[:, :{n}]) * torch.tanh({x}[:, {3 * n}:])")
    call.source.line(f"{hidden} = torch.sigmoid({x}[:, {2 * n}:{3 * n}]) * torch.tanh({cell})")
    call.out(cell, "C")
    call.out(hidden, "H")
