"""The corpus: every case by name, made from seeds, so that it is the same for any two programs."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# Arbitration and output selection, as machine files name them.
ARBITRATIONS = ("round-robin", "demand-slotted", "fifo", "oldest", "fifo-then-oldest")
SELECTIONS = ("first", "least", "round-robin", "random", "random-fixed", "idle-fixed", "idle-random")
FIDELITIES = ("worm", "flit")


@dataclass
class Case:
    """One command. `{examples}` in an argument is the folder of that name in the repository."""

    name: str
    arguments: list[str]
    files: dict[str, str] = field(default_factory=dict)  # what lies in its working folder
    folder: bool = True  # whether it leaves a folder of results (--out)


def corpus(machines: dict[str, int]) -> list[Case]:
    """All cases. `machines` has the number of hosts of each machine."""
    small = [name for name, hosts in machines.items() if hosts <= 64]
    cases = [Case(f"check/{name}", ["check", name, "--json", "-"], folder=False) for name in machines]
    cases += traffic_on_machines(machines)
    cases += traffic_by_setting()
    cases += traffic_with_faults()
    cases += replay_examples()
    cases += [replay_on(name, machines[name], n) for name in small for n in range(3)]
    cases += [replay_on_a_tree(n) for n in range(70)]
    cases += [replay_on_a_ring(n) for n in range(12)]
    cases += programs()
    return cases


def traffic(name: str, machine: str, pattern: str, *options: str) -> Case:
    return Case(f"traffic/{name}", ["traffic", machine, pattern, "--json", "-", *options])


def traffic_on_machines(machines: dict[str, int]) -> list[Case]:
    """Every machine, below and beyond saturation, in both fidelities, with several patterns."""
    cases = []
    for machine, hosts in machines.items():
        packets = str(3 * max(hosts, 100)) if hosts > 100 else "1500"
        few = str(max(hosts, 150))
        for load in ("0.2", "0.8"):
            cases.append(traffic(f"{machine}-uniform-{load}", machine, "uniform", "--load", load, "--packets", packets))
        cases.append(traffic(f"{machine}-hot-spot", machine, "hot-spot", "--load", "0.1", "--packets", few))
        cases.append(
            traffic(f"{machine}-lengths", machine, "uniform", "--load", "0.4", "--bytes", "bimodal:16:900:0.3",
                    "--packets", few, "--seed", "2")
        )  # fmt: skip
        cases.append(traffic(f"{machine}-pairs", machine, "neighbor", "--load", "0.9", "--packets", few))
        if hosts <= 256:
            cases.append(
                traffic(f"{machine}-flit", machine, "uniform", "--load", "0.5", "--packets", few, "--bytes", "100",
                        "--fidelity", "flit")
            )  # fmt: skip
        if hosts <= 64:
            cases.append(traffic(f"{machine}-traced", machine, "uniform", "--packets", "200", "--trace", "trace.json"))
            cases.append(traffic(f"{machine}-all-to-all", machine, "all-to-all", "--bytes", "64"))
    return cases


def traffic_by_setting() -> list[Case]:
    """Rules that machines offer as parameters: policies, sharing, in-transit pools, bit errors, a search."""
    cases = []
    for arbitration in ARBITRATIONS:
        for selection in SELECTIONS:
            for machine in ("qsnet-16", "moc-2-1"):
                cases.append(
                    traffic(f"{machine}-{arbitration}-{selection}", machine, "uniform", "--load", "0.6",
                            "--packets", "800", "-s", f"switch.arbitration={arbitration}",
                            "-s", f"switch.choice={selection}")
                )  # fmt: skip
    settings = {
        "qsnet-64": ("switch.sharing=flit", "switch.virtual_channels=1", "nic.slots=1", "switch.buffer=8"),
        "tofu-36": ("switch.hosts_last=yes", "link.bit_error_rate=1e-6", "switch.buffer=12"),
        "myrinet-16": ("nic.routing=ud", "nic.pool=4KiB", "nic.full_pool=drop", "nic.full_pool=back-pressure",
                       "link.bit_error_rate=1e-6", "switch.setup=0ns"),
        "macrame-clos-64": ("switch.output_buffer=0", "switch.batch=1", "switch.flow_control_token=0ns"),
        "gcel-64": ("switch.acknowledge=100ns", "switch.routing=5us"),
        "macrame-torus-64": ("switch.buffer=16", "link.tail_time=100ns"),
    }  # fmt: skip
    for machine, keys in settings.items():
        for key in keys:
            for fidelity in FIDELITIES:
                cases.append(
                    traffic(f"{machine}-{key}-{fidelity}", machine, "uniform", "--load", "0.5", "--packets", "300",
                            "--bytes", "200", "-s", key, "--fidelity", fidelity)
                )  # fmt: skip
    for machine in ("qsnet-16", "myrinet-8"):
        cases.append(traffic(f"{machine}-saturation", machine, "uniform", "--saturation", "--resolution", "0.05"))
        cases.append(traffic(f"{machine}-sweep", machine, "uniform", "--load", "0.1:0.9:0.4", "--packets", "500"))
    return cases


def traffic_with_faults() -> list[Case]:
    """Links that fail and are repaired under way."""
    return [
        traffic(f"{machine}-faults-{fidelity}", machine, "uniform", "--load", "0.4", "--packets", "1000",
                "--fault", f"{first} link 18 down", "--fault", f"{second} link 18 up",
                "--fault", f"{first} link 3 down", "--fidelity", fidelity)
        for machine, first, second in (
            ("qsnet-16", "20us", "60us"),
            ("qsnet-64", "20us", "40us"),
            ("myrinet-16", "50us", "200us"),
            ("tofu-36", "1us", "4us"),
            ("moc-2-1", "100us", "1ms"),
            ("macrame-clos-64", "100us", "500us"),
        )
        for fidelity in FIDELITIES
    ]  # fmt: skip


def replay_examples() -> list[Case]:
    """The examples, and the tutorial's own networks."""
    cases = []
    for fidelity in FIDELITIES:
        folder = "{examples}/replay"
        cases.append(
            Case(f"replay/example-{fidelity}",
                 ["replay", "myrinet-8", "--topology", f"{folder}/network.txt", "--routes", f"{folder}/routes.txt",
                  "--traffic", f"{folder}/packets.txt", "--fidelity", fidelity])
        )  # fmt: skip
        folder = "{examples}/own-machine"
        for machine in ("my", "ring"):
            cases.append(
                Case(f"replay/own-{machine}-{fidelity}",
                     ["replay", f"{folder}/{machine}.ini", "--traffic", f"{folder}/packets.txt",
                      "--fidelity", fidelity])
            )  # fmt: skip
    return cases


