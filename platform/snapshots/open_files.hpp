/// Open files of a forked process, whose positions it would share with its parent.
#pragma once

#include <string>

namespace sanvp {

/// Gives this process files of its own at all descriptors of regular files but those of the standard output streams:
/// a file that is open for writing is replaced by a copy in `folder`, one that is only read is opened again, both at
/// the same position. Descriptors that are copies of each other stay so. Throws UserError if a copy cannot be made.
/// @param folder  empty: the copies have no names
void own_open_files(const std::string& folder);

/// The same files, at positions of this process's own.
void own_positions();

}  // namespace sanvp
