"""Refuses a form that is larger than any of ours can be, before a byte of its files is read."""

from typing import Any, Final

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

# A content that was typed and a file beside it, each as large as a content may be, and what is around them.
MAX_FORM_BYTES: Final = 12 * 1024 * 1024


class BoundedUpload(FileUploadHandler):
    """The first of the handlers; what it lets through is for the others."""

    def handle_raw_input(
        self,
        input_data: Any,  # noqa: ARG002 -- the framework's signature
        META: Any,  # noqa: ARG002, N803 -- as above
        content_length: int,
        boundary: Any,  # noqa: ARG002 -- as above
        encoding: str | None = None,  # noqa: ARG002 -- as above
    ) -> None:
        if content_length > MAX_FORM_BYTES:
            raise RequestDataTooBig("The form is larger than any form of ours.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:  # noqa: ARG002 -- as above
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """No file of its own."""
