"""Where the modules of Fluid's file layout are in paddle_lite, for those that have no file of the same name here.

`paddle.X` is `paddle_lite.X` without an entry. An entry says that the module `paddle.<left>` is the module
`paddle_lite.<right>` (the same object), which must offer at least the names that programs take from `paddle.<left>`.
"" is paddle_lite itself. A module that has a file here needs no entry; tests/compat checks that none has both.
"""

from __future__ import annotations


def _inside(package: str, modules: str) -> dict[str, str]:
    """Entries for modules of a Fluid package all of whose names are in the namespace of the package itself."""
    return {f"{package}.{module}": package for module in modules.split()}


LAYOUT: dict[str, str] = {
    "batch": "",
    "framework": "",
    "backward": "",
    "executor": "",
    "clip": "fluid.clip",
    "initializer": "fluid.initializer",
    "metrics": "fluid.metrics",
    "profiler": "fluid.profiler",
    "regularizer": "fluid.regularizer",
    "unique_name": "fluid.unique_name",
    "fluid.reader": "fluid.io",
    "fluid.dataloader": "fluid.io",
    "fluid.core_avx": "fluid.core",
    "fluid.core_noavx": "fluid.core",
    **_inside(
        "fluid",
        "data data_feeder executor framework input lod_tensor parallel_executor param_attr",
    ),
    **_inside(
        "fluid.layers",
        "collective control_flow detection device distributions io learning_rate_scheduler loss math_op_patch "
        "metric_op nn ops rnn sequence_lod tensor",
    ),
    **_inside(
        "fluid.dygraph",
        "backward_strategy base checkpoint container jit layers learning_rate_scheduler nn parallel profiler "
        "static_runner tracer",
    ),
    **_inside("nn", "clip control_flow input"),
    **_inside("fluid.contrib", "decoder extend_optimizer memory_usage_calc op_frequence quantize reader utils"),
    **_inside("fluid.contrib.layers", "metric_op nn rnn_impl"),
    **_inside("fluid.contrib.mixed_precision", "decorator fp16_lists"),
    "fluid.transpiler.distribute_transpiler": "fluid.transpiler",
    "fluid.transpiler.memory_optimization_transpiler": "fluid.transpiler",
    "fluid.data_feed_desc": "fluid",
    "fluid.dygraph.dygraph_to_static": "fluid.dygraph",
    "fluid.dygraph.dygraph_to_static.program_translator": "fluid.dygraph",
}

INTERNAL = frozenset({"cli", "core", "demo", "kernels", "layers", "ops", "params"})
"""Members of paddle_lite that are no API: `import paddle.kernels` is an error, as it is in PaddlePaddle."""
