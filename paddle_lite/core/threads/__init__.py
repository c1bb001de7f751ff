"""What threads and tasks see of each other, and what Python has to give them."""
