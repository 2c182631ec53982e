/// Words in messages: the nearest known name, and foreign text made fit to print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sanvp {

/// The candidate nearest to `word` in edit distance, or "" where none is near. Ties: the first listed.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// The candidate nearest to `word`, however far; "" where there are none.
std::string nearest_of_all(const std::string& word, const std::vector<std::string>& candidates);

/// `text` in quotes for a message: shortened where it is long, control characters shown as `?`.
std::string in_quotes(std::string_view text);

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// "a, b, c".
std::string listed(const std::vector<std::string>& words);

}  // namespace sanvp
