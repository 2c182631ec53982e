/// A NIC as far as the network sees it: when packets start, what they carry, what passes through.
#include "models/nic/network_side.hpp"

namespace sanvp::nic {
namespace {

NicModel build(const Parameters& parameters, int flit_bytes) {
  NicModel model = read_network_side(parameters, flit_bytes);
  read_in_transit(parameters, model);
  return model;
}

const Registration<NicPart> registration{
    {"plain", "a NIC as far as the network sees it: slots, gaps, packet format, in-transit buffers, circuits", build}};

}  // namespace
}  // namespace sanvp::nic
