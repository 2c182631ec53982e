/// Before an image is loaded, refuses what would make the system's loader read or write outside of a damaged file's
/// memory.
#pragma once

#include <string>

namespace sanvp::native {

/// Throws UserError, such as "its segment 2 lies beyond the end of the file", for an ELF file that is cut off or
/// damaged as a shared object for x86-64. A file that is not ELF at all passes, since the loader's own message says so;
/// only a trial verifies the file's internal references (Image).
void require_sound(const std::string& path);

}  // namespace sanvp::native
