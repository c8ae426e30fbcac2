"""The customers as WhatsApp knows them, and which of them a `to` or a `recipient` means."""

from dataclasses import dataclass, field

_MEXICO, _MEXICO_OLD = 12, 13
_BRAZIL_NEW = 13
_ARGENTINA_MOBILE = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A WhatsApp user. `wa_id` None = hidden behind a username, as Meta reports it since 2026."""

    user_id: str
    wa_id: str | None = None
    name: str = ""
    username: str | None = None
    language: str = "en"


def same_phone(digits: str) -> str:
    """One form for the ways to write one phone: Mexico's 521, Brazil's ninth digit, Argentina's 549."""
    if digits.startswith("521") and len(digits) == _MEXICO_OLD:
        return "52" + digits[3:]
    if digits.startswith("55") and len(digits) == _BRAZIL_NEW and digits[4] == "9":
        return digits[:4] + digits[5:]
    if digits.startswith("549") and len(digits) == _ARGENTINA_MOBILE:
        return "54" + digits[3:]
    return digits


@dataclass(slots=True)
class Directory:
    """Everybody who can be written to. A phone that nobody has yet becomes a person without a name."""

    people: list[Person] = field(default_factory=list)

    def by_user_id(self, user_id: str) -> Person | None:
        return next((one for one in self.people if one.user_id == user_id), None)

    def by_phone(self, phone: str) -> Person | None:
        wanted = same_phone(digits_of(phone))
        return next((one for one in self.people if one.wa_id and same_phone(one.wa_id) == wanted), None)

    def addressed(self, to: object, recipient: object) -> Person:
        """Whom a message is for; `to` wins over `recipient`, as with Meta."""
        if isinstance(to, str):
            return self.by_phone(to) or self.add(Person(user_id=f"XX.{digits_of(to)}", wa_id=digits_of(to)))
        user_id = str(recipient)
        return self.by_user_id(user_id) or self.add(Person(user_id=user_id))

    def add(self, person: Person) -> Person:
        self.people.append(person)
        return person


def digits_of(phone: str) -> str:
    """The digits alone."""
    return "".join(char for char in phone if char in "0123456789")
