/// Processes on an EventQueue, as C++20 coroutines: an engine of a NIC is written as the sequence of its steps, and
/// costs an event per wait instead of a thread switch of the kernel.
///
///   Task DmaEngine::run() {
///     for (;;) {
///       const Dma dma = co_await queue_.pop();        // waits while it is empty
///       co_await clock_.after(issue_time);            // lets simulated time pass
///       co_await fetch(dma);                          // another Task: done when that returns
///     }
///   }
///
/// Order within one instant: what is woken runs in the order in which it was woken.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "models/net/event_queue.hpp"
#include "models/net/fifo.hpp"

namespace sanvp::net {

class Clock;
template <class T>
class Task;

namespace process {

/// Memory for the frames of tasks, which come and go with every step of a unit, in a few sizes: freed frames are
/// reused, the last first, while they are in the cache. Nothing goes back to the heap.
class Frames {
 public:
  void* take(std::size_t bytes) {
    if (bytes > most_bytes) return ::operator new(bytes);
    Free*& free = free_[index(bytes)];
    if (free == nullptr) return ::operator new((index(bytes) + 1) * step_bytes);
    return std::exchange(free, free->next);
  }
  void give(void* frame, std::size_t bytes) {
    if (bytes > most_bytes) return ::operator delete(frame);
    Free*& free = free_[index(bytes)];
    free = new (frame) Free{free};
  }
  static Frames& of_this_thread() {
    thread_local Frames frames;
    return frames;
  }

 private:
  static constexpr std::size_t step_bytes = 64;
  static constexpr std::size_t most_bytes = 2048;  // tasks of the NICs take some 100 to 900
  static std::size_t index(std::size_t bytes) { return (bytes - 1) / step_bytes; }

  struct Free {
    Free* next;
  };
  std::array<Free*, most_bytes / step_bytes> free_{};
};

/// Resumes the coroutine that awaited the task that has just ended.
struct Final {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    const std::coroutine_handle<> continuation = ended.promise().continuation;
    return continuation ? continuation : std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  static void* operator new(std::size_t bytes) { return Frames::of_this_thread().take(bytes); }
  static void operator delete(void* frame, std::size_t bytes) { Frames::of_this_thread().give(frame, bytes); }

  std::coroutine_handle<> continuation;
  std::exception_ptr failure;

  std::suspend_always initial_suspend() const noexcept { return {}; }
  Final final_suspend() const noexcept { return {}; }
  /// A task that no coroutine awaits (Task::start) throws its exception to the caller of the queue at once.
  void unhandled_exception() {
    if (!continuation) throw;
    failure = std::current_exception();
  }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  void return_value(T returned) { value.emplace(std::move(returned)); }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace process

/// A coroutine that others await, or that is started once and runs on its own. It begins when it is awaited.
template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = process::Promise<T>;

  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// Runs it up to its first wait; no coroutine awaits its end. It lives as long as this object. The code that starts
  /// it continues at this instant: so the wait is an event, and time never advances in place. @param clock  of the unit
  /// that starts it
  void start(Clock& clock);

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  T await_resume() {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
    return handle_.promise().take();
  }

 private:
  std::coroutine_handle<promise_type> handle_;
};

template <class T>
Task<T> process::Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> process::Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

/// Runs steps of coroutines, each from one wait to the next, instead of the event queue: for steps that may have to
/// wait for something outside (nic/card/waiting_bus.hpp). Its events are steps; `subject` is the coroutine.
class StepRunner : public EventHandler {
 public:
  /// Runs an action as a step, after those that are under way.
  virtual void run(std::function<void()> step) = 0;

 protected:
  ~StepRunner() = default;
};

/// Resumes coroutines at instants of an event queue. One per unit, so that the order within an instant is a rule: by
/// `kind`, then by `unit` (event_queue.hpp), then first come.
class Clock final {
 public:
  /// The kind of a card's units: above all kinds of Network and Fabric, since a unit acts on what the network did in
  /// the same instant.
  static constexpr std::uint16_t units = 128;

