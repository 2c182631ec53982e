/// The file of a trace, as it is or compressed by zlib (gzip's format), up to a size.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace sanvp {

class TraceOutput {
 public:
  /// Creates the file. Throws UserError if it cannot be written; so does write() when the disk is full.
  /// @param limit  bytes that the file may have
  TraceOutput(std::string path, bool is_compressed, std::int64_t limit);
  ~TraceOutput();
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;

  /// Appends a block, and the ending, which the next block overwrites: the file is complete after every block. A file
  /// that cannot seek gets the ending in close() only.
  /// @return whether there was room; if not, the file is as it was, and nothing more may be written
  bool write(std::string_view block, std::string_view ending);
  void close(std::string_view ending);

  /// Bytes of the file, with the ending.
  std::int64_t size() const { return size_; }

 private:
  class Gzip;

  std::string path_;
  std::ofstream file_;
  std::int64_t limit_;
  std::unique_ptr<Gzip> gzip_;  ///< null: not compressed
  std::int64_t size_ = 0;
  std::int64_t written_ = 0;  ///< without the ending
  bool has_ending_ = false;
};

}  // namespace sanvp
