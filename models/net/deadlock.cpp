#include <algorithm>
#include <map>
#include <set>

#include "models/net/network.hpp"

namespace sanvp::net {

/// A waiting header can still move if the owner of one of the outputs it may take can; a worm behind another in a FIFO,
/// if the one before it can; any other worm moves by itself. Those left over wait for each other for ever.
std::string Network::find_deadlock() const {
  struct Wait {
    const Request* request = nullptr;
    std::vector<const Packet*> owners;  // any of them would do
  };
  std::map<std::uint64_t, std::vector<Wait>> waits;  // by packet id, so that the report does not depend on addresses
  for (std::size_t s = 0; s < crossbars_.size(); ++s)
    for (const Request& request : crossbars_[s].waiting()) {
      Wait wait{&request, {}};
      for (int o = request.first_output; o < request.first_output + request.outputs; ++o) {
        const int channel = wiring_.switches[s].out[o];
        if (channel < 0 || (request.committed >= 0 && request.committed != o)) continue;
        for (int lane = first_lane_[channel]; lane < first_lane_[channel + 1]; ++lane) {
          const bool wanted = request.vc == topologies::Step::any_vc || lane == first_lane_[channel] + request.vc;
          if (wanted && owners_[lane] != nullptr) wait.owners.push_back(owners_[lane]->packet);
        }
      }
      waits[request.leg->packet->id].push_back(std::move(wait));
    }
  // A worm whose header is behind another worm in a FIFO waits for that one.
  std::map<std::uint64_t, const Packet*> behind;
  for (const Leg& leg : legs_)
    if (leg.packet != nullptr && leg.loose_ends > 0 && leg.packet->parts_alive > 0 && leg.ahead != nullptr &&
        leg.ahead->tail_left_ps < 0 && leg.down == nullptr && leg.branches.empty() && !waits.contains(leg.packet->id))
      behind[leg.packet->id] = leg.ahead->packet;

  std::set<std::uint64_t> stuck;
  for (const auto& [id, list] : waits) stuck.insert(id);
  for (const auto& [id, before] : behind) stuck.insert(id);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto id = stuck.begin(); id != stuck.end();) {
      bool can_move = false;
      if (const auto found = waits.find(*id); found != waits.end()) {
        can_move = std::all_of(found->second.begin(), found->second.end(), [&](const Wait& wait) {
          return std::any_of(wait.owners.begin(), wait.owners.end(),
                             [&](const Packet* owner) { return !stuck.contains(owner->id); });
        });
      } else {
        can_move = !stuck.contains(behind.at(*id)->id);
      }
      id = can_move ? stuck.erase(id) : std::next(id);
      changed |= can_move;
    }
  }
  if (stuck.empty()) return {};

  // Follow one wait after the other until a worm comes round again.
  std::vector<std::uint64_t> path;
  std::vector<std::string> steps;
  std::uint64_t at = *stuck.begin();
  while (std::find(path.begin(), path.end(), at) == path.end()) {
    path.push_back(at);
    const auto name = [](const Packet& p) {
      return "packet " + std::to_string(p.id) + " (" + std::to_string(p.source) + " to " +
             std::to_string(p.destination) + ")";
    };
    if (const auto found = waits.find(at); found != waits.end()) {
      const Wait* wait = &found->second.front();
      for (const Wait& other : found->second)
        if (std::all_of(other.owners.begin(), other.owners.end(),
                        [&](const Packet* owner) { return stuck.contains(owner->id); }))
          wait = &other;
      const Leg& leg = *wait->request->leg;
      const Wiring::Switch& unit = wiring_.switches[wiring_.channels[leg.channel].to.unit];
      const int wanted = unit.out[wait->request->first_output];
      if (wait->owners.empty()) {  // a branch of a broadcast whose output has failed
        steps.push_back(name(*leg.packet) + " waits for " + wiring_.channels[wanted].name + ", which has failed");
        break;
      }
      steps.push_back(name(*leg.packet) + ", which came by " + wiring_.channels[leg.channel].name + ", waits for " +
                      wiring_.channels[wanted].name + ", held by " + name(*wait->owners.front()));
      at = wait->owners.front()->id;
    } else {
      steps.push_back("a packet waits in the FIFO behind " + name(*behind.at(at)));
      at = behind.at(at)->id;
    }
  }
  const auto start = std::find(path.begin(), path.end(), at) - path.begin();
  std::string report;
  for (std::size_t i = static_cast<std::size_t>(start); i < steps.size(); ++i)
    report += (report.empty() ? "" : "; ") + steps[i];
  return report;
}

}  // namespace sanvp::net
