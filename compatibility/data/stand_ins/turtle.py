"""Turtles that move and draw nothing, for games whose pictures nobody sees."""


class Screen:
    """A window."""

    def __getattr__(self, name):
        return lambda *args, **keywords: None


class Turtle(Screen):
    """Something at a place."""

    def __init__(self):
        self.x = self.y = 0

    def goto(self, x, y=None):
        """Be at a place from now on."""
        self.x, self.y = x if y is None else (x, y)

    setpos = setposition = goto

    def setx(self, x):
        """Move to the side."""
        self.x = x

    def sety(self, y):
        """Move up or down."""
        self.y = y

    def xcor(self):
        """Return how far to the right it is."""
        return self.x

    def ycor(self):
        """Return how far up it is."""
        return self.y

    def distance(self, x, y=None):
        """Return how far it is from a place or from another turtle."""
        x, y = (x.x, x.y) if isinstance(x, Turtle) else x if y is None else (x, y)
        return ((self.x - x) ** 2 + (self.y - y) ** 2) ** 0.5
