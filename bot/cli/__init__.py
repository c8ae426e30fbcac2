"""`confirmo …`: the table of commands. A command's module is loaded when it is called, so that --help is quick."""

import sys
from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command


class Command(NamedTuple):
    """Where its function stands (`module:function`), and its line of help."""

    target: str
    help: str


COMMANDS: Mapping[str, Command] = MappingProxyType(
    {
        "demo": Command("bot.cli.start_demo:demo", "Try it: a simulated phone and the bot in one process."),
        "serve": Command("bot.cli.serve:serve", "Run web and worker in one process."),
        "db upgrade": Command("bot.cli.db_upgrade:upgrade", "Bring the database to this version's tables."),
        "appointments import": Command(
            "bot.cli.appointments_import:import_file", "Add the appointments of a CSV file, all of them or none."
        ),
        "appointments export": Command(
            "bot.cli.appointments_export:export", "Write the appointments as CSV, cancelled ones left out."
        ),
        "appointments list": Command("bot.cli.appointments_list:show", "Show every appointment."),
        "business import": Command(
            "bot.cli.business_import:import_file", "Make the business what a TOML file says; says what that changes."
        ),
        "business export": Command("bot.cli.business_export:export", "Write the whole business as TOML."),
        "reminders scan": Command(
            "bot.cli.reminders_scan:scan", "Look for due reminders once; shows verdict and reason per appointment."
        ),
        "templates show": Command(
            "bot.cli.templates_show:show", "Show the reminder templates, as Meta must approve them."
        ),
        "templates push": Command(
            "bot.cli.templates_push:push", "Hand in the reminder templates for Meta's review, those that are not there."
        ),
        "templates status": Command(
            "bot.cli.templates_status:status", "Show what Meta says of the templates that reminders use."
        ),
        "understand": Command("bot.cli.understand:run", "Say what customers' phrases mean, one JSON line each."),
        "replay": Command("bot.cli.replay:replay", "Sign recorded webhook bodies and post them."),
        "outbox list": Command("bot.cli.outbox_list:show", "Show the outgoing messages and their states."),
        "outbox retry": Command("bot.cli.outbox_retry:retry", "Send failed or skipped messages again, all or none."),
        "attention list": Command(
            "bot.cli.attention_list:show", "Show what staff must look at, and the alarms that are open."
        ),
        "doctor": Command("bot.cli.doctor:doctor", "Check the installation; ends with 1 when anything is wrong."),
        "attention done": Command("bot.cli.attention_done:done", "Settle a matter that staff have looked at."),
    }
)
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "db": "The database.",
        "appointments": "The appointments: import, export, list.",
        "business": "The business: import, export.",
        "reminders": "The reminders: scan by hand.",
        "templates": "The reminder templates: show, push, status.",
        "outbox": "The outgoing messages: list, retry.",
        "attention": "What staff must look at: list, done.",
    }
)
PLAIN: Mapping[str, Any] = MappingProxyType({"rich_markup_mode": None})
INTERRUPTED = 130


class Commands(TyperGroup):
    """The commands under `prefix`; what went wrong is said in one line."""

    prefix = ""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        start = len(self.prefix)
        return list(dict.fromkeys(name[start:].split()[0] for name in COMMANDS if name.startswith(self.prefix)))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - typer's signature
        name = self.prefix + cmd_name
        if name in COMMANDS:
            return _load(cmd_name, COMMANDS[name])
        if name not in GROUPS or self.prefix:
            return None
        group = Commands(name=cmd_name, help=GROUPS[name], **PLAIN)
        group.prefix = f"{name} "
        return group

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """From the table: typer would load every command for its line of help."""
        names = self.list_commands(ctx)
        lines = [(name, self._help_of(self.prefix + name)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(lines)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            typer.echo(ctx.get_help(), err=True)
            raise typer.Exit(2)
        return super().parse_args(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except TyperException as error:
            context = getattr(error, "ctx", None)
            hint = f" (see `{context.command_path} --help`)" if context else ""
            _fail(error.format_message().rstrip(".") + hint, error.exit_code)
        except OSError as error:
            _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except (ValueError, LookupError) as error:
            if isinstance(error, KeyError | IndexError | UnicodeError):
                raise  # a fault of ours: with its traceback
            _fail(str(error))
        else:
            sys.exit(code or 0)

    def _help_of(self, name: str) -> str:
        return COMMANDS[name].help if name in COMMANDS else GROUPS[name]


app = typer.Typer(cls=Commands, add_completion=False, pretty_exceptions_enable=False, **PLAIN)


@app.callback()
def _program() -> None:
    """Confirmo: appointments over WhatsApp. Settings come from the environment and the current folder's `.env`."""


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # a terminal that cannot show a name
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _load(name: str, command: Command) -> Any:
    module, function = command.target.split(":")
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, **PLAIN)
    alone.command(name, help=command.help)(getattr(import_module(module), function))
    return get_command(alone)


def _fail(message: str, code: int = 1) -> None:
    for line in message.splitlines():
        typer.echo(f"confirmo: {line}", err=True)
    sys.exit(code)
