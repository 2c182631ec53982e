#include "platform/mpi_check/mailboxes.hpp"

#include <algorithm>

namespace sanvp::mpi_check {
namespace {

/// Whether a receive takes messages of such a source and tag.
bool fits(const Message& receive, int source, int tag) {
  return (receive.source < 0 || receive.source == source) && (receive.tag < 0 || receive.tag == tag);
}

bool fit_each_other(const Message& one, const Message& other) {
  const auto meet = [](int a, int b) { return a < 0 || b < 0 || a == b; };
  return meet(one.source, other.source) && meet(one.tag, other.tag);
}

}  // namespace

bool Mailboxes::take(Box& box, const MessagePtr& receive) {
  const auto queue = box.sends.find({receive->source, receive->tag});
  if (queue == box.sends.end()) return false;
  const MessagePtr send = queue->second.front();
  queue->second.pop_front();
  if (queue->second.empty()) box.sends.erase(queue);
  send->partner = receive;
  receive->partner = send;
  receive->sent = send;
  send->had_partner = receive->had_partner = true;
  matched_(*send, *receive);
  return true;
}

/// A receive of known source and tag takes the first such message, unless an earlier receive may have it.
void Mailboxes::match(Box& box) {
  std::vector<MessagePtr> open;
  for (auto at = box.receives.begin(); at != box.receives.end() && !box.sends.empty();) {
    const MessagePtr receive = *at;
    const bool must_wait = receive->is_open() || std::any_of(open.begin(), open.end(), [&](const MessagePtr& earlier) {
                             return fit_each_other(*earlier, *receive);
                           });
    if (must_wait || !box.sends.contains({receive->source, receive->tag})) {
      if (receive->is_open()) open.push_back(receive);
      ++at;
      continue;
    }
    at = box.receives.erase(at);
    take(box, receive);
  }
}

/// A receive of any tag meets those of all tags.
void Mailboxes::note_thread(Box& box, Message& message) {
  message.ambiguity = box.ambiguity;
  if (message.thread == 0) return;
  if (message.is_send) {
    const auto [first, is_new] = box.senders.try_emplace({message.source, message.tag}, message.thread);
    if (first->second != message.thread) box.ambiguity->tags.insert(message.tag);
    return;
  }
  constexpr int any = -1;
  const int tag = message.tag < 0 ? any : message.tag;
  const auto [first, is_new] = box.receivers.try_emplace(tag, message.thread);
  if (first->second != message.thread) box.ambiguity->tags.insert(tag);
  if (!box.receivers.contains(any)) return;
  box.ambiguity->is_all |= std::any_of(box.receivers.begin(), box.receivers.end(),
                                       [&](const auto& one) { return one.second != message.thread; }) ||
                           box.ambiguity->tags.contains(any);
}

void Mailboxes::give_up(const Message& receive) { box_of(receive).ambiguity->is_all = true; }

void Mailboxes::send(const MessagePtr& message) {
  Box& box = box_of(*message);
  note_thread(box, *message);
  message->order = sends_++;
  box.sends[{message->source, message->tag}].push_back(message);
  match(box);
}

void Mailboxes::receive(const MessagePtr& message) {
  Box& box = box_of(*message);
  note_thread(box, *message);
  message->order = receives_++;
  box.receives.push_back(message);
  match(box);
}

void Mailboxes::resolve(const MessagePtr& receive, int source, int tag) {
  if (!receive->is_open()) return;
  receive->source = source;
  receive->tag = tag;
  match(box_of(*receive));
}

void Mailboxes::resolve(const MessagePtr& receive) {
  if (!receive->is_open()) return;
  Box& box = box_of(*receive);
  if (const MessagePtr* const send = first(box, receive->source, receive->tag))
    resolve(receive, (*send)->source, (*send)->tag);
  else
    box.receives.remove(receive);
}

const Mailboxes::MessagePtr* Mailboxes::first(const Box& box, int source, int tag) {
  const MessagePtr* found = nullptr;
  for (const auto& [of, queue] : box.sends)
    if ((source < 0 || of.first == source) && (tag < 0 || of.second == tag) &&
        (found == nullptr || queue.front()->order < (*found)->order))
      found = &queue.front();
  return found;
}

void Mailboxes::part(Message& send, Message& receive) {
  send.had_partner = receive.had_partner = false;
  send.partner.reset();
  receive.partner.reset();
  receive.sent.reset();
}

void Mailboxes::cancel(const MessagePtr& message) {
  message->is_cancelled = message->is_satisfied = true;
  Box& box = box_of(*message);
  const auto partner = std::dynamic_pointer_cast<Message>(message->partner.lock());
  if (message->is_send) {
    if (const auto queue = box.sends.find({message->source, message->tag}); queue != box.sends.end()) {
      std::erase(queue->second, message);
      if (queue->second.empty()) box.sends.erase(queue);
    }
    if (partner) {  // its receive takes a later message
      part(*message, *partner);
      box.receives.insert(std::find_if(box.receives.begin(), box.receives.end(),
                                       [&](const MessagePtr& other) { return other->order > partner->order; }),
                          partner);
    }
  } else {
    box.receives.remove(message);
    if (partner) {
      const auto sent = message->sent;
      part(*sent, *message);
      box.sends[{sent->source, sent->tag}].push_front(sent);
    }
  }
  match(box);
}

Mailboxes::MessagePtr Mailboxes::peek(std::uint32_t context, int destination, int source, int tag) const {
  const auto box = boxes_.find({context, destination});
  if (box == boxes_.end()) return nullptr;
  const MessagePtr* const send = first(box->second, source, tag);
  return send != nullptr ? *send : nullptr;
}

std::vector<int> Mailboxes::other_sources(const Message& receive, int source) const {
  std::vector<int> others;
  const auto box = boxes_.find({receive.context, receive.destination});
  if (box == boxes_.end()) return others;
  for (const auto& [of, queue] : box->second.sends)
    if (of.first != source && (receive.any_tag || of.second == receive.tag)) others.push_back(of.first);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  return others;
}

bool Mailboxes::has_receive(const Message& send) const {
  const auto box = boxes_.find({send.context, send.destination});
  if (box == boxes_.end()) return false;
  return std::any_of(box->second.receives.begin(), box->second.receives.end(),
                     [&](const MessagePtr& receive) { return fits(*receive, send.source, send.tag); });
}

std::vector<Mailboxes::MessagePtr> Mailboxes::unmatched_sends() const {
  std::vector<MessagePtr> all;
  for (const auto& [key, box] : boxes_)
    for (const auto& [of, queue] : box.sends) all.insert(all.end(), queue.begin(), queue.end());
  return all;
}

}  // namespace sanvp::mpi_check
