#include "platform/mpi_check/call_observer.hpp"

#include <cctype>
#include <string_view>
#include <utility>

#include "sw/abi/hal/arguments.h"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

/// The arguments of a call that are its requests: one at an address, or so many.
struct Place {
  int count;  ///< of the argument with their number; below 0: one
  std::size_t requests;
};
const std::map<std::string, Place>& places_of_requests() {
  static const std::map<std::string, Place> all{
      {"MPI_Wait", {-1, 0}},  {"MPI_Waitall", {0, 1}}, {"MPI_Waitany", {0, 1}}, {"MPI_Waitsome", {0, 1}},
      {"MPI_Test", {-1, 0}},  {"MPI_Testall", {0, 1}}, {"MPI_Testany", {0, 1}}, {"MPI_Testsome", {0, 1}},
      {"MPI_Start", {-1, 0}}, {"MPI_Startall", {0, 1}}};
  return all;
}

/// The argument of a call with a message that is its communicator.
const std::map<std::string, std::size_t>& places_of_communicators() {
  static const std::map<std::string, std::size_t> all = [] {
    std::map<std::string, std::size_t> by_name{{"MPI_Sendrecv", 10},        {"MPI_Isendrecv", 10},
                                               {"MPI_Sendrecv_replace", 7}, {"MPI_Isendrecv_replace", 7},
                                               {"MPI_Mprobe", 2},           {"MPI_Improbe", 2}};
    for (const std::string name : {"send", "ssend", "bsend", "rsend", "recv"}) {
      const std::string capital = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0]))) + name.substr(1);
      by_name["MPI_" + capital] = by_name["MPI_I" + name] = by_name["MPI_" + capital + "_init"] = 5;
    }
    return by_name;
  }();
  return all;
}

std::vector<std::uint64_t> requests_of(const Rank& rank, const ObservedCall& call) {
  const auto place = places_of_requests().find(call.name);
  if (place == places_of_requests().end() || place->second.requests >= call.words.size()) return {};
  const auto [count, requests] = place->second;
  const auto number = count < 0 ? 1 : static_cast<std::int64_t>(call.words[static_cast<std::size_t>(count)]);
  return number > 0 ? rank.array<std::uint64_t>(call.words[requests], static_cast<std::size_t>(number))
                    : std::vector<std::uint64_t>{};
}

/// Whether its last argument gets the request that it makes.
bool makes_request(std::string_view name) {
  constexpr std::string_view nonblocking = "MPI_I", prepared = "_init";
  if (name == "MPI_Iprobe" || name == "MPI_Improbe" || name.starts_with("MPI_Is_") || name.starts_with("MPI_In") ||
      name.starts_with("MPI_Intercomm"))
    return false;
  return name.starts_with(nonblocking) || name.ends_with(prepared);
}

/// The library may use the memory of a handle for another object after such a call.
void forget_freed(Rank& rank, const ObservedCall& call) {
  if (call.words.empty()) return;
  if (call.name == "MPI_Comm_free" || call.name == "MPI_Comm_disconnect")
    rank.forget_communicator(rank.value<std::uint64_t>(call.words[0]));
  if (call.name == "MPI_Type_free") rank.forget_datatype(rank.value<std::uint64_t>(call.words[0]));
}

}  // namespace

CallObserver::CallObserver(std::size_t ranks) : ranks_(ranks) {
  for (std::size_t i = 0; i < ranks; ++i) ranks_[i].rank.number = static_cast<int>(i);
}

bool CallObserver::check(const host::Identity& identity, const host::CheckedProcess& process,
                         const hal_checked_call& call) {
  if (identity.rank < 0 || static_cast<std::size_t>(identity.rank) >= ranks_.size()) return false;
  Known& known = ranks_[static_cast<std::size_t>(identity.rank)];
  known.rank.process = &process;
  if (call.what == HAL_CHECK_LAYOUT) {
    const auto layout = known.rank.value<mpi_check_layout>(call.arguments);
    if (layout.bytes == sizeof layout) known.rank.layout = layout;
    return false;
  }
  if (call.what == MPI_CHECK_COPY) return false;
  if (!known.rank.layout) return true;
  call.what == HAL_CHECK_BEGIN ? begin(known, call) : end(known, call);
  return false;
}

void CallObserver::begin(Known& known, const hal_checked_call& call) {
  Rank& rank = known.rank;
  std::string& name = known.names[call.name];
  if (name.empty()) name = rank.text(call.name);
  ObservedCall made{.name = name,
                    .words = rank.array<std::uint64_t>(call.arguments, static_cast<std::size_t>(call.count)),
                    .collective = {},
                    .messages_on = nullptr,
                    .requests = {},
                    .over = {}};
  if (made.words.size() != static_cast<std::size_t>(call.count)) return;
  made.collective = CollectiveCall::read(rank, name, made.words);
  if (const auto place = places_of_communicators().find(name);
      place != places_of_communicators().end() && place->second < made.words.size())
    made.messages_on = rank.communicator(made.words[place->second]);
  made.requests = requests_of(rank, made);
  forget_freed(rank, made);
  mpi_call_begins(rank, known.calls[call.id] = std::move(made));
}

void CallObserver::end(Known& known, const hal_checked_call& call) {
  const auto found = known.calls.find(call.id);
  if (found == known.calls.end()) return;  // refused before it began
  ObservedCall ended = std::move(found->second);
  known.calls.erase(found);
  ended.result = call.result;
  const Rank& rank = known.rank;
  const std::vector<std::uint64_t> now = requests_of(rank, ended);
  for (std::size_t i = 0; i < now.size() && i < ended.requests.size(); ++i) {
    const std::uint64_t handle = ended.requests[i];
    const bool is_over = now[i] != handle || rank.value<int>(handle + rank.layout->request_active) == 0;
    if (handle != 0 && is_over) ended.over.push_back(handle);
  }
  if (ended.result == MPI_SUCCESS && makes_request(ended.name) && !ended.words.empty())
    ended.made = rank.value<std::uint64_t>(ended.words.back());
  mpi_call_ends(known.rank, ended);
}

}  // namespace sanvp::mpi_check
