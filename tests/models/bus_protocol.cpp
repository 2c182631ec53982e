/// A card as a target of its host's bus, as TLM-2.0's base protocol has it, and the checker of that protocol.
#include <catch2/catch.hpp>
#include <cstring>
#include <optional>

#include "sw/abi/registers/ds_link.h"
#include "sw/abi/registers/lanai.h"
#include "sw/abi/registers/tofu.h"
#include "tests/models/elan3_bench_dma.hpp"

// After <tlm>.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using namespace sanvp;
using namespace sanvp::test;
using sc_core::sc_time;
using testing::ProtocolChecker;

namespace {

class BusHost : public CardHost {
 public:
  using CardHost::CardHost;
  std::function<void(BusHost&)> program;

 private:
  void run() override {
    if (program) program(*this);
  }
};
using Bench = CardBench<BusHost>;

constexpr std::uint64_t at(std::uint64_t window, std::uint64_t offset) { return window << 32 | offset; }
constexpr std::uint64_t sdram = at(E3_BAR_SDRAM, 0x100), mask = at(E3_BAR_REGISTERS, E3_REG_INTERRUPT_MASK);

/// A payload with eight bytes of data.
struct Transfer {
  explicit Transfer(tlm::tlm_command command, std::uint64_t address, unsigned bytes = 4, std::uint64_t value = 0)
      : data(value) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
  }
  template <class Initiator>
  tlm::tlm_response_status by(Initiator& host, Time delay = Time{0}) {
    left = net::to_sc_time(delay);
    host.card->b_transport(payload, left);
    return payload.get_response_status();
  }
  std::uint64_t data;
  tlm::tlm_generic_payload payload;
  sc_time left;
};
std::uint64_t read(CardHost& host, std::uint64_t address, unsigned bytes = 4, Time delay = Time{0}) {
  Transfer transfer(tlm::TLM_READ_COMMAND, address, bytes);
  CHECK(transfer.by(host, delay) == tlm::TLM_OK_RESPONSE);
  return transfer.data;
}
void write(CardHost& host, std::uint64_t address, std::uint64_t value, Time delay = Time{0}) {
  CHECK(Transfer(tlm::TLM_WRITE_COMMAND, address, 4, value).by(host, delay) == tlm::TLM_OK_RESPONSE);
}

void on_one_card(const std::string& machine, std::function<void(BusHost&)> program) {
  Bench bench(1, machine);
  bool has_run = false;
  bench[0].program = [&](BusHost& host) {
    program(host);
    has_run = true;
  };
  bench.timeline.run(1ms);
  CHECK(has_run);
}
void on_elan3(std::function<void(BusHost&)> program) { on_one_card("qsnet-16", std::move(program)); }

/// A load of what has just been stored, at the same instant; of an initiator that runs ahead; and without waiting.
void check_order(const std::string& machine, std::uint64_t address, std::uint32_t first = 0) {
  on_one_card(machine, [=](BusHost& host) {
    CHECK(read(host, address) == first);
    write(host, address, 0x11);
    CHECK(read(host, address) == 0x11);
    CHECK(net::kernel_now() == 0ns);
    write(host, address, 0x22, 300ns);
    CHECK(read(host, address, 4, 200ns) == 0x11);  // it is at the card before the store
    CHECK(net::kernel_now() == 200ns);
    CHECK(read(host, address, 4, 100ns) == 0x22);
    CHECK(net::kernel_now() == 300ns);
    write(host, address, 0x33, 100ns);
    CHECK(read(host, address) == 0x22);
    Transfer load(tlm::TLM_READ_COMMAND, address);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay(100, sc_core::SC_NS);
    tlm::tlm_fw_transport_if<>& card = *host.card.operator->();
    static struct Memory : tlm::tlm_mm_interface {
      void free(tlm::tlm_generic_payload*) override {}
    } memory;
    load.payload.set_mm(&memory);
    load.payload.acquire();
    CHECK(card.nb_transport_fw(load.payload, phase, delay) == tlm::TLM_COMPLETED);
    CHECK(load.data == 0x33);
    CHECK(net::kernel_now() == 300ns);  // it may not wait
    load.payload.set_mm(nullptr);
  });
}

}  // namespace

