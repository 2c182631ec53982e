// Objects that programs make and must free.
#include <algorithm>
#include <tuple>

#include "platform/mpi_check/job.hpp"
#include "sw/abi/mpi_numbers.h"

namespace sanvp::mpi_check {
namespace {

/// A kind of objects: the calls that make one, with the place of the argument that gets it, and those that free one.
struct Kind {
  std::string name, names, free_call;
  std::map<std::string, std::size_t> made_by;
  std::vector<std::string> freed_by;
  bool is_number = false;  ///< an int, no handle
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"communicator",
       "communicators",
       "MPI_Comm_free",
       {{"MPI_Comm_dup", 1},
        {"MPI_Comm_dup_with_info", 2},
        {"MPI_Comm_idup", 1},
        {"MPI_Comm_create", 2},
        {"MPI_Comm_create_group", 3},
        {"MPI_Comm_split", 3},
        {"MPI_Comm_split_type", 4},
        {"MPI_Cart_create", 5},
        {"MPI_Cart_sub", 2},
        {"MPI_Graph_create", 5},
        {"MPI_Dist_graph_create", 8},
        {"MPI_Dist_graph_create_adjacent", 9},
        {"MPI_Intercomm_create", 5},
        {"MPI_Intercomm_merge", 2}},
       {"MPI_Comm_free", "MPI_Comm_disconnect"}},
      {"datatype",
       "datatypes",
       "MPI_Type_free",
       {{"MPI_Type_contiguous", 2},
        {"MPI_Type_vector", 4},
        {"MPI_Type_create_hvector", 4},
        {"MPI_Type_hvector", 4},
        {"MPI_Type_indexed", 4},
        {"MPI_Type_create_hindexed", 4},
        {"MPI_Type_hindexed", 4},
        {"MPI_Type_create_indexed_block", 4},
        {"MPI_Type_create_hindexed_block", 4},
        {"MPI_Type_create_struct", 4},
        {"MPI_Type_struct", 4},
        {"MPI_Type_create_subarray", 6},
        {"MPI_Type_create_darray", 9},
        {"MPI_Type_create_resized", 3},
        {"MPI_Type_dup", 1}},
       {"MPI_Type_free"}},
      {"group",
       "groups",
       "MPI_Group_free",
       {{"MPI_Comm_group", 1},
        {"MPI_Comm_remote_group", 1},
        {"MPI_Group_union", 2},
        {"MPI_Group_intersection", 2},
        {"MPI_Group_difference", 2},
        {"MPI_Group_incl", 3},
        {"MPI_Group_excl", 3},
        {"MPI_Group_range_incl", 3},
        {"MPI_Group_range_excl", 3},
        {"MPI_Win_get_group", 1},
        {"MPI_File_get_group", 1}},
       {"MPI_Group_free"}},
      {"operation", "operations", "MPI_Op_free", {{"MPI_Op_create", 2}}, {"MPI_Op_free"}},
      {"error handler",
       "error handlers",
       "MPI_Errhandler_free",
       {{"MPI_Errhandler_create", 1},
        {"MPI_Comm_create_errhandler", 1},
        {"MPI_Win_create_errhandler", 1},
        {"MPI_File_create_errhandler", 1}},
       {"MPI_Errhandler_free"}},
      {"info",
       "infos",
       "MPI_Info_free",
       {{"MPI_Info_create", 0},
        {"MPI_Info_dup", 1},
        {"MPI_Comm_get_info", 1},
        {"MPI_Win_get_info", 1},
        {"MPI_File_get_info", 1}},
       {"MPI_Info_free"}},
      {"window",
       "windows",
       "MPI_Win_free",
       {{"MPI_Win_create", 5}, {"MPI_Win_allocate", 5}, {"MPI_Win_allocate_shared", 5}, {"MPI_Win_create_dynamic", 2}},
       {"MPI_Win_free"}},
      {"file", "files", "MPI_File_close", {{"MPI_File_open", 4}}, {"MPI_File_close"}},
      {"key",
       "keys",
       "MPI_Comm_free_keyval",
       {{"MPI_Keyval_create", 2}, {"MPI_Comm_create_keyval", 2}},
       {"MPI_Keyval_free", "MPI_Comm_free_keyval"},
       true},
      {"key of datatypes",
       "keys of datatypes",
       "MPI_Type_free_keyval",
       {{"MPI_Type_create_keyval", 2}},
       {"MPI_Type_free_keyval"},
       true},
      {"key of windows",
       "keys of windows",
       "MPI_Win_free_keyval",
       {{"MPI_Win_create_keyval", 2}},
       {"MPI_Win_free_keyval"},
       true}};
  return all;
}

