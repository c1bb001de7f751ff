"""A module of PaddleHub with a small transformer, in the place of those that are downloaded."""
