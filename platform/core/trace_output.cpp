#include "platform/core/trace_output.hpp"

#include <zlib.h>

#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "platform/core/error.hpp"

namespace sanvp {
namespace {

[[noreturn]] void fail_to_write(const std::string& path) {
  throw UserError(path, "cannot be written: " + std::generic_category().message(errno));
}

/// A stream of zlib in the middle of its work, which can be copied.
class Deflate {
 public:
  Deflate() {
    constexpr int level = 3;              // a third of the default's time, for files a fifth larger
    constexpr int gzip_window = 15 + 16;  // zlib.h: 32 KiB of history; 16 more: gzip's header and checksum
    constexpr int most_memory = 9;
    require(deflateInit2(&stream_, level, Z_DEFLATED, gzip_window, most_memory, Z_DEFAULT_STRATEGY));
  }
  Deflate(const Deflate& other) { require(deflateCopy(&stream_, const_cast<z_stream*>(&other.stream_))); }
  Deflate(Deflate&&) = delete;
  Deflate& operator=(const Deflate&) = delete;
  ~Deflate() { deflateEnd(&stream_); }

  /// @param flush  Z_SYNC_FLUSH: all that was given so far comes out; Z_FINISH: the stream ends
  std::string add(std::string_view bytes, int flush) {
    std::string out;
    std::array<char, std::size_t{1} << 16> part;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(part.data());
      stream_.avail_out = static_cast<uInt>(part.size());
      deflate(&stream_, flush);
      out.append(part.data(), part.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    return out;
  }

 private:
  /// Memory is all that it can lack.
  static void require(int status) {
    if (status != Z_OK) throw std::bad_alloc();
  }

  z_stream stream_{};
};

}  // namespace

class TraceOutput::Gzip {
 public:
  std::string add(std::string_view block) {
    before_ = std::make_unique<Deflate>(*now_);
    return now_->add(block, Z_SYNC_FLUSH);
  }
  /// The end of the file if nothing follows.
  std::string end(std::string_view ending) const { return Deflate(*now_).add(ending, Z_FINISH); }
  /// Forgets the last block.
  void take_back() { now_ = std::move(before_); }

 private:
  std::unique_ptr<Deflate> now_ = std::make_unique<Deflate>();
  std::unique_ptr<Deflate> before_;
};

TraceOutput::TraceOutput(std::string path, bool is_compressed, std::int64_t limit)
    : path_(std::move(path)), limit_(limit), gzip_(is_compressed ? std::make_unique<Gzip>() : nullptr) {
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) fail_to_write(path_);
}

TraceOutput::~TraceOutput() = default;

bool TraceOutput::write(std::string_view block, std::string_view ending) {
  if (block.empty()) return true;
  std::string packed, packed_ending;
  if (gzip_) {
    packed = gzip_->add(block);
    packed_ending = gzip_->end(ending);
    block = packed;
    ending = packed_ending;
  }
  const auto size = written_ + static_cast<std::int64_t>(block.size() + ending.size());
  if (size > limit_) {
    if (gzip_) gzip_->take_back();
    return false;
  }
  errno = 0;
  file_.write(block.data(), static_cast<std::streamsize>(block.size()));
  const auto end = file_.tellp();
  has_ending_ = end != std::ofstream::pos_type(-1);
  if (has_ending_) file_.write(ending.data(), static_cast<std::streamsize>(ending.size()));
  file_.flush();
  if (!file_) fail_to_write(path_);
  if (has_ending_) file_.seekp(end);
  written_ += static_cast<std::int64_t>(block.size());
  size_ = size;
  return true;
}

void TraceOutput::close(std::string_view ending) {
  errno = 0;
  if (!has_ending_) {
    const std::string packed = gzip_ ? gzip_->end(ending) : std::string(ending);
    file_.write(packed.data(), static_cast<std::streamsize>(packed.size()));
  }
  file_.close();
  if (!file_) fail_to_write(path_);
}

}  // namespace sanvp
