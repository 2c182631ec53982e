/// Parts of users that a machine file names.
#pragma once

namespace sanvp {
class Parameters;

/// Loads the parts of `parts = ["mine.so", ...]` in section [machine]. Paths are relative to the file, on the command
/// line (-s machine.parts=mine.so) to the working directory. Quotes and brackets may be left out.
void load_own_parts(const Parameters& machine);

}  // namespace sanvp
