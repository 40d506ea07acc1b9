"""Ports of this machine: free for us, or answering as they should."""

import contextlib
import errno
import http.client
import socket
import time
from http import HTTPStatus

from runner.options import Options
from runner.refusal import Refusal


def require_free_port(options: Options, *, patience: float) -> None:
    """The web server would share a port with another one instead of failing."""
    deadline = time.monotonic() + patience
    while (error := bind_error(options)) is not None:
        if error.errno != errno.EADDRINUSE or time.monotonic() >= deadline:
            raise Refusal(_why_not(options, error))
        time.sleep(0.05)


def bind_error(options: Options) -> OSError | None:
    family = socket.AF_INET6 if ":" in options.bind else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.bind, options.port))
        except OSError as error:
            return error
    return None


def _why_not(options: Options, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {options.port} of {options.bind} is in use. Stop what uses it, or set PORT to another one."
    if error.errno == errno.EACCES:
        return f"Port {options.port} is not open to this user. Set PORT to one above 1023."
    return f"BIND {options.bind} cannot be used: {error.strerror}. Set it to an address of this machine."


def answers(options: Options) -> bool:
    connection = http.client.HTTPConnection(options.door, options.port, timeout=2)
    try:
        connection.request("GET", "/healthz", headers={"Host": "127.0.0.1"})
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def free_port_near(wanted: int) -> int:
    """The wanted port of the loopback address, or any other when it is taken or there is none such."""
    for port in (wanted, 0):
        with contextlib.suppress(OSError, OverflowError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise Refusal("No port of 127.0.0.1 is free for the demo's shop.")
