/// The cost of releasing a circuit for a process with many partners (QsNET paper 5.5: "the longer delays needed to
/// release a circuit when there are more than 40 communication partners").
///
/// A context's partners are the processes to which the driver has given it routes: the "set of potential communication
/// partners" of the paper's 3.1.2. The card caches the state of `input.partners` of them; with more partners it
/// has to fetch it before it releases a circuit. The paper says neither at which end nor what: here the far end answers
/// later, which holds the circuit for as long as if the sender closed it later.
#pragma once

#include <vector>

#include "models/nic/elan3/route_tables.hpp"
#include "platform/core/time.hpp"

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::nic::elan3 {

class Partners {
 public:
  struct Rules {
    int at_hand = 0;
    Time release{0};  ///< additional time per circuit, with more partners
    static Rules read(const Parameters& parameters);
  };

  Partners(const Rules& rules, const RouteTables& routes) : rules_(rules), routes_(routes) {}

  /// Additional time to release a circuit to a process of `context`.
  Time release(std::uint32_t context);

 private:
  Rules rules_;
  const RouteTables& routes_;
  std::vector<std::uint32_t> many_;  // by context: its route table, once that is known to have more partners
};

}  // namespace sanvp::nic::elan3
