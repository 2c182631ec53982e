/// The crossbar of a switch grants outputs to waiting headers, as its policies decide (policy.hpp). Both fidelities
/// share it. TIMING.md, "Choosing" and "Arbitration".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/net/policy.hpp"
#include "models/net/rules.hpp"
#include "platform/core/random.hpp"

namespace sanvp::net {

struct Grant {
  /// The part of a request that is still needed: small, since one is copied at every hop.
  struct Asked {
    Hop* hop = nullptr;
    std::int64_t since_ps = 0;
  };
  Asked request;
  int output = 0;
  int vc = 0;
  std::uint32_t state = 0;  ///< of the packet from now on, if a relation routes it
};

class alignas(cache_line) Crossbar {
 public:
  /// @param outputs  in port order, outside of the crossbar: a caller can prefetch them
  Crossbar(const SwitchRules& rules, Random random, std::span<OutputPort> outputs)
      : outputs_(outputs),
        selection_(rules.selection.get()),
        vc_selection_(rules.vc_selection.get()),
        random_(random),
        rules_(rules) {}

  /// Written in place, member by member: a wide load from narrow stores would stall.
  void add(const Request& request) { waiting_.emplace_back() = request; }
  /// A header with options of a relation: at least one that works. They are kept while it waits.
  void add(Request request, std::span<const Option> options);
  void release(int output, int vc);
  /// A quiet release: the virtual channel of `output` that `holder` owns is free from `ps` on, without a call.
  /// @return false if a header waits for it, or another virtual channel of this output already has a pending
  /// release:
  ///   then release() has to be called at that instant
  bool release_later(int output, std::int64_t ps, Hop& holder, std::int64_t now_ps);
  /// The output takes no more packets (a failed link). Appends the headers that have no other way to `cut_off`: they
  /// stop waiting. A branch of a broadcast stays, and will get the output: others may have gone ahead.
  void fail(int output, std::vector<Hop*>& cut_off);
  /// It takes packets again.
  void repair(int output);
  /// Whether any output of the range works at all, with one of the virtual channels `vcs`.
  bool reachable(int first_output, int outputs, topologies::VcSet vcs) const;
  bool reachable(const Request& request) const;

  /// Grants what can be granted at `now`, one at a time until nothing more fits; appends to `grants`. For
  /// headers that have to wait, the quiet releases of their outputs have to become calls of release(): appends their
  /// holders to `awaited`.
  /// @param queues  of this switch
  void grant(std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants, std::vector<Hop*>& awaited);

  const std::vector<Request>& waiting() const { return waiting_; }

  /// From now on it decides by the policies of these rules; other rules stay. Headers that wait select again.
  void adopt_policies(const SwitchRules& rules) {
    rules_.arbitration = rules.arbitration;
    rules_.age_threshold = rules.age_threshold;
    rules_.hosts_last = rules.hosts_last;
    rules_.selection = rules.selection;
    rules_.vc_selection = rules.vc_selection;
    selection_ = rules_.selection.get();
    vc_selection_ = rules_.vc_selection.get();
  }
  void reseed(Random random) { random_ = random; }

 private:
  void select(Request& request, const Queues& queues);
  Selection select_option(const Request& request, const Queues& queues);
  bool goes_first(const Request& a, const Request& b, const OutputPort& output, std::int64_t now_ps) const;
  void take(std::size_t won, const Queues& queues, std::vector<Grant>& grants);
  void rotate_options(const Request& request);
  void drop_options(const Request& request);
  void catch_up(const Request& request, std::int64_t now_ps);
  void done(std::size_t newcomers, std::vector<Hop*>& awaited);
  std::size_t winner(int output, std::int64_t now_ps);
  bool may_get_one(std::size_t waiting) const;
  void grant_one(std::size_t only, std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants);
  void grant_all(std::int64_t now_ps, const Queues& queues, std::vector<Grant>& grants);

  // What every packet needs comes first, in one cache line.
  std::span<OutputPort> outputs_;
  std::vector<Request> waiting_;
  std::size_t fresh_ = 0;  // waiting_[fresh_..] came since the last grant()
  const OutputSelectionPolicy* selection_;
  const VcSelectionPolicy* vc_selection_;
  bool any_freed_ = false;
  Random random_;
  SwitchRules rules_;
  std::vector<std::size_t> candidates_;                             // indices into waiting_, of the grant() under way
  std::vector<std::unique_ptr<std::vector<Option>>> options_;       // of headers that wait ...
  std::vector<std::unique_ptr<std::vector<Option>>> free_options_;  // ... and storage for others
};

}  // namespace sanvp::net
