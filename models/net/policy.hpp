/// Policies of a switch: which of several waiting headers gets an output, and which of several permitted outputs a
/// header takes (TIMING.md, "Arbitration" and "Choosing"). Each is a part, a file of its own in models/policies.
#pragma once

#include <bit>
#include <climits>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/net/hop.hpp"
#include "models/net/rules.hpp"
#include "platform/core/random.hpp"
#include "platform/core/registry.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::net {

/// One output that a relation permits.
struct Option {
  int output = 0;
  topologies::VcSet vcs = topologies::all_vcs;
  int rank = 0;             ///< those of the lowest rank with a free virtual channel come first
  std::uint32_t state = 0;  ///< of the packet, once it has got this one
};

/// A header at the front of its input that wants one of a range of outputs, or of a list of them.
struct Request {
  Hop* hop = nullptr;
  int in_port = 0;
  int first_output = 0;
  int outputs = 1;
  int preferred = 0;  ///< by the source: offset in the range
  topologies::VcSet vcs = topologies::all_vcs;
  std::int64_t since_ps = 0;
  const std::vector<Option>* options = nullptr;  ///< of a relation, in place of the range
  int committed = -1;                            ///< output it waits for, where its selection is final
  int selected = -1;                             ///< output it would take now
  std::uint32_t round = 0;  ///< one more than that of the previous grant of its range's first output
  std::uint32_t state = 0;  ///< of the option that it would take now

  const Packet& packet() const { return *hop->packet; }

  /// Calls `visit(output)` for each output.
  template <class Visit>
  void for_each_output(Visit visit) const {
    if (options != nullptr) {
      for (const Option& option : *options) visit(option.output);
    } else {
      for (int output = first_output; output < first_output + outputs; ++output) visit(output);
    }
  }
  bool wants(int output) const {
    if (options == nullptr) return output >= first_output && output < first_output + outputs;
    bool found = false;
    for_each_output([&](int one) { found |= one == output; });
    return found;
  }
};

/// One output port of a switch. Two in a cache line.
struct OutputPort {
  std::int64_t free_ps = INT64_MAX;   ///< virtual channel free_vc is free from then on, without an event
  Hop* holder = nullptr;              ///< its owner until then
  std::uint32_t owned = 0;            ///< a bit for each virtual channel
  std::uint32_t round = 0;            ///< that of the last request granted
  std::int16_t pointer = 0;           ///< the input port after the one granted last
  std::int16_t rotation = 0;          ///< of the range that starts here: the offset after the one granted last
  std::uint8_t virtual_channels = 0;  ///< 0 if the port is not cabled or its channel has failed
  std::uint8_t cabled_channels = 0;   ///< the same while it works
  std::uint8_t free_vc : 4 = 0;
  std::uint8_t next_vc : 4 = 0;  ///< the one after that granted last
  bool freed = false;            ///< since the last arbitration

  void catch_up(std::int64_t now_ps) {
    if (free_ps > now_ps) return;
    free_ps = INT64_MAX;
    owned &= ~(1U << free_vc);
  }

  /// Those of `vcs` that the request may have now.
  topologies::VcSet free_for(const Request& request, topologies::VcSet vcs) const {
    int channels = virtual_channels;
    // A branch of a broadcast waits even for an output that has failed (Crossbar::fail).
    if (channels == 0 && request.hop->fork != nullptr) channels = cabled_channels;
    return ~owned & ((1U << channels) - 1) & vcs;
  }
};

/// The subject of an arbitration: an output, now, in a switch of these rules.
struct Contest {
  const OutputPort& output;
  std::int64_t now_ps;
  const SwitchRules& rules;
};

/// Which of two headers that want the same output goes first. One object serves all switches of a machine: it keeps no
/// state of its own; what a switch remembers of an output is in OutputPort.
class ArbitrationPolicy {
 public:
  virtual ~ArbitrationPolicy() = default;
  /// Less: `a` goes first. Equal: the lower input port does, then the lower virtual channel. Priorities of packets and
  /// SwitchRules::hosts_last have been looked at before. Has to be a strict weak order.
  virtual std::strong_ordering compare(const Request& a, const Request& b, const Contest& contest) const = 0;
};

/// Flits in buffers at the far ends of a unit's channels, as credits tell its sender.
class Queues {
 public:
  /// Flits of a virtual channel of one of this unit's outputs that arrived, and had not left, before this instant.
  virtual std::int64_t buffered(int output, int vc) const = 0;

 protected:
  ~Queues() = default;
};

/// The outputs that a header may take, numbered from 0 in the order of its route. At least one of them works.
class PermittedOutputs {
 public:
  /// @param outputs  all of the switch
  PermittedOutputs(std::span<const OutputPort> outputs, const Request& request, const Queues& queues)
      : outputs_(
            outputs.subspan(static_cast<std::size_t>(request.first_output), static_cast<std::size_t>(request.outputs))),
        request_(request),
        queues_(queues) {}
  /// @param options  those of one rank
  PermittedOutputs(std::span<const OutputPort> outputs, const Request& request, std::span<const Option> options,
                   const Queues& queues)
      : outputs_(outputs), options_(options), request_(request), queues_(queues) {}

