#include "platform/mpi_check/rank.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

constexpr std::size_t most_runs = 4096;  // of a signature or of blocks that are stored

const std::string* interned(const std::string& name) {
  static std::set<std::string> names;
  return &*names.insert(name).first;
}

void append(std::vector<Elements>& signature, Elements elements) {
  if (elements.count == 0) return;
  if (!signature.empty() && signature.back().basic == elements.basic)
    signature.back().count += elements.count;
  else
    signature.push_back(elements);
}

/// `times` copies of a signature behind another. @returns whether it is short enough
bool append(Datatype& type, const Datatype& part, std::uint64_t times) {
  if (!part.is_exact) return false;
  if (part.signature.empty()) return true;
  if (part.signature.size() == 1) {
    append(type.signature, {part.signature[0].basic, part.signature[0].count * times});
    return true;
  }
  for (std::uint64_t i = 0; i < times; ++i) {
    for (const Elements& elements : part.signature) append(type.signature, elements);
    if (type.signature.size() > most_runs) return false;
  }
  return true;
}

/// "{1 MPI_DOUBLE, 2 MPI_INT}"
std::string text_of(const std::vector<Elements>& signature) {
  constexpr std::size_t most = 6;  // a line can be read
  std::string text;
  for (std::size_t i = 0; i < signature.size() && i < most; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(signature[i].count) + " " + *signature[i].basic;
  return text.empty() ? text : "{" + text + (signature.size() > most ? ", ...}" : "}");
}

/// A value and its index are two elements.
std::vector<std::string> parts_of_pair(const std::string& name) {
  static const std::map<std::string, std::vector<std::string>> pairs{
      {"MPI_FLOAT_INT", {"MPI_FLOAT", "MPI_INT"}},
      {"MPI_DOUBLE_INT", {"MPI_DOUBLE", "MPI_INT"}},
      {"MPI_LONG_INT", {"MPI_LONG", "MPI_INT"}},
      {"MPI_2INT", {"MPI_INT", "MPI_INT"}},
      {"MPI_SHORT_INT", {"MPI_SHORT", "MPI_INT"}},
      {"MPI_LONG_DOUBLE_INT", {"MPI_LONG_DOUBLE", "MPI_INT"}},
      {"MPI_2INTEGER", {"MPI_INTEGER", "MPI_INTEGER"}},
      {"MPI_2REAL", {"MPI_REAL", "MPI_REAL"}},
      {"MPI_2DOUBLE_PRECISION", {"MPI_DOUBLE_PRECISION", "MPI_DOUBLE_PRECISION"}}};
  const auto found = pairs.find(name);
  return found != pairs.end() ? found->second : std::vector<std::string>{name};
}

/// How often each of the types of a constructor occurs.
std::vector<std::uint64_t> times_of(int combiner, const std::vector<int>& integers, std::size_t types) {
  const auto at = [&](std::size_t i) { return i < integers.size() ? static_cast<std::uint64_t>(integers[i]) : 0; };
  const auto sum = [&](std::size_t first, std::uint64_t count) {
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < count; ++i) all += at(first + i);
    return all;
  };
  switch (combiner) {
    case MPI_COMBINER_CONTIGUOUS:
      return {at(0)};
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
      return {at(0) * at(1)};
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
      return {sum(1, at(0))};
    case MPI_COMBINER_STRUCT: {
      std::vector<std::uint64_t> each;
      for (std::size_t i = 0; i < types; ++i) each.push_back(at(1 + i));
      return each;
    }
    default:
      return {};  // by its size
  }
}

}  // namespace

int Communicator::rank_of(int process) const {
  const auto found = std::find(processes.begin(), processes.end(), process);
  return found != processes.end() ? static_cast<int>(found - processes.begin()) : -1;
}

bool Rank::read(std::uint64_t address, void* to, std::size_t bytes) const {
  const std::byte* const memory =
      address != 0 && process != nullptr ? process->checked_memory(address, bytes) : nullptr;
  if (memory == nullptr) return false;
  std::memcpy(to, memory, bytes);
  return true;
}

