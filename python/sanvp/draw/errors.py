"""What goes wrong while drawing."""


class DrawError(Exception):
    """A mistake of the user. Its text names place and cure."""
