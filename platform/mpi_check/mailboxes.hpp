/// Which receive gets which message. Between two ranks and within a context, messages are received in the order in
/// which they were sent (the standard's rule that messages do not overtake), so the order of sends and receives and the
/// sources that receives from any source had say it all.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "platform/mpi_check/post.hpp"

namespace sanvp::mpi_check {

class Mailboxes {
 public:
  using MessagePtr = std::shared_ptr<Message>;
  explicit Mailboxes(std::function<void(Message& send, Message& receive)> matched) : matched_(std::move(matched)) {}

  void send(const MessagePtr& message);
  void receive(const MessagePtr& message);
  /// A receive of any source or tag has had these.
  void resolve(const MessagePtr& receive, int source, int tag);
  /// The same where it is not known which: the message that was sent first of those that it can have had. Unless there
  /// is one, the receive is forgotten.
  void resolve(const MessagePtr& receive);
  /// What a receive has had cannot be told: nothing is said of its messages, and of later ones to this rank.
  void give_up(const Message& receive);
  /// Takes back a receive or send that was cancelled.
  void cancel(const MessagePtr& message);

  /// The unmatched message of such a source and tag, below 0: any, that was sent first; null: none.
  MessagePtr peek(std::uint32_t context, int destination, int source, int tag) const;
  /// Sources, other than one, that have an unmatched message that a receive can take.
  std::vector<int> other_sources(const Message& receive, int source) const;
  /// Whether a receive is waiting that this message can go to.
  bool has_receive(const Message& send) const;
  std::vector<MessagePtr> unmatched_sends() const;

 private:
  struct Box {
    std::map<std::pair<int, int>, std::deque<MessagePtr>> sends;  ///< by source and tag, unmatched
    std::list<MessagePtr> receives;                               ///< unmatched, in their order
    std::map<std::pair<int, int>, std::uint64_t> senders;         ///< threads by source and tag: those that came first
    std::map<int, std::uint64_t> receivers;                       ///< by tag, below 0: any
    std::shared_ptr<Ambiguity> ambiguity = std::make_shared<Ambiguity>();
  };
  using Key = std::pair<std::uint32_t, int>;  // context, destination

  void match(Box& box);
  static void part(Message& send, Message& receive);
  static void note_thread(Box& box, Message& message);
  bool take(Box& box, const MessagePtr& receive);
  Box& box_of(const Message& message) { return boxes_[{message.context, message.destination}]; }

  std::map<Key, Box> boxes_;
  static const MessagePtr* first(const Box& box, int source, int tag);

  std::uint64_t sends_ = 0, receives_ = 0;
  std::function<void(Message&, Message&)> matched_;
};

}  // namespace sanvp::mpi_check
