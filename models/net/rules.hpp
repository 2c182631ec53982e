/// The rules of the transport as values (TIMING.md). Everything that makes one network differ from another on the wire
/// is one of these numbers; both fidelities obey the same ones.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "platform/core/time.hpp"

namespace sanvp::net {

/// The sender holds one credit per buffer slot of the receiver.
struct Credits {
  int buffer = 1;        ///< B, flits per virtual channel
  int batch = 1;         ///< b, slots returned at a time (8 for a DS link's flow-control token)
  Time return_delay{0};  ///< D_c, from the slot's return (or the token's arrival) to the credit's use
  Time token_time{0};    ///< T_ctl, time a batch occupies the reverse channel; 0: credits take no data bandwidth

  bool operator==(const Credits&) const = default;
};

/// The receiver tells the sender to stop and to go (Myrinet).
struct StopGo {
  int buffer = 1;        ///< B, flits; must hold what arrives after a STOP
  int stop = 1;          ///< STOP is sent when the occupancy is above
  int go = 1;            ///< GO is sent when a departure leaves fewer
  Time signal_delay{0};  ///< D_s, from the signal to its binding the sender

  bool operator==(const StopGo&) const = default;
};

using FlowControl = std::variant<Credits, StopGo>;

inline int buffer_flits(const FlowControl& flow) {
  return std::visit([](const auto& rule) { return rule.buffer; }, flow);
}

/// Flits that get into a FIFO that nothing leaves, whatever it was used for before.
inline int assured_flits(const FlowControl& flow) {
  if (const auto* stop_go = std::get_if<StopGo>(&flow)) return stop_go->stop + 1;
  const auto& credits = std::get<Credits>(flow);
  return credits.buffer - (credits.batch - 1);  // the slots of an unfinished batch have not come back
}

/// One direction of a cable, or an internal path of a switch with buffers on both sides of its crossbar.
struct ChannelRules {
  Time flit_time{1};    ///< T
  Time tail_time{1};    ///< T_tail: a tail that is a short end-of-packet token; else T
  Time delay{0};        ///< D, from the start of a flit's transmission to its being usable at the other end
  Time tail_lead{0};    ///< a tail is usable so much sooner than after D: T - T_tail where receivers need a whole flit
  Time wire{0};         ///< the cable's part of D: what a control token of the reverse channel needs
  Time control_hop{0};  ///< for an acknowledgement that passes this channel: token + wire + flow-through
  int virtual_channels = 1;
  /// Virtual channels of which the buffer holds one packet at a time, a bit each: another packet gets one only when the
  /// tail of the one before has left it.
  std::uint32_t exclusive = 0;
  bool hold = false;  ///< stays with a virtual channel until it cannot send; else they take turns by flit
  FlowControl flow = Credits{};
  int flit_bits = 8;
  double bit_error_rate = 0;  ///< per bit
  bool retry = false;         ///< the link itself retransmits a damaged packet; else its receiver must detect it
  Time turnaround{0};         ///< from the end of a damaged packet to its retransmission

  bool operator==(const ChannelRules&) const = default;
};

class ArbitrationPolicy;
class OutputSelectionPolicy;
class VcSelectionPolicy;
class MarkingPolicy;

/// The most that a channel has: a switch keeps their numbers in four bits.
constexpr int most_virtual_channels = 16;

/// Policies by the names under which files in models/policies register them, with their default parameters. Throws
/// UserError if the name is unknown.
std::shared_ptr<const ArbitrationPolicy> arbitration_policy(const std::string& name);
std::shared_ptr<const OutputSelectionPolicy> output_selection_policy(const std::string& name);
std::shared_ptr<const VcSelectionPolicy> vc_selection_policy(const std::string& name);

/// When a switch marks the packets that get an output (TIMING.md, "Marks").
struct Marking {
  std::int64_t threshold = 0;  ///< flits of the output's queue, from which packets are candidates; 0: never
  bool victims = false;        ///< also where the congestion is further on
  std::shared_ptr<const MarkingPolicy> policy = nullptr;  ///< which of the candidates (marking.hpp); null: all

  bool operator==(const Marking&) const = default;
};

struct SwitchRules {
  Time routing{0};  ///< R, from a header's being at the front to its request
  Time setup{0};    ///< S, from the grant to the header's earliest start
  /// Which of several waiting headers gets an output.
  std::shared_ptr<const ArbitrationPolicy> arbitration = arbitration_policy("round-robin");
  Time age_threshold{0};    ///< of arbitration policies with ageing
  bool hosts_last = false;  ///< packets from the switch's own hosts yield to those from other switches
  /// Which of several permitted outputs a header takes.
  std::shared_ptr<const OutputSelectionPolicy> selection = output_selection_policy("first");
  /// Which of the free virtual channels of that output.
  std::shared_ptr<const VcSelectionPolicy> vc_selection = vc_selection_policy("lowest");
  /// Queue length, in flits times cables, by which a detour must be shorter than the first path (TIMING.md, "Queues").
  std::int64_t detour_threshold = 0;
  Marking marking{};
  bool store_and_forward = false;  ///< a packet requests only when its tail has arrived
  bool software_router = false;    ///< R is spent on one processor that serves headers one at a time

  bool operator==(const SwitchRules&) const = default;
};

/// What becomes of a packet in transit for which the NIC's pool has no room.
enum class FullPool : std::uint8_t {
  holds_back,  ///< it waits in the NIC's input, which exerts flow control
  drops,       ///< it is lost
  spills,      ///< it spills into the host's memory, which is never full
};

struct NicRules {
  /// The event after which the gap to the next packet is counted.
  enum class GapFrom : std::uint8_t { start, data_end, tail_end };

  int slots = 1;  ///< packets in progress at once
  /// Which of the free virtual channels of the injection channel a packet gets.
  std::shared_ptr<const VcSelectionPolicy> vc_selection = vc_selection_policy("lowest");
  Time gap{0};
  GapFrom gap_from = GapFrom::tail_end;
  Time detect{0};                       ///< T_d, from an in-transit header's arrival to its recognition
  Time reprogram{0};                    ///< T_r, from there to the earliest re-injection
  std::int64_t pool_flits = INT64_MAX;  ///< in-transit buffer pool
  bool forwards = false;                ///< the NIC itself says when T_r is over (Network::forward)
  FullPool full_pool = FullPool::holds_back;
  bool circuit = false;  ///< an end-of-packet flit follows only after the acknowledgement (QsNET)
  Time acknowledge{0};   ///< T_a, from the last data flit's delivery to the acknowledgement's start
  bool answers = false;  ///< the receiving NIC says when and how it acknowledges (Network::acknowledge)

  bool operator==(const NicRules&) const = default;
};

}  // namespace sanvp::net
