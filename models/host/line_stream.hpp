/// A stream of the C library that hands over whole lines.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace sanvp::host {

class LineStream {
 public:
  /// @param take  gets each line without its end
  explicit LineStream(std::function<void(std::string_view)> take);
  ~LineStream();
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  std::FILE* file() const { return file_; }
  void write(const char* text, std::size_t bytes);
  /// Hands over what has no end yet, too.
  void finish();

 private:
  std::function<void(std::string_view)> take_;
  std::FILE* file_;
  std::string line_;
};

}  // namespace sanvp::host
