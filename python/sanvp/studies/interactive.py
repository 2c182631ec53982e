"""Figures of the page: as Plotly has them, with value, parameters and command of each point on hover.

Plotly's figures are plain JSON, and its library is one file of JavaScript, which the page embeds once. Without it the
page has the pictures instead.
"""

from __future__ import annotations

import functools
import importlib.util
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from .congestion import SIDES, Block, Matrix
from .plotted import CROWDED, Curve, Dot, Panel, PaperValue, Plot
from .project import ROOT
from .sources import Source
from .texts import html_text, number, plotly_text, script_json

# matplotlib's, so that page and pictures agree
_COLOURS = (
    "#1f77b4",
    "#ff7f0e",
    "#2ca02c",
    "#d62728",
    "#9467bd",
    "#8c564b",
    "#e377c2",
    "#7f7f7f",
    "#bcbd22",
    "#17becf",
)
_DASHES = ("solid", "dash", "dot")
_SYMBOLS = ("circle", "square", "triangle-up", "triangle-down", "diamond", "pentagon", "x", "star")
_HEAT = ((0, "#ffffcc"), (0.25, "#fecc5c"), (0.5, "#fd8d3c"), (0.75, "#f03b20"), (1, "#800026"))
_PANEL_HEIGHT, _LEVEL_HEIGHT, _REST_HEIGHT = 360, 130, 110  # pixels
_EDGE = 2  # pixels, of open bars
_LINE_LETTERS = 90  # of a command on hover
_MOST_TICKS = 10
_GAP = 0.06  # between panels, as a share of the width or height

Json = dict[str, Any]


@functools.cache
def library() -> str | None:
    """Plotly's JavaScript, of the Python package or of build/venv; None if there is none."""
    found = importlib.util.find_spec("plotly")
    packages = [Path(found.origin).parent] if found and found.origin else []
    packages += sorted((ROOT / "build" / "venv" / "lib").glob("python3*/site-packages/plotly"))
    for package in packages:
        file = package / "package_data" / "plotly.min.js"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None


def element(identity: str, figure: Json, height: int) -> str:
    """The part of the page that shows a figure. A click on a point shows its command, to be copied."""
    name = html_text(identity)
    return (
        f'<div class="plot" id="plot-{name}" style="height:{height}px"></div>\n'
        f'<pre class="command" id="command-{name}">Click a point to see the command that repeats it.</pre>\n'
        f"<script>draw({script_json(identity)}, {script_json(figure)})</script>"
    )


SEE = """
// The command of a run, and how to see the run on the network (sanvp draw).
function toSee(command) {
  const runs = [...(command || "").matchAll(/(\\S*sanvp) (?:traffic|replay|run) /g)];
  if (runs.length !== 1) return command; // one value of several runs
  const kept = / -- /.test(command) ? command.replace(" -- ", " --out point -- ") : command + " --out point";
  return `${command}\\n\\nto see it, use of links and waits at switches:\\n${kept} && ` +
    `${runs[0][1]} draw --results point -o point.html`;
}
""".strip()
#: For a page of pictures, whose points are listed.
LIST = """
for (const one of document.querySelectorAll("details .command")) one.textContent = toSee(one.textContent);
""".strip()
SCRIPT = """
function draw(id, figure) {
  const plot = document.getElementById("plot-" + id), command = document.getElementById("command-" + id);
  Plotly.newPlot(plot, figure.data, figure.layout, {responsive: true, displaylogo: false});
  plot.on("plotly_click", event => {
    command.textContent = toSee(event.points[0].customdata) || "a value of the paper";
  });
}
""".strip()


