/// When each operation of a program started and ended, and each message was sent, carried and taken: what the critical
/// path is made of.
#pragma once

#include <cstdint>
#include <vector>

#include "models/net/observer.hpp"
#include "platform/goal/loggops.hpp"
#include "platform/goal/watcher.hpp"

namespace sanvp::goal {

class History final : public Watcher, public net::Observer {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Record {
    Time start = never;
    Time until = never;             ///< its part of the CPU
    Time end = never;               ///< those that require it go on
    std::uint32_t transfer = none;  ///< of a message
  };
  struct Transfer {
    Message message;
    std::uint32_t receive = none;  ///< operation of the destination
    Time at = never;               ///< handed over
    Time injected = never;         ///< its last packet, by the NIC
    Time arrived = never;
    Time taking = never;  ///< the receiver's CPU takes it in from then on ...
    Time taken = never;   ///< ... until then
  };
  /// A header of the last packet of a message waited for an output.
  struct Wait {
    std::uint32_t transfer = none;
    std::int32_t channel = -1;  ///< the output
    Time span{0};
  };

  /// @param longest  bytes of sends that do not wait for their receive (LogGops::S)
  History(const Program& program, std::uint64_t longest);

  const Record& record(std::uint32_t rank, std::uint32_t operation) const { return records_[first_[rank] + operation]; }
  const Transfer& transfer(std::uint32_t number) const { return transfers_[number]; }
  /// Those of a message, in no particular order. To be called when all is over.
  std::vector<Wait> waits_of(std::uint32_t transfer);

  std::uint32_t transfer_of(const Message& message) const { return record(message.source, message.operation).transfer; }
  void injected(std::uint32_t transfer, Time at) { transfers_[transfer].injected = at; }
  /// Packets whose hops count name their transfer in the upper half of Packet::tag, one more than its number.
  static constexpr int tag_shift = 32;

  void started(std::uint32_t rank, std::uint32_t operation, Time start, Time until) override;
  void carried(const Message& message, Time at) override;
  void arrived(const Message& message, Time at) override { transfers_[transfer_of(message)].arrived = at; }
  void taken(const Message& message, Time start, Time end) override;
  void matched(const Message& message, std::uint32_t receive, Time now, Time end) override;
  void hop_over(const net::Hop& hop, Time released) override;
  bool is_prompt() const override { return false; }

 private:
  Record& at(std::uint32_t rank, std::uint32_t operation) { return records_[first_[rank] + operation]; }

  const Program& program_;
  std::uint64_t longest_;
  std::vector<std::size_t> first_;  ///< record of each rank
  std::vector<Record> records_;
  std::vector<Transfer> transfers_;
  std::vector<Wait> waits_;
  bool is_sorted_ = true;
};

}  // namespace sanvp::goal
