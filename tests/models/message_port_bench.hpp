/// Cards that carry messages on a small Mesh of Clos, each in a stub of a host: memory that answers at once, and a
/// program that writes commands to the card.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/nic/module.hpp"
#include "platform/testing/card_bench.hpp"
#include "sw/abi/registers/message_port.h"

namespace sanvp::test {

using testing::CardBench;

class MessageHost : public sc_core::sc_module, public nic::InterruptLine {
 public:
  static constexpr std::size_t memory_bytes = 1 << 20;

  tlm_utils::simple_initiator_socket<MessageHost, 64> card{"card"};
  tlm_utils::simple_target_socket<MessageHost, 64> bus{"bus"};
  std::function<void(MessageHost&)> program = [](MessageHost&) {};
  std::vector<std::byte> memory = std::vector<std::byte>(memory_bytes);
  std::map<std::uint64_t, Time> written;  ///< by address: when the card last wrote there

  explicit MessageHost(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.register_b_transport(this, &MessageHost::from_card);
    SANVP_HAS_PROCESS(MessageHost);
    SC_THREAD(run);
  }

  static void wait_until(Time at) {
    if (at > net::kernel_now()) sc_core::wait(net::to_sc_time(at - net::kernel_now()));
  }
  /// @return whether the card accepts it
  bool write(int window, std::uint64_t offset, const void* data, std::size_t bytes) {
    return access(tlm::TLM_WRITE_COMMAND, window, offset, const_cast<void*>(data), bytes);
  }
  bool read(int window, std::uint64_t offset, void* data, std::size_t bytes) {
    return access(tlm::TLM_READ_COMMAND, window, offset, data, bytes);
  }
  /// A command of this node's process `port`. Its status is written to `status`, which starts as 0.
  void command(message_command command, std::uint32_t port = 0) {
    REQUIRE(write(MESSAGE_BAR_PORTS, std::uint64_t{port} * MESSAGE_PAGE_BYTES, &command, sizeof command));
  }
  message_status status(std::uint64_t at) const {
    message_status status{};
    std::memcpy(&status, memory.data() + at, sizeof status);
    return status;
  }
  void fill(std::uint64_t at, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) memory[at + i] = pattern(i);
  }
  bool is_filled(std::uint64_t at, std::size_t bytes) const {
    for (std::size_t i = 0; i < bytes; ++i)
      if (memory[at + i] != pattern(i)) return false;
    return true;
  }
  void set(bool, const sc_core::sc_time&) override {}

 private:
  static std::byte pattern(std::size_t i) { return static_cast<std::byte>(i * 7 + i / 251 + 1); }

  void run() { program(*this); }
  bool access(tlm::tlm_command command, int window, std::uint64_t offset, void* data, std::size_t bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(static_cast<std::uint64_t>(window) << 32 | offset);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(static_cast<unsigned>(bytes));
    payload.set_streaming_width(static_cast<unsigned>(bytes));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    card->b_transport(payload, delay);
    return payload.is_response_ok();
  }
  void from_card(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const std::size_t bytes = payload.get_data_length();
    if (address > memory_bytes || bytes > memory_bytes - address) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), memory.data() + address, bytes);
    } else {
      std::memcpy(memory.data() + address, payload.get_data_ptr(), bytes);
      written[address] = net::kernel_now() + net::to_time(delay);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

class MessageBench : public CardBench<MessageHost> {
 public:
  explicit MessageBench(int hosts, const std::string& name = "moc-2-1", std::vector<std::string> settings = {})
      : CardBench(hosts, name, std::move(settings)) {}
};

}  // namespace sanvp::test
