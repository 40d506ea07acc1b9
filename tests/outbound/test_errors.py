"""Properties: every failure has a sentence in both languages, and neither errors nor logs give anything away."""

import logging
from typing import get_args

import pytest

from apps.outbound import OutboundError, Policy, Request, fetch
from apps.outbound.errors import SENTENCES, Code
from tests.outbound.servers import Certificate, StartServer, World, answer, sending, trusting

HIDDEN = "hidden-7f3a"


@pytest.mark.parametrize("code", get_args(Code))
@pytest.mark.parametrize("locale", ["en", "ar"])
def test_every_code_has_a_sentence_in_both_languages(code: Code, locale: str) -> None:
    assert OutboundError(code).message(locale).endswith(".")


@pytest.mark.parametrize("key", SENTENCES)
def test_every_reason_belongs_to_a_code(key: str) -> None:
    assert key.partition(":")[0] in get_args(Code)


@pytest.mark.parametrize("key", SENTENCES)
def test_the_arabic_sentence_is_arabic(key: str) -> None:
    assert any("\u0621" <= letter <= "\u064a" for letter in SENTENCES[key].ar)


def test_an_unknown_reason_falls_back_to_the_sentence_of_its_code() -> None:
    assert str(OutboundError("tls_error", "new")) == SENTENCES["tls_error"].en


@pytest.mark.conformance("C-19")
@pytest.mark.parametrize("private", ["10.0.0.1", "127.0.0.1", "169.254.169.254", "fd00:ec2::254"])
def test_a_refused_address_is_neither_tried_nor_named(private: str, world: World, sync_policy: Policy) -> None:
    world.name("shop.example.com", [private])
    with pytest.raises(OutboundError) as caught:
        fetch(
            Request(url="https://shop.example.com/"),
            sync_policy,
            resolver=world.resolve,
            connector=world.connect,
        )
    assert str(caught.value) == SENTENCES["address_refused"].en
    assert caught.value.args == ("address_refused", "")
    assert (caught.value.__cause__, world.attempts) == (None, [])


@pytest.mark.conformance("C-19")
@pytest.mark.parametrize(
    "failure", [ConnectionRefusedError, ConnectionResetError, OSError("no route to 93.184.216.34")]
)
def test_a_failed_connection_says_no_more_than_its_code(
    failure: OSError, world: World, sync_policy: Policy
) -> None:
    def fail(*_: object) -> None:
        raise failure

    with pytest.raises(OutboundError) as caught:
        fetch(Request(url="https://shop.example.com/"), sync_policy, resolver=world.resolve, connector=fail)  # type: ignore[arg-type]
    assert str(caught.value) == SENTENCES["connection_failed"].en
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.conformance("C-20")
@pytest.mark.parametrize(
    "reply",
    [
        answer(HIDDEN.encode(), headers=[f"X-Answer: {HIDDEN}", f"ETag: {HIDDEN}"]),
        answer(HIDDEN.encode(), status=f"500 {HIDDEN}"),
        answer(b"", status="302 Found", headers=[f"Location: https://x.example.com/{HIDDEN}"]),
        answer(HIDDEN.encode(), headers=[f"Content-Encoding: {HIDDEN}"]),
        f"{HIDDEN}\r\n\r\n".encode(),
    ],
    ids=["success", "failure", "redirect", "coding", "no HTTP"],
)
def test_neither_logs_nor_errors_nor_reprs_hold_a_query_header_or_body(
    reply: bytes,
    caplog: pytest.LogCaptureFixture,
    start_server: StartServer,
    sync_policy: Policy,
) -> None:
    caplog.set_level(logging.DEBUG)
    server = start_server(sending(reply))
    request = Request(
        url=f"{server.origin}/feed?key={HIDDEN}",
        headers={"X-Api-Key": HIDDEN},
        product_headers={"If-None-Match": HIDDEN},
        body=HIDDEN.encode(),
    )
    outcome = outcome_of(request, trusting(sync_policy, server))
    assert f"{server.origin}/feed" in caplog.text
    assert HIDDEN not in caplog.text + repr(request) + outcome


def outcome_of(request: Request, policy: Policy) -> str:
    """Everything that a report about this request could print."""
    try:
        return repr(fetch(request, policy))
    except OutboundError as error:
        return f"{error!r} {error} {error.message('ar')} {error.__cause__!r}"


@pytest.mark.conformance("C-20")
def test_a_tls_failure_repeats_nothing_of_the_certificate(
    caplog: pytest.LogCaptureFixture, world: World, certificate: Certificate, sync_policy: Policy
) -> None:
    caplog.set_level(logging.DEBUG)
    world.serve(sending(answer()), certificate(f"{HIDDEN}.example.com"))
    with pytest.raises(OutboundError) as caught:
        fetch(
            Request(url="https://shop.example.com/"),
            sync_policy,
            resolver=world.resolve,
            connector=world.connect,
        )
    assert HIDDEN not in f"{caplog.text} {caught.value!r} {caught.value}"
