#include "models/nic/tofu/windows.hpp"

#include <cstring>

#include "models/net/transfer_cause.hpp"

namespace sanvp::nic::tofu {
namespace {

constexpr unsigned word = sizeof(std::uint32_t);

}  // namespace

Windows::Windows(net::Timeline& timeline, std::uint32_t unit, const tofu_position& position, RegisterFile registers,
                 Actions actions)
    : position_(position),
      registers_(std::move(registers)),
      actions_(std::move(actions)),
      posted_(timeline, unit, [this](const Store& store) { act(store); }) {}

std::vector<std::uint64_t> Windows::sizes() {
  return {std::uint64_t{TOFU_TNIS} * TOFU_QUEUES * TOFU_PAGE_BYTES, std::uint64_t{TOFU_PROCESSES} * TOFU_PAGE_BYTES,
          TOFU_REGISTER_BYTES, TOFU_ROM_BYTES};
}

tlm::tlm_response_status Windows::access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) {
  const auto [window, offset] = place;
  const unsigned bytes = payload.get_data_length();
  if (bytes == 0 || bytes % word != 0 || offset % word != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.is_read()) return read(window, offset, payload.get_data_ptr(), bytes);
  if (!can_store(window, offset, bytes)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  Store store{window, offset, bytes, {}, net::cause_of(payload)};
  std::memcpy(store.data.data(), payload.get_data_ptr(), bytes);
  posted_.post(arrival(delay), store);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Windows::read(int window, std::uint32_t offset, unsigned char* to, unsigned bytes) const {
  if (window != TOFU_BAR_ROM || offset + bytes > TOFU_ROM_BYTES) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::memset(to, 0, bytes);
  if (offset < sizeof position_)
    std::memcpy(to, reinterpret_cast<const std::byte*>(&position_) + offset,
                std::min<std::size_t>(bytes, sizeof position_ - offset));
  return tlm::TLM_OK_RESPONSE;
}

bool Windows::can_store(int window, std::uint32_t offset, unsigned bytes) const {
  const std::uint32_t in_page = offset % TOFU_PAGE_BYTES;
  if (static_cast<std::size_t>(window) >= sizes().size() || offset >= sizes()[static_cast<std::size_t>(window)])
    return false;
  if (window == TOFU_BAR_QUEUES) {
    if (in_page == TOFU_PAGE_DIRECT) return bytes == sizeof(tofu_order);
    return bytes == word && (in_page == TOFU_PAGE_ORDERS || in_page == TOFU_PAGE_TCQ || in_page == TOFU_PAGE_MRQ);
  }
  if (window == TOFU_BAR_BARRIER) return bytes == word && in_page < TOFU_PROCESS_GATES * word;
  if (window != TOFU_BAR_REGISTERS || bytes != word) return false;
  const auto* found = registers_.find(offset);
  return found != nullptr && found->write;
}

void Windows::act(const Store& store) {
  const std::uint32_t page = store.offset / TOFU_PAGE_BYTES, in_page = store.offset % TOFU_PAGE_BYTES;
  std::uint32_t value = 0;
  std::memcpy(&value, store.data.data(), sizeof value);
  if (store.window == TOFU_BAR_QUEUES && in_page == TOFU_PAGE_DIRECT) {
    tofu_order order;
    std::memcpy(&order, store.data.data(), sizeof order);
    actions_.order(page, order, store.cause);
  } else if (store.window == TOFU_BAR_QUEUES) {
    actions_.page(page, in_page, value);
  } else if (store.window == TOFU_BAR_BARRIER) {
    actions_.gate(page * TOFU_PROCESS_GATES + in_page / word);
  } else {
    registers_.find(store.offset)->write(value);
  }
}

}  // namespace sanvp::nic::tofu
