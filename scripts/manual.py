#!/usr/bin/python3
"""Makes manual pages and the completion for bash of an installed sanvp, from what its programs say with --help.

usage: manual.py PREFIX          called by cmake/Install.cmake
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

OPTION = re.compile(r"^  (?:-(?P<short>\w) \[ )?--(?P<long>[\w-]+)", re.MULTILINE)
WRAPPERS = ("sanvp-cc", "sanvp-part")
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


def completion(options: dict[str, list[str]]) -> str:
    """Commands, their options, and the names that `sanvp list` knows."""
    cases = "\n".join(f"    {name}) options='{' '.join(words)}' ;;" for name, words in options.items())
    return f"""# Completion for bash, made by scripts/manual.py.
_sanvp() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} options= names=
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W "{" ".join(options)} --help --version" -- "$word"))
    return
  fi
  case $command in
{cases}
  esac
  case $command:$COMP_CWORD in
    list:2) names='machines apps patterns parts' ;;
    run:2 | traffic:2 | check:2 | replay:2) names=$(sanvp list machines 2>/dev/null | cut -d' ' -f1) ;;
    describe:2) names=$(for w in machines parts patterns apps; do sanvp list $w 2>/dev/null; done | cut -d' ' -f1) ;;
    run:3) names=$(sanvp list apps 2>/dev/null | cut -d' ' -f1) ;;
    traffic:3) names=$(sanvp list patterns 2>/dev/null | cut -d' ' -f1) ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$names" -- "$word") $(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _sanvp sanvp
"""


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
    options: dict[str, list[str]] = {}
    for command, summary in SANVP.findall(overview):
        text = help_of(sanvp, command)
        write(f"sanvp-{command}", summary, text)
        options[command] = [
            dashes + name
            for match in OPTION.finditer(text)
            for dashes, name in (("-", match["short"]), ("--", match["long"]))
            if name
        ]
    for wrapper in WRAPPERS:
        summary, _, rest = help_of(prefix / "bin" / wrapper).partition("\n\n")
        write(wrapper, " ".join(summary.split()).rstrip("."), rest)
    (completions / "sanvp").write_text(completion(options))


if __name__ == "__main__":
    main()
