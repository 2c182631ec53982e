/// Colour for messages and lines that fit, on a terminal; a file or a pipe gets plain text.
#pragma once

#include <string>
#include <string_view>

namespace sanvp {

/// "warning: " as the beginning of a line on standard error.
/// @param word  "error", "warning" or "note"
std::string heading(std::string_view word);

/// The same if it is known whether there may be colour.
std::string heading(std::string_view word, bool is_coloured);

/// `text` for standard output: on a terminal with lines that fit it; a file or a pipe gets lines as they are.
std::string for_terminal(const std::string& text);

}  // namespace sanvp
