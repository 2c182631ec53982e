/// Collective operations: the n-th one of each rank on a communicator must be the same, with data that fit.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platform/mpi_check/post.hpp"
#include "platform/mpi_check/rank.hpp"

namespace sanvp::mpi_check {

/// What a rank gives to, or takes from, each rank of the communicator.
struct Flow {
  enum class Kind { none, same_for_all, by_rank, only_root };
  Kind kind = Kind::none;
  Data data;               ///< of same_for_all and only_root
  std::vector<Data> each;  ///< of by_rank

  /// Null: nothing, or it is not known.
  const Data* with(int rank, int root) const;
};

/// An argument that must be the same in all ranks that make the call.
struct Argument {
  std::string name;
  std::vector<int> values;
  bool operator==(const Argument&) const = default;
  std::string text() const;  ///< "dims 4 2"
};

/// A rank's part.
struct Part : Post {
  std::pair<std::uint32_t, int> order;  ///< of operations: context and first process of the communicator
  int comm_rank = -1;
  int root = -1;              ///< below 0: it has none
  bool is_from_root = false;  ///< the root's data go to all; else, if there is a root, all data go there
  bool is_blocking = false;   ///< it is over with its call
  std::string operation;      ///< of a reduction: the predefined one's name
  Flow gives, takes;
  Data reduced;  ///< that must be the same in all ranks
  std::vector<Argument> arguments;
};

struct CollectiveSlot : Slot {
  std::vector<std::shared_ptr<Part>> known;               ///< those that have come, until all have
  std::map<std::uint64_t, std::shared_ptr<Slot>> starts;  ///< of a persistent one
};

class Collectives {
 public:
  using Report = std::function<void(std::string kind, std::vector<Site> sites, std::string text, std::string cure)>;
  explicit Collectives(Report report) : report_(std::move(report)) {}

  /// A rank has come to its next one: compares it with the others that have, whose calls the library may yet refuse.
  std::shared_ptr<CollectiveSlot> enter(const Communicator& communicator, const std::shared_ptr<Part>& part);
  /// The library has refused the rank's call: its next one is in this place. @returns whether it can be taken back
  bool leave(const std::shared_ptr<Part>& part);
  /// The library has accepted the rank's call: reports in what it differs from the others.
  void accept(const std::shared_ptr<Part>& part);
  /// Reports the differences of calls that have not ended, and ranks that were in other operations.
  void finish();
  /// The n-th start of a persistent one.
  static void start(CollectiveSlot& slot, std::uint64_t number, const std::shared_ptr<Part>& part);

 private:
  struct Order {
    std::vector<std::uint64_t> next;  ///< [rank]
    std::deque<std::shared_ptr<CollectiveSlot>> slots;
    std::uint64_t first = 0;  ///< number of the first slot
  };

  /// Two ranks are in other operations; the library may yet refuse one of the calls.
  struct Disagreement {
    std::weak_ptr<Part> part, other;
    Site part_site, other_site;
  };

  /// Two ranks have called the same operation with arguments that do not fit.
  struct Difference {
    std::shared_ptr<Part> part, other;
    std::string kind, text, cure;
    bool concerns(const std::shared_ptr<Part>& one) const { return one == part || one == other; }
  };

  void compare(const std::shared_ptr<Part>& part, const std::shared_ptr<Part>& other);
  void compare_arguments(const std::shared_ptr<Part>& part, const std::shared_ptr<Part>& other);
  void compare_flow(const std::shared_ptr<Part>& from, const std::shared_ptr<Part>& to);
  void report(const Difference& found) const;

  std::map<std::pair<std::uint32_t, int>, Order> orders_;  ///< by context and first process
  std::vector<Disagreement> disagreements_;
  std::vector<Difference> differences_;
  Report report_;
};

}  // namespace sanvp::mpi_check
