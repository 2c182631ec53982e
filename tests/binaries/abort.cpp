// Ends in a function whose callers a message has to name, as its argument says.
#include <cassert>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using Function = void (*)();

[[gnu::noinline]] void fails(int value) { assert(value > 1); }
[[gnu::noinline]] void throws(int value) { throw std::runtime_error(std::to_string(value)); }
[[gnu::noinline]] void frees_twice(void* volatile memory) {
  std::free(memory);
  std::free(memory);
}
[[gnu::noinline]] void frees_another(char* volatile memory) { std::free(memory + 8); }
[[gnu::noinline]] void calls(volatile Function function) {
  function();
  std::abort();
}
[[gnu::noinline]] int reads(const volatile int* number) { return *number; }
[[gnu::always_inline]] inline int reads_inline(const volatile int* number) { return *number; }
void handles(int /*signal*/) { std::raise(SIGABRT); }
unsigned data[4] = {0x00008067};  // ret

}  // namespace

int main(int count, char** arguments) {
  const std::string end = arguments[count - 1];
  if (end == "assertion") fails(1);
  if (end == "exception") throws(1);
  if (end == "twice") frees_twice(std::malloc(100));
  if (end == "another") frees_another(static_cast<char*>(std::malloc(100)));
  if (end == "null") calls(nullptr);
  if (end == "wild") calls(reinterpret_cast<Function>(0xDEADBEE0));
  if (end == "data") calls(reinterpret_cast<Function>(data));
  if (end == "abort") calls([] {});
  if (end == "thread") std::thread([] { throws(2); }).join();
  if (end == "element") return std::vector<int>(3).at(end.size());
  if (end == "inlined") return reads_inline(nullptr);
  std::signal(SIGSEGV, handles);
  if (end == "handled") return reads(nullptr);
  if (end == "handled jump") calls(nullptr);
  return 0;
}
