/// Answers of a network interface to requests of others: the data of gets, and answers without data, which do not wait
/// for gets.
#pragma once

#include "models/nic/card/queues.hpp"
#include "models/nic/tofu/completion.hpp"
#include "models/nic/tofu/link.hpp"
#include "models/nic/tofu/steering.hpp"
#include "models/nic/tofu/tracks.hpp"

namespace sanvp::nic::tofu {

/// Units that the interfaces share.
struct Shared {
  net::Clock& clock;
  HostMemory& memory;
  Queues& queues;
  Steering& steering;
  Link& link;
  Completion& completion;
  Counters& counters;
  Tracks& tracks;
};

/// Sends a message's data in packets. @return when the last of them has been read
net::Task<Time> send_data(Shared& shared, std::uint32_t tni, Header header, std::vector<Steering::Piece> pieces);

class Responder {
 public:
  Responder(std::uint32_t tni, Shared& shared)
      : tni_(tni), shared_(shared), answers_(shared.clock), gets_(shared.clock) {}

  /// An answer without data, not earlier than `at`.
  void send(const Header& header, Time at) { answers_.push({header, at}); }
  /// Answers a get.
  void get(const Header& request) { gets_.push({request, Time{0}}); }

  net::Task<> run_answers();
  net::Task<> run_gets();
  void show(CardQueue& shown) const;
  bool busy() const { return !answers_.empty() || !gets_.empty() || working_; }

 private:
  struct Job {
    Header header;
    Time at{0};
  };

  std::uint32_t tni_;
  Shared& shared_;
  net::Mailbox<Job> answers_;
  net::Mailbox<Job> gets_;
  bool working_ = false;
};

/// The entry of an MRQ that reports a message.
/// @param far  the queue at the other end
tofu_mrq_entry notice_of(const Header& header, tofu_notice type, const Place& far);

}  // namespace sanvp::nic::tofu
