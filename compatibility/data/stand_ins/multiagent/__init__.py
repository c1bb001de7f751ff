"""A small world of agents, with the interface that multiagent-particle-envs had in 2018."""
