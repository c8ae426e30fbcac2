"""Who sent a message: the message's own ids joined with the contact that belongs to it, never by place in the array."""

from collections.abc import Mapping
from functools import cached_property

from bot.core.phone import canonical
from bot.whatsapp.events import Sender
from bot.whatsapp.values import id_or_none, line_or_none, list_or_empty, object_or_empty

Item = Mapping[str, object]
NOBODY: Item = {}


class People:
    """The contacts of one `value`, found by user id, then by phone, then by the phone's canonical form."""

    def __init__(self, value: Item) -> None:
        self._contacts = [object_or_empty(contact) for contact in list_or_empty(value.get("contacts"))]
        self._by_user_id = _index(self._contacts, "user_id")
        self._by_wa_id = _index(self._contacts, "wa_id")
        self._pair = len(self._contacts) == len(list_or_empty(value.get("messages"))) == 1

    def sender(self, item: Item) -> Sender:
        """The sender of one `messages[]` item. Its own user id stands before the contact's, the contact's phone before
        `from`: Meta reports some phones (Mexico) in two forms, and `wa_id` is the one to write to."""
        phone, user_id = id_or_none(item.get("from")), id_or_none(item.get("from_user_id"))
        # News of another number may carry the contact of the new one: there only the ids join them.
        pair = self._pair and item.get("type") != "system"
        contact = self._contact(phone, user_id, pair=pair)
        profile = object_or_empty(contact.get("profile"))
        return Sender(
            user_id=user_id or id_or_none(contact.get("user_id")),
            parent_user_id=id_or_none(item.get("from_parent_user_id")) or id_or_none(contact.get("parent_user_id")),
            wa_id=id_or_none(contact.get("wa_id")) or phone,
            name=line_or_none(profile.get("name")),
            username=line_or_none(profile.get("username")),
        )

    def _contact(self, phone: str | None, user_id: str | None, *, pair: bool) -> Item:
        if user_id is not None and user_id in self._by_user_id:
            return self._by_user_id[user_id]
        found = self._by_phone(phone) if phone is not None else None
        if found is None and pair and (phone or user_id):
            found = self._contacts[0]
        theirs = id_or_none((found or NOBODY).get("user_id"))
        another = user_id is not None and theirs is not None and theirs != user_id
        return NOBODY if found is None or another else found

    def _by_phone(self, phone: str) -> Item | None:
        return self._by_wa_id.get(phone) or self._by_canonical.get(canonical(phone))

    @cached_property
    def _by_canonical(self) -> Mapping[str, Item]:
        return {canonical(wa_id): contact for wa_id, contact in self._by_wa_id.items()}


def _index(contacts: list[Item], key: str) -> Mapping[str, Item]:
    pairs = ((id_or_none(contact.get(key)), contact) for contact in contacts)
    return {identity: contact for identity, contact in pairs if identity is not None}
