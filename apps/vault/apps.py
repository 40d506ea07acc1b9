"""Django's registration of the room; refuses to start with encryption keys that cannot be used."""

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured

from apps.vault.cipher import KeyRingError


class VaultConfig(AppConfig):
    name = "apps.vault"
    label = "vault"

    def ready(self) -> None:
        from apps.vault import checks  # noqa: F401, PLC0415 -- importing registers the checks
        from apps.vault.envelope import key_ring  # noqa: PLC0415 -- needs the models

        try:
            key_ring()
        except KeyRingError as error:
            raise ImproperlyConfigured(str(error)) from error
