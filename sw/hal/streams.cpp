// The standard streams of C++ programs, which alone are linked with this. The streams of libstdc++ keep the stdout and
// stderr that exist when the image is loaded, the simulator's; these look them up at each call, so they write to the
// process's own (lines labelled with its rank), and to the file of a freopen.
#include <climits>
#include <cstddef>
#include <cstdio>
#include <cwchar>
#include <iostream>
#include <new>
#include <streambuf>

namespace {

class Standard : public std::streambuf {
 public:
  explicit Standard(std::FILE*& file) : file_(file) {}

 protected:
  int_type overflow(int_type character) override {
    return traits_type::eq_int_type(character, traits_type::eof()) ? traits_type::not_eof(character)
                                                                   : std::putc(character, file_);
  }
  std::streamsize xsputn(const char* text, std::streamsize bytes) override {
    return static_cast<std::streamsize>(std::fwrite(text, 1, static_cast<std::size_t>(bytes), file_));
  }
  int sync() override { return std::fflush(file_); }

 private:
  std::FILE*& file_;
};

/// As bytes of the program's locale, which is what putwc would write; but the file stays one of bytes, which printf
/// needs.
class WideStandard : public std::wstreambuf {
 public:
  explicit WideStandard(std::FILE*& file) : file_(file) {}

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
    char bytes[MB_LEN_MAX];
    const std::size_t count = std::wcrtomb(bytes, traits_type::to_char_type(character), &state_);
    if (count == static_cast<std::size_t>(-1)) return traits_type::eof();
    return std::fwrite(bytes, 1, count, file_) == count ? character : traits_type::eof();
  }
  int sync() override { return std::fflush(file_); }

 private:
  std::FILE*& file_;
  std::mbstate_t state_{};
};

/// Never destroyed: destructors of the program's globals may still write.
template <class Buffer>
Buffer* lasting(std::FILE*& file) {
  alignas(Buffer) static std::byte room[2][sizeof(Buffer)];
  return new (room[&file == &stderr]) Buffer(file);
}

template <class Buffer, class Stream>
void redirect(Stream& out, Stream& error, Stream& log) {
  out.rdbuf(lasting<Buffer>(stdout));
  error.rdbuf(lasting<Buffer>(stderr));
  log.rdbuf(error.rdbuf());
}

bool join() {
  redirect<Standard>(std::cout, std::cerr, std::clog);
  redirect<WideStandard>(std::wcout, std::wcerr, std::wclog);
  return true;
}

[[maybe_unused]] const bool is_joined = join();  // at load, after <iostream> has made them

}  // namespace

/// std::ios_base::sync_with_stdio (--wrap, scripts/sanvp-cc.in) stays on: without stdio there is no label.
extern "C" bool __wrap__ZNSt8ios_base15sync_with_stdioEb(bool) { return true; }
