"""The tree of errors. Every message names the fault, its place and a remedy.

HoldtrueError
├── InputError                 input from the caller or a file cannot be used (exit code 2)
│   ├── DomainError            a domain declaration or a problem's setting is malformed
│   ├── ConstraintError        unknown type, entity or value, wrong arity, value out of range
│   ├── FormulaError           a formula cannot be read, or names an unknown variable
│   │   ├── SmtLibError        SMT-LIB text that cannot be read, or is not allowed; has line and column
│   │   └── FormulaMistake     Python that is always a mistake: == between terms, a formula used as a boolean
│   │       └── NoSuchAttribute    a formula names an attribute that its entities do not have
│   ├── RecordError            a line or file (problem, journal, log) cannot be read
│   ├── SettingsError          a command's settings clash, or differ from the resumed ones
│   └── SessionError           a session cannot do this now, and nothing was changed
│       ├── SessionBusy        another call is running on the same session
│       ├── StoreConflict      another process has written to the same conversation
│       └── SessionClosed      the session was closed
├── RequestRefused             one request cannot be answered (too long, unsupported schema, no reply); others can
└── InfrastructureError        a server, a disk or a download failed (exit code 4)
    ├── ModelError             a model cannot be reached, is missing, or gave no usable answer
    │   ├── ModelUnreachable   no connection, no answer in time, or the server keeps failing after all retries
    │   └── ModelRefused       the server refuses every request (bad key, unknown model, not a chat server)
    ├── StoreError             events of guarded conversations cannot be stored or read (disk full, file gone)
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
    """The root of all errors that holdtrue raises on purpose."""


class InputError(HoldtrueError):
    """The caller or a file gave input that cannot be used."""


class DomainError(InputError):
    """A domain declaration, or the setting of one problem, is malformed."""


class ConstraintError(InputError):
    """A constraint uses a name or value that its domain does not have.

    `code` is a stable short name of the reason: `unknown_type`, `not_applicable`, `wrong_arity`, `unknown_entity`,
    `unknown_attribute`, `unknown_value`, `out_of_range`, `same_entity`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class FormulaError(InputError):
    """A formula cannot be read, or names an unknown variable."""


class SmtLibError(FormulaError):
    """SMT-LIB text cannot be read, or uses a command that is not allowed.

    `line` and `column` (both from 1, columns in characters) give the place. The message begins with them.
    """

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class FormulaMistake(FormulaError):
    """A formula is written in a way that is always a mistake in Python. The message says how to write it."""


class NoSuchAttribute(FormulaMistake, AttributeError):
    """A formula names an attribute that its entities do not have."""


class RecordError(InputError):
    """A line or a file cannot be read. The message names the place."""


class SettingsError(InputError):
    """Settings clash, or differ from those of the resumed run."""


class SessionError(InputError):
    """A session cannot do this now. Nothing was changed, and the message says how to proceed."""


class SessionBusy(SessionError):
    """Another call is running on the same session."""


class SessionClosed(SessionError):
    """The session was closed."""


class StoreConflict(SessionError):
    """Another process has written to the same conversation. Nothing was written, and the call may be repeated."""


class RequestRefused(HoldtrueError):
    """A model cannot answer this request, and would refuse it again. It can answer other requests.

    The request is too long, its schema is not supported, or several tries brought no reply. A prompt that a filter
    rejects raises no error: it gets a reply of kind `filtered`. This is not an `InfrastructureError`, so it ends a
    conversation but not a run. `spent` counts the tokens of prompt and reply that were paid for anyway.
    """

    spent: tuple[int, int] = (0, 0)


class InfrastructureError(HoldtrueError):
    """A server, a disk or a download failed."""


class ModelError(InfrastructureError):
    """A model cannot be used. `spent` counts the tokens of prompt and reply that were paid for anyway."""

    spent: tuple[int, int] = (0, 0)


class ModelUnreachable(ModelError):
    """There is no connection or no complete answer in time, or the server keeps failing after all retries."""


class ModelRefused(ModelError):
    """The server answers, but refuses every request."""


class StoreError(InfrastructureError):
    """The events of guarded conversations cannot be stored or read."""


class DownloadError(InfrastructureError):
    """A model file could not be fetched, or is not the one that the catalogue names."""


class JournalError(InfrastructureError):
    """The journal cannot be written."""
