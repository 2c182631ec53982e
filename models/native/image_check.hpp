/// What would make the system's loader read or write outside of a damaged file's memory is refused before it is loaded.
#pragma once

#include <string>

namespace sanvp::native {

/// Throws UserError, such as "its segment 2 lies beyond the end of the file", for an ELF file that is cut off or
/// damaged as a shared object for x86-64. What is no ELF file at all passes, since the loader's own message says so;
/// what it points at within itself only a trial shows (Image).
void require_sound(const std::string& path);

}  // namespace sanvp::native
