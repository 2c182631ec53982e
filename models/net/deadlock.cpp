/// Finds worms that wait for each other for ever, and reports what each waits for.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "models/net/network.hpp"

namespace sanvp::net {
namespace {

/// A unit that holds channels and waits as one: a packet on the stretch of its route between two in-transit hosts. The
/// pool takes a stretch in, whatever becomes of the next one, until it is full.
struct Worm {
  std::uint64_t packet_id;  // first, so that the report does not depend on addresses
  std::ptrdiff_t stretch;   // in-transit hosts behind it
  const Packet* packet;

  explicit Worm(const Hop& hop) : packet_id(hop.packet->id), stretch(0), packet(hop.packet) {
    const auto& steps = packet->route.steps;
    const auto passed = steps.begin() + std::min<std::ptrdiff_t>(hop.step, std::ssize(steps));
    stretch = std::count_if(steps.begin(), passed, [](const topologies::Step& step) { return step.in_transit; });
    const bool leads_to_host = passed != steps.begin() && std::prev(passed)->in_transit && !hop.reinjected;
    if (leads_to_host) --stretch;
  }

  bool operator<(const Worm& other) const {
    return std::pair{packet_id, stretch} < std::pair{other.packet_id, other.stretch};
  }
  bool operator==(const Worm& other) const { return packet_id == other.packet_id && stretch == other.stretch; }
};

std::string name_of(const Packet& packet) {
  return "packet " + std::to_string(packet.id) + " (" + std::to_string(packet.source) + " to " +
         std::to_string(packet.destination) + ")";
}

}  // namespace

/// A waiting header can still move if the owner of one of the outputs that it may take can move. A header that a full
/// pool keeps out can move if what its NIC is sending can; a worm behind another in a FIFO, if the one before it can.
/// Any other worm can move. The rest wait for each other for ever.
class Network::DeadlockSearch {
 public:
  explicit DeadlockSearch(const Network& network) : network_(network), owners_(owners(network)) {
    add_headers_at_switches();
    add_headers_at_full_pools();
    add_followers();
  }

  /// Empty, or the circle, a line for each worm.
  std::string report() const {
    const std::set<Worm> stuck = find_stuck();
    return stuck.empty() ? std::string{} : circle(stuck);
  }

 private:
  /// What a header waits for.
  struct Wait {
    const Hop* hop = nullptr;  ///< whose header it is
    int channel = -1;          ///< one of those it may take
    bool for_pool = false;     ///< which that channel empties
    std::vector<Worm> owners;  ///< any of them would do
  };
  /// A line of the report, and the worm that is waited for; none if the wait leads nowhere.
  struct Link {
    std::string text;
    std::optional<Worm> next{};
  };

  /// By VC; null: not owned.
  static std::vector<const Hop*> owners(const Network& network) {
    std::vector<const Hop*> owners(static_cast<std::size_t>(network.first_vc_.back()));
    for (const Hop& hop : network.hops_) {
      const bool is_over = hop.quiet && hop.due.release_ps <= network.queue_.now_ps();
      const bool fills = network.has_exclusive_vcs_ && !hop.emptied && network.is_exclusive(hop);
      if (hop.loose_ends > 0 && ((hop.owner && !is_over) || fills)) owners[hop.vc_index] = &hop;
    }
    return owners;
  }

  void add_headers_at_switches() {
    for (std::size_t s = 0; s < network_.crossbars_.size(); ++s) {
      const std::vector<int>& out = network_.wiring_->switches[s].out;
      for (const Request& request : network_.crossbars_[s].waiting()) {
        Wait wait{.hop = request.hop, .channel = out[request.first_output], .owners = {}};
        if (request.options != nullptr)
          for (const Option& option : *request.options) add_owners(out[option.output], option.vcs, wait.owners);
        else
          request.for_each_output([&](int o) {
            if (out[o] >= 0 && (request.committed < 0 || request.committed == o))
              add_owners(out[o], request.vcs, wait.owners);
          });
        waits_[Worm(*request.hop)].push_back(std::move(wait));
      }
    }
  }

  void add_owners(int channel, topologies::VcSet vcs, std::vector<Worm>& to) const {
    const int first = network_.first_vc_[channel];
    for (int index = first; index < network_.first_vc_[channel + 1]; ++index) {
      const bool wanted = (vcs >> (index - first) & 1U) != 0;
      if (wanted && owners_[index] != nullptr) to.emplace_back(*owners_[index]);
    }
  }

