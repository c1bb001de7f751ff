"""What belongs to Layers: the forms of calls that make them, their names, and their values from state dicts."""
