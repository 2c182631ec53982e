"""Makes matplotlib's SVG files small, and dark for readers who prefer it."""

from __future__ import annotations

import itertools
import re
from collections import Counter

#: Texts stay texts, so that no glyph is drawn or embedded; points that no eye can tell apart become one.
SETTINGS = {"svg.fonttype": "none", "path.simplify": True, "path.simplify_threshold": 0.2}
_FONTS = "'DejaVu Sans', Verdana, sans-serif"  # Verdana's letters are as wide
_DARK = {"#ffffff": "#14181d", "#000000": "#e3e8ee", "#ededed": "#29323b", "#cccccc": "#46525e"}
_STYLED = re.compile(r'(?: clip-path="(url\(#\w+\))")? style="([^"]*)"')
_USE = re.compile(r'<use xlink:href="(#\w+)" x="([-\d.]+)" y="([-\d.]+)" class="(s\d+)"/>\n?')
_PATH = re.compile(r'<path d="([^"]*)" class="(s\d+)"/>\n?')


def small(svg: str) -> str:
    """The same picture in fewer bytes: classes for styles, numbers of two decimals, no metadata."""
    svg = re.sub(r"<!DOCTYPE.*?>\n?|<!--.*?-->\n?|\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"([1-9]\d*\.\d\d)\d+", r"\1", svg)  # not those of scales, which are below 1
    svg = re.sub(r"(font: [^;\"]*?px )'DejaVu Sans'[^;\"]*", lambda found: found[1] + _FONTS, svg)
    svg = re.sub(r"\n\s+", "\n", svg)
    svg = re.sub(r' d="([^"]*)"', lambda path: f' d="{_short(path[1])}"', svg)
    svg = re.sub(r' id="(?:line2d|LineCollection|patch|[xy]tick)_\d+"', "", svg)
    found = [_style(one) for one in _STYLED.finditer(svg)]
    classes = {style: f"s{i}" for i, (style, _) in enumerate(Counter(found).most_common())}
    svg = _STYLED.sub(lambda one: f' class="{classes[_style(one)]}"', svg)
    svg = _joined(svg, {name for style, name in classes.items() if "fill: none" in style})
    svg = _marked(svg)
    return svg.replace("</style>", f"\n{_rules(classes)}</style>", 1)


def _short(path: str) -> str:
    """A path's data. Of straight lines a decimal is enough: a unit is about a pixel."""
    path = re.sub(r"\s+", " ", path.strip())
    if not re.search("[CQ]", path):
        path = re.sub(r"\d+\.\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), path)
    return re.sub(r" ?([A-Za-z]) ?", r"\1", path)


def _style(found: re.Match[str]) -> str:
    return found[2].strip("; ") + (f"; clip-path: {found[1]}" if found[1] else "")


def _rules(classes: dict[str, str]) -> str:
    """The styles, and in dark colours those that have black or white."""
    dark = [f'text, [id^="text_"] {{ fill: {_DARK["#000000"]}; }}']  # whose colour is the default one
    for style, name in classes.items():
        parts = [part.split(": ") for part in style.split("; ")]
        changed = "; ".join(f"{part[0]}: {_DARK[part[1]]}" for part in parts if part[-1] in _DARK)
        if changed:
            dark.append(f".{name} {{ {changed}; }}")
    rules = [f".{name} {{ {style}; }}" for style, name in classes.items()]
    return "\n".join([*rules, "@media (prefers-color-scheme: dark) {", *dark, "}"])


def _marked(svg: str) -> str:
    """The same mark at several points in a row is a path with a marker at each."""
    known: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        parts = []
        for (mark, style), uses in itertools.groupby(_USE.findall(found[0]), key=lambda use: (use[0], use[3])):
            name = f"{mark[1:]}{style}"
            if name not in known:
                known.add(name)
                used = f'<use xlink:href="{mark}" class="{style}"/>'
                parts.append(f'<marker id="{name}" markerUnits="userSpaceOnUse" overflow="visible">{used}</marker>')
            points = _short(" ".join(f"{x} {y}" for _, x, y, _ in uses))
            parts.append(f'<path d="M{points}" style="fill: none; marker: url(#{name})"/>')
        return "\n".join(parts) + "\n"

    return re.sub(f"(?:{_USE.pattern}){{2,}}", mark, svg)


def _joined(svg: str, lines: set[str]) -> str:
    """Lines of one style that follow each other are one path."""

    def join(found: re.Match[str]) -> str:
        parts = []
        for name, paths in itertools.groupby(_PATH.findall(found[0]), key=lambda path: path[1]):
            ds = [d for d, _ in paths]
            parts += [f'<path d="{"".join(ds)}" class="{name}"/>'] if name in lines else []
            parts += [f'<path d="{d}" class="{name}"/>' for d in ds] if name not in lines else []
        return "\n".join(parts) + "\n"

    return re.sub(f"(?:{_PATH.pattern})+", join, svg)
