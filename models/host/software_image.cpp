// The part of Software for images: the table of calls, and the places where code yields.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "models/host/node.hpp"
#include "models/host/software.hpp"
#include "platform/core/error.hpp"
#include "platform/core/own_files.hpp"
#include "sw/abi/hal/files.h"

namespace sanvp::host {

Software::Software(const std::string& image, const Identity& identity, Node& node, Services& services)
    : image_(std::in_place, image, node.loader()),
      identity_(identity),
      node_(node),
      services_(services),
      out_([this](std::string_view line) { say(false, line); }),
      error_([this](std::string_view line) { say(true, line); }),
      spent_(image_->counter()),
      base_(std::numeric_limits<std::int64_t>::min()),
      loops_(&node.loader().loops(image)) {}

void Software::reprice() {
  if (image_) image_->put_new_prices(node_.loader());
}

int Software::files() const {
  if (identity_.io_servers > 0) return HAL_FILES_ON_IO_NODES;
  return node_.disk() != nullptr ? HAL_FILES_ON_DISK : HAL_FILES_FREE;
}

void Software::attach(const hal_kernel* kernel) {
  table_ = {.version = HAL_ABI_VERSION,
            .self = this,
            .rank = identity_.rank,
            .ranks = identity_.ranks,
            .job = identity_.job,
            .node = identity_.node,
            .nodes = identity_.nodes,
            .process = identity_.process,
            .rank_nodes = identity_.rank_nodes,
            .rank_processes = identity_.rank_processes,
            .card = node_.card().c_str(),
            .files = files(),
            .io_servers = identity_.io_servers,
            .io_stripe = identity_.io_stripe,
            .checks = services_.checks(identity_) ? 1 : 0,
            .records = services_.records(identity_) ? 1 : 0,
            .calls = &calls_of_hal(),
            .library = node_.settings().cpu.library.data(),
            .kernel = kernel};
  const auto* version = static_cast<const std::uint32_t*>(image_->symbol("hal_abi_version"));
  if (version == nullptr || spent_ == nullptr || *version != HAL_ABI_VERSION)
    throw UserError(image_->path(), "was compiled for another version of sanvp",
                    "compile it again with " + own_program("sanvp-cc"));
  const auto hal_attach = image_->required<void(const hal_host*)>("hal_attach");
  if (const auto fault = native::run_safely([&] { hal_attach(&table_); }))
    throw UserError(image_->path(), "is damaged: " + fault->to_text(*image_),
                    "compile it again with " + own_program("sanvp-cc"));
}

const std::byte* Software::checked_memory(std::uint64_t address, std::size_t bytes) const {
  const auto* const begin = std::bit_cast<const std::byte*>(address);
  return region_of(begin, bytes) || image_->is_constant(begin, bytes) ? begin : nullptr;
}

std::uint64_t Software::checked_code(std::uint64_t address) const {
  return image_->in_file(std::bit_cast<const void*>(address));
}

const native::Loop* Software::loop_at(const void* returns_to) const {
  const std::uint64_t address = image_->in_file(returns_to);
  const auto found =
      std::lower_bound(loops_->begin(), loops_->end(), address,
                       [](const native::Loop& loop, std::uint64_t wanted) { return loop.returns_to < wanted; });
  return found != loops_->end() && found->returns_to == address ? &*found : nullptr;
}

/// After the call in a stub comes a jump back into the code (scripts/images/count.py).
std::string Software::place() const {
  if (gave_way_at_ == nullptr) return {};
  constexpr std::size_t lea_bytes = 8, load_bytes = 8;
  constexpr std::uint8_t jump_32 = 0xe9, through_gs = 0x65;
  const auto* jump = static_cast<const std::uint8_t*>(gave_way_at_) + lea_bytes;
  if (*jump == through_gs) jump += load_bytes;  // if a register holds the counter
  if (*jump == jump_32) {
    std::int32_t way = 0;
    std::memcpy(&way, jump + 1, sizeof way);
    return image_->place_of(jump + 1 + sizeof way + way);
  }
  return image_->place_of(jump + 2 + static_cast<std::int8_t>(jump[1]));
}

OperandAddresses Software::operands_of(const native::Loop& loop, const hal_registers& registers) const {
  OperandAddresses addresses{};
  for (std::size_t i = 0; i < std::min(loop.operands.size(), addresses.size()); ++i) {
    const std::uintptr_t address = address_of(loop.operands[i], registers, *image_);
    if (checked_memory(address, 1) != nullptr) addresses[i] = address;
  }
  return addresses;
}

static OperandStrides strides_of(const native::Loop& loop, const hal_registers& registers) {
  OperandStrides strides{};
  for (std::size_t i = 0; i < std::min(loop.operands.size(), strides.size()); ++i)
    strides[i] = stride_of(loop.operands[i], registers);
  return strides;
}

int Software::gave_way(const hal_registers& registers, const void* returns_to) {
  Cpu& at = cpu();
  const Time span = take_spent();
  gave_way_at_ = returns_to;
  spins_since_ = never;
  account(span);
  at.run_ahead(span);
  const native::Loop* const loop = loop_at(returns_to);
  const bool is_program = !profile_.is_in_call() && (loop == nullptr || !loop->is_library);
  if (is_program) {
    const Time since = span + std::exchange(unlooked_, Time{0});
    if (loop != nullptr)
      has_looked(at.look(*loop, operands_of(*loop, registers), strides_of(*loop, registers), since), since);
  }
  if (!has_used_quantum(span)) return 0;
  compute(at, Time{0});
  stall(at);
  give_way(at, Time{0}, is_program);
  return is_program ? 1 : 0;
}

int Software::spun(const hal_registers& registers, const void* returns_to, Time until) {
  const native::Loop* const loop = loop_at(returns_to);
  if (loop == nullptr) return gave_way(registers, returns_to);
  std::vector<Cpu::Observed> observed;
  for (const native::Operand& operand : loop->operands) {
    const auto* const place = reinterpret_cast<const void*>(address_of(operand, registers, *image_));
    const auto bytes = std::min<std::uint32_t>(operand.bytes, sizeof(std::uint64_t));
    if (!region_of(place, bytes)) continue;
    observed.push_back({place, bytes, 0});
    observed.back().seen = observed.back().now();
  }
  Cpu& at = cpu();
  compute(at, take_spent());
  stall(at);
  if (gave_way_at_ != returns_to || spins_since_ == never) spins_since_ = at.now();
  gave_way_at_ = returns_to;
  at.spin(observed, spins_since_, until);
  if (at.has_timed_out(spins_since_) &&
      std::all_of(observed.begin(), observed.end(), [](const auto& one) { return one.now() == one.seen; }))
    give_up(place());
  allow(node_.settings().quantum);
  return profile_.is_in_call() || loop->is_library ? 0 : 1;
}

}  // namespace sanvp::host
