#include "models/nic/ds_link/windows.hpp"

namespace sanvp::nic::ds_link {
namespace {

constexpr int window_shift = 32;
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

Windows::Windows(net::Timeline& timeline, std::uint32_t unit, const ds_position& position,
                 const RegisterFile& registers, Port port)
    : position_(position),
      registers_(registers),
      port_(std::move(port)),
      posted_(timeline, unit, [this](const Store& store) { act(store); }) {}

std::vector<std::uint64_t> Windows::sizes() const {
  return {std::uint64_t{position_.virtual_links} * DS_PORT_BYTES, DS_REGISTER_BYTES, sizeof position_};
}

void Windows::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto window = static_cast<int>(payload.get_address() >> window_shift);
  const auto offset = static_cast<std::uint32_t>(payload.get_address());
  const std::span<std::byte> data(reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length());
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  } else if (payload.is_read()) {
    payload.set_response_status(read(window, offset, data));
  } else if (data.size() > DS_PORT_BYTES) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  } else {
    Store store{.window = window, .offset = offset, .bytes = static_cast<unsigned>(data.size())};
    std::memcpy(store.data.data(), data.data(), data.size());
    payload.set_response_status(write(store, net::kernel_now() + net::to_time(delay)));
  }
}

/// Loosely timed only: what a bus asks of it is over at once.
tlm::tlm_sync_enum Windows::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase&,
                                            sc_core::sc_time& delay) {
  b_transport(payload, delay);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_response_status Windows::read(int window, std::uint32_t offset, std::span<std::byte> to) const {
  if (window == DS_BAR_ROM && offset + to.size() <= sizeof position_) {
    std::memcpy(to.data(), reinterpret_cast<const std::byte*>(&position_) + offset, to.size());
    return tlm::TLM_OK_RESPONSE;
  }
  const auto* found = window == DS_BAR_REGISTERS && to.size() == word ? registers_.find(offset) : nullptr;
  if (found == nullptr) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const std::uint32_t value = found->read ? found->read() : 0;
  std::memcpy(to.data(), &value, sizeof value);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status Windows::write(const Store& store, Time at) {
  if (store.window == DS_BAR_CHANNELS) {
    if (store.offset / DS_PORT_BYTES >= position_.virtual_links) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
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
