/// Reads and writes whole files.
#pragma once

#include <cstddef>
#include <string>

namespace sanvp {

/// Far above any description that a person or a script writes; prevents /dev/zero from filling the memory.
constexpr std::size_t largest_text_file = std::size_t{256} << 20;

/// The file's contents. Throws UserError where it cannot be read or is larger than `most_bytes`.
std::string read_text_file(const std::string& path, std::size_t most_bytes = largest_text_file);

/// Throws UserError where write_text_file could not write to this place, for results that are written after a long run.
/// Leaves no file.
void require_writable(const std::string& path);

/// Writes a temporary file in the same folder and renames it, so that no reader ever sees a partial file.
/// Throws UserError where that is not possible; the old file is then unchanged.
void write_text_file(const std::string& path, const std::string& contents);

}  // namespace sanvp
