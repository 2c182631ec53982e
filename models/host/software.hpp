/// An image at work on a node, behind the table of calls that it is given (sw/hal/host.h): what a process and a driver
/// have in common.
#pragma once

#include <memory>
#include <optional>

#include "models/host/call_profile.hpp"
#include "models/host/cpu.hpp"
#include "models/host/heap.hpp"
#include "models/host/line_stream.hpp"
#include "models/host/services.hpp"
#include "sw/hal/host.h"

namespace sanvp::host {

class Node;

class Software {
 public:
  Software(const std::string& image, const Identity& identity, Node& node, Services& services);
  Software(const Software&) = delete;
  Software& operator=(const Software&) = delete;

  const Identity& identity() const { return identity_; }
  const native::Image& image() const { return image_; }
  const CallProfile& calls() const { return profile_; }

 protected:
  virtual ~Software() = default;

  /// Hands the table to the image.
  void attach(const hal_kernel* kernel = nullptr);

  /// The one that runs it now.
  virtual Cpu& cpu() = 0;
  /// Around everything that lets other software of the node go on meanwhile.
  virtual void before_sleep() {}
  virtual void after_sleep(Cpu&) {}

  /// The piece of its own memory that has all of [pointer, pointer + bytes); nothing where none has.
  virtual std::optional<native::Range> region_of(const volatile void* pointer, std::size_t bytes) const = 0;
  virtual Heap& heap() = 0;
  virtual std::int64_t ioctl(unsigned request, void* argument) = 0;
  /// Does not return.
  virtual void exit(int status) = 0;
  virtual void end_job(int status) { exit(status); }
  virtual void fail(const std::string& why) = 0;

  Node& node() const { return node_; }
  Services& services() { return services_; }
  LineStream& stream(bool is_error) { return is_error ? error_ : out_; }

 private:
  struct Calls;
  void refuse_access(const char* what, std::uint64_t address, const char* cause);
  void say(bool is_error, std::string_view line);

  native::Image image_;
  Identity identity_;
  Node& node_;
  Services& services_;
  hal_host table_{};
  LineStream out_, error_;
  CallProfile profile_;
};

}  // namespace sanvp::host
