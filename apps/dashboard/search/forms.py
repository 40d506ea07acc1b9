"""What is sent to keep a question; people press a button, and see nothing of this form."""

from typing import Final

from django import forms

from apps.dashboard.forms import PageForm
from apps.dashboard.highlights import LONGEST_WHOLE

MAX_QUESTION_LENGTH: Final = 2_000


class KeepForm(PageForm):
    question = forms.CharField(max_length=MAX_QUESTION_LENGTH)
    source_id = forms.CharField(max_length=32, required=False)
    # Line ends become longer on the way through a browser.
    text = forms.CharField(max_length=2 * LONGEST_WHOLE, required=False, strip=False)
