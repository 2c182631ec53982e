/// riscv_fuzz PROGRAM FILES WORDS CALLS [SEED [RUNS]]
///
/// Runs mutated copies of an executable, random instruction words, and system calls with random arguments, in the
/// working folder. The simulator must survive; nothing else is expected of them. With RUNS, blocks are translated that
/// have run so often.
#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/cpu/riscv/linux/scheduler.hpp"
#include "models/cpu/riscv/linux/system_call.hpp"
#include "platform/core/error.hpp"
#include "platform/core/random.hpp"

namespace {

using namespace sanvp::riscv;
using sanvp::Random;

constexpr std::uint64_t most_instructions = 5000;

using Translating = std::optional<TranslationSettings>;

os::ProcessSettings settings_for(const std::string& path, const Translating& translation) {
  os::ProcessSettings settings{.path = path, .arguments = {"program"}};
  settings.window_bytes = std::uint64_t{64} << 20;
  settings.memory_bytes = std::uint64_t{32} << 20;
  settings.stack_bytes = 1 << 20;
  settings.translation = translation;
  settings.costs.cycle_ps = 1000;
  settings.costs.cycles.fill(1);
  return settings;
}

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Most changes hit the headers.
std::string mutated(std::string bytes, Random& random) {
  constexpr std::size_t headers = 64 + 56 * 8;
  for (std::uint64_t changes = 1 + random.below(8); changes > 0; --changes) {
    const std::size_t range = random.below(3) == 0 ? bytes.size() : std::min(headers, bytes.size());
    const std::size_t at = random.below(range);
    const char corners[] = {0, 1, -1, 127, -128};
    bytes[at] = random.below(2) == 0 ? corners[random.below(5)] : static_cast<char>(random.next());
  }
  if (random.below(20) == 0) bytes.resize(random.below(bytes.size()));
  return bytes;
}

void run_mutated_files(const std::string& original, std::uint64_t count, Random& random,
                       const Translating& translation) {
  std::uint64_t refused = 0, ended = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::ofstream("mutated", std::ios::binary | std::ios::trunc) << mutated(original, random);
    try {
      os::Process process(settings_for("mutated", translation));
      os::Scheduler scheduler(process, 1000);
      if (scheduler.run({.instructions = most_instructions}) == os::Scheduler::Over::ended) ++ended;
    } catch (const sanvp::UserError&) {
      ++refused;
    }
  }
  fmt::print("{} files: {} refused, {} ended by themselves\n", count, refused, ended);
}