def plot_figure(plot: Plot) -> tuple[Json, int]:
    """Lines or bars. @return the figure and its height"""
    rows, columns = len(plot.rows), len(plot.rows[0])
    layout = _layout(plot.title)
    data: list[Json] = []
    named: set[str] = set()
    for i, panel in enumerate(plot.panels()):
        axes = {"xaxis": f"x{i + 1 if i else ''}", "yaxis": f"y{i + 1 if i else ''}"}
        layout |= _axes(plot, i, rows, columns)
        if panel.title:
            layout["annotations"].append(_title(panel.title, axes))
        for curve in panel.curves:
            trace = _curve(plot, curve, plot.labels().index(curve.label))
            data.append(trace | axes | _legend(curve.label, named))
        for value in panel.marks:
            data.append(_paper(plot, value, panel) | axes | _legend("paper", named))
        if panel.saturated:
            layout["shapes"].append(_shade(panel.saturated, axes))
    if plot.figure.kind == "bars":
        layout |= {"barmode": "group", "scattermode": "group"}
    layout["showlegend"] = len(named) > 1 or bool(named - {""})
    return {"data": data, "layout": layout}, _REST_HEIGHT + rows * _PANEL_HEIGHT


def _layout(title: str) -> Json:
    return {
        "title": {"text": plotly_text(title), "font": {"size": 15}},
        "annotations": [],
        "shapes": [],
        "hovermode": "closest",
        "hoverlabel": {"align": "left", "namelength": -1, "font": {"family": "monospace", "size": 12}},
        "margin": {"t": 60, "r": 20, "b": 55, "l": 70},
        "plot_bgcolor": "white",
    }