def packet_list(rng: random.Random, hosts: int, count: int, span_ns: int, longest: int) -> str:
    """Packets at random instants, some of them at the same one, some to one destination."""
    lines = []
    for _ in range(count):
        at = rng.randrange(span_ns) if rng.random() < 0.7 else rng.randrange(4) * (span_ns // 4)
        source, destination = rng.sample(range(hosts), 2)
        if rng.random() < 0.2 and source != 0:
            destination = 0
        lines.append(f"{at} {source} {destination} {rng.randint(1, longest)}")
    return "\n".join(lines) + "\n"


def replay_on(machine: str, hosts: int, number: int) -> Case:
    """Random packets on a shipped machine."""
    rng = random.Random(f"{machine} {number}")
    longest = rng.choice((8, 64, 128))
    packets = packet_list(rng, hosts, 300, rng.choice((2_000, 20_000, 400_000)), longest)
    return Case(
        f"replay/{machine}-{number}",
        ["replay", machine, "--traffic", "packets.txt", "--fidelity", FIDELITIES[number % 2], "--seed", str(number)],
        {"packets.txt": packets},
    )


def machine_of_rules(rng: random.Random) -> str:
    """A machine file: the text files' network under rules at random."""
    flow = (
        f"flow = stop-go\nbuffer = {rng.randint(30, 60)}\nstop = {rng.randint(9, 14)}\ngo = {rng.randint(2, 8)}\n"
        f"signal_delay = {rng.choice((0, 5, 20))}ns\n"
    )
    if rng.random() < 0.7:
        batch = rng.choice((1, 1, 2, 4))
        token = rng.choice((0, 0, 4))
        flow = (
            f"flow = credits\nbuffer = {rng.randint(batch + 3, 24)}\nbatch = {batch}\n"
            f"credit_delay = {rng.choice((0, 5, 30))}ns\nflow_control_token = {token}ns\n"
            f"virtual_channels = {rng.randint(1, 3)}\n"
        )
    return (
        "[topology]\ntype = file\nfile = network.txt\n[routing]\ntype = file\nfile = routes.txt\n"
        "[link]\nrate = 100MB/s\ndelay = 5ns\n[nic]\ntype = plain\n"
        f"[switch]\ntype = simple\n{flow}"
        f"arbitration = {rng.choice(ARBITRATIONS)}\nchoice = {rng.choice(SELECTIONS)}\nage_threshold = 2us\n"
        f"routing = {rng.choice((0, 20, 150))}ns\nsetup = {rng.choice((0, 10))}ns\n"
        f"flow_through = {rng.choice((0, 15))}ns\n"
    )


def replay_on_a_tree(number: int) -> Case:
    """Switches in a random tree, one to three hosts on each: no circle, so no deadlock under any rules."""
    rng = random.Random(f"tree {number}")
    switches = rng.randint(1, 6)
    parent = [-1] + [rng.randrange(i) for i in range(1, switches)]
    neighbours: list[list[int]] = [[] for _ in range(switches)]  # by port
    network, hosts = [], []
    for child in range(1, switches):
        up = parent[child]
        network.append(f"link {up} {len(neighbours[up])} {child} {len(neighbours[child])}")
        neighbours[up].append(child)
        neighbours[child].append(up)
    for switch in range(switches):
        for _ in range(rng.randint(1 if switches > 1 else 2, 3)):
            hosts.append((switch, len(neighbours[switch])))
            neighbours[switch].append(-1)
    lines = [f"switches {switches}", f"ports {max(map(len, neighbours))}"]
    lines += [f"host {i} {switch} {port}" for i, (switch, port) in enumerate(hosts)] + network
    routes = []
    for source, (start, _) in enumerate(hosts):
        for destination, (end, port) in enumerate(hosts):
            if source != destination:
                ports = [*path(neighbours, start, end), port]
                routes.append(f"route {source} {destination} 0 {' '.join(map(str, ports))}")
    return own_network("tree", number, rng, lines, routes, len(hosts))


def path(neighbours: list[list[int]], start: int, end: int, before: int = -1) -> list[int]:
    """Ports from one switch of a tree to another."""
    if start == end:
        return []
    for port, to in enumerate(neighbours[start]):
        if to in (-1, before):
            continue
        if to == end:
            return [port]
        if further := path(neighbours, to, end, start):
            return [port, *further]
    return []


def replay_on_a_ring(number: int) -> Case:
    """A ring of switches whose packets all go round the same way: many of them end in deadlock, which is found."""
    rng = random.Random(f"ring {number}")
    size = rng.randint(3, 5)
    lines = [f"switches {size}", "ports 3", *(f"host {i} {i} 0" for i in range(size))]
    lines += [f"link {i} 1 {(i + 1) % size} 2" for i in range(size)]
    routes = [
        f"route {i} {(i + hops) % size} 0 {'1 ' * hops}0" for i in range(size) for hops in range(1, size)
    ]  # fmt: skip
    return own_network("ring", number, rng, lines, routes, size, "--force")


def own_network(kind: str, number: int, rng: random.Random, network, routes, hosts: int, *options: str) -> Case:
    fidelity = FIDELITIES[number % 2]
    packets = packet_list(rng, hosts, 120, rng.choice((500, 5_000, 50_000)), rng.choice((10, 60, 300)))
    return Case(
        f"replay/{kind}-{number:02}",
        ["replay", "rules.ini", "--traffic", "packets.txt", "--fidelity", fidelity, *options],
        {
            "rules.ini": machine_of_rules(rng),
            "network.txt": "\n".join(network) + "\n",
            "routes.txt": "\n".join(routes) + "\n",
            "packets.txt": packets,
        },
    )


def programs() -> list[Case]:
    """Host software on a small machine of each family."""
    machines = ("qsnet-16", "myrinet-8", "macrame-clos-64", "moc-2-1", "gcel-64", "tofu-36")
    cases = []
    for machine in machines:
        for app, ranks in (("ping", 2), ("halo", 4), ("cg", 4), ("alltoall", 6)):
            cases.append(Case(f"run/{machine}-{app}", ["run", machine, app, "--np", str(ranks), "--json", "-"]))
    cases.append(Case("run/qsnet-16-halo-flit", ["run", "qsnet-16", "halo", "--json", "-", "--fidelity", "flit"]))
    cases.append(
        Case("run/qsnet-16-halo-fault",
             ["run", "qsnet-16", "halo", "--json", "-", "--fault", "300us link 5 down", "--fault", "400us link 5 up"])
    )  # fmt: skip
    cases.append(
        Case("run/myrinet-8-cg-traced", ["run", "myrinet-8", "cg", "--np", "4", "--json", "-", "--trace", "trace.json"])
    )
    return cases
