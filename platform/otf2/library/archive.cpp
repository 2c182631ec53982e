/// Writes a recording by OTF2's library.
#include <otf2/otf2.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "platform/core/error.hpp"
#include "platform/core/files.hpp"
#include "platform/otf2/recording.hpp"

namespace sanvp::otf2 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t ticks_per_s = 1'000'000'000'000;  // of simulated time: picoseconds
constexpr std::uint64_t events_chunk = std::uint64_t{1} << 20, definitions_chunk = std::uint64_t{4} << 20;  // bytes
constexpr std::uint32_t traffic_metric = 0;

/// The library's own report of its latest failure.
std::string& complaint() {
  static std::string text;
  return text;
}

OTF2_ErrorCode take_complaint(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                              std::va_list arguments) {
  constexpr std::size_t most = 256;
  std::array<char, most> text{};
  std::vsnprintf(text.data(), text.size(), format, arguments);
  complaint() = std::string(OTF2_Error_GetDescription(code)) + (text[0] != 0 ? ": " + std::string(text.data()) : "");
  return code;
}

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp no_flush_event(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }
constexpr OTF2_FlushCallbacks flush{.otf2_pre_flush = flush_always, .otf2_post_flush = no_flush_event};

class Archive {
 public:
  explicit Archive(const std::string& path) : path_(path) {
    OTF2_Error_RegisterCallback(take_complaint, nullptr);
    remove_old();
    const fs::path file(path);
    const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
    archive_ = OTF2_Archive_Open(folder.c_str(), file.stem().c_str(), OTF2_FILEMODE_WRITE, events_chunk,
                                 definitions_chunk, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) fail();
    require(OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr));
    require(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    require(OTF2_Archive_SetCreator(archive_, "sanvp"));
  }
  ~Archive() {
    if (archive_ != nullptr) OTF2_Archive_Close(archive_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  OTF2_Archive* get() const { return archive_; }
  /// @param number  the archive's own
  void close(std::uint64_t number) {
    require(OTF2_Archive_Close(std::exchange(archive_, nullptr)));
    OTF2_Reader* const reader = OTF2_Reader_Open(path_.c_str());
    if (reader == nullptr) fail();
    std::uint64_t by_clock = 0;
    require(OTF2_Reader_GetTraceId(reader, &by_clock));
    require(OTF2_Reader_Close(reader));
    replace_number(by_clock, number);
  }
  void require(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw UserError("--trace", path_ + " cannot be written: " + complaint(), "name a file in a folder of yours");
  }
  /// The library takes the number from the clock; but the same run is to write the same bytes.
  void replace_number(std::uint64_t old, std::uint64_t number) const {
    std::string anchor = read_text_file(path_);
    const std::string wanted(reinterpret_cast<const char*>(&old), sizeof old);
    const std::size_t at = anchor.rfind(wanted);
    if (at == std::string::npos) return;
    std::memcpy(anchor.data() + at, &number, sizeof number);
    write_text_file(path_, anchor);
  }
  /// The library writes over no archive. Removes only what it makes itself.
  void remove_old() const {
    std::error_code ignored;
    const fs::path folder = fs::path(path_).replace_extension();
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".evt" || entry.path().extension() == ".def") fs::remove(entry.path(), ignored);
    fs::remove(folder, ignored);  // if it is empty
    fs::remove(fs::path(path_).replace_extension(".def"), ignored);
    fs::remove(path_, ignored);
  }

  std::string path_;
  OTF2_Archive* archive_ = nullptr;
};

/// Writes the events of one rank.
class Events {
 public:
  Events(const Archive& archive, OTF2_EvtWriter* writer) : archive_(archive), writer_(writer) {}

  void add(const Event& event) {
    const auto at = static_cast<OTF2_TimeStamp>(event.at.count());
    archive_.require(event.kind <= Kind::collective_end ? add_message(event, at) : add_access(event, at));
  }

