"""Forms of inviting somebody and of changing a role."""

from typing import Final

from django import forms

from apps.dashboard.forms import Choice, PageForm
from apps.projects.models import Role

ROLES: Final = [(role.value, f"shell.role_{role.value}") for role in (Role.VIEWER, Role.EDITOR, Role.OWNER)]


class Invite(PageForm):
    email = forms.EmailField(label="members.email")
    role = Choice(label="members.role", help_text="members.role_help", options=ROLES, initial=Role.VIEWER)


class ChangeRole(PageForm):
    role = Choice(label="members.role", options=ROLES)
