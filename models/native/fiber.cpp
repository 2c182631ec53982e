// A checked longjmp takes one from stack to stack for a mistake.
#undef _FORTIFY_SOURCE

#include "models/native/fiber.hpp"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <utility>

#include "models/native/stack_notice.hpp"
#include "platform/core/error.hpp"

namespace sanvp::native {
namespace {

// A frame with arrays of so many bytes does not reach over it into what lies below, another fiber's stack. It costs
// addresses only.
constexpr std::size_t guard_bytes = std::size_t{64} << 20;

}  // namespace

Fiber::Fiber(std::size_t stack_bytes, std::function<void()> body) : body_(std::move(body)) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t usable_bytes = (stack_bytes + page - 1) / page * page;
  mapping_bytes_ = guard_bytes + usable_bytes;
  void* mapping = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw UserError("fiber", "there is no memory for a stack", "raise `ulimit -v`");
  mapping_ = static_cast<std::byte*>(mapping);
  net_.guard = {mapping_, guard_bytes};
  net_.stack = {mapping_ + guard_bytes, usable_bytes};
  if (mprotect(net_.stack.begin, usable_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapping_bytes_);
    throw UserError("fiber", "there is no memory for a stack",
                    "raise `ulimit -v`, or allow memory to be overcommitted");
  }
  madvise(net_.stack.begin, usable_bytes, MADV_NOHUGEPAGE);  // a frame on each of 1,024 stacks must not cost 2 GiB
}

Fiber::~Fiber() { munmap(mapping_, mapping_bytes_); }

void Fiber::watch(const Image& image, Time patience) {
  net_.image = &image;
  net_.patience = patience;
  net_.ends_runaway = true;
}

void Fiber::resume() {
  SafetyNet* const below = spread(&net_);
  if (_setjmp(outside_) == 0) {
    leave_stack_for(net_.stack);
    if (!begun_) begin();
    _longjmp(inside_, 1);
  }
  arrive_on_stack();
  spread(below);
}

void Fiber::yield() {
  if (_setjmp(inside_) == 0) go_out();
  outer_stack_ = arrive_on_stack();
}

void Fiber::go_out() {
  leave_stack_for(outer_stack_);
  _longjmp(outside_, 1);
}

/// The first switch takes a context, whose entry is given two numbers; all later ones do without its system calls. It
/// does not return, so AddressSanitizer must not guard its frame: the guards would be there still when resume() is
/// left.
[[gnu::noinline, gnu::no_sanitize_address]] void Fiber::begin() {
  begun_ = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = net_.stack.begin;
  context.uc_stack.ss_size = net_.stack.bytes;
  context.uc_link = nullptr;
  const auto self = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&context, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
              static_cast<unsigned>(self));
  setcontext(&context);
}

void Fiber::enter(unsigned high, unsigned low) {
  auto& self = *reinterpret_cast<Fiber*>(std::uintptr_t{high} << 32 | low);
  self.outer_stack_ = arrive_on_stack();
  if (_setjmp(self.net_.landing) == 0) self.body_();
  self.ended_ = true;
  self.go_out();
}

}  // namespace sanvp::native
