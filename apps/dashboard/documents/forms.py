"""Forms of documents: the text with its marks, what its revision is called, and what narrows the list."""

import re
from typing import Any, ClassVar, Final

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.forms.utils import ErrorDict

from apps.dashboard.forms import Choice, NameField, PageForm, SeenForm
from apps.dashboard.language import current_language
from apps.dashboard.texts import words_in
from apps.kernel.errors import CATALOGUE
from apps.knowledge.documents import errors
from apps.knowledge.documents.models import HANDLE_LENGTH, HANDLE_PATTERN, DocumentStatus
from apps.knowledge.documents.serializers import RESERVED_IDS
from apps.projects.models import NAME_LENGTH

STATUSES: Final = [
    (DocumentStatus.PUBLISHED.value, "documents.publish_now"),
    (DocumentStatus.DRAFT.value, "documents.keep_draft"),
]
_LOCALES: Final = [("", "documents.locale_none"), ("ar", "documents.locale_ar"), ("en", "documents.locale_en")]


def latin(**attributes: Any) -> dict[str, Any]:
    """What ids and names of revisions are typed into, whatever the page's direction."""
    plain = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}
    return {"dir": "ltr", "lang": "en", **plain, **attributes}


class DocumentFilters(PageForm):
    """What narrows the list; a value that means nothing narrows nothing."""

    q = forms.CharField(label="documents.find", required=False, max_length=NAME_LENGTH)
    status = Choice(
        label="documents.status",
        required=False,
        options=[
            ("", "documents.any_status"),
            *((status, f"documents.{status}") for status in DocumentStatus.values),
        ],
    )

    @property
    def chosen(self) -> dict[str, str]:
        if not self.is_valid():
            return {}
        return {name: value for name, value in self.cleaned_data.items() if value}


class StatusForm(SeenForm):
    """What may be changed of any document."""

    params: ClassVar = {"handle": "document_id"}

    title = NameField(label="documents.name", help_text="documents.name_help", max_length=NAME_LENGTH)
    status = Choice(label="documents.status", widget=forms.RadioSelect, options=STATUSES)
    # Said once the form was refused for what agents would lose.
    anyway = forms.BooleanField(label="documents.anyway", required=False)

    @property
    def would_break(self) -> bool:
        """Whether it was refused for what agents would lose."""
        return self.has_error(NON_FIELD_ERRORS, errors.BROKEN_REFERENCES)


class DocumentForm(StatusForm):
    """The same with the text."""

    text = forms.CharField(label="documents.text", strip=False, required=False, widget=forms.Textarea)
    revision = forms.CharField(
        label="documents.revision",
        help_text="documents.revision_help",
        max_length=HANDLE_LENGTH,
        widget=forms.TextInput(attrs=latin()),
    )
    locale = Choice(label="documents.locale", required=False, options=_LOCALES)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        known, locale = dict(_LOCALES), self.initial.get("locale") or ""
        if locale not in known:
            # A program may have said one that we do not offer; it stays.
            self.fields["locale"].choices = [  # type: ignore[attr-defined] # it has choices
                *self.fields["locale"].choices,  # type: ignore[attr-defined] # as above
                (locale, locale),
            ]

    def forget_faults(self) -> None:
        """While a form is only tried, what is still missing in it is no fault."""
        self.full_clean()
        self._errors = ErrorDict()


class NewDocument(DocumentForm):
    document_id = forms.CharField(
        label="documents.id",
        help_text="documents.id_help",
        required=False,
        max_length=HANDLE_LENGTH,
        widget=forms.TextInput(attrs=latin(placeholder="delivery-guide")),
    )

    def clean_document_id(self) -> str:
        document_id: str = self.cleaned_data["document_id"]
        if document_id in RESERVED_IDS:
            told = CATALOGUE[errors.DOCUMENT_ID_RESERVED].message(current_language(), {"document_id": document_id})
            raise ValidationError(told, code=errors.DOCUMENT_ID_RESERVED)
        if document_id and not re.fullmatch(HANDLE_PATTERN, document_id):
            raise ValidationError(words_in(current_language())("documents.id_wrong"), code="invalid_format")
        return document_id
