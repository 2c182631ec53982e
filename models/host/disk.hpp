/// A disk of a node: requests of the node's processes take turns.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include "platform/core/results.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::host {

struct DiskSettings {
  Time seek{0};                   ///< of a request that does not continue the last one
  Time rotation{0};               ///< then, until the data pass below the head
  Time overhead{0};               ///< of each request
  double Bps = 0;                 ///< of the data
  std::int64_t buffer_bytes = 0;  ///< of writes that the process does not wait for; 0: it waits for all
};

/// Section [host.disk]; empty without a disk: then files take no time. Throws UserError for values out of range.
std::optional<DiskSettings> read_disk(const Parameters& disk);

class Disk {
 public:
  enum class Way : std::uint8_t { read, write, sync };
  struct Request {
    Way way = Way::read;
    std::uint64_t file = 0;   ///< any number that tells files apart
    std::uint64_t begin = 0;  ///< byte of the file
    std::uint64_t bytes = 0;
  };

  explicit Disk(const DiskSettings& settings) : settings_(settings) {}

  /// Takes a request that is made now, after those before it. Calls are in the order of time.
  /// @return when its process may continue
  Time serve(const Request& request, Time now);

  void report(StatisticsTable& statistics, const std::string& path) const;

 private:
  Time time_of(std::uint64_t bytes) const;
  Time positioning_time(const Request& request);
  Time service_time(const Request& request);
  Time buffer(const Request& request, Time now, Time written);

  struct Buffered {
    Time written{0};
    std::uint64_t bytes = 0;
  };

  DiskSettings settings_;
  Time free_{0};                                                 ///< it has served all requests by then
  std::optional<std::pair<std::uint64_t, std::uint64_t>> head_;  ///< file, and byte behind the last request
  std::deque<Buffered> buffered_;
  std::uint64_t buffered_bytes_ = 0;
  std::uint64_t reads_ = 0, writes_ = 0, seeks_ = 0, bytes_read_ = 0, bytes_written_ = 0;
  Time busy_{0};
};

}  // namespace sanvp::host
