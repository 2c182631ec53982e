/// DCQCN, the congestion control of RDMA over Ethernet: Zhu et al., Congestion Control for Large-Scale RDMA
/// Deployments, SIGCOMM 2015, section 3. A notification cuts a flow's rate by half of alpha, the share of recent
/// intervals with congestion; a timer and a byte counter let it recover. Not modelled: hyper increase.
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/nic/congestion_control.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic {
namespace {

constexpr const char* paper = "Zhu et al., SIGCOMM 2015";
constexpr double ps_per_s = 1e12;

struct Rules {
  double gain = 0;
  Time alpha_timer{0};
  Time rate_timer{0};
  std::int64_t bytes = 0;
  std::int64_t fast_steps = 0;
  double additive = 0;  // bytes per picosecond, as all rates here
  double least = 0;
};

class Rate final : public RateControl {
 public:
  explicit Rate(const Rules& rules) : rules_(rules) {}

  void notified(Time now) override {
    catch_up(now);
    target_ = rate_;
    rate_ = std::min(link_, std::max(rules_.least, rate_ * (1 - alpha_ / 2)));
    alpha_ = (1 - rules_.gain) * alpha_ + rules_.gain;
    timer_steps_ = byte_steps_ = sent_ = 0;
    alpha_due_ = now + rules_.alpha_timer;
    rate_due_ = now + rules_.rate_timer;
  }

  Time pause(Time now, Time span, std::int64_t bytes) override {
    if (link_ == 0) link_ = rate_ = target_ = static_cast<double>(bytes) / static_cast<double>(span.count());
    catch_up(now);
    if (rate_ >= link_) return span;
    sent_ += bytes;
    if (sent_ >= rules_.bytes) {
      sent_ -= rules_.bytes;
      ++byte_steps_;
      recover();
    }
    return std::max(span, Time{std::llround(static_cast<double>(bytes) / rate_)});
  }

 private:
  void catch_up(Time now) {
    constexpr double nothing = 1e-9;
    for (; alpha_due_ <= now && alpha_ > nothing; alpha_due_ += rules_.alpha_timer) alpha_ *= 1 - rules_.gain;
    for (; rate_due_ <= now && rate_ < link_; rate_due_ += rules_.rate_timer) {
      ++timer_steps_;
      recover();
    }
  }

  /// Half way back to the rate before the last cut; after several such steps that rate rises, too.
  void recover() {
    if (std::max(timer_steps_, byte_steps_) > rules_.fast_steps) target_ = std::min(link_, target_ + rules_.additive);
    constexpr double nearly = 0.9999;  // halving never gets there
    rate_ = (rate_ + target_) / 2;
    if (rate_ > nearly * link_) rate_ = link_;
  }

  Rules rules_;
  double link_ = 0;
  double rate_ = 0;
  double target_ = 0;
  double alpha_ = 1;
  std::int64_t sent_ = 0;  // since the byte counter's last expiry
  std::int64_t timer_steps_ = 0;
  std::int64_t byte_steps_ = 0;
  Time alpha_due_ = never;
  Time rate_due_ = never;
};

CongestionControl build(const Parameters& parameters) {
  Rules rules;
  rules.gain = parameters.real("dcqcn_gain", 1.0 / 256, "g: weight of the newest interval in alpha", paper, 0, 1);
  rules.alpha_timer =
      parameters.time("dcqcn_alpha_timer", 55us, "K: interval without a notification after which alpha falls", paper);
  rules.rate_timer = parameters.time("dcqcn_rate_timer", 55us, "T: interval between two steps of recovery", paper);
  rules.bytes = parameters.size("dcqcn_bytes", 10 << 20, "B: bytes sent between two steps of recovery", paper);
  rules.fast_steps =
      parameters.count("dcqcn_fast_steps", 5, "F: steps of recovery before the target rises, too", paper, 0, 1000);
  rules.additive =
      parameters.rate("dcqcn_additive", 5e6, "R_AI: by which the target rises with a step (40 Mb/s)", paper) / ps_per_s;
  rules.least = parameters.rate("dcqcn_least", 125e3, "the lowest rate of a flow (1 Mb/s)", "a choice") / ps_per_s;
  const Time interval = parameters.time("dcqcn_interval", 50us,
                                        "N: least interval between a receiver's notifications of one flow", paper);
  for (const auto& [key, period] :
       {std::pair{"dcqcn_alpha_timer", rules.alpha_timer}, std::pair{"dcqcn_rate_timer", rules.rate_timer}})
    if (period <= Time{0})
      throw UserError(parameters.where(key), "the timer has no period", "give a time above 0, such as 55us");
  if (!(rules.least > 0))
    throw UserError(parameters.where("dcqcn_least"), "a flow would stop for ever", "give a rate above 0");
  return {
      .make = [rules](double) { return std::make_unique<Rate>(rules); }, .least_interval = interval, .marking = "red"};
}

const Registration<CongestionControlPart> registration{
    {"dcqcn", "notifications cut a flow's rate by alpha / 2; it recovers by steps", build}};

}  // namespace
}  // namespace sanvp::nic
