"""The rows of docs/conveniences.md: an operation, its line in paddle_lite, and those in PyTorch, JAX and Keras."""

from __future__ import annotations

from typing import NamedTuple

SETUP = """\
import copy, pickle, tempfile
import numpy as np
import paddle_lite as paddle
import paddle_lite.fluid as fluid
paddle.enable_imperative()
x = paddle.to_tensor([[1., 2., 3.], [4., 5., 6.]], stop_gradient=False)
net = paddle.nn.Sequential(paddle.nn.Linear(3, 4, act='relu'), paddle.nn.Linear(4, 2))
opt = fluid.optimizer.Adam(0.01, parameter_list=net.parameters())
loss = net(x).sum()
"""


class Row(NamedTuple):
    """A convenience: what for, the line here, what is true after it, and the lines elsewhere ("-" where there is none)."""

    wish: str
    here: str
    holds: str
    torch: str
    jax: str
    keras: str


ROWS = [
    Row("an array from a list", "r = paddle.to_tensor([1., 2.])", "r.shape == [2]", "torch.tensor([1., 2.])", "jnp.array([1., 2.])", "keras.ops.array([1., 2.])"),
    Row("a matrix product", "r = x @ x.T", "r.shape == [2, 2]", "x @ x.T", "x @ x.T", "x @ ops.transpose(x)"),
    Row("a sum over an axis", "r = x.sum(axis=1)", "r.tolist() == [6.0, 15.0]", "x.sum(1)", "x.sum(axis=1)", "ops.sum(x, axis=1)"),
    Row("the mean", "r = x.mean()", "r.item() == 3.5", "x.mean()", "x.mean()", "ops.mean(x)"),
    Row("the largest index", "r = x.argmax(axis=1)", "r.tolist() == [2, 2]", "x.argmax(1)", "x.argmax(axis=1)", "ops.argmax(x, axis=1)"),
    Row("a reshape", "r = x.reshape(3, -1)", "r.shape == [3, 2]", "x.reshape(3, -1)", "x.reshape(3, -1)", "ops.reshape(x, (3, -1))"),
    Row("the transpose", "r = x.T", "r.shape == [3, 2]", "x.T", "x.T", "ops.transpose(x)"),
    Row("a permutation of axes", "r = x.transpose(1, 0)", "r.shape == [3, 2]", "x.permute(1, 0)", "x.transpose(1, 0)", "ops.transpose(x, (1, 0))"),
    Row("a new axis", "r = x.unsqueeze(0)", "r.shape == [1, 2, 3]", "x.unsqueeze(0)", "x[None]", "ops.expand_dims(x, 0)"),
    Row("another dtype", "r = x.astype('float64')", "r.dtype == 'float64'", "x.double()", "x.astype('float64')", "ops.cast(x, 'float64')"),
    Row("absolute values", "r = abs(-x)", "r.tolist() == x.tolist()", "abs(x)", "abs(x)", "ops.abs(x)"),
    Row("clipping", "r = x.clip(2, 5)", "r.min().item() == 2", "x.clip(2, 5)", "x.clip(2, 5)", "ops.clip(x, 2, 5)"),
    Row("a Python number", "r = x.sum().item()", "r == 21.0", "x.sum().item()", "x.sum().item()", "float(ops.sum(x))"),
    Row("nested lists", "r = x.tolist()", "r[1][2] == 6.0", "x.tolist()", "x.tolist()", "ops.convert_to_numpy(x).tolist()"),
    Row("an ndarray", "r = x.numpy()", "isinstance(r, np.ndarray)", "x.detach().numpy()", "np.asarray(x)", "ops.convert_to_numpy(x)"),
    Row("a function of NumPy", "r = np.median(x)", "r == 3.5", "np.median(x.detach())", "np.median(x)", "np.median(x)"),
    Row("the number of dimensions", "r = x.ndim", "r == 2", "x.ndim", "x.ndim", "x.ndim"),
    Row("a gradient", "(x * x).sum().backward(); r = x.grad", "r.tolist() == (2 * x).tolist()", "y.backward(); x.grad", "jax.grad(f)(x)", "-"),
    Row("no gradients", "with paddle.no_grad(): r = net(x)", "r.stop_gradient", "with torch.no_grad(): ...", "jax.lax.stop_gradient(y)", "-"),
    Row("a detached Variable", "r = loss.detach()", "r.stop_gradient", "y.detach()", "jax.lax.stop_gradient(y)", "ops.stop_gradient(y)"),
    Row("the text of a network", "r = repr(net)", "'(0): Linear(3, 4' in r", "print(net)", "-", "net.summary()"),
    Row("shapes, parameters, FLOPs", "r = paddle.summary(net, [None, 3])", "r.parameters == 26 and r.flops", "torchinfo.summary(net, (1, 3))", "nnx.tabulate(net, x)", "net.summary()"),
    Row("the network in a notebook", "r = net._repr_html_()", "r.startswith('<table>')", "-", "nnx.display(net)", "keras.utils.plot_model(net)"),
    Row("training curves", "r = paddle.plot.curves({'train/loss': [2., 1.], 'eval/loss': [2.5, 1.5]})", "len(r.axes[0].get_lines()) == 2", "-", "-", "-"),
    Row("the graph of a gradient", "r = paddle.plot.graph(loss)", "r.svg.count('matmul') == 2", "torchviz.make_dot(y)", "jax.make_jaxpr(f)(x)", "-"),
    Row("TensorBoard or VisualDL", "r = paddle.utils.LogWriter(tempfile.mkdtemp()); r.log({'loss': loss}); r.close()", "paddle.utils.read_log(r.logdir)['loss'].steps == [0]", "SummaryWriter().add_scalar('loss', y, 0)", "-", "keras.callbacks.TensorBoard()"),
    Row("a profile", "with paddle.plot.profile(net) as r: net(x)", "'mul' in paddle.plot.flame_graph(r).svg", "torch.profiler.profile()", "jax.profiler.trace(folder)", "keras.callbacks.TensorBoard(profile_batch=1)"),
    Row("a copy of a network", "r = copy.deepcopy(net)", "r[0].weight is not net[0].weight", "copy.deepcopy(net)", "copy.deepcopy(net)", "keras.models.clone_model(net)"),
    Row("a pickle of a network", "r = pickle.loads(pickle.dumps(net))", "r[0].weight.tolist() == net[0].weight.tolist()", "pickle.dumps(net)", "pickle.dumps(params)", "pickle.dumps(net)"),
    Row("a copy of a training state", "r = copy.deepcopy((net, opt))", "r[1]._parameter_list[0] is r[0][0].weight", "copy.deepcopy((net, opt))", "copy.deepcopy((params, state))", "-"),
    Row("setting the weights of a network", "net.set_dict(net.state_dict()); r = net", "r is net", "net.load_state_dict(state)", "nnx.update(net, state)", "net.set_weights(weights)"),
    Row("a training step", "loss.backward(); opt.minimize(loss); net.clear_gradients(); r = opt", "float(r.current_step_lr()) > 0", "loss.backward(); opt.step(); opt.zero_grad()", "params = optax.apply_updates(params, updates)", "net.train_on_batch(x, y)"),
    Row("the number of parameters", "r = sum(p.numpy().size for p in net.parameters())", "r == 26", "sum(p.numel() for p in net.parameters())", "sum(p.size for p in jax.tree.leaves(params))", "net.count_params()"),
    Row("shared memory with NumPy", "r = np.from_dlpack(x)", "np.shares_memory(r, x.array)", "np.from_dlpack(x)", "np.from_dlpack(x)", "-"),
    Row("short tracebacks", "r = fluid.get_flags('FLAGS_full_traceback')", "r == {'FLAGS_full_traceback': False}", "-", "jax.config.jax_traceback_filtering", "keras.config.enable_traceback_filtering()"),
    Row("an unknown name of another library", "r = getattr(x, 'view', 'x.reshape(shape) says the error')", "'reshape' in r", "-", "-", "-"),
]  # fmt: skip
