#include "models/host/software.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "models/host/node.hpp"
#include "models/native/surroundings.hpp"
#include "platform/core/error.hpp"
#include "platform/core/random.hpp"
#include "platform/core/units.hpp"

namespace sanvp::host {
namespace {

constexpr const char* not_granted =
    "the card's driver has not granted it to this process; get the address from the card's library (in a driver of "
    "your own: hal_grant)";
constexpr std::int64_t looks_between_reports = 1 << 14;

/// From a time of hal.h, where UINT64_MAX is never.
Time from_hal(std::uint64_t ps) {
  return ps > static_cast<std::uint64_t>(never.count()) ? never : Time{static_cast<std::int64_t>(ps)};
}

}  // namespace

/// The functions of the table. `self` is the Software that calls.
struct Software::Calls {
  static const hal_calls table;

  static Software& of(void* self) { return *static_cast<Software*>(self); }
  static Cpu& cpu(void* self) { return of(self).settled_cpu(); }
  static void compute(void* self, Time span) { of(self).compute(cpu(self), span); }
  static const Settings& settings(void* self) { return of(self).node_.settings(); }

  static std::uint64_t time_ps(void* self) {
    of(self).profile_.end_looks();
    Cpu& at = of(self).looking_cpu(settings(self).clock_read);
    of(self).compute(at, settings(self).clock_read);
    return static_cast<std::uint64_t>(at.now().count());
  }
  static void compute_ps(void* self, std::uint64_t ps) { compute(self, from_hal(ps)); }
  static void instructions(void* self, std::uint64_t count) {
    compute(self, static_cast<std::int64_t>(count) * settings(self).instruction);
  }
  static void memory_copied(void* self, std::size_t bytes) {
    of(self).has_moved_data();
    constexpr double ps_per_second = 1e12;
    compute(self, Time{std::llround(static_cast<double>(bytes) * ps_per_second / settings(self).copy_Bps)});
  }
  static void walked(void* self, const void* one, const void* other, const void* written, std::size_t bytes,
                     std::int64_t price_ps) {
    of(self).has_moved_data();
    of(self).walk(cpu(self), {{one, false}, {other, false}, {written, true}}, bytes, Time{price_ps});
  }
  static int may_look(void* self) {
    Software& software = of(self);
    const Time now = software.cpu().now();
    if (software.profile_.is_any_in_call() || now - software.looked_at_ < most_quanta * settings(self).quantum)
      return 0;
    software.looked_at_ = now;
    return 1;
  }
  static void sleep_ps(void* self, std::uint64_t ps) {
    Cpu& sleeper = of(self).looking_cpu(from_hal(ps));
    sleeper.synchronise();
    of(self).before_sleep();
    sleeper.sleep(from_hal(ps));
    of(self).after_sleep(sleeper);
  }

  static std::uint64_t device(void* self, int bar) { return of(self).node_.device_window(bar); }
  static void io_read(void* self, std::uint64_t address, void* to, std::size_t bytes) {
    access(self, "load from", address, bytes, [&] { return cpu(self).read(address, to, bytes); });
  }
  static void io_write(void* self, std::uint64_t address, const void* from, std::size_t bytes) {
    access(self, "store to", address, bytes, [&] { return cpu(self).write(address, from, bytes); });
  }
  /// An exception of a model must not unwind through C frames.
  template <class Access>
  static void access(void* self, const char* what, std::uint64_t address, std::size_t bytes, Access access) {
    const char* cause = nullptr;
    static std::string complaint;  // not on the stack: fail() leaves that
    try {
      if (Pci::is_device(address) && !of(self).may_access(address, bytes))
        cause = not_granted;
      else if (!access())
        cause = why_refused(of(self).cpu(), complaint);
    } catch (const std::exception& error) {
      complaint = error.what();
      cause = complaint.c_str();
    }
    if (cause != nullptr) of(self).refuse_access(what, address, cause);
  }

