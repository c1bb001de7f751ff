"""The protocol of PaddlePaddle's parameter servers over gRPC: messages, the trainers' side, the servers' side."""
