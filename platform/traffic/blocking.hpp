/// How long headers were blocked, by incoming link, by switch and by packet, for the congestion matrix of the QsNET
/// paper (section 5.4) and the blocking times of the Mesh of Clos paper (section 4.1.1).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/net/observer.hpp"
#include "models/net/wiring.hpp"
#include "platform/traffic/ledger.hpp"

namespace sanvp::traffic {

struct Blocking {
  std::int64_t headers = 0;
  std::int64_t effective_ps = 0;  ///< time at the front and routed, while the output was busy
  std::int64_t head_ps = 0;       ///< from the header's arrival in the switch to its grant
  std::int64_t longest_ps = 0;    ///< effective
  std::int64_t delay_ps = 0;      ///< from the packet's injection to the header's arrival in the switch

  void add(const net::Hop& hop);
  void merge(const Blocking& other);
};

/// Headers that arrived on each channel and whose last flits left the switch within a window.
class LinkBlocking final : public net::Observer {
 public:
  LinkBlocking(const net::Wiring& wiring, Time from, Time until)
      : by_channel_(wiring.channels.size()), from_(from), until_(until) {}
  void hop_over(const net::Hop& hop, Time released) override;
  bool is_prompt() const override { return false; }
  const std::vector<Blocking>& by_channel() const { return by_channel_; }

 private:
  std::vector<Blocking> by_channel_;
  Time from_, until_;
};

/// Blocking by channel within a window, and in total for each measured packet.
class BlockingObserver final : public net::Observer {
 public:
  /// @param packet_over  called for each measured packet when its blocking is final
  BlockingObserver(const net::Wiring& wiring, Ledger& ledger, std::function<void(const PacketRecord&)> packet_over)
      : links_(wiring, Time{0}, never), ledger_(ledger), packet_over_(std::move(packet_over)) {}

  void hop_over(const net::Hop& hop, Time released) override;
  bool is_prompt() const override { return false; }
  /// Starts or stops counting by link; packets are always counted.
  void count_links(bool on) { counting_ = on; }

  /// Headers that arrived on each channel.
  const std::vector<Blocking>& by_channel() const { return links_.by_channel(); }

 private:
  LinkBlocking links_;
  Ledger& ledger_;
  std::function<void(const PacketRecord&)> packet_over_;
  bool counting_ = false;
};

}  // namespace sanvp::traffic
