/// Tells a recorder of the collective operations of a job's processes, as calls (`sanvp run --record-level calls`).
#pragma once

#include <string>

#include "platform/goal/recorder.hpp"
#include "platform/jobs/listener.hpp"
#include "platform/mpi_check/call_observer.hpp"

namespace sanvp::goal {

class CollectiveCalls final : public jobs::Listener, private mpi_check::CallObserver {
 public:
  /// @param ranks  of the program. @param recorder  lives longer
  CollectiveCalls(std::size_t ranks, Recorder& recorder) : CallObserver(ranks), recorder_(recorder) {}

  bool check(const host::Identity& process, const host::CheckedProcess& memory, const hal_checked_call& call) override {
    return CallObserver::check(process, memory, call);
  }
  /// A call whose operation continues behind it, so that its messages cannot be told from those of others; empty: none.
  const std::string& unrecordable() const { return unrecordable_; }

 private:
  void mpi_call_begins(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) override;
  void mpi_call_ends(mpi_check::Rank& rank, const mpi_check::ObservedCall& call) override;

  Recorder& recorder_;
  std::string unrecordable_;
};

}  // namespace sanvp::goal
