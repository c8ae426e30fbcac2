"""Which service does the customer want?"""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.pages import page
from bot.conversation.replies import MoreServices, PickService
from bot.conversation.steps.turning import onward, turning
from bot.conversation.view import View
from bot.core.business import Service
from bot.understanding.intent import Wish, wish


class ChooseService:
    """Answered by a row, or by typing the service's name."""

    def settle(self, draft: Draft, view: View) -> Draft:
        if draft.service is None and len(view.services) == 1:
            return replace(draft, service=view.services[0].id)
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return view.business.service(draft.service) is None if draft.service is not None else True

    def ask(self, draft: Draft, view: View) -> Say:
        shown = page(view.services, draft.services_from)
        options = [_option(service, view) for service in shown.shown]
        return Say(
            text=" ".join(part for part in (_noted(draft, view), view.copy("which_service")) if part),
            key="which_service",
            options=(*options, *turning(shown, MoreServices, "more_services", view)),
            button=view.copy("services_button"),
        )

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=PickService(service=id)) if id in {one.id for one in view.services}:
                return _chosen(id, draft)
            case Tapped(reply=MoreServices(first=first)):
                return _chosen(None, replace(draft, day=None, days_since=None, after=None, services_from=first))
            case Said(text=text) if wish(text) is Wish.OTHER_SERVICE:
                return _chosen(None, replace(draft, day=None, days_since=None, after=None))
            case Said(text=text):
                return _typed(text, draft, view)
            case _:
                return None


def _noted(draft: Draft, view: View) -> str:
    """What has been said of the time and the person: who named them must not think that nobody listened."""
    staff = next((one.name for one in view.business.staff if one.id == draft.staff), None)
    known = (
        view.wording.day(draft.day) if draft.day is not None and draft.last_day is None else "",
        view.wording.clock(draft.clock) if draft.clock is not None else "",
        view.copy("with_staff", staff=staff) if staff is not None else "",
    )
    return view.copy("noted", what=", ".join(part for part in known if part)) if any(known) else ""


def _typed(text: str, draft: Draft, view: View) -> Draft | None:
    """The name of one, or *more* while there are more to see."""
    said = " ".join(text.split()).casefold()
    named = [one for one in view.services if " ".join(one.name.split()).casefold() == said]
    if named:
        return _chosen(named[0].id, draft)
    following = page(view.services, draft.services_from).following
    if draft.service is None and following is not None and onward(text, "more_services", view):
        return replace(draft, services_from=following)
    return None


def _chosen(service: int | None, draft: Draft) -> Draft:
    """A time that was picked before was one for another service; who was asked for by name stays."""
    staff = draft.staff if draft.start is None else None
    return replace(draft, service=service, start=None, staff=staff, people_from=None)


def _option(service: Service, view: View) -> Option:
    length = view.wording.length(service.minutes)
    return Option(PickService(service.id), service.name, " · ".join(part for part in (length, service.price) if part))
