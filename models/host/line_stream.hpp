/// A C library stream that passes on whole lines.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace sanvp::host {

class LineStream {
 public:
  /// @param take  called with each line, without its newline
  explicit LineStream(std::function<void(std::string_view)> take);
  ~LineStream();
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  std::FILE* file() const { return file_; }
  void write(const char* text, std::size_t bytes);
  /// Takes what has come so far of the last line, without passing it on.
  std::string take_part() { return std::exchange(line_, {}); }
  /// Passes on the last line even without a newline.
  void finish();

 private:
  std::function<void(std::string_view)> take_;
  std::FILE* file_;
  std::string line_;
};

}  // namespace sanvp::host
