/// The effect of a run's faults: between consecutive events, the packets that were sent, delivered, lost and
/// retransmitted, and how long pairs of hosts were without service.
///
/// A pair (source, destination) that loses a packet is without service from the event that caused the loss, or from its
/// last delivery if that was later, until the next delivery. The cause is the part that failed last among those that
/// are down; the time counts for the interval that begins with that event. In a broadcast, each host that receives
/// nothing is a pair.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/net/observer.hpp"
#include "platform/core/results.hpp"
#include "platform/faults/plan.hpp"

namespace sanvp::faults {

class Account final : public net::PacketObserver {
 public:
  struct Count {
    std::int64_t packets = 0;
    std::int64_t flits = 0;  ///< as on the injection channel
  };
  /// The interval from an event to the next one.
  struct Interval {
    Time from{0};
    Time until{0};
    std::string event{};  ///< "link 12 down"; empty in the first interval
    std::string part{};   ///< the part's name in the graph
    Count sent{}, delivered{}, lost{};
    std::uint64_t resent = 0;
    std::int64_t pairs_cut = 0;     ///< pairs whose time without service begins with its event
    std::int64_t pairs_served = 0;  ///< those that were served again before the end
    Time served_at = never;         ///< the time when the last of them was
    Time longest{0};  ///< longest time without service; until the end for pairs that were not served again
  };
  /// Totals of the whole run.
  struct Totals {
    std::int64_t events = 0;
    Count sent{}, delivered{}, lost{};
    std::optional<std::uint64_t> resent{};  ///< empty if no card counts
    std::int64_t pairs_cut = 0;             ///< how often a pair lost its service
    std::int64_t pairs_unserved = 0;        ///< at the end
    Time longest{0};
  };

  struct Loss {
    Time at{0};
    int source = 0;
    int destination = 0;
  };

  Account() : intervals_(1) {}
  void count_resent(std::function<std::uint64_t()> resent) { resent_ = std::move(resent); }
  void begin(const Event& event, const std::string& part, Time now);
  void close(Time now);

  const std::vector<Interval>& intervals() const { return intervals_; }
  Totals totals() const;
  /// The first few lost packets.
  const std::vector<Loss>& first_losses() const { return first_losses_; }
  bool counts_resent() const { return static_cast<bool>(resent_); }

 private:
  /// The time without service of a pair that has lost a packet.
  struct Gap {
    bool is_open = false;
    std::size_t interval = 0;
    Time since{0};
    Time served{0};  ///< the last delivery
  };
  struct Down {
    Part part;
    std::size_t interval;
  };
  static std::uint64_t pair(int source, int destination) {
    return static_cast<std::uint64_t>(source) << 32 | static_cast<std::uint32_t>(destination);
  }
  void packet_sent(const net::Packet& packet, Time now) override;
  void packet_delivered(const net::Packet& packet, int host, Time now) override;
  void packet_lost(const net::Packet& packet, std::span<const int> hosts, Time now) override;
  void open_gap(int source, int host, Time now);
  void end_interval(Time now);

  std::vector<Interval> intervals_;
  std::unordered_map<std::uint64_t, Gap> gaps_;  // by pair
  std::int64_t open_gaps_ = 0;
  std::vector<Down> down_;        // in order of failure
  std::size_t last_failure_ = 0;  // interval of the last failure; 0: none
  std::vector<Loss> first_losses_;
  std::function<std::uint64_t()> resent_;
  std::uint64_t resent_before_ = 0;
};

/// faults.csv. @param flit_bytes  of the machine
Table table(const Account& account, int flit_bytes);
nlohmann::ordered_json to_json(const Account::Totals& totals);
/// One line of text for the terminal.
std::string to_text(const Account::Totals& totals);

}  // namespace sanvp::faults
