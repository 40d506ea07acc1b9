"""A client of the REST API that sends and reads JSON as callers do; it takes no answer that is not as described."""

import json
from typing import Any

from django.test import Client

from tests.description import fault_of_answer


class ApiClient:
    """One key's view of the API; `body` is sent as JSON unless it is bytes already."""

    def __init__(self, key: str | None) -> None:
        self._client = Client(raise_request_exception=False)
        self._key = key

    def get(self, path: str, **headers: str) -> Any:
        return self.request("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("PATCH", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.request("PUT", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.request("DELETE", path, **headers)

    def upload(self, method: str, path: str, fields: dict[str, Any], **headers: str) -> Any:
        """Send a form; files are open files or `SimpleUploadedFile`."""
        from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

        body = encode_multipart(BOUNDARY, fields)
        return self.request(method, path, body, content_type=MULTIPART_CONTENT, **headers)

    def request(
        self, method: str, path: str, body: Any = None, *, content_type: str = "application/json", **headers: str
    ) -> Any:
        """Header names are keywords with underscores, such as ``idempotency_key="1"``."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self._key is not None and "authorization" not in sent:
            sent["authorization"] = f"Bearer {self._key}"
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        answer = self._client.generic(method, path, data, content_type=content_type, headers=sent)
        fault = fault_of_answer(method, answer.wsgi_request.path_info, answer)
        assert fault is None, fault
        return answer
