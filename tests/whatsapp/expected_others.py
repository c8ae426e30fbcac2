"""What each recorded status and each body of another field says."""

from bot.whatsapp.events import (
    Echo,
    Event,
    Ignored,
    Preference,
    ReceiptStatus,
    Sender,
    TemplateCategory,
    TemplateQuality,
    TemplateStatus,
)
from tests.whatsapp.said import (
    AR1,
    BR1,
    DELIVERED,
    FREE,
    MX1,
    MX2,
    MX2_HIDDEN,
    NEVER,
    NUMBER,
    READ,
    SENT,
    TEMPLATE,
    TPL1,
    TPL2,
    TPL16,
    US1,
    UTILITY,
    WABA,
    Said,
    failed,
    receipt,
    second,
)

RECEIPTS: dict[str, list[Said | Event]] = {
    "status_delivered__free_tier": [receipt("RkFLRS1PVVQtVEVYVC0wMDAy", DELIVERED, 800, BR1, pricing=FREE, paid=False)],
    "status_delivered__pricing_utility": [receipt(TPL1, DELIVERED, 702, MX1, pricing=UTILITY)],
    "status_delivered__user_id_only": [
        receipt("RkFLRS1PVVQtVEVYVC0wMDA3", DELIVERED, 850, MX2_HIDDEN, pricing=FREE, paid=False)
    ],
    "status_failed__131026": [
        failed("RkFLRS1PVVQtVFBMLTAwMDY=", 131026, NEVER, "Recipient cannot receive (invented text)", AR1)
    ],
    "status_failed__131042": [
        failed(
            "RkFLRS1PVVQtVFBMLTAwMDk=",
            131042,
            "Business eligibility payment issue",
            "Payment method problem (invented text)",
        )
    ],
    "status_failed__131047": [
        failed("RkFLRS1PVVQtVEVYVC0wMDA2", 131047, "Re-engagement message", "Window closed (invented text)")
    ],
    "status_failed__132015": [
        failed(
            "RkFLRS1PVVQtVFBMLTAwMTA=",
            132015,
            "Template is paused",
            "Held message dropped after pacing (invented text)",
        )
    ],
    "status_failed__after_delivered": [
        receipt(TPL16, DELIVERED, 830, MX1, pricing=UTILITY),
        failed(TPL16, 131026, NEVER, "second device (invented)", after=831),
    ],
    "status_failed__unknown_code": [
        failed("RkFLRS1PVVQtVFBMLTAwMTU=", 139999, "Brand new error", "Invented future code")
    ],
    "status_played__plain": [receipt("RkFLRS1PVVQtQVVESU8tMDAwMQ==", ReceiptStatus.PLAYED, 770, US1)],
    "status_read__plain": [receipt(TPL1, READ, 760, MX1)],
    "status_read__without_delivered": [receipt(TPL2, READ, 765, BR1, pricing=UTILITY)],
    "status_sent__delivery_id": [
        receipt("RkFLRS1PVVQtVFBMLTAwMDU=", SENT, 795, MX1, delivery_id="rem:APT-000125:T-24h:try1")
    ],
    "status_sent__free_entry_point": [
        receipt(
            "RkFLRS1PVVQtVEVYVC0wMDA1",
            SENT,
            810,
            MX2,
            pricing="PMP free_entry_point referral_conversion",
            paid=False,
        )
    ],
    "status_sent__legacy_conversation": [
        receipt("RkFLRS1PVVQtT0xELTAwMDE=", SENT, 815, Sender(wa_id="15550002001"), pricing="CBP service")
    ],
    "status_sent__plain": [receipt(TPL1, SENT, 700, MX1)],
}

OTHERS: dict[str, list[Said | Event]] = {
    "calls/terminate__plain": [Ignored(field="calls", why="calls")],
    "field_from_the_future/unknown__field": [Ignored(field="field_from_the_future", why="unknown field", unknown=True)],
    "flows/flow_status_change__blocked": [Ignored(field="flows", why="features not used")],
    "history/errors__declined": [Ignored(field="history", why="past chats of the phone app")],
    "history/image__as_messages": [Ignored(field="history", why="past chats of the phone app")],
    "malformed/entry__empty": [],
    "malformed/entry__without_changes": [],
    "malformed/object__page": [Ignored(field="object", why="not WhatsApp but page", unknown=True)],
    "message_template_quality_update/yellow__plain": [
        TemplateQuality(account=WABA, name=TEMPLATE, language="es", previous="GREEN", new="YELLOW")
    ],
    "message_template_status_update/disabled__plain": [
        TemplateStatus(account=WABA, name=TEMPLATE, language="es_MX", event="DISABLED", reason="NONE")
    ],
    "message_template_status_update/paused__first": [
        TemplateStatus(account=WABA, name=TEMPLATE, language="es_MX", event="PAUSED", reason=None)
    ],
    "message_template_status_update/pending_deletion__plain": [
        TemplateStatus(account=WABA, name=TEMPLATE, language="es_MX", event="PENDING_DELETION", reason="NONE")
    ],
    "phone_number_quality_update/throughput_upgrade__plain": [
        Ignored(field="phone_number_quality_update", why="number news")
    ],
    "smb_message_echoes/text__staff_answer": [
        Echo(
            phone_number_id=NUMBER,
            wamid="wamid.RkFLRS1FQ0hPLTAwMDE=",
            to=MX1.wa_id,
            to_user_id=MX1.user_id,
            at=second(975),
            text="Le habla recepción, ¿en qué le ayudo?",
        )
    ],
    "template_category_update/marketing__notice": [
        TemplateCategory(account=WABA, name=TEMPLATE, language="es", new="UTILITY", correct="MARKETING")
    ],
    "user_preferences/resume__user_id_only": [
        Preference(
            phone_number_id=NUMBER,
            user_id=MX2.user_id,
            wa_id=None,
            category="marketing_messages",
            value="resume",
            at=second(970),
        )
    ],
}
