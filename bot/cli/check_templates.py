"""`confirmo doctor`: whether each kind of reminder has a template that can be sent."""

from collections.abc import Sequence

from bot.cli.account import Sends
from bot.cli.finding import Finding, Health
from bot.whatsapp.account import APPROVED, Held
from bot.whatsapp.templates import KINDS, LANGUAGES, PARAMETERS, candidates


def reminders(there: Sequence[Held], sends: Sends) -> list[Finding]:
    """One finding a kind."""
    known = {(one.name, one.language): one for one in there}
    return [_kind(kind, {code: _best(kind, code, known, sends) for code in LANGUAGES}, sends) for kind in KINDS]


def _best(kind: str, code: str, known: dict[tuple[str, str], Held], sends: Sends) -> Held:
    """What a customer of that language would get; else the first choice, as it is."""
    wanted = [(one.name, one.language) for one in candidates(kind, code, sends.own)]
    held = [known.get(one, Held(name=one[0], language=one[1], status="", category="", fits=None)) for one in wanted]
    return next((one for one in held if _sendable(one)), held[0])


def _kind(kind: str, best: dict[str, Held], sends: Sends) -> Finding:
    what = f"template {kind}"
    own = best[sends.language]
    good = [code for code, one in best.items() if _sendable(one)]
    if not good:
        return Finding(what, Health.WRONG, f"none can be sent: {_why(own)}")
    if sends.language not in good:
        return Finding(what, Health.WARNING, f"customers get {good[0]} instead of {sends.language}: {_why(own)}")
    if own.category == "MARKETING":
        said = f"Meta counts {own.name}/{own.language} as marketing: ask for a review in WhatsApp Manager"
        return Finding(what, Health.WARNING, said)
    lacking = [code for code in LANGUAGES if code not in good]
    rest = f"; not in {', '.join(lacking)}: those customers get another language" if lacking else ""
    return Finding(what, Health.OK, f"approved in {', '.join(good)}{rest}")


def _why(one: Held) -> str:
    name = f"{one.name}/{one.language}"
    if not one.status:
        return f"{name} does not exist, `confirmo templates push` hands it in"
    if one.status != APPROVED:
        return f"{name} is {one.status}, WhatsApp Manager says why"
    return f"{name} does not take {', '.join(PARAMETERS)} or has not three quick replies"


def _sendable(one: Held) -> bool:
    return one.status == APPROVED and one.fits is not False
