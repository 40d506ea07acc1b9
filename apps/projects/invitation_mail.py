"""The mail that invites somebody to a project, in the language of whoever invites."""

from collections.abc import Mapping
from typing import Final

from django.core.mail import EmailMessage, get_connection
from django.utils import timezone

from apps.projects.links import invitation_link
from apps.projects.models import Invitation, Role
from apps.projects.scoping import project_scope

_TIMEOUT_SECONDS: Final = 10

_ROLES: Final[Mapping[str, Mapping[str, str]]] = {
    "ar": {Role.OWNER: "مالك", Role.EDITOR: "محرر", Role.VIEWER: "مشاهد"},
    "en": {Role.OWNER: "owner", Role.EDITOR: "editor", Role.VIEWER: "viewer"},
}
_SUBJECTS: Final[Mapping[str, str]] = {
    "ar": "دعوة إلى مشروع «{project}» في مورد",
    "en": "Invitation to the project “{project}” at Mawrid",
}
_BODIES: Final[Mapping[str, str]] = {
    "ar": """\
مرحبًا،

دُعيت إلى مشروع «{project}» في مورد بدور {role}.
للانضمام افتح الرابط خلال ٧ أيام:

{link}

إن لم تكن تنتظر هذه الدعوة فتجاهل الرسالة.
""",
    "en": """\
Hello,

you are invited to the project “{project}” at Mawrid as {role}.
To join, open the link within 7 days:

{link}

If you did not expect this invitation, ignore this message.
""",
}


def send(project_id: str, invitation_id: str) -> bool:
    """Send the mail, unless the invitation is gone or its mail was sent; raises `OSError` when that fails."""
    with project_scope(project_id):
        invitations = Invitation.objects.for_project(project_id).select_related("project")
        invitation = invitations.filter(id=invitation_id, sent_at=None).first()
    if invitation is None:
        return False
    _message(invitation).send()
    with project_scope(project_id):
        unchanged = Invitation.objects.for_project(project_id).filter(
            id=invitation_id, expires_at=invitation.expires_at
        )
        unchanged.update(sent_at=timezone.now())
    return True


def _message(invitation: Invitation) -> EmailMessage:
    language = invitation.language
    words = {
        "project": invitation.project.name,
        "role": _ROLES[language][invitation.role],
        "link": invitation_link(invitation),
    }
    return EmailMessage(
        _SUBJECTS[language].format_map(words),
        _BODIES[language].format_map(words),
        to=[invitation.email],
        connection=get_connection(timeout=_TIMEOUT_SECONDS),
    )
