"""Every page of the dashboard that links lead to from the demo project's overview, as a browser waits for it."""

import http.client
import json
import re
import statistics
import time
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

from bench.server import Server, manage, serving

LOADS = 15
SHOWN = 8
WANTED = 0.150
MOST_PAGES = 80


class Visitor:
    """Somebody who is signed in, over one kept-alive connection."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self._cookies: dict[str, str] = {}

    def get(self, path: str) -> tuple[int, str, str]:
        """Status, location and text of the answer."""
        return self._send("GET", path, "")

    def sign_in(self, email: str, password: str) -> str:
        """Where the browser is led."""
        _, _, page = self.get("/accounts/login/")
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[0]
        form = urlencode({"csrfmiddlewaretoken": token, "login": email, "password": password})
        return self._send("POST", "/accounts/login/", form)[1]

    def _send(self, method: str, path: str, body: str) -> tuple[int, str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        for header in answer.headers.get_all("Set-Cookie") or []:
            name, _, value = header.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, answer.headers.get("Location", ""), answer.read().decode("utf-8", "replace")


def pages(visitor: Visitor, first: str) -> list[str]:
    """What can be opened by following links within the project, each kind of address once."""
    waiting = [first]
    found: dict[str, str] = {}
    while waiting and len(found) < MOST_PAGES:
        path = waiting.pop(0)
        kind = re.sub(r"\b[a-z]{2,4}_[0-9a-z]{26}\b|\b[0-9a-f]{64}\b|/[0-9]+\b", "*", path.partition("?")[0])
        if kind in found:
            continue
        status, _, text = visitor.get(path)
        if status == 200:
            found[kind] = path
            waiting += [link for link in re.findall(r'href="(/p/[^"#]+)"', text) if "&amp;" not in link]
    return list(found.values())


def seconds_of(visitor: Visitor, path: str) -> float:
    taken = []
    for _ in range(LOADS):
        started = time.perf_counter()
        visitor.get(path)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def main() -> None:
    with serving() as server:
        with TemporaryDirectory() as data_dir:
            demo = json.loads(manage({**server.environment, "DATA_DIR": data_dir}, "prepare_demo", "--json"))
        visitor = Visitor(server)
        visitor.sign_in(demo["email"], demo["password"])
        _, first, _ = visitor.get("/")
        found = pages(visitor, first)
        took = sorted(((seconds_of(visitor, path), path) for path in found), reverse=True)
        for seconds, path in took[:SHOWN]:
            print(f"  {seconds * 1000:6.1f} ms  {path.replace(first, '')[:80] or '/'}")
        print(
            f"pages: {len(found)} pages, median {statistics.median(seconds for seconds, _ in took) * 1000:.0f} ms, "
            f"slowest {took[0][0] * 1000:.0f} ms (wanted: each below {WANTED * 1000:.0f} ms)"
        )


if __name__ == "__main__":
    main()
