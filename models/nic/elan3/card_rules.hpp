/// The parameters of a card from section [nic]: those of its units, and of its network side.
#pragma once

#include "models/nic/elan3/command_processor.hpp"
#include "models/nic/elan3/firmware.hpp"
#include "models/nic/elan3/inputter.hpp"
#include "models/nic/elan3/thread_processor.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

struct CardRules {
  Sdram::Rules sdram;
  Microcode::Rules microcode;
  Link::Rules link;
  Events::Rules events;
  CommandProcessor::Rules command;
  DmaEngine::Rules dma;
  Inputter::Rules input;
  Transactions::Rules transactions;
  Scheduler::Rules scheduler;
  ThreadProcessor::Rules thread;
  FirmwareFiles firmware;  ///< of the user

  static CardRules read(const Parameters& parameters) {
    return {.sdram = Sdram::Rules::read(parameters.section("sdram")),
            .microcode = Microcode::Rules::read(parameters.section("microcode")),
            .link = Link::Rules::read(parameters.section("link")),
            .events = Events::Rules::read(parameters.section("event")),
            .command = CommandProcessor::Rules::read(parameters.section("command")),
            .dma = DmaEngine::Rules::read(parameters.section("dma")),
            .input = Inputter::Rules::read(parameters.section("input")),
            .transactions = Transactions::Rules::read(parameters.section("input")),
            .scheduler = Scheduler::Rules::read(parameters.section("thread")),
            .thread = ThreadProcessor::Rules::read(parameters.section("thread")),
            .firmware = FirmwareFiles::read(parameters, Firmware::entry)};
  }
};

}  // namespace sanvp::nic::elan3
