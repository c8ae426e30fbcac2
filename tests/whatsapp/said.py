"""The people and constants of the recorded bodies, and short ways to say what a body says."""

from collections.abc import Mapping
from datetime import UTC, datetime

from bot.whatsapp.errors import GraphError
from bot.whatsapp.events import Content, Event, Message, Receipt, ReceiptStatus, Sender

WABA, NUMBER = "200000000000201", "100000000000101"
MX1 = Sender(user_id="MX.90000000000000001001", wa_id="5215550001001", name="Paciente Demo Uno")
MX2 = Sender(user_id="MX.90000000000000001002", wa_id="5215550001002", name="Paciente Demo Dos")
MX2_HIDDEN = Sender(user_id="MX.90000000000000001002", name="Paciente Demo Dos", username="paciente.demo2")
MX3 = Sender(user_id="MX.90000000000000001003", wa_id="525550001003", name="Paciente Demo Tres")
BR1 = Sender(user_id="BR.90000000000000002001", wa_id="5511955500001", name="Paciente Teste Um")
BR2 = Sender(user_id="BR.90000000000000002002", wa_id="551155500002", name="Paciente Teste Dois")
AR1 = Sender(user_id="AR.90000000000000003001", wa_id="5491155500001", name="Paciente Ficticia")
US1 = Sender(user_id="US.90000000000000004001", wa_id="15550002001", name="Test Patient")
OUT_TEMPLATE = "wamid.RkFLRS1PVVQtVFBMLTAwMDE="
IN_TEXT = "wamid.RkFLRS1JTi0wMDAx"


def second(after: int) -> datetime:
    """`after` seconds past the payloads' base time."""
    return datetime.fromtimestamp(1795791600 + after, UTC)


class Said:
    """What a message must say; what is not named must be empty."""

    def __init__(self, sender: Sender, content: Content, after: int, **rest: object) -> None:
        self.fields: Mapping[str, object] = {
            "account": WABA,
            "phone_number_id": NUMBER,
            "sender": sender,
            "content": content,
            "sent_at": second(after),
            "context_id": None,
            "forwarded": False,
            "referral": None,
            "group_id": None,
            **rest,
        }

    def check(self, event: Event) -> None:
        assert isinstance(event, Message)
        assert {name: getattr(event, name) for name in self.fields} == self.fields
        assert event.wamid.startswith("wamid.")
        assert event.raw.isascii()


def receipt(
    wamid: str,
    status: ReceiptStatus,
    after: int,
    who: Sender,
    *,
    error: GraphError | None = None,
    delivery_id: str | None = None,
    pricing: str | None = None,
    paid: bool = True,
) -> Receipt:
    """A receipt of one of our messages; a failed one has no user id. `pricing` = `model type category`."""
    keys = ("pricing_model", "type", "category") if (pricing or "").count(" ") == 2 else ("pricing_model", "category")
    return Receipt(
        wamid=f"wamid.{wamid}",
        phone_number_id=NUMBER,
        status=status,
        at=second(after),
        delivery_id=delivery_id,
        recipient=who.wa_id,
        recipient_user_id=None if error else who.user_id,
        errors=(error,) if error else (),
        pricing={"billable": paid, **dict(zip(keys, pricing.split(), strict=True))} if pricing else None,
    )


def failed(wamid: str, code: int, title: str, details: str, who: Sender = MX1, after: int = 820) -> Receipt:
    error = GraphError(code=code, title=title, details=details)
    return receipt(wamid, ReceiptStatus.FAILED, after, who, error=error)


SENT, DELIVERED, READ = ReceiptStatus.SENT, ReceiptStatus.DELIVERED, ReceiptStatus.READ
UTILITY, FREE = "PMP regular utility", "PMP free_customer_service service"
TEMPLATE = "recordatorio_cita"
TPL1 = "RkFLRS1PVVQtVFBMLTAwMDE="
TPL2 = "RkFLRS1PVVQtVFBMLTAwMDI="
TPL16 = "RkFLRS1PVVQtVFBMLTAwMTY="
DEMO_FORM = {"flow_token": "ft-FAKE-0001", "date": "2026-12-01", "slot": "10:00", "service": "limpieza"}
LIST = "wamid.RkFLRS1PVVQtTElTVC0wMDAx"
FLOW = "wamid.RkFLRS1PVVQtRkxPVy0wMDAx"
REFERRAL = {
    "source_url": "https://fb.me/FAKE",
    "source_id": "500000000000501",
    "source_type": "ad",
    "headline": "Anuncio inventado",
    "body": "Texto inventado",
    "media_type": "image",
    "image_url": "https://example.com/a.jpg",
    "ctwa_clid": "FAKECLID",
}
NEVER = "Message undeliverable"