std::string Rank::text(std::uint64_t address) const {
  constexpr std::size_t most = 128;
  std::string text;
  for (char letter = 0; text.size() < most && read(address + text.size(), &letter, 1) && letter != 0;)
    text += letter >= ' ' && letter <= '~' ? letter : '?';  // result files and the terminal can show it
  return text;
}

std::shared_ptr<const Communicator> Rank::communicator(std::uint64_t handle) {
  if (!layout || handle == 0) return nullptr;
  const auto known = communicators_.find(handle);
  if (known != communicators_.end()) return known->second;
  if (value<std::uint32_t>(handle + layout->references) == 0) return nullptr;
  auto made = std::make_shared<Communicator>();
  made->context = value<std::uint32_t>(handle + layout->comm_context);
  made->rank = value<int>(handle + layout->comm_rank);
  made->size = value<int>(handle + layout->comm_size);
  made->is_inter = value<std::uint64_t>(handle + layout->comm_local) != 0;
  const std::size_t most = 1U << 20;
  if (made->size <= 0 || static_cast<std::size_t>(made->size) > most) return nullptr;
  const auto processes = value<std::uint64_t>(handle + layout->comm_processes);
  if (processes == 0) {
    made->processes.resize(static_cast<std::size_t>(made->size));
    std::iota(made->processes.begin(), made->processes.end(), 0);
  } else {
    made->processes = array<int>(processes, static_cast<std::size_t>(made->size));
    if (made->processes.empty()) return nullptr;
  }
  return communicators_[handle] = made;
}

std::vector<int> Rank::group(std::uint64_t handle) const {
  if (!layout || handle == 0) return {};
  const int size = value<int>(handle + layout->group_size);
  if (size <= 0) return {};
  return array<int>(value<std::uint64_t>(handle + layout->group_processes), static_cast<std::size_t>(size));
}

std::string Rank::operation(std::uint64_t handle) const {
  if (!layout || handle == 0 || value<std::uint64_t>(handle + layout->op_user) != 0) return {};
  return text(value<std::uint64_t>(handle + layout->op_name));
}

std::shared_ptr<const Datatype> Rank::datatype(std::uint64_t handle) {
  if (!layout || handle == 0) return nullptr;
  const auto known = datatypes_.find(handle);
  if (known != datatypes_.end()) return known->second;
  if (value<std::uint32_t>(handle + layout->references) == 0) return nullptr;
  auto made = read_datatype(handle);
  // Those that the library makes itself, of a section of an array, it also frees itself, unseen.
  const bool is_the_librarys =
      value<int>(handle + layout->type_predefined) == 0 && value<std::uint64_t>(handle + layout->type_contents) == 0;
  if (made && !is_the_librarys) datatypes_[handle] = made;
  return made;
}

std::shared_ptr<const Datatype> Rank::read_datatype(std::uint64_t handle) {
  auto type = std::make_shared<Datatype>();
  const mpi_check_layout& at = *layout;
  type->bytes = value<std::uint64_t>(handle + at.type_bytes);
  type->extent = value<std::int64_t>(handle + at.type_extent);
  type->is_dense = value<int>(handle + at.type_dense) != 0;
  type->name = text(handle + at.type_name);
  if (value<int>(handle + at.type_predefined) != 0) {
    for (const std::string& part : parts_of_pair(type->name)) append(type->signature, {interned(part), 1});
    if (type->bytes == 0) type->signature.clear();  // bounds
  } else {
    read_signature(*type, handle);
    type->name += (type->name.empty() ? "" : " ") + text_of(type->signature);
    if (type->name.empty()) type->name = "of a derived type";
  }
  read_blocks(*type, value<std::uint64_t>(handle + at.type_map), 0);
  return type;
}

