#include "models/nic/lanai/windows.hpp"

#include <algorithm>

namespace sanvp::nic::lanai {
namespace {

constexpr std::size_t word = sizeof(std::uint32_t);

std::span<std::byte> data(tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}

}  // namespace

unsigned Windows::transport_dbg(tlm::tlm_generic_payload& payload) {
  const auto memory = sram_.find(payload.get_address(), payload.get_data_length());
  payload.set_response_status(memory.empty() ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  if (payload.is_write())
    std::copy_n(data(payload).begin(), memory.size(), memory.begin());
  else
    std::copy(memory.begin(), memory.end(), data(payload).begin());
  return static_cast<unsigned>(memory.size());
}

tlm::tlm_response_status Windows::access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) {
  const auto [window, offset] = place;
  const auto bytes = data(payload);
  if (payload.is_read()) return read(window, offset, bytes);
  const tlm::tlm_response_status status = check(window, offset, bytes.size());
  if (status == tlm::TLM_OK_RESPONSE) posted_.post(arrival(delay), {window, offset, {bytes.begin(), bytes.end()}});
  return status;
}

tlm::tlm_response_status Windows::read(int window, std::uint64_t offset, std::span<std::byte> to) const {
  if (window == LANAI_BAR_SRAM) {
    const auto from = sram_.find(offset, to.size());
    if (from.empty()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    std::copy(from.begin(), from.end(), to.begin());
    return tlm::TLM_OK_RESPONSE;
  }
  if (window == LANAI_BAR_EEPROM && offset + to.size() <= LANAI_EEPROM_BYTES) {
    std::fill(to.begin(), to.end(), std::byte{0});
    if (offset < eeprom_.size())
      std::copy_n(eeprom_.begin() + static_cast<std::ptrdiff_t>(offset), std::min(to.size(), eeprom_.size() - offset),
                  to.begin());
    return tlm::TLM_OK_RESPONSE;
  }
  const auto* found = window == LANAI_BAR_REGISTERS ? registers_.find(static_cast<std::uint32_t>(offset)) : nullptr;
  if (found == nullptr || to.size() != word) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::uint32_t value = found->read ? found->read() : 0;
  std::memcpy(to.data(), &value, word);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Windows::check(int window, std::uint64_t offset, std::size_t bytes) const {
  if (window == LANAI_BAR_SRAM)
    return sram_.find(offset, bytes).empty() ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
  const auto* found = window == LANAI_BAR_REGISTERS ? registers_.find(static_cast<std::uint32_t>(offset)) : nullptr;
  return found != nullptr && found->write && bytes == word ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void Windows::act(const Store& store) {
  if (store.window == LANAI_BAR_SRAM) {
    std::copy(store.bytes.begin(), store.bytes.end(), sram_.find(store.offset, store.bytes.size()).begin());
    counters_.count(Counter::host_stores);
    events_.raise(LANAI_EVENT_HOST);
    return;
  }
  std::uint32_t value = 0;
  std::memcpy(&value, store.bytes.data(), word);
  registers_.find(static_cast<std::uint32_t>(store.offset))->write(value);
}

}  // namespace sanvp::nic::lanai
