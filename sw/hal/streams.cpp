// The standard streams of C++ programs, which alone are linked with this. Those of libstdc++ keep the stdout and stderr
// that are there when the image is loaded, the simulator's; these look at each call, so they write to the process's own
// (lines labelled with its rank), and to the file of a freopen.
#include <cstddef>
#include <cstdio>
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

/// Never destroyed: destructors of the program's globals may still write.
alignas(Standard) std::byte room_for_out[sizeof(Standard)], room_for_error[sizeof(Standard)];

bool join() {
  std::cout.rdbuf(new (room_for_out) Standard(stdout));
  auto* const error = new (room_for_error) Standard(stderr);
  std::cerr.rdbuf(error);
  std::clog.rdbuf(error);
  return true;
}

[[maybe_unused]] const bool is_joined = join();  // at load, after <iostream> has made them

}  // namespace

/// std::ios_base::sync_with_stdio (--wrap, scripts/sanvp-cc.in) stays on: without stdio there is no label.
extern "C" bool __wrap__ZNSt8ios_base15sync_with_stdioEb(bool) { return true; }
