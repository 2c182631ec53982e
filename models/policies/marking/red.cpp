/// Marking as RED does it: between two lengths of the queue the probability rises from 0, beyond the second all packets
/// are marked (Floyd and Jacobson, IEEE/ACM Trans. Networking 1(4), 1993; with the queue of this instant in place of a
/// mean, as switches of DCQCN have it: Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015,
/// section 3.1). Ethernet switches know no root of congestion: victims are marked, too.
#include <algorithm>

#include "models/net/marking.hpp"
#include "platform/core/error.hpp"
#include "platform/core/parameters.hpp"
#include "platform/core/random.hpp"

namespace sanvp::net {
namespace {

constexpr const char* source = "Zhu et al., SIGCOMM 2015: the parameters of their experiments (recalled)";

class Red final : public MarkingPolicy {
 public:
  Red(std::int64_t least, std::int64_t most, double probability)
      : least_(least), most_(most), probability_(probability) {}

  bool marks(std::int64_t queue, Random& random) const override {
    if (queue >= most_) return true;
    return random.uniform() < probability_ * static_cast<double>(queue - least_) / static_cast<double>(most_ - least_);
  }

 private:
  std::int64_t least_;
  std::int64_t most_;
  double probability_;
};

const Registration<MarkingPart> registration{
    {"red", "packets by chance, the more the longer the output's queue is between two lengths; all beyond them",
     [](const Parameters& parameters, int flit_bytes) {
       const std::int64_t least =
           parameters.size("red_least", 5000, "Kmin: queue of an output up to which no packet is marked", source);
       const std::int64_t most = parameters.size("red_most", 200'000, "Kmax: queue from which all are marked", source);
       const double probability = parameters.real(
           "red_probability", 0.01, "Pmax: share of packets that are marked just below that queue", source, 0, 1);
       if (most < least)
         throw UserError(parameters.where("red_most"), "it is below switch.red_least", "give at least as much");
       Marking marking;
       marking.threshold = std::max<std::int64_t>(1, least / flit_bytes);
       marking.victims = true;
       marking.policy = std::make_shared<const Red>(marking.threshold, most / flit_bytes, probability);
       return marking;
     }}};

}  // namespace
}  // namespace sanvp::net
