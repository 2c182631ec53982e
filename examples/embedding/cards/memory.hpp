/// A memory as any TLM-2.0 platform may have one: it calls wait() for the time of each access.
#pragma once

#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

#include <tlm_utils/simple_target_socket.h>

class Memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory, 64> socket{"socket"};
  std::vector<unsigned char> bytes = std::vector<unsigned char>(1 << 20);

  explicit Memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Memory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
    const std::uint64_t address = transfer.get_address();
    const unsigned size = transfer.get_data_length();
    if (address > bytes.size() || size > bytes.size() - address) {
      transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    wait(delay + latency + size * per_byte);
    delay = sc_core::SC_ZERO_TIME;
    if (transfer.is_read())
      std::memcpy(transfer.get_data_ptr(), bytes.data() + address, size);
    else
      std::memcpy(bytes.data() + address, transfer.get_data_ptr(), size);
    transfer.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const sc_core::sc_time latency{100, sc_core::SC_NS};
  const sc_core::sc_time per_byte{1, sc_core::SC_NS};
};