struct Maker {
  const Kind* kind;
  std::size_t place;
};
const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> all = [] {
    std::map<std::string, Maker> by_name;
    for (const Kind& kind : kinds())
      for (const auto& [name, place] : kind.made_by) by_name[name] = {&kind, place};
    return by_name;
  }();
  return all;
}
const std::map<std::string, const Kind*>& freers() {
  static const std::map<std::string, const Kind*> all = [] {
    std::map<std::string, const Kind*> by_name;
    for (const Kind& kind : kinds())
      for (const std::string& name : kind.freed_by) by_name[name] = &kind;
    return by_name;
  }();
  return all;
}

std::uint64_t handle_at(const Rank& rank, const Kind& kind, std::uint64_t address) {
  if (!kind.is_number) return rank.value<std::uint64_t>(address);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(rank.value<int>(address)) + 1);  // 0: none
}

void forget(Rank& rank, const Kind& kind, std::uint64_t handle) {
  if (kind.name == "communicator") rank.forget_communicator(handle);
  if (kind.name == "datatype") rank.forget_datatype(handle);
}

void end_make(Job&, Rank& rank, Call& call) {
  const auto& [kind, place] = makers().at(call.handler->name);
  const std::uint64_t handle = handle_at(rank, *kind, call[place]);
  if (call.result != MPI_SUCCESS || handle == 0) return;
  if (kind->name == "group" && rank.group(handle).empty()) return;  // MPI_GROUP_EMPTY, which need not be freed
  forget(rank, *kind, handle);
  Made& made = rank.objects[kind->name][handle];
  made.count = made.site.rank < 0 ? 1 : made.count + 1;
  made.site = call.site;
}

void begin_free(Job&, Rank& rank, Call& call) {
  call.handles = {handle_at(rank, *freers().at(call.handler->name), call[0])};
}

void end_free(Job&, Rank& rank, Call& call) {
  if (call.result != MPI_SUCCESS) return;
  const Kind& kind = *freers().at(call.handler->name);
  auto& made = rank.objects[kind.name];
  const auto found = made.find(call.handles.at(0));
  if (found == made.end()) return;
  if (--found->second.count == 0) {
    made.erase(found);
    forget(rank, kind, call.handles[0]);
  }
}

template <class Map>
std::vector<std::string> names(const Map& map) {
  std::vector<std::string> all;
  for (const auto& [name, about] : map) all.push_back(name);
  return all;
}

const Handlers make(names(makers()), nullptr, end_make);
const Handlers free_calls(names(freers()), begin_free, end_free);

/// Not by the addresses of objects.
bool is_before(const Site& one, const Site& other) {
  return std::tie(*one.call, one.code) < std::tie(*other.call, other.code);
}

std::string article(const std::string& name) { return name.find_first_of("aeiou") == 0 ? "an " : "a "; }

}  // namespace

void Job::check_leaks(Rank& rank, const Site& at) {
  for (const Kind& kind : kinds()) {
    std::map<std::pair<std::string, std::uint64_t>, std::pair<Site, std::uint64_t>> by_place;
    for (const auto& [handle, made] : rank.objects[kind.name]) {
      auto& [site, count] = by_place[{*made.site.call, made.site.code}];
      site = made.site;
      count += made.count;
    }
    for (const auto& [place, left] : by_place)
      report(Severity::warning, "leak", {left.first, at},
             "{0} made " +
                 (left.second == 1 ? article(kind.name) + kind.name : std::to_string(left.second) + " " + kind.names) +
                 " that " + (left.second == 1 ? "is" : "are") + " not freed before MPI_Finalize",
             "call " + kind.free_call);
  }
  std::vector<Site> probes;
  for (const auto& [handle, matched] : rank.matched) probes.push_back(matched.probe);
  std::stable_sort(probes.begin(), probes.end(), is_before);
  for (const Site& probe : probes)
    report(Severity::error, "message never received", {probe, at},
           "{0} took a message that was not received before {1}", "receive it by MPI_Mrecv or MPI_Imrecv");
  std::vector<std::shared_ptr<Request>> requests;
  for (const auto& [handle, request] : rank.requests) requests.push_back(request);
  std::stable_sort(requests.begin(), requests.end(),
                   [](const auto& one, const auto& other) { return is_before(one->site, other->site); });
  for (const auto& request : requests) {
    if (request->is_active)
      report(Severity::error, "request lost", {request->site, at},
             "{0} began an operation whose end the program has not waited for before {1}", "call MPI_Wait");
    else if (request->is_persistent)
      report(Severity::warning, "leak", {request->site, at},
             "{0} made a persistent request that is not freed before MPI_Finalize", "call MPI_Request_free");
  }
}

}  // namespace sanvp::mpi_check
