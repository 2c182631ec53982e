#include "models/nic/elan3/memory.hpp"

#include <algorithm>

namespace sanvp::nic::elan3 {
namespace {

constexpr std::uint32_t moved = E3_CAUSE_NONE;

/// What the bus says of a transfer: a cause, and for a trap its status as in enum e3_bus_status.
std::uint32_t cause_of(const Pci::Transfer& transfer, Access& access) {
  access.done = transfer.done;
  if (transfer.good()) return moved;
  access.fault.access = static_cast<std::uint32_t>(-transfer.status);
  return E3_CAUSE_BUS;
}

}  // namespace

/// Page by page: `move(place, offset, size, access)` moves the bytes and adds what that takes, or says why it cannot.
template <class Move>
Access Memory::walk(Subject subject, e3_addr address, std::size_t bytes, Intent intent, Time at, Move move) {
  Access access{.done = at};
  for (std::size_t offset = 0; offset < bytes;) {
    const e3_addr here = address + static_cast<e3_addr>(offset);
    const std::size_t size = std::min<std::size_t>(bytes - offset, E3_PAGE_BYTES - here % E3_PAGE_BYTES);
    const Translation place = mmu_.translate(subject, here, intent);
    access.done += place.walked * sdram_.rules().access;
    access.fault = place.fault;
    if (!access.fault) {
      access.main |= !place.local;
      if (const std::uint32_t cause = move(place, offset, size, access); cause != moved)
        access.fault = {cause, subject.context, here, access.fault.access};
    }
    if (access.fault) return access;
    offset += size;
  }
  return access;
}

Access Memory::read(Subject subject, e3_addr address, std::span<std::byte> to, Time at, Intent intent) {
  if (const std::byte* from = mmu_.find(subject, address, to.size(), intent); from != nullptr) {
    std::copy_n(from, to.size(), to.data());
    return {.done = at + sdram_.rules().access};
  }
  return walk(subject, address, to.size(), intent, at,
              [&](const Translation& place, std::size_t offset, std::size_t size, Access& access) -> std::uint32_t {
                if (!place.local)
                  return cause_of(pci_.read(place.address, to.subspan(offset, size), access.done), access);
                const std::byte* from = sdram_.find(place.address, size);
                if (from == nullptr) return E3_CAUSE_PAGE;
                std::copy_n(from, size, to.data() + offset);
                access.done += sdram_.rules().access;
                return moved;
              });
}

Access Memory::write(Subject subject, e3_addr address, std::span<const std::byte> from, Time at, Intent intent) {
  if (std::byte* to = mmu_.find(subject, address, from.size(), intent); to != nullptr) {
    std::copy_n(from.data(), from.size(), to);
    return {.done = at + sdram_.rules().access};
  }
  return walk(subject, address, from.size(), intent, at,
              [&](const Translation& place, std::size_t offset, std::size_t size, Access& access) -> std::uint32_t {
                if (!place.local)
                  return cause_of(pci_.write(place.address, from.subspan(offset, size), access.done, subject.input),
                                  access);
                std::byte* to = sdram_.find(place.address, size);
                if (to == nullptr) return E3_CAUSE_PAGE;
                std::copy_n(from.data() + offset, size, to);
                access.done += sdram_.rules().access;
                return moved;
              });
}

Access Memory::check_pages(Subject subject, e3_addr address, std::uint32_t bytes, Intent intent, Time at) {
  return walk(subject, address, bytes, intent, at,
              [](const Translation&, std::size_t, std::size_t, Access&) { return moved; });
}

}  // namespace sanvp::nic::elan3
