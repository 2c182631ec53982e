"""The pages of `sanvp draw` in a browser without network: zoom, search, hover, results, the player."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, needed
from program import PROJECT, done

EXERCISES = PROJECT / "examples" / "exercises"
ROW = ("myrinet-8", "--topology", EXERCISES / "row.txt", "-s", "routing.type=ud")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    needed()
    with Browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def opened(browser: Browser, tmp_path: Path):
    """Draws a page and opens it. At the end, no script has failed and nothing was asked of a network."""

    def draw(*words: object) -> Browser:
        done("draw", "-o", "page.html", *words, cwd=tmp_path)
        browser.open(tmp_path / "page.html")
        return browser

    yield draw
    assert browser.errors == []
    assert browser.requests == []


def test_a_cable_is_found_by_its_number_and_tells_rate_delay_buffers_and_source(opened):
    page = opened("qsnet-64")
    page.type("#search", "cable 70")
    assert page.value("document.querySelector('.marked').id") == "c70"
    assert page.value("document.getElementById('found').textContent") == (
        "cable 70: level 0 switch 1 port 6 to level 1 switch 2 port 1"
    )
    page.hover("#s5")
    page.hover("#s18")
    page.type("#search", "level 1 switch 2")
    assert page.value("document.querySelector('.marked').parentNode.id") == "s18"
    page.type("#search", "cable 12")
    page.hover("#c12")
    page.wait("!document.getElementById('tip').hidden")
    tip = page.value("document.getElementById('tip').textContent")
    for said in ("cable 12", "400 MB/s", "10 ns", "128 flits of 2 B", "link.host.rate = 400MB/s", "the machine's file"):
        assert said in tip
    page.type("#search", "cable 192")
    assert page.value("document.getElementById('found').textContent") == "nothing of that name"


def test_zooming_shows_small_numbers_and_all_goes_back(opened):
    page = opened("qsnet-1024")
    scale = "d3.zoomTransform(picture).k"
    assert page.value("getComputedStyle(document.querySelector('.cable-number')).display") == "none"
    page.type("#search", "s700")
    assert page.value(scale) > 5
    assert page.value("getComputedStyle(document.querySelector('.cable-number')).display") != "none"
    page.click("#fit")
    assert page.value(scale) == 1


DRAGONFLY = (
    *("qsnet-64", "-s", "topology.type=dragonfly", "-s", "topology.hosts_per_switch=4", "-s", "switch.ports=20"),
    *("-s", "topology.switches_per_group=8", "-s", "topology.global_cables=4", "-s", "routing.type=dragonfly"),
)


def test_a_group_of_a_large_network_opens_by_a_click_and_its_cables_lead_on(opened):
    page = opened(*DRAGONFLY)
    path = "document.getElementById('path').textContent"
    assert page.value("document.querySelectorAll('.group').length") == 33
    page.hover("#g5")
    page.wait("document.getElementById('tip').textContent === '8 switches, 32 hosts, 32 cables to other groups'")
    page.mouse_click("#g5 rect")
    page.wait(f"{path} === 'qsnet-64 › group 4'")  # noqa: RUF001
    assert page.value("[...document.querySelectorAll('.box')].map(box => box.parentNode.id)") == [
        f"s{32 + i}" for i in range(8)
    ]
    leads_out = "Object.keys(NETWORK.cables).filter(one => NETWORK.classes[NETWORK.cables[one][2]] === 'global')"
    number = page.value(f"{leads_out}[0]")
    page.value(f"follow({number})")
    page.wait(f"{path} !== 'qsnet-64 › group 4'")  # noqa: RUF001
    page.wait(f"document.querySelector('.marked').id === 'c{number}'")
    page.type("#search", "host 1055")
    page.wait(f"{path} === 'qsnet-64 › group 32'")  # noqa: RUF001
    page.wait("document.querySelector('.marked').parentNode.id === 'h1055'")
    page.hover("#s263")
    page.wait("document.getElementById('tip').textContent.startsWith('switch 263')")
    page.click("#path a")
    page.wait("document.querySelectorAll('.group').length === 33")


def test_a_cable_tells_at_which_hop_a_relation_permits_it(opened):
    relation = ("-s", "routing.type=dragonfly_adaptive", "-s", "switch.virtual_channels=4", "-s", "nic.type=plain")
    page = opened("qsnet-dragonfly-72", *relation, "--route", 0, 1)
    page.type("#search", "cable 1")
    page.hover("#c1")
    page.wait("document.getElementById('tip').textContent.includes('route 0 of 0 to 1, hop 2')")


def test_results_colour_links_and_two_results_their_difference(opened, tmp_path):
    for name, load in (("low", 0.1), ("high", 0.5)):
        done("traffic", "qsnet-16", "uniform", "--load", load, "--packets", 500, "--out", name, cwd=tmp_path)
    page = opened("--results", tmp_path / "low", tmp_path / "high")
    assert page.value("document.querySelector('#set').selectedOptions[0].textContent") == "high − low"  # noqa: RUF001
    assert page.value("Object.values(results.values()).every(value => value > 0)")
    assert page.value("document.querySelectorAll('.hot path').length") == 64
    page.type("#set", "3")
    assert page.value("document.querySelector('#set').selectedOptions[0].textContent") == "low | high"
    used = page.value("[0, 1].map(set => Object.values(results.values(set)).filter(value => value > 0).length)")
    assert page.value("[picture, second.root].map(root => root.querySelectorAll('.hot path').length)") == used
    widths = page.value("[picture, second.root].map(root => root.getBoundingClientRect().width)")
    assert widths == [800, 800]
    page.type("#search", "s5")
    lists = page.value("[...document.querySelectorAll('#hot .soft')].map(one => one.textContent)")
    assert lists == ["most in low:", "most in high:"]
    moved = "[picture, second.root].map(root => root.querySelector('.view').getAttribute('transform'))"
    assert page.value(f"new Set({moved}).size") == 1
    page.type("#set", "0")
    low = [float(row.split(",")[3]) for row in (tmp_path / "low" / "links.csv").read_text().splitlines()[1:]]
    assert sorted(page.value("Object.values(results.values())")) == sorted(low)
    assert f"{max(low):.3g}" in page.value("document.querySelector('#hot b').textContent")
    page.click("#hot a")
    assert page.value("document.querySelector('.marked').id").startswith("c")


TREE = ("qsnet-1024", "-s", "topology.nodes=256", "-s", "topology.levels=4")


def test_results_of_a_folded_network_show_the_busiest_cable_or_the_mean_and_open_by_a_click(opened, tmp_path):
    for name, seed in (("one", 1), ("two", 2)):
        words = ("hot-spot", "--load", 0.004, "--packets", 300, "--seed", seed, "--out", name)
        trace = ("--trace", "t.json.gz") if seed == 1 else ()
        done("traffic", *TREE, *words, *trace, cwd=tmp_path)
    page = opened("--fold", "--results", tmp_path / "one", "--trace", tmp_path / "t.json.gz")
    rows = [line.split(",") for line in (tmp_path / "one" / "links.csv").read_text().splitlines()[1:]]
    most = max(float(row[3]) for row in rows)
    path = "document.getElementById('path').textContent"
    hottest = "d3.max(Object.values(results.values(0, 'groups')))"
    assert page.value(hottest) == most
    assert f"{most:.3g}" in page.value("document.querySelector('#hot b').textContent")
    page.type("#of", "1")
    assert 0 < page.value(hottest) < most
    page.type("#when", "3")
    assert "use in t.json.gz from" in page.value("document.getElementById('time').textContent")
    page.type("#metric", "owned")
    assert page.value("document.getElementById('time').textContent") == "whole run"
    page.type("#metric", "use")
    bundle = "document.querySelector('.bundle')"
    page.value(f"{bundle}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    page.wait("document.querySelector('.marked') !== null")
    assert page.value("VIEWS[folded.shown].name") != "qsnet-1024"
    page.click("#hot a")
    page.wait(f"{path}.endsWith('hosts 0-63')")
    page.wait("document.querySelector('.marked').id === 'c0'")
    used = page.value("Object.values(results.values(0)).filter(value => value > 0).length")
    assert page.value("document.querySelectorAll('.hot path').length") == used > 0
    assert f"use {most:.3g}," in page.value("factsOf('c', 0)")
    page = opened("--fold", "--results", tmp_path / "one", tmp_path / "two")
    page.type("#set", "3")
    assert page.value("[picture, second.root].every(root => root.querySelectorAll('.hot path').length > 0)")
    page.value("open(1)")
    same = "[picture, second.root].map(root => root.querySelectorAll('.box').length)"
    assert len(set(page.value(same))) == 1
    assert page.value("document.querySelectorAll('#second .hot').length") == 1


def test_the_player_of_one_group_shows_credits_that_go_back(opened, tmp_path):
    (tmp_path / "packets.txt").write_text("0 8 1000 64\n")
    page = opened("qsnet-1024", "--group", "host 8", "--animate", "replay", "--traffic", tmp_path / "packets.txt")
    assert page.value("document.querySelectorAll('.host').length") == 64
    # 50 ns after its start the header is in the switch, and leaves at once; so do others, each 5 ns.
    # A credit takes 50 ns.
    page.value("player.seek(75000)")
    under_way = page.value("player.state().credits.map(run => [run[0], player.motion.underWay(run, 75000)])")
    assert dict(under_way)[16] == [0, 0.1, 0.2, 0.3, 0.4, 0.5]
    page.click("#credits")
    assert page.value("player.showsCredits") is False
    page.value("player.seek(player.motion.length)")
    assert page.value("player.state().waiting") == [], "the packet has left the picture, and waits nowhere"


def test_the_player_steps_from_event_to_event_and_says_what_a_head_waits_for(opened):
    page = opened(*ROW, "--animate", "replay", "--traffic", EXERCISES / "blocked.txt")
    times = []
    for _ in range(4):
        times.append(page.value("document.getElementById('time').textContent"))
        page.click("#step")
    # Host 0's header starts at 0, host 1's at 10 ns; each is in the switch 50 ns later.
    assert times == ["0.000 ns", "10.000 ns", "50.000 ns", "60.000 ns"]
    page.value("player.seek(3e6)")
    assert page.value("document.querySelector('#now .wait').textContent") == (
        "packet 1 (1 to 2) waits at s0 for cable 5, held by packet 0, since 60.000 ns"
    )
    # 64 bytes of the packet that waits are in the buffer of its input.
    waiting = "player.motion.hops.find(hop => hop.packet === 1 && hop.channel === 2)"
    assert page.value(f"player.motion.buffered({waiting}, 3e6)") == 64
    page.click("#back")
    assert page.value("player.t") < 3e6
    page.click("#play")
    page.wait("player.frames > 2")
    page.click("#play")


def test_packets_that_share_a_buffer_are_drawn_behind_each_other(opened):
    page = opened(*ROW, "--animate", "replay", "--traffic", EXERCISES / "blocked.txt")
    held = "player.motion.buffers(player.motion.at({})).find(one => one.channel === {})"
    # On host 1's cable, channel 2, 64 flits of its first packet wait at 3 us, and some of the second one behind them.
    packets = page.value(f"{held.format(3e6, 2)}.packets.map(one => [one.hop.packet, one.count])")
    assert [packet for packet, _ in packets] == [1, 2]
    assert packets[0][1] == 64
    total = sum(count for _, count in packets)
    assert 64 < total <= page.value("NETWORK.rules[NETWORK.channelRules[2]].flow.buffer_flits")


def test_a_deadlock_shows_what_each_head_waits_for(opened):
    files = ("--topology", EXERCISES / "ring.txt", "--routes", EXERCISES / "clockwise.txt")
    page = opened("myrinet-8", *files, "--animate", "replay", "--traffic", EXERCISES / "ring-packets.txt", "--force")
    page.value("player.seek(player.motion.length)")
    waits = "player.state().waiting.map(wait => [wait.hop.packet, wait.wanted >> 1, wait.holders])"
    assert sorted(page.value(waits)) == [[0, 5, [1]], [1, 6, [2]], [2, 7, [3]], [3, 4, [0]]]


def test_the_report_of_a_fresh_study_says_how_to_see_each_point(browser, tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "title: Mine\n"
        "runs: {sent: {command: 'traffic qsnet-16 uniform --load {load} --packets 300', axes: {load: [0.1, 0.2]},"
        " quick: {load: [0.2]}}}\n"
        "figures: {all: {x: load, y: sent.latency_ns.mean}}\n"
    )
    done("study", "run", "./mine.yaml", "--quick", cwd=tmp_path)
    done("study", "report", "./mine.yaml", "--static", "--html", "report.html", cwd=tmp_path)
    browser.open(tmp_path / "report.html")
    (shown,) = browser.value("[...document.querySelectorAll('details .command')].map(one => one.textContent)")
    assert "to see it, use of links and waits at switches:" in shown
    subprocess.run(shown.splitlines()[-1], shell=True, cwd=tmp_path, check=True, capture_output=True)
    browser.open(tmp_path / "point.html")
    assert browser.value("document.querySelectorAll('.hot path').length") > 0
    assert "--load 0.2" in browser.value("document.getElementById('about').textContent")
    assert browser.errors == browser.requests == []


def test_a_running_program_shows_processors_and_units_of_cards(opened):
    page = opened("qsnet-16", "--animate", "run", "ping", "--np", 2, "--trace-until", "400us", "--", "--most", 64)
    rows = page.value("[...new Set(MOTION.activities.map(one => one[1]))]")
    assert {"cpu_0", "DMA", "command port", "bus"} <= set(rows)
    for row in ("DMA", "bus"):
        host, _, _, start = page.value(f"MOTION.activities.find(one => one[1] === '{row}').slice(0, 4)")
        page.value(f"player.seek({start})")
        assert page.value(f"player.facts('h', {host}).some(([row]) => row === '{row}')")


def test_a_user_who_prefers_dark_gets_a_dark_page(opened):
    page = opened("qsnet-16")
    page.dark()
    page.wait("getComputedStyle(document.querySelector('.paper')).fill === 'rgb(20, 24, 29)'")


@pytest.mark.long
def test_ten_thousand_events_play_at_thirty_frames_a_second(opened, tmp_path):
    traffic = ("traffic", "uniform", "--load", 0.4, "--packets", 3000, "--warmup", "1us", "--trace-until", "25us")
    page = opened("qsnet-64", "--animate", *traffic)
    assert page.value("player.motion.times.length") > 10_000
    assert (tmp_path / "page.html").stat().st_size < 5e6
    frames = page.value(
        "new Promise(done => { player.speed = player.motion.length / 10; player.toggle(); let count = 0;"
        " const began = performance.now(); const next = now => { ++count;"
        " if (now - began < 4000) requestAnimationFrame(next); else done(count / 4); }; requestAnimationFrame(next); })"
    )
    assert frames >= 30
