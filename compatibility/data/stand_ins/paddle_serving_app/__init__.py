"""Readers of paddle_serving_app."""
