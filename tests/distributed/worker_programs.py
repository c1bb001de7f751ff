"""Programs of workers without servers, which PaddlePaddle 1.8.5 makes, too: PYTHON-OF-1.8.5 worker_programs.py records them.

Its CPU build lacks gen_nccl_id and c_gen_nccl_id: there the call that appends one is recorded in place of the operator.
"""

import json
import os

ENDPOINTS = ["127.0.0.1:6170", "127.0.0.1:6171", "127.0.0.1:6172", "127.0.0.1:6173"]
CASES = {
    "nccl2": {"mode": "nccl2"},
    "gradients": {"mode": "collective", "collective_mode": "grad_allreduce"},
    "gradients, two rings": {"mode": "collective", "collective_mode": "grad_allreduce", "nccl_comm_num": 2},
    "gradients, clipped": {"mode": "collective", "collective_mode": "grad_allreduce", "clipped": True},
    "parameters": {"mode": "collective", "collective_mode": "local_sgd"},
    "parameters, two rings": {"mode": "collective", "collective_mode": "local_sgd", "nccl_comm_num": 2},
}
SHOWN = ("scale", "ring_id", "root", "nranks", "rank", "use_calc_stream", "value", "op_role")


def network(fluid, clipped):
    x = fluid.data("x", [None, 4], "float32")
    hidden = fluid.layers.fc(x, 3)
    loss = fluid.layers.mean(fluid.layers.fc(hidden, 2))
    clip = fluid.clip.GradientClipByGlobalNorm(1.0) if clipped else None
    rule = fluid.optimizer.Momentum(0.5, 0.75, regularization=fluid.regularizer.L2Decay(0.25), grad_clip=clip)
    rule.minimize(loss)


def transpiled(fluid, clipped=False, **options):
    """Return [operators of the main Program, of the startup Program] of worker 1 of 4."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        network(fluid, clipped)
        config = fluid.DistributeTranspilerConfig()
        config.wait_port = False
        for name, value in options.items():
            setattr(config, name, value)
        t = fluid.DistributeTranspiler(config)
        t.transpile(1, main, trainers=",".join(ENDPOINTS), startup_program=startup, current_endpoint=ENDPOINTS[1])
    return [[described(op) for op in program.global_block().ops] for program in (main, startup)]


def described(op):
    slots = [{name: list(op.input(name)) for name in op.input_names if op.input(name)}]
    slots.append({name: list(op.output(name)) for name in op.output_names if op.output(name)})
    shown = {name: op.attr(name) for name in SHOWN if name in op.attr_names}
    return [op.type, *slots, {name: int(v) if isinstance(v, bool) else v for name, v in shown.items()}]


def called(type, outputs, attrs):
    names = {
        slot: [getattr(v, "name", v) for v in (of if isinstance(of, list) else [of])] for slot, of in outputs.items()
    }
    return [type, {}, names, {name: int(v) if name == "op_role" else v for name, v in attrs.items()}]


if __name__ == "__main__":
    from paddle import fluid

    append = fluid.framework.Block.append_op
    made = []

    def appended(self, *args, **keywords):
        if keywords.get("type") not in ("gen_nccl_id", "c_gen_nccl_id"):
            return append(self, *args, **keywords)
        made.append([len(self.ops), called(keywords["type"], keywords["outputs"], keywords["attrs"])])

    fluid.framework.Block.append_op = appended
    found = {}
    for name, options in CASES.items():
        del made[:]
        found[name] = [*transpiled(fluid, **options), list(made)]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker_programs.json"), "w") as file:
        file.write(json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n")
