/// The endpoints of a traffic run. Each host of the machine is a traffic node that generates messages, divides them
/// into packets as its NIC does, hands these to the NIC one by one, and records arrivals.
///
/// The path of a message: Pattern::next -> generate -> source queue -> feed (a packet at a time) -> net::Network ->
/// delivered -> message_over -> perhaps an answer, or the node's next message.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/net/event_queue.hpp"
#include "models/net/packet.hpp"
#include "platform/core/random.hpp"
#include "platform/traffic/ledger.hpp"
#include "platform/traffic/meter.hpp"
#include "platform/traffic/paced_flows.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/source_queue.hpp"
#include "platform/traffic/workload.hpp"

namespace sanvp::net {
class Network;
}

namespace sanvp::traffic {

class TrafficNodes final : public net::Endpoint, public net::EventHandler, private Reactions {
 public:
  TrafficNodes(const NetworkUnderTest& under_test, net::Network& network, net::EventQueue& queue, Pattern& pattern,
               const Workload& workload, Ledger& ledger, Meter& meter);

  /// Schedules the first message of every node.
  void start();
  /// Stops the generation of messages; requested data is still sent.
  void silence() { silent_ = true; }
  /// From now on the load is `factor` times the first one. @pre the pattern's pace is the load
  void change_load(double factor);
  /// From now on random numbers are those of another seed.
  void reseed(std::uint64_t seed);
  /// Sends a message outside the pattern, now, for a timing node. @return its number in the ledger
  std::uint32_t send_probe(int source, int destination, std::int64_t bytes);

  /// How many messages nodes have generated so far, including answers and probes.
  std::uint64_t turns() const { return turns_; }
  /// Whether nothing else will happen: no event, and no end of a tail for which there is no event.
  bool is_quiet() const;
  /// Marked packets delivered and notifications sent, in the measuring window.
  const CongestionTotals& congestion() const { return congestion_; }
  /// Messages of the measuring window that were not sent, or not to their end, because no route serves the pair.
  std::int64_t unserved() const { return unserved_; }

  void handle(const net::Event& event) override;
  void injected(net::Packet& packet) override;
  void delivered(net::Packet& packet, int host) override;
  void sent(net::Packet& packet) override;
  void lost(net::Packet& packet) override;

  /// Called for every probe that arrives; may be empty.
  std::function<void(const Message&, Time delivered)> probe_arrived;
  /// Called for every packet that is delivered or lost; may be empty.
  std::function<void(const net::Packet&, const PacketRecord&)> packet_over;

 private:
  enum Kind : std::uint16_t {
    generate_kind = 100,
    answer_kind,
    unsent_kind,
    resume_kind,
    notify_kind
  };  // after the network's own events of an instant

  /// If the pattern is repeatable, everything that determines a node's next message under a load.
  struct Generator {
    Random destinations;
    Random sizes;
    ArrivalProcess arrivals;
  };

  struct Planned {
    Time at{0};
    Descriptor what{};
  };

  struct Node {
    std::unique_ptr<nic::RouteSelection> selection;
    Random routes;
    Generator generator;
    std::optional<Generator> behind{};      ///< generates the first of the messages that are only counted
    SourceQueue source_queue{};             ///< its first message may be partly sent
    std::unique_ptr<PacedFlows> flows{};    ///< in its place, if the NIC controls congestion
    std::vector<std::int64_t> under_way{};  ///< flits by port, if hosts have several
    int next_port = 0;                      ///< the one after that of the last packet
    int handed_over = 0;                    ///< packets that the NIC has but has not taken yet
    int waiting = 0;                        ///< how many next messages the pattern did not have for the node
    Time superseded{-1};                    ///< an event of this instant is no longer a message's
    std::vector<Planned> planned{};         ///< unless the load sets the pace: the next messages
  };

  void wake(int node) override;
  void schedule(Kind kind, int node, Time at, std::uint32_t serial = 0);
  void generate(int node);
  Message message_of(int node, const Descriptor& descriptor, Time generated, Random& sizes) const;
  std::uint32_t generate_again(int node);
  bool is_planned() const { return pattern_.pace() != Pattern::Pace::load; }
  void plan(int node, Time from);
  Descriptor take_planned(int node);
  void enqueue(std::uint32_t index);
  void enqueued(int node);
  void taken(int node);
  std::int64_t queued_messages(const Node& node) const;
  void feed(int node);
  int choose_port(int node, int destination);
  int choose_alternative(int node, int destination, std::int64_t payload);
  int choose_route(int node, const topologies::Routing& routing, int source, int destination, std::int64_t payload);
  void give_up(std::uint32_t index);
  void send_packet(int node, std::uint32_t index);
  void packet_arrived(net::Packet& packet, bool is_lost);
  void message_over(std::uint32_t index);

  // congestion.cpp
  void feed_flows(int node);
  void flow_started(const net::Packet& packet);
  void notify(const net::Packet& marked);
  void send_notification(int receiver, int sender);
  void notification_arrived(const net::Packet& packet);

  const NetworkUnderTest& under_test_;
  net::Network& network_;
  net::EventQueue& queue_;
  Pattern& pattern_;
  const Workload& workload_;
  Ledger& ledger_;
  Meter& meter_;
  int ports_;  ///< of a host, among which packets choose
  Time ends_;  ///< the latency that the NICs add, at both ends together
  std::vector<Node> nodes_;
  std::vector<LoadStep> steps_{};  ///< the workload's, and a later change
  bool silent_ = false;
  std::uint64_t turns_ = 0;
  std::int64_t unserved_ = 0;
  CongestionTotals congestion_{};
};

}  // namespace sanvp::traffic
