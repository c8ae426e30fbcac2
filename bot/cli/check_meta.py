"""`confirmo doctor`: what Meta says: token, number, templates, who hears the webhooks, and its clock."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.cli import account
from bot.cli.account import NOT_PERMITTED, NOT_SEEN, NOT_TAKEN, Sends, Trouble
from bot.cli.check_templates import reminders
from bot.cli.finding import Finding, Health
from bot.clock import utc_now
from bot.settings import Settings
from bot.whatsapp.account import APPS, Held, apps, shown_number, templates
from bot.whatsapp.client import AccountClient, Answered, Lost, Refused

APART = timedelta(seconds=5)
"""Clocks may differ by so much."""
ALL_PAGES_SECONDS = account.SECONDS
"""The templates come in pages: together they take no longer than one question may."""
CHECKS = ("token", "number", "templates", "webhooks", "clock at Meta")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """To the three questions, which are asked side by side; `asked` and `came` are this machine's times."""

    number: Answered | Trouble
    apps: Answered | Trouble
    templates: tuple[Held, ...] | Trouble
    asked: datetime
    came: datetime

    @property
    def codes(self) -> set[int]:
        every = (self.number, self.apps, self.templates)
        return {one.error.code for one in every if isinstance(one, Refused)}


async def meta(settings: Settings, sends: Sends) -> list[Finding]:
    """Nothing is asked while a setting that it needs is missing."""
    needed = ("whatsapp_access_token", "whatsapp_phone_number_id", "whatsapp_business_account_id")
    missing = [name.upper() for name in needed if not _text(settings, name).strip()]
    if missing:
        said = f"not asked: {' and '.join(missing)} not set"
        return [Finding(what, Health.UNKNOWN, said) for what in CHECKS]
    async with account.asking(settings) as client:
        answers = await _ask(client, settings)
    checks = (_token, _number, _templates, _webhooks)
    return [one for check in checks for one in check(answers, settings, sends)] + [_clock(answers)]


async def _ask(client: AccountClient, settings: Settings) -> Answers:
    number, waba = settings.whatsapp_phone_number_id, settings.whatsapp_business_account_id
    asked = utc_now()
    (told, came), heard, held = await asyncio.gather(
        _timed(client.ask(number)), client.ask(waba, APPS), _in_time(templates(client, waba))
    )
    return Answers(number=told, apps=heard, templates=held, asked=asked, came=came)


async def _timed(question: Awaitable[Answered | Trouble]) -> tuple[Answered | Trouble, datetime]:
    answer = await question
    return answer, utc_now()


async def _in_time(question: Awaitable[tuple[Held, ...] | Trouble]) -> tuple[Held, ...] | Trouble:
    try:
        return await asyncio.wait_for(question, ALL_PAGES_SECONDS)
    except TimeoutError as error:
        return Lost(why=type(error).__name__, calls=1)


Check = Callable[[Answers, Settings, Sends], Sequence[Finding]]


def _token(answers: Answers, settings: Settings, _: Sends) -> list[Finding]:
    if answers.codes & (NOT_TAKEN | NOT_PERMITTED):
        refused = [one for one in (answers.number, answers.apps, answers.templates) if isinstance(one, Refused)]
        worst = min(refused, key=lambda one: (one.error.code not in NOT_TAKEN, one.error.code not in NOT_PERMITTED))
        return [Finding("token", Health.WRONG, f"{account.said(worst, settings)}, in WHATSAPP_ACCESS_TOKEN")]
    if any(isinstance(one, Answered | Refused | tuple) for one in (answers.number, answers.apps, answers.templates)):
        return [Finding("token", Health.OK, "Meta takes it")]
    return [Finding("token", Health.WRONG, account.said(_trouble(answers.number), settings))]


def _number(answers: Answers, settings: Settings, _: Sends) -> list[Finding]:
    if isinstance(answers.number, Answered):
        shown = shown_number(answers.number.body)
        return [Finding("number", Health.OK, shown or "Meta knows it")]
    where = "compare WHATSAPP_PHONE_NUMBER_ID with WhatsApp → API Setup, and give the system user that number"
    return [_unanswered("number", answers.number, settings, where)]


def _webhooks(answers: Answers, settings: Settings, _: Sends) -> list[Finding]:
    if not isinstance(answers.apps, Answered):
        return [_unanswered("webhooks", answers.apps, settings, COMPARE_ACCOUNT)]
    subscribed = apps(answers.apps.body)
    if not subscribed:
        said = "no app hears this account: subscribe yours under WhatsApp → Configuration, else no message arrives"
        return [Finding("webhooks", Health.WRONG, said)]
    return [
        Finding("webhooks", Health.OK, f"go to {', '.join(subscribed)} (which fields, only the app dashboard shows)")
    ]


def _templates(answers: Answers, settings: Settings, sends: Sends) -> list[Finding]:
    if not isinstance(answers.templates, tuple):
        return [_unanswered("templates", answers.templates, settings, COMPARE_ACCOUNT)]
    return reminders(answers.templates, sends)


COMPARE_ACCOUNT = (
    "compare WHATSAPP_BUSINESS_ACCOUNT_ID with WhatsApp → API Setup, and give the system user that account"
)


def _unanswered(what: str, answer: Trouble, settings: Settings, where: str) -> Finding:
    if not isinstance(answer, Refused):
        return Finding(what, Health.WRONG, account.said(answer, settings))
    if answer.error.code in NOT_TAKEN | NOT_PERMITTED:
        return Finding(what, Health.UNKNOWN, "cannot be known before the token is right")
    if answer.error.code in NOT_SEEN:
        return Finding(what, Health.WRONG, f"Meta shows none of that id ({answer.error.code}): {where}")
    return Finding(what, Health.WRONG, account.said(answer, settings))


def _clock(answers: Answers) -> Finding:
    """Meta tells whole seconds, at some instant between the question and its answer."""
    at = answers.number.at if isinstance(answers.number, Answered) else None
    if at is None:
        return Finding("clock at Meta", Health.UNKNOWN, "Meta told no time")
    behind, ahead = at - answers.came, answers.asked - at - timedelta(seconds=1)
    off = max(behind, ahead)
    if off > APART:
        way = "behind" if behind > ahead else "ahead of"
        said = f"this machine is {off.total_seconds():.0f} s {way} it: set its clock by NTP"
        return Finding("clock at Meta", Health.WRONG, said)
    return Finding("clock at Meta", Health.OK, "agrees with this machine's")


def _trouble(answer: Answered | Trouble) -> Trouble:
    assert not isinstance(answer, Answered)  # noqa: S101 - a fact for the type checker
    return answer


def _text(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    return value if isinstance(value, str) else str(value.get_secret_value())
