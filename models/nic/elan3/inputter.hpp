/// The inputter (QsNET paper 2.1): receives packets, with one input channel for each virtual channel of the link,
/// executes their transactions, and answers each packet.
#pragma once

#include <array>

#include "models/nic/card/queues.hpp"
#include "models/nic/elan3/partners.hpp"
#include "models/nic/elan3/tracks.hpp"
#include "models/nic/elan3/transactions.hpp"

namespace sanvp::nic::elan3 {

class Inputter {
 public:
  struct Rules {
    Time process{0};
    Partners::Rules partners{};
    static Rules read(const Parameters& parameters);
  };

  Inputter(const Rules& rules, net::Clock& clock, Microcode& microcode, net::NetworkInitiatorSocket& network,
           const RouteTables& routes, Transactions& transactions, Traps& traps, Counters& counters, Tracks& tracks);

  /// Called when the last data flit of a packet has arrived.
  void delivered(net::Packet& packet);
  /// Called when its EOP has arrived, which says whether all destinations accepted the packet.
  void closed(const net::Packet& packet);

  static constexpr int channels = 2;  // QsNET paper 2.1: two virtual channels
  net::Task<> run(int channel);

  bool busy() const;
  CardQueue queue() const;

 private:
  struct Arrival {
    net::Packet* packet = nullptr;
    Payload payload;
    Time in{0};
    bool corrupt = false;
    int flits = 0;
    std::uint64_t id = 0;
    int source = 0;
  };
  struct Channel {
    explicit Channel(net::Clock& clock) : arrivals(clock), end(clock) {}
    net::Mailbox<Arrival> arrivals;
    bool working = false;
    Time since{0};
    const net::Packet* circuit = nullptr;  ///< until its EOP has come
    std::uint64_t id = 0;                  ///< of that packet, since the object may be reused for another one
    bool holds(const Arrival& arrival) const { return circuit == arrival.packet && id == arrival.id; }
    bool taken_by_all = false;
    net::Condition end;
  };

  Time begun(const ParsedPacket& packet) const;
  net::Task<> take_in(Channel& channel, e3_trap_unit unit, const Arrival& arrival);
  void draw(int number, const Arrival& arrival);
  void answer(const Channel& channel, const Arrival& arrival, int acknowledgement, std::uint32_t reply = 0);

  Rules rules_;
  Partners partners_;
  net::Clock& clock_;
  Microcode& microcode_;
  net::NetworkInitiatorSocket& network_;
  Transactions& transactions_;
  Traps& traps_;
  Counters& counters_;
  Tracks& tracks_;
  std::array<Channel, channels> channels_;
};

}  // namespace sanvp::nic::elan3
