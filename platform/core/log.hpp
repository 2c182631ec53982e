/// A log of what the parts of a machine do (`--log OBJECT=LEVEL`): a line for each, with its time and the part's
/// hierarchical name. It is told what a trace is told, so that without it nothing is on anything's way.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/core/time.hpp"
#include "platform/core/trace.hpp"

namespace sanvp {

class Log {
 public:
  enum class Level : std::uint8_t {
    off,
    info,  ///< packets that cards send, get and lose
    debug  ///< also all that a trace shows, and stores to registers
  };
  /// Takes a line with its end.
  using Write = std::function<void(const std::string& line)>;

  /// @param root    the first part of all names: the machine
  /// @param wishes  "OBJECT=LEVEL"; the last that fits counts. OBJECT is a name as for fnmatch(3), with or without the
  ///                root, and stands for all below it. Throws UserError for what is none
  Log(std::string root, const std::vector<std::string>& wishes, Write write);

  /// Throws UserError for a wish that fits none of the objects and nothing below them, and names the nearest.
  /// @param objects  names without the root @param open  those below which there may be more
  void require_known(const std::vector<std::string>& objects, const std::vector<std::string>& open) const;

  /// @param path  without the root
  Level level_of(const std::string& path) const;
  void add(Time at, const std::string& path, std::string_view what) const;
  /// Objects of wishes for which no line has been written.
  std::vector<std::string> silent() const;

 private:
  struct Wish {
    std::string object;
    Level level;
    mutable bool has_spoken = false;
  };
  bool fits(const Wish& wish, const std::string& path) const;

  std::string root_;
  std::vector<Wish> wishes_;
  Write write_;
};

/// A part of a hierarchical name, of a trace's board or row: blanks and dots become `_`, capitals small.
std::string log_name(std::string_view text);

/// What a trace tells, for the log. @param path  of a row, without the root
std::unique_ptr<TraceFormat> log_of_trace(
    const Log& log, std::function<std::string(const std::string& board, const std::string& row)> path);

}  // namespace sanvp
