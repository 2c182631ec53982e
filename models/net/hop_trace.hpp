/// Draws each worm's stay on each virtual channel into a timeline, with arrows along its hops. In the fidelity `flit`
/// also when each of its flits moved, STOP, GO, credits and acknowledgements, so that a reader of the timeline can tell
/// where every flit was at any instant (`sanvp draw`).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "models/net/observer.hpp"
#include "models/net/wiring.hpp"
#include "platform/core/trace.hpp"

namespace sanvp::net {

class Network;

class HopTrace final : public Observer, public FlitObserver {
 public:
  HopTrace(const Wiring& wiring, Trace& trace);
  /// Asks the network for its flits, if it simulates them. Its hops come by Network::observe.
  void observe(Network& network);
  void hop_over(const Hop& hop, Time released) override;
  /// At the end of a run: draws the worms that still own virtual channels.
  void run_over(const Network& network);

  void flit_sent(const Hop& hop, std::int64_t flit, Time now) override;
  void signal_sent(int channel, int vc, bool stop, Time now, Time binds) override;
  void credits_sent(int channel, int vc, int slots, Time from, Time usable) override;
  void acknowledgement_passes(const Hop& hop, Time from, Time until) override;

 private:
  /// Flits, or batches of credits, that start at equal intervals.
  struct Run {
    std::int64_t flit = 0;  ///< number of the first one
    std::int64_t count = 1;
    std::int64_t first_ps = 0;
    std::int64_t period_ps = 0;
    std::int64_t last_ps() const { return first_ps + (count - 1) * period_ps; }
    /// @returns false if this instant is at another interval
    bool takes(std::int64_t ps);
  };
  /// The latest credits of a virtual channel.
  struct Returned {
    Run run;
    int slots = 1;              ///< of a batch
    std::int64_t delay_ps = 0;  ///< until the sender has them
  };

  Trace::Track track(int channel, int vc);
  std::string_view name_of(const Packet& packet);
  bool is_before_window(Time at) const;
  void enter_window(Run& run) const;
  void draw_flits(const Hop& hop, Trace::Track row);
  void draw_credits(int channel, int vc, Returned returned);

  const Wiring& wiring_;
  Trace& trace_;
  bool has_flits_ = false;
  std::array<char, 96> name_{};  ///< of a packet: three numbers of at most 20 digits, and words
  std::vector<std::vector<std::optional<Trace::Track>>> tracks_;  ///< by channel, virtual channel
  std::map<std::pair<int, int>, std::vector<Run>> flits_;         ///< of the worm on it; by channel, virtual channel
  std::map<std::pair<int, int>, Returned> credits_;               ///< by channel, virtual channel
};

}  // namespace sanvp::net
