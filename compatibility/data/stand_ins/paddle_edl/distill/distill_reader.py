"""A reader that adds what a teacher says of each sample; the teacher counts tokens."""


class DistillReader:
    """Batches with the predictions of a teacher."""

    def __init__(self, ins, predicts):
        self.ins, self.predicts = ins, predicts

    def set_teacher_batch_size(self, size):
        """Take what has no effect here."""

    set_serving_conf_file = set_fixed_teacher = set_teacher_batch_size

    def set_batch_generator(self, generator):
        """Return a reader of the batches, each with two logits a sample."""

        def reader():
            for batch in generator():
                yield (*batch, [[0.1 * (sum(ids) % 7 - 3), 0.3] for ids in batch[self.ins.index("ids_student")]])

        return reader
