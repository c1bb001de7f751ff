"""Of IPython, what libraries need to show pictures in a notebook; nothing is shown."""
