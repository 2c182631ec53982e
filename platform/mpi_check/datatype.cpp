#include "platform/mpi_check/datatype.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "platform/mpi_check/finding.hpp"

namespace sanvp::mpi_check {
namespace {

constexpr std::size_t most_blocks = 65536;    // of one buffer: more are not compared
constexpr std::size_t most_steps = 1U << 20;  // runs of elements that are compared

/// Walks through the elements of data.
class Walk {
 public:
  explicit Walk(const Data& data) : data_(data) { settle(); }
  bool is_over() const { return element_ == data_.count || data_.type->signature.empty(); }
  const std::string* basic() const { return data_.type->signature[run_].basic; }
  /// Elements of that type that follow.
  std::uint64_t left() const {
    const std::uint64_t in_run = data_.type->signature[run_].count - done_;
    return data_.type->signature.size() == 1 ? in_run + (data_.count - element_ - 1) * data_.type->signature[0].count
                                             : in_run;
  }
  void go(std::uint64_t elements) {
    if (data_.type->signature.size() == 1) {
      const std::uint64_t all = done_ + elements, each = data_.type->signature[0].count;
      element_ += all / each;
      done_ = all % each;
      return;
    }
    done_ += elements;
    settle();
  }

 private:
  void settle() {
    if (data_.type->signature.empty()) return;
    while (element_ < data_.count && done_ >= data_.type->signature[run_].count) {
      done_ = 0;
      if (++run_ < data_.type->signature.size()) continue;
      run_ = 0;
      ++element_;
    }
  }

  const Data& data_;
  std::uint64_t element_ = 0, done_ = 0;
  std::size_t run_ = 0;
};

Agreement by_bytes(const Data& first, const Data& second) {
  if (first.bytes() == second.bytes()) return Agreement::same;
  return first.bytes() < second.bytes() ? Agreement::shorter : Agreement::longer;
}

bool is_only(const Data& data, std::string_view basic) {
  return data.type->signature.size() == 1 && *data.type->signature[0].basic == basic;
}
bool is_packed(const Data& data) { return is_only(data, "MPI_PACKED"); }

/// Basic types that the standard tells apart and this machine does not.
bool look_the_same(const std::string& a, const std::string& b) {
  static const std::map<std::string_view, int> group = [] {
    const std::vector<std::vector<std::string_view>> groups{
        {"MPI_CHAR", "MPI_CHARACTER"},
        {"MPI_SIGNED_CHAR", "MPI_INT8_T", "MPI_INTEGER1"},
        {"MPI_UNSIGNED_CHAR", "MPI_UINT8_T"},
        {"MPI_SHORT", "MPI_INT16_T", "MPI_INTEGER2"},
        {"MPI_UNSIGNED_SHORT", "MPI_UINT16_T"},
        {"MPI_INT", "MPI_INT32_T", "MPI_INTEGER", "MPI_INTEGER4"},
        {"MPI_UNSIGNED", "MPI_UINT32_T"},
        {"MPI_LONG", "MPI_LONG_LONG_INT", "MPI_INT64_T", "MPI_INTEGER8", "MPI_AINT", "MPI_OFFSET", "MPI_COUNT"},
        {"MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG", "MPI_UINT64_T"},
        {"MPI_FLOAT", "MPI_REAL", "MPI_REAL4"},
        {"MPI_DOUBLE", "MPI_DOUBLE_PRECISION", "MPI_REAL8"},
        {"MPI_C_COMPLEX", "MPI_COMPLEX", "MPI_COMPLEX8", "MPI_CXX_FLOAT_COMPLEX"},
        {"MPI_C_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_COMPLEX16", "MPI_CXX_DOUBLE_COMPLEX"},
        {"MPI_C_BOOL", "MPI_CXX_BOOL"}};
    std::map<std::string_view, int> by_name;
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (const std::string_view name : groups[i]) by_name[name] = static_cast<int>(i);
    return by_name;
  }();
  const auto first = group.find(a), second = group.find(b);
  return first != group.end() && second != group.end() && first->second == second->second;
}

void sort(std::vector<Bytes>& blocks) {
  const auto before = [](const Bytes& a, const Bytes& b) { return a.begin < b.begin; };
  if (!std::is_sorted(blocks.begin(), blocks.end(), before)) std::sort(blocks.begin(), blocks.end(), before);
}

}  // namespace

std::string Data::text() const { return std::to_string(count) + " " + (type ? with_braces(type->name) : "of no type"); }

std::optional<std::vector<Bytes>> Data::blocks(std::uint64_t address) const {
  std::vector<Bytes> list;
  if (!type || count == 0 || type->bytes == 0) return list;
  const auto base = static_cast<std::int64_t>(address);
  if (type->is_dense) {
    list.push_back({base, static_cast<std::int64_t>(count * type->bytes)});
    return list;
  }
  if (type->blocks.empty() || type->blocks.size() * count > most_blocks) return {};
  for (std::uint64_t i = 0; i < count; ++i)
    for (const Bytes& block : type->blocks) {
      const std::int64_t begin = base + static_cast<std::int64_t>(i) * type->extent + block.begin;
      if (!list.empty() && list.back().end() == begin)
        list.back().count += block.count;
      else
        list.push_back({begin, block.count});
    }
  return list;
}

const std::string* characters_in(const Data& data) {
  if (!data) return nullptr;
  for (const Elements& elements : data.type->signature)
    if (*elements.basic == "MPI_CHAR" || *elements.basic == "MPI_WCHAR" || *elements.basic == "MPI_CHARACTER")
      return elements.basic;
  return nullptr;
}

Agreement compare(const Data& first, const Data& second) {
  if (first.type == second.type || first.type->signature == second.type->signature) {
    if (!first.type->is_exact || first.count == second.count) return by_bytes(first, second);
  }
  if (!first.type->is_exact || !second.type->is_exact || is_packed(first) || is_packed(second))
    return by_bytes(first, second);
  Walk a(first), b(second);
  if (const bool is_byte = is_only(first, "MPI_BYTE"); is_byte != is_only(second, "MPI_BYTE"))
    return first.bytes() <= second.bytes() ? Agreement::bytes : Agreement::longer;
  bool are_named_alike = true;
  for (std::size_t step = 0; step < most_steps && !a.is_over() && !b.is_over(); ++step) {
    if (a.basic() != b.basic()) {
      if (!look_the_same(*a.basic(), *b.basic())) return Agreement::other;
      are_named_alike = false;
    }
    const std::uint64_t both = std::min(a.left(), b.left());
    a.go(both);
    b.go(both);
  }
  if (a.is_over() && b.is_over()) return are_named_alike ? Agreement::same : Agreement::alike;
  if (!a.is_over()) return Agreement::longer;
  return are_named_alike ? Agreement::shorter : Agreement::alike;
}

bool overlap(std::vector<Bytes> first, std::vector<Bytes> second) {
  sort(first);
  sort(second);
  for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
    if (a->begin < b->end() && b->begin < a->end()) return true;
    a->end() <= b->end() ? static_cast<void>(++a) : static_cast<void>(++b);
  }
  return false;
}

bool overlaps_itself(std::vector<Bytes> blocks) {
  sort(blocks);
  for (std::size_t i = 1; i < blocks.size(); ++i)
    if (blocks[i].begin < blocks[i - 1].end()) return true;
  return false;
}

}  // namespace sanvp::mpi_check
