#include <algorithm>
#include <map>
#include <set>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

/// What holds channels and waits as one: a packet on the stretch of its route between two in-transit hosts. The pool
/// takes a stretch in whatever becomes of the next one, until it is full.
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

/// A waiting header can still move if the owner of one of the outputs it may take can; one that a full pool keeps out,
/// if what its NIC is sending can; a worm behind another in a FIFO, if the one before it can; any other worm moves by
/// itself. Those left over wait for each other for ever.
std::string Network::find_deadlock() const {
  struct Wait {
    const Leg* leg = nullptr;  // whose header waits
    int channel = -1;          // one of those it may take
    bool for_pool = false;     // which that channel empties
    std::vector<Worm> owners;  // any of them would do
  };
  std::vector<const Leg*> owners(static_cast<std::size_t>(first_lane_.back()));  // per lane
  for (const Leg& leg : legs_) {
    const bool is_over = leg.quiet && leg.release_at_ps <= queue_.now_ps();
    if (leg.loose_ends > 0 && leg.owner && !is_over) owners[leg.lane] = &leg;
  }
  std::map<Worm, std::vector<Wait>> waits;
  for (std::size_t s = 0; s < crossbars_.size(); ++s)
    for (const Request& request : crossbars_[s].waiting()) {
      Wait wait{.leg = request.leg, .channel = wiring_.switches[s].out[request.first_output], .owners = {}};
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
  for (std::size_t n = 0; n < ports_.size(); ++n) {
    if (ports_[n].pool_waiting.empty()) continue;
    const int out = wiring_.nics[n].out;
    Wait wait{.leg = ports_[n].pool_waiting.front(), .channel = out, .for_pool = true, .owners = {}};
    const bool never_fits = wait.leg->length > wiring_.nics[n].rules.pool_flits;
    bool moves = false;  // a packet may start, and leave room
    for (int lane = first_lane_[out]; lane < first_lane_[out + 1]; ++lane) {
      if (owners[lane] != nullptr)
        wait.owners.emplace_back(*owners[lane]);
      else
        moves = true;
    }
    if (never_fits) wait.owners.clear();
    if (!moves || never_fits) waits[Worm(*wait.leg)].push_back(std::move(wait));
  }
  // A worm whose header is behind another worm in a FIFO waits for that one.
  std::map<Worm, Worm> behind;
  for (const Leg& leg : legs_)
    if (leg.packet != nullptr && leg.loose_ends > 0 && leg.packet->parts_alive > 0 && leg.down == nullptr &&
        leg.fork == nullptr && !waits.contains(Worm(leg)))
      if (const Leg* before = flow_->before(leg)) behind.insert_or_assign(Worm(leg), Worm(*before));

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
      const Leg& leg = *wait->leg;
      const std::string& wanted = wiring_.channels[wait->channel].name;
      const Wiring::Channel& came_by = wiring_.channels[leg.channel];
      if (wait->owners.empty() && wait->for_pool) {
        const Wiring::Nic& nic = wiring_.nics[came_by.to.unit];
        steps.push_back(name(*leg.packet) + " of " + std::to_string(leg.length) + " flits never fits into the " +
                        std::to_string(nic.rules.pool_flits) + " of the in-transit pool of " + nic.name);
        break;
      }
      if (wait->owners.empty()) {  // a branch of a broadcast whose output has failed
        steps.push_back(name(*leg.packet) + " waits for " + wanted + ", which has failed");
        break;
      }
      const std::string holder = name(*wait->owners.front().packet);
      if (wait->for_pool)
        steps.push_back(name(*leg.packet) + " waits for room in the in-transit pool of " +
                        wiring_.nics[came_by.to.unit].name + ", whose " + wanted + " is held by " + holder);
      else
        steps.push_back(name(*leg.packet) + ", which came by " + came_by.name + ", waits for " + wanted + ", held by " +
                        holder);
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
