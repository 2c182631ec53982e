/// What a switch decides: which waiting header gets which output. Both fidelities share it.
/// TIMING.md, "Choosing" and "Arbitration".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/net/leg.hpp"
#include "models/net/rules.hpp"
#include "platform/core/random.hpp"

namespace sanvp::net {

/// A header at the front of its input that wants one of a range of outputs.
struct Request {
  Leg* leg = nullptr;
  int in_port = 0;
  int first_output = 0;
  int outputs = 1;
  int preferred = 0;  ///< offset in the range
  int vc = topologies::Step::any_vc;
  std::int64_t since_ps = 0;
  int committed = -1;       ///< output it waits for, where its choice is final
  int choice = -1;          ///< output it would take now
  std::uint32_t round = 0;  ///< demand-slotted: the round it belongs to
};

struct Grant {
  /// What is still of interest of the request: little, since one is copied at every hop.
  struct Asked {
    Leg* leg = nullptr;
    std::int64_t since_ps = 0;
  };
  Asked request;
  int output = 0;
  int vc = 0;
};

class alignas(cache_line) Crossbar {
 public:
  /// One output port. Two in a line of the cache.
  struct Output {
    std::int64_t free_ps = INT64_MAX;   // virtual channel free_vc is free from then on, without being told
    Leg* holder = nullptr;              // who owns it until then
    std::uint32_t owned = 0;            // bit per virtual channel
    std::uint32_t round = 0;            // demand-slotted: that of the last grant
    std::int16_t pointer = 0;           // round robin: first input port to look at
    std::int16_t rotation = 0;          // Choice::round_robin: offset to begin with, of the range that starts here
    std::uint8_t virtual_channels = 0;  // 0 where the port is not cabled or its channel has failed
    std::uint8_t cabled_channels = 0;   // the same while it works
    std::uint8_t free_vc = 0;
    bool freed = false;  // since the last grant()

    void catch_up(std::int64_t now_ps) {
      if (free_ps > now_ps) return;
      free_ps = INT64_MAX;
      owned &= ~(1U << free_vc);
    }
  };

  /// @param outputs  in port order: whoever knows the switch can fetch them before it is asked
  Crossbar(const SwitchRules& rules, Random random, std::span<Output> outputs)
      : outputs_(outputs), choice_(rules.choice), arbitration_(rules.arbitration), random_(random), rules_(rules) {}

  /// Written in place, member by member: to read whole what has just been written in parts makes the processor wait.
  void add(const Request& request) { waiting_.emplace_back() = request; }
  void release(int output, int vc);
  /// The virtual channel of `output` that `holder` owns will be free from `ps` on, for good.
  /// @return false where somebody waits for it, or another one of the output is to be so: then release() has to be
  ///   called at that instant
  bool release_later(int output, std::int64_t ps, Leg& holder, std::int64_t now_ps);
  /// The output takes no more packets (a failed link). Appends the headers that have no other way to `cut_off`: they
  /// wait no longer. A branch of a broadcast stays, and will get the output: others may have gone ahead.
  void fail(int output, std::vector<Leg*>& cut_off);
  /// It takes packets again.
  void repair(int output);
  /// Whether any output of the range works at all. @param vc  that has to be there, or any_vc
  bool reachable(int first_output, int outputs, int vc) const;

  /// Grants what can be granted at `now`, one at a time until nothing more fits; appends to `grants`. Those who have
  /// to wait want to be told by release() when outputs are free that release_later() spoke of: appends their holders to
  /// `awaited`.
  void grant(std::int64_t now_ps, std::vector<Grant>& grants, std::vector<Leg*>& awaited);

  const std::vector<Request>& waiting() const { return waiting_; }

 private:
  static int free_vc(const Output& output, const Request& request);
  bool available(int output, const Request& request) const;
  void choose(Request& request);
  bool prefer(const Request& a, const Request& b, const Output& output, std::int64_t now_ps) const;
  void take(std::size_t won, std::vector<Grant>& grants);
  void catch_up(const Request& request, std::int64_t now_ps);
  void done(std::size_t newcomers, std::vector<Leg*>& awaited);
  std::size_t winner(int output, std::int64_t now_ps);
  bool may_get_one(std::size_t waiting) const;
  void grant_one(std::size_t only, std::int64_t now_ps, std::vector<Grant>& grants);
  void grant_all(std::int64_t now_ps, std::vector<Grant>& grants);

  // What every packet needs comes first, in one line of the cache.
  std::span<Output> outputs_;
  std::vector<Request> waiting_;
  std::size_t fresh_ = 0;  // waiting_[fresh_..] came since the last grant()
  bool any_freed_ = false;
  Choice choice_;
  Arbitration arbitration_;
  Random random_;
  SwitchRules rules_;
  std::vector<std::size_t> candidates_;  // indices into waiting_, of the grant() under way
};

}  // namespace sanvp::net