  int count() const { return static_cast<int>(options_.empty() ? outputs_.size() : options_.size()); }
  /// Whether it has a virtual channel for the header.
  bool is_free(int output) const { return at(output).free_for(request_, vcs(output)) != 0; }
  /// Whether packets own none of its virtual channels.
  bool is_idle(int output) const { return is_free(output) && at(output).owned == 0; }
  /// Flits in the buffers at its far end, of the virtual channels that the header may have.
  std::int64_t buffered(int output) const {
    std::int64_t flits = 0;
    for (topologies::VcSet left = vcs(output) & ((1U << at(output).virtual_channels) - 1); left != 0; left &= left - 1)
      flits += queues_.buffered(port(output), std::countr_zero(left));
    return flits;
  }
  /// Whether it is cabled and has not failed.
  bool works(int output) const { return at(output).virtual_channels > 0; }
  /// Virtual channels that packets own.
  int owned(int output) const {
    const std::uint32_t owned = at(output).owned;
    return owned == 0 ? 0 : std::popcount(owned);  // a call where the processor may lack the instruction
  }
  /// The output that the packet's source prefers.
  int preferred() const { return request_.preferred; }
  /// The output after the one last granted to a header with the same outputs.
  int rotation() const { return at(0).rotation % count(); }
  /// What was selected when this header was looked at last, or -1: headers that lose an arbitration select again.
  int before() const {
    if (request_.selected < 0) return -1;
    return first_from(0, [this](int output) { return port(output) == request_.selected; });
  }

  /// The first output for which `accept` holds, from number `start` on and cyclically; or -1.
  template <class Accept>
  int first_from(int start, Accept accept) const {
    for (int i = 0; i < count(); ++i)
      if (const int output = (start + i) % count(); accept(output)) return output;
    return -1;
  }
  int first_free_from(int start) const {
    return first_from(start, [this](int output) { return is_free(output); });
  }
  /// One that no packet uses, else one with a free virtual channel; or -1.
  int first_idle_from(int start) const {
    const int idle = first_from(start, [this](int output) { return is_idle(output); });
    return idle >= 0 ? idle : first_free_from(start);
  }
  int first_working_from(int start) const {
    return first_from(start, [this](int output) { return works(output); });
  }
  /// A random output for which `accept` holds; or -1.
  template <class Accept>
  int random_among(Random& random, Accept accept) const {
    std::uint64_t acceptable = 0;
    for (int i = 0; i < count(); ++i) acceptable += accept(i) ? 1 : 0;
    if (acceptable == 0) return -1;
    std::uint64_t before = random.below(acceptable);
    for (int i = 0;; ++i)
      if (accept(i) && before-- == 0) return i;
  }
  int random_working(Random& random) const {
    return random_among(random, [this](int output) { return works(output); });
  }

 private:
  topologies::VcSet vcs(int output) const {
    return options_.empty() ? request_.vcs : options_[static_cast<std::size_t>(output)].vcs;
  }
  /// Its number at the switch.
  int port(int output) const {
    return options_.empty() ? request_.first_output + output : options_[static_cast<std::size_t>(output)].output;
  }
  const OutputPort& at(int output) const {
    return outputs_[static_cast<std::size_t>(options_.empty() ? output : port(output))];
  }

  std::span<const OutputPort> outputs_;  ///< the permitted ones; of a list of options all of the switch
  std::span<const Option> options_;
  const Request& request_;
  const Queues& queues_;
};

/// Which of several free virtual channels of one output, or of a NIC's injection channel, a packet gets. It keeps no
/// state of its own, as above.
class VcSelectionPolicy {
 public:
  virtual ~VcSelectionPolicy() = default;
  struct Choice {
    topologies::VcSet free = 0;  ///< not empty
    int next = 0;                ///< the one after that granted last
    const Packet& packet;
    const Queues& queues;
    int output = 0;
  };
  virtual int select(const Choice& choice) const = 0;
  /// Whether it asks for queues (Wiring::looks_at_queues).
  virtual bool looks_at_queues() const { return false; }
};

/// The decision of an output-selection policy.
struct Selection {
  int output = -1;     ///< of PermittedOutputs; -1: none for now, ask again when one becomes free
  bool final = false;  ///< the header waits for this output, even if another one becomes free before
};

/// Which of several permitted outputs a header takes. It is asked whenever a header arrives, an output that it may
/// take becomes free, or another header has won the one it selected. It keeps no state of its own, as above.
class OutputSelectionPolicy {
 public:
  virtual ~OutputSelectionPolicy() = default;
  /// @param random  this switch's own generator
  virtual Selection select(const PermittedOutputs& outputs, Random& random) const = 0;
  /// Whether it asks for queues (Wiring::looks_at_queues).
  virtual bool looks_at_queues() const { return false; }
};

/// What a file in models/policies registers. `build` may read parameters of its own from section [switch].
struct ArbitrationPart {
  static constexpr const char* kind() { return "arbitration policy"; }
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const ArbitrationPolicy>(const Parameters&)> build;
};
struct OutputSelectionPart {
  static constexpr const char* kind() { return "output-selection policy"; }
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const OutputSelectionPolicy>(const Parameters&)> build;
};
struct VcSelectionPart {
  static constexpr const char* kind() { return "channel-selection policy"; }
  std::string name;
  std::string summary;
  std::function<std::shared_ptr<const VcSelectionPolicy>(const Parameters&)> build;
};

/// `build` of a policy without parameters: always the same object, so that equal rules compare equal.
template <class Policy>
std::shared_ptr<const Policy> without_parameters(const Parameters&) {
  static const auto policy = std::make_shared<const Policy>();
  return policy;
}

}  // namespace sanvp::net
