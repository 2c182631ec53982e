#include "models/host/disk.hpp"

#include <algorithm>
#include <cmath>

#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/units.hpp"

namespace sanvp::host {
namespace {

constexpr double ps_per_second = 1e12;

/// Without a disk, these keys would have no effect.
void refuse_keys_without_disk(const Parameters& disk) {
  for (const char* key : {"seek", "rotation", "overhead", "rate", "buffer"})
    if (disk.place(key) != disk.path() + "." + key)
      throw UserError(disk.where(key), "nodes have no disk", "set " + disk.path() + ".type=disk");
}

}  // namespace

std::optional<DiskSettings> read_disk(const Parameters& disk) {
  const bool has_disk = disk.choice("type", "none", {"none", "disk"},
                                    "disk: files take the time of a disk in each node; none: they take no time",
                                    "a choice (docs/files.md)") == "disk";
  DiskSettings settings;
  settings.seek = disk.time("seek", 5200us, "average seek of a request that does not continue the last one",
                            "recalled: Seagate Cheetah 18XL, 9.1 GB, of 2000");
  settings.rotation = disk.time("rotation", 2990us, "after a seek, until the data come: half a turn on average",
                                "Cheetah: 10,000 turns a minute");
  settings.overhead = disk.time("overhead", 300us, "of each request: system call, file system, controller", "assumed");
  settings.Bps = disk.rate("rate", 20e6, "of the data, to and from the medium",
                           "recalled: Cheetah 18XL, 18 to 28 MB/s from the inner to the outer tracks; less the gaps");
  settings.buffer_bytes =
      disk.size("buffer", 0,
                "writes that a process does not wait for, as long as they fit; 0: it waits until data are on the disk",
                "a choice: 0 is write-through");
  if (!has_disk) {
    refuse_keys_without_disk(disk);
    return {};
  }
  if (!(settings.Bps > 0)) throw UserError(disk.where("rate"), "the rate must be above 0");
  return settings;
}

Time Disk::time_of(std::uint64_t bytes) const {
  return Time{std::llround(static_cast<double>(bytes) * ps_per_second / settings_.Bps)};
}

/// Each file is contiguous on the disk. The head passes over a gap in a file if that is faster than a seek.
Time Disk::positioning_time(const Request& request) {
  const Time seek = settings_.seek + settings_.rotation;
  if (head_ && head_->first == request.file && head_->second <= request.begin) {
    const std::uint64_t gap = request.begin - head_->second;
    if (static_cast<double>(gap) * ps_per_second <= static_cast<double>(seek.count()) * settings_.Bps)
      return time_of(gap);
  }
  ++seeks_;
  return seek;
}

Time Disk::service_time(const Request& request) {
  const Time positioning = positioning_time(request);
  head_ = {request.file, request.begin + request.bytes};
  return settings_.overhead + positioning + time_of(request.bytes);
}

/// A write leaves its process when the buffer has space for it; one larger than the buffer waits for the disk.
Time Disk::buffer(const Request& request, Time now, Time written) {
  while (!buffered_.empty() && buffered_.front().written <= now) {
    buffered_bytes_ -= buffered_.front().bytes;
    buffered_.pop_front();
  }
  const auto room = static_cast<std::uint64_t>(settings_.buffer_bytes);
  if (request.bytes > room) return written;
  Time accepted = now;
  std::uint64_t left = buffered_bytes_;
  for (auto at = buffered_.begin(); left + request.bytes > room; ++at) {
    left -= at->bytes;
    accepted = at->written;
  }
  buffered_.push_back({written, request.bytes});
  buffered_bytes_ += request.bytes;
  return accepted;
}

Time Disk::serve(const Request& request, Time now) {
  if (request.way == Way::sync) return std::max(now, free_);
  const Time span = service_time(request);
  free_ = std::max(now, free_) + span;
  busy_ += span;
  if (request.way == Way::read) {
    ++reads_;
    bytes_read_ += request.bytes;
    return free_;
  }
  ++writes_;
  bytes_written_ += request.bytes;
  return buffer(request, now, free_);
}

void Disk::report(StatisticsTable& statistics, const std::string& path) const {
  const auto count = [&](const char* name, const char* unit, std::uint64_t value) {
    statistics.add(path, name, unit, static_cast<std::int64_t>(value));
  };
  count("reads", "", reads_);
  count("writes", "", writes_);
  count("seeks", "", seeks_);
  count("bytes_read", "B", bytes_read_);
  count("bytes_written", "B", bytes_written_);
  statistics.add(path, "busy_ns", "ns", in_ns(busy_));
}

}  // namespace sanvp::host
