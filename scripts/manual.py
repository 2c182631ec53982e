#!/usr/bin/python3
"""Makes manual pages and the completion for bash of an installed sanvp, from what its programs say with --help.

usage: manual.py PREFIX          called by cmake/Install.cmake
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

OPTION = re.compile(r"^  (?:-(?P<short>\w) \[ )?--(?P<long>[\w-]+)(?: \])?(?: (?P<value>\S+))?", re.MULTILINE)
WRAPPERS = ("sanvp-cc", "sanvp-part")
SAME_PROGRAM = {"sanvp-cc": ("sanvp-c++", "sanvp-fc")}  # one help text, one page
STUDY = re.compile(r"^(?:usage:| {6}) sanvp study (\w+)(.*)$", re.MULTILINE)
SANVP = re.compile(r"^  (\w[\w-]*) {2,}(.*)$", re.MULTILINE)  # a command and its summary


def help_of(program: Path, *arguments: str) -> str:
    """What it says with --help."""
    command = [program, *arguments, "--help"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def quoted(text: str) -> str:
    """Text for troff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def page(name: str, summary: str, text: str, version: str) -> str:
    """A manual page whose body is a help text as it stands."""
    usage, _, rest = text.strip().partition("\n\n")
    usage = usage.removeprefix("usage: ")
    others = "" if name == "sanvp" else ".SH SEE ALSO\n.BR sanvp (1)\n"
    return (
        f'.TH "{name.upper()}" 1 "" "sanvp {version}" "User Commands"\n'
        f".SH NAME\n{quoted(name)} \\- {quoted(summary)}\n"
        f".SH SYNOPSIS\n.nf\n{quoted(usage)}\n.fi\n"
        f".SH DESCRIPTION\n.nf\n{quoted(rest)}\n.fi\n{others}"
    )


def options_of(text: str) -> dict[str, str]:
    """The options in a help text: each with the name of its value, empty if it takes none."""
    return {
        dashes + name: match["value"] or ""
        for match in OPTION.finditer(text)
        for dashes, name in (("-", match["short"]), ("--", match["long"]))
        if name
    }


def cases(words: dict[str, Iterable[str]]) -> str:
    """Cases of a shell's `case`, each of which prints its words."""
    return "\n".join(f"    {name or repr(name)}) echo '{' '.join(of_name)}' ;;" for name, of_name in words.items())


def completion(options: dict[str, dict[str, str]], study: dict[str, list[str]]) -> str:
    """The completion for bash.

    @param options  of each command
    @param study    of each command of `sanvp study`
    """
    values = {
        name: value.split("|") for of_command in options.values() for name, value in of_command.items() if "|" in value
    }
    inserted = {
        "COMMANDS": " ".join(options),
        "OPTIONS": cases(options),
        "VALUED": cases({command: [name for name in names if names[name]] for command, names in options.items()}),
        "VALUES": cases(values),
        "STUDY": cases({"": list(study), **study}),
    }
    template = (Path(__file__).parent / "completion.bash.in").read_text(encoding="utf-8")
    return re.sub(r"@([A-Z]+)@", lambda match: inserted[match[1]], template)


def main() -> None:
    """Writes the files below the prefix."""
    prefix = Path(sys.argv[1])
    sanvp = prefix / "bin" / "sanvp"
    versions = subprocess.run([sanvp, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"^sanvp (\S+)$", versions, re.MULTILINE)
    version = found[1] if found else ""
    manuals, completions = prefix / "share/man/man1", prefix / "share/bash-completion/completions"
    manuals.mkdir(parents=True, exist_ok=True)
    completions.mkdir(parents=True, exist_ok=True)

    def write(name: str, summary: str, text: str) -> None:
        (manuals / f"{name}.1").write_text(page(name, summary, text, version))

    overview = help_of(sanvp)
    title, _, rest = overview.partition("\n\n")
    write("sanvp", title.removeprefix("sanvp: "), rest)
    options: dict[str, dict[str, str]] = {}
    for command, summary in SANVP.findall(overview):
        text = help_of(sanvp, command)
        write(f"sanvp-{command}", summary, text)
        options[command] = options_of(text)
    study = {verb: re.findall(r"--\w+", usage) for verb, usage in STUDY.findall(help_of(sanvp, "study"))}
    for wrapper in WRAPPERS:
        summary, _, rest = help_of(prefix / "bin" / wrapper).partition("\n\n")
        write(wrapper, " ".join(summary.split()).rstrip("."), rest)
        for other in SAME_PROGRAM.get(wrapper, ()):
            link = manuals / f"{other}.1"
            link.unlink(missing_ok=True)
            link.symlink_to(f"{wrapper}.1")
    (completions / "sanvp").write_text(completion(options, study), encoding="utf-8")


if __name__ == "__main__":
    main()
