"""`python3 -m sanvp`: the study driver of `scripts/study` and `sanvp study`; `sanvp draw`, `sanvp convert`."""

from __future__ import annotations

import sys

from .streams import prepare_streams

USERS_MISTAKE = 2


def main() -> int:
    """Runs `draw`, `convert`, or a command of studies. @return the exit status"""
    prepare_streams()
    if sys.argv[1:2] == ["draw"]:
        from .draw.command import main as draw

        return draw(sys.argv[2:])
    if sys.argv[1:2] == ["convert"]:
        from .convert.__main__ import main as convert

        return convert(sys.argv[2:])
    try:
        from .studies.__main__ import main as studies
    except ModuleNotFoundError as error:
        packages = "python3-yaml python3-tqdm python3-numpy python3-pandas python3-matplotlib"
        print(f"study: there is no Python package '{error.name}': apt-get install {packages}", file=sys.stderr)
        return USERS_MISTAKE
    return studies()


if __name__ == "__main__":
    sys.exit(main())
