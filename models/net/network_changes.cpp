/// What may change in the middle of a run.
#include <algorithm>
#include <string>

#include "models/net/network.hpp"

namespace sanvp::net {

void Network::adopt_policies(const Wiring& other) {
  for (std::size_t unit = 0; unit < crossbars_.size(); ++unit) {
    wiring_.switches[unit].rules = other.switches[unit].rules;
    crossbars_[unit].adopt_policies(other.switches[unit].rules);
  }
}

void Network::reseed(std::uint64_t seed) {
  for (std::size_t unit = 0; unit < crossbars_.size(); ++unit)
    crossbars_[unit].reseed({seed, wiring_.switches[unit].name});
  for (std::size_t unit = 0; unit < marks_.size(); ++unit)
    marks_[unit] = {seed, wiring_.switches[unit].name + ".marks"};
  for (std::size_t nic = 0; nic < bit_errors_.size(); ++nic) bit_errors_[nic] = {seed, wiring_.nics[nic].name + ".crc"};
  for (std::size_t channel = 0; channel < link_errors_.size(); ++channel)
    link_errors_[channel] = {seed, wiring_.channels[channel].name + ".retry"};
}

}  // namespace sanvp::net
