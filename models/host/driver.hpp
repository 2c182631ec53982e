/// A node's driver: kernel software that the node's processes and its card's interrupts call. It runs one caller at a
/// time; a caller that sleeps in it lets others in, as in the kernels of the period.
#pragma once

#include <functional>

#include "models/host/software.hpp"

namespace sanvp::host {

class Process;

class Driver final : public Software {
 public:
  Driver(const std::string& image, const Identity& identity, Node& node, native::Range heap, Services& services);

  /// The functions below are called in the thread that `cpu` runs.
  void boot(Cpu& cpu);
  void interrupt(Cpu& cpu);
  std::int64_t call(Cpu& cpu, int process, unsigned request, void* argument);
  /// The process is giving back this memory: the driver revokes the card's access to it.
  void unmapped(Cpu& cpu, int process, std::uint64_t bus_address, std::size_t bytes);

 protected:
  Cpu& cpu() override { return *inside_; }
  void before_sleep() override;
  void after_sleep(Cpu& cpu) override;
  std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const override;
  Heap& heap() override { return heap_; }
  std::int64_t ioctl(unsigned, void*) override { return -1; }
  void exit(int status) override;
  void fail(const std::string& why) override;
  void leave_with(std::exception_ptr failure) override { inside_->thread().leave(std::move(failure)); }

 private:
  static const hal_kernel kernel_calls;

  Process& process(int number) const;
  /// The process's memory within the node's; null unless all bytes belong to the process.
  std::byte* memory(int process, std::uint64_t address, std::size_t bytes) const;
  void enter(Cpu& cpu);
  void leave();

  Heap heap_;
  Cpu* inside_ = nullptr;  ///< the CPU that runs the driver now
  native::Condition left_;
};

}  // namespace sanvp::host