void Rank::read_signature(Datatype& type, std::uint64_t handle) {
  const mpi_check_layout& at = *layout;
  const auto contents = value<std::uint64_t>(handle + at.type_contents);
  const auto count = [&](std::uint32_t offset) {
    return static_cast<std::size_t>(std::max(0, value<int>(contents + offset)));
  };
  const int combiner = contents != 0 ? value<int>(contents + at.contents_combiner) : -1;
  const auto integers =
      array<int>(value<std::uint64_t>(contents + at.contents_integers), count(at.contents_integers_count));
  const auto types =
      array<std::uint64_t>(value<std::uint64_t>(contents + at.contents_types), count(at.contents_types_count));
  std::vector<std::uint64_t> times = times_of(combiner, integers, types.size());
  for (std::size_t i = 0; i < types.size() && type.is_exact; ++i) {
    const auto part = read_datatype(types[i]);
    if (times.size() <= i) times.push_back(part->bytes > 0 ? type.bytes / part->bytes : 0);
    type.is_exact = append(type, *part, times[i]);
  }
  if (!type.is_exact || contents == 0) {
    type.is_exact = false;
    type.signature.clear();
  }
}

void Rank::read_blocks(Datatype& type, std::uint64_t map, std::int64_t offset) {
  const mpi_check_layout& at = *layout;
  if (value<std::uint64_t>(map + at.map_runs) > most_runs) return;
  const auto parts = value<std::uint64_t>(map + at.map_parts), count = value<std::uint64_t>(map + at.map_count);
  for (std::uint64_t part = parts; part < parts + count * at.part_bytes; part += at.part_bytes) {
    const auto inner = value<std::uint64_t>(part + at.part_map), times = value<std::uint64_t>(part + at.part_times);
    const auto apart = value<std::int64_t>(part + at.part_apart), bytes = value<std::int64_t>(part + at.part_data);
    std::int64_t begin = offset + value<std::int64_t>(part + at.part_offset);
    for (std::uint64_t copy = 0; copy < times; ++copy, begin += apart)
      if (inner != 0)
        read_blocks(type, inner, begin);
      else if (!type.blocks.empty() && type.blocks.back().end() == begin)
        type.blocks.back().count += bytes;
      else
        type.blocks.push_back({begin, bytes});
  }
}

std::shared_ptr<Request> Rank::add_request(std::uint64_t handle, const Site& site) {
  auto request = std::make_shared<Request>();
  request->site = site;
  request->id = new_owner();
  requests[handle] = request;
  return request;
}

std::shared_ptr<Request> Rank::request(std::uint64_t handle) const {
  const auto found = requests.find(handle);
  return found != requests.end() ? found->second : nullptr;
}

void Rank::forget_request(std::uint64_t handle, const Request& request) {
  if (const auto found = requests.find(handle); found != requests.end() && found->second.get() == &request)
    requests.erase(found);
}

std::optional<std::uint64_t> Rank::hash(std::uint64_t address, const Data& data, std::uint64_t most_bytes) const {
  const auto blocks = data.blocks(address);
  return blocks ? hash(*blocks, most_bytes) : std::nullopt;
}

std::optional<std::uint64_t> Rank::hash(const std::vector<Bytes>& blocks, std::uint64_t most_bytes) const {
  constexpr std::uint64_t prime = 0x9e3779b97f4a7c15;  // the golden ratio
  std::uint64_t sum = most_bytes, word = 0;
  std::size_t filled = 0;
  const auto mix = [&] {
    sum = (sum ^ word) * prime;
    sum ^= sum >> 29;
    word = 0;
    filled = 0;
  };
  std::uint64_t left = most_bytes;
  for (const Bytes& block : blocks) {
    std::size_t bytes = std::min<std::uint64_t>(static_cast<std::uint64_t>(block.count), left);
    left -= bytes;
    if (bytes == 0) continue;
    const std::byte* at = process->checked_memory(static_cast<std::uint64_t>(block.begin), bytes);
    if (at == nullptr) return {};
    for (; filled == 0 && bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
      std::memcpy(&word, at, sizeof word);
      mix();
    }
    for (; bytes > 0; ++at, --bytes) {
      word |= static_cast<std::uint64_t>(*at) << (8 * filled);
      if (++filled == sizeof word) mix();
    }
  }
  if (filled > 0) mix();
  return sum;
}

}  // namespace sanvp::mpi_check
