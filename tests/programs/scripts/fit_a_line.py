"""The first chapter of the book: linear regression, with an inference model."""

from __future__ import print_function
import sys, math, os, argparse
import numpy, numpy as np
import paddle
import paddle.fluid as fluid


def parse_args():
    parser = argparse.ArgumentParser("fit_a_line")
    parser.add_argument("--enable_ce", action="store_true", help="run with continuous evaluation")
    parser.add_argument("--use_gpu", type=bool, default=False)
    parser.add_argument("--num_epochs", type=int, default=4)
    return parser.parse_args()


rng = np.random.RandomState(7)
W = rng.rand(13, 1)


def train_reader():
    r = np.random.RandomState(1)
    for _ in range(100):
        x = r.randn(13).astype("float32")
        yield x, (x.dot(W) + 0.1 * r.randn(1)).astype("float32")


def train_test(executor, program, reader, feeder, fetch_list):
    accumulated = 1 * [0]
    count = 0
    for data_test in reader():
        outs = executor.run(program=program, feed=feeder.feed(data_test), fetch_list=fetch_list)
        accumulated = [x_c[0] + x_c[1][0] for x_c in zip(accumulated, outs)]
        count += 1
    return [x_d / count for x_d in accumulated]


def main():
    batch_size = 20
    train = paddle.batch(paddle.reader.shuffle(train_reader, buf_size=1), batch_size=batch_size)
    test = paddle.batch(train_reader, batch_size=batch_size)
    x = fluid.data(name="x", shape=[None, 13], dtype="float32")
    y = fluid.data(name="y", shape=[None, 1], dtype="float32")
    main_program = fluid.default_main_program()
    startup_program = fluid.default_startup_program()
    main_program.random_seed = 90
    startup_program.random_seed = 90
    y_predict = fluid.layers.fc(input=x, size=1, act=None)
    cost = fluid.layers.square_error_cost(input=y_predict, label=y)
    avg_loss = fluid.layers.mean(cost)
    sgd_optimizer = fluid.optimizer.SGD(learning_rate=0.01)
    sgd_optimizer.minimize(avg_loss)
    test_program = main_program.clone(for_test=True)
    place = fluid.CUDAPlace(0) if args.use_gpu else fluid.CPUPlace()
    exe = fluid.Executor(place)
    params_dirname = "fit_a_line.inference.model"
    num_epochs = args.num_epochs
    feeder = fluid.DataFeeder(place=place, feed_list=[x, y])
    exe.run(startup_program)
    train_prompt, test_prompt, step = "Train cost", "Test cost", 0
    exe_test = fluid.Executor(place)
    for pass_id in range(num_epochs):
        for data_train in train():
            (avg_loss_value,) = exe.run(main_program, feed=feeder.feed(data_train), fetch_list=[avg_loss])
            if step % 2 == 0:
                print("%s, Step %d, Cost %f" % (train_prompt, step, avg_loss_value[0]))
            if step % 5 == 0:
                test_metics = train_test(
                    executor=exe_test, program=test_program, reader=test, fetch_list=[avg_loss.name], feeder=feeder
                )
                print("%s, Step %d, Cost %f" % (test_prompt, step, test_metics[0]))
            step += 1
            if math.isnan(float(avg_loss_value[0])):
                sys.exit("got NaN loss, training failed.")
        fluid.io.save_inference_model(params_dirname, ["x"], [y_predict], exe)
    infer_exe = fluid.Executor(place)
    inference_scope = fluid.core.Scope()
    with fluid.scope_guard(inference_scope):
        [inference_program, feed_target_names, fetch_targets] = fluid.io.load_inference_model(params_dirname, infer_exe)
        infer_data = next(paddle.batch(train_reader, batch_size=10)())
        infer_feat = numpy.array([data[0] for data in infer_data]).astype("float32")
        assert feed_target_names[0] == "x"
        results = infer_exe.run(
            inference_program, feed={feed_target_names[0]: numpy.array(infer_feat)}, fetch_list=fetch_targets
        )
        print("infer results: (House Price)")
        for idx, val in enumerate(results[0]):
            print("%d: %.2f" % (idx, val))


if __name__ == "__main__":
    args = parse_args()
    main()
