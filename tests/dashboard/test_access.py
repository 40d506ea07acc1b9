"""Every page of a project opens, and takes its form, for exactly those whom the table names."""

import re

import pytest
from django.test import Client

from apps.dashboard.access import PAGES as LEAST_ROLES
from apps.projects.models import Role, User
from tests.dashboard.rows import ROWS, TABLE, Row
from tests.dashboard.world import PAGES, Shop, signed_in, unknown

WITH_IDS = [row for row in ROWS if PAGES[row.name].parameters != ("project_id",)]

each_row = pytest.mark.parametrize("row", ROWS, ids=str)
each_role = pytest.mark.parametrize("role", list(Role))


def test_every_page_of_a_project_has_a_row() -> None:
    assert set(PAGES) == set(TABLE) == set(LEAST_ROLES)


def test_every_page_of_a_project_has_the_guarded_door() -> None:
    assert [name for name, address in PAGES.items() if not getattr(address.view, "is_page", False)] == []


def test_no_two_pages_share_a_row() -> None:
    assert len(TABLE) == len(ROWS)


@each_row
def test_the_two_tables_agree(row: Row) -> None:
    assert (LEAST_ROLES[row.name].read, LEAST_ROLES[row.name].write) == (row.opens, row.sends)


@each_role
@each_row
def test_a_member_opens_what_the_role_may(row: Row, role: Role, shown: Shop) -> None:
    assert signed_in(shown.people[role]).get(shown.address(row)).status_code == row.opening(role)


@each_role
@each_row
def test_a_member_sends_what_the_role_may(row: Row, role: Role, shown: Shop) -> None:
    answer = signed_in(shown.people[role]).post(shown.address(row), shown.form(row))

    assert answer.status_code == row.sending(role)


@pytest.mark.parametrize("method", ["get", "post"])
@each_row
def test_for_an_outsider_there_is_no_such_page(row: Row, method: str, shown: Shop, outsider: User) -> None:
    answer = getattr(signed_in(outsider), method)(shown.address(row))

    assert answer.status_code == 404
    assert shown.tenant.project.name not in answer.content.decode()


@each_row
def test_an_outsider_learns_nothing_from_the_answer(row: Row, shown: Shop, outsider: User) -> None:
    client, address = signed_in(outsider), shown.address(row)
    nowhere = address.replace(shown.tenant.id, "prj_" + "0" * 26)

    assert _learnt(client, address) == _learnt(client, nowhere)


def _learnt(client: Client, address: str) -> str:
    """What a page says, without its own address and the token that is new in each."""
    page = client.get(address).content.decode().replace(address, "")
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page)


@pytest.mark.parametrize("method", ["get", "post"])
@each_row
def test_a_stranger_is_sent_to_the_sign_in(row: Row, method: str, shown: Shop) -> None:
    answer = getattr(signed_in(None), method)(shown.address(row))

    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/accounts/login/")


@pytest.mark.parametrize("row", WITH_IDS, ids=str)
def test_what_belongs_to_another_project_is_not_there(row: Row, shown: Shop, foreign: Shop) -> None:
    answer = _asked(row, shown, ids=foreign.id_of)

    assert answer == 404


@pytest.mark.parametrize("row", WITH_IDS, ids=str)
def test_what_does_not_exist_is_not_there(row: Row, shown: Shop) -> None:
    assert _asked(row, shown, ids=unknown) == 404


def _asked(row: Row, shown: Shop, **ids: object) -> int:
    """What the owner gets for opening the page, or for sending its form where it cannot be opened."""
    client, address = signed_in(shown.people[Role.OWNER]), shown.address(row, **ids)  # type: ignore[arg-type]
    answer = client.post(address, shown.form(row)) if row.opens is None else client.get(address)
    return answer.status_code
