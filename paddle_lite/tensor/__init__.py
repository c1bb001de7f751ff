"""`paddle.tensor`: the functions of 2.0-alpha on Variables, and its modules of them.

The functions whose signature is not Fluid's are in `layers/paddle2`; the others are Fluid's. All are names of `paddle`,
too. The table below says where each name is; `core/lazy.py` explains its form.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    tensor: attribute.* creation.* io.* linalg.* logic.* manipulation.* math.* random.* search.* stat.*

    [attribute] What is known of a Variable.
    layers.shape.shape: rank shape

    [creation] Making Variables: zeros, ones, constants, sequences, the identity matrix.
    layers.control.global_variables: create_tensor
    layers.math.linalg: tril triu
    layers.paddle2: creation.*
    layers.shape.fill: fill_constant
    layers.shape.padding: crop_tensor
    layers.shape.rearrange: diag meshgrid

    [io] Saving and loading.
    io.program_state: load save

    [linalg] Products, norms and transposes of matrices.
    layers.math.distance: dist
    layers.math.linalg: bmm cross dot
    layers.math.matmul: matmul
    layers.paddle2: contraction.*
    layers.paddle2.linalg: cholesky norm t
    layers.shape.shape: transpose

    [logic] Comparisons of Variables.
    layers.math.compare: allclose greater_equal greater_than is_empty isfinite less_equal less_than logical_and
    layers.math.compare: logical_not logical_or logical_xor not_equal
    layers.math.reduce: reduce_all reduce_any
    layers.paddle2: compare.*

    [manipulation] Joining, cutting and rearranging Variables.
    layers.math.arithmetic: cast
    layers.shape.index: gather gather_nd
    layers.shape.rearrange: expand_as flip reverse roll
    layers.shape.scatter: scatter scatter_nd scatter_nd_add
    layers.shape.select: shard_index
    layers.shape.shape: concat expand flatten reshape slice split squeeze stack strided_slice transpose unsqueeze unstack
    layers.shape.sort: unique unique_with_counts
    layers.paddle2.select: unbind

    [math] Arithmetic of Variables.
    layers.math.arithmetic: increment scale sums
    layers.math.elementwise: elementwise_add elementwise_div elementwise_floordiv elementwise_max elementwise_min
    layers.math.elementwise: elementwise_mod elementwise_mul elementwise_pow elementwise_sub
    layers.math.linalg: addmm cumsum kron logsumexp trace
    layers.math.reduce: reduce_max reduce_min reduce_prod reduce_sum
    layers.nn.activation: abs acos asin ceil cos erf exp floor log log1p reciprocal round rsqrt sign square
    layers.nn.parametric_activation: stanh
    layers.paddle2: arithmetic.* pointwise.*
    layers.paddle2.linalg: inverse
    layers.shape.select: multiplex

    [random] Random numbers.
    layers.paddle2.random: bernoulli multinomial rand randint randn randperm
    reader.shuffling: shuffle

    [search] Finding elements of Variables.
    layers.math.compare: has_inf has_nan
    layers.paddle2: search.*
    layers.paddle2.select: sort where
    layers.shape.index: argmin topk
    layers.shape.select: index_sample index_select nonzero
    layers.shape.sort: argsort

    [stat] Statistics of Variables.
    layers.math.arithmetic: mean
    layers.math.reduce: reduce_mean
    layers.paddle2: statistics.*
    """,
)
