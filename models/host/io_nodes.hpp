/// I/O nodes: their disks hold the files of all nodes.
#pragma once

#include <cstdint>
#include <vector>

namespace sanvp {
class Parameters;
}  // namespace sanvp

namespace sanvp::host {

struct IoNodes {
  std::vector<int> nodes{};  ///< empty: each node has its own disk, or files take no time
  std::int64_t stripe_bytes = 0;
  bool are_dedicated = false;  ///< ranks are not placed there unless --map names them

  bool contains(int node) const;
  std::vector<int> reserved() const { return are_dedicated ? nodes : std::vector<int>{}; }
};

/// Section [io]. Throws UserError for nodes that the machine does not have.
/// @param has_disks  whether nodes have a disk ([host.disk])
IoNodes read_io_nodes(const Parameters& io, int nodes, bool has_disks);

}  // namespace sanvp::host