  /// @param runner  runs the steps; null: the queue does
  Clock(EventQueue& queue, std::uint32_t unit, std::uint16_t kind = units, StepRunner* runner = nullptr)
      : queue_(queue), unit_(unit), kind_(kind), runner_(runner) {}

  Time now() const { return queue_.now(); }

  struct Wait {
    Clock& clock;
    Time until;
    bool await_ready() const { return clock.goes_on(until); }
    void await_suspend(std::coroutine_handle<> waiting) const { clock.resume_at(until, waiting); }
    void await_resume() const noexcept {}
  };
  /// Not earlier than now; the rest of the instant's events of other units may come first.
  Wait until(Time at) { return {*this, at < now() ? now() : at}; }
  Wait after(Time span) { return {*this, now() + span}; }

  void resume_at(Time at, std::coroutine_handle<> waiting) {
    queue_.schedule({.ps = at.count(), .handler = runner_, .subject = waiting.address(), .kind = kind_, .unit = unit_});
  }
  /// Runs a coroutine that nothing awaits up to its first wait (Task::start).
  void start(std::coroutine_handle<> task) {
    const EventQueue::NestedAction nested(queue_);
    task.resume();
  }
  /// Acts now, or as a step of its own if steps are not run by the queue: for an action outside of all coroutines that
  /// needs what only a step may do.
  template <class Action>
  void act(Action action) {
    if (runner_ != nullptr)
      runner_->run(action);
    else
      action();
  }

 private:
  /// Whether the running coroutine, resumed at `at`, would be the next thing to happen: then it continues at once. Only
  /// inside an event, as its last action: the event resumed the coroutine, and did not start it.
  bool goes_on(Time at) const {
    if (!queue_.is_in_event()) return false;
    return at == now() ? queue_.dispatch_inline(kind_, unit_) : queue_.fast_forward_to(at);
  }

  EventQueue& queue_;
  std::uint32_t unit_;
  std::uint16_t kind_;
  StepRunner* runner_;
};

template <class T>
void Task<T>::start(Clock& clock) {
  clock.start(handle_);
}

/// A condition that one coroutine waits for and others announce. An announcement that no coroutine waits for is
/// not kept: look at the state first, then wait, in a loop.
class Condition {
 public:
  explicit Condition(Clock& clock) : clock_(clock) {}

  auto wait() {
    struct Awaiter {
      Condition& condition;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<> waiting) const { condition.waiting_.push_back(waiting); }
      void await_resume() const noexcept {}
    };
    return Awaiter{*this};
  }
  /// Resumes all waiting coroutines at this instant, in the order in which they came. To be called on the queue's own
  /// time.
  void notify() {
    for (const auto waiting : waiting_) clock_.resume_at(clock_.now(), waiting);
    waiting_.clear();
  }

 private:
  Clock& clock_;
  std::vector<std::coroutine_handle<>> waiting_;
};

/// A first-in first-out queue between units; `pop` waits while it is empty. One consumer: what it was woken for is
/// there.
template <class T>
class Mailbox {
 public:
  explicit Mailbox(Clock& clock) : filled_(clock) {}

  void push(T value) {
    values_.push_back(std::move(value));
    filled_.notify();
  }
  auto pop() {
    struct Awaiter {
      Mailbox& mailbox;
      bool await_ready() const noexcept { return !mailbox.values_.empty(); }
      void await_suspend(std::coroutine_handle<> waiting) const { mailbox.filled_.wait().await_suspend(waiting); }
      T await_resume() const { return mailbox.values_.take_front(); }
    };
    return Awaiter{*this};
  }
  bool empty() const { return values_.empty(); }
  const Fifo<T>& values() const { return values_; }

 private:
  Fifo<T> values_;
  Condition filled_;
};

}  // namespace sanvp::net
