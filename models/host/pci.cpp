#include "models/host/pci.hpp"

#include <algorithm>

#include "models/host/memory_traffic.hpp"
#include "models/net/module.hpp"

namespace sanvp::host {
namespace {

/// Rounds to the nearest picosecond, halves up, as std::llround, but faster. The subtraction is exact.
Time round_ps(double ps) {
  const auto whole = static_cast<std::int64_t>(ps);
  return Time{whole + static_cast<std::int64_t>(ps - static_cast<double>(whole) >= 0.5)};
}

}  // namespace

Pci::Pci(const sc_core::sc_module_name& name, const PciSettings& settings, MemoryChannel& channel, Trace* trace,
         int node)
    : sc_module(name), settings_(settings), channel_(channel), trace_(trace), node_(node) {
  cpus.bind(cpu_side_);
  master.bind(device_side_);
}

/// Competing masters take turns burst by burst. The model reserves each transfer in one piece and adds the turnarounds
/// that it would have lost between bursts of the other direction.
double Pci::turnarounds(const Direction& own, const Direction& other, double bursts, Time start, Time span) const {
  if (other.transfers == 0) return 0;
  constexpr int recent_spans = 2;  // within so many spans after its last transfer the other direction counts as active
  if (start - other.end < recent_spans * span) return std::min(bursts, other.bursts);
  return own.end < other.end ? 1 : 0;
}

sc_core::sc_time Pci::reserve(Direction& own, Direction& other, unsigned bytes, const sc_core::sc_time& delay) {
  const Time asked = net::kernel_now() + net::to_time(delay);
  const Time start = std::max(asked, free_);
  const auto pieces = [bytes](int piece) {
    const auto of = static_cast<unsigned>(piece);
    const unsigned count = bytes / of + (bytes % of == 0 ? 0 : 1);
    return static_cast<double>(count);
  };
  const auto span = [this](double cycles) { return round_ps(cycles * static_cast<double>(settings_.cycle.count())); };
  const double bursts = pieces(settings_.burst_bytes);
  const double cycles = pieces(settings_.width_bytes) + bursts * settings_.overhead_cycles;
  Time taken = span(cycles);
  const double lost = turnarounds(own, other, bursts, start, taken);
  if (lost > 0) taken = span(cycles + lost * settings_.turnaround_cycles);
  free_ = start + taken;
  busy_ += taken;
  waited_ += start - asked;
  turnarounds_ += static_cast<std::uint64_t>(lost);
  own.end = free_;
  own.bursts = bursts;
  ++own.transfers;
  own.bytes += bytes;
  if (trace_ != nullptr) draw(own, bytes, start);
  return net::to_sc_time(free_ - net::kernel_now());
}

void Pci::draw(const Direction& own, unsigned bytes, Time start) {
  if (!trace_->wants(start, free_)) return;
  if (!track_) track_ = trace_->track("node " + std::to_string(node_), "bus");
  trace_->slice(*track_, &own == &to_device_ ? "to card" : "from card", start, free_,
                {{"bytes", static_cast<std::int64_t>(bytes)}});
}

void Pci::from_cpu(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  const std::uint64_t address = transfer.get_address();
  if (!is_device(address) || !to_card_) {
    transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const sc_core::sc_time bridge = net::to_sc_time(settings_.bridge);
  transfer.set_address(address - device_base);
  auto& own = transfer.is_read() ? from_device_ : to_device_;
  delay = reserve(own, other(own), transfer.get_data_length(), delay) + bridge;
  to_card_->b_transport(transfer, delay);
  if (transfer.is_read()) delay += bridge;
  transfer.set_address(address);
}

void Pci::from_device(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  auto& own = transfer.is_read() ? to_device_ : from_device_;
  delay = reserve(own, other(own), transfer.get_data_length(), delay);
  channel_.take(free_, transfer.get_data_length());
  to_memory_->b_transport(transfer, delay);
}

unsigned Pci::debug_from_device(tlm::tlm_generic_payload& transfer) { return memory->transport_dbg(transfer); }

void Pci::report(StatisticsTable& statistics, const std::string& path) const {
  const auto count = [&](const char* name, const char* unit, std::uint64_t value) {
    statistics.add(path, name, unit, static_cast<std::int64_t>(value));
  };
  count("transfers_to_device", "", to_device_.transfers);
  count("bytes_to_device", "B", to_device_.bytes);
  count("transfers_from_device", "", from_device_.transfers);
  count("bytes_from_device", "B", from_device_.bytes);
  count("turnarounds", "", turnarounds_);
  statistics.add(path, "busy_ns", "ns", in_ns(busy_));
  statistics.add(path, "wait_ns", "ns", in_ns(waited_));
}

}  // namespace sanvp::host
