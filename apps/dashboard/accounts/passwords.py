"""What a password has to be, said in the words of the page."""

from django.contrib.auth.password_validation import MinimumLengthValidator

from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in


class LongEnough(MinimumLengthValidator):
    """Django's rule, whose own sentence comes in English on Arabic pages: nobody has translated it."""

    def get_error_message(self) -> str:
        return words_in(current_language()).count("accounts.password_short", self.min_length)
