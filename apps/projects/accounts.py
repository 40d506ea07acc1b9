"""How people get an account: by invitation of a project's owner, not by signing up."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedSignup(DefaultAccountAdapter):  # type: ignore[misc] # allauth ships no types
    """Keeps the sign-up page shut."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002 -- the framework's signature
        return False
