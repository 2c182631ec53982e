/// An RV64 CPU with its memory, made of sanvp's interpreter: a TLM-2.0 initiator that runs ahead of the kernel by up to
/// a quantum. Addresses from `windows_at` on are the card's. The core is one of user level, so interrupts, waiting and
/// output are calls of the environment (program.c).
#pragma once

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/cpu/riscv/interpreter.hpp"
#include "models/cpu/riscv/long_form.hpp"

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace riscv = sanvp::riscv;

class Cpu : public sc_core::sc_module {
 public:
  static constexpr std::uint64_t memory_bytes = 16 << 20, windows_at = 0x40000000;

  tlm_utils::simple_initiator_socket<Cpu, 64> card{"card"};
  tlm_utils::simple_target_socket<Cpu, 64> memory{"memory"};  ///< for the card as a bus master
  sc_core::sc_in<bool> interrupt{"interrupt"};
  std::vector<std::uint64_t> windows;  ///< addresses of the card's, by number

  Cpu(const sc_core::sc_module_name& name, const std::string& program, int node, int nodes, sc_core::sc_time quantum)
      : sc_module(name), quantum_(quantum) {
    memory.register_b_transport(this, &Cpu::from_card);
    memory_.protect(riscv::page_bytes, memory_bytes - riscv::page_bytes,
                    riscv::readable | riscv::writable | riscv::executable);
    load(program);
    hart_.memory = memory_.window();
    hart_.x[sp] = memory_bytes - 16;
    hart_.x[a0] = static_cast<std::uint64_t>(node);
    hart_.x[a1] = static_cast<std::uint64_t>(nodes);
    SC_HAS_PROCESS(Cpu);
    SC_THREAD(run);
  }

 private:
  enum Register { ra = 1, sp = 2, a0 = 10, a1 = 11, a7 = 17 };
  enum Call { exit_call, say, set_handler, wait_for_interrupt, window, sleep_until_ns };
  static constexpr std::uint64_t end_of_handler = 0;  // its return address, in a page where nothing is

  void load(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string file{std::istreambuf_iterator<char>(stream), {}};
    Elf64_Ehdr header;
    if (file.size() < sizeof header) throw std::runtime_error(path + ": no program");
    std::memcpy(&header, file.data(), sizeof header);
    for (int i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment;
      std::memcpy(&segment, file.data() + header.e_phoff + i * sizeof segment, sizeof segment);
      if (segment.p_type == PT_LOAD)
        std::memcpy(memory_.window().base + segment.p_vaddr, file.data() + segment.p_offset, segment.p_filesz);
    }
    hart_.pc = header.e_entry;
  }

  // ---- the core ----

  void run() {
    const auto instructions = std::max<std::uint64_t>(1, quantum_.value() / hart_.cycle_ps);
    while (!has_ended_) {
      switch (interpreter_.run(hart_, instructions)) {
        case riscv::Stop::environment_call:
          call();
          break;
        case riscv::Stop::fault:
          fault();
          break;
        default:
          break;
      }
      if (ahead() > quantum_) synchronise();
      if (interrupt.read() && handler_ != 0 && !in_handler_) enter_handler();
    }
  }

  sc_core::sc_time own_time() const { return sc_core::sc_time::from_value(static_cast<std::uint64_t>(hart_.time_ps)); }
  sc_core::sc_time ahead() const {
    return own_time() > sc_core::sc_time_stamp() ? own_time() - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME;
  }
  void set_time(const sc_core::sc_time& time) { hart_.time_ps = static_cast<std::int64_t>(time.value()); }
  void synchronise() {
    if (ahead() > sc_core::SC_ZERO_TIME) wait(ahead());
    set_time(sc_core::sc_time_stamp());
  }

  void enter_handler() {
    interrupted_ = hart_;
    in_handler_ = was_interrupted_ = true;
    hart_.pc = handler_;
    hart_.x[ra] = end_of_handler;
  }
  void leave_handler() {
    in_handler_ = false;
    const std::int64_t time = hart_.time_ps;
    hart_ = interrupted_;
    hart_.time_ps = time;
  }

