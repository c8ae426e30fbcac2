"""What each body says that nobody has recorded, but that Meta's pages or its older bodies make possible."""

from dataclasses import replace

from bot.whatsapp.errors import GraphError
from bot.whatsapp.events import (
    Button,
    Echo,
    Edited,
    Event,
    Ignored,
    Location,
    Media,
    NumberChanged,
    Preference,
    Receipt,
    ReceiptStatus,
    Sender,
    SharedContacts,
    TemplateCategory,
    TemplateQuality,
    TemplateStatus,
    Text,
    Unsupported,
)
from tests.whatsapp.said import (
    DELIVERED,
    MX1,
    NUMBER,
    OUT_TEMPLATE,
    SENT,
    TEMPLATE,
    WABA,
    Said,
    failed,
    receipt,
    second,
)

HOLA = Text(body="hola")
PHONE_AND_ID = Sender(user_id=MX1.user_id, wa_id=MX1.wa_id)


def _failed(number: int, *errors: GraphError) -> Receipt:
    plain = receipt(f"FAKE-OUT-F{number}", ReceiptStatus.FAILED, 900, MX1)
    return replace(plain, errors=errors)


def _ignored(field: str, why: str, *, unknown: bool = False) -> list[Said | Event]:
    return [Ignored(field=field, why=why, unknown=unknown)]


KINDS: dict[str, list[Said | Event]] = {
    "messages/button__label_only": [
        Said(MX1, Button(payload=None, text="Confirmar"), 906, context_id=OUT_TEMPLATE),
    ],
    "messages/button__no_context": [Said(MX1, Button(payload="Confirmar", text="Confirmar"), 905)],
    "messages/contacts__another_s_card": [
        Said(MX1, SharedContacts(phones=("+1 555 000 2099",), requested=False), 904),
    ],
    "messages/edit__image_caption": [
        Said(MX1, Edited(original_id="wamid.FAKE-IN-1", text="Ahora dice otra cosa"), 908),
    ],
    "messages/hologram__type_from_the_future": [Said(MX1, Unsupported(kind="hologram"), 913)],
    "messages/interactive__type_from_the_future": [
        Said(MX1, Unsupported(kind="carousel_reply"), 907, context_id=OUT_TEMPLATE),
    ],
    "messages/location__bare": [Said(MX1, Location(latitude=19, longitude=-99, name=None, address=None), 903)],
    "messages/request_welcome__retired": [Said(MX1, Unsupported(kind="request_welcome"), 911)],
    "messages/sticker__animated": [Said(MX1, Media(kind="sticker", caption=None), 902)],
    "messages/system__customer_changed_number_legacy": [
        Said(
            Sender(wa_id=MX1.wa_id),
            NumberChanged(
                new_wa_id="5215550001097", new_user_id=None, previous_user_id=None, old_wa_id="5215550001001"
            ),
            909,
        ),
    ],
    "messages/system__type_from_the_future": [Said(PHONE_AND_ID, Unsupported(kind="system/user_waved"), 910)],
    "messages/text__group": [Said(MX1, Text(body="hola a todos"), 914, group_id="FAKEGROUP1")],
    "messages/text__no_timestamp": [Said(MX1, HOLA, 0, sent_at=None)],
    "messages/text__one_bad_of_three": [Said(MX1, Text(body="uno"), 918), Said(MX1, Text(body="tres"), 920)],
    "messages/text__referred_product": [Said(MX1, Text(body="¿precio?"), 917, context_id="wamid.FAKE-OUT-1")],
    "messages/text__timestamp_in_milliseconds": [Said(MX1, HOLA, 0, sent_at=None)],
    "messages/unsupported__edit": [Said(MX1, Unsupported(kind="edit", code=131051), 912)],
    "messages/video__caption": [Said(MX1, Media(kind="video", caption="¿Tienen hora mañana?"), 901)],
    "messages/status_deleted__legacy": _ignored("messages", "unknown status deleted", unknown=True),
    "messages/status_delivered__group": [receipt("FAKE-OUT-G1", DELIVERED, 900, Sender(wa_id="FAKEGROUP1"))],
    "messages/status_failed__absurd_code": [_failed(3)],
    "messages/status_failed__no_errors": [_failed(2)],
    "messages/status_failed__several_errors": [
        _failed(
            1,
            GraphError(code=131049, title="Not delivered", details="Invented text"),
            *failed("x", 131026, "Message undeliverable", "Invented text").errors,
        ),
    ],
    "messages/status_sent__timestamp_as_number": [receipt("FAKE-OUT-S1", SENT, 900, MX1)],
    "messages/status_warning__legacy": _ignored("messages", "unknown status warning", unknown=True),
    "account_alerts/limit__plain": _ignored("account_alerts", "account news"),
    "account_update/restriction__plain": _ignored("account_update", "account news"),
    "business_capability_update/limit__string_and_number": _ignored("business_capability_update", "business news"),
    "calls/connect__with_session": _ignored("calls", "calls"),
    "calls/status__ringing": _ignored("calls", "calls"),
    "group_lifecycle_update/created__plain": _ignored("group_lifecycle_update", "groups"),
    "history/threads__first_chunk": _ignored("history", "past chats of the phone app"),
    "message_echoes/image__caption": [
        Echo(
            phone_number_id=NUMBER,
            wamid="wamid.FAKE-ECHO-2",
            to=None,
            to_user_id=MX1.user_id,
            at=second(975),
            text="Así llega",
        ),
    ],
    "message_template_components_update/edited__plain": _ignored(
        "message_template_components_update", "a template was edited"
    ),
    "message_template_quality_update/red__plain": [
        TemplateQuality(account=WABA, name=TEMPLATE, language="es_MX", previous="YELLOW", new="RED"),
    ],
    "message_template_status_update/approved__language_with_hyphen": [
        TemplateStatus(account=WABA, name=TEMPLATE, language="es_MX", event="APPROVED", reason="NONE"),
    ],
    "message_template_status_update/rejected__with_info": [
        TemplateStatus(account=WABA, name=TEMPLATE, language="es_MX", event="REJECTED", reason="INVALID_FORMAT"),
    ],
    "messaging_handovers/control_taken__plain": _ignored("messaging_handovers", "threads of other apps"),
    "phone_number_name_update/approved__plain": _ignored("phone_number_name_update", "number news"),
    "security/pin_changed__plain": _ignored("security", "number news"),
    "smb_app_state_sync/contact__add": _ignored("smb_app_state_sync", "past chats of the phone app"),
    "standby/text__plain": _ignored("standby", "threads of other apps"),
    "template_category_update/marketing__done": [
        TemplateCategory(account=WABA, name=TEMPLATE, language="es_MX", new="MARKETING", correct=None),
    ],
    "user_preferences/stop__phone": [
        Preference(
            phone_number_id=NUMBER,
            user_id=MX1.user_id,
            wa_id=MX1.wa_id,
            category="marketing_messages",
            value="stop",
            at=second(970),
        ),
    ],
}
