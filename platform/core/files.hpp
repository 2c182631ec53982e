/// Reads and writes whole files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace sanvp {

/// Far above any description that a person or a script writes; prevents /dev/zero from filling the memory.
constexpr std::size_t largest_text_file = std::size_t{256} << 20;

/// The file's contents. Throws UserError if it cannot be read or is larger than `most_bytes`.
std::string read_text_file(const std::string& path, std::size_t most_bytes = largest_text_file);

/// A folder that stays the same, even if a program replaces its path during a run.
class OutputFolder {
 public:
  /// Throws UserError if nothing can be written there.
  /// @param place  for messages
  OutputFolder(const std::string& path, const std::string& place);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Writes a temporary file and renames it, so that no reader ever sees a partial file. Replaces whatever had the
  /// name: no link is followed. Throws UserError if that is not possible; the old file is then unchanged.
  /// @param place  for messages
  void write(const std::string& name, const std::string& contents, const std::string& place) const;

 private:
  int folder_;
  mutable int spare_ = -1;  ///< kept for the next file, in case that the run's programs use up all others
};

/// The destination of a result, determined before a run: the run's programs cannot redirect it. A device or a pipe,
/// such as /dev/stdout, is written to; any other file is replaced.
class OutputFile {
 public:
  /// Throws UserError if it cannot be written. Leaves no file.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const std::string& contents) const;

 private:
  std::string path_;
  std::optional<OutputFolder> folder_{};
  int opened_ = -1;  ///< what is written to as it is
};

/// The same for contents that are complete.
void write_text_file(const std::string& path, const std::string& contents);

}  // namespace sanvp
