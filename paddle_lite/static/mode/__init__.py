"""Static mode: what operator calls, parameters, loops and branches append to Programs."""
