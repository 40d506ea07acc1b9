"""Remembers what answered the words of recent queries, for customers ask for the same words again and again."""

from typing import Final

Spellings = tuple[str, ...]
# The words of an index that answer a term, by number, and the cost of each.
Answers = dict[int, int]

# A term counts as much as so many answers; each of these takes about 90 bytes.
_COUNT_OF_A_TERM: Final = 8
# Of words that thousands of others are like, nothing is kept: one of them would push out too much.
_MOST_ANSWERS: Final = 512
_LEAST_ROOM: Final = 1 << 10


class Remembered:
    """Answers by the spellings of a term, in two halves: when the newer is full, it takes the place of the older.

    Threads may share it: each step leaves it whole, and losing an answer only costs finding it again.
    """

    def __init__(self, word_count: int) -> None:
        """Take how many words the index has, for it is worth remembering the more, the more there are."""
        self._room = word_count + _LEAST_ROOM
        self.clear()

    def clear(self) -> None:
        self._newer: dict[Spellings, Answers] = {}
        self._older: dict[Spellings, Answers] = {}
        self._left = self._room

    def get(self, spellings: Spellings) -> Answers | None:
        answers = self._newer.get(spellings)
        if answers is None:
            answers = self._older.get(spellings)
            if answers is not None:
                self.put(spellings, answers)
        return answers

    def put(self, spellings: Spellings, answers: Answers) -> None:
        if len(answers) > _MOST_ANSWERS:
            return
        self._left -= len(answers) + _COUNT_OF_A_TERM
        if self._left < 0:
            self._older, self._newer = self._newer, {}
            self._left = self._room - len(answers) - _COUNT_OF_A_TERM
        self._newer[spellings] = answers
