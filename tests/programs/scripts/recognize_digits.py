"""The second chapter: digits by softmax regression, two hidden layers, convolutions."""

import numpy as np
import paddle
import paddle.fluid as fluid

BATCH_SIZE = 16


def reader(seed):
    def r():
        g = np.random.RandomState(seed)
        for _ in range(64):
            l = int(g.randint(10))
            im = g.rand(784).astype("float32") * 0.3
            im[l * 70 : l * 70 + 70] += 0.8
            yield im * 2 - 1, l

    return r


def loss_net(hidden, label):
    prediction = fluid.layers.fc(input=hidden, size=10, act="softmax")
    loss = fluid.layers.cross_entropy(input=prediction, label=label)
    avg_loss = fluid.layers.mean(loss)
    acc = fluid.layers.accuracy(input=prediction, label=label)
    return prediction, avg_loss, acc


def softmax_regression(img, label):
    return loss_net(img, label)


def multilayer_perceptron(img, label):
    img = fluid.layers.fc(input=img, size=200, act="tanh")
    hidden = fluid.layers.fc(input=img, size=200, act="tanh")
    return loss_net(hidden, label)


def convolutional_neural_network(img, label):
    conv_pool_1 = fluid.nets.simple_img_conv_pool(
        input=img, filter_size=5, num_filters=20, pool_size=2, pool_stride=2, act="relu"
    )
    conv_pool_1 = fluid.layers.batch_norm(conv_pool_1)
    conv_pool_2 = fluid.nets.simple_img_conv_pool(
        input=conv_pool_1, filter_size=5, num_filters=50, pool_size=2, pool_stride=2, act="relu"
    )
    return loss_net(conv_pool_2, label)


def train(nn_type):
    startup_program, main_program = fluid.Program(), fluid.Program()
    startup_program.random_seed = main_program.random_seed = 90
    with fluid.program_guard(main_program, startup_program), fluid.unique_name.guard():
        img = fluid.layers.data(name="img", shape=[1, 28, 28], dtype="float32")
        label = fluid.layers.data(name="label", shape=[1], dtype="int64")
        net_conf = {"softmax": softmax_regression, "mlp": multilayer_perceptron, "conv": convolutional_neural_network}[
            nn_type
        ]
        prediction, avg_loss, acc = net_conf(img, label)
        test_program = main_program.clone(for_test=True)
        optimizer = fluid.optimizer.Adam(learning_rate=0.001)
        optimizer.minimize(avg_loss)

    def train_test(train_test_program, train_test_feed, train_test_reader):
        acc_set = []
        avg_loss_set = []
        for test_data in train_test_reader():
            acc_np, avg_loss_np = exe.run(
                program=train_test_program, feed=train_test_feed.feed(test_data), fetch_list=[acc, avg_loss]
            )
            acc_set.append(float(acc_np))
            avg_loss_set.append(float(avg_loss_np))
        return np.array(avg_loss_set).mean(), np.array(acc_set).mean()

    place = fluid.CPUPlace()
    exe = fluid.Executor(place)
    feeder = fluid.DataFeeder(feed_list=[img, label], place=place, program=main_program)
    exe.run(startup_program)
    main = main_program
    lists = []
    step = 0
    train_reader = paddle.batch(reader(1), batch_size=BATCH_SIZE, drop_last=True)
    for epoch_id in range(2):
        for step_id, data in enumerate(train_reader()):
            metrics = exe.run(main, feed=feeder.feed(data), fetch_list=[avg_loss, acc])
            print("Pass %d, Epoch %d, Cost %f acc %f" % (step, epoch_id, metrics[0], metrics[1][0]))
            step += 1
        avg_loss_val, acc_val = train_test(test_program, feeder, paddle.batch(reader(2), batch_size=BATCH_SIZE))
        print("Test with Epoch %d, avg_cost: %s, acc: %s" % (epoch_id, avg_loss_val, acc_val))
        lists.append((epoch_id, avg_loss_val, acc_val))
        fluid.io.save_inference_model(
            "%s.model" % nn_type,
            ["img"],
            [prediction],
            exe,
            model_filename=None,
            params_filename=None,
            main_program=main_program,
        )
    best = sorted(lists, key=lambda list: float(list[1]))[0]
    print("Best pass is %s, testing Avgcost is %s" % (best[0], best[1]))
    print("The classification accuracy is %.2f%%" % (float(best[2]) * 100))
    with fluid.scope_guard(fluid.core.Scope()):
        prog, feeds, fetches = fluid.io.load_inference_model("%s.model" % nn_type, exe, None, None)
        tensor_img = np.array([next(reader(3)())[0]]).reshape(1, 1, 28, 28)
        results = exe.run(prog, feed={feeds[0]: tensor_img}, fetch_list=fetches)
        lab = np.argsort(results)
        print("Inference result of image is: %d" % lab[0][0][-1], results[0].tolist())


for t in ["softmax", "mlp", "conv"]:
    with fluid.scope_guard(fluid.Scope()):
        train(t)
