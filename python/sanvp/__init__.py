"""sanvp from Python: virtual machines with system-area networks, run and measured, with pandas data as results.

    import sanvp

    ping = sanvp.run("qsnet-64", "ping", np=2, settings={"host.pci.clock": 66.66})
    ping["bandwidth_MBps"]                      # a number of the JSON
    ping.ranks                                  # a table of the result folder, as a DataFrame

    sweep = sanvp.traffic("qsnet-64", "uniform", load="0.1:0.9:0.2")
    sweep.loads.plot(x="offered_per_node_MBps", y="latency_mean_ns")

Each call starts the program `sanvp` once; `sanvp.program.find` says which one. pandas is loaded when a table is first
asked for. A command that fails raises a `SanvpError`, which has the program's message and its exit status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .commands import check, describe, listing, network, replay, run, traffic
from .errors import DeadlockError, HostProgramError, ProgramNotFoundError, SanvpError, UserMistakeError
from .results import CheckResult, Description, Listing, Network, ReplayResult, Result, RunResult, TrafficResult

if TYPE_CHECKING:
    from .studies.api import StudyResult, study

_OF_STUDIES = ("study", "StudyResult")


def __getattr__(name: str) -> Any:
    """Loads the studies when they are first asked for: they need PyYAML and tqdm."""
    if name not in _OF_STUDIES:
        raise AttributeError(f"module 'sanvp' has no attribute '{name}'")
    from .studies import api

    return getattr(api, name)


__all__ = [
    "CheckResult",
    "DeadlockError",
    "Description",
    "HostProgramError",
    "Listing",
    "Network",
    "ProgramNotFoundError",
    "ReplayResult",
    "Result",
    "RunResult",
    "SanvpError",
    "StudyResult",
    "TrafficResult",
    "UserMistakeError",
    "check",
    "describe",
    "listing",
    "network",
    "replay",
    "run",
    "study",
    "traffic",
]