 private:
  OTF2_ErrorCode add_message(const Event& event, OTF2_TimeStamp at) {
    switch (event.kind) {
      case Kind::enter:
        return OTF2_EvtWriter_Enter(writer_, nullptr, at, event.object);
      case Kind::leave:
        return OTF2_EvtWriter_Leave(writer_, nullptr, at, event.object);
      case Kind::send:
        return OTF2_EvtWriter_MpiSend(writer_, nullptr, at, event.peer, event.object, event.tag, event.bytes);
      case Kind::nonblocking_send:
        return OTF2_EvtWriter_MpiIsend(writer_, nullptr, at, event.peer, event.object, event.tag, event.bytes,
                                       event.id);
      case Kind::send_over:
        return OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, at, event.id);
      case Kind::receive_request:
        return OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, at, event.id);
      case Kind::receive:
        return OTF2_EvtWriter_MpiRecv(writer_, nullptr, at, event.peer, event.object, event.tag, event.bytes);
      case Kind::receive_over:
        return OTF2_EvtWriter_MpiIrecv(writer_, nullptr, at, event.peer, event.object, event.tag, event.bytes,
                                       event.id);
      case Kind::cancelled:
        return OTF2_EvtWriter_MpiRequestCancelled(writer_, nullptr, at, event.id);
      case Kind::collective_begin:
        return OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, at);
      default:
        return OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, at, operation_of(event), event.object,
                                               event.peer == none ? OTF2_UNDEFINED_UINT32 : event.peer, event.bytes,
                                               event.id);
    }
  }
  OTF2_ErrorCode add_access(const Event& event, OTF2_TimeStamp at) {
    switch (event.kind) {
      case Kind::window_made:
        return OTF2_EvtWriter_RmaWinCreate(writer_, nullptr, at, event.object);
      case Kind::window_freed:
        return OTF2_EvtWriter_RmaWinDestroy(writer_, nullptr, at, event.object);
      case Kind::put:
        return OTF2_EvtWriter_RmaPut(writer_, nullptr, at, event.object, event.peer, event.bytes, event.id);
      case Kind::get:
        return OTF2_EvtWriter_RmaGet(writer_, nullptr, at, event.object, event.peer, event.bytes, event.id);
      case Kind::atomic:
        return OTF2_EvtWriter_RmaAtomic(writer_, nullptr, at, event.object, event.peer, type_of(event), event.bytes,
                                        static_cast<Atomic>(event.tag) == Atomic::accumulate ? 0 : event.bytes,
                                        event.id);
      case Kind::access_over:
        return OTF2_EvtWriter_RmaOpCompleteBlocking(writer_, nullptr, at, event.object, event.id);
      case Kind::accesses_over:
        return OTF2_EvtWriter_RmaOpCompleteRemote(writer_, nullptr, at, event.object, event.id);
      case Kind::meet:
        return OTF2_EvtWriter_RmaCollectiveBegin(writer_, nullptr, at);
      case Kind::met:
        return OTF2_EvtWriter_RmaCollectiveEnd(writer_, nullptr, at, OTF2_COLLECTIVE_OP_BARRIER,
                                               OTF2_RMA_SYNC_LEVEL_PROCESS, event.object, OTF2_UNDEFINED_UINT32, 0, 0);
      default: {
        constexpr std::array<OTF2_Type, 2> types{OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
        std::array<OTF2_MetricValue, 2> values{};
        values[0].unsigned_int = event.bytes;
        values[1].unsigned_int = event.id;
        return OTF2_EvtWriter_Metric(writer_, nullptr, at, traffic_metric, values.size(), types.data(), values.data());
      }
    }
  }
  static OTF2_CollectiveOp operation_of(const Event& event) {
    return static_cast<OTF2_CollectiveOp>(OTF2_COLLECTIVE_OP_BARRIER + event.tag);
  }
  static OTF2_RmaAtomicType type_of(const Event& event) {
    switch (static_cast<Atomic>(event.tag)) {
      case Atomic::swap:
        return OTF2_RMA_ATOMIC_TYPE_SWAP;
      case Atomic::compare_and_swap:
        return OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
      case Atomic::fetch_and_accumulate:
        return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
      default:
        return OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
    }
  }

  const Archive& archive_;
  OTF2_EvtWriter* writer_;
};

