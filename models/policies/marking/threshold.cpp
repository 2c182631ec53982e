/// InfiniBand's marking: each packet at the root of congestion, from a threshold on (InfiniBand Architecture
/// Specification 1.2.1, annex A10: Threshold, Victim_Mask).
#include "models/net/marking.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::net {
namespace {

constexpr const char* source =
    "your machine; InfiniBand Architecture Specification 1.2.1, annex A10: Threshold, Victim_Mask";
constexpr std::int64_t most_flits = 1 << 24;

const Registration<MarkingPart> registration{
    {"threshold", "all packets for an output whose queue has reached a threshold, at the root of the congestion",
     [](const Parameters& parameters, int) {
       Marking marking;
       marking.threshold = parameters.count(
           "mark_threshold", 0,
           "queue of an output from which packets are marked for congestion control (nic.congestion), flits; "
           "0: none are",
           source, 0, most_flits);
       marking.victims = parameters.flag("mark_victims", false,
                                         "whether packets are marked also where the congestion is further on", source);
       return marking;
     }}};

}  // namespace
}  // namespace sanvp::net
