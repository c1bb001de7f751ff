"""What students of paddle_edl see of their teachers, without a server."""
