"""Games; each is a few lines of arithmetic that has the numbers of the real one."""

import random


class Game:
    """A game for one player: `keys`, `reset`, `step`, `state` and `points`; it draws from a source of its own."""

    width, height = 288, 512
    keys = (119,)

    def __init__(self, width=None, height=None, **keywords):
        self.width, self.height = width or self.width, height or self.height
        self.rng = random.Random(1)
        self.reset()

    def finish(self, reward, over):
        """Count a reward and say whether the game has ended; return the reward."""
        self.score += reward
        self.over = over
        return reward