  void fault() {
    using riscv::Cause;
    if (in_handler_ && hart_.pc == end_of_handler) return leave_handler();
    const bool is_access = hart_.fault.cause == Cause::load_fault || hart_.fault.cause == Cause::store_fault;
    if (!is_access || hart_.fault.address < windows_at)
      throw std::runtime_error(std::string(name()) + ": a fault at pc " + std::to_string(hart_.pc));
    access_card();
  }

  /// Carries out the load or store of whole words at the pc.
  void access_card() {
    const auto instruction = riscv::long_form_at(memory_, hart_.pc);
    const std::uint32_t word = instruction->word;
    const unsigned bytes = 1U << (word >> 12 & 3), rd = word >> 7 & 31, rs2 = word >> 20 & 31;
    const bool is_store = hart_.fault.cause == riscv::Cause::store_fault;
    std::uint64_t value = is_store ? hart_.x[rs2] : 0;
    tlm::tlm_generic_payload transfer;
    transfer.set_command(is_store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    transfer.set_address(hart_.fault.address);
    transfer.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    transfer.set_data_length(bytes);
    transfer.set_streaming_width(bytes);
    sc_core::sc_time delay = ahead();
    card->b_transport(transfer, delay);
    if (!transfer.is_response_ok())
      throw std::runtime_error(std::string(name()) + ": the card refuses an access to " +
                               std::to_string(hart_.fault.address));
    set_time(sc_core::sc_time_stamp() + delay + access_time_);
    constexpr unsigned word_bytes = 4, is_unsigned = 4;
    if (bytes == word_bytes && (word >> 12 & is_unsigned) == 0)
      value = static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
    if (!is_store && rd != 0) hart_.x[rd] = value;
    hart_.pc += instruction->bytes;
  }

  void call() {
    std::uint64_t& argument = hart_.x[a0];
    switch (hart_.x[a7]) {
      case exit_call:
        has_ended_ = true;
        break;
      case say:
        std::cout << name() << " " << reinterpret_cast<const char*>(memory_.window().base + argument) << " at "
                  << own_time() << "\n";
        break;
      case set_handler:
        handler_ = argument;
        break;
      case wait_for_interrupt:
        synchronise();
        if (!was_interrupted_ && !interrupt.read()) wait(interrupt.posedge_event());
        was_interrupted_ = false;
        set_time(sc_core::sc_time_stamp());
        break;
      case window:
        argument = windows.at(argument);
        break;
      case sleep_until_ns:
        set_time(std::max(own_time(), sc_core::sc_time(static_cast<double>(argument), sc_core::SC_NS)));
        synchronise();
        break;
      default:
        throw std::runtime_error(std::string(name()) + ": an unknown call");
    }
  }

  // ---- its memory ----

  /// The card's transfers: they take a nanosecond a byte, as a delay.
  void from_card(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
    const std::uint64_t address = transfer.get_address();
    const unsigned bytes = transfer.get_data_length();
    if (address > memory_bytes || bytes > memory_bytes - address) {
      transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    auto* const place = reinterpret_cast<unsigned char*>(memory_.window().base + address);
    if (transfer.is_read()) std::memcpy(transfer.get_data_ptr(), place, bytes);
    if (transfer.is_write()) std::memcpy(place, transfer.get_data_ptr(), bytes);
    delay += sc_core::sc_time(bytes, sc_core::SC_NS);
    transfer.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  static sanvp::cpu::InstructionCosts costs() {
    sanvp::cpu::InstructionCosts costs{.cycle_ps = 1000};
    costs.cycles.fill(1);
    return costs;
  }

  sc_core::sc_time quantum_;
  const sc_core::sc_time access_time_{100, sc_core::SC_NS};  ///< of a load or store of the card
  riscv::Memory memory_{memory_bytes};
  riscv::Interpreter<std::uint64_t> interpreter_{memory_, costs()};
  riscv::Hart64 hart_, interrupted_;
  std::uint64_t handler_ = 0;
  bool in_handler_ = false, was_interrupted_ = false, has_ended_ = false;
};
