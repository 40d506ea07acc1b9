"""Forms of people and of projects that are founded."""

from apps.dashboard.forms import Choice, NameField, PageForm
from apps.projects.models import NAME_LENGTH, Locale


class NewProject(PageForm):
    name = NameField(label="accounts.project_name", help_text="accounts.project_name_help", max_length=NAME_LENGTH)
    locale = Choice(
        label="accounts.project_locale",
        help_text="accounts.project_locale_help",
        options=[(Locale.ARABIC, "accounts.locale_ar"), (Locale.ENGLISH, "accounts.locale_en")],
    )
