"""`paddle.nn.functional.learning_rate`. Made by `python -m stubs`."""

from paddle_lite.optimizer.learning_rate import cosine_decay as cosine_decay
from paddle_lite.optimizer.learning_rate import exponential_decay as exponential_decay
from paddle_lite.optimizer.learning_rate import inverse_time_decay as inverse_time_decay
from paddle_lite.optimizer.learning_rate import linear_lr_warmup as linear_lr_warmup
from paddle_lite.optimizer.learning_rate import natural_exp_decay as natural_exp_decay
from paddle_lite.optimizer.learning_rate import noam_decay as noam_decay
from paddle_lite.optimizer.learning_rate import piecewise_decay as piecewise_decay
from paddle_lite.optimizer.learning_rate import polynomial_decay as polynomial_decay
