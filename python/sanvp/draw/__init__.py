"""Pictures of machines: `sanvp draw`, and `sanvp.draw` from Python."""
