"""The first page of all: for strangers what this is and whether it runs; members go on to their project."""

import pytest
from django.test import Client

from apps.projects.models import User
from tests.dashboard.world import signed_in
from tests.factories import Tenant


def test_a_stranger_sees_what_runs_and_where_to_sign_in(db: None) -> None:
    shown = signed_in(None).get("/").content.decode()

    assert "Database: running" in shown
    assert 'href="/docs"' in shown
    assert 'href="/accounts/login/"' in shown


def test_the_page_speaks_arabic_by_default(db: None) -> None:
    assert '<html lang="ar" dir="rtl">' in Client().get("/").content.decode()


def test_a_member_goes_on_to_the_project(shop: Tenant, member: User) -> None:
    assert signed_in(member).get("/")["Location"] == f"/p/{shop.id}"


def test_somebody_without_a_project_creates_one(outsider: User) -> None:
    assert signed_in(outsider).get("/")["Location"] == "/projects/new"


def test_it_only_answers_reads(db: None) -> None:
    assert Client().post("/").status_code == 405


@pytest.mark.conformance("A-6")
def test_pages_carry_a_strict_policy(db: None) -> None:
    answer = Client().get("/")

    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