/// What events refer to.
class Definitions {
 public:
  explicit Definitions(const Archive& archive)
      : archive_(archive), writer_(OTF2_Archive_GetGlobalDefWriter(archive.get())) {
    text("");
  }

  void clock(Time begin, Time end) {
    archive_.require(OTF2_GlobalDefWriter_WriteClockProperties(
        writer_, ticks_per_s, static_cast<std::uint64_t>(begin.count()),
        static_cast<std::uint64_t>((end - begin).count() + 1), OTF2_UNDEFINED_TIMESTAMP));
  }

  /// The machine, its nodes that have ranks, the ranks.
  void places(const Recording& recording, const std::vector<std::uint64_t>& counts) {
    constexpr std::uint32_t machine = 0;
    archive_.require(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, machine, text(recording.machine),
                                                              text("machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    archive_.require(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer_, machine, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    std::map<int, std::uint32_t> nodes;
    for (const int node : std::set<int>(recording.nodes.begin(), recording.nodes.end())) {
      const auto number = nodes[node] = static_cast<std::uint32_t>(nodes.size() + 1);
      archive_.require(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, number, text("node " + std::to_string(node)),
                                                                text("node"), machine));
      archive_.require(
          OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer_, number, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
    }
    for (std::uint32_t rank = 0; rank < recording.nodes.size(); ++rank) {
      archive_.require(OTF2_GlobalDefWriter_WriteLocationGroup(
          writer_, rank, text("MPI Rank " + std::to_string(rank)), OTF2_LOCATION_GROUP_TYPE_PROCESS,
          nodes[recording.nodes[rank]], OTF2_UNDEFINED_LOCATION_GROUP));
      archive_.require(OTF2_GlobalDefWriter_WriteLocation(writer_, rank, text("Master thread"),
                                                          OTF2_LOCATION_TYPE_CPU_THREAD, counts[rank], rank));
    }
  }

  void regions(const std::vector<std::string>& names) {
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      const std::uint32_t name = text(names[i]);
      archive_.require(OTF2_GlobalDefWriter_WriteRegion(writer_, i, name, name, text(""), OTF2_REGION_ROLE_UNKNOWN,
                                                        paradigm_of(names[i]), OTF2_REGION_FLAG_NONE, text(""), 0, 0));
    }
  }

  void communicators(const Recording& recording) {
    constexpr std::uint32_t locations = 0;  // the group of all ranks, in which others are numbered
    const auto& all = recording.communicators.front().ranks;
    archive_.require(OTF2_GlobalDefWriter_WriteGroup(writer_, locations, text("ranks"), OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                                     OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                     static_cast<std::uint32_t>(all.size()), all.data()));
    for (std::uint32_t i = 0; i < recording.communicators.size(); ++i) {
      const Communicator& one = recording.communicators[i];
      archive_.require(OTF2_GlobalDefWriter_WriteGroup(writer_, i + 1, text(""), OTF2_GROUP_TYPE_COMM_GROUP,
                                                       OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                       static_cast<std::uint32_t>(one.ranks.size()), one.ranks.data()));
      archive_.require(OTF2_GlobalDefWriter_WriteComm(writer_, i, text(one.name), i + 1,
                                                      i == 0 ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE));
    }
    for (std::uint32_t i = 0; i < recording.windows.size(); ++i)
      archive_.require(OTF2_GlobalDefWriter_WriteRmaWin(writer_, i, text(recording.windows[i].name),
                                                        recording.windows[i].communicator, OTF2_RMA_WIN_FLAG_NONE));
  }

  void metrics() {
    constexpr std::array<std::uint32_t, 2> members{0, 1};
    constexpr std::int64_t pico = -12;
    archive_.require(OTF2_GlobalDefWriter_WriteMetricMember(
        writer_, members[0], text("bytes sent"), text("by this rank so far"), OTF2_METRIC_TYPE_OTHER,
        OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0, text("bytes")));
    archive_.require(OTF2_GlobalDefWriter_WriteMetricMember(
        writer_, members[1], text("cable busy"), text("time in which the cable of this node carried flits"),
        OTF2_METRIC_TYPE_OTHER, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, pico, text("s")));
    archive_.require(OTF2_GlobalDefWriter_WriteMetricClass(writer_, traffic_metric, members.size(), members.data(),
                                                           OTF2_METRIC_SYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
  }

 private:
  static OTF2_Paradigm paradigm_of(const std::string& region) {
    return region.starts_with("MPI_")     ? OTF2_PARADIGM_MPI
           : region.starts_with("shmem_") ? OTF2_PARADIGM_SHMEM
                                          : OTF2_PARADIGM_UNKNOWN;
  }
  std::uint32_t text(const std::string& text) {
    const auto [found, is_new] = texts_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) archive_.require(OTF2_GlobalDefWriter_WriteString(writer_, found->second, text.c_str()));
    return found->second;
  }

  const Archive& archive_;
  OTF2_GlobalDefWriter* writer_;
  std::map<std::string, std::uint32_t> texts_;
};

std::vector<std::uint64_t> write_events(const Archive& archive, const Recording& recording) {
  std::vector<std::uint64_t> counts;
  archive.require(OTF2_Archive_OpenEvtFiles(archive.get()));
  for (std::size_t rank = 0; rank < recording.events.size(); ++rank) {
    OTF2_EvtWriter* const writer = OTF2_Archive_GetEvtWriter(archive.get(), rank);
    Events events(archive, writer);
    for (const Event& event : recording.events[rank]) events.add(event);
    archive.require(OTF2_EvtWriter_GetNumberOfEvents(writer, &counts.emplace_back()));
    archive.require(OTF2_Archive_CloseEvtWriter(archive.get(), writer));
  }
  archive.require(OTF2_Archive_CloseEvtFiles(archive.get()));
  return counts;
}

/// Readers want the file of a rank's own definitions, which has none.
void write_empty_definitions(const Archive& archive, std::size_t ranks) {
  archive.require(OTF2_Archive_OpenDefFiles(archive.get()));
  for (std::size_t rank = 0; rank < ranks; ++rank)
    archive.require(OTF2_Archive_CloseDefWriter(archive.get(), OTF2_Archive_GetDefWriter(archive.get(), rank)));
  archive.require(OTF2_Archive_CloseDefFiles(archive.get()));
}

/// A number for the recording, from what is in it (FNV-1a).
std::uint64_t number_of(const Recording& recording) {
  constexpr std::uint64_t basis = 0xcbf29ce484222325, prime = 0x100000001b3;
  std::uint64_t number = basis;
  const auto add = [&](std::uint64_t value) { number = (number ^ value) * prime; };
  for (const auto& events : recording.events)
    for (const Event& event : events) {
      add(static_cast<std::uint64_t>(event.at.count()));
      add(event.bytes);
      add(static_cast<std::uint64_t>(event.kind));
    }
  return number;
}

}  // namespace

const char* unavailable() { return nullptr; }

void write(const Recording& recording, const std::string& path) {
  Archive archive(path);
  archive.require(OTF2_Archive_SetDescription(archive.get(), recording.program.c_str()));
  archive.require(OTF2_Archive_SetMachineName(archive.get(), recording.machine.c_str()));
  const std::vector<std::uint64_t> counts = write_events(archive, recording);
  write_empty_definitions(archive, counts.size());
  Time begin = never, end{0};
  for (const auto& events : recording.events) {
    if (events.empty()) continue;
    begin = std::min(begin, events.front().at);
    end = std::max(end, events.back().at);
  }
  Definitions definitions(archive);
  definitions.clock(std::min(begin, end), end);
  definitions.places(recording, counts);
  definitions.regions(recording.regions);
  definitions.communicators(recording);
  definitions.metrics();
  archive.close(number_of(recording));
}

}  // namespace sanvp::otf2