def _axes(plot: Plot, index: int, rows: int, columns: int) -> Json:
    """The axes of a panel, which all have the same ranges."""
    row, column = divmod(index, columns)
    figure, suffix = plot.figure, str(index + 1) if index else ""
    line = {"showline": True, "linecolor": "#444", "mirror": True, "gridcolor": "#e6e6e6", "zeroline": False}
    x: Json = {"domain": _share(column, columns), "anchor": f"y{suffix}", **line}
    y: Json = {"domain": _share(rows - 1 - row, rows), "anchor": f"x{suffix}", **line, "rangemode": "tozero"}
    if figure.kind == "bars":
        x["type"] = "category"
    elif figure.scales["x"] == "log":
        measured = sorted(
            {dot.x for panel in plot.panels() for curve in panel.curves for dot in curve.dots if dot.x > 0}
        )
        x |= {"type": "log", "tickvals": measured[:: -(-len(measured) // _MOST_TICKS)]}
    if figure.scales["y"] == "log":
        y["type"] = "log"
    if index:
        x["matches"], y["matches"] = "x", "y"
    if row == rows - 1:
        x["title"] = {"text": plotly_text(figure.labels["x"])}
    if column == 0:
        y["title"] = {"text": plotly_text(figure.labels["y"])}
    return {f"xaxis{suffix}": x, f"yaxis{suffix}": y}


def _share(index: int, count: int) -> list[float]:
    """The part of the width or height that one of several panels has."""
    size = (1 - (count - 1) * _GAP) / count
    return [index * (size + _GAP), min(1.0, index * (size + _GAP) + size)]


def _title(text: str, axes: Json) -> Json:
    place = {"xref": f"{axes['xaxis']} domain", "yref": f"{axes['yaxis']} domain", "x": 0.5, "y": 1}
    return {"text": plotly_text(text), "showarrow": False, "yanchor": "bottom", **place}


def _legend(label: str, named: set[str]) -> Json:
    """One entry for all panels."""
    is_first = label not in named
    named.add(label)
    return {"name": plotly_text(label), "legendgroup": label, "showlegend": is_first}


def _curve(plot: Plot, curve: Curve, index: int) -> Json:
    colour = _COLOURS[index % len(_COLOURS)]
    are_open = [dot.is_saturated for dot in curve.dots]
    trace: Json = {
        "x": [_place(plot, dot.x) for dot in curve.dots],
        "y": [dot.y for dot in curve.dots],
        "hoverinfo": "text",
        "hovertext": [_hover(plot, curve.label, dot) for dot in curve.dots],
        "customdata": [dot.source.command for dot in curve.dots],
    }
    if any(dot.half_width for dot in curve.dots):
        trace["error_y"] = {"type": "data", "array": [dot.half_width for dot in curve.dots], "thickness": 1}
    if plot.figure.kind == "bars":
        fill: Json = {"color": colour}
        if any(are_open):
            fill = {
                "color": ["white" if is_open else colour for is_open in are_open],
                "line": {"color": colour, "width": [_EDGE if is_open else 0 for is_open in are_open]},
            }
        return trace | {"type": "bar", "marker": fill, "offsetgroup": curve.label}
    style = {"dash": _DASHES[index // len(_SYMBOLS) % len(_DASHES)], "color": colour}
    name: str | list[str] = _SYMBOLS[index % len(_SYMBOLS)]
    if any(are_open):
        name = [f"{name}-open" if is_open else name for is_open in are_open]
    symbol = {"symbol": name, "color": colour, "size": 7}
    mode = "lines" if len(curve.dots) > CROWDED else "lines+markers"
    return trace | {"type": "scatter", "mode": mode, "line": style, "marker": symbol}


def _hover(plot: Plot, label: str, dot: Dot) -> str:
    """Value, parameters and command."""
    figure = plot.figure
    interval = f" ± {number(dot.half_width, 3)}" if dot.half_width else ""
    lines = [f"<b>{plotly_text(label)}</b>"] if label else []
    if figure.x not in dot.at:
        lines.append(f"{plotly_text(figure.labels['x'] or 'x')}: {_number(dot.x)}")
    lines.append(f"{plotly_text(figure.labels['y'] or 'y')}: <b>{_number(dot.y)}{interval}</b>")
    lines += [f"{plotly_text(axis)} = {plotly_text(value)}" for axis, value in dot.at.items()]
    lines += [plotly_text(dot.source.verdict)] if dot.is_saturated else []
    return "<br>".join([*lines, *_commands(dot.source)])


def _commands(source: Source) -> Iterable[str]:
    if source.runs > len(source.commands):
        yield f"of {source.runs} runs, such as"
    for command in source.commands:
        yield from (plotly_text(line) for line in textwrap.wrap(command, _LINE_LETTERS, break_on_hyphens=False))


def _number(value: Any) -> str:
    return number(value, 6) if isinstance(value, float) else plotly_text(value)


def _place(plot: Plot, x: Any) -> Any:
    """An x: a number, or the name of a category, which Plotly shows as text."""
    return plotly_text(x) if plot.figure.kind == "bars" or isinstance(x, str) else x


def _paper(plot: Plot, value: PaperValue, panel: Panel) -> Json:
    """A mark of the paper's value; without a place of its own, a line across."""
    xs = [dot.x for curve in panel.curves for dot in curve.dots]
    is_named = plot.figure.kind == "bars" or any(isinstance(x, str) for x in xs)
    xs = list(dict.fromkeys(xs)) if is_named else sorted(set(xs))
    across = value.x is None
    place = [_place(plot, x) for x in ((xs[0], xs[-1]) if across else (value.x,))]
    trace: Json = {
        "type": "scatter",
        "x": place,
        "y": [value.centre] * len(place),
        "mode": "lines" if across else "markers",
        "line": {"color": "black", "width": 1},
        "marker": {"symbol": "diamond-open", "color": "black", "size": 10, "line": {"width": 1.5}},
        "hoverinfo": "text",
        "hovertext": f"paper: {_number(value.centre)}<br>{plotly_text(value.id)}",
    }
    if value.bar:
        trace["offsetgroup"] = value.bar  # beside its bar
    above, below = value.high - value.centre, value.centre - value.low
    if above or below:
        trace["error_y"] = {"type": "data", "symmetric": False, "array": [above], "arrayminus": [below]}
    return trace


def _shade(region: tuple[float, float], axes: Json) -> Json:
    place = {
        "xref": axes["xaxis"],
        "yref": f"{axes['yaxis']} domain",
        "x0": region[0],
        "x1": region[1],
        "y0": 0,
        "y1": 1,
    }
    return {"type": "rect", "layer": "below", "fillcolor": "#ececec", "line": {"width": 0}, **place}


def congestion_figure(matrix: Matrix, title: str, command: str) -> tuple[Json, int]:
    """A congestion matrix. @return the figure and its height"""
    layout, data = _layout(title), []
    layout["coloraxis"] = {
        "cmin": 0,
        "cmax": 100,
        "colorscale": _HEAT,
        "colorbar": {"title": {"text": plotly_text(matrix.legend), "side": "right"}},
    }
    layout["margin"]["l"] = 120
    layout["plot_bgcolor"] = "#ececec"  # where there is no link
    bare = {"showgrid": False, "zeroline": False}
    for i, block in enumerate(matrix.blocks):
        suffix = str(i + 1) if i else ""
        data.append({"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", **_heat(block, matrix, command)})
        links = block.waits.shape[2]
        middles = [(j + 0.5) * links - 0.5 for j in range(len(block.switches))]
        x = {"tickvals": middles, "ticktext": [*map(plotly_text, block.switches)], "anchor": f"y{suffix}", **bare}
        ticks = [SIDES[0], f"<b>{plotly_text(block.label)}</b>", SIDES[1]]
        y = {
            "tickvals": [0, 1, 2],
            "ticktext": ticks,
            "autorange": "reversed",
            "anchor": f"x{suffix}",
            "showgrid": False,
        }
        y["domain"] = _share(len(matrix.blocks) - 1 - i, len(matrix.blocks))
        layout |= {f"xaxis{suffix}": x, f"yaxis{suffix}": y}
        for j in range(1, len(block.switches)):
            edge = {"x0": j * links - 0.5, "x1": j * links - 0.5, "y0": 0, "y1": 1}
            place = {"xref": f"x{suffix}", "yref": f"y{suffix} domain", "line": {"color": "white", "width": 3}}
            layout["shapes"].append({"type": "line", **edge, **place})
    return {"data": data, "layout": layout}, _REST_HEIGHT + _LEVEL_HEIGHT * len(matrix.blocks)


def _heat(block: Block, matrix: Matrix, command: str) -> Json:
    """The three rows of a level: links from above, switches, links from below."""
    links = block.waits.shape[2]
    edges = block.waits.reshape(2, -1)
    sums = np.nansum(block.waits, axis=(0, 2))
    shares = (100 * edges[0] / matrix.hottest_link, 100 * edges[1] / matrix.hottest_link)
    middle = np.repeat(100 * sums / matrix.hottest_switch, links)
    rows = [shares[0], middle, shares[1]]
    names = block.links.reshape(2, -1)
    texts = []
    for row, sources in ((0, names[0]), (1, None), (2, names[1])):
        line = []
        for column, share in enumerate(rows[row]):
            to = block.names[column // links]
            if sources is None:
                text = f"<b>{plotly_text(to)}</b><br>all links: {number(sums[column // links], 6)} ns"
            elif sources[column] is None:
                line.append("")
                continue
            else:
                wait = edges[row // 2][column]
                text = f"<b>{plotly_text(sources[column])} to {plotly_text(to)}</b><br>{number(wait, 6)} ns"
            line.append(f"{text}<br>{share:.1f} % of the hottest {'switch' if sources is None else 'link'}")
        texts.append(line)
    return {
        "type": "heatmap",
        "z": [[None if np.isnan(cell) else round(float(cell), 3) for cell in row] for row in rows],
        "coloraxis": "coloraxis",
        "hoverinfo": "text",
        "hovertext": texts,
        "hoverongaps": False,
        "customdata": [[command] * len(middle)] * 3,
    }
