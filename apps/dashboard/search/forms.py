"""What is sent to keep a question; people press a button, and see nothing of this form."""

from typing import Final

from django import forms

from apps.dashboard.forms import PageForm

MAX_QUESTION_LENGTH: Final = 2_000
# Far more than a line or a paragraph holds.
_MAX_TEXT_LENGTH: Final = 5_000


class KeepForm(PageForm):
    question = forms.CharField(max_length=MAX_QUESTION_LENGTH)
    source_id = forms.CharField(max_length=32, required=False)
    text = forms.CharField(max_length=_MAX_TEXT_LENGTH, required=False, strip=False)
