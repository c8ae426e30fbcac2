"""Which service does the customer want?"""

from dataclasses import replace

from bot.conversation.draft import Draft
from bot.conversation.effects import Option, Say
from bot.conversation.events import Event, Said, Tapped
from bot.conversation.replies import PickService
from bot.conversation.view import View
from bot.core.business import Service
from bot.understanding.intent import Wish, wish

ROWS = 10


class ChooseService:
    """Answered by a row, or by typing the service's name."""

    def settle(self, draft: Draft, view: View) -> Draft:
        if draft.service is None and len(view.services) == 1:
            return replace(draft, service=view.services[0].id)
        return draft

    def open(self, draft: Draft, view: View) -> bool:
        return view.business.service(draft.service) is None if draft.service is not None else True

    def ask(self, draft: Draft, view: View) -> Say:
        del draft
        options = tuple(_option(service) for service in view.services[:ROWS])
        return Say(
            text=view.copy("which_service"), key="which_service", options=options, button=view.copy("services_button")
        )

    def read(self, event: Event, draft: Draft, view: View) -> Draft | None:
        match event:
            case Tapped(reply=PickService(service=id)) if id in {one.id for one in view.services}:
                return _chosen(id, draft)
            case Said(text=text) if wish(text) is Wish.OTHER_SERVICE:
                return _chosen(None, replace(draft, day=None, days_since=None, after=None))
            case Said(text=text):
                named = [one for one in view.services if one.name.casefold() == text.strip().casefold()]
                return _chosen(named[0].id, draft) if named else None
            case _:
                return None


def _chosen(service: int | None, draft: Draft) -> Draft:
    """A time that was picked before was one for another service; who was asked for by name stays."""
    return replace(draft, service=service, start=None, staff=draft.staff if draft.start is None else None)


def _option(service: Service) -> Option:
    minutes = f"{service.minutes} min"
    return Option(PickService(service.id), service.name, " · ".join(part for part in (minutes, service.price) if part))
