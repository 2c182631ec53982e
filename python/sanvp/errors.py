"""Errors of the program as exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SanvpError(Exception):
    """A command failed. Its text is the program's message."""

    def __init__(
        self, message: str, status: int, command: Sequence[str] = (), json: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status  #: the program's exit status (README.md)
        self.command = tuple(command)
        self.json = dict(json or {})  #: what the program had measured, if it wrote its JSON
        self.output = ""  #: what was printed before, by the programs of the virtual machine, too

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors come back from other processes, too."""
        return _again, (type(self), self.message, self.__dict__)


def _again(kind: type[SanvpError], message: str, content: dict[str, Any]) -> SanvpError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    error.__dict__.update(content)
    return error


class UserMistakeError(SanvpError):
    """Status 2: the message says where the mistake is and how to correct it."""


class ProgramNotFoundError(UserMistakeError):
    """There is no program `sanvp` to start."""


class DeadlockError(SanvpError):
    """Status 3: a deadlock, with its cycle, or ranks that wait for what never comes."""


class HostProgramError(SanvpError):
    """Status 4: a program on the virtual machine failed."""


_BY_STATUS = {2: UserMistakeError, 3: DeadlockError, 4: HostProgramError}


def error_of(
    status: int, message: str, command: Sequence[str] = (), json: Mapping[str, Any] | None = None
) -> SanvpError:
    """The exception for an exit status."""
    return _BY_STATUS.get(status, SanvpError)(message, status, command, json)
