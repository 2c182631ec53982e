#include "models/host/riscv/parked.hpp"

#include <algorithm>
#include <optional>

namespace sanvp::host {
namespace {

std::optional<int> result_of(const Parked::Wait& wait, const Cpu& cpu, std::uint64_t reactions) {
  const Time now = cpu.now();
  if (cpu.change_noticed(wait.words.at.data(), wait.words.seen.data(), wait.words.count()) <= now) return 1;
  if (now >= wait.until || wait.reactions != reactions) return 0;
  return {};
}

}  // namespace

const Parked::Wait* Parked::find(const riscv::os::Thread& thread) const {
  const auto found = std::find_if(waits_.begin(), waits_.end(), [&](const Wait& one) { return one.thread == &thread; });
  return found == waits_.end() ? nullptr : &*found;
}

std::vector<Parked::Ended> Parked::take_ended(const Cpu& cpu, std::uint64_t reactions,
                                              const riscv::os::Process& process) {
  std::vector<Ended> ended;
  std::erase_if(waits_, [&](const Wait& wait) {
    const auto result = result_of(wait, cpu, reactions);
    const bool is_over = result || process.has_signal(*wait.thread);
    if (is_over) ended.push_back({wait.thread, result});
    return is_over;
  });
  return ended;
}

bool Parked::has_timed_out(const Cpu& cpu) const {
  return std::any_of(waits_.begin(), waits_.end(), [&](const Wait& wait) { return cpu.has_timed_out(wait.since); });
}

void Parked::watch(Cpu& cpu, Time until) const {
  Words all;
  for (const Wait& wait : waits_) {
    all.at.insert(all.at.end(), wait.words.at.begin(), wait.words.at.end());
    all.seen.insert(all.seen.end(), wait.words.seen.begin(), wait.words.seen.end());
    until = std::min({until, wait.until, cpu.timeout_of(wait.since)});
  }
  cpu.wait_words(all.at.data(), all.seen.data(), all.count(), until);
  cpu.forget_interrupt();  // whatever it was for, the core looks at everything now
}

}  // namespace sanvp::host
