#include "models/host/process.hpp"

#include <algorithm>

#include "models/host/node.hpp"
#include "platform/core/units.hpp"
#include "sw/hal/hal.h"

namespace sanvp::host {
namespace {

using RunMain = void(int count, char** arguments);  // sw/hal/run_main.c

}  // namespace

Process::Process(const std::string& image, std::vector<std::string> arguments, const Identity& identity, Node& node,
                 Cpu& cpu, native::Range heap, Services& services)
    : Software(image, identity, node, services),
      arguments_(std::move(arguments)),
      cpu_(cpu),
      heap_(heap),
      thread_(node.run_queue(), static_cast<std::size_t>(node.settings().stack_bytes), [this] { run_main(); },
              {stream(false).file(), stream(true).file()}) {
  thread_.at_end([this] { finish(); });
  thread_.watch(this->image(), "rank " + std::to_string(identity.rank) + " on node " + std::to_string(identity.node));
  thread_.net().exit = [this](int status) { exit(status & 0377); };
  if (!this->image().function<RunMain>("hal_run_main"))
    throw UserError(this->image().path(), "is not a program for sanvp", "compile it with build/sanvp-cc");
  for (const auto& globals : this->image().globals()) node.memory().add(globals);
  attach();
}

void Process::start() {
  if (is_dead_) return;
  cpu_.run(thread_);
  begun_ = node().run_queue().now();
  thread_.start();
}

void Process::run_main() {
  cpu_.begin_work();
  begin_computing();
  node().memory().add(thread_.stack());
  for (auto& argument : arguments_) argv_.push_back(argument.data());
  argv_.push_back(nullptr);
  image().function<RunMain>("hal_run_main")(static_cast<int>(arguments_.size()), argv_.data());
}

/// Called after main has returned, and after exit, a failure or a crash.
void Process::finish() {
  const std::string computed_at = place();
  for (const bool is_error : {false, true}) stream(is_error).finish();
  settled_cpu().synchronise();
  draw_computing();
  cpu_.end_work();
  ended_ = cpu_.now();
  if (thread_.fault()) failure_ = thread_.fault()->to_text(image()) + what_ran_out();
  // Ctrl-C that came while its code was suspended has no place: use the last one known.
  if (thread_.fault() && thread_.fault()->code == nullptr && !computed_at.empty()) failure_ += ", in " + computed_at;
  if (failure_.empty() && ends_job_)
    services().ended_job(identity(), status_, cpu_.now());
  else if (failure_.empty())
    services().ended(identity(), status_, cpu_.now());
  else
    services().failed(identity(), failure_, cpu_.now());
}

Usage Process::usage() const {
  Usage usage{.computing = computed(), .waiting = cpu_.idle(), .noise = cpu_.disturbed()};
  usage.library = std::max(Time{0}, ended_.value_or(cpu_.now()) - begun_ - usage.total());
  return usage;
}

/// Names the likely cause of a crash: most programs check neither the result of malloc nor the size of the stack.
std::string Process::what_ran_out() const {
  const auto text = [](std::size_t bytes) { return size_to_text(static_cast<std::int64_t>(bytes)); };
  if (thread_.fault()->stack_overflow)
    return "; it has " + text(thread_.stack().bytes) + " of stack, more with -s host.stack=SIZE";
  if (heap_.refused() > 0)
    return "; it was refused " + text(heap_.refused()) + " of memory before: its share of the node's is " +
           text(heap_.room().bytes) + ", more with -s host.memory=SIZE";
  return "";
}

std::optional<native::Range> Process::region_of(const volatile void* pointer, std::size_t bytes) const {
  const auto has = [&](const native::Range& part) { return part.contains(pointer, bytes); };
  if (has(heap_.room())) return heap_.room();
  if (has(thread_.stack())) return thread_.stack();
  const auto& globals = image().globals();
  if (const auto found = std::find_if(globals.begin(), globals.end(), has); found != globals.end()) return *found;
  return node().shared_region(identity().job, pointer, bytes);
}

bool Process::owns_pages(const volatile void* pointer, std::size_t bytes) const {
  constexpr std::size_t page_bytes = 4096;  // the first and last page of a part may also contain other data
  const auto has = [&](const native::Range& part) {
    const auto before = reinterpret_cast<std::uintptr_t>(part.begin) % page_bytes;
    const std::size_t whole_pages = (before + part.bytes + page_bytes - 1) / page_bytes * page_bytes;
    return native::Range{part.begin - before, whole_pages}.contains(pointer, bytes);
  };
  const auto& globals = image().globals();
  return has(heap_.room()) || has(thread_.stack()) || std::any_of(globals.begin(), globals.end(), has) ||
         node().shared_region(identity().job, pointer, bytes);
}

std::uint64_t Process::bus_address(std::uint64_t address, std::size_t bytes) const {
  return owns_pages(reinterpret_cast<const void*>(address), bytes) ? address : 0;
}

/// The driver gets the argument itself: they share an address space.
std::int64_t Process::ioctl(unsigned request, void* argument) {
  if (HAL_REQUEST_BYTES(request) > 0 && argument == nullptr) return -1;
  return node().ioctl(*this, request, argument);
}

bool Process::may_access(std::uint64_t bus_address, std::size_t bytes) const {
  return !node().grants_devices() || grants_.allow(bus_address, bytes);
}

void Process::kill(const std::string& why) { services().failed(identity(), why, cpu_.now()); }

void Process::die() {
  if (has_ended()) return;
  is_dead_ = true;
  thread_.stop();
  ended_ = node().run_queue().now();
  services().died(identity(), *ended_);
}

void Process::exit(int status) {
  status_ = status;
  thread_.leave();
}

void Process::end_job(int status) {
  ends_job_ = true;
  exit(status);
}

void Process::fail(const std::string& why) {
  failure_ = why.empty() ? "the program aborted without a message" : why;
  thread_.leave();
}

}  // namespace sanvp::host
