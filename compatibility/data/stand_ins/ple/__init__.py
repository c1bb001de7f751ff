"""The interface of the PyGame Learning Environment (2016) to the games of `ple.games`, which are deterministic."""

import numpy as np


class PLE:
    """A game as an environment; what says how it is shown is taken and not used."""

    def __init__(self, game, fps=30, display_screen=True, **keywords):
        self.game = game

    def init(self):
        """Begin a game."""
        self.game.reset()

    reset_game = init

    def getActionSet(self):
        """Return the keys that mean something, and None."""
        return [*self.game.keys, None]

    def getGameState(self):
        """Return the numbers by which the game is described, by their names."""
        return self.game.state()

    def act(self, key):
        """Press a key, or none; return the reward."""
        return self.game.step(key)

    def game_over(self):
        """Return whether the game has ended."""
        return self.game.over

    def score(self):
        """Return the sum of the rewards."""
        return self.game.score

    def getScreenDims(self):
        """Return width and height."""
        return self.game.width, self.game.height

    def getScreenRGB(self):
        """Return a picture, black but for the player and what is next."""
        picture = np.zeros((self.game.width, self.game.height, 3), np.uint8)
        for color, (x, y) in enumerate(self.game.points()):
            picture[max(0, int(x) - 2) : int(x) + 3, max(0, int(y) - 2) : int(y) + 3, color % 3] = 255
        return picture

    def getScreenGrayscale(self):
        """Return a picture without colors."""
        return self.getScreenRGB().max(axis=2)
