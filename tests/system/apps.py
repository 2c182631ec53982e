"""The programs of sw/apps, with few ranks and options that keep them short. What several test files share."""

from __future__ import annotations

from program import PROJECT

# A machine of each kind.
MACHINES = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
# Those that run on every machine.
EVERYWHERE = {
    "allreduce": (4, "--most", "4096"),
    "alltoall": (4, "--most", "4096"),
    "broadcast": (4, "--most", "4096"),
    "bulk": (4, "--iterations", "5"),
    "cg": (4,),
    "collectives": (4, "--most", "1024"),
    "fft": (4, "--edge", "16"),
    "halo": (4,),
    "host_overhead": (2, "--depth", "16"),
    "linpack": (1,),
    "md": (4, "--steps", "5"),
    "overlap": (2, "--most", "4096"),
    "ping": (2, "--most", "4096"),
    "stencil": (4, "--sweeps", "4"),
    "stream": (1, "--elements", "20000"),
}
# So do these, which have RISC-V tests of their own, or read a file of a folder that RISC-V programs do not see.
MORE = {
    "files": (3, "--bytes", "16K"),
    "goal": (4, "--file", str(PROJECT / "examples" / "goal" / "pipeline.goal")),
    "hello": (3,),
    "rma": (2, "--most", "64"),
}
# And those of one card, with a machine that has it.
OF_CARDS = {
    "barrier": ("qsnet-16", 4),
    "hot_spot": ("qsnet-16", 4, "--messages", "20", "--bytes", "4K"),
    "multiple_hot_spots": ("qsnet-16", 6, "--servers", "2", "--messages", "20", "--bytes", "4K"),
    "permutations": ("qsnet-16", 4, "--messages", "20", "--bytes", "4K"),
    "uniform": ("qsnet-16", 4, "--messages", "20", "--bytes", "4K"),
    "gm_mapper": ("myrinet-8", 4),
    "gm_ping": ("myrinet-8", 2, "--most", "4096"),
    "gm_uniform": ("myrinet-8", 4, "--measure", "200"),
    "tofu_ping": ("tofu-36", 2),
    "ds_ping": ("macrame-clos-64", 2),
    "vcp_ping": ("moc-2-1", 2),
    "parix_ping": ("gcel-64", 2),
    "parix_stolen": ("gcel-64", 3),
    "trace_driven": ("gcel-64", 4),
}
# This one plays what another run has recorded: test_otf2.
OF_AN_ARCHIVE = {"otf2"}
