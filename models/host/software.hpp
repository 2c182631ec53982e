/// An image at work on a node, behind the table of calls that it is given (sw/hal/host.h): what a process and a driver
/// have in common.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "models/host/call_profile.hpp"
#include "models/host/cpu.hpp"
#include "models/host/heap.hpp"
#include "models/host/line_stream.hpp"
#include "models/host/services.hpp"
#include "models/native/block_table.hpp"
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
  /// What its code outside of library calls has computed.
  Time computed() const { return computed_; }
  /// What the machine's monitoring tells, or a library has found out: a node of its job has died, or is cut off, since
  /// then.
  void learn_of_death(int node, Time died);
  /// Its libraries look at what it has learnt when they are woken.
  bool watches_deaths() const { return death_word_ != nullptr; }
  /// Where its code gave way last while it computed; empty where that is not known, or was before its last call.
  std::string place() const;

 protected:
  virtual ~Software() = default;

  /// Hands the table to the image.
  void attach(const hal_kernel* kernel = nullptr);

  /// The one that runs it now.
  virtual Cpu& cpu() = 0;
  /// The same, which has spent what its code has computed so far.
  Cpu& settled_cpu();
  /// The same for a call by which code looks for what others do, and which takes so long.
  Cpu& looking_cpu(Time span);
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
  /// Its working folder, file mask or locale is another one now.
  virtual void surroundings_changed() {}
  /// 1 << number: what its program does not leave to the system.
  virtual void signals_handled(std::uint64_t /*signals*/) {}

  Node& node() const { return node_; }
  Services& services() { return services_; }
  LineStream& stream(bool is_error) { return is_error ? error_ : out_; }
  void draw_computing();
  /// Its code outside of library calls begins now.
  void begin_computing() { computes_since_ = {cpu().now(), computed_}; }

 private:
  struct Calls;
  void compute(Cpu& cpu, Time span);
  void walk(Cpu& at, const std::byte* one, const std::byte* other, std::size_t bytes, Time price);
  Time take_spent();
  void allow(Time quantum);
  const native::Loop* loop_at(const void* returns_to) const;
  int gave_way(const hal_registers& registers, const void* returns_to);
  int spun(const hal_registers& registers, const void* returns_to, Time until);
  void refuse_access(const char* what, std::uint64_t address, const char* cause);
  std::uint64_t seed(bool of_job, const char* consumer) const;
  void say(bool is_error, std::string_view line);
  void give_up(const std::string& where);

  native::Image image_;
  Identity identity_;
  Node& node_;
  Services& services_;
  hal_host table_{};
  LineStream out_, error_;
  CallProfile profile_;
  std::int64_t* spent_;  ///< the image's sanvp_spent
  std::int64_t base_;    ///< what that began at
  Time computed_{0};
  Time silent_{0};     ///< it has computed since its last call
  Time looked_at_{0};  ///< amid the program's own code, for what a library does meanwhile
  const void* gave_way_at_ = nullptr;
  Time spins_since_{0};
  const std::vector<native::Loop>& loops_;
  std::map<int, Time> deaths_;                    ///< of nodes, and when
  volatile std::uint32_t* death_word_ = nullptr;  ///< the image's: their number
  struct {
    Time begin{0};
    Time computed{0};
  } computes_since_;
};

}  // namespace sanvp::host
