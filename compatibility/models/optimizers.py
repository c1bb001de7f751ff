"""Optimizers, one for each rule, with schedules, clipping and regularization. They run on Python 3.7, too."""


def optimizer(fluid, name):
    """Return a new optimizer; it is made where the network is, since a schedule adds operators."""
    layers, clip, make = fluid.layers, fluid.clip, fluid.optimizer
    made = {
        "sgd": lambda: make.SGD(0.05),
        "momentum": lambda: make.Momentum(0.01, 0.9, regularization=fluid.regularizer.L2Decay(1e-4)),
        "adam": lambda: make.Adam(
            layers.piecewise_decay([1, 2], [0.01, 0.02, 0.005]), grad_clip=clip.GradientClipByGlobalNorm(0.5)
        ),
        "rmsprop": lambda: make.RMSProp(layers.cosine_decay(0.01, 2, 5), momentum=0.9, centered=True),
        "adagrad": lambda: make.Adagrad(layers.linear_lr_warmup(0.05, 3, 0.01, 0.05)),
        "lars": lambda: make.LarsMomentum(0.1, 0.9),
        "adamax": lambda: make.Adamax(layers.noam_decay(16, 4)),
        "decayed_adagrad": lambda: make.DecayedAdagrad(0.05),
        "ftrl": lambda: make.Ftrl(0.05),
        "adadelta": lambda: make.Adadelta(0.1),
        "lamb": lambda: make.Lamb(0.01, grad_clip=clip.GradientClipByNorm(1.0)),
    }
    return made[name]()
