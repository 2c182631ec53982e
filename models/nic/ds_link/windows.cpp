#include "models/nic/ds_link/windows.hpp"

namespace sanvp::nic::ds_link {
namespace {

constexpr unsigned word = sizeof(std::uint32_t);

bool is_command(std::uint32_t offset, unsigned bytes) {
  switch (offset % DS_PORT_BYTES) {
    case DS_PORT_OUTPUT:
    case DS_PORT_INPUT:
      return bytes == sizeof(ds_transfer);
    case DS_PORT_CONNECT:
      return bytes == sizeof(ds_connection);
    default:
      return false;
  }
}

}  // namespace

Windows::Windows(net::Timeline& timeline, std::uint32_t unit, std::vector<std::uint32_t> rom,
                 const RegisterFile& registers, stc104::ControlNetwork* control, Port port)
    : rom_(std::move(rom)),
      virtual_links_(rom_.at(offsetof(ds_position, virtual_links) / word)),
      registers_(registers),
      control_(control),
      port_(std::move(port)),
      posted_(timeline, unit, [this](const Store& store) { act(store); }) {}

std::vector<std::uint64_t> Windows::sizes() const {
  const std::uint64_t devices = control_ != nullptr ? control_->devices() : 0;
  return {std::uint64_t{virtual_links_} * DS_PORT_BYTES, DS_REGISTER_BYTES, rom_.size() * word,
          devices * STC104_DEVICE_BYTES};
}

tlm::tlm_response_status Windows::access(tlm::tlm_generic_payload& payload, Place place, sc_core::sc_time& delay) {
  const auto [window, offset] = place;
  const std::span<std::byte> data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  if (window == DS_BAR_CONTROL) return control(payload, offset, delay);
  if (payload.is_read()) return read(window, offset, data);
  if (data.size() > DS_PORT_BYTES) return tlm::TLM_BURST_ERROR_RESPONSE;
  Store store{.window = window, .offset = offset, .bytes = static_cast<unsigned>(data.size())};
  std::memcpy(store.data.data(), data.data(), data.size());
  return write(store, arrival(delay));
}

tlm::tlm_response_status Windows::read(int window, std::uint32_t offset, std::span<std::byte> to) const {
  if (window == DS_BAR_ROM && offset + to.size() <= rom_.size() * word) {
    std::memcpy(to.data(), reinterpret_cast<const std::byte*>(rom_.data()) + offset, to.size());
    return tlm::TLM_OK_RESPONSE;
  }
  const auto* found = window == DS_BAR_REGISTERS && to.size() == word ? registers_.find(offset) : nullptr;
  if (found == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::uint32_t value = found->read ? found->read() : 0;
  std::memcpy(to.data(), &value, sizeof value);
  return tlm::TLM_OK_RESPONSE;
}

/// The port serves one access at a time; the processor waits for its end.
tlm::tlm_response_status Windows::control(tlm::tlm_generic_payload& payload, std::uint32_t address,
                                          sc_core::sc_time& delay) {
  if (control_ == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  std::uint32_t value = 0;
  if (payload.get_data_length() != sizeof value) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.is_write()) std::memcpy(&value, payload.get_data_ptr(), sizeof value);
  const auto access = payload.is_write() ? control_->poke(address, value) : control_->peek(address);
  if (!access.good) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &access.value, sizeof access.value);
  delay += net::to_sc_time(access.takes);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Windows::write(const Store& store, Time at) {
  if (store.window == DS_BAR_CHANNELS) {
    if (store.offset / DS_PORT_BYTES >= virtual_links_) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (!is_command(store.offset, store.bytes)) return tlm::TLM_BURST_ERROR_RESPONSE;
  } else {
    const auto* found =
        store.window == DS_BAR_REGISTERS && store.bytes == word ? registers_.find(store.offset) : nullptr;
    if (found == nullptr || !found->write) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  posted_.post(at, store);
  return tlm::TLM_OK_RESPONSE;
}

void Windows::act(const Store& store) {
  if (store.window == DS_BAR_CHANNELS)
    port_(store.offset / DS_PORT_BYTES, store.offset % DS_PORT_BYTES, store);
  else
    registers_.find(store.offset)->write(store.as<std::uint32_t>());
}

}  // namespace sanvp::nic::ds_link