  /// @param text  lives as long as the result
  static const char* why_refused(const Cpu& cpu, std::string& text) {
    text = cpu.refusal();
    return text.empty() ? "no device answers there" : text.c_str();
  }

  static std::uint64_t bus_address(void*, const volatile void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  static int is_own(void* self, const volatile void* pointer, std::size_t bytes) {
    return of(self).region_of(pointer, bytes) ? 1 : 0;
  }
  static std::size_t region(void* self, const volatile void* pointer, void** begin) {
    const std::optional<native::Range> found = of(self).region_of(pointer, 1);
    if (!found) return 0;
    *begin = found->begin;
    return found->bytes;
  }
  static void* shared(void* self, const char* name, std::size_t bytes) {
    return of(self).node_.shared(of(self).identity_.job, name, bytes);
  }
  static void* allocate(void* self, std::size_t bytes, std::size_t alignment) {
    return of(self).heap().allocate(bytes, alignment);
  }
  static int release(void* self, void* pointer) { return of(self).heap().release(pointer) ? 1 : 0; }
  static std::size_t usable_size(void* self, const void* pointer) { return of(self).heap().usable_size(pointer); }

  static int wait_words(void* self, const volatile std::uint32_t* const* words, const std::uint32_t* seen, int count,
                        std::uint64_t until_ps) {
    Cpu& sleeper = cpu(self);
    sleeper.synchronise();
    of(self).before_sleep();
    const Time since = sleeper.now();
    // It may have looked for deaths just before one was told.
    const Time until = of(self).reactions_known_ == of(self).reactions_ ? from_hal(until_ps) : since;
    const bool differs = sleeper.wait_words(words, seen, count, until);
    of(self).reactions_known_ = of(self).reactions_;
    of(self).after_sleep(sleeper);
    if (!differs && sleeper.has_timed_out(since)) of(self).give_up(of(self).profile_.current());
    return differs ? 1 : 0;
  }
  static void stored(void* self, const volatile void* pointer, std::size_t bytes) { cpu(self).stored(pointer, bytes); }
  /// Synchronises first, because other software reads the word without regard to the time of the store.
  static void store_word(void* self, volatile std::uint32_t* word, std::uint32_t value) {
    Cpu& at = cpu(self);  // once: another CPU may be the current one afterwards
    at.synchronise();
    *word = value;
    at.stored(word, sizeof *word);
  }

  static std::int64_t ioctl(void* self, unsigned request, void* argument) { return of(self).ioctl(request, argument); }
  static const char* setting(void* self, const char* key, const char* fallback, const char* documentation,
                             const char* source) {
    static std::string complaint;  // as in access()
    try {
      return of(self).services_.setting(key, fallback, documentation, source);
    } catch (const std::exception& error) {
      complaint = error.what();
    }
    of(self).fail(complaint);
    return fallback;
  }
  static void exit(void* self, int status) { of(self).exit(status); }
  static void end_job(void* self, int status) { of(self).end_job(status); }
  static void abort(void* self, const char* message) {
    static std::string why;  // as in access()
    why = message;
    {
      const native::OwnCalls calls = of(self).present_calls();
      if (of(self).services_.checks(of(self).identity_))
        of(self).services_.refused(of(self).identity_, of(self), why, calls.innermost);
      if (!calls.text.empty()) why += "; called by " + calls.text;
    }
    of(self).fail(why);
  }
  static void output(void* self, int is_error, const char* text, std::size_t bytes) {
    of(self).stream(is_error != 0).write(text, bytes);
  }
  static void metric(void* self, const char* name, double value, const char* unit) {
    of(self).services_.metric(of(self).identity_, name, value, unit);
  }
  static void trace(void* self, const char* name) {
    name != nullptr ? cpu(self).begin_slice(std::string(name)) : cpu(self).end_slice();
  }
  static void call_begin(void* self, const char* name, int peer, std::int64_t tag, std::uint64_t bytes) {
    Cpu& at = cpu(self);
    of(self).draw_computing(at, at.now());
    at.begin_slice(name);
    CallProfile& profile = of(self).profile_;
    if (!profile.is_in_call())
      of(self).services_.call_begins(of(self).identity_, profile.selected(), name, peer, bytes, at.now());
    profile.begin({name, peer, tag, bytes}, at.now(), at.waited());
  }
  static void call_end(void* self) {
    Cpu& at = cpu(self);
    of(self).profile_.end(at.now(), at.waited());
    at.end_slice();
    const CallProfile& profile = of(self).profile_;
    if (!profile.is_in_call()) {
      of(self).services_.call_ends(of(self).identity_, profile.selected(), at.now());
      of(self).begin_computing(at);
    }
    const auto [looks, since] = profile.looks();
    if (looks > 0 && at.has_timed_out(since)) of(self).give_up(profile.last(profile.selected()));
    if (looks > 0 && looks % looks_between_reports == 0) of(self).services_.tests_without_progress();
  }
  static void call_waits_for(void* self, const char* name, int peer, std::int64_t tag) {
    of(self).profile_.wait_for({.name = name, .peer = peer, .tag = tag});
  }
  static int check(void* self, const hal_checked_call* call) {
    cpu(self);  // adds the cost of what its code has computed so far
    return of(self).services_.check(of(self).identity_, of(self), *call) ? 1 : 0;
  }
  static void record(void* self, int what, std::uint64_t request, unsigned peer, std::uint64_t tag,
                     std::uint64_t bytes) {
    const Time now = cpu(self).now();  // settles the work so far
    of(self).services_.record(of(self).identity_, {static_cast<hal_recorded>(what), request, peer, tag, bytes}, now,
                              of(self).worked_);
  }
  static void tested_without_progress(void* self) { of(self).profile_.test_without_progress(); }
  static void owes(void* self, const char* call) { of(self).services_.owes(of(self).identity_, call); }
  static void message_sent(void* self, int to, std::uint64_t tag, std::uint64_t bytes) {
    of(self).services_.message_sent(of(self).identity_, to, tag, bytes);
  }
  static void receive_posted(void* self, std::uint64_t receive, int from, std::uint64_t tag, std::uint64_t mask) {
    of(self).services_.receive_posted(of(self).identity_, receive, from, tag, mask);
  }
  static void message_over(void* self, int from, int to, std::uint64_t tag, std::uint64_t receive) {
    of(self).services_.message_over(of(self).identity_, from, to, tag, receive);
  }
  static int gave_way(void* self, const hal_registers* registers, const void* returns_to) {
    return of(self).gave_way(*registers, returns_to);
  }
  static int spun(void* self, const hal_registers* registers, const void* returns_to, std::uint64_t until_ps) {
    return of(self).spun(*registers, returns_to, from_hal(until_ps));
  }
  static void surroundings_changed(void* self) { of(self).surroundings_changed(); }
  static int keeps_descriptor(void*, int descriptor) { return native::keeps_descriptor(descriptor) ? 1 : 0; }
  static std::uint64_t seed(void* self, int of_job, const char* consumer) {
    return of(self).seed(of_job != 0, consumer);
  }
  static void accepted(void* self, double bytes, std::uint64_t from_ps, std::uint64_t until_ps) {
    of(self).services_.accepted(of(self).identity_, bytes, from_hal(from_ps), from_hal(until_ps));
  }
  static void measures(void* self, std::uint64_t from_ps, std::uint64_t until_ps) {
    of(self).services_.measures(of(self).identity_, from_hal(from_ps), from_hal(until_ps));
  }
  static int is_dead(void* self, int node) { return of(self).deaths_.contains(node) ? 1 : 0; }
  static void watch_deaths(void* self, volatile std::uint32_t* word) {
    of(self).death_word_ = word;
    *word = static_cast<std::uint32_t>(of(self).deaths_.size());
  }
  static void count_as_dead(void* self, int node) {
    Cpu& at = cpu(self);
    at.synchronise();
    Software& software = of(self);
    if (software.deaths_.contains(node)) return;
    software.learn_of_death(node, at.now());
    software.react_to_death(at);
    software.reactions_known_ = software.reactions_;  // its caller has found it out
  }
  static void ends_own_waits(void* self) { of(self).ends_own_waits_ = true; }
  static void signals_handled(void* self, std::uint64_t signals) { of(self).signals_handled(signals); }
  static std::uint64_t disk(void* self, int way, std::uint64_t file, std::uint64_t begin, std::uint64_t bytes) {
    Disk* const disk = of(self).node_.disk();
    if (disk == nullptr) return 0;
    Cpu& at = cpu(self);
    at.synchronise();
    return static_cast<std::uint64_t>(disk->serve({static_cast<Disk::Way>(way), file, begin, bytes}, at.now()).count());
  }
  static void disk_wait(void* self, std::uint64_t until_ps) {
    Cpu& sleeper = cpu(self);
    sleeper.synchronise();
    if (from_hal(until_ps) <= sleeper.now()) return;
    of(self).before_sleep();
    sleeper.sleep(from_hal(until_ps) - sleeper.now());
    of(self).after_sleep(sleeper);
  }
  /// A call of the table. An exception, from a model that runs meanwhile or from the simulator's files, must not unwind
  /// through frames of the code that calls.
  template <auto function>
  struct Guarded;
  template <class Result, class... Arguments, Result (*function)(void*, Arguments...)>
  struct Guarded<function> {
    static Result call(void* self, Arguments... arguments) {
      Software& software = of(self);
      try {
        if (!software.failure_) return function(self, arguments...);
      } catch (...) {
        software.failure_ = std::current_exception();
      }
      software.leave_with(std::exchange(software.failure_, nullptr));
      std::abort();  // not reached, which GCC does not see of a virtual function
    }
  };
};

constexpr hal_calls Software::Calls::table{.time_ps = Guarded<time_ps>::call,
                                           .compute_ps = Guarded<compute_ps>::call,
                                           .instructions = Guarded<instructions>::call,
                                           .memory_copied = Guarded<memory_copied>::call,
                                           .walked = Guarded<walked>::call,
                                           .sleep_ps = Guarded<sleep_ps>::call,
                                           .device = Guarded<device>::call,
                                           .io_read = Guarded<io_read>::call,
                                           .io_write = Guarded<io_write>::call,
                                           .bus_address = Guarded<bus_address>::call,
                                           .is_own = Guarded<is_own>::call,
                                           .region = Guarded<region>::call,
                                           .shared = Guarded<shared>::call,
                                           .allocate = Guarded<allocate>::call,
                                           .release = Guarded<release>::call,
                                           .usable_size = Guarded<usable_size>::call,
                                           .wait_words = Guarded<wait_words>::call,
                                           .stored = Guarded<stored>::call,
                                           .store_word = Guarded<store_word>::call,
                                           .ioctl = Guarded<ioctl>::call,
                                           .setting = Guarded<setting>::call,
                                           .exit = Guarded<exit>::call,
                                           .end_job = Guarded<end_job>::call,
                                           .abort = Guarded<abort>::call,
                                           .output = Guarded<output>::call,
                                           .metric = Guarded<metric>::call,
                                           .trace = Guarded<trace>::call,
                                           .call_begin = Guarded<call_begin>::call,
                                           .call_end = Guarded<call_end>::call,
                                           .call_waits_for = Guarded<call_waits_for>::call,
                                           .tested_without_progress = Guarded<tested_without_progress>::call,
                                           .owes = Guarded<owes>::call,
                                           .message_sent = Guarded<message_sent>::call,
                                           .receive_posted = Guarded<receive_posted>::call,
                                           .message_over = Guarded<message_over>::call,
                                           .may_look = Guarded<may_look>::call,
                                           .gave_way = Guarded<gave_way>::call,
                                           .spun = Guarded<spun>::call,
                                           .surroundings_changed = Guarded<surroundings_changed>::call,
                                           .keeps_descriptor = Guarded<keeps_descriptor>::call,
                                           .signals_handled = Guarded<signals_handled>::call,
                                           .seed = Guarded<seed>::call,
                                           .accepted = Guarded<accepted>::call,
                                           .measures = Guarded<measures>::call,
                                           .is_dead = Guarded<is_dead>::call,
                                           .watch_deaths = Guarded<watch_deaths>::call,
                                           .count_as_dead = Guarded<count_as_dead>::call,
                                           .ends_own_waits = Guarded<ends_own_waits>::call,
                                           .disk = Guarded<disk>::call,
                                           .disk_wait = Guarded<disk_wait>::call,
                                           .check = Guarded<check>::call,
                                           .record = Guarded<record>::call};

Software::Software(std::int64_t& spent, const Identity& identity, Node& node, Services& services)
    : identity_(identity),
      node_(node),
      services_(services),
      out_([this](std::string_view line) { say(false, line); }),
      error_([this](std::string_view line) { say(true, line); }),
      spent_(&spent),
      base_(std::numeric_limits<std::int64_t>::min()) {}

const hal_calls& Software::calls_of_hal() { return Calls::table; }

/// Piece by piece, because other CPUs of the node use memory at the same time.
void Software::walk(Cpu& at, std::initializer_list<Area> areas, std::size_t bytes, Time price) {
  constexpr std::size_t most = 16384;  // half of what is prefetched (memory_traffic.cpp)
  // More than there is: the call itself will end in a fault.
  if (bytes > static_cast<std::size_t>(node_.settings().memory_bytes)) return;
  Time paid{0};
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t piece = std::min(most, bytes - done);
    const Time due{static_cast<std::int64_t>(static_cast<double>(price.count()) * static_cast<double>(done + piece) /
                                             static_cast<double>(bytes))};
    const Time own = due - std::exchange(paid, due);
    Time wait{0};
    for (const Area& area : areas) {
      if (area.begin == nullptr || profile_.is_in_call()) continue;
      const std::byte* const memory = static_cast<const std::byte*>(area.begin) + done;
      // Arguments, for example, are not in the program's memory, but in the simulator's, at a different address in each
      // run.
      if (checked_memory(std::bit_cast<std::uintptr_t>(memory), piece) == nullptr) continue;
      wait = std::max(wait, at.stall(memory, piece, own, area.is_written));
    }
    stalls(wait);
    compute(at, own + wait);
    done += piece;
  }
}

void Software::has_moved_data() { profile_.move(node_.run_queue().now()); }

void Software::draw_computing(Cpu& at, Time end) {
  if (profile_.is_in_call() || own_->computed == own_->since.computed) return;
  at.draw_slice("compute", own_->since.begin, end);
}

void Software::select_thread(int thread) {
  if (thread == profile_.selected()) return;
  profile_.select(thread);
  own_ = &computing_[thread];
}

void Software::forget_thread(int thread) {
  profile_.forget(thread);
  if (thread == 0) return;
  computing_.erase(thread);
  own_ = &computing_[profile_.selected()];
}

/// Synchronises first, so that lines of all processes appear in the order of simulated time. The C library calls it: an
/// exception waits for the code's next call.
void Software::say(bool is_error, std::string_view line) {
  try {
    profile_.end_looks();
    cpu().synchronise();
    services_.output(identity_, is_error, line);
  } catch (const std::exception&) {
    failure_ = std::current_exception();
  }
}

void Software::throw_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::uint64_t Software::seed(bool of_job, const char* consumer) const {
  std::string name = "job " + std::to_string(identity_.job);
  if (identity_.rank < 0)
    name = "driver of node " + std::to_string(identity_.node);
  else if (!of_job)
    name += ".rank " + std::to_string(identity_.rank);
  return Random(node_.seed(), name + "." + consumer).next();
}

void Software::refuse_access(const char* what, std::uint64_t address, const char* cause) {
  char text[512];
  std::snprintf(text, sizeof text, "%s bus address 0x%llx: %s", what, static_cast<unsigned long long>(address), cause);
  fail(text);
}

}  // namespace sanvp::host
