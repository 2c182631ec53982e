/// The spy node of the Macramé testbed (section 3.1): observes one channel and lists the packets that pass.
#pragma once

#include <string>
#include <vector>

#include "models/net/observer.hpp"
#include "models/net/wiring.hpp"
#include "platform/core/results.hpp"

namespace sanvp::traffic {

class Spy final : public net::Observer {
 public:
  struct Sighting {
    Time header;  ///< when the header starts on the channel
    Time tail;    ///< when the tail has passed
    int vc;
    std::uint64_t packet;
    int source;
    int destination;
    int flits;
  };

  /// @param channel  its name ("s0.3->s4.1")
  /// Throws UserError if there is no channel of that name.
  Spy(const net::Wiring& wiring, const std::string& channel, const std::string& place, Time from, Time until);
  void hop_over(const net::Hop& hop, Time released) override;

  const std::vector<Sighting>& sightings() const { return sightings_; }
  Table table() const;

 private:
  int channel_ = -1;
  Time from_;
  Time until_;
  std::vector<Sighting> sightings_;
};

}  // namespace sanvp::traffic
