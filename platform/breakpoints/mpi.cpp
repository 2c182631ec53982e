/// `mpi`: a rank to which more messages have been sent that no receive takes than a number.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "platform/breakpoints/breakpoint.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

class Unexpected final : public Watch {
 public:
  Unexpected(jobs::JobRun& jobs, std::int64_t most, Breakpoint::Hit hit)
      : jobs_(jobs), most_(most), hit_(std::move(hit)) {
    for (std::size_t job = 0; job < jobs_.jobs().size(); ++job)
      for (std::size_t rank = 0; rank < jobs_.jobs()[job].nodes.size(); ++rank)
        known_[{job, rank}] = count(static_cast<int>(job), static_cast<int>(rank));
    watching_ = jobs_.watch_messages([this](int job, int rank) { look(job, rank); });
  }
  ~Unexpected() override { jobs_.forget_messages(watching_); }
  Unexpected(const Unexpected&) = delete;
  Unexpected& operator=(const Unexpected&) = delete;

  std::string text() const override {
    return fmt::format("gdb stops when more than {} messages to a rank are sent and no receive takes them", most_);
  }

 private:
  std::int64_t count(int job, int rank) const {
    return jobs_.jobs()[static_cast<std::size_t>(job)].messages.unmatched_at(rank);
  }

  void look(int job, int rank) {
    const std::int64_t now = count(job, rank);
    const std::int64_t before = std::exchange(known_[{job, rank}], now);
    if (before <= most_ && now > most_)
      hit_(fmt::format("{} messages to rank {}{} are sent and no receive takes them", now, rank,
                       jobs_.jobs().size() > 1 ? fmt::format(" of job {}", job) : ""));
  }

  jobs::JobRun& jobs_;
  std::int64_t most_;
  Breakpoint::Hit hit_;
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> known_;  ///< by job and rank
  int watching_ = 0;
};

std::shared_ptr<Watch> set(const Watched& watched, const Breakpoint::Words& words, Breakpoint::Hit hit) {
  if (words.size() != 3 || words[0] != "unexpected" || words[1] != ">")
    throw UserError(break_place, "a number of messages is missing", "write `monitor break mpi unexpected > 100`");
  const std::int64_t most = parse_count(words[2], break_place);
  if (most < 0) throw UserError(break_place, "a number of messages is not negative");
  return std::make_shared<Unexpected>(watched.jobs, most, std::move(hit));
}

const Registration<Breakpoint> registration{
    {.name = "mpi",
     .form = "mpi unexpected > N",
     .meaning = "gdb stops when more than N messages to a rank have been sent that no posted receive takes",
     .set = set}};

}  // namespace
}  // namespace sanvp
