#include "models/host/pci.hpp"

#include <algorithm>
#include <cmath>

#include "models/net/module.hpp"

namespace sanvp::host {

Pci::Pci(const sc_core::sc_module_name& name, const PciSettings& settings) : sc_module(name), settings_(settings) {
  cpus.register_b_transport(this, &Pci::from_cpu);
  master.register_b_transport(this, &Pci::from_device);
  master.register_transport_dbg(this, &Pci::debug_from_device);
}

sc_core::sc_time Pci::reserve(Flow flow, std::size_t bytes, const sc_core::sc_time& delay) {
  const Time asked = net::kernel_now() + net::to_time(delay);
  const Time start = std::max(asked, free_);
  const auto pieces = [bytes](int piece) { return static_cast<double>((bytes + piece - 1) / piece); };
  double cycles = pieces(settings_.width_bytes) + pieces(settings_.burst_bytes) * settings_.overhead_cycles;
  if (flow_ != Flow::none && flow_ != flow) {
    cycles += settings_.turnaround_cycles;
    ++turnarounds_;
  }
  const Time taken{std::llround(cycles * static_cast<double>(settings_.cycle.count()))};
  flow_ = flow;
  free_ = start + taken;
  busy_ += taken;
  waited_ += start - asked;
  auto& direction = flow == Flow::to_device ? to_device_ : from_device_;
  ++direction.transfers;
  direction.bytes += bytes;
  return net::to_sc_time(free_ - net::kernel_now());
}

void Pci::from_cpu(int, tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  const std::uint64_t address = transfer.get_address();
  if (address < device_base || address >= 2 * device_base || device.size() == 0) {
    transfer.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  const sc_core::sc_time bridge = net::to_sc_time(settings_.bridge);
  transfer.set_address(address - device_base);
  delay = reserve(transfer.is_read() ? Flow::from_device : Flow::to_device, transfer.get_data_length(), delay) + bridge;
  device->b_transport(transfer, delay);
  if (transfer.is_read()) delay += bridge;
  transfer.set_address(address);
}

void Pci::from_device(tlm::tlm_generic_payload& transfer, sc_core::sc_time& delay) {
  delay = reserve(transfer.is_read() ? Flow::to_device : Flow::from_device, transfer.get_data_length(), delay);
  memory->b_transport(transfer, delay);
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
