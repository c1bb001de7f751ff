"""Where the functions of `paddle.tensor` are, by its modules. All of them are names of `paddle` and `paddle.tensor`, too."""

from ..core.lazy import table

_MODULES = {
    "attribute": """
        layers.shape.shape: rank shape
        """,
    "creation": """
        layers.shape.fill: fill_constant
        layers.math.linalg: tril triu
        layers.shape.padding: crop_tensor
        layers.shape.rearrange: diag meshgrid
        layers.control.global_variables: create_tensor
        tensor.creation: arange eye full full_like linspace ones ones_like zeros zeros_like
        """,
    "io": """
        io.program_state: load save
        """,
    "linalg": """
        layers.math.distance: dist
        layers.math.linalg: bmm cross dot
        layers.math.matmul: matmul
        layers.shape.shape: transpose
        tensor.linalg: cholesky norm t
        """,
    "logic": """
        layers.math.compare: allclose greater_equal greater_than is_empty isfinite less_equal less_than logical_and
        layers.math.compare: logical_not logical_or logical_xor not_equal
        layers.math.reduce: reduce_all reduce_any
        tensor.logic: elementwise_equal equal
        """,
    "manipulation": """
        layers.shape.index: gather gather_nd
        layers.math.arithmetic: cast
        layers.shape.rearrange: expand_as flip reverse roll
        layers.shape.scatter: scatter scatter_nd scatter_nd_add
        layers.shape.select: shard_index
        layers.shape.shape: concat expand flatten reshape slice split squeeze stack strided_slice transpose unsqueeze unstack
        layers.shape.sort: unique unique_with_counts
        tensor.select: unbind
        """,
    "math": """
        layers.nn.activation: abs acos asin ceil cos erf exp floor log log1p reciprocal round rsqrt sign square
        layers.math.elementwise: elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min
        layers.math.elementwise: elementwise_mod elementwise_mul elementwise_pow elementwise_sub
        layers.math.linalg: addmm cumsum kron logsumexp trace
        layers.math.arithmetic: increment scale sums
        layers.nn.parametric_activation: stanh
        layers.math.reduce: reduce_max reduce_min reduce_prod reduce_sum
        layers.shape.select: multiplex
        tensor.linalg: inverse
        tensor.math: add addcmul clamp div elementwise_sum max min mm mul pow sum
        tensor.pointwise: atan sin sqrt tanh
        """,
    "random": """
        reader.shuffling: shuffle
        tensor.random: bernoulli multinomial rand randint randn randperm
        """,
    "search": """
        layers.math.compare: has_inf has_nan
        layers.shape.index: argmin topk
        layers.shape.select: index_sample index_select nonzero
        layers.shape.sort: argsort
        tensor.search: argmax
        tensor.select: sort where
        """,
    "stat": """
        layers.math.arithmetic: mean
        layers.math.reduce: reduce_mean
        tensor.stat: std var
        """,
}

BY_MODULE = {module: table(text) for module, text in _MODULES.items()}
FUNCTIONS = {name: home for homes in BY_MODULE.values() for name, home in homes.items()}
