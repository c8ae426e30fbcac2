"""What each recorded message of `fixtures/webhooks/messages` says."""

from bot.whatsapp.events import (
    AccountError,
    Button,
    Choice,
    Edited,
    Event,
    Form,
    IdentityChanged,
    Ignored,
    Location,
    Media,
    NumberChanged,
    Order,
    Reaction,
    Revoked,
    Sender,
    SharedContacts,
    TemplateStatus,
    Text,
    Unsupported,
)
from tests.whatsapp.said import (
    AR1,
    BR1,
    BR2,
    DELIVERED,
    DEMO_FORM,
    FLOW,
    IN_TEXT,
    LIST,
    MX1,
    MX2,
    MX2_HIDDEN,
    MX3,
    NUMBER,
    OUT_TEMPLATE,
    REFERRAL,
    TEMPLATE,
    TPL2,
    US1,
    UTILITY,
    Said,
    receipt,
)

MESSAGES: dict[str, list[Said | Event]] = {
    "audio__voice_note": [Said(BR1, Media(kind="audio", caption=None, voice=True), 170)],
    "batch__two_accounts": [
        Said(MX1, Text(body="hola"), 610),
        receipt(TPL2, DELIVERED, 611, BR1, pricing=UTILITY),
        Said(US1, Text(body="other clinic"), 612, account="200000000000202", phone_number_id="100000000000102"),
        TemplateStatus(account="200000000000202", name=TEMPLATE, language="es", event="APPROVED", reason="NONE"),
    ],
    "button__foreign_payload": [
        Said(MX2, Button(payload="v1:CANCEL:APT-000123:0badc0de", text="Cancelar"), 75, context_id=OUT_TEMPLATE)
    ],
    "button__payload_is_label": [
        Said(BR1, Button(payload="Cancelar", text="Cancelar"), 70, context_id=f"wamid.{TPL2}")
    ],
    "button__template_quick_reply": [
        Said(MX1, Button(payload="v1:CONFIRM:APT-000123:0badc0de", text="Confirmar"), 60, context_id=OUT_TEMPLATE)
    ],
    "contacts__requested": [
        Said(
            MX2_HIDDEN,
            SharedContacts(phones=("5215550001002",), requested=True),
            200,
            context_id="wamid.RkFLRS1PVVQtUkNJLTAwMDE=",
        )
    ],
    "document__caption": [Said(MX2, Media(kind="document", caption="Mi estudio"), 180)],
    "edit__text": [Said(MX1, Edited(original_id=IN_TEXT, text="Hola, necesito mover mi cita del miércoles"), 350)],
    "ephemeral__legacy": [Said(AR1, Unsupported(kind="ephemeral"), 345)],
    "errors__130429": [
        AccountError(
            phone_number_id=NUMBER,
            code=130429,
            title="Rate limit hit",
            details="Throughput reached (invented text)",
        )
    ],
    "image__caption": [Said(AR1, Media(kind="image", caption="Orden médica de prueba"), 160)],
    "image__no_url_no_caption": [Said(AR1, Media(kind="image", caption=None), 165)],
    "interactive__button_reply": [
        Said(
            MX1,
            Choice(id="slot:2026-12-01T16:00:00Z", title="Mar 10:00"),
            90,
            context_id="wamid.RkFLRS1PVVQtQlROLTAwMDE=",
        )
    ],
    "interactive__call_permission_reply": [
        Said(US1, Unsupported(kind="call_permission_reply"), 125, context_id="wamid.RkFLRS1PVVQtQ0FMTC0wMDAx")
    ],
    "interactive__form_reply": [Said(MX2, Form(response=DEMO_FORM, token="ft-FAKE-0001"), 110, context_id=FLOW)],
    "interactive__form_reply_bad_json": [Said(MX2, Form(response=None, token=None), 120, context_id=FLOW)],
    "interactive__list_reply": [Said(BR2, Choice(id="svc:limpeza", title="Limpeza"), 95, context_id=LIST)],
    "interactive__list_reply_no_description": [
        Said(BR2, Choice(id="svc:revisao", title="Revisão"), 100, context_id=LIST)
    ],
    "interactive__missing_with_errors": [Said(MX1, Unsupported(kind="interactive", code=131000), 130, context_id=LIST)],
    "location__named": [
        Said(
            MX1,
            Location(latitude=19.4, longitude=-99.1, name="Lugar Ficticio", address="Calle Inventada 1"),
            190,
        )
    ],
    "order__one_item": [Said(BR1, Order(), 205)],
    "reaction__removed": [Said(MX1, Reaction(message_id=OUT_TEMPLATE, emoji=None), 145)],
    "reaction__thumbs_up": [Said(MX1, Reaction(message_id=OUT_TEMPLATE, emoji="👍"), 140)],
    "revoke__plain": [Said(MX1, Revoked(original_id=IN_TEXT), 355)],
    "system__customer_identity_changed": [Said(BR1, IdentityChanged(), 315)],
    "system__user_changed_number": [
        Said(
            Sender(wa_id="5215550001001"),
            NumberChanged(
                new_wa_id="5215550001099",
                new_user_id="MX.90000000000000001099",
                previous_user_id="MX.90000000000000001001",
                old_wa_id="5215550001001",
            ),
            300,
        )
    ],
    "system__user_changed_number_phone_only": [
        Said(
            Sender(wa_id="5215550001002"),
            NumberChanged(
                new_wa_id="5215550001098", new_user_id=None, previous_user_id=None, old_wa_id="5215550001002"
            ),
            305,
        )
    ],
    "system__user_changed_user_id": [
        Said(
            Sender(),
            NumberChanged(
                new_wa_id=None,
                new_user_id="MX.90000000000000001097",
                previous_user_id="MX.90000000000000001002",
                old_wa_id=None,
            ),
            310,
        )
    ],
    "text__4096_chars": [Said(US1, Text(body=("lorem prueba " * 316)[:4096]), 30)],
    "text__ad_referral": [Said(MX2, Text(body="Vi su anuncio"), 380, referral=REFERRAL)],
    "text__ar_549": [Said(AR1, Text(body="hola"), 460)],
    "text__br_ninth_digit": [Said(BR1, Text(body="oi"), 455)],
    "text__contacts_missing": [Said(Sender(user_id=MX1.user_id, wa_id=MX1.wa_id), Text(body="sin contacts"), 420)],
    "text__escaped_unicode": [Said(MX2, Text(body="¿Mañana a las 8? correo: demo@example.com / 50% <ok> 😀"), 10)],
    "text__frequently_forwarded": [Said(MX2, Text(body="Cadena de prueba"), 25, forwarded=True)],
    "text__human_request": [Said(AR1, Text(body="quiero hablar con una persona"), 45)],
    "text__known_id_in_new_batch": [
        Said(MX1, Text(body="Hola, necesito mover mi cita del martes"), 0, wamid=IN_TEXT),
        Said(MX1, Text(body="¿siguen ahí?"), 505),
    ],
    "text__mx_52": [Said(MX3, Text(body="hola"), 445)],
    "text__mx_from_521_wa_id_52": [
        Said(Sender(user_id=MX1.user_id, wa_id="525550001001", name=MX1.name), Text(body="hola"), 440)
    ],
    "text__newest_first": [
        Said(BR1, Text(body="cancela não, confirma"), 530),
        Said(BR1, Text(body="cancela"), 520),
    ],
    "text__parent_user_id": [
        Said(
            Sender(
                user_id=US1.user_id,
                parent_user_id="US.ENT.90000000000000004901",
                wa_id=US1.wa_id,
                name=US1.name,
            ),
            Text(body="hi"),
            410,
        )
    ],
    "text__phone_only": [Said(Sender(wa_id=BR1.wa_id, name=BR1.name), Text(body="oi"), 415)],
    "text__plain": [Said(MX1, Text(body="Hola, necesito mover mi cita del martes"), 0, wamid=IN_TEXT)],
    "text__quoted_reply": [Said(MX1, Text(body="Sí, esa hora"), 15, context_id="wamid.RkFLRS1PVVQtVEVYVC0wMDAx")],
    "text__two_senders_contacts_swapped": [
        Said(MX1, Text(body="uno"), 435),
        Said(BR1, Text(body="dois"), 436),
    ],
    "text__unknown_extra_keys": [Said(US1, Text(body="hi"), 365)],
    "text__unknown_phone_number_id": [Said(US1, Text(body="who?"), 640, phone_number_id="199999999999999")],
    "text__user_id_only": [Said(MX2_HIDDEN, Text(body="Hola, soy usuario sin teléfono visible"), 400)],
    "text__wrong_types": [],
    "unknown__legacy": [Said(BR2, Unsupported(kind="unknown", code=131051), 335)],
    "unsupported__131051_poll": [Said(US1, Unsupported(kind="poll_creation", code=131051), 325)],
    "unsupported__131060_unavailable": [Said(MX1, Unsupported(kind="unsupported", code=131060), 330)],
    "user_actions__link_click": [Ignored(field="messages", why="nothing used inside, only user_actions")],
}
