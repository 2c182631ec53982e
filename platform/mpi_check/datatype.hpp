/// Datatypes as the checker compares them: the sequence of basic types (signature), and the bytes in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sanvp::mpi_check {

/// Consecutive elements of a basic type.
struct Elements {
  const std::string* basic = nullptr;  ///< its name, interned: equal names have equal addresses
  std::uint64_t count = 0;
  bool operator==(const Elements&) const = default;
};

/// Bytes of memory, or of one element, relative to the buffer.
struct Bytes {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  std::int64_t end() const { return begin + count; }
  bool operator==(const Bytes&) const = default;
};

struct Datatype {
  std::string name;
  std::vector<Elements> signature;  ///< empty, and `is_exact` false: too long to store
  bool is_exact = true;
  std::uint64_t bytes = 0;
  std::int64_t extent = 0;
  std::vector<Bytes> blocks;  ///< in the order of the data; empty where they are too many
  bool is_dense = false;
};

/// Data of a call: so many elements of a type.
struct Data {
  std::uint64_t count = 0;
  std::shared_ptr<const Datatype> type;

  explicit operator bool() const { return type != nullptr; }
  std::uint64_t bytes() const { return type ? count * type->bytes : 0; }
  /// "4 MPI_INT", for a finding
  std::string text() const;
  /// Its bytes around an address, in the order of the data, adjacent ones joined; nothing where they are too many.
  std::optional<std::vector<Bytes>> blocks(std::uint64_t address) const;
};

/// `shorter` if all of the first is the beginning of the second; `alike`: other types that look the same on this
/// machine, such as MPI_LONG and MPI_INT64_T.
/// `bytes`: MPI_BYTE on one side alone.
enum class Agreement { same, alike, bytes, shorter, longer, other };
/// Compares the signatures.
Agreement compare(const Data& first, const Data& second);

/// The first basic type of characters, MPI_CHAR and the like; null if it has none.
const std::string* characters_in(const Data& data);

/// Whether two lists have a byte in common. They need not be sorted.
bool overlap(std::vector<Bytes> first, std::vector<Bytes> second);
/// Whether two blocks of one list have.
bool overlaps_itself(std::vector<Bytes> blocks);

}  // namespace sanvp::mpi_check
