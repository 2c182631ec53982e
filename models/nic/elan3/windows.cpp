#include "models/nic/elan3/windows.hpp"

#include <algorithm>
#include <cstring>

#include "models/net/transfer_cause.hpp"

namespace sanvp::nic::elan3 {
namespace {

constexpr std::uint64_t contexts = 4096;  // FACTS 1.1
constexpr unsigned word = sizeof(std::uint32_t);

}  // namespace

std::vector<std::uint64_t> Windows::sizes() {
  return {E3_SDRAM_BYTES, contexts * E3_COMMAND_PAGE, E3_REGISTER_BYTES, E3_ROM_BYTES};
}

unsigned Windows::transport_dbg(tlm::tlm_generic_payload& payload) {
  const bool is_sdram = place(payload).window == E3_BAR_SDRAM;
  payload.set_response_status(is_sdram ? access_sdram(payload, place(payload).offset)
                                       : tlm::TLM_GENERIC_ERROR_RESPONSE);
  return payload.is_response_ok() ? payload.get_data_length() : 0;
}

tlm::tlm_response_status Windows::access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) {
  const auto [window, offset] = place;
  return window == E3_BAR_SDRAM ? access_sdram(payload, offset) : access_words(payload, window, offset, arrival(delay));
}

tlm::tlm_response_status Windows::access_sdram(tlm::tlm_generic_payload& payload, std::uint64_t offset) {
  const unsigned bytes = payload.get_data_length();
  std::byte* memory = sdram_.find(offset, bytes);
  if (memory == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.is_write())
    std::memcpy(memory, payload.get_data_ptr(), bytes);
  else
    std::memcpy(payload.get_data_ptr(), memory, bytes);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Windows::access_words(tlm::tlm_generic_payload& payload, int window, std::uint64_t offset,
                                               Time at) {
  const unsigned bytes = payload.get_data_length();
  if (bytes == 0 || bytes % word != 0 || offset % word != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  for (unsigned i = 0; i < bytes; i += word) {
    unsigned char* data = payload.get_data_ptr() + i;
    std::uint32_t value = 0;
    if (payload.is_read()) {
      bool exists = true;
      value = read_word(window, offset + i, exists);
      if (!exists) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
      std::memcpy(data, &value, word);
      continue;
    }
    // A command is an Elan address, 32 bits; a store of 64 has it in its lower half.
    if (window == E3_BAR_COMMAND && i > 0) break;
    if (!can_store(window, offset + i)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    std::memcpy(&value, data, word);
    posted_.post(at, {window, offset + i, value, net::cause_of(payload)});
  }
  return tlm::TLM_OK_RESPONSE;
}

std::uint32_t Windows::read_word(int window, std::uint64_t offset, bool& exists) const {
  if (window == E3_BAR_ROM && offset + word <= E3_ROM_BYTES) {
    std::uint32_t value = 0;
    if (offset < rom_.size()) std::memcpy(&value, &rom_[offset], std::min<std::size_t>(word, rom_.size() - offset));
    return value;
  }
  const auto* found = window == E3_BAR_REGISTERS ? registers_->find(static_cast<std::uint32_t>(offset)) : nullptr;
  exists = found != nullptr;
  return exists && found->read ? found->read() : 0;
}

bool Windows::can_store(int window, std::uint64_t offset) const {
  if (window == E3_BAR_COMMAND) return CommandProcessor::is_command(offset) && offset < contexts * E3_COMMAND_PAGE;
  if (window != E3_BAR_REGISTERS) return false;
  const auto* found = registers_->find(static_cast<std::uint32_t>(offset));
  return found != nullptr && found->write;
}

void Windows::act(const Store& store) {
  if (store.window == E3_BAR_COMMAND)
    commands_->store(store.offset, store.value, store.cause);
  else
    registers_->find(static_cast<std::uint32_t>(store.offset))->write(store.value);
}

}  // namespace sanvp::nic::elan3
