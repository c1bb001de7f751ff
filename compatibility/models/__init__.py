"""Models of many kinds, exchanged with PaddlePaddle 1.8.5 in both directions: `python -m compatibility.models --fluid PYTHON`."""