TEST_CASE("a load of an Elan3 comes after the stores before it") { check_order("qsnet-16", mask); }
TEST_CASE("a load of a LANai comes after the stores before it") {
  check_order("myrinet-8", at(LANAI_BAR_REGISTERS, LANAI_REG_INTERRUPT_MASK));
}
TEST_CASE("a load of a LANai's SRAM comes after the stores before it") {
  check_order("myrinet-8", at(LANAI_BAR_SRAM, 0x8000));
}
TEST_CASE("a load of a DS-link card comes after the stores before it") {
  check_order("macrame-clos-64", at(DS_BAR_REGISTERS, DS_REG_MASK));
}
TEST_CASE("a load of TOFU's card comes after the stores before it") {
  check_order("tofu-36", at(TOFU_BAR_REGISTERS, TOFU_REG_QUEUES_LOW));
}

TEST_CASE("an interrupt routine that acknowledges until nothing is pending ends without time passing") {
  Elan3Bench bench(1);
  int rounds = 0;
  Time begun{0}, ended = never;
  bench.program(0, [&](Elan3Host& host) {
    host.store(Elan3Host::sdram(dest_event), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(9)});
    host.command(0, E3_CP_SET_EVENT, dest_event);
    host.wait_until(10us);
    begun = net::kernel_now();
    while ((host.read32(E3_BAR_REGISTERS, E3_REG_INTERRUPT) & E3_INT_EVENT) != 0 && rounds < 10) {
      ++rounds;
      host.write32(E3_BAR_REGISTERS, E3_REG_INTERRUPT, E3_INT_EVENT);
    }
    ended = net::kernel_now();
  });
  bench.run();
  CHECK(rounds == 1);
  CHECK(ended == begun);
}

TEST_CASE("a transfer without a command does nothing at registers, doorbells and memory") {
  on_elan3([](BusHost& host) {
    write(host, mask, 7);
    for (const std::uint64_t address : {mask, sdram, at(E3_BAR_COMMAND, E3_CP_PUT_DMA), at(9, 0)}) {
      Transfer nothing(tlm::TLM_IGNORE_COMMAND, address, 4, 0x1234);
      CHECK(nothing.by(host) == tlm::TLM_OK_RESPONSE);
      CHECK(nothing.data == 0x1234);
    }
    CHECK(read(host, mask) == 7);
    CHECK(read(host, sdram) == 0);
  });
}

