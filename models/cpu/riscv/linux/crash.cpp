#include "models/cpu/riscv/linux/crash.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/cpu/riscv/linux/backtrace.hpp"
#include "models/native/callers.hpp"
#include "models/native/symbols.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/units.hpp"

namespace sanvp::riscv::os {
namespace {

constexpr unsigned sp = 2;
constexpr std::size_t most_callers = 24;  // with those inlined, of which each that the backtrace finds may have many

std::string signal_text(int signal) {
  const char* const name = sigabbrev_np(signal);
  return "SIG" + (name == nullptr ? std::to_string(signal) : name);
}

/// A call that is open, of a function or of one inlined into it.
struct OpenCall {
  std::string function{};
  std::string text{};  ///< "solve() at solver.c:42", "memcpy()", "SIGFPE in main()"; empty: nothing is known
};

/// The innermost first.
std::vector<OpenCall> open_calls(const Process& process, const Thread& thread) {
  const native::Symbols symbols(process.settings().program->path());
  std::vector<OpenCall> calls;
  for (const Frame& frame : backtrace(process, thread, symbols)) {
    const auto places = symbols.places_at(frame.address);
    std::string before = frame.signal == 0 ? "" : signal_text(frame.signal) + " in ";
    for (const native::Place& place : places)
      calls.push_back({place.function, std::exchange(before, "") + place.to_text()});
    if (places.empty() && frame.signal == 0) calls.push_back({});
    if (places.empty() && frame.signal != 0)
      calls.push_back({"", fmt::format("{} at pc {:#x}", signal_text(frame.signal), frame.address)});
  }
  return calls;
}

/// Functions of libraries that start threads; no code of the program has called them.
bool begins_threads(std::string_view function) {
  return function == "start_thread" || function == "execute_native_thread_routine" || function == "gomp_thread_start";
}

struct Place {
  std::string pc{};       ///< " in solve() at solver.c:42"
  std::string callers{};  ///< "; called by main() at solver.c:60"
};

Place place_of(const Process& process, const Thread& thread) {
  Place place;
  std::string last;
  int same = 0;  // callers of a recursion, which are one line
  const auto calls = open_calls(process, thread);
  for (std::size_t i = 0; i < calls.size() && i <= most_callers; ++i) {
    const auto& [function, text] = calls[i];
    if (i > 0 && (text.empty() || begins_threads(function))) break;
    if (i == 0 && !text.empty()) place.pc = " in " + text;
    if (i == 1 || (i > 1 && text != last)) place.callers += (place.callers.empty() ? "; called by " : ", ") + text;
    if (i > 1 && text == last && ++same == 1) place.callers += " again and again";
    last = text;
    if (function == "main") break;  // what calls it is the C library
  }
  return place;
}

/// Whether a frame that is larger than the guard below the stack has taken the stack pointer to unmapped memory.
bool has_large_frame(const Process& process, const Thread& thread, std::uint64_t address) {
  const Memory& memory = process.space().memory();
  const std::uint64_t pointer = thread.hart.x[sp], page = pointer >> page_bits;
  const bool is_sane = process.space().heap_begin() < pointer && page < memory.window().pages;
  return is_sane && (memory.permissions(page) & writable) == 0 && address + Process::guard_bytes >= pointer;
}

/// Its stack size, and how to enlarge it; empty if the stack is not the cause.
std::string stack_overflow(const Process& process, const Thread& thread, std::uint64_t address) {
  const bool is_large = has_large_frame(process, thread, address);
  const bool is_first = thread.id == process.settings().id;
  if (process.stack_begin() - address <= Process::guard_bytes ||
      (is_large && is_first && address < process.stack_begin()))
    return fmt::format("; it has {} of stack, more with -s host.stack=SIZE",
                       size_to_text(static_cast<std::int64_t>(process.settings().stack_bytes)));
  const Memory& memory = process.space().memory();
  const std::uint64_t page = address >> page_bits;
  const bool is_guard = page < memory.window().pages && (memory.permissions(page) & ~counted) == mapped;
  const std::uint64_t pointer = thread.hart.x[sp];
  const bool is_near = is_large && !is_first && address < pointer + process.settings().stack_bytes;
  if (!is_near && (!is_guard || std::max(pointer, address) - std::min(pointer, address) > Process::guard_bytes))
    return {};
  return "; it is a thread's stack, larger with pthread_attr_setstacksize, or OMP_STACKSIZE for OpenMP";
}

/// "zba" of "zba1p0", "rv64i" of "rv64i2p1".
std::string_view without_version(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t minor = name.find_last_not_of(digits);
  if (minor == std::string_view::npos || minor + 1 == name.size() || name[minor] != 'p') return name;
  const std::size_t major = name.find_last_not_of(digits, minor - 1);
  return major == std::string_view::npos || major + 1 == minor ? name : name.substr(0, major + 1);
}

/// What the interpreter supports: parts of RV64GC by all their names, and hints, which do nothing.
bool is_there(std::string_view extension) {
  static constexpr std::string_view known[] = {"rv64i", "m",        "a",           "f",        "d",      "c",
                                               "zicsr", "zifencei", "zmmul",       "zaamo",    "zalrsc", "zca",
                                               "zcd",   "zicntr",   "zihintpause", "zihintntl"};
  return std::find(std::begin(known), std::end(known), extension) != std::end(known);
}

/// Extensions that the program was compiled for (its attribute Tag_RISCV_arch, as in rv64i2p1_m2p0_zba1p0) and that the
/// interpreter lacks: "zba, zbb".
std::string missing_extensions(const std::string& path) {
  constexpr std::string_view base = "rv64";
  const ElfFile file(path);
  const auto attributes = file.section(".riscv.attributes").bytes;
  const auto begin = std::search(attributes.begin(), attributes.end(), base.begin(), base.end());
  std::istringstream arch(std::string(begin, std::find(begin, attributes.end(), '\0')));
  std::string missing;
  for (std::string part; std::getline(arch, part, '_');)
    if (const std::string_view name = without_version(part); !name.empty() && !is_there(name))
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  return missing;
}

/// The cause of a signal, if known, and its cure.
struct Reason {
  std::string name{}, cure{};
};

Reason reason_of(const Process& process, const Thread& thread) {
  const End& end = *process.end();
  if (end.is_out_of_memory)
    return {"out of memory",
            fmt::format("; it has written to all of its {} of the node's memory, more with -s host.memory=SIZE",
                        size_to_text(static_cast<std::int64_t>(process.space().limit())))};
  const std::string missing = end.is_illegal ? missing_extensions(process.settings().program->path()) : "";
  if (!missing.empty())
    return {"illegal instruction", "; the program was compiled for " + missing +
                                       ", which the CPU does not have: compile it with -march=rv64gc"};
  const std::string overflow = end.address ? stack_overflow(process, thread, *end.address) : "";
  return overflow.empty() ? Reason{} : Reason{"stack overflow", overflow};
}

}  // namespace

std::string crash_text(const Process& process) {
  const End& end = *process.end();
  const auto thread = std::find_if(process.threads().begin(), process.threads().end(),
                                   [&](const auto& candidate) { return candidate->id == end.thread; });
  if (thread == process.threads().end()) return end.cause;
  const Place place = place_of(process, **thread);
  const Reason reason = reason_of(process, **thread);
  const std::string signal = signal_text(end.signal);
  return fmt::format("{} at pc {:#x}{}{}{}{}", reason.name.empty() ? signal : reason.name + " (" + signal + ")",
                     (*thread)->hart.pc, place.pc, end.address ? fmt::format(", address {:#x}", *end.address) : "",
                     reason.cure, place.callers);
}

std::string place_text(const Process& process, const Thread& thread) {
  const Place place = place_of(process, thread);
  const std::string at = place.pc.empty() ? fmt::format("pc {:#x}", thread.hart.pc) : place.pc.substr(4);  // " in "
  return at + place.callers;
}

native::OwnCalls own_calls(const Process& process, const Thread& thread) {
  const native::Symbols symbols(process.settings().program->path());
  std::vector<std::uint64_t> calls;
  for (const Frame& frame : backtrace(process, thread, symbols)) calls.push_back(frame.address);
  const auto has_line = [&](std::uint64_t address) {
    const auto places = symbols.places_at(address);
    return !places.empty() && !places.back().line.empty();
  };
  return native::own_calls(symbols, calls, [&](std::uint64_t address) {
    const std::optional<bool> is_own = process.is_own_code(address);
    return is_own ? *is_own : has_line(address);
  });
}

}  // namespace sanvp::riscv::os
