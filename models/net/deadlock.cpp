#include <algorithm>
#include <map>
#include <set>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

/// What holds channels and waits as one: a packet on the stretch of its route between two in-transit hosts. The pool
/// takes a stretch in whatever becomes of the next one.
struct Worm {
  std::uint64_t packet_id;  // first, so that the report does not depend on addresses
  std::ptrdiff_t stretch;   // in-transit hosts behind it
  const Packet* packet;

  explicit Worm(const Leg& leg) : packet_id(leg.packet->id), stretch(0), packet(leg.packet) {
    const auto& steps = packet->route.steps;
    const auto passed = steps.begin() + std::min<std::ptrdiff_t>(leg.step, std::ssize(steps));
    stretch = std::count_if(steps.begin(), passed, [](const topologies::Step& step) { return step.in_transit; });
    const bool leads_to_host = passed != steps.begin() && std::prev(passed)->in_transit && !leg.reinjected;
    if (leads_to_host) --stretch;
  }

  bool operator<(const Worm& other) const {
    return std::pair{packet_id, stretch} < std::pair{other.packet_id, other.stretch};
  }
  bool operator==(const Worm& other) const { return packet_id == other.packet_id && stretch == other.stretch; }
};

}  // namespace

/// A waiting header can still move if the owner of one of the outputs it may take can; a worm behind another in a FIFO,
/// if the one before it can; any other worm moves by itself. Those left over wait for each other for ever.
std::string Network::find_deadlock() const {
  struct Wait {
    const Request* request = nullptr;
    std::vector<Worm> owners;  // any of them would do
  };
  std::vector<const Leg*> owners(static_cast<std::size_t>(first_lane_.back()));  // per lane
  for (const Leg& leg : legs_)
    if (leg.loose_ends > 0 && leg.owner) owners[leg.lane] = &leg;
  std::map<Worm, std::vector<Wait>> waits;
  for (std::size_t s = 0; s < crossbars_.size(); ++s)
    for (const Request& request : crossbars_[s].waiting()) {
      Wait wait{&request, {}};
      for (int o = request.first_output; o < request.first_output + request.outputs; ++o) {
        const int channel = wiring_.switches[s].out[o];
        if (channel < 0 || (request.committed >= 0 && request.committed != o)) continue;
        for (int lane = first_lane_[channel]; lane < first_lane_[channel + 1]; ++lane) {
          const bool wanted = request.vc == topologies::Step::any_vc || lane == first_lane_[channel] + request.vc;
          if (wanted && owners[lane] != nullptr) wait.owners.emplace_back(*owners[lane]);
        }
      }
      waits[Worm(*request.leg)].push_back(std::move(wait));
    }
  // A worm whose header is behind another worm in a FIFO waits for that one.
  std::map<Worm, Worm> behind;
  for (const Leg& leg : legs_)
    if (leg.packet != nullptr && leg.loose_ends > 0 && leg.packet->parts_alive > 0 && leg.ahead != nullptr &&
        leg.ahead->tail_left_ps < 0 && leg.down == nullptr && leg.fork == nullptr && !waits.contains(Worm(leg)))
      behind.insert_or_assign(Worm(leg), Worm(*leg.ahead));

  std::set<Worm> stuck;
  for (const auto& [worm, list] : waits) stuck.insert(worm);
  for (const auto& [worm, before] : behind) stuck.insert(worm);
  for (bool changed = true; changed;) {
    changed = false;
    for (auto worm = stuck.begin(); worm != stuck.end();) {
      bool can_move = false;
      if (const auto found = waits.find(*worm); found != waits.end()) {
        can_move = std::all_of(found->second.begin(), found->second.end(), [&](const Wait& wait) {
          return std::any_of(wait.owners.begin(), wait.owners.end(),
                             [&](const Worm& owner) { return !stuck.contains(owner); });
        });
      } else {
        can_move = !stuck.contains(behind.at(*worm));
      }
      worm = can_move ? stuck.erase(worm) : std::next(worm);
      changed |= can_move;
    }
  }
  if (stuck.empty()) return {};

  // Follow one wait after the other until a worm comes round again.
  std::vector<Worm> path;
  std::vector<std::string> steps;
  Worm at = *stuck.begin();
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
                        [&](const Worm& owner) { return stuck.contains(owner); }))
          wait = &other;
      const Leg& leg = *wait->request->leg;
      const Wiring::Switch& unit = wiring_.switches[wiring_.channels[leg.channel].to.unit];
      const int wanted = unit.out[wait->request->first_output];
      if (wait->owners.empty()) {  // a branch of a broadcast whose output has failed
        steps.push_back(name(*leg.packet) + " waits for " + wiring_.channels[wanted].name + ", which has failed");
        break;
      }
      steps.push_back(name(*leg.packet) + ", which came by " + wiring_.channels[leg.channel].name + ", waits for " +
                      wiring_.channels[wanted].name + ", held by " + name(*wait->owners.front().packet));
      at = wait->owners.front();
    } else {
      steps.push_back("a packet waits in the FIFO behind " + name(*behind.at(at).packet));
      at = behind.at(at);
    }
  }
  const auto start = std::find(path.begin(), path.end(), at) - path.begin();
  std::string report;
  for (std::size_t i = static_cast<std::size_t>(start); i < steps.size(); ++i)
    report += (report.empty() ? "" : "\n") + steps[i];
  return report;
}

}  // namespace sanvp::net
