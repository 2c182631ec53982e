#include "platform/core/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace sanvp {
namespace {

/// Longest piece of user text in a message: one line of a terminal.
constexpr std::size_t longest_quote = 60;
/// How many typing errors still make a name "near": one in three letters, at most four.
constexpr std::size_t letters_per_mistake = 3;
constexpr std::size_t most_mistakes = 4;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Optimal string alignment: an insertion, deletion, replacement or swap of neighbours costs one; a change of case is
/// free.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// The nearest candidate with at most `limit` mistakes.
std::string nearest_within(std::size_t limit, const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  bool found = false;
  for (const auto& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter > limit) continue;  // also keeps very long input out of the quadratic part
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < limit || (distance == limit && !found)) {
      best = candidate;
      limit = distance;
      found = true;
    }
  }
  return best;
}

/// Columns of a terminal: a character of several bytes of UTF-8 is one.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

/// The indent of a long line's continuation: its second column, or its first letter, if that leaves half of the width.
std::size_t hanging_indent(std::string_view line, std::size_t columns) {
  const std::size_t most = columns / 2;
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.find("  ", first);
  const std::size_t second = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
  if (second != std::string_view::npos && second <= most) return second;
  return first <= most ? first : 0;
}

std::string wrapped_line(std::string_view line, std::size_t columns) {
  if (width_of(line) <= columns) return std::string(line);
  const std::size_t indent = hanging_indent(line, columns);
  std::string text(line.substr(0, indent));
  std::size_t used = width_of(text);
  line.remove_prefix(indent);
  bool is_first = true;  // of its line of the terminal
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    if (word.empty()) continue;
    if (!is_first && used + 1 + width_of(word) > columns) {
      text += '\n' + std::string(indent, ' ');
      used = indent;
    } else if (!is_first) {
      text += ' ';
      ++used;
    }
    is_first = false;
    text += word;
    used += width_of(word);
  }
  return text;
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  return nearest_within(std::clamp<std::size_t>(word.size() / letters_per_mistake, 1, most_mistakes), word, candidates);
}

std::string nearest_of_all(const std::string& word, const std::vector<std::string>& candidates) {
  // The first line of a very long word is enough.
  return nearest_within(SIZE_MAX, word.substr(0, longest_quote), candidates);
}

std::string spelled_otherwise(const std::string& word, const std::vector<std::string>& candidates) {
  const auto plain = [](std::string text) {
    std::replace(text.begin(), text.end(), '_', '-');
    return text;
  };
  const auto found = std::find_if(candidates.begin(), candidates.end(),
                                  [&](const std::string& candidate) { return plain(candidate) == plain(word); });
  return found == candidates.end() ? "" : *found;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all += wrapped_line(text.substr(0, end), columns);
    if (end < text.size()) all += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

std::string in_quotes(std::string_view text) {
  std::string shown(text.substr(0, longest_quote));
  std::replace_if(shown.begin(), shown.end(), is_control, '?');
  return "'" + shown + (text.size() > longest_quote ? "...'" : "'");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string listed(const std::vector<std::string>& words) {
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "" : ", ") + word;
  return list;
}

}  // namespace sanvp
