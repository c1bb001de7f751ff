"""What `benchmarks.simulate_cluster` is made of: costs measured on this machine, real jobs, and the simulation of larger ones."""
