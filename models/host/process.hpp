/// A rank of a job: a program's image on its own CPU.
#pragma once

#include <string>
#include <vector>

#include "models/host/grants.hpp"
#include "models/host/software.hpp"
#include "models/host/usage.hpp"

namespace sanvp::host {

class Process final : public Software {
 public:
  /// @param image      path of the program's shared object
  /// @param arguments  argv[0] is the program's name
  /// @param heap       its share of the node's memory
  Process(const std::string& image, std::vector<std::string> arguments, const Identity& identity, Node& node, Cpu& cpu,
          native::Range heap, Services& services);

  /// Starts it at this instant. Processes run in the order in which they were started.
  void start();

  /// Whether these bytes are in pages of its own memory or of its job's shared memory on this node.
  bool owns_pages(const volatile void* pointer, std::size_t bytes) const;
  /// Bus address of its memory at its own `address`; 0 unless all of the bytes, to whole pages, are its memory or its
  /// job's on this node. They are contiguous. A native process sees bus addresses.
  virtual std::uint64_t bus_address(std::uint64_t address, std::size_t bytes) const;
  /// What the driver of its node's card lets it access.
  Grants& grants() { return grants_; }
  bool has_ended() const { return is_dead_ || thread_.has_ended(); }
  /// From its start until its end or now.
  Usage usage() const;
  /// Ends it and its job. Not called in its thread.
  void kill(const std::string& why);
  /// Stops it for good, since its node goes down.
  void die();
  Cpu& cpu() override { return cpu_; }

 protected:
  std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const override;
  Heap& heap() override { return heap_; }
  std::int64_t ioctl(unsigned request, void* argument) override;
  bool may_access(std::uint64_t bus_address, std::size_t bytes) const override;
  void exit(int status) override;
  void end_job(int status) override;
  void fail(const std::string& why) override;
  void surroundings_changed() override { thread_.surroundings_changed(); }
  void signals_handled(std::uint64_t signals) override { thread_.net().handled_signals = signals; }

 private:
  void run_main();
  void finish();
  std::string what_ran_out() const;

  std::vector<std::string> arguments_;
  std::vector<char*> argv_;
  Cpu& cpu_;
  Heap heap_;
  native::Thread thread_;
  Grants grants_;
  int status_ = 0;
  bool ends_job_ = false;
  bool is_dead_ = false;
  std::string failure_;
  Time begun_{0};
  std::optional<Time> ended_;
};

}  // namespace sanvp::host
