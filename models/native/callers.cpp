#include "models/native/callers.hpp"

#include <unwind.h>

#include <algorithm>

#include "models/native/block_table.hpp"
#include "models/native/safety_net.hpp"

namespace sanvp::native {
namespace {

struct Walk {
  const CodeMap& image;
  OpenCalls& calls;
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* data) {
  auto& [image, calls] = *static_cast<Walk*>(data);
  const auto* const code = reinterpret_cast<const void*>(_Unwind_GetIP(frame));
  if (!image.is_code(code)) return _URC_NO_REASON;
  calls.returns_to.at(calls.count++) = code;
  return calls.count == OpenCalls::most ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

OpenCalls open_calls(const CodeMap& image) {
  OpenCalls calls;
  Walk walk{image, calls};
  run_safely([&] { _Unwind_Backtrace(visit, &walk); });
  return calls;
}

OwnCalls own_calls(const Symbols& symbols, std::span<const std::uint64_t> calls,
                   const std::function<bool(std::uint64_t)>& is_own) {
  constexpr int most_named = 12;
  OwnCalls own;
  std::string last;
  int named = 0;
  bool repeats = false;  // a recursion, which is named once
  for (const std::uint64_t address : calls) {
    if (!is_own(address)) continue;
    if (own.innermost == 0) own.innermost = address;
    for (const Place& place : symbols.places_at(address)) {
      if (place.is_cxx_library) continue;  // a template that the program uses
      const std::string one = place.to_text();
      if (one != last && ++named > most_named) return own;
      if (one != last) own.text += (own.text.empty() ? "" : " < ") + one;
      if (one == last && !repeats) own.text += " again and again";
      repeats = one == last;
      last = one;
      if (place.function == "main") return own;  // what calls it is a library
    }
  }
  return own;
}

Callers::Callers(const std::string& path) : symbols_(path) {
  for (const Block& block : read_blocks(ElfFile(path), path))
    if (!block.is_library) own_blocks_.push_back(block.price_at);
  std::sort(own_blocks_.begin(), own_blocks_.end());
}

OwnCalls Callers::own_calls(std::span<const std::uint64_t> calls) const {
  return native::own_calls(symbols_, calls, [this](std::uint64_t address) { return is_own(address); });
}

/// All blocks of a function are the program's, or none is.
bool Callers::is_own(std::uint64_t address) const {
  const auto begin = symbols_.function_begin(address);
  if (!begin) return false;
  const auto block = std::lower_bound(own_blocks_.begin(), own_blocks_.end(), *begin);
  return block != own_blocks_.end() && symbols_.function_begin(*block) == begin;
}

}  // namespace sanvp::native