TEST_CASE("a transfer that streams to one address, has byte enables or no data is refused and has no effect") {
  on_elan3([](BusHost& host) {
    Transfer streams(tlm::TLM_WRITE_COMMAND, sdram, 8, 0x2222222211111111);
    streams.payload.set_streaming_width(4);
    CHECK(streams.by(host) == tlm::TLM_BURST_ERROR_RESPONSE);
    Transfer wider(tlm::TLM_WRITE_COMMAND, sdram + 64, 8, 5);
    wider.payload.set_streaming_width(16);  // that is no stream
    CHECK(wider.by(host) == tlm::TLM_OK_RESPONSE);
    unsigned char enables[] = {0xff, 0};
    Transfer enabled(tlm::TLM_WRITE_COMMAND, sdram, 4, 0x33333333);
    enabled.payload.set_byte_enable_ptr(enables);
    enabled.payload.set_byte_enable_length(2);
    CHECK(enabled.by(host) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    CHECK(read(host, sdram, 8) == 0);
    CHECK(read(host, sdram + 64, 8) == 5);
  });
}

TEST_CASE("a store over a register and what is beside it is refused as a whole") {
  on_elan3([](BusHost& host) {
    CHECK(Transfer(tlm::TLM_WRITE_COMMAND, mask, 8, 0x1111).by(host) == tlm::TLM_BURST_ERROR_RESPONSE);
    CHECK(Transfer(tlm::TLM_WRITE_COMMAND, mask - 4, 8, 0x1111).by(host) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(Transfer(tlm::TLM_WRITE_COMMAND, at(E3_BAR_SDRAM, E3_SDRAM_BYTES - 4), 8, ~std::uint64_t{0}).by(host) ==
          tlm::TLM_ADDRESS_ERROR_RESPONSE);
    CHECK(read(host, mask) == 0);
    CHECK(read(host, at(E3_BAR_SDRAM, E3_SDRAM_BYTES - 4)) == 0);
  });
}

TEST_CASE("each register of the header of an Elan3 that can be read answers") {
  on_elan3([](BusHost& host) {
    CHECK(read(host, at(E3_BAR_REGISTERS, E3_REG_LINK_ERROR)) == 0);
    CHECK(read(host, at(E3_BAR_REGISTERS, E3_REG_LINK_STATE)) == 1);
  });
}

TEST_CASE("an Elan3 tells a page that is not mapped from memory that the bus refuses, with its status") {
  Elan3Bench bench(1);
  constexpr std::uint64_t nowhere = CardHost::memory_bytes + 0x3000;
  constexpr e3_addr page = place::main + 0x80000;
  e3_trap trap{};
  bench.program(0, [&](Elan3Host& host) {
    host.map(0, page, nowhere, false);
    host.command(0, E3_CP_PUT_DMA, page + 32);
    host.wait_until(50us);
    trap = host.trap(E3_TRAP_COMMAND);
  });
  bench.run();
  CHECK(trap.cause == E3_CAUSE_BUS);
  CHECK(trap.address == page + 32);
  CHECK(trap.access == E3_BUS_ADDRESS);
}

TEST_CASE("a debugger sees registers, memory and ROM, and changes nothing") {
  Elan3Bench bench(1);
  bench.program(0, [&](Elan3Host& host) {
    host.store(Elan3Host::sdram(dest_event), e3_event{.count = 1, .type = E3_EVENT_INTERRUPT(9)});
    host.command(0, E3_CP_SET_EVENT, dest_event);
    host.wait_until(10us);
    const auto look = [&](std::uint64_t address, unsigned bytes) {
      Transfer transfer(tlm::TLM_READ_COMMAND, address, bytes);
      CHECK(host.card->transport_dbg(transfer.payload) == bytes);
      return transfer.data;
    };
    CHECK(look(at(E3_BAR_REGISTERS, E3_REG_INTERRUPT), 4) == E3_INT_EVENT);
    CHECK(look(at(E3_BAR_REGISTERS, E3_REG_INTERRUPT_MASK), 8) == 0xffff);    // what is beside it reads as 0
    CHECK(look(at(E3_BAR_REGISTERS, E3_REG_INTERRUPT_MASK + 1), 1) == 0xff);  // a byte of it
    CHECK(look(at(E3_BAR_REGISTERS, E3_REG_EVENT_COOKIE), 4) == 0);           // reading takes it
    CHECK(look(at(E3_BAR_ROM, 0), 4) == E3_POSITION_MAGIC);
    CHECK(look(at(E3_BAR_SDRAM, Elan3Host::sdram(dest_event) + 4), 4) == E3_EVENT_INTERRUPT(9));
    Transfer poke(tlm::TLM_WRITE_COMMAND, mask, 4, 1);
    CHECK(host.card->transport_dbg(poke.payload) == 0);
    CHECK(read(host, mask) == 0xffff);
    CHECK(host.read32(E3_BAR_REGISTERS, E3_REG_EVENT_COOKIE) == 9);
  });
  bench.run();
}

TEST_CASE("an Elan3's SDRAM is direct memory, its registers and a LANai's SRAM are not") {
  on_elan3([](BusHost& host) {
    Transfer probe(tlm::TLM_WRITE_COMMAND, sdram, 4, 0x1234);
    CHECK(probe.by(host) == tlm::TLM_OK_RESPONSE);
    CHECK(probe.payload.is_dmi_allowed());
    tlm::tlm_dmi dmi;
    REQUIRE(host.card->get_direct_mem_ptr(probe.payload, dmi));
    CHECK(dmi.get_start_address() == at(E3_BAR_SDRAM, 0));
    CHECK(dmi.get_end_address() == at(E3_BAR_SDRAM, E3_SDRAM_BYTES - 1));
    CHECK(dmi.is_read_write_allowed());
    dmi.get_dmi_ptr()[sdram] = 0x77;
    CHECK(read(host, sdram) == 0x1277);
    Transfer other(tlm::TLM_READ_COMMAND, mask);
    CHECK_FALSE(host.card->get_direct_mem_ptr(other.payload, dmi));
    CHECK(dmi.get_start_address() == at(E3_BAR_REGISTERS, 0));
  });
}
TEST_CASE("a LANai's SRAM is not direct memory, since a store wakes its processor") {
  on_one_card("myrinet-8", [](BusHost& host) {
    tlm::tlm_dmi dmi;
    Transfer probe(tlm::TLM_READ_COMMAND, at(LANAI_BAR_SRAM, 0));
    CHECK_FALSE(host.card->get_direct_mem_ptr(probe.payload, dmi));
  });
}

TEST_CASE("a target that calls wait() without a WaitingBus is an error that names the socket and the cure") {
  Elan3Bench bench(1);
  bench[0].memory_waits = true;  // and the bench has put no WaitingBus between
  bench.program(0, [&](Elan3Host& host) { host.command(0, E3_CP_PUT_DMA, place::main + 64); });
  CHECK_THROWS_WITH(bench.run(), Catch::Contains("card_0.bus: the target at address 0x40 calls wait(); put a "
                                                 "nic::WaitingBus between"));
}

namespace {

/// A target that makes one mistake, and an initiator that makes another.
struct Mistaken : sc_core::sc_module {
  tlm_utils::simple_target_socket<Mistaken, 64> target{"target"};
  std::function<void(tlm::tlm_generic_payload&, sc_time&)> answer = [](tlm::tlm_generic_payload& payload, sc_time&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<unsigned(tlm::tlm_generic_payload&)> debug = [](tlm::tlm_generic_payload&) { return 0; };
  std::function<bool(tlm::tlm_generic_payload&, tlm::tlm_dmi&)> direct = [](tlm::tlm_generic_payload&, tlm::tlm_dmi&) {
    return true;
  };

  explicit Mistaken(const sc_core::sc_module_name& name) : sc_module(name) {
    target.register_b_transport(this, &Mistaken::b_transport);
    target.register_transport_dbg(this, &Mistaken::transport_dbg);
    target.register_get_direct_mem_ptr(this, &Mistaken::get_direct_mem_ptr);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) { answer(payload, delay); }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return debug(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) { return direct(payload, dmi); }
};

/// An initiator without a program.
struct Asker : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Asker, 64> card{"card"};
  explicit Asker(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// What the checker reports of a call. @param call  with the initiator
std::string complaint_of(const std::function<void(Mistaken&)>& prepare, const std::function<void(Asker&)>& call) {
  Asker asker("asker");
  Mistaken mistaken("mistaken");
  ProtocolChecker checker("checker");
  asker.card.bind(checker.target);
  checker.initiator.bind(mistaken.target);
  prepare(mistaken);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  try {
    call(asker);
  } catch (const sc_core::sc_report& report) {
    CHECK(std::string(report.get_msg_type()) == ProtocolChecker::report_type);
    return report.get_msg();
  }
  return {};
}

std::string of_request(const std::function<void(tlm::tlm_generic_payload&)>& spoil) {
  return complaint_of([](Mistaken&) {},
                      [&](Asker& host) {
                        Transfer transfer(tlm::TLM_READ_COMMAND, 0x40);
                        spoil(transfer.payload);
                        transfer.by(host);
                      });
}
std::string of_answer(const std::function<void(tlm::tlm_generic_payload&, sc_time&)>& answer) {
  return complaint_of([&](Mistaken& target) { target.answer = answer; },
                      [](Asker& host) { Transfer(tlm::TLM_WRITE_COMMAND, 0x40).by(host, 10ns); });
}

}  // namespace

TEST_CASE("the checker passes a right transfer") {
  CHECK(of_request([](auto&) {}).empty());
}
TEST_CASE("the checker finds a request with a response status") {
  CHECK_THAT(of_request([](auto& payload) { payload.set_response_status(tlm::TLM_OK_RESPONSE); }),
             Catch::Contains("checker: read of 4 bytes at 0x40: the request's response status"));
}
TEST_CASE("the checker finds a request with the DMI hint") {
  CHECK_THAT(of_request([](auto& payload) { payload.set_dmi_allowed(true); }), Catch::Contains("DMI hint"));
}
TEST_CASE("the checker finds a request without data") {
  CHECK_THAT(of_request([](auto& payload) { payload.set_data_ptr(nullptr); }), Catch::Contains("no data pointer"));
}
TEST_CASE("the checker finds a request of no length") {
  CHECK_THAT(of_request([](auto& payload) { payload.set_data_length(0); }), Catch::Contains("has no data"));
}
TEST_CASE("the checker finds a request of streaming width 0") {
  CHECK_THAT(of_request([](auto& payload) { payload.set_streaming_width(0); }), Catch::Contains("width is 0"));
}
TEST_CASE("the checker finds a target that sets no response status") {
  CHECK_THAT(of_answer([](auto&, auto&) {}), Catch::Contains("has set no response status"));
}
TEST_CASE("the checker finds a target that changes the address") {
  CHECK_THAT(of_answer([](auto& payload, auto&) {
               payload.set_address(7);
               payload.set_response_status(tlm::TLM_OK_RESPONSE);
             }),
             Catch::Contains("has changed the address"));
}
TEST_CASE("the checker finds a target that changes the data of a write") {
  CHECK_THAT(of_answer([](auto& payload, auto&) {
               payload.get_data_ptr()[0] ^= 1;
               payload.set_response_status(tlm::TLM_OK_RESPONSE);
             }),
             Catch::Contains("has changed the data"));
}
TEST_CASE("the checker finds a target that shortens the delay") {
  CHECK_THAT(of_answer([](auto& payload, auto& delay) {
               delay = sc_core::SC_ZERO_TIME;
               payload.set_response_status(tlm::TLM_OK_RESPONSE);
             }),
             Catch::Contains("it was to begin at 10 ns and ends at 0 s"));
}
TEST_CASE("the checker finds a debug transport of more bytes than asked for") {
  CHECK_THAT(complaint_of([](Mistaken& target) { target.debug = [](auto&) { return 5; }; },
                          [](Asker& host) {
                            Transfer transfer(tlm::TLM_READ_COMMAND, 0x40);
                            host.card->transport_dbg(transfer.payload);
                          }),
             Catch::Contains("more bytes than asked for"));
}
TEST_CASE("the checker finds direct memory without a pointer") {
  CHECK_THAT(complaint_of([](Mistaken&) {},
                          [](Asker& host) {
                            Transfer transfer(tlm::TLM_READ_COMMAND, 0x40);
                            tlm::tlm_dmi dmi;
                            host.card->get_direct_mem_ptr(transfer.payload, dmi);
                          }),
             Catch::Contains("without a pointer"));
}
TEST_CASE("the checker finds a blocking transfer from a method process") {
  const std::string text =
      complaint_of([](Mistaken&) {},
                   [](Asker& host) {
                     sc_core::sc_spawn_options options;
                     options.spawn_method();
                     sc_core::sc_spawn([&host] { Transfer(tlm::TLM_READ_COMMAND, 0x40).by(host); }, "method", &options);
                     sc_core::sc_start(sc_core::SC_ZERO_TIME);
                   });
  CHECK_THAT(text, Catch::Contains("b_transport is called from the method process method"));
}
