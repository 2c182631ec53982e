#include "models/cpu/riscv/gdb/inferior.hpp"

#include <algorithm>

namespace sanvp::riscv::gdb {

os::Thread* Inferior::thread(int thread) const {
  const bool any = thread == ThreadId::any || thread == ThreadId::all;
  for (const auto& candidate : process->threads())
    if (any ? !candidate->has_ended : candidate->id == thread) return candidate.get();
  return nullptr;
}

bool Inferior::set_breakpoint(std::uint64_t pc) {
  breakpoints.insert(pc);
  process->interpreter().blocks().set_breakpoint(pc);
  return true;
}

bool Inferior::clear_breakpoint(std::uint64_t pc) {
  if (breakpoints.erase(pc) != 0) process->interpreter().blocks().clear_breakpoint(pc);
  return true;
}

void Inferior::release() {
  for (const std::uint64_t pc : breakpoints) process->interpreter().blocks().clear_breakpoint(pc);
  breakpoints.clear();
  watchpoints.clear();
  steps.clear();
}

std::string Inferior::read(std::uint64_t address, std::uint64_t bytes) const {
  const Window& window = process->space().memory().window();
  const std::uint64_t end = window.first_refused(address, bytes, mapped);
  if (address >= window.pages << page_bits || end <= address) return {};
  return {reinterpret_cast<const char*>(window.base) + address, end - address};
}

bool Inferior::write(std::uint64_t address, std::string_view bytes) {
  const Memory& memory = process->space().memory();
  const auto place = memory.bytes_at(address, bytes.size(), mapped);
  if (!place) return false;
  std::copy_n(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), place->data());
  const bool is_code = memory.window().first_refused(address, bytes.size(), executable) != address;
  if (!is_code || bytes.empty()) return true;
  for (const auto& thread : process->threads()) process->interpreter().leave(thread->hart);
  process->interpreter().blocks().drop(address, bytes.size());
  return true;
}

Inferior& Inferiors::add(os::Process& process, int id, std::string name) {
  all_.push_back(std::make_unique<Inferior>(id, std::move(name), process));
  return *all_.back();
}

Inferior* Inferiors::find(int id) const {
  for (const auto& inferior : all_)
    if (inferior->id == id) return inferior.get();
  return nullptr;
}

Inferior* Inferiors::find(const os::Process& process) const {
  for (const auto& inferior : all_)
    if (inferior->process == &process) return inferior.get();
  return nullptr;
}

Inferior* Inferiors::first_debugged() const {
  for (const auto& inferior : all_)
    if (inferior->is_debugged) return inferior.get();
  return nullptr;
}

}  // namespace sanvp::riscv::gdb
