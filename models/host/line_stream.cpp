#include "models/host/line_stream.hpp"

#include <stdio_ext.h>

#include <new>

namespace sanvp::host {

LineStream::LineStream(std::function<void(std::string_view)> take) : take_(std::move(take)) {
  cookie_io_functions_t calls{};
  calls.write = [](void* cookie, const char* text, std::size_t bytes) {
    static_cast<LineStream*>(cookie)->write(text, bytes);
    return static_cast<ssize_t>(bytes);
  };
  file_ = fopencookie(this, "w", calls);
  if (file_ == nullptr) throw std::bad_alloc();
  std::setvbuf(file_, nullptr, _IOLBF, BUFSIZ);
  // A process may be suspended while its line is passed on. With locking, the C library would keep a cleanup record on
  // this fiber's stack, in a list that all stacks share and that longjmp walks.
  __fsetlocking(file_, FSETLOCKING_BYCALLER);
}

LineStream::~LineStream() {
  take_ = {};  // the receiver may have been destroyed
  std::fclose(file_);
}

void LineStream::write(const char* text, std::size_t bytes) {
  line_.append(text, bytes);
  std::size_t begin = 0;
  for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', begin)) {
    if (take_) take_(std::string_view(line_).substr(begin, end - begin));
    begin = end + 1;
  }
  line_.erase(0, begin);
}

void LineStream::finish() {
  std::fflush(file_);
  if (!line_.empty() && take_) take_(line_);
  line_.clear();
}

}  // namespace sanvp::host
