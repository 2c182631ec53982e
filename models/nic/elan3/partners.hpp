/// What releasing a circuit costs a process with many partners (QsNET paper 5.5: "the longer delays needed to release a
/// circuit when there are more than 40 communication partners").
///
/// A context's partners are the processes to which the driver has given it routes: the "set of potential communication
/// partners" of the paper's 3.1.2. The card has the state of `input.partners` of them at hand; with more it has to
/// fetch it before it releases a circuit. The paper says neither by which end nor what: here the far end answers later,
/// which holds the circuit for as long as if the sender closed it later.
#pragma once

#include <vector>

#include "models/nic/elan3/route_tables.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::nic::elan3 {

class Partners {
 public:
  struct Rules {
    int at_hand = 0;
    Time release{0};  ///< of a circuit, where there are more
    static Rules read(const Parameters& parameters);
  };

  Partners(const Rules& rules, const RouteTables& routes) : rules_(rules), routes_(routes) {}

  /// How much longer it takes to release a circuit to a process of `context`.
  Time release(std::uint32_t context);

 private:
  Rules rules_;
  const RouteTables& routes_;
  std::vector<std::uint32_t> many_;  // by context: its route table, once that was found to be longer
};

}  // namespace sanvp::nic::elan3
