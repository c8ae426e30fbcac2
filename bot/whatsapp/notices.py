"""Fields beside `messages`: template news, preferences, echoes of the phone app, and those we pass over."""

from bot.whatsapp.content import Item, Unreadable, read_content
from bot.whatsapp.events import (
    Echo,
    Media,
    Preference,
    TemplateCategory,
    TemplateQuality,
    TemplateStatus,
    Text,
)
from bot.whatsapp.values import id_or_none, line_or_none, object_or_empty, time_or_none

# Fields that Meta documents and this bot does not use. A field in neither table is reported as unknown.
IGNORED_FIELDS = {
    **dict.fromkeys(("history", "smb_app_state_sync"), "past chats of the phone app"),
    **dict.fromkeys(("calls", "call_permission"), "calls"),
    **dict.fromkeys(("standby", "messaging_handovers", "consumer_profile"), "threads of other apps"),
    **dict.fromkeys(
        ("group_lifecycle_update", "group_participants_update", "group_settings_update", "group_status_update"),
        "groups",
    ),
    **dict.fromkeys(
        ("account_alerts", "account_review_update", "account_settings_update", "account_update"),
        "account news",
    ),
    **dict.fromkeys(
        ("business_capability_update", "business_status_update", "business_username_update"),
        "business news",
    ),
    **dict.fromkeys(("phone_number_name_update", "phone_number_quality_update", "security"), "number news"),
    "message_template_components_update": "a template was edited",
    "template_correct_category_detection": "category hints",
    **dict.fromkeys(("flows", "payment_configuration_update", "partner_solutions"), "features not used"),
    **dict.fromkeys(("automatic_events", "tracking_events", "user_id_update"), "features not used"),
}


LONGEST_LANGUAGE = 35
"""What a language tag may need (BCP 47)."""


def _number_id(value: Item) -> str | None:
    return id_or_none(object_or_empty(value.get("metadata")).get("phone_number_id"))


def _template(value: Item) -> tuple[str, str]:
    """Name and language; Meta writes the language as `en-US` and as `en_US`."""
    name = id_or_none(line_or_none(value.get("message_template_name")))
    language = line_or_none(value.get("message_template_language"))
    if name is None or language is None or len(language) > LONGEST_LANGUAGE:
        raise Unreadable("template without a usable name or language")
    return name, language.replace("-", "_")


def template_status(account: str, value: Item) -> TemplateStatus:
    """`message_template_status_update`."""
    name, language = _template(value)
    event = line_or_none(value.get("event"))
    if event is None:
        raise Unreadable("template news without an event")
    reason = line_or_none(value.get("reason"))
    return TemplateStatus(account=account, name=name, language=language, event=event, reason=reason)


def template_category(account: str, value: Item) -> TemplateCategory:
    """`template_category_update`: done, or announced for the next day."""
    name, language = _template(value)
    new, correct = line_or_none(value.get("new_category")), line_or_none(value.get("correct_category"))
    return TemplateCategory(account=account, name=name, language=language, new=new, correct=correct)


def template_quality(account: str, value: Item) -> TemplateQuality:
    """`message_template_quality_update`."""
    name, language = _template(value)
    before, now = line_or_none(value.get("previous_quality_score")), line_or_none(value.get("new_quality_score"))
    return TemplateQuality(account=account, name=name, language=language, previous=before, new=now)


def preference(value: Item, item: Item) -> Preference:
    """One of `user_preferences[]`."""
    choice = line_or_none(item.get("value"))
    if choice is None:
        raise Unreadable("preference without a value")
    return Preference(
        phone_number_id=_number_id(value),
        user_id=id_or_none(item.get("user_id")),
        wa_id=id_or_none(item.get("wa_id")),
        category=line_or_none(item.get("category")),
        value=choice,
        at=time_or_none(item.get("timestamp")),
    )


def echo(value: Item, item: Item) -> Echo:
    """One of `message_echoes[]`: what a person of the business wrote in the phone app."""
    wamid = id_or_none(item.get("id"))
    if wamid is None:
        raise Unreadable("echo without an id")
    content = read_content(item)
    text = content.body if isinstance(content, Text) else content.caption if isinstance(content, Media) else None
    return Echo(
        phone_number_id=_number_id(value),
        wamid=wamid,
        to=id_or_none(item.get("to")),
        to_user_id=id_or_none(item.get("to_user_id")),
        at=time_or_none(item.get("timestamp")),
        text=text,
    )
