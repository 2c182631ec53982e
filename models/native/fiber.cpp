#include "models/native/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

#include "platform/core/error.hpp"

namespace sanvp::native {
namespace {

// Larger than any plausible frame, so that a frame with large arrays does not reach past it into the next fiber's
// stack. It costs address space only.
constexpr std::size_t guard_bytes = std::size_t{64} << 20;

}  // namespace

Fiber::Fiber(std::size_t stack_bytes, std::function<void()> body) : body_(std::move(body)) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t usable_bytes = (stack_bytes + page - 1) / page * page;
  mapping_bytes_ = guard_bytes + usable_bytes;
  void* mapping = mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw UserError("fiber", "no memory for a stack", "raise `ulimit -v`");
  mapping_ = static_cast<std::byte*>(mapping);
  net_.guard = {mapping_, guard_bytes};
  net_.stack = {mapping_ + guard_bytes, usable_bytes};
  if (mprotect(net_.stack.begin, usable_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapping_bytes_);
    throw UserError("fiber", "no memory for a stack", "raise `ulimit -v`, or allow memory overcommitment");
  }
  madvise(net_.stack.begin, usable_bytes, MADV_NOHUGEPAGE);  // a frame on each of 1,024 stacks must not cost 2 GiB
  inside_ = boost::context::detail::make_fcontext(net_.stack.end(), usable_bytes, enter);
  catch_faults();
}

Fiber::~Fiber() {
  forget_stack(net_.stack);
  munmap(mapping_, mapping_bytes_);
}

void Fiber::watch(const Image& image, Time timeout) {
  net_.image = &image;
  net_.timeout = timeout;
  net_.ends_runaway = true;
}

void Fiber::look_at_stack(const std::function<void()>& look) {
  std::function<void()> passed = look;
  leave_stack_for(net_.stack);
  inside_ = boost::context::detail::ontop_fcontext(inside_, &passed, look_here).fctx;
  arrive_on_stack();
}

/// As if yield() had called it. When the code is resumed, it returns there.
boost::context::detail::transfer_t Fiber::look_here(boost::context::detail::transfer_t from) {
  const Range outer = arrive_on_stack();
  (*static_cast<std::function<void()>*>(from.data))();
  leave_stack_for(outer);
  return boost::context::detail::jump_fcontext(from.fctx, nullptr);
}

void Fiber::enter(boost::context::detail::transfer_t from) {
  Fiber& self = *static_cast<Fiber*>(from.data);
  self.outside_ = from.fctx;
  self.outer_stack_ = arrive_on_stack();
  if (_setjmp(self.net_.landing) == 0) self.body_();
  self.ended_ = true;
  self.yield();
}

}  // namespace sanvp::native
