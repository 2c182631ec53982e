/// InfiniBand's congestion control: InfiniBand Architecture Specification, volume 1, release 1.2.1, annex A10. Each
/// notification (BECN) moves a flow's index into a table of delays up, and a timer moves it down.
#include <algorithm>
#include <cmath>

#include "models/nic/congestion_control.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

constexpr const char* manager =
    "Mellanox OFED for Linux User Manual 2.2, Congestion Control Manager: the default; InfiniBand Architecture "
    "Specification 1.2.1, annex A10: what it is";
constexpr const char* assumed =
    "assumed: the annex leaves it to the manager; near what Gran et al., IPDPS 2010, report of hardware, not checked "
    "against the paper";
constexpr std::int64_t most_entries = 1 << 14;

struct Table {
  std::int64_t increase = 1;
  std::int64_t least = 0;
  std::int64_t most = 0;
  Time timer{0};
  double step = 0;
};

class Index final : public RateControl {
 public:
  Index(const Table& table, double phase)
      : table_(table), index_(table.least), ahead_{std::llround(static_cast<double>(table.timer.count()) * phase)} {}

  void notified(Time now) override {
    index_ = std::min(at(now) + table_.increase, table_.most);
    since_ = now;
  }
  Time pause(Time now, Time span, std::int64_t /*bytes*/) override {
    const double packet_times = static_cast<double>(at(now)) * table_.step;
    return span + Time{std::llround(static_cast<double>(span.count()) * packet_times)};
  }

 private:
  /// The timer is one of the port's, and runs through.
  std::int64_t at(Time now) const {
    const std::int64_t expired = (now + ahead_) / table_.timer - (since_ + ahead_) / table_.timer;
    return std::max(table_.least, index_ - expired);
  }

  Table table_;
  std::int64_t index_;
  Time ahead_;  // how far the timer's period has run at time 0
  Time since_{0};
};

CongestionControl build(const Parameters& parameters) {
  Table table;
  table.increase = parameters.count("ccti_increase", 1, "CCTI_Increase: entries that a notification moves a flow up",
                                    manager, 1, most_entries);
  table.timer =
      parameters.time("ccti_timer", 153'600ns,
                      "CCTI_Timer: period after which each flow moves one entry down (150 units of 1.024 us)", assumed);
  table.most = parameters.count("ccti_limit", 127, "CCTI_Limit: the last entry of the table", assumed, 0, most_entries);
  table.least =
      parameters.count("ccti_min", 0, "CCTI_Min: the entry of a flow that nothing slows down", manager, 0, table.most);
  const bool in_step = parameters.choice("ccti_phase", "random", {"random", "zero"},
                                         "when NICs' timers begin: at a time drawn for each, or all at time 0",
                                         "your machine") == "zero";
  table.step = parameters.real("cct_step", 0.25,
                               "of the table: entry i delays a flow's next packet by i times so many packet times, so "
                               "that with 1 the flow has 1/(i+1) of the link",
                               "assumed: the annex leaves the table to the manager", 0, most_entries);
  if (table.timer <= Time{0})
    throw UserError(parameters.where("ccti_timer"), "the timer has no period", "give a time, such as 153.6us");
  return {.make = [table, in_step](double phase) { return std::make_unique<Index>(table, in_step ? 0 : phase); }};
}

const Registration<CongestionControlPart> registration{
    {"infiniband", "notifications move a flow up a table of injection delays, a timer moves it down", build}};

}  // namespace
}  // namespace sanvp::nic
