/// The breakpoints on the machine that are set.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "platform/breakpoints/breakpoint.hpp"

namespace sanvp {

class Breakpoints {
 public:
  /// @param stop  called with what has happened, or an empty text, when all that happens at the instant of a hit has
  /// happened; the run ends if it returns false
  Breakpoints(const Watched& watched, std::function<bool(const std::string& what)> stop);

  /// Sets one, such as "packet 0 3". @return what it does. Throws UserError for a line that is not possible
  std::string set(std::string_view line);
  /// Deletes one, or all for an empty text. Throws UserError for a number that none has.
  void erase(std::string_view number);
  void clear() { set_.clear(); }
  /// A line for each.
  std::string list() const;

  /// Numbers and lines, for restore().
  std::string state() const;
  void restore(const std::string& state);

  /// The forms of all kinds, a line each.
  static std::string forms();

 private:
  struct Set {
    std::string line;
    std::shared_ptr<Watch> watch;
  };
  Set make(int number, std::string_view line);

  Watched watched_;
  std::function<bool(const std::string&)> stop_;
  std::map<int, Set> set_;
  int last_ = 0;  ///< number
};

}  // namespace sanvp
