"""Programs that a DistributeTranspiler divides, and their description. record_transpiled.py runs this on PaddlePaddle 1.8.5."""

import importlib

ENDPOINTS = ["127.0.0.1:6170", "127.0.0.1:6171", "127.0.0.1:6172"]
CASES = {
    "plain": {}, "cut": {"width": 200}, "whole": {"width": 200, "slice_var_up": False}, "three_servers": {"width": 300, "servers": 3},
    "asynchronous": {"sync": False, "width": 200}, "trainer_1": {"trainer_id": 1, "width": 200},
    "momentum": {"width": 200, "rule": "momentum"}, "adam_decay": {"width": 200, "rule": "adam"}, "adagrad": {"rule": "adagrad"},
    "adamax": {"rule": "adamax"}, "table": {"table": 1000}, "cut_table": {"table": 5000},
    "penalised_table": {"table": 5000, "rule": "momentum"},
    "table_twice": {"table": 5000, "twice": True},
    "half_asynchronous": {"width": 200, "table": 5000, "sync": False, "sync_mode": False, "half_async": True, "runtime_split_send_recv": True},
    "without_splitting": {"width": 200, "sync": False, "sync_mode": False},
    "fleet_synchronous": {
        "width": 200, "table": 5000, "sync": False, "sync_mode": False, "half_async": True, "completely_not_async": True,
        "runtime_split_send_recv": True,
    },
    "geo": {"width": 200, "table": 5000, "twice": True, "geo": True}, "geo_dense": {"width": 10, "rule": "adam", "geo": True, "trainer_id": 1},
    "clipped": {"rule": "clipped"}, "clipped_table": {"table": 5000, "rule": "clipped"}, "clipped_by_value": {"rule": "clipped_by_value"},
    "clipped_asynchronous": {"rule": "clipped", "sync": False, "sync_mode": False, "runtime_split_send_recv": True},
    "clipped_geo": {"table": 5000, "rule": "clipped_by_value", "geo": True},
    "split_when_sent": {"width": 200, "table": 5000, "sync": False, "sync_mode": False, "runtime_split_send_recv": True},
}  # fmt: skip


def rule(fluid, name):
    if name == "momentum":
        return fluid.optimizer.Momentum(0.1, 0.9, regularization=fluid.regularizer.L2Decay(1e-3))
    if name == "adam":
        return fluid.optimizer.Adam(fluid.layers.exponential_decay(0.1, 10, 0.5, staircase=True))
    if name.startswith("clipped"):
        clip = fluid.clip.GradientClipByValue if name == "clipped_by_value" else fluid.clip.GradientClipByGlobalNorm
        fluid.clip.set_gradient_clip(
            clip(2.0)
        )  # those of the argument grad_clip are lost in 1.8.5: nothing makes what trainers send
        return fluid.optimizer.SGD(0.1, regularization=fluid.regularizer.L2Decay(1e-3))
    return {"sgd": fluid.optimizer.SGD, "adagrad": fluid.optimizer.Adagrad, "adamax": fluid.optimizer.Adamax}[name](0.1)


def build(fluid, width=10, name="sgd", table=0, twice=False):
    hidden = fluid.layers.data(name="x", shape=[100], dtype="float32")
    y = fluid.layers.data(name="y", shape=[1], dtype="float32")
    for ids in (["ids", "other"] if twice else ["ids"]) if table else []:
        words = fluid.layers.data(name=ids, shape=[1], dtype="int64", lod_level=1)
        attr = fluid.ParamAttr(name="emb")
        emb = fluid.layers.embedding(words, size=[table, 8], is_sparse=True, param_attr=attr)
        hidden = fluid.layers.concat([hidden, fluid.layers.sequence_pool(emb, "sum")], axis=1)
    hidden = fluid.layers.fc(hidden, size=width, act="relu")
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, size=1), y))
    rule(fluid, name).minimize(loss)


def transpiled(fluid, **case):
    """Return the descriptions of the trainer's Programs and of each server's."""
    width, name, table, twice = (
        case.pop("width", 10),
        case.pop("rule", "sgd"),
        case.pop("table", 0),
        case.pop("twice", False),
    )
    sync, servers, trainer = case.pop("sync", True), case.pop("servers", 2), case.pop("trainer_id", 0)
    geo = case.pop("geo", False)
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        build(fluid, width, name, table, twice)
        config = fluid.DistributeTranspilerConfig()
        for key in sorted(case, key="sync_mode".__ne__):
            setattr(config, key, case[key])
        kind = fluid.DistributeTranspiler
        if geo:
            kind = importlib.import_module(f"{fluid.__name__}.transpiler.geo_sgd_transpiler").GeoSgdTranspiler
        t = kind(config=config)
        endpoints = ENDPOINTS[:servers]
        t.transpile(trainer, main, ",".join(endpoints), 2, sync, startup)
        made = {endpoint: t.get_pserver_programs(endpoint) for endpoint in endpoints}
        own = t.get_trainer_program(wait_port=False)
    found = {endpoint: [describe(program) for program in pair] for endpoint, pair in made.items()}
    found["trainer"] = [describe(own), describe(startup)]
    return found


ATTRS = [
    "epmap",
    "sections",
    "height_sections",
    "send_varnames",
    "recv_varnames",
    "trainer_id",
    "with_barrier",
    "endpoints",
    "endpoint",
    "Fanin",
    "half_async",
    "optimize_blocks",
    "distributed_mode",
    "lr_decay_block_id",
    "sparse_grad_to_param",
    "pserver_id",
    "table_names",
    "padding_idx",
    "lookup_table_version",
    "axis",
    "remote_prefetch",
    "op_role",
]


def describe(program):
    """Return a block as [type, inputs, outputs, attributes] for each operator; control variables have no names of their own."""
    blocks = []
    for block in program.blocks:
        ops = []
        for op in block.ops:
            sides = [
                {slot: plain(getattr(op, way)(slot)) for slot in sorted(getattr(op, f"{way}_names"))}
                for way in ("input", "output")
            ]
            attrs = {name: plain(op.attr(name)) for name in ATTRS if op.has_attr(name)}
            if op.type == "listen_and_serv":
                attrs["grad_to_block_id"] = sorted(op.attr("grad_to_block_id"))
                sides[0]["X"].sort()
            if op.type == "scale":
                attrs["scale"] = round(op.attr("scale"), 6)
            ops.append([op.type, *({slot: names for slot, names in side.items() if names} for side in sides), attrs])
        blocks.append(ops)
    return blocks


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if hasattr(value, "idx") or type(value).__name__ == "BlockDesc":
        return value.idx if hasattr(value, "idx") else value.id
    return "control" if isinstance(value, str) and value.startswith("__control_var") else value
