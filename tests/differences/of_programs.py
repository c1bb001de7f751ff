"""Differences of more than one operator: title, what 1.8.5 does, what happens here, why, and how to get the behaviour of 1.8.5."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    title: str
    theirs: str
    ours: str
    why: str
    old: str = ""


NUMBERS = [
    Difference(
        "A Variable that is written twice",
        "The gradient of an operator reads its result as it is when the backward pass runs: after `assign(y2, y)` the gradient of "
        "`y = tanh(x)` computes with y2.",
        "It computes with the value that the operator made.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "Gradients that select",
        "Gradients of maxima, `elementwise_max`, `elementwise_min`, `reduce_prod`, and of activations with flat parts (`relu`, `relu6`, "
        "`brelu`, `elu`, `soft_relu`, `thresholded_relu`, `hard_sigmoid`, `hard_swish`, `hard_shrink`, `softshrink`) multiply by a mask "
        "or divide by an element, so NaN, infinity or 0 elsewhere gives NaN.",
        "They select: an element that was not chosen has the gradient 0.",
        "One bad number does not spoil the gradients of all others.",
    ),
    Difference(
        "Recurrences without a first state",
        "`lstm`, `lstmp` and `gru` leave the first step out of the gradient of their weights.",
        "It is a row of zeros in the product, so a gate of NaN in the first step makes the gradient NaN.",
        "One product of all steps.",
    ),
    Difference(
        "LSTMs whose size is a multiple of 8",
        "On a CPU, `dynamic_lstm` and `dynamic_lstmp` with a hidden size of 8, 16, ..., 128, ... have zeros for the gradients of three "
        "of the four gates.",
        "All gates have gradients, in every size, so the training of such a network follows another curve.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "The gradient of `pad` in short rows",
        "Some elements of it are wrong where a row is as short as its padding: a row of four numbers, padded by four on both sides.",
        "It is the part of the result's gradient that belongs to X.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "Extreme numbers",
        "`pool2d` gives -3.4e38 for the maximum of a window of -inf alone. A pair adds at most 46 to `bpr_loss`.",
        "The maximum is -inf, and the loss has no bound.",
        "Both follow from the definitions.",
    ),
    Difference(
        "Attributes that are np.float32",
        "They are cut to integers where a function does not convert them: `clip(x, np.float32(0.25), np.float32(0.75))` has the bounds 0 and 0, "
        "and `leaky_relu(x, np.float32(0.5))` the slope 0.",
        "They are numbers like others.",
        "No program wants that.",
    ),
    Difference(
        "Gates that are saturated",
        "`gru`, `lstm` and `lstmp` clip what goes into a sigmoid to the range from -40 to 13, so a gate is at most 1 - 2.3e-6. "
        "`gru_unit`, `lstm_unit` and `sigmoid` do not.",
        "No operator clips it.",
        "The result is the sigmoid, and a recurrence equals its steps.",
    ),
    Difference(
        "The gradient of `increment`",
        "The backward pass takes the step off the result again, in place: `increment(x, 2.0)` that is fetched after "
        "`minimize` is x. With in_place=False, and in imperative mode, no gradient passes.",
        "The result stays, and its gradient is that of x.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "Second derivatives",
        "`fluid.gradients` of gradients leaves out, without a word, what goes through an operator whose gradient operator has "
        "no gradient: `softmax`, `cross_entropy`, `sigmoid`, `exp` and most others.",
        "They are whole for pointwise operators, `softmax`, `cross_entropy` and others; where one stops, a warning names the "
        "operator.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "NaN that becomes a number",
        "`elementwise_max`, `elementwise_min`, `reduce_max`, `reduce_min`, `top_k`, `softmax`, `sign`, `exp`, `tanh`, `sigmoid`, `stanh`, "
        "`soft_relu`, `dropout`, `pool2d` and others make a number of NaN.",
        "They are NaN; sorting puts it behind all others.",
        "A NaN that disappears hides the fault that made it.",
    ),
    Difference(
        "The second penalty of Ftrl",
        "`Ftrl(l1=, l2=)` gives its operator l1 in the place of l2.",
        "The operator gets l2.",
        "It is what the argument says.",
        "Pass `l2` equal to `l1`.",
    ),
    Difference(
        "RMSProp of sparse gradients",
        "It looks for each row by halves in a list that is not sorted, and leaves out those that it does not find: of the words 5, 3 "
        "and 0 only 3 is trained.",
        "Each row is updated, as with dense gradients.",
        "It is what the optimizer says.",
    ),
    Difference(
        "Learning rates that decay, in fleet with parameter servers",
        "With the synchronous and the half-asynchronous strategy the servers' count of steps stays at the number of trainers, and "
        "`exponential_decay(0.1, 1, 0.5)` of two trainers is 0.025 in each step. With the asynchronous one it begins there.",
        "The count begins at 0. It grows with each step of all trainers where these are synchronous, as with a "
        "DistributeTranspiler alone, else with each step of each trainer.",
        "A rate that never decays is not what a schedule says.",
        "Give the optimizer that number.",
    ),
    Difference(
        "Rounding",
        "Each operator rounds its result.",
        "Operators that are joined into one kernel round as one expression, with other libraries for exp, tanh and products. Results "
        "differ in the last bits, as they do between two builds of 1.8.5.",
        "Speed.",
        "`fluid.set_flags({'FLAGS_plan_passes': 'none'})` runs a Program operator by operator.",
    ),
    Difference(
        "Sums of many numbers",
        "`reduce_sum`, `reduce_mean` and `mean` of a whole Variable add float32 numbers one after another: the mean of nine million "
        "numbers between 0 and 600 is 299.9607, that of float64 299.9958.",
        "They are added in parts: 299.9958.",
        "A loss over a large matrix, such as one that `[N] + [N, 1]` made by accident, was off in the fourth digit.",
    ),
    Difference(
        "Batches without rows",
        "Many operators refuse them; some end the process with a floating point exception. `matmul` takes an empty batch for none, so that "
        "the result has a dimension less.",
        "Where an empty result is defined it is returned, with gradients. Convolutions, normalization and searches refuse.",
        "The last batch of a filtered data set may be empty.",
    ),
    Difference(
        "Gradients of parts that do not run",
        "The gradient of a parameter that only a loop without rounds reads may be fetched as an empty array.",
        "It is zeros.",
        "It is the derivative, and it has the shape that it is declared with.",
    ),
    Difference(
        "Dtypes",
        "Operators have kernels for some dtypes; float16 is computed on GPUs only.",
        "What can be computed is: float64 wherever float32 is, float16 on the CPU, whole numbers and bool where they make sense.",
        "Tests of 1.8.5 that expect a refusal fail here (docs/conformance.md).",
    ),
    Difference(
        "Gradients of while_loop",
        "What enters `while_loop` as a loop variable has the gradient 0, or that of the loop's result as if there were no rounds (1 after "
        "three rounds of `y * 2.0`), and what its body reads has that of a part of the rounds: the body's results are assigned to the "
        "variables themselves.",
        "They have the derivative, also in Programs that 1.8.5 saved. A Program with its gradients that is saved here trains by them in "
        "1.8.5.",
        "1.8.5's gradient is not the derivative.",
    ),
    Difference(
        "float16 and control flow",
        "`mixed_precision.decorate` has a `conditional_block`, `while` or `recurrent` read a cast of what is float16, but its block reads "
        "what was there before, so that the gradient of the cast stops there.",
        "The block reads the cast, too. What a loop keeps from round to round is cast before the loop and back behind it.",
        "What comes before a branch or a loop is trained.",
    ),
]

MODES = [
    Difference(
        "Operators of a saved model",
        "`fluid.io.save_inference_model` appends a `scale` for each target to the Program that it saves, at each call.",
        "Only the saved copy has them.",
        "A Program that is saved after each epoch does not grow.",
    ),
    Difference(
        "Programs that no feed fits",
        "They are refused when they run.",
        "They are refused when they are built, where the shapes are known.",
        "The error names the line that is wrong.",
    ),
    Difference(
        "Dropout and batch_norm in test form",
        "Their gradients are refused, in dropout's case when the Program runs.",
        "They have gradients.",
        "Frozen layers, adversarial inputs.",
    ),
    Difference(
        "batch_norm with a Variable as momentum",
        "The Variable is never read, and the statistics move by 0.9.",
        "It is read in each step.",
        "It is what the documentation of batch_norm promises.",
    ),
    Difference(
        "An integer beside a slice with a step",
        "In imperative mode `x[0, ::2]` keeps the axis of the integer with size 1; a Program drops it, or refuses the index.",
        "The axis is dropped in both modes, as without a step.",
        "It is what NumPy does, and what `x[0]` does.",
        "Write `x[0:1, ::2]`.",
    ),
    Difference(
        "LoD in imperative mode",
        "Variables of imperative mode have no sequences.",
        "They have, as in Programs (docs/ragged.md).",
        "The same layers work in both modes.",
    ),
    Difference(
        "A warmup of a schedule that is resumed",
        "`set_dict` of an optimizer with `LinearLrWarmup` of another schedule starts that schedule anew: after five steps the rate goes "
        "from 0.025 back to 0.1.",
        "The schedule goes on where it was.",
        "Training that is resumed is the training that was saved.",
    ),
    Difference(
        "The first rate of a warmup in imperative mode",
        "`LinearLrWarmup(rate, steps, start_lr, end_lr)` leaves out `start_lr`: the rate in step n of the warmup is "
        "(end_lr - start_lr) * n / steps. `layers.linear_lr_warmup` of Programs begins at start_lr.",
        "It begins at start_lr in both modes.",
        "It is what the argument says.",
        "Pass `start_lr=0` and `end_lr - start_lr` as `end_lr`.",
    ),
    Difference(
        "What step() of a schedule returns",
        "`step()` of most schedules of imperative mode returns a Variable.",
        "It returns a number. What the schedule returns when it is called is a Variable in both.",
        "An optimizer asks for the rate in each step, and needs the number.",
        "`schedule.create_lr_var(schedule.step())`.",
    ),
    Difference(
        "The text of Programs",
        "`print(program)` and `str` of Programs, blocks, operators and Variables show the text of their protobuf messages.",
        "They show one line for each operator or Variable. `to_string(True)` of each returns the text of the message.",
        "A hundred lines for an operator hide the Program.",
        "`print(program.to_string(True))`.",
    ),
    Difference(
        "A Variable and None",
        "`variable == None` of a Program's Variable raises TypeError, and so does `variable in [None, other]`.",
        "It is False; `variable != None` is True.",
        "It is what Python says of other objects.",
    ),
    Difference(
        "stop_gradient of truth values",
        "Results of `x < y` and the like, and of `logical_not`, `logical_and` and so on have stop_gradient False in Programs.",
        "It is True, as of all results that have no gradient.",
        "No gradient reaches them in either.",
    ),
    Difference(
        "The dtype of a Layer's own parameters",
        "`create_parameter` without `dtype` makes float32, whatever the Layer's dtype is.",
        "It makes the Layer's dtype.",
        "A Layer of float64 with float32 parameters cannot run.",
        "Pass `dtype='float32'`.",
    ),
    Difference(
        "uniform_random of float64 in imperative mode",
        "`layers.uniform_random(shape, dtype='float64')` makes float32 there, and float64 in Programs.",
        "It makes float64 in both.",
        "It is what the argument says.",
        "Pass `dtype='float32'`.",
    ),
    Difference(
        "swish in imperative mode",
        "`layers.swish(x, beta)` leaves out `beta` and computes with 1; in Programs it does not.",
        "It computes with `beta` in both modes.",
        "It is what the argument says.",
        "Call `layers.swish(x)`.",
    ),
    Difference(
        "minimize in a While whose forward pass is outside",
        "Nothing is trained, without a word.",
        "It is refused.",
        "It is never what was meant.",
    ),
    Difference(
        "A declared function that makes parameters",
        "It is refused.",
        "The parameters are made at the first call.",
        "Nothing speaks against it.",
    ),
    Difference(
        "Whole numbers and truth values between two casts",
        "A declared function whose gradient flows through `cast` to bool or a whole dtype fails.",
        "It has the gradient that imperative mode and Programs have in both.",
        "The three ways to run code give the same.",
    ),
    Difference(
        "Threads",
        "The mode, `no_grad`, `train()` and `eval()`, default Programs, the global Scope and generated names are the process's: what one "
        "thread enters, all others are in.",
        "Guards change their own thread or asyncio task only; a new thread starts from what holds outside of all guards. Global calls, such as "
        "`enable_dygraph`, change the process (docs/threads-and-kernels.md).",
        "A `no_grad` in one thread loses the gradients of another without a word.",
        "`contextvars.copy_context().run` takes the guards along into a thread.",
    ),
    Difference(
        "Errors",
        "Classes of the native library, with its call stack.",
        "Classes of `paddle_lite.core.errors`, all of them EnforceNotMet, most of them also ValueError, TypeError or the like; other "
        "texts, that name the line of the program (docs/errors.md).",
        "The text is to help.",
    ),
    Difference(
        "Files of a traced Layer",
        "`TracedLayer` names the results of its Program `t_0`, `fetch_0`.",
        "Results have the names of operators; inputs are `feed_0`, `feed_1` in both.",
        "The file of an inference model has the names of inputs and parameters, which are the same.",
    ),
    Difference(
        "How an Executor runs",
        "`Executor._add_feed_fetch_ops`, `program_caches`, `ctx_caches`, `scope_caches`, `var_caches` and `_get_program_cache` hold prepared "
        "Programs with `feed` and `fetch` operators.",
        "A Plan is kept for each combination of Program, feeds and fetches; `paddle_lite.static.plan_of` returns it.",
        "A Plan has no such operators. `fluid.io.prepend_feed_ops` and `append_fetch_ops` append them to a Program.",
    ),
    Difference(
        "Private attributes of control flow",
        "`StaticRNN`, `DynamicRNN`, `While`, `IfElse` and `Switch` have `helper` and `status` and lists of their blocks and arrays; a Layer "
        "has an empty `_loaddict_holder`.",
        "Of these, `While.cond_var` and `is_test` are there.",
        "They are put together otherwise; the methods are the same.",
    ),
    Difference(
        "Names of temporaries",
        "`sampled_softmax_with_cross_entropy`, `dynamic_lstmp`, `hsigmoid` and `inplace_abn` number some results otherwise, or write into "
        "their input or weight; `piecewise_decay` and `linear_lr_warmup` have a `conditional_block` for each step.",
        "Results have the names of their operators; the schedules select by `where`. Parameters, what is persistable and results of "
        "functions have the names of 1.8.5.",
        "Only names of parameters are in files.",
    ),
    Difference(
        "Lists as feeds",
        "`Executor.run(feed={'x': [[1.0, 2.0]]})` raises a RuntimeError, and Python's floats a ValueError.",
        "A list or number becomes an array of the Variable's dtype.",
        "There is one array that it can mean.",
    ),
    Difference(
        "NumPy's own arithmetic",
        "NumPy 1 makes float32 of `np.ones(2, 'float32') * np.float64(0.5)`, and so does `to_variable` of it.",
        "NumPy 2 makes float64 of it, before `to_variable` sees it.",
        "It is NumPy's rule since 2.0.",
        "Write `0.5` in place of `np.float64(0.5)`, or pass `dtype`.",
    ),
    Difference(
        "Filters of search_pyramid_hash",
        "`use_filter=True` keeps or drops n-grams by two filters, which a tool of Baidu writes into parameters.",
        "`use_filter=True` is refused.",
        "No public tool writes these filters.",
    ),
    Difference(
        "Steps of dygraph_to_static",
        "The steps on syntax trees (`DygraphToStaticAst`, `LoopTransformer`, `IfElseTransformer` ...) write calls of `fluid.layers.cond` and "
        "`while_loop`. `break` and `return` in what one step alone rewrites make code that does not run, `range(9, 0, -2)` makes a loop of no rounds, and "
        "`print` of several values is refused. A `FunctionSpec` equals any object.",
        "They write calls of the run-time operators, which a line at the head of each function imports. What they write runs and computes what "
        "the function does.",
        "They are the steps of the translation that runs here.",
    ),
    Difference(
        "Calls that only raise",
        "`layers.tensor.save`, `save_combine` and `load_combine`, `io._endpoints_replacement`, `net_drawer.unique_id`, "
        "`ListenAndServ.get_params_and_grads` in optimizer mode, `_pull_sparse` of several Variables, and `paddle.utils.preprocess_img` wherever "
        "it converts an image raise at every call.",
        "They do what their names say.",
        "Their code has a slip, or is of Python 2.",
    ),
    Difference(
        "Names that are not there",
        "They exist.",
        "They raise `NotYetAvailable`, an AttributeError; importing one is a ModuleNotFoundError.",
        "tests/fluid/names_missing.txt has the reason of each.",
    ),
]
