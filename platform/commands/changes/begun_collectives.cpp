#include "platform/commands/changes/begun_collectives.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "platform/mpi_check/call_observer.hpp"

namespace sanvp::commands {

/// Counts the calls of each rank on each communicator, in which they have the same order for all its ranks.
/// Intercommunicators, and what other calls do by messages (MPI_Comm_split), never count.
class BegunCollectives::OfJob final : private mpi_check::CallObserver {
 public:
  explicit OfJob(std::size_t ranks) : CallObserver(ranks), ranks_(ranks) {}

  using CallObserver::check;

  void mark() { marked_ = most_; }
  bool is_later(std::size_t rank) const {
    const std::optional<Call>& call = ranks_.at(rank).call;
    if (!marked_ || !call) return false;
    const auto known = marked_->find(call->context);
    return known == marked_->end() || call->number > known->second;
  }

 private:
  using Communicator = std::shared_ptr<const mpi_check::Communicator>;
  struct Call {
    std::uint32_t context;
    std::uint64_t number;  ///< of the communicator's calls, from 1 on
  };
  struct OfRank {
    std::map<Communicator, std::uint64_t> begun{};
    std::optional<Call> call{};  ///< under way
  };

  void mpi_call_begins(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) override {
    const Communicator on = call.collective ? call.collective->communicator : nullptr;
    if (on == nullptr || on->is_inter) return;
    OfRank& of = ranks_.at(static_cast<std::size_t>(rank.number));
    of.call = Call{on->context, ++of.begun[on]};
    std::uint64_t& most = most_[on->context];
    most = std::max(most, of.call->number);
  }
  void mpi_call_ends(mpi_check::Rank& rank, const mpi_check::ObservedCall&) override {
    ranks_.at(static_cast<std::size_t>(rank.number)).call.reset();
  }

  std::vector<OfRank> ranks_;
  std::map<std::uint32_t, std::uint64_t> most_;  ///< of any rank, by context
  std::optional<std::map<std::uint32_t, std::uint64_t>> marked_;
};

BegunCollectives::BegunCollectives(const std::vector<std::size_t>& ranks) {
  for (const std::size_t count : ranks) jobs_.push_back(std::make_unique<OfJob>(count));
}

BegunCollectives::~BegunCollectives() = default;

void BegunCollectives::mark() {
  for (const auto& job : jobs_) job->mark();
}

bool BegunCollectives::is_later(const host::Identity& process) const {
  return process.rank >= 0 &&
         jobs_.at(static_cast<std::size_t>(process.job))->is_later(static_cast<std::size_t>(process.rank));
}

bool BegunCollectives::check(const host::Identity& process, const host::CheckedProcess& memory,
                             const hal_checked_call& call) {
  return process.rank >= 0 && jobs_.at(static_cast<std::size_t>(process.job))->check(process, memory, call);
}

}  // namespace sanvp::commands
