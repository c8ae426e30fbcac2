"""The table of Meta's errors."""

import pytest

from bot.whatsapp.errors import NO_CODE, TABLE, GraphError, Handling, handling, read_error, sentence

RETRY = (1, 2, 4, 80007, 130429, 131016, 131057, 2494100)
STOP = (0, 190, 3, 10, 33, 131005, *range(200, 300), 368, 131031, 131037, 131042)
SPECIAL = {
    131000: Handling.RETRY_THREE,
    131056: Handling.LATER_FOR_CUSTOMER,
    131048: Handling.STOP_REMINDERS,
    131064: Handling.STOP_TEMPLATES,
    131047: Handling.USE_TEMPLATE,
}


@pytest.mark.parametrize("code", RETRY)
def test_passing_trouble_is_tried_again(code: int) -> None:
    assert handling(code) is handling(code, http_status=400) is Handling.RETRY


@pytest.mark.parametrize("code", STOP)
def test_trouble_of_the_account_stops_it_whatever_the_status(code: int) -> None:
    assert handling(code) is handling(code, http_status=500, transient=True) is Handling.STOP_ACCOUNT


@pytest.mark.parametrize("code", SPECIAL)
def test_some_codes_have_their_own_handling(code: int) -> None:
    assert handling(code, http_status=500) is SPECIAL[code]


@pytest.mark.parametrize("code", TABLE.keys() - {NO_CODE, *RETRY, *STOP, *SPECIAL})
def test_every_other_code_is_permanent_unless_meta_says_it_passes(code: int) -> None:
    assert handling(code) is handling(code, http_status=500) is Handling.PERMANENT
    assert handling(code, transient=True) is Handling.RETRY


def test_an_unknown_code_is_permanent_unless_the_server_failed() -> None:
    assert handling(139999) is handling(139999, http_status=400) is Handling.PERMANENT
    assert handling(139999, http_status=500) is handling(139999, transient=True) is Handling.RETRY


def test_a_refusal_of_somebody_else_is_tried_again() -> None:
    assert handling(NO_CODE, http_status=403) is Handling.RETRY


@pytest.mark.parametrize("code", [*TABLE, 139999])
def test_staff_get_one_plain_sentence(code: int) -> None:
    said = sentence(code)
    assert said[0].isupper()
    assert said.endswith(".")
    assert "\n" not in said
    assert code in TABLE or str(code) in said


@pytest.mark.parametrize("value", [None, [], "x", {}, {"code": None}, {"code": "x"}, {"code": True}])
def test_an_error_without_a_code_is_none(value: object) -> None:
    assert read_error(value) is None


def test_an_error_is_read_whole() -> None:
    value = {
        "message": "(#190) expired\x00",
        "code": "190",
        "error_subcode": 463,
        "error_data": {"details": "d"},
        "is_transient": True,
        "fbtrace_id": "T",
    }
    assert read_error(value) == GraphError(
        code=190, title="(#190) expired", details="d", subcode=463, transient=True, trace="T"
    )
    assert read_error({"code": 7, "error_data": "x"}) == GraphError(code=7)
