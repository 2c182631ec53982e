#include "models/native/interpreted/library.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sanvp::native::interpreted {
namespace {

constexpr std::array<RegisterNumber, 6> argument_registers{rdi, rsi, rdx, rcx, r8, r9};

template <class T>
T argument(const Registers& at, std::size_t number) {
  const std::uint64_t value = at.general[argument_registers.at(number)];
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(value);
  else
    return static_cast<T>(value);
}

template <class Result, class... Arguments, std::size_t... numbers>
void run(Registers& at, Result (*function)(Arguments...), std::index_sequence<numbers...>) {
  if constexpr (std::is_void_v<Result>)
    function(argument<Arguments>(at, numbers)...);
  else if constexpr (std::is_pointer_v<Result>)
    at.general[rax] = reinterpret_cast<std::uint64_t>(function(argument<Arguments>(at, numbers)...));
  else
    at.general[rax] = static_cast<std::uint64_t>(function(argument<Arguments>(at, numbers)...));
}

template <class Result, class... Arguments>
void run(Registers& at, Result (*function)(Arguments...)) {
  run(at, function, std::index_sequence_for<Arguments...>());
}

/// The list of arguments of x86-64's ABI: 6 registers of 8 bytes and 8 of 16 are saved one behind the other.
struct ArgumentList {
  std::uint32_t general_at, vector_at;  ///< bytes from the begin of what is saved
  std::byte* on_stack;
  std::byte* saved;
};

#ifdef __aarch64__
/// The same of the Procedure Call Standard for the ARM 64-bit Architecture, va_list: the ends of what is saved, and
/// (negative) bytes from there.
struct HostList {
  std::byte *on_stack, *general_end, *vector_end;
  std::int32_t general_from, vector_from;
};

HostList host_list(const ArgumentList& from) {
  constexpr int general_bytes = 48, all_bytes = general_bytes + 128;
  return {from.on_stack, from.saved + general_bytes, from.saved + all_bytes,
          static_cast<std::int32_t>(from.general_at) - general_bytes,
          static_cast<std::int32_t>(from.vector_at) - all_bytes};
}
#else
const ArgumentList& host_list(const ArgumentList& from) { return from; }
#endif

int print(char* to, std::size_t room, const char* format, const ArgumentList* arguments) {
  va_list list;
  const auto& from = host_list(*arguments);
  static_assert(sizeof list == sizeof from);
  std::memcpy(static_cast<void*>(&list), &from, sizeof from);
  return std::vsnprintf(to, room, format, list);
}

// The names of the C library, some of which are overloaded in C++.
const std::map<std::string, LibraryCall::Run>& calls() {
  static const std::map<std::string, LibraryCall::Run> all{
      {"memcpy", [](Registers& at) { run<void*, void*, const void*, std::size_t>(at, std::memcpy); }},
      {"memmove", [](Registers& at) { run<void*, void*, const void*, std::size_t>(at, std::memmove); }},
      {"memset", [](Registers& at) { run<void*, void*, int, std::size_t>(at, std::memset); }},
      {"memcmp", [](Registers& at) { run<int, const void*, const void*, std::size_t>(at, std::memcmp); }},
      {"strlen", [](Registers& at) { run<std::size_t, const char*>(at, std::strlen); }},
      {"strnlen", [](Registers& at) { run<std::size_t, const char*, std::size_t>(at, strnlen); }},
      {"strcmp", [](Registers& at) { run<int, const char*, const char*>(at, std::strcmp); }},
      {"strncmp", [](Registers& at) { run<int, const char*, const char*, std::size_t>(at, std::strncmp); }},
      {"strcpy", [](Registers& at) { run<char*, char*, const char*>(at, std::strcpy); }},
      {"strncpy", [](Registers& at) { run<char*, char*, const char*, std::size_t>(at, std::strncpy); }},
      {"strcat", [](Registers& at) { run<char*, char*, const char*>(at, std::strcat); }},
      {"strchr", [](Registers& at) { run<char*, char*, int>(at, std::strchr); }},
      {"strrchr", [](Registers& at) { run<char*, char*, int>(at, std::strrchr); }},
      {"strstr", [](Registers& at) { run<char*, char*, const char*>(at, std::strstr); }},
      {"atoi", [](Registers& at) { run<int, const char*>(at, std::atoi); }},
      {"strtol", [](Registers& at) { run<long, const char*, char**, int>(at, std::strtol); }},
      {"strtod",
       [](Registers& at) {
         at.vector[0].set_lane(0, std::strtod(argument<const char*>(at, 0), argument<char**>(at, 1)));
       }},
      {"strtoul", [](Registers& at) { run<unsigned long, const char*, char**, int>(at, std::strtoul); }},
      {"strtoll", [](Registers& at) { run<long long, const char*, char**, int>(at, std::strtoll); }},
      {"strtoull", [](Registers& at) { run<unsigned long long, const char*, char**, int>(at, std::strtoull); }},
      {"vsnprintf", [](Registers& at) { run<int, char*, std::size_t, const char*, const ArgumentList*>(at, print); }},
      {"malloc", [](Registers& at) { run<void*, std::size_t>(at, std::malloc); }},
      {"realloc", [](Registers& at) { run<void*, void*, std::size_t>(at, std::realloc); }},
      {"free", [](Registers& at) { run<void, void*>(at, std::free); }},
      {"malloc_usable_size", [](Registers& at) { run<std::size_t, void*>(at, malloc_usable_size); }},
      {"fputs", [](Registers& at) { run<int, const char*, std::FILE*>(at, std::fputs); }},
      {"abort", [](Registers&) { std::abort(); }},
      {"sysconf", [](Registers& at) { run<long, int>(at, sysconf); }},
      {"__errno_location", [](Registers& at) { at.general[rax] = reinterpret_cast<std::uint64_t>(&errno); }}};
  return all;
}

/// In one piece of memory, so that a call is told from other addresses by two comparisons.
std::vector<LibraryCall>& referred() {
  static std::vector<LibraryCall> all = [] {
    constexpr std::size_t most_names = 1024;  // images refer to some 200
    std::vector<LibraryCall> room;
    room.reserve(most_names);
    return room;
  }();
  return all;
}

}  // namespace

const LibraryCall* library_call(const std::string& name) {
  std::vector<LibraryCall>& all = referred();
  const auto found = std::ranges::find(all, name, &LibraryCall::name);
  if (found != all.end()) return &*found;
  if (all.size() == all.capacity()) return nullptr;
  // Headers of glibc 2.38 and newer call strtol by this name, as it reads the binary numbers of C23.
  constexpr std::string_view of_c23 = "__isoc23_";
  const auto known = calls().find(name.starts_with(of_c23) ? name.substr(of_c23.size()) : name);
  all.push_back({name, known != calls().end() ? known->second : nullptr});
  return &all.back();
}

const LibraryCall* library_call_at(std::uint64_t address) {
  const std::vector<LibraryCall>& all = referred();
  const auto begin = reinterpret_cast<std::uint64_t>(all.data());
  return address - begin < all.size() * sizeof(LibraryCall) ? &all[(address - begin) / sizeof(LibraryCall)] : nullptr;
}

}  // namespace sanvp::native::interpreted
