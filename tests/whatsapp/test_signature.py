"""The signature of a webhook body."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.whatsapp.signature import sign, valid

BODY = b'{"object":"whatsapp_business_account","entry":[]}'
SPACED = b'{"object": "whatsapp_business_account", "entry": []}'
VECTORS = [
    ("test_app_secret", BODY, "dec6a680679a968e7e0319355b23599cbfc54502c0784668e9618baa0c633756"),
    ("test_app_secret", SPACED, "56cbbaf4961c6cfdae48b7f116c047e5eb513d2c931baae63a2bc1afd26f803a"),
    ("otro_secreto", BODY, "769b03d8c2ae6498f2d1e1f7299c0ba55448c69d741e7b0bb243d852d8a8d8c7"),
]
DIGEST = VECTORS[0][2]


@pytest.mark.parametrize(("secret", "body", "digest"), VECTORS)
def test_known_vectors_are_signed_and_accepted(secret: str, body: bytes, digest: str) -> None:
    assert sign(secret, body) == f"sha256={digest}"
    assert valid((secret,), body, f"sha256={digest}".encode())


def test_old_and_new_secret_are_both_accepted_while_rotating() -> None:
    header = sign("old", BODY).encode()
    assert valid(("new", "old"), BODY, header)
    assert not valid(("new",), BODY, header)


@pytest.mark.parametrize(
    "header",
    [
        None,
        b"",
        b"sha256=",
        DIGEST.encode(),
        f"sha1={DIGEST[:40]}".encode(),
        f"SHA256={DIGEST}".encode(),
        f"sha256={DIGEST.upper()}".encode(),
        f"sha256={DIGEST}\n".encode(),
        f"sha256={DIGEST}, sha256={DIGEST}".encode(),
        f" sha256={DIGEST}".encode(),
        b"sha256=\xe9" + DIGEST[1:].encode(),
        f"sha256={'0' * 64}".encode(),
    ],
)
def test_any_other_header_is_refused(header: bytes | None) -> None:
    assert not valid(("test_app_secret",), BODY, header)


@pytest.mark.parametrize("secrets", [(), ("",), ("", "")])
def test_without_a_secret_nothing_is_valid(secrets: tuple[str, ...]) -> None:
    assert not valid(secrets, BODY, sign("", BODY).encode())


def test_a_secret_that_is_not_utf8_in_the_environment_does_not_raise() -> None:
    assert valid(("s\udce9cret",), BODY, sign("s\udce9cret", BODY).encode())


@given(body=st.binary(min_size=1), place=st.integers(min_value=0), bit=st.integers(0, 7))
def test_one_changed_bit_is_refused(body: bytes, place: int, bit: int) -> None:
    header = sign("secret", body).encode()
    changed = bytearray(body)
    changed[place % len(body)] ^= 1 << bit
    assert valid(("secret",), body, header)
    assert not valid(("secret",), bytes(changed), header)


@given(body=st.binary(), header=st.binary())
def test_never_raises(body: bytes, header: bytes) -> None:
    assert not valid(("secret",), body, header)
