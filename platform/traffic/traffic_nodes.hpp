/// The endpoints of a traffic run: each host of the machine is a traffic node that generates messages, cuts them into
/// packets as its NIC does, hands these to the NIC one by one, and takes note of what arrives.
///
/// A message's way: Pattern::next -> generate -> source queue -> feed (a packet at a time) -> net::Network ->
/// delivered -> message_over -> perhaps an answer, or the node's next message.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/net/network.hpp"
#include "platform/core/random.hpp"
#include "platform/traffic/ledger.hpp"
#include "platform/traffic/meter.hpp"
#include "platform/traffic/pattern.hpp"
#include "platform/traffic/source_queue.hpp"
#include "platform/traffic/workload.hpp"

namespace sanvp::traffic {

class TrafficNodes final : public net::Endpoint, public net::EventHandler, private Reactions {
 public:
  TrafficNodes(const NetworkUnderTest& under_test, net::Network& network, net::EventQueue& queue, Pattern& pattern,
               const Workload& workload, Ledger& ledger, Meter& meter);

  /// Schedules every node's first message.
  void start();
  /// No more messages are generated; those asked for are still sent.
  void silence() { silent_ = true; }
  /// A message outside the pattern, now: a timing node's. @return its number in the ledger
  std::uint32_t send_probe(int source, int destination, std::int64_t bytes);

  /// How often a node has generated a message so far, answers and probes included.
  std::uint64_t turns() const { return turns_; }
  /// Whether nothing else is to happen: neither an event nor the end of a tail that no event tells of.
  bool is_quiet() const { return queue_.empty() && network_.last_quiet_release() == network_.now(); }
  /// Messages that could not be sent because no route serves the pair.
  std::int64_t unserved() const { return unserved_; }

  void handle(const net::Event& event) override;
  void injected(net::Packet& packet) override;
  void delivered(net::Packet& packet, int host) override;
  void sent(net::Packet& packet) override;
  void lost(net::Packet& packet) override;

  /// Told of every probe that has arrived; may be empty.
  std::function<void(const Message&, Time delivered)> probe_arrived;

 private:
  enum Kind : std::uint16_t {
    generate_kind = 100,
    answer_kind,
    unsent_kind
  };  // after the network's own events of an instant

  /// All that a node's next message under a load depends on, if the pattern is repeatable.
  struct Generator {
    Random destinations;
    Random sizes;
    ArrivalProcess arrivals;
  };

  struct Node {
    std::unique_ptr<nic::RouteSelection> selection;
    Random routes;
    Generator generator;
    std::optional<Generator> behind{};    ///< of the messages that are only counted: what generates the first of them
    SourceQueue source_queue{};           ///< the first message may be in progress
    int handed_over = 0;                  ///< packets with the NIC that it has not taken yet
    bool is_waiting = false;              ///< had no next message when asked
    std::optional<Descriptor> planned{};  ///< closed loop: what follows after its delay
  };

  void wake(int node) override;
  void schedule(Kind kind, int node, Time at, std::uint32_t serial = 0);
  void generate(int node);
  Message message_of(int node, const Descriptor& descriptor, Time generated, Random& sizes) const;
  std::uint32_t generate_again(int node);
  void plan(int node, Time from);
  void enqueue(std::uint32_t index);
  void enqueued(int node);
  void taken(int node);
  void feed(int node);
  void send_packet(int node, std::uint32_t index);
  void packet_arrived(net::Packet& packet, bool is_lost);
  void message_over(std::uint32_t index);

  const NetworkUnderTest& under_test_;
  net::Network& network_;
  net::EventQueue& queue_;
  Pattern& pattern_;
  const Workload& workload_;
  Ledger& ledger_;
  Meter& meter_;
  Time ends_;  ///< what the NICs at both ends add to a message's way
  std::vector<Node> nodes_;
  bool silent_ = false;
  std::uint64_t turns_ = 0;
  std::int64_t unserved_ = 0;
};

}  // namespace sanvp::traffic
