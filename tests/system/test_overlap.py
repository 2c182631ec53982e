"""What messages leave of a processor's time: the card matches and transfers by itself; within a node the host does."""

from __future__ import annotations

from program import sanvp


def rows(*options: object) -> dict[tuple[str, int], dict[str, float]]:
    """By side of rank 0 and bytes."""
    result = sanvp("run", "qsnet-16", "overlap", *options)
    assert result.status == 0, result.err + result.out
    assert "PASS" in result.out
    words = (line.split("]")[-1].split() for line in result.out.splitlines())
    names = ("time", "overhead", "availability", "delay", "overlap")
    return {
        (row[0], int(row[1])): dict(zip(names, map(float, row[2:]), strict=True))
        for row in words
        if row[0] in ("send", "receive")
    }


def test_on_the_elan_matching_and_transfers_need_no_processor():
    for (side, size), row in rows("--np", 2).items():
        # A call is some hundred instructions and a few stores to the card, and some instructions for each page.
        assert row["overhead"] < 1.1 + 2e-6 * size, (side, size)
        # A rank that computes does not delay its partner: less than a call takes.
        assert abs(row["delay"]) < 1, (side, size)
        # From a rendezvous on nearly all of a message's time is left for work at both ends.
        if size >= 1024:
            assert row["availability"] > 90, (side, size)
            assert row["overlap"] > 90, (side, size)
        if size >= 4096:
            assert row["availability"] > 95, (side, size)


def test_where_the_receiver_matches_a_busy_one_delays_large_messages():
    large = rows("--map", "0,0", "--", "--least", "1M")[("receive", 1048576)]
    # The work takes twice the message's time, and the message begins to move after it.
    assert large["availability"] < 20
    assert large["delay"] > large["time"]


def test_matching_on_the_host_wants_the_receiver_where_matching_on_the_card_does_not():
    by_host = rows("--np", 2, "-s", "transport.matching=host")
    for (side, size), row in by_host.items():
        if side == "receive" and size >= 16384:
            assert row["availability"] < 20, size
            assert row["delay"] > row["time"], size
