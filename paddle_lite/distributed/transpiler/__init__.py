"""From the Program of one process to those of trainers and parameter servers, as PaddlePaddle 1.8.5 writes them."""
