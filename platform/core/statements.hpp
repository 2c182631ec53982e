/// Reads line-based text files: one statement per line, words separated by blanks, `#` starts a comment.
/// Every error is a UserError that names file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sanvp {

/// Iterates over the statements of a text that outlives it; skips blank lines and comments.
class Statements {
 public:
  /// @param name  names the text in messages, usually the file's path
  Statements(std::string_view text, std::string name) : rest_(text), name_(std::move(name)) {}

  /// Moves to the next statement; false at the end of the text.
  bool next();

  int size() const { return static_cast<int>(words_.size()); }
  std::string_view word(int index) const { return words_[index]; }
  /// Word `index` as a whole number within [least, most].
  /// @param what the number's meaning, for messages ("switch", "port")
  std::int64_t integer(int index, std::string_view what, std::int64_t least, std::int64_t most) const {
    return integer(words_[index], what, least, most);
  }
  /// The same of a part of a word.
  std::int64_t integer(std::string_view word, std::string_view what, std::int64_t least, std::int64_t most) const;
  /// Fails unless the statement has `least` to `most` words. @param form how the statement is written
  void require_words(int least, int most, std::string_view form) const;

  int line() const { return line_; }
  /// "file:line" of the current statement.
  std::string place() const { return place_of(line_); }
  std::string place_of(int line) const { return name_ + ":" + std::to_string(line); }
  [[noreturn]] void fail(const std::string& cause, const std::string& cure = {}) const;

 private:
  std::string_view rest_;
  std::string name_;
  std::vector<std::string_view> words_;
  int line_ = 0;
};

}  // namespace sanvp
