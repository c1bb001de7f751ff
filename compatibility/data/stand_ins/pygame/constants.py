"""Numbers of keys."""

K_w, K_a, K_s, K_d = 119, 97, 115, 100
