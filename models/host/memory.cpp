#include "models/host/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/net/memory.hpp"
#include "models/net/module.hpp"
#include "models/net/transfer_cause.hpp"
#include "platform/core/error.hpp"
#include "platform/core/units.hpp"

namespace sanvp::host {
namespace {

// Far from programs, libraries and sanitizers on x86-64. A node's address is a hint to mmap: the simulator does not
// depend on it, but users look at pointers.
constexpr std::uintptr_t first_place = 0x2000'0000'0000;
constexpr std::uintptr_t place_stride = (std::uintptr_t{1} << 36) + net::stagger_bytes;
constexpr std::uintptr_t places = 512;

std::uintptr_t address(const volatile void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

}  // namespace

Memory::Memory(const sc_core::sc_module_name& name, int number, std::size_t bytes, Time notice,
               const net::RunQueue& run_queue)
    : sc_module(name), notice_(notice), run_queue_(run_queue) {
  const std::uintptr_t place = first_place + static_cast<std::uintptr_t>(number) % places * place_stride;
  void* begin = mmap(reinterpret_cast<void*>(place), bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED)
    throw UserError(
        "host.memory",
        "this computer has no " + size_to_text(static_cast<std::int64_t>(bytes)) + " of address space for each node",
        "choose less");
  madvise(begin, bytes, MADV_NOHUGEPAGE);  // a word in each of 1,024 nodes must not cost 2 GiB
  reserved_ = {static_cast<std::byte*>(begin), bytes};
  socket.bind(side_);
}

Memory::~Memory() { munmap(reserved_.begin, reserved_.bytes); }

native::Range Memory::take(std::size_t bytes) {
  bytes = whole_pages(bytes);
  if (bytes > left()) throw UserError("host.memory", std::string(name()) + " is full", "give the nodes more");
  const native::Range taken{reserved_.begin + taken_, bytes};
  taken_ += bytes;
  add(taken);
  return taken;
}

native::Range Memory::take_shared(std::size_t bytes) {
  const native::Range taken = take(bytes);
  renew_shared(taken);
  return taken;
}

void Memory::renew_shared(native::Range taken) {
  if (!shared_.put(taken))
    throw UserError("host.memory", "this computer grants no memory that processes could share", "choose less");
}

void Memory::add(native::Range region) {
  const auto place = std::upper_bound(regions_.begin(), regions_.end(), region,
                                      [](const auto& a, const auto& b) { return a.begin < b.begin; });
  regions_.insert(place, region);
}

void Memory::add_window(native::Range region, Answers answers) {
  add(region);
  windows_.push_back({region, std::move(answers)});
}

/// Whether a bus master's access is to memory that is there.
bool Memory::answers(const std::byte* begin, std::size_t bytes) const {
  if (region_of(begin, bytes) == nullptr) return false;
  const auto window = std::find_if(windows_.begin(), windows_.end(),
                                   [&](const WindowWithHoles& at) { return at.range.contains(begin, bytes); });
  return window == windows_.end() || window->answers(begin, bytes);
}

const native::Range* Memory::region_of(const volatile void* pointer, std::size_t bytes) const {
  if (last_region_.bytes > 0 && last_region_.contains(pointer, bytes)) return &last_region_;
  const auto after = std::upper_bound(regions_.begin(), regions_.end(), pointer,
                                      [](const volatile void* at, const auto& region) { return at < region.begin; });
  if (after == regions_.begin() || !std::prev(after)->contains(pointer, bytes)) return nullptr;
  last_region_ = *std::prev(after);
  return &last_region_;
}

void Memory::stored(const volatile void* pointer, std::size_t bytes, Time at, const native::Condition* by,
                    const std::optional<Trace::Point>& cause) {
  // Stores that were noticed before now are no longer needed.
  std::erase_if(under_way_, [now = run_queue_.now()](const Store& store) { return store.noticed <= now; });
  constexpr std::size_t most_under_way = 64;
  if (under_way_.size() == most_under_way) under_way_.erase(under_way_.begin());
  const std::uintptr_t begin = address(pointer);
  const std::uintptr_t end = begin + bytes;
  Store& store = under_way_.emplace_back();  // in its place at once: as in net/event_queue.hpp, new_node
  store.begin = begin;
  store.end = end;
  store.noticed = at + notice_;
  store.by = by;
  if (cause) store.cause = *cause;
  const std::uintptr_t first_line = begin / line_bytes;
  for (const Watched& watched : watches_)
    if (first_line <= watched.line && watched.line * line_bytes < end) watched.condition->notify(at + notice_);
}

std::optional<Trace::Point> Memory::cause(const volatile void* pointer, std::size_t bytes) const {
  const std::uintptr_t begin = address(pointer);
  for (auto store = under_way_.rbegin(); store != under_way_.rend(); ++store)
    if (begin < store->end && store->begin < begin + bytes) return store->cause;
  return std::nullopt;
}

Time Memory::noticed(const volatile void* pointer, std::size_t bytes, const native::Condition* by) const {
  const std::uintptr_t begin = address(pointer);
  Time latest{0};
  for (const Store& store : under_way_)
    if (begin < store.end && store.begin < begin + bytes && (by == nullptr || store.by != by))
      latest = std::max(latest, store.noticed);
  return latest;
}

Time Memory::all_noticed(const native::Condition* by) const {
  Time latest{0};
  for (const Store& store : under_way_)
    if (store.by != by) latest = std::max(latest, store.noticed);
  return latest;
}

void Memory::watch(const volatile void* place, native::Condition& condition) {
  watches_.push_back({address(place) / line_bytes, &condition});
}

void Memory::b_transport(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  const std::size_t bytes = transfer.get_data_length();
  auto* const bus_address = reinterpret_cast<std::byte*>(transfer.get_address());
  if (transfer.get_byte_enable_ptr() != nullptr)
    transfer.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  else if (transfer.get_streaming_width() < bytes)
    transfer.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  else if (!answers(bus_address, bytes))
    transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  else {
    transfer.set_response_status(tlm::TLM_OK_RESPONSE);
    if (transfer.is_read()) {
      std::memcpy(transfer.get_data_ptr(), bus_address, bytes);
    } else if (transfer.is_write()) {
      std::memcpy(bus_address, transfer.get_data_ptr(), bytes);
      for (const Observer& observer : observers_) observer(bus_address, bytes);
      stored(bus_address, bytes, net::kernel_now() + net::to_time(delay), nullptr, net::cause_of(transfer));
    }
  }
}

unsigned Memory::transport_dbg(tlm::tlm_generic_payload& transfer) {
  const unsigned bytes = transfer.get_data_length();
  auto* const bus_address = reinterpret_cast<std::byte*>(transfer.get_address());
  if (!answers(bus_address, bytes)) return 0;
  if (transfer.is_read()) std::memcpy(transfer.get_data_ptr(), bus_address, bytes);
  if (transfer.is_write()) std::memcpy(bus_address, transfer.get_data_ptr(), bytes);
  return bytes;
}

bool Memory::get_direct_mem_ptr(tlm::tlm_generic_payload& transfer, tlm::tlm_dmi& dmi) {
  const auto* region = region_of(reinterpret_cast<void*>(transfer.get_address()), 1);
  const auto has_holes = [&](const WindowWithHoles& window) { return window.range.contains(region->begin, 1); };
  if (region == nullptr || transfer.is_write() || std::any_of(windows_.begin(), windows_.end(), has_holes))
    return false;
  dmi.set_dmi_ptr(reinterpret_cast<unsigned char*>(region->begin));
  dmi.set_start_address(address(region->begin));
  dmi.set_end_address(address(region->end()) - 1);
  dmi.allow_read();
  return true;
}

Memory::Watch::Watch(Memory& memory, std::span<const volatile std::uint32_t* const> words, native::Condition& condition)
    : memory_(memory), condition_(condition) {
  for (const auto* word : words) memory_.watch(word, condition);
}

Memory::Watch::~Watch() {
  std::erase_if(memory_.watches_, [this](const Watched& watched) { return watched.condition == &condition_; });
}

}  // namespace sanvp::host