  void add_headers_at_full_pools() {
    for (std::size_t n = 0; n < network_.ports_.size(); ++n) {
      if (network_.ports_[n].pool_waiting.empty()) continue;
      const Wiring::Nic& nic = network_.wiring_->nics[n];
      Wait wait{.hop = network_.ports_[n].pool_waiting.front(), .channel = nic.out, .for_pool = true, .owners = {}};
      const bool never_fits = wait.hop->length > nic.rules.pool_flits;
      if (!never_fits) add_owners(nic.out, topologies::all_vcs, wait.owners);
      const int vcs = network_.first_vc_[nic.out + 1] - network_.first_vc_[nic.out];
      const bool may_start = std::ssize(wait.owners) < vcs;  // a packet may, and leave room
      if (never_fits || !may_start) waits_[Worm(*wait.hop)].push_back(std::move(wait));
    }
  }

  /// A worm whose header is behind another worm in a FIFO waits for that one.
  void add_followers() {
    for (const Hop& hop : network_.hops_)
      if (hop.packet != nullptr && hop.loose_ends > 0 && hop.packet->parts_alive > 0 && hop.down == nullptr &&
          hop.fork == nullptr && !waits_.contains(Worm(hop)))
        if (const Hop* before = network_.flow_->before(hop)) behind_.insert_or_assign(Worm(hop), Worm(*before));
  }

  std::set<Worm> find_stuck() const {
    std::set<Worm> stuck;
    for (const auto& [worm, list] : waits_) stuck.insert(worm);
    for (const auto& [worm, before] : behind_) stuck.insert(worm);
    for (bool changed = true; changed;) {
      changed = false;
      for (auto worm = stuck.begin(); worm != stuck.end();) {
        const bool moves = can_move(*worm, stuck);
        worm = moves ? stuck.erase(worm) : std::next(worm);
        changed |= moves;
      }
    }
    return stuck;
  }

  bool can_move(const Worm& worm, const std::set<Worm>& stuck) const {
    const auto found = waits_.find(worm);
    if (found == waits_.end()) return !stuck.contains(behind_.at(worm));
    return std::all_of(found->second.begin(), found->second.end(),
                       [&](const Wait& wait) { return !is_hopeless(wait, stuck); });
  }

  static bool is_hopeless(const Wait& wait, const std::set<Worm>& stuck) {
    return std::all_of(wait.owners.begin(), wait.owners.end(),
                       [&](const Worm& owner) { return stuck.contains(owner); });
  }

  /// Follows one wait after the other until a worm comes round again.
  std::string circle(const std::set<Worm>& stuck) const {
    std::vector<Worm> path;
    std::vector<std::string> lines;
    Worm at = *stuck.begin();
    while (std::find(path.begin(), path.end(), at) == path.end()) {
      path.push_back(at);
      const Link link = link_from(at, stuck);
      lines.push_back(link.text);
      if (!link.next) break;
      at = *link.next;
    }
    std::string report;
    for (auto i = std::find(path.begin(), path.end(), at) - path.begin(); i < std::ssize(lines); ++i)
      report += (report.empty() ? "" : "\n") + lines[i];
    return report;
  }

  Link link_from(const Worm& worm, const std::set<Worm>& stuck) const {
    const auto found = waits_.find(worm);
    if (found == waits_.end()) {
      const Worm& before = behind_.at(worm);
      return {"a packet waits in the FIFO behind " + name_of(*before.packet), before};
    }
    const Wait* wait = &found->second.front();
    for (const Wait& other : found->second)
      if (is_hopeless(other, stuck)) wait = &other;
    return link_of(*wait);
  }

  Link link_of(const Wait& wait) const {
    const std::string name = name_of(*wait.hop->packet);
    const std::string& wanted = network_.wiring_->channels[wait.channel].name;
    const Wiring::Channel& came_by = network_.wiring_->channels[wait.hop->channel];
    if (wait.owners.empty() && wait.for_pool) {
      const Wiring::Nic& nic = network_.wiring_->nics[came_by.to.unit];
      return {name + " of " + std::to_string(wait.hop->length) + " flits never fits into the " +
              std::to_string(nic.rules.pool_flits) + " of the in-transit pool of " + nic.name};
    }
    if (wait.owners.empty())  // a branch of a broadcast whose output has failed
      return {name + " waits for " + wanted + ", which has failed"};
    const Worm& holder = wait.owners.front();
    const std::string held = " held by " + name_of(*holder.packet);
    if (wait.for_pool)
      return {name + " waits for room in the in-transit pool of " + network_.wiring_->nics[came_by.to.unit].name +
                  ", whose " + wanted + " is" + held,
              holder};
    return {name + ", which came by " + came_by.name + ", waits for " + wanted + "," + held, holder};
  }

  const Network& network_;
  std::vector<const Hop*> owners_;           ///< per VC
  std::map<Worm, std::vector<Wait>> waits_;  ///< worms with headers that wait; of a broadcast several
  std::map<Worm, Worm> behind_;              ///< worms behind another one in a FIFO
};

std::string Network::find_deadlock() const { return DeadlockSearch(*this).report(); }

}  // namespace sanvp::net
