/// Reads GOAL files, also of gigabytes: a piece at a time, and a label is known only while its rank is read.
#pragma once

#include <istream>
#include <string>

#include "platform/goal/program.hpp"

namespace sanvp::goal {

/// Statements end at a line's end or at `;`, comments are those of C++:
///
///     num_ranks 2
///     rank 0 {
///     l1: calc 100              // nanoseconds
///     l2: send 8b to 1 tag 3    // cpu 0 nic 0
///     l2 requires l1            // irequires: waits for the start of l1 only
///     }
///     rank 1 { recv 8b from 0 tag 3 }
///
/// and, in sanvp's alone (docs/goal.md), `comm 1 { 0 2 }` in front of the ranks and `collective bcast gives 8b root 0
/// comm 1`. A rank without a block does nothing; `-1` after `from` or `tag` of a recv is any. Throws UserError that
/// names file, line and cure.
/// @param name  names the text in messages
Program read_program(std::istream& in, const std::string& name);

/// The same for a file by its path.
Program read_program_file(const std::string& path);

}  // namespace sanvp::goal
