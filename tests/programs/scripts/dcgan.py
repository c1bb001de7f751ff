"""DCGAN: programs for both networks that share parameters by name."""

import numpy as np
import paddle, paddle.fluid as fluid

gf_dim = 16
df_dim = 16
gfc_dim = 64
dfc_dim = 64
img_dim = 28
NOISE_SIZE = 20
LEARNING_RATE = 2e-4
use_cudnn = True


def bn(x, name=None, act="relu"):
    return fluid.layers.batch_norm(
        x,
        param_attr=name + "1",
        bias_attr=name + "2",
        moving_mean_name=name + "3",
        moving_variance_name=name + "4",
        name=name,
        act=act,
    )


def conv(x, num_filters, name=None, act=None):
    return fluid.nets.simple_img_conv_pool(
        input=x,
        filter_size=5,
        num_filters=num_filters,
        pool_size=2,
        pool_stride=2,
        param_attr=name + "w",
        bias_attr=name + "b",
        use_cudnn=use_cudnn,
        act=act,
    )


def fc(x, num_filters, name=None, act=None):
    return fluid.layers.fc(input=x, size=num_filters, act=act, param_attr=name + "w", bias_attr=name + "b")


def deconv(x, num_filters, name=None, filter_size=5, stride=2, dilation=1, padding=2, output_size=None, act=None):
    return fluid.layers.conv2d_transpose(
        input=x,
        param_attr=name + "w",
        bias_attr=name + "b",
        num_filters=num_filters,
        output_size=output_size,
        filter_size=filter_size,
        stride=stride,
        dilation=dilation,
        padding=padding,
        use_cudnn=use_cudnn,
        act=act,
    )


def D(x):
    x = fluid.layers.reshape(x=x, shape=[-1, 1, 28, 28])
    x = conv(x, df_dim, act="leaky_relu", name="conv1")
    x = bn(conv(x, df_dim * 2, name="conv2"), act="leaky_relu", name="bn1")
    x = bn(fc(x, dfc_dim, name="fc1"), act="leaky_relu", name="bn2")
    x = fc(x, 1, act="sigmoid", name="fc2")
    return x


def G(x):
    x = bn(fc(x, gfc_dim, name="fc3"), name="bn3")
    x = bn(fc(x, gf_dim * 2 * img_dim // 4 * img_dim // 4, name="fc4"), name="bn4")
    x = fluid.layers.reshape(x, [-1, gf_dim * 2, img_dim // 4, img_dim // 4])
    x = deconv(x, gf_dim * 2, act="relu", output_size=[14, 14], name="deconv1")
    x = deconv(x, num_filters=1, filter_size=5, padding=2, act="tanh", output_size=[28, 28], name="deconv2")
    x = fluid.layers.reshape(x, shape=[-1, 28 * 28])
    return x


def loss(x, label):
    return fluid.layers.mean(fluid.layers.sigmoid_cross_entropy_with_logits(x=x, label=label))


d_program = fluid.Program()
dg_program = fluid.Program()
fluid.default_startup_program().random_seed = 3
with fluid.program_guard(d_program):
    img = fluid.data(name="img", shape=[None, 784], dtype="float32")
    label = fluid.data(name="label", shape=[None, 1], dtype="float32")
    d_logit = D(img)
    d_loss = loss(x=d_logit, label=label)
with fluid.program_guard(dg_program):
    noise = fluid.data(name="noise", shape=[None, NOISE_SIZE], dtype="float32")
    g_img = G(x=noise)
    g_program = dg_program.clone()
    g_program_test = dg_program.clone(for_test=True)
    dg_logit = D(g_img)
    noise_shape = fluid.layers.shape(noise)
    dg_loss = loss(
        dg_logit, fluid.layers.fill_constant_batch_size_like(input=noise, dtype="float32", shape=[-1, 1], value=1.0)
    )
opt = fluid.optimizer.Adam(learning_rate=LEARNING_RATE)
opt.minimize(loss=d_loss)
parameters = [p.name for p in g_program.global_block().all_parameters()]
opt.minimize(loss=dg_loss, parameter_list=parameters)
exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
g = np.random.RandomState(1)
for batch_id in range(4):
    real_image = (g.rand(8, 784) * 2 - 1).astype("float32")
    noise_data = g.uniform(-1, 1, [8, NOISE_SIZE]).astype("float32")
    real_labels = np.ones([8, 1], "float32")
    fake_labels = np.zeros([8, 1], "float32")
    total_label = np.concatenate([real_labels, fake_labels])
    generated_image = exe.run(g_program, feed={"noise": noise_data}, fetch_list=[g_img])[0]
    total_images = np.concatenate([real_image, generated_image])
    d_loss_1 = exe.run(d_program, feed={"img": generated_image, "label": fake_labels}, fetch_list=[d_loss])[0][0]
    d_loss_2 = exe.run(d_program, feed={"img": real_image, "label": real_labels}, fetch_list=[d_loss])[0][0]
    d_loss_np = [d_loss_1, d_loss_2]
    for _ in range(2):
        noise_data = g.uniform(-1, 1, [8, NOISE_SIZE]).astype("float32")
        dg_loss_np = exe.run(dg_program, feed={"noise": noise_data}, fetch_list=[dg_loss])[0][0]
    print("Batch: %d, d_loss %.6f %.6f, dg_loss %.6f" % (batch_id, d_loss_np[0], d_loss_np[1], dg_loss_np))
print(exe.run(g_program_test, feed={"noise": noise_data}, fetch_list=[g_img])[0][:2, 100:104])
print(sorted(p.name for p in dg_program.all_parameters()))
