/// The collective calls that ranks have begun: which come after those that any rank has begun at an instant. Only such
/// may take other algorithms, since all ranks of an operation need the same one.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "platform/jobs/listener.hpp"

namespace sanvp::commands {

class BegunCollectives final : public jobs::Listener {
 public:
  /// @param ranks  of each job
  explicit BegunCollectives(const std::vector<std::size_t>& ranks);
  ~BegunCollectives();

  /// From now on calls that no rank has begun yet are later ones.
  void mark();
  /// Whether the call that this rank is in is a later one.
  bool is_later(const host::Identity& process) const;

  bool check(const host::Identity& process, const host::CheckedProcess& memory, const hal_checked_call& call) override;

 private:
  class OfJob;
  std::vector<std::unique_ptr<OfJob>> jobs_;
};

}  // namespace sanvp::commands
