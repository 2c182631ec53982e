/// `time`: an instant.
#include "platform/breakpoints/breakpoint.hpp"
#include "platform/core/registry.hpp"
#include "platform/core/units.hpp"

namespace sanvp {
namespace {

class AtTime final : public Watch {
 public:
  explicit AtTime(Time at) : at_(at) {}
  std::string text() const override { return "gdb stops at " + to_text(at_); }

 private:
  Time at_;
};

std::shared_ptr<Watch> set(const Watched& watched, const Breakpoint::Words& words, const Breakpoint::Hit& hit) {
  if (words.size() != 1) throw UserError(break_place, "a time is missing", "write `monitor break time 80us`");
  const Time at = parse_time(words.front(), "monitor break time");
  const auto watch = std::make_shared<AtTime>(at);
  if (at > watched.cluster.now()) look_at(watched.cluster, at, watch, [hit](AtTime&) { hit({}); });
  return watch;
}

const Registration<Breakpoint> registration{
    {.name = "time", .form = "time TIME", .meaning = "gdb stops there", .set = set}};

}  // namespace
}  // namespace sanvp
