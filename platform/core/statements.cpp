#include "platform/core/statements.hpp"

#include <algorithm>
#include <charconv>

#include "platform/core/error.hpp"
#include "platform/core/text.hpp"

namespace sanvp {
namespace {

constexpr std::string_view blanks = " \t\r";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

bool Statements::next() {
  words_.clear();
  while (words_.empty() && !rest_.empty()) {
    ++line_;
    const auto end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    line = line.substr(0, line.find('#'));
    if (std::any_of(line.begin(), line.end(), [](char c) { return is_control(c) && blanks.find(c) == blanks.npos; }))
      fail("the line holds a control character", "give a plain text file");
    for (auto start = line.find_first_not_of(blanks); start != line.npos; start = line.find_first_not_of(blanks)) {
      line.remove_prefix(start);
      const auto length = std::min(line.find_first_of(blanks), line.size());
      words_.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
  }
  return !words_.empty();
}

std::int64_t Statements::integer(std::string_view word, std::string_view what, std::int64_t least,
                                 std::int64_t most) const {
  const std::string range = "give a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || stop != word.data() + word.size())
    fail(std::string(what) + " " + in_quotes(word) + " is not a whole number", range);
  if (error == std::errc::result_out_of_range || value < least || value > most)
    fail(std::string(what) + " " + in_quotes(word) + " is out of range",
         most < least ? "there is none to name" : range);
  return value;
}

void Statements::require_words(int least, int most, std::string_view form) const {
  if (size() < least) fail("the statement ends too early", "write: " + std::string(form));
  if (size() > most)
    fail("there is more after the end of the statement: " + in_quotes(words_[most]), "write: " + std::string(form));
}

void Statements::fail(const std::string& cause, const std::string& cure) const {
  throw UserError(place(), cause, cure);
}

}  // namespace sanvp
