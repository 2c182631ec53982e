#include "models/cpu/riscv/gdb/history.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <sstream>

namespace sanvp::riscv::gdb {
namespace {

/// CPU time between snapshots at least: execution from one to the next is not noticed by a user.
constexpr double between_snapshots = 0.05;
/// The run takes so many times as long as making snapshots: these copy tables of pages at once. The pages that are
/// copied later, as they change, take about eight times as long (measured with 64 nodes).
constexpr double longer_than_snapshots = 40;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

std::string Order::to_text() const {
  std::ostringstream text;
  text << static_cast<int>(what) << ' ' << until.stretch << ' ' << until.executed << ' ' << time_ps << ' ' << instant_ps
       << ' ' << thread.process << ' ' << thread.thread << ' ' << replies_text << ' ' << reply.size() << ' '
       << said.size() << ' ' << reply << said << session;
  return text.str();
}

Order Order::parse(std::string_view text) {
  std::istringstream in{std::string(text)};
  Order order;
  int what = 0;
  std::size_t length = 0, said_length = 0;
  in >> what >> order.until.stretch >> order.until.executed >> order.time_ps >> order.instant_ps >>
      order.thread.process >> order.thread.thread >> order.replies_text >> length >> said_length;
  order.what = static_cast<Do>(what);
  in.get();
  order.reply.resize(length);
  in.read(order.reply.data(), static_cast<std::streamsize>(length));
  order.said.resize(said_length);
  in.read(order.said.data(), static_cast<std::streamsize>(said_length));
  order.session.assign(std::istreambuf_iterator<char>(in), {});
  return order;
}

bool History::wants_snapshot() const {
  return marks_.empty() || cpu_seconds() - marks_.back().cpu_seconds > std::max(between_snapshots, interval_);
}

std::optional<Snapshots::Begin> History::keep(std::int64_t time_ps) {
  marks_.push_back({stretch(), time_ps, cpu_seconds()});
  if (marks_.size() > snapshots_.most()) thin_out();
  const auto before = std::chrono::steady_clock::now();
  std::optional<Snapshots::Begin> begin = snapshots_.keep();
  if (!begin) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    interval_ = longer_than_snapshots * took.count();
    return begin;
  }
  marks_.back().cpu_seconds = cpu_seconds();  // the clock of this process has begun again
  for (std::size_t i = marks_.size(); i-- > 0;)
    if (!snapshots_.is_there(i)) drop(i);
  return begin;
}

void History::drop(std::size_t number) {
  snapshots_.drop(number);
  marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>(number));
}

/// Drops the snapshot that leaves the smallest gap for its age: distances rise with age. The first and the last stay.
void History::thin_out() {
  std::size_t chosen = 0;
  double least = -1;
  const auto now = static_cast<double>(stretch());
  for (std::size_t i = 1; i + 2 < marks_.size(); ++i) {  // the last is not kept yet
    const auto gap = static_cast<double>(marks_[i + 1].stretch - marks_[i - 1].stretch);
    const double weight = gap / (1 + now - static_cast<double>(marks_[i].stretch));
    if (least >= 0 && weight >= least) continue;
    least = weight;
    chosen = i;
  }
  if (least >= 0) drop(chosen);
}

std::optional<Position> History::before(ThreadId thread, std::uint64_t executed) const {
  if (marks_.empty()) return std::nullopt;
  for (std::uint64_t number = stretch(); number >= marks_.front().stretch; --number) {
    const Stretch& one = stretches_[number - 1];
    if (one.thread.process == thread.process && one.thread.thread == thread.thread && one.begin < executed)
      return Position{number, executed - 1};
  }
  return std::nullopt;
}

void History::go(const Order& order, int client) {
  std::size_t from = 0;
  for (std::size_t i = 1; i < marks_.size(); ++i) {
    const bool is_before = order.time_ps >= 0
                               ? marks_[i].time_ps < order.time_ps
                               : Position{marks_[i].stretch, stretches_[marks_[i].stretch - 1].begin} <= order.until;
    if (is_before) from = i;
  }
  for (std::size_t i = marks_.size() - 1; i > from; --i) drop(i);
  snapshots_.continue_at(from, {order.to_text(), client});
  __builtin_unreachable();  // the compiler may miss that a virtual function does not return
}

std::string History::find(Order order) {
  order.what = Order::Do::find;
  for (std::size_t i = marks_.size(); i-- > 0;) {
    const Position begin{marks_[i].stretch, stretches_[marks_[i].stretch - 1].begin};
    if (begin >= order.until) continue;
    if (std::string answer = snapshots_.ask(i, order.to_text()); !answer.empty()) return answer;
    order.until = begin;
  }
  return {};
}

void History::forget() {
  while (!marks_.empty()) drop(marks_.size() - 1);
  stretches_.clear();
}

}  // namespace sanvp::riscv::gdb
