/// Standard output of a run that is executed again in part: what has been printed is not printed again.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ostream>
#include <streambuf>

namespace sanvp {

/// Stands before a stream's buffer during its lifetime. All that a process writes there counts, and what is beyond
/// the most that any process has written is passed on.
class OutputOnce final : public std::streambuf {
 public:
  /// @param printed  of all processes
  OutputOnce(std::ostream& stream, std::atomic<std::int64_t>& printed)
      : stream_(stream), behind_(stream.rdbuf(this)), printed_(printed) {}
  ~OutputOnce() override { stream_.rdbuf(behind_); }
  OutputOnce(const OutputOnce&) = delete;
  OutputOnce& operator=(const OutputOnce&) = delete;

  /// This process prints nothing.
  void silence() { is_silent_ = true; }
  /// What follows has not been printed, whatever has been.
  void begin_again() { printed_ = count_; }

 private:
  int_type overflow(int_type byte) override {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char one = traits_type::to_char_type(byte);
    return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
  }
  std::streamsize xsputn(const char* bytes, std::streamsize length) override {
    const std::int64_t known = std::max<std::int64_t>(0, std::min<std::int64_t>(length, printed_ - count_));
    count_ += length;
    if (is_silent_ || known == length) return length;
    printed_ = count_;
    const std::streamsize written = behind_->sputn(bytes + known, length - known);
    return written == length - known ? length : written;
  }
  int sync() override { return is_silent_ ? 0 : behind_->pubsync(); }

  std::ostream& stream_;
  std::streambuf* behind_;
  std::atomic<std::int64_t>& printed_;
  std::int64_t count_ = 0;
  bool is_silent_ = false;
};

}  // namespace sanvp
