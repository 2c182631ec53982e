/// A NIC without a card model: when packets start, what they carry, in-transit buffers.
#include "models/nic/network_side.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  read_in_transit(parameters, model);
  return model;
}

const Registration<NicPart> registration{
    {"plain", "a NIC as the network sees it: slots, gaps, packet format, in-transit buffers, circuits", build}};

}  // namespace
}  // namespace sanvp::nic
