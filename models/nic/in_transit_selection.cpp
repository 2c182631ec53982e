/// The Myrinet paper's six mechanisms: which of UD, UD_MITB and UD_ITB a packet takes (FACTS.md 2.4). They read a table
/// made by routing `myrinet`, which holds all three routes of a pair under their ids.
#include <algorithm>

#include "models/nic/route_selection.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "topologies/routing/in_transit.hpp"

namespace sanvp::nic {
namespace {

using topologies::Routing;

class InTransitSelection : public RouteSelection {
 public:
  int select(const Routing& routing, int source, int destination, std::int64_t bytes, Random& random) final {
    const int wanted = route(bytes, random);
    const int count = routing.alternatives(source, destination);
    for (int alternative = 0; alternative < count; ++alternative)
      if (routing.route_id(source, destination, alternative) == wanted) return alternative;
    return 0;  // the selected route has failed, or the table was built for one mechanism only
  }

 private:
  virtual int route(std::int64_t bytes, Random& random) = 0;
};

class Always : public InTransitSelection {
 public:
  explicit Always(topologies::MyrinetRoute route) : route_(route) {}

 private:
  int route(std::int64_t, Random&) override { return route_; }

  topologies::MyrinetRoute route_;
};

/// UD_ITB_ML: no in-transit hosts for short messages, for which they cost too much.
class ByLength : public InTransitSelection {
 public:
  explicit ByLength(std::int64_t threshold) : threshold_(threshold) {}

 private:
  int route(std::int64_t bytes, Random&) override {
    return bytes < threshold_ ? topologies::ud_mitb_route : topologies::ud_itb_route;
  }

  std::int64_t threshold_;
};

/// UD_ITB_n: a fixed share of packets.
class ByChance : public InTransitSelection {
 public:
  explicit ByChance(double share) : share_(share) {}

 private:
  int route(std::int64_t, Random& random) override {
    return random.uniform() < share_ ? topologies::ud_itb_route : topologies::ud_route;
  }

  double share_;
};

/// UD_ITB_DET: in-transit while the NIC sees contention, with hysteresis.
class ByContention : public InTransitSelection {
 public:
  struct Rule {
    double alpha, beta;  ///< weight of the past when contention grows, and when it shrinks
    double on, off;      ///< in-transit routes are used from contention `on` until it is below `off`
    double start;        ///< contention before the first packet; `on` or more: start with in-transit routes
  };

  explicit ByContention(const Rule& rule) : rule_(rule), contention_(rule.start), in_transit_(rule.start >= rule.on) {}

  void sent(Time start, Time end, Time unhindered) override {
    const double sample = static_cast<double>((end - start).count()) / static_cast<double>(unhindered.count());
    const double weight = sample > contention_ ? rule_.alpha : rule_.beta;
    contention_ = weight * contention_ + (1 - weight) * sample;
    if (contention_ > rule_.on) in_transit_ = true;
    if (contention_ < rule_.off) in_transit_ = false;
  }

 private:
  int route(std::int64_t, Random&) override { return in_transit_ ? topologies::ud_itb_route : topologies::ud_route; }

  Rule rule_;
  double contention_;
  bool in_transit_;
};

template <topologies::MyrinetRoute route>
auto always() {
  return [](const Parameters&) { return [] { return std::make_unique<Always>(route); }; };
}

const Registration<RouteSelectionPart> ud{{"ud", "Myrinet: the up*/down* route", always<topologies::ud_route>()}};
const Registration<RouteSelectionPart> ud_mitb{
    {"ud_mitb", "Myrinet: the shortest route with the fewest in-transit hosts", always<topologies::ud_mitb_route>()}};
const Registration<RouteSelectionPart> ud_itb{
    {"ud_itb", "Myrinet: any shortest route, with in-transit hosts", always<topologies::ud_itb_route>()}};

const Registration<RouteSelectionPart> ud_itb_ml{
    {"ud_itb_ml", "Myrinet: by length, ud_mitb for short messages and ud_itb for others",
     [](const Parameters& parameters) {
       const auto threshold =
           parameters.size("short_message", 64, "messages of this length or more take ud_itb", "Myrinet paper 3.1");
       return [threshold] { return std::make_unique<ByLength>(threshold); };
     }}};

const Registration<RouteSelectionPart> ud_itb_n{
    {"ud_itb_n", "Myrinet: at random, ud_itb for a share of the packets and ud for the others",
     [](const Parameters& parameters) {
       const double percent =
           parameters.real("maxlo", 50, "percent of packets that take ud_itb", "Myrinet paper 3.2 (UD_ITB_50)", 0, 100);
       return [percent] { return std::make_unique<ByChance>(percent / 100); };
     }}};

const Registration<RouteSelectionPart> ud_itb_det{
    {"ud_itb_det", "Myrinet: by contention, ud without it and ud_itb while the NIC sees it",
     [](const Parameters& parameters) {
       ByContention::Rule rule{};
       rule.alpha =
           parameters.real("alpha", 0.7, "weight of the past when contention grows", "Myrinet paper 4.5", 0, 1);
       rule.beta =
           parameters.real("beta", 0.95, "weight of the past when contention shrinks", "Myrinet paper 4.5", 0, 1);
       rule.on = parameters.real("contention_on", 1.5, "contention above which ud_itb is used", "Myrinet paper 3.3");
       rule.off =
           parameters.real("contention_off", 1.1, "contention below which ud is used again", "Myrinet paper 3.3");
       rule.start = parameters.real("contention_start", 1,
                                    "contention before a host's first packet; contention_on or more: start with ud_itb",
                                    "assumed: a network without load (Myrinet paper 3.3: a host *begins* to use ud_itb "
                                    "when it sees contention)");
       if (rule.off > rule.on)
         throw UserError(parameters.place("contention_off"), "contention_off is above contention_on",
                         "make it at most contention_on");
       return [rule] { return std::make_unique<ByContention>(rule); };
     }}};

}  // namespace
}  // namespace sanvp::nic
