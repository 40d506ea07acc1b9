"""What the runner says instead of a traceback: one sentence that names what to change."""


class Refusal(Exception):  # noqa: N818 -- the word the runner's messages use; it is an answer, not a crash
    """The start cannot go on; the message is a sentence for the person who typed the command."""
