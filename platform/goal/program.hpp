/// A parallel program as a GOAL file writes it: for each rank operations, and which of them wait for which. The format
/// is that of LogGOPSim and ATLAHS (T. Hoefler, C. Siebert, A. Lumsdaine: "Group Operation Assembly Language - A
/// Flexible Way to Express Collective Communication", ICPP 2009).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sanvp::goal {

/// In the order in which operations of a rank that become free together are started, as LogGOPSim does.
enum class Kind : std::uint8_t { send, receive, calc, collective };

/// Any rank, or any tag, of a receive (-1 in the file).
constexpr std::uint32_t any = UINT32_MAX;

struct Operation {
  std::uint64_t size = 0;  ///< bytes of a message; nanoseconds of a calc; of a collective its place in the rank's list
  std::uint32_t partner = 0;   ///< a rank, or `any`; unused by a calc
  std::uint32_t tag = 0;       ///< or `any`
  std::uint8_t cpu = 0;        ///< of the rank's host
  std::uint8_t interface = 0;  ///< NIC of the rank's host
  Kind kind = Kind::calc;

  bool operator==(const Operation&) const = default;
};

/// A rank's part of a collective operation of MPI, which the library of the machine that plays it does in its own way.
/// Only sanvp's GOAL has them.
struct Collective {
  std::string name;                  ///< "allreduce"
  std::vector<std::uint64_t> gives;  ///< bytes to all, or to each rank of the communicator
  std::vector<std::uint64_t> takes;  ///< the same from them; empty: none, or as many as it gives
  std::uint32_t root = any;          ///< in the communicator; any: it has none
  std::uint32_t communicator = 0;    ///< 0: all ranks; else 1 + its place in the program's list

  bool operator==(const Collective&) const = default;
};

/// Whether there is such a collective operation.
bool is_collective(std::string_view name);

/// Which operation waits for another one, and for what of it.
struct Successor {
  std::uint32_t operation : 31;
  std::uint32_t at_start : 1;  ///< `irequires`: waits for the other's start only

  bool operator==(const Successor&) const = default;
};

/// A rank's operations, in the order of the file.
class Rank {
 public:
  struct Dependence {
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    bool at_start = false;
  };

  Rank() = default;
  /// @param dependences  in any order
  Rank(std::vector<Operation> operations, const std::vector<Dependence>& dependences,
       std::vector<Collective> collectives = {});

  std::uint32_t size() const { return static_cast<std::uint32_t>(operations_.size()); }
  const Operation& operator[](std::uint32_t index) const { return operations_[index]; }
  const std::vector<Operation>& operations() const { return operations_; }
  /// Those of its operations that are collective.
  const std::vector<Collective>& collectives() const { return collectives_; }
  /// Number of operations that this one waits for.
  std::uint32_t predecessors(std::uint32_t index) const { return predecessors_[index]; }
  const Successor* successors_begin(std::uint32_t index) const { return successors_.data() + first_[index]; }
  const Successor* successors_end(std::uint32_t index) const { return successors_.data() + first_[index + 1]; }

  /// Makes calcs longer.
  void scale_calcs(double ratio);

  /// Operations that wait for each other in a circle, each for the next one and the last one for the first; empty if
  /// there is no circle.
  std::vector<std::uint32_t> circle() const;

  bool operator==(const Rank&) const = default;

 private:
  std::vector<Operation> operations_;
  std::vector<Collective> collectives_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<std::uint32_t> first_{0};  ///< of an operation's successors; one more than operations
  std::vector<Successor> successors_;
};

struct Program {
  std::vector<Rank> ranks;
  std::vector<std::vector<std::uint32_t>> communicators{};  ///< ranks of each, in its order; of the file's `comm 1` on

  bool operator==(const Program&) const = default;
};

/// Whether a rank has collective operations, which only a machine's MPI can play.
bool has_collectives(const Program& program);

/// "recv of 8 bytes from rank 1, tag 3", for messages.
std::string describe(const Operation& operation);

/// Writes the program so that read_program() reads the same one.
void write_program(const Program& program, std::ostream& out);

}  // namespace sanvp::goal
