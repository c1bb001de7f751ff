"""Records Programs in which PaddlePaddle 2.6.2 trains its recurrent layers: the operators rnn and rnn_grad.

    PYTHON tests/interop/record_recurrent.py       # PYTHON: an interpreter that has paddlepaddle 2.6.2

Writes tests/interop/data/recurrent.npz: of each net the Program, its first parameters, what is fed, and the losses of five
steps. Not a test of the suite, since that needs no PaddlePaddle.
"""

import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FEED = {"x": np.random.RandomState(0).randn(3, 5, 4).astype("float32"), "lengths": np.array([5, 2, 3], "int32")}
NETS = {
    "LSTM": {"num_layers": 2, "direction": "bidirect"},
    "GRU": {"num_layers": 2, "lengths": True},
    "SimpleRNN": {"direction": "bidirect", "activation": "relu", "lengths": True},
    "dropout": {"num_layers": 2, "dropout": 0.5},
}


def record(paddle, name, lengths=False, **options):
    """Return what is kept of one net."""
    main, startup, scope = paddle.static.Program(), paddle.static.Program(), paddle.static.Scope()
    paddle.seed(3)
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main, startup), paddle.static.scope_guard(scope):
        x = paddle.static.data("x", [3, 5, 4], "float32")
        given = paddle.static.data("lengths", [3], "int32") if lengths else None
        layer = getattr(paddle.nn, "GRU" if name == "dropout" else name)(4, 3, **options)
        out, state = layer(x, sequence_length=given)
        last = state[0] if name == "LSTM" else state
        loss = paddle.mean(paddle.square(paddle.static.nn.fc(out, 1, num_flatten_dims=2))) + paddle.mean(last)
        paddle.optimizer.SGD(0.5).minimize(loss)
        exe = paddle.static.Executor(paddle.CPUPlace())
        exe.run(startup)
        dense = paddle.base.core.VarDesc.VarType.LOD_TENSOR
        kept = [v.name for v in main.list_vars() if v.persistable and v.type == dense and scope.find_var(v.name)]
        state = {"state/" + k: np.array(scope.find_var(k).get_tensor()) for k in kept}
        feed = {k: FEED[k] for k in (["x", "lengths"] if lengths else ["x"])}
        losses = [exe.run(main, feed=feed, fetch_list=[loss])[0] for _ in range(5)]
    program = np.frombuffer(main.desc.serialize_to_string(), "uint8")
    about = {"program": program, "loss": loss.name, "losses": np.array(losses), **state}
    return {**about, **{"feed/" + k: v for k, v in feed.items()}}


def main():
    import paddle

    paddle.enable_static()
    store = {}
    for name, options in NETS.items():
        found = record(paddle, name, **options)
        store.update({f"{name}/{what}": value for what, value in found.items()})
        print(name, found["losses"].ravel())
    np.savez_compressed(os.path.join(HERE, "data", "recurrent.npz"), **store)


if __name__ == "__main__":
    main()
