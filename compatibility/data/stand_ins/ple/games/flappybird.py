"""A bird that flies through the gaps of pipes."""

from . import Game


class FlappyBird(Game):
    """The key lifts the bird; a pipe that is passed gives 1, the end takes 5."""

    def _pipe(self, x):
        return [x, self.rng.randint(60, 240)]

    def reset(self):
        """Begin in the middle, at rest."""
        self.y, self.speed, self.score, self.over = 256.0, 0.0, 0.0, False
        self.pipes = [self._pipe(288), self._pipe(432)]

    def step(self, key):
        """Move the bird and the pipes once."""
        self.speed = -9.0 if key == 119 else min(self.speed + 1.0, 10.0)
        self.y += self.speed
        for pipe in self.pipes:
            pipe[0] -= 4
        reward = 0.0
        if self.pipes[0][0] < -52:
            self.pipes = [self.pipes[1], self._pipe(self.pipes[1][0] + 144)]
            reward = 1.0
        x, top = self.pipes[0]
        hit = x < 57 + 34 and x + 52 > 57 and not top < self.y < top + 100
        over = hit or not 0 < self.y < 400
        return self.finish(-5.0 if over else reward, over)

    def state(self):
        """Return the eight numbers of the real game."""
        (x, top), (later_x, later_top) = self.pipes
        return {
            "player_y": self.y,
            "player_vel": self.speed,
            "next_pipe_dist_to_player": float(x - 57),
            "next_pipe_top_y": float(top),
            "next_pipe_bottom_y": float(top + 100),
            "next_next_pipe_dist_to_player": float(later_x - 57),
            "next_next_pipe_top_y": float(later_top),
            "next_next_pipe_bottom_y": float(later_top + 100),
        }

    def points(self):
        """Return where the bird and the pipes are."""
        return [(57, self.y), *self.pipes]
