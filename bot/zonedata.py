"""Which time-zone rules are used: of the machine's and the packaged ones, the newer.

Zones change their rules with little notice (Mexico 2022, British Columbia 2026), and an old machine would put every
appointment an hour off. Python reads the machine's first, however old they are.
"""

import re
import zoneinfo
from pathlib import Path

import tzdata  # type: ignore[import-untyped]

_RELEASE = re.compile(r"\d{4}[a-z]+")
_PATH = zoneinfo.TZPATH
"""Where Python looked before we told it otherwise."""
_NAMES = ("tzdata.zi", "+VERSION", "version")
"""Where systems write the release of their zone data: Debian and others, BSD and macOS, some more."""


def packaged() -> str:
    """The release that came with Confirmo, as `2026f`."""
    return str(tzdata.IANA_VERSION)


def machine(path: tuple[str, ...] = _PATH) -> str | None:
    """The release of the machine's own; "" when it has some that do not say, None when it has none."""
    used = next((folder for folder in map(Path, path) if (folder / "UTC").exists()), None)
    if used is None:
        return None
    for name in _NAMES:
        found = _RELEASE.search(_beginning(used / name))
        if found:
            return found.group()
    return ""


def older(release: str, than: str) -> bool:
    """Whether one release is older; one that does not say is taken for old."""
    return (len(release), release) < (len(than), than)


def prefer_newer() -> None:
    """Lets Python use the packaged rules where the machine's are older. Before any zone is made."""
    own = machine()
    if own is not None and older(own, packaged()):
        zoneinfo.reset_tzpath(())


def _beginning(file: Path) -> str:
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            return text.readline()
    except OSError:
        return ""
