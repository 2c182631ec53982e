/// Distributions of message lengths, in bytes of payload: fixed, uniform, exponential or bimodal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "platform/core/random.hpp"

namespace sanvp::traffic {

/// Longer messages would overflow the flit count of a packet.
constexpr std::int64_t most_message_bytes = std::int64_t{1} << 30;

class MessageSizes {
 public:
  /// "320", "64KiB", "uniform:64:1KiB" (both included), "exp:1MB" (the mean; whole bytes, at least 1),
  /// "bimodal:32:512:0.3" (the second length with that probability, otherwise the first), "cdf:FILE" (a file of lines
  /// `BYTES SHARE`, the share of messages that are not longer; ascending, up to 1).
  /// Throws UserError for any other text.
  static MessageSizes parse(const std::string& text, const std::string& place);

  std::int64_t draw(Random& random) const;
  /// The expected value of a cost that depends on the length. Its error is below 1e-4 if there are too many lengths to
  /// visit each.
  double mean_of(const std::function<double(std::int64_t bytes)>& cost) const;
  double mean_bytes() const;

 private:
  struct Fixed {
    std::int64_t bytes;
  };
  struct Uniform {
    std::int64_t least, most;
  };
  struct Exponential {
    std::int64_t mean;
  };
  struct Bimodal {
    std::int64_t first, second;
    double second_share;
  };
  /// Between two points lengths are equally likely.
  struct Measured {
    struct Point {
      std::int64_t bytes;
      double share;  ///< of messages that are not longer
    };
    std::vector<Point> points;  ///< ascending; the last share is 1
  };
  using Law = std::variant<Fixed, Uniform, Exponential, Bimodal, Measured>;
  static Measured read_distribution(const std::string& path);
  static std::int64_t bytes_at(const Measured& law, double share);

  explicit MessageSizes(Law law) : law_(std::move(law)) {}

  Law law_;
};

}  // namespace sanvp::traffic
