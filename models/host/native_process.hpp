/// A rank whose program is an image: code of the simulating computer, in the simulator's address space.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "models/host/process.hpp"

namespace sanvp::host {

class NativeProcess final : public Process {
 public:
  /// @param heap  its share of the node's memory
  NativeProcess(const ProcessStart& start, Node& node, Cpu& cpu, native::Range heap, Services& services);

  std::uint64_t bus_address(std::uint64_t address, std::size_t bytes) const override;
  native::OwnCalls own_calls(int thread) override;

 protected:
  double instruction_error() const override;
  void run_program() override;
  std::string failure() const override;
  std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const override;
  Heap& heap() override { return heap_; }
  bool checked_is_allocated(std::uint64_t address) const override {
    return !heap_.is_free_at(std::bit_cast<const void*>(address));
  }
  std::int64_t ioctl(unsigned request, void* argument) override;
  void surroundings_changed() override { thread().surroundings_changed(); }
  void signals_handled(std::uint64_t signals) override { thread().net().handled_signals = signals; }

 private:
  bool owns_pages(const volatile void* pointer, std::size_t bytes) const;
  std::string what_ran_out() const;

  std::vector<std::string> arguments_;
  std::vector<char*> argv_;
  Heap heap_;
};

}  // namespace sanvp::host
