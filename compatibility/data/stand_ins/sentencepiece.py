"""A SentencePieceProcessor of sixty words, w7, w8 and so on, after seven marks; it loads nothing."""

MARKS = ["<PAD>", "<S>", "</S>", "<UNK>", "<T>", "<P>", "<Q>"]


class SentencePieceProcessor:
    """Knows words that end with their number."""

    def Load(self, path):
        """Load nothing."""
        return True

    def __len__(self):
        return 60

    def PieceToId(self, piece):
        """Return the number of a mark or a word."""
        return MARKS.index(piece) if piece in MARKS else int(piece[1:])

    def IdToPiece(self, number):
        """Return a mark or a word."""
        return MARKS[number] if number < len(MARKS) else f"w{number}"

    def DecodeIds(self, numbers):
        """Return a text."""
        return " ".join(self.IdToPiece(int(number)) for number in numbers)

    id_to_piece, piece_to_id, decode_ids, load = IdToPiece, PieceToId, DecodeIds, Load
