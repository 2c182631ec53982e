#include "models/cpu/riscv/linux/initial_stack.hpp"

#include <elf.h>

#include <cstring>

namespace sanvp::riscv::os {
namespace {

constexpr std::uint64_t bit_of(char extension) { return std::uint64_t{1} << (extension - 'A'); }

/// Lays texts from the top down, then collects words that go below them.
class Stack {
 public:
  Stack(const Memory& memory, std::uint64_t top) : memory_(memory), at_(top) {}

  std::uint64_t put(const void* bytes, std::size_t count) {
    at_ -= count;
    std::memcpy(memory_.window().base + at_, bytes, count);
    return at_;
  }
  std::uint64_t put(const std::string& text) { return put(text.c_str(), text.size() + 1); }
  /// The first text gets the lowest address. @returns their addresses
  std::vector<std::uint64_t> put(const std::vector<std::string>& texts) {
    std::vector<std::uint64_t> addresses(texts.size());
    for (std::size_t i = texts.size(); i-- > 0;) addresses[i] = put(texts[i]);
    return addresses;
  }
  void align() { at_ &= ~std::uint64_t{15}; }

 private:
  const Memory& memory_;
  std::uint64_t at_;
};

std::uint64_t bytes_of(const StackContents& contents) {
  std::uint64_t bytes = 4096 + contents.path.size();  // auxiliary vector, alignment
  for (const auto* texts : {&contents.arguments, &contents.environment})
    for (const std::string& text : *texts) bytes += text.size() + 1 + 8;
  return bytes;
}

}  // namespace

std::uint64_t write_initial_stack(const Memory& memory, std::uint64_t top, std::uint64_t most, const Program& program,
                                  const StackContents& contents) {
  if (bytes_of(contents) > most) return 0;
  Stack stack(memory, top);  // texts in the order of Linux: programs measure and copy them, some by their alignment
  constexpr std::uint64_t end_mark = 0;
  stack.put(&end_mark, sizeof end_mark);
  const std::uint64_t path = stack.put(contents.path);
  const std::vector<std::uint64_t> environment = stack.put(contents.environment);
  const std::vector<std::uint64_t> arguments = stack.put(contents.arguments);
  stack.align();
  const std::uint64_t random = stack.put(contents.random, sizeof contents.random);
  std::vector<std::uint64_t> words{arguments.size()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.push_back(0);
  words.insert(words.end(), environment.begin(), environment.end());
  words.push_back(0);
  constexpr std::uint64_t extensions =
      bit_of('I') | bit_of('M') | bit_of('A') | bit_of('F') | bit_of('D') | bit_of('C');
  const std::uint64_t auxiliary[][2] = {{AT_PHDR, program.header_table},
                                        {AT_PHENT, sizeof(Elf64_Phdr)},
                                        {AT_PHNUM, program.headers},
                                        {AT_PAGESZ, page_bytes},
                                        {AT_BASE, 0},
                                        {AT_FLAGS, 0},
                                        {AT_ENTRY, program.entry},
                                        {AT_UID, 1000},
                                        {AT_EUID, 1000},
                                        {AT_GID, 1000},
                                        {AT_EGID, 1000},
                                        {AT_HWCAP, extensions},
                                        {AT_CLKTCK, 100},
                                        {AT_RANDOM, random},
                                        {AT_SECURE, 0},
                                        {AT_EXECFN, path},
                                        {AT_NULL, 0}};
  for (const auto& entry : auxiliary) words.insert(words.end(), {entry[0], entry[1]});
  if (words.size() % 2 != 0) words.push_back(0);  // the stack pointer is a multiple of 16
  stack.align();
  return stack.put(words.data(), words.size() * sizeof words[0]);
}

}  // namespace sanvp::riscv::os
