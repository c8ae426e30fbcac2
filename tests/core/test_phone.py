"""Numbers are matched in one form, kept in the form they came in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.core.phone import canonical, clean, language_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5215500000001", "525500000001"),
        ("553188880001", "5531988880001"),
        ("551166660001", "5511966660001"),
        ("5491100000001", "541100000001"),
    ],
)
def test_two_reports_of_one_mobile_are_equal(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    "digits",
    ["551133330001", "525500000001", "5531988880001", "15550000001", "5521988880001", "52150000001", "54911000000", ""],
)
def test_other_numbers_stay_as_they_are(digits: str) -> None:
    assert canonical(digits) == digits


@given(st.from_regex(r"\A[0-9]{8,15}\Z"))
def test_the_canonical_form_is_stable(digits: str) -> None:
    assert canonical(canonical(digits)) == canonical(digits)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("+52 55 0000 0001", "525500000001"),
        ("'+525500000001", "525500000001"),
        ("' +52-55-0000-0001 ", "525500000001"),
        ("(+1) 555.000.0001", "15550000001"),
        ("\u202a+52\u00a055\u20110000\u20110001\u202c", "525500000001"),
        ("5215500000001", "5215500000001"),
        ("12345678", "12345678"),
        ("123456789012345", "123456789012345"),
        ("1234567", None),
        ("1234567890123456", None),
        ("", None),
        ("++525500000001", None),
        ("52+5500000001", None),
        ("''525500000001", None),
        ("AR.549000000001", None),
        ("٥٢٥٥٠٠٠٠٠٠٠١", None),
        ("525500000001 ext 4", None),
        ("=525500000001", None),
    ],
)
def test_an_entered_number_is_its_digits_or_nothing(text: str, digits: str | None) -> None:
    assert clean(text) == digits


@pytest.mark.parametrize(
    ("digits", "language"),
    [
        ("5531988880001", "pt"),
        ("351910000001", "pt"),
        ("5215500000001", "es"),
        ("593990000001", "es"),
        ("34600000001", "es"),
        ("17870000001", "es"),
        ("18090000001", "es"),
        ("15550000001", "en"),
        ("447000000001", "en"),
        ("61400000001", "en"),
        ("4915100000001", None),
        ("", None),
    ],
)
def test_the_country_code_hints_at_the_language(digits: str, language: str | None) -> None:
    assert language_of(digits) == language
