"""`manage.py rotate_encryption_keys`: the second of the three steps in which an encryption key is replaced."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.vault import envelope, personal


class Command(BaseCommand):
    help = (
        "Seal every data key under the first of ENCRYPTION_KEYS. To replace a key: 1. add the new one as "
        "the second item everywhere and restart, then make it the first and restart again; 2. run this command; "
        "3. remove the old one when this command says that it is no longer in use. It may be stopped and run again."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        changed, failed = map(sum, zip(envelope.rewrap_data_keys(), personal.rewrap(), strict=True))
        self.stdout.write(f"Sealed {changed} data key(s) under {envelope.key_ring().first.id!r}.")
        in_use = {**envelope.wrapping_keys_in_use(), **personal.wrapping_keys_in_use()}
        self.stdout.write(f"In use: {', '.join(sorted(in_use)) or 'none'}. Every other key may be removed.")
        if failed:
            raise CommandError(
                f"{failed} data key(s) did not open, so they stay sealed as they were. Put the keys in use "
                "back into ENCRYPTION_KEYS and run the command again."
            )
