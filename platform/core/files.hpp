/// Files read whole and written whole.
#pragma once

#include <cstddef>
#include <string>

namespace sanvp {

/// Far above any description a person or a script writes; keeps /dev/zero from filling the memory.
constexpr std::size_t largest_text_file = std::size_t{256} << 20;

/// The file's contents. Throws UserError where it cannot be read or is larger than `most_bytes`.
std::string read_text_file(const std::string& path, std::size_t most_bytes = largest_text_file);

/// Throws UserError where write_text_file would fail for its place: for what is written after a long run. Leaves
/// nothing.
void require_writable(const std::string& path);

/// Writes a temporary file beside `path` and renames it, so that nobody ever sees half a file, whatever happens.
/// Throws UserError where that is not possible; the old file is then untouched.
void write_text_file(const std::string& path, const std::string& contents);

}  // namespace sanvp
