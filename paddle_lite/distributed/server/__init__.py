"""A parameter server: the values it holds, the order in which it takes calls, and the updates it runs."""
