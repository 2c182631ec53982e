#include "platform/mpi_check/collectives.hpp"

#include <algorithm>
#include <utility>

namespace sanvp::mpi_check {

namespace {
bool fits(Agreement agreement) {
  return agreement == Agreement::same || agreement == Agreement::alike || agreement == Agreement::bytes;
}
}  // namespace

const Data* Flow::with(int rank, int root) const {
  const Data* found = nullptr;
  if (kind == Kind::same_for_all || (kind == Kind::only_root && rank == root)) found = &data;
  if (kind == Kind::by_rank && static_cast<std::size_t>(rank) < each.size())
    found = &each[static_cast<std::size_t>(rank)];
  return found != nullptr && *found ? found : nullptr;
}

std::string Argument::text() const {
  constexpr std::size_t most = 8;  // a line can be read
  std::string all = name;
  for (std::size_t i = 0; i < values.size() && i < most; ++i) all += " " + std::to_string(values[i]);
  return all + (values.size() > most ? " ..." : "");
}

std::shared_ptr<CollectiveSlot> Collectives::enter(const Communicator& communicator,
                                                   const std::shared_ptr<Part>& part) {
  part->order = {communicator.context, communicator.processes.front()};
  Order& order = orders_[part->order];
  const auto size = static_cast<std::size_t>(communicator.size);
  order.next.resize(size);
  const auto self = static_cast<std::size_t>(communicator.rank);
  const std::uint64_t number = order.next[self]++;
  while (order.first + order.slots.size() <= number) {
    auto made = std::make_shared<CollectiveSlot>();
    made->members = communicator.processes;
    made->has_come.resize(size);
    made->parts.resize(size);
    order.slots.push_back(std::move(made));
  }
  auto slot = order.slots[number - order.first];
  part->comm_rank = communicator.rank;
  part->slot = slot;
  slot->has_come[self] = true;
  slot->parts[self] = part;
  if (!slot->known.empty()) compare(part, slot->known.front());
  const bool is_by_rank = part->gives.kind == Flow::Kind::by_rank || part->takes.kind == Flow::Kind::by_rank;
  for (const auto& other : slot->known) {
    const bool has_more = is_by_rank || other->gives.kind == Flow::Kind::by_rank ||
                          other->takes.kind == Flow::Kind::by_rank || other->comm_rank == other->root ||
                          part->comm_rank == part->root;
    if (!has_more && other != slot->known.front()) continue;
    compare_flow(part, other);
    compare_flow(other, part);
  }
  slot->known.push_back(part);
  if (slot->known.size() == size) slot->known.clear();
  // All have begun a later one, so that none can leave this one any more.
  while (!order.slots.empty() && std::all_of(order.next.begin(), order.next.end(),
                                             [&](std::uint64_t next) { return next > order.first + 1; })) {
    order.slots.pop_front();
    ++order.first;
  }
  return slot;
}

bool Collectives::leave(const std::shared_ptr<Part>& part) {
  const auto found = orders_.find(part->order);
  if (found == orders_.end() || part->comm_rank < 0) return false;
  Order& order = found->second;
  const auto self = static_cast<std::size_t>(part->comm_rank);
  const std::uint64_t number = order.next.at(self) - 1;
  if (number < order.first || number - order.first >= order.slots.size()) return false;
  CollectiveSlot& slot = *order.slots[number - order.first];
  if (slot.parts[self].lock() != part) return false;
  --order.next[self];
  slot.has_come[self] = false;
  slot.parts[self].reset();
  std::erase(slot.known, part);
  std::erase_if(disagreements_,
                [&](const Disagreement& one) { return one.part.lock() == part || one.other.lock() == part; });
  std::erase_if(differences_, [&](const Difference& found) { return found.concerns(part); });
  if (part->is_passed) --slot.passed;
  part->slot.reset();
  return true;
}

void Collectives::start(CollectiveSlot& slot, std::uint64_t number, const std::shared_ptr<Part>& part) {
  auto& started = slot.starts[number];
  if (!started) {
    started = std::make_shared<Slot>();
    started->members = slot.members;
    started->has_come.resize(slot.members.size());
    started->parts.resize(slot.members.size());
  }
  const auto self = static_cast<std::size_t>(part->comm_rank);
  started->has_come[self] = true;
  started->parts[self] = part;
  part->slot = started;
}

void Collectives::compare(const std::shared_ptr<Part>& part, const std::shared_ptr<Part>& other) {
  if (part->site.call != other->site.call) {
    disagreements_.push_back({part, other, part->site, other->site});
    return;
  }
  compare_arguments(part, other);
}

void Collectives::report(const Difference& found) const {
  report_(found.kind, {found.part->site, found.other->site}, found.text, found.cure);
}

void Collectives::accept(const std::shared_ptr<Part>& part) {
  for (const Difference& found : differences_)
    if (found.concerns(part)) report(found);
  std::erase_if(differences_, [&](const Difference& found) { return found.concerns(part); });
}

void Collectives::finish() {
  for (const Difference& found : differences_) report(found);
  differences_.clear();
  for (const Disagreement& found : disagreements_)
    report_("different collective operations", {found.part_site, found.other_site},
            "{0}, while rank " + std::to_string(found.other_site.rank) +
                " is in {1}, both as the next on their communicator",
            "call the same collective operations in the same order in all ranks");
  disagreements_.clear();
}

void Collectives::compare_arguments(const std::shared_ptr<Part>& part, const std::shared_ptr<Part>& other) {
  const std::string in_other = " in rank " + std::to_string(other->site.rank) + ", {1}";
  if (part->root != other->root) {
    differences_.push_back(
        {part, other, "different roots",
         "{0} has root " + std::to_string(part->root) + ", and root " + std::to_string(other->root) + in_other,
         "name the same root in all ranks"});
    return;
  }
  if (part->operation != other->operation && !part->operation.empty() && !other->operation.empty())
    differences_.push_back({part, other, "different operations",
                            "{0} reduces by " + part->operation + ", and by " + other->operation + in_other,
                            "use the same operation in all ranks"});
  for (std::size_t i = 0; i < part->arguments.size() && i < other->arguments.size(); ++i) {
    if (part->arguments[i] == other->arguments[i]) continue;
    differences_.push_back({part, other, "different arguments",
                            "{0} has " + part->arguments[i].text() + ", and " + other->arguments[i].text() + in_other,
                            "give the same arguments in all ranks"});
    return;
  }
  if (!part->reduced || !other->reduced) return;
  const Agreement agreement = mpi_check::compare(part->reduced, other->reduced);
  if (fits(agreement)) return;
  differences_.push_back({part, other, agreement == Agreement::other ? "type mismatch" : "different counts",
                          "{0} has " + part->reduced.text() + ", and " + other->reduced.text() + in_other,
                          "give the same count and type in all ranks"});
}

/// What one rank gives to another, and what that takes from it.
void Collectives::compare_flow(const std::shared_ptr<Part>& from, const std::shared_ptr<Part>& to) {
  if (from->site.call != to->site.call || from->root != to->root) return;
  const Data* const given = from->gives.with(to->comm_rank, from->root);
  const Data* const taken = to->takes.with(from->comm_rank, from->root);
  if (given == nullptr || taken == nullptr) return;
  const Agreement agreement = mpi_check::compare(*given, *taken);
  if (fits(agreement)) return;
  differences_.push_back({from, to, agreement == Agreement::other ? "type mismatch" : "different counts",
                          "{0} sends " + given->text() + " to rank " + std::to_string(to->site.rank) +
                              ", which takes " + taken->text() + ", {1}",
                          "let both sides name the same data"});
}

}  // namespace sanvp::mpi_check
