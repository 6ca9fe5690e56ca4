"""One tree of errors; every message says what is wrong, where, and what to do.

HoldtrueError
├── InputError                 what the caller or a file gave cannot be used (exit code 2)
│   ├── DomainError            a domain declaration or a problem's setting is malformed
│   ├── ConstraintError        unknown type, entity or value, wrong arity, value out of range
│   ├── FormulaError           a formula cannot be read, or names an unknown variable
│   │   ├── SmtLibError        SMT-LIB text that cannot be read, or is not let in; knows line and column
│   │   └── FormulaMistake     Python that cannot be meant: == between terms, a formula where Python wants true or false
│   │       └── NoSuchAttribute    a formula names an attribute that its entities do not have
│   ├── RecordError            a line or file (problem, journal, log) cannot be read
│   ├── SettingsError          a command's settings clash, or differ from the ones resumed
│   └── SessionError           a session cannot do this now, and nothing was changed
│       ├── SessionBusy        something else is running on the same session
│       ├── StoreConflict      another process has written to the same conversation
│       └── SessionClosed      the session was closed
├── RequestRefused             one request cannot be answered (too long, no such grammar, nothing said); others can
└── InfrastructureError        the world around holdtrue failed (exit code 4)
    ├── ModelError             a model cannot be reached, answered nothing usable, or is not there
    │   ├── ModelUnreachable   no connection, no answer in time, or the server keeps failing after all retries
    │   └── ModelRefused       the server answered, and said no (bad key, unknown model, not a chat server)
    ├── StoreError             events of guarded conversations cannot be kept or read (disk full, file gone)
    ├── DownloadError          a model file could not be fetched, or its hash is wrong
    └── JournalError           the journal cannot be written (disk full, folder gone, held by another run)
"""

from __future__ import annotations

__all__ = (
    "HoldtrueError InputError DomainError ConstraintError FormulaError SmtLibError FormulaMistake NoSuchAttribute "
    "RecordError SettingsError SessionError SessionBusy SessionClosed RequestRefused InfrastructureError ModelError "
    "ModelUnreachable ModelRefused StoreError StoreConflict DownloadError JournalError"
).split()


class HoldtrueError(Exception):
    """Root of all errors that holdtrue raises on purpose."""


class InputError(HoldtrueError):
    """The caller or a file gave something that cannot be used."""


class DomainError(InputError):
    """A domain declaration, or the setting of one problem, is malformed."""


class ConstraintError(InputError):
    """A constraint names what its domain does not have.

    `code` is a stable short name of the reason: `unknown_type`, `not_applicable`, `wrong_arity`,
    `unknown_entity`, `unknown_attribute`, `unknown_value`, `out_of_range`, `same_entity`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class FormulaError(InputError):
    """A formula cannot be read, or names an unknown variable."""


class SmtLibError(FormulaError):
    """SMT-LIB text that cannot be read, or holds what is not let in.

    `line` and `column` (both from 1, columns in characters) tell where; the message begins with them.
    """

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class FormulaMistake(FormulaError):
    """A formula is written in Python that cannot be meant, whatever its arguments; the message says what to write."""


class NoSuchAttribute(FormulaMistake, AttributeError):
    """A formula names an attribute that its entities do not have."""


class RecordError(InputError):
    """A line or a file cannot be read; the message names the place."""


class SettingsError(InputError):
    """Settings clash, or differ from the ones that are being resumed."""


class SessionError(InputError):
    """A session cannot do this now; nothing was changed, and the message says what to do."""


class SessionBusy(SessionError):
    """Something else is running on the same session."""


class SessionClosed(SessionError):
    """The session was closed."""


class StoreConflict(SessionError):
    """Somebody else has written to the same conversation; nothing was written, and it may be done again."""


class RequestRefused(HoldtrueError):
    """A model cannot answer this one request, and would refuse it again; it can answer others.

    The request is too long, or its schema cannot be enforced, or nothing was ever said in reply to it. That a filter
    turned it down is no error: it is a reply of kind `filtered`.
    No `InfrastructureError`: it ends a conversation and not a run. `spent` are tokens of prompt and reply that were
    paid for all the same.
    """

    spent: tuple[int, int] = (0, 0)


class InfrastructureError(HoldtrueError):
    """The world around holdtrue failed: a server, a disk, a download."""


class ModelError(InfrastructureError):
    """A model cannot be used; `spent` are tokens of prompt and reply that were paid for all the same."""

    spent: tuple[int, int] = (0, 0)


class ModelUnreachable(ModelError):
    """No connection, no whole answer within the limits of time, or the server keeps failing after all retries."""


class ModelRefused(ModelError):
    """The server answered, and said no to whatever it is asked."""


class StoreError(InfrastructureError):
    """The events of guarded conversations cannot be kept, or cannot be read."""


class DownloadError(InfrastructureError):
    """A model file could not be fetched, or is not what the catalogue promised."""


class JournalError(InfrastructureError):
    """The journal cannot be written."""
