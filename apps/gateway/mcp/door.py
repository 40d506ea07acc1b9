"""The address of MCP: who asks is found out, the body is read within its limits, and the server answers."""

from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django_mcpz.jsonrpc import INVALID_REQUEST, PARSE_ERROR, error_response

from apps.gateway.mcp import server as mcp_server
from apps.gateway.mcp.calls import WORKSPACE_HEADER, Call, find_caller, message_id_of, note, take_turn
from apps.kernel.errors import CATALOGUE, AppError
from apps.rest.bodies import read_body
from apps.rest.errors import language_of, respond_to_exception
from apps.rest.parsers import parse_json_object
from apps.rest.renderers import JSON

# The longest arguments in the longest spelling, a job's input of two escapes a character, and what is around them.
BODY_LIMIT: Final = 2 * 1024 * 1024

_server: Final = mcp_server.build()


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponse:
    """One request is one answer: there are no sessions of the transport and no streams."""
    try:
        response = _answer(request)
    except Exception as error:  # noqa: BLE001 -- whatever happens leaves in the protocol's form
        response = respond_to_exception(error, request)
    response["Cache-Control"] = "no-store"
    return response


def _answer(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        raise AppError("method_not_allowed", headers={"Allow": "POST"})
    caller = find_caller(request)
    standing = take_turn(caller)
    body = read_body(request, limit=BODY_LIMIT, media_types=(JSON,))
    language = language_of(request)
    try:
        message = parse_json_object(body)
    except AppError as refusal:
        return _no_message(refusal, language)
    note(request, Call(caller, message_id_of(message), request.headers.get(WORKSPACE_HEADER), language))
    response = _served(request, body)
    for name, value in standing.headers.items():
        response[name] = value
    return response


def _served(request: HttpRequest, body: bytes) -> HttpResponse:
    request._body = body  # noqa: SLF001 -- Django's own place for a body that was read already
    return _server(request)


def _no_message(refusal: AppError, language: str) -> HttpResponse:
    """JSON-RPC's own words for what is no JSON, and for what is no single request."""
    code = INVALID_REQUEST if refusal.code == "body_not_an_object" else PARSE_ERROR
    sentence = CATALOGUE[refusal.code].message(language, refusal.params)
    return error_response(None, code, sentence, status=HTTPStatus.BAD_REQUEST)
