#include "models/host/native_process.hpp"

#include <elf.h>

#include <algorithm>

#include "models/host/node.hpp"
#include "models/native/callers.hpp"
#include "models/native/interrupts.hpp"
#include "platform/core/elf_file.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/units.hpp"
#include "sw/abi/hal/arguments.h"

namespace sanvp::host {
namespace {

// sw/hal/run_main.c
using RunMain = void(int count, char** arguments);
using RunConstructors = void(const native::Image::Constructor* all, std::size_t how_many, int count, char** arguments);

}  // namespace

NativeProcess::NativeProcess(const ProcessStart& start, Node& node, Cpu& cpu, native::Range heap, Services& services)
    : Process(start, node, cpu, services), arguments_(start.arguments), heap_(heap) {
  const std::string rank = "rank " + std::to_string(identity().rank);
  thread().watch(image(), rank + " on node " + std::to_string(identity().node));
  thread().net().exit = [this](int status) { exit(status & 0377); };
  if (!image().function<RunMain>("hal_run_main"))
    throw UserError(image().path(), "is not a program for sanvp", "compile it with " + own_program("sanvp-cc"));
  for (const auto& globals : image().globals()) node.memory().add(globals);
  attach();
}

double NativeProcess::instruction_error() const { return node().settings().cpu.counted_error; }

void NativeProcess::run_program() {
  allow(settled_cpu().quantum_left());  // loops before its first call yield, too
  for (auto& argument : arguments_) argv_.push_back(argument.data());
  argv_.push_back(nullptr);
  const auto& deferred = image().deferred_constructors();
  if (!deferred.empty())
    image().required<RunConstructors>("hal_run_constructors")(deferred.data(), deferred.size(),
                                                              static_cast<int>(arguments_.size()), argv_.data());
  image().function<RunMain>("hal_run_main")(static_cast<int>(arguments_.size()), argv_.data());
}

std::string NativeProcess::failure() const {
  const auto& fault = thread().fault();
  if (!fault) return {};
  // An interrupt that came while its code was suspended, or on its way there, has no known position: use the last one.
  const std::string computed_at = place();
  const auto is_yielding = [&](const void* code) { return image().is_yielding(code); };
  const bool yields =
      is_interrupt(*fault) && (is_yielding(fault->code) || std::ranges::any_of(fault->callers, is_yielding));
  std::string text = (yields ? fault->to_text() : fault->to_text(image())) + what_ran_out();
  if ((fault->code == nullptr || yields) && !computed_at.empty()) text += ", in " + computed_at;
  return text;
}

/// It has one thread.
native::OwnCalls NativeProcess::own_calls(int /*thread*/) {
  if (native::interprets_images()) return {};  // its frames are not on the stack
  native::OpenCalls open;
  thread().look_at_stack([&] { open = native::open_calls(image()); });
  std::vector<std::uint64_t> calls;
  for (std::size_t i = 0; i < open.count; ++i) calls.push_back(image().in_file(open.returns_to.at(i)) - 1);
  return node().loader().callers(image().path()).own_calls(calls);
}

/// Names the likely cause of a crash: most programs check neither the result of malloc nor the size of the stack.
std::string NativeProcess::what_ran_out() const {
  const auto text = [](std::size_t bytes) { return size_to_text(static_cast<std::int64_t>(bytes)); };
  if (thread().fault()->stack_overflow)
    return "; it has " + text(thread().stack().bytes) + " of stack, more with -s host.stack=SIZE";
  if (heap_.refused() > 0)
    return "; it was refused " + text(heap_.refused()) + " of memory before: its share of the node's is " +
           text(heap_.room().bytes) + ", more with -s host.memory=SIZE";
  return "";
}

std::optional<native::Range> NativeProcess::region_of(const volatile void* pointer, std::size_t bytes) const {
  const auto has = [&](const native::Range& part) { return part.contains(pointer, bytes); };
  if (has(heap_.room())) return heap_.room();
  if (has(thread().stack())) return thread().stack();
  const auto& globals = image().globals();
  if (const auto found = std::find_if(globals.begin(), globals.end(), has); found != globals.end()) return *found;
  return node().shared_region(identity().job, pointer, bytes);
}

bool NativeProcess::owns_pages(const volatile void* pointer, std::size_t bytes) const {
  constexpr std::size_t page_bytes = 4096;  // the first and last page of a part may also contain other data
  const auto has = [&](const native::Range& part) {
    const auto before = reinterpret_cast<std::uintptr_t>(part.begin) % page_bytes;
    const std::size_t whole_pages = (before + part.bytes + page_bytes - 1) / page_bytes * page_bytes;
    return native::Range{part.begin - before, whole_pages}.contains(pointer, bytes);
  };
  const auto& globals = image().globals();
  return has(heap_.room()) || has(thread().stack()) || std::any_of(globals.begin(), globals.end(), has) ||
         node().shared_region(identity().job, pointer, bytes);
}

std::uint64_t NativeProcess::bus_address(std::uint64_t address, std::size_t bytes) const {
  return owns_pages(reinterpret_cast<const void*>(address), bytes) ? address : 0;
}

/// The driver gets the argument itself: they share an address space.
std::int64_t NativeProcess::ioctl(unsigned request, void* argument) {
  if (HAL_REQUEST_BYTES(request) > 0 && argument == nullptr) return -1;
  return node().ioctl(*this, cpu(), request, argument);
}

static const ProcessKindRegistration registration{
    {"native", "a program as sanvp-cc makes it for this computer: the simulator loads it", EM_X86_64,
     [](const Settings&) { return 0; }, false,
     [](const ProcessStart& start, Node& node, const std::vector<Cpu*>& cpus, native::Range memory,
        Services& services) -> std::unique_ptr<Process> {
       if (native::interprets_images() && !ElfFile(start.program).header())
         throw UserError(start.program, "is not a program", "compile it with sanvp-cc --target riscv64");
       if (native::interprets_images())
         throw UserError(start.program, "is a native program, and those run on x86-64 alone",
                         "compile it with sanvp-cc --target riscv64");
       return std::make_unique<NativeProcess>(start, node, *cpus.front(), memory, services);
     }}};

}  // namespace sanvp::host
