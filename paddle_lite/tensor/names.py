"""Where the functions of `paddle.tensor` are, by its modules. All of them are names of `paddle` and `paddle.tensor`, too."""

from ..core.lazy import table

_MODULES = {
    "attribute": """
        layers.shape: rank shape
        """,
    "creation": """
        layers.fill: fill_constant
        layers.linalg: tril triu
        layers.pad: crop_tensor
        layers.rearrange: diag meshgrid
        layers.state: create_tensor
        tensor.creation: arange eye full full_like linspace ones ones_like zeros zeros_like
        """,
    "io": """
        io.program_state: load save
        """,
    "linalg": """
        layers.distance: dist
        layers.linalg: bmm cross dot
        layers.matmul: matmul
        layers.shape: transpose
        tensor.linalg: cholesky norm t
        """,
    "logic": """
        layers.compare: allclose greater_equal greater_than is_empty isfinite less_equal less_than logical_and
        layers.compare: logical_not logical_or logical_xor not_equal
        layers.reduce: reduce_all reduce_any
        tensor.logic: elementwise_equal equal
        """,
    "manipulation": """
        layers.index: gather gather_nd
        layers.math: cast
        layers.rearrange: expand_as flip reverse roll
        layers.scatter: scatter scatter_nd scatter_nd_add
        layers.select: shard_index
        layers.shape: concat expand flatten reshape slice split squeeze stack strided_slice transpose unsqueeze unstack
        layers.sort: unique unique_with_counts
        tensor.select: unbind
        """,
    "math": """
        layers.activation: abs acos asin ceil cos erf exp floor log log1p reciprocal round rsqrt sign square
        layers.elementwise: elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min
        layers.elementwise: elementwise_mod elementwise_mul elementwise_pow elementwise_sub
        layers.linalg: addmm cumsum kron logsumexp trace
        layers.math: increment scale sums
        layers.parametric: stanh
        layers.reduce: reduce_max reduce_min reduce_prod reduce_sum
        layers.select: multiplex
        tensor.linalg: inverse
        tensor.math: add addcmul clamp div elementwise_sum max min mm mul pow sum
        tensor.pointwise: atan sin sqrt tanh
        """,
    "random": """
        reader.shuffling: shuffle
        tensor.random: bernoulli multinomial rand randint randn randperm
        """,
    "search": """
        layers.compare: has_inf has_nan
        layers.index: argmin topk
        layers.select: index_sample index_select nonzero
        layers.sort: argsort
        tensor.search: argmax
        tensor.select: sort where
        """,
    "stat": """
        layers.math: mean
        layers.reduce: reduce_mean
        tensor.stat: std var
        """,
}

BY_MODULE = {module: table(text) for module, text in _MODULES.items()}
FUNCTIONS = {name: home for homes in BY_MODULE.values() for name, home in homes.items()}
