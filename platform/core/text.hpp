/// Words in messages: the nearest known name, and user text in a printable form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sanvp {

/// The candidate nearest to `word` in edit distance, or "" if none is near. In a tie the first one.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

/// The candidate nearest to `word`, however far; "" if there are no candidates.
std::string nearest_of_all(const std::string& word, const std::vector<std::string>& candidates);

/// The candidate that differs from `word` only in `-` and `_`, or "" if none does: `hot_spot` is `hot-spot`.
std::string spelled_otherwise(const std::string& word, const std::vector<std::string>& candidates);

/// `text` in quotes for a message: long text is shortened, control characters become `?`.
std::string in_quotes(std::string_view text);

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// `text` with lines of at most `columns` characters. The rest of a line begins below its second column, if a gap of
/// two blanks begins one, or else below its first letter. Words are not broken.
std::string wrapped(std::string_view text, std::size_t columns);

/// "a, b, c".
std::string listed(const std::vector<std::string>& words);

}  // namespace sanvp