/// Where accesses of a random program may go, and where not.
std::uint64_t draw_value(Random& random) {
  constexpr std::uint64_t corners[] = {0, 1, 8, 4095, 4096, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  switch (random.below(5)) {
    case 0:
      return random.next();
    case 1:
      return corners[random.below(std::size(corners))];
    case 2:
      return std::uint64_t{0} - corners[random.below(std::size(corners))];
    case 3:
      return 0x10000 + random.below(0x3000);
    default:
      return random.below(64);
  }
}

template <class Word>
void run_random_words(std::uint64_t count, Random& random, const Translating& translation) {
  constexpr std::uint64_t code = 0x10000, data = 0x11000, batch = 1024;
  std::uint64_t executed = 0;
  for (std::uint64_t done = 0; done < count; done += batch) {
    Memory memory(0x20000);
    Interpreter<Word> interpreter(memory, {});
    if (translation) interpreter.translate(*translation);
    Hart<Word> hart;
    hart.memory = memory.window();
    memory.protect(code, page_bytes, readable | writable | executable);
    memory.protect(data, page_bytes, readable | writable);
    for (std::uint64_t i = 0; i < batch; ++i)
      store_to(memory.window(), code + 4 * i, static_cast<std::uint32_t>(random.next()));
    for (std::uint64_t i = 0; i < batch; ++i) {
      for (Word& x : hart.x) x = static_cast<Word>(draw_value(random));
      hart.x[0] = 0;
      hart.pc = static_cast<Word>(code + 4 * i);
      const std::uint64_t before = hart.retired;
      (void)interpreter.run(hart, 20);
      executed += hart.retired - before;
    }
  }
  fmt::print("{} words of RV{}: {} instructions executed\n", count, 8 * sizeof(Word), executed);
}

/// Paths in and out of the folder, and of what is the virtual machine's own; test_hostile.py makes what they lead to.
constexpr const char* paths[] = {"/dev/null",
                                 "/dev/zero",
                                 "/dev/urandom",
                                 "/proc/self/exe",
                                 "/proc/self/maps",
                                 "/proc/self/mem",
                                 "/tmp",
                                 ".",
                                 "..",
                                 "link",
                                 "up",
                                 "up/file",
                                 "../outside/file",
                                 "mem",
                                 "device",
                                 "fifo",
                                 "own",
                                 "own.d",
                                 "own.d/file",
                                 ""};
constexpr std::uint64_t path_bytes = 32;

/// System calls of a program whose entry is made an ecall.
class RandomCalls {
 public:
  RandomCalls(os::Process& process, Random& random)
      : process_(process),
        thread_(*process.threads().front()),
        entry_(thread_.hart.pc),
        names_((thread_.hart.x[sp] - 2 * path_bytes * std::size(paths)) & ~std::uint64_t{path_bytes - 1}),
        random_(random) {
    constexpr std::uint32_t ecall = 0x73;
    store_to(process.space().memory().window(), entry_, ecall);
    for (std::size_t i = 0; i < std::size(paths); ++i) {
      std::array<char, path_bytes> name{};
      std::strncpy(name.data(), paths[i], path_bytes - 1);
      process.space().memory().write(path_at(i), name);
    }
  }

  /// Descriptors for the calls that follow.
  void open_some() {
    constexpr unsigned openat = 56;
    constexpr std::array flags{O_RDONLY, O_WRONLY, O_RDWR, O_RDWR | O_CREAT, O_RDONLY | O_DIRECTORY};
    for (int i = 0; i < 8; ++i)
      make(openat, {static_cast<std::uint64_t>(AT_FDCWD), path_at(random_.below(std::size(paths))),
                    static_cast<std::uint64_t>(flags.at(random_.below(flags.size()))), 0600});
  }

  /// @returns whether the thread can make another one
  bool make(std::uint64_t number, const std::array<std::uint64_t, 6>& arguments) {
    thread_.hart.pc = entry_;
    thread_.hart.x[a7] = number;
    std::copy(arguments.begin(), arguments.end(), &thread_.hart.x[a0]);
    process_.run(thread_, 1);
    return !process_.end() && !thread_.has_ended && thread_.wait.what == os::Wait::For::turn;
  }

  std::uint64_t draw_argument() {
    switch (random_.below(8)) {
      case 0:
        return path_at(random_.below(std::size(paths)));
      case 1:
        return random_.below(12);  // a descriptor
      case 2:
        return static_cast<std::uint64_t>(AT_FDCWD);
      case 3:
        return thread_.hart.x[sp];
      default:
        return draw_value(random_);
    }
  }

 private:
  static constexpr unsigned sp = 2, a0 = 10, a7 = 17;
  std::uint64_t path_at(std::size_t index) const { return names_ + index * path_bytes; }

  os::Process& process_;
  os::Thread& thread_;
  std::uint64_t entry_, names_;
  Random& random_;
};

void make_random_calls(const std::string& path, std::uint64_t count, Random& random, const Translating& translation) {
  std::vector<unsigned> numbers;
  for (const auto& [name, call] : sanvp::Registry<os::SystemCall>::all()) numbers.push_back(call.number);
  std::uint64_t made = 0;
  while (made < count) {
    os::Process process(settings_for(path, translation));
    RandomCalls calls(process, random);
    calls.open_some();
    bool goes_on = true;
    for (int i = 0; i < 50 && made < count && goes_on; ++i, ++made) {
      const std::uint64_t number = random.below(50) == 0 ? random.next() : numbers[random.below(numbers.size())];
      std::array<std::uint64_t, 6> arguments{};
      for (std::uint64_t& argument : arguments) argument = calls.draw_argument();
      goes_on = calls.make(number, arguments);
    }
  }
  fmt::print("{} system calls\n", made);
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) return 2;
  const std::string program = std::filesystem::absolute(words[1]).string();
  const auto number = [&](int index) { return index < count ? std::strtoull(words[index], nullptr, 10) : 1; };
  const std::uint64_t seed = number(5);
  Translating translation;
  if (count > 6) translation = TranslationSettings{.after_runs = number(6)};
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // what was done before a crash
  Random random(seed, "riscv fuzz");
  run_mutated_files(contents_of(program), number(2), random, translation);
  run_random_words<std::uint64_t>(number(3), random, translation);
  run_random_words<std::uint32_t>(number(3) / 4, random, translation);
  make_random_calls(program, number(4), random, translation);
  return 0;
}
