/// The parameters of a card from section [nic]: those of its units, and of its network side.
#pragma once

#include "models/net/rules.hpp"
#include "models/nic/lanai/processor.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::lanai {

struct CardRules {
  HostDma::Rules dma;
  Processor::Rules processor;
  FirmwareFiles firmware;          ///< of the user
  PacketInterface::Rules packets;  ///< the link's flit time is the context's

  /// @param edge  the card's network side, as read from the same section
  static CardRules read(const Parameters& parameters, const net::NicRules& edge) {
    return {.dma = HostDma::Rules::read(parameters.section("dma")),
            .processor = Processor::Rules::read(parameters.section("lanai"), edge.reprogram),
            .firmware = FirmwareFiles::read(parameters, Processor::entry),
            .packets = PacketInterface::Rules::read(parameters, edge.detect)};
  }
};

}  // namespace sanvp::nic::lanai
