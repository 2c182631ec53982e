#include "platform/commands/record_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "platform/commands/kinds_of_programs.hpp"
#include "platform/core/own_files.hpp"
#include "platform/core/terminal.hpp"
#include "platform/core/text.hpp"
#include "platform/core/units.hpp"

namespace sanvp::commands {
namespace {

constexpr double ns_per_us = 1000;

UserError cannot_write(const std::string& path) {
  return {"--record", path + " cannot be written: " + std::strerror(errno), "name a file in a folder of yours"};
}

}  // namespace

void add_record_options(boost::program_options::options_description_easy_init add) {
  add("record", boost::program_options::value<std::string>()->value_name("FILE"),
      "what each rank sends, receives, waits for and computes, as GOAL (docs/what-if.md)");
  add("record-level", boost::program_options::value<std::string>()->value_name("messages|calls"),
      "collective operations of --record: the messages that they consist of (default), or the calls, which another "
      "machine then does in its own way");
}

namespace {

/// Whether collective operations are recorded as calls.
bool wants_calls(const Invocation& invocation) {
  if (!invocation.has("record-level")) return false;
  const std::string level = invocation.text("record-level");
  if (level != "messages" && level != "calls")
    throw UserError("--record-level", in_quotes(level) + " is not one of messages, calls");
  if (!invocation.has("record")) throw UserError("--record-level", "nothing is recorded", "give --record F.goal, too");
  return level == "calls";
}

}  // namespace

RecordFile::RecordFile(const Invocation& invocation, const std::vector<Program>& programs) {
  const bool has_calls = wants_calls(invocation);
  if (!invocation.has("record")) return;
  path_ = invocation.text("record");
  if (programs.size() > 1)
    throw UserError("--record", "there are " + std::to_string(programs.size()) + " jobs",
                    "record a job alone: a trace is of one program");
  if (!std::ofstream(path_, std::ios::app)) throw cannot_write(path_);
  const Program& program = programs.front();
  if (has_calls && !tells_its_calls(program))
    throw UserError("--record-level calls", program.arguments.front() + " was not linked for it",
                    "link it by " + own_program("sanvp-cc") + " --target riscv64 --check-mpi");
  recorder_.emplace(program.nodes.size());
  if (has_calls) calls_.emplace(program.nodes.size(), *recorder_);
}

void RecordFile::close(bool ended_well) {
  if (!recorder_) return;
  if (!ended_well) {
    std::cerr << heading("note") << "--record: the program did not end well, so " << path_ << " is not written\n";
    return;
  }
  if (calls_ && !calls_->unrecordable().empty())
    throw UserError("--record-level calls",
                    "the program calls " + calls_->unrecordable() +
                        ", whose messages go on during other calls, so they cannot be told from theirs",
                    "use --record-level messages");
  if (calls_ && !recorder_->torn_message().empty())
    throw UserError("--record-level calls",
                    "a message " + recorder_->torn_message() +
                        " passed while one of them was in a collective operation that it is not of, as requests of "
                        "one-sided operations and their answers may",
                    "use --record-level messages");
  const std::string text =
      fmt::format("{} operations, {:.3f} us", recorder_->operations(), in_ns(recorder_->span()) / ns_per_us);
  for (const std::string& note : recorder_->notes()) std::cerr << heading("note") << note << "\n";
  const goal::Program program = recorder_->program();
  std::ofstream out(path_);
  goal::write_program(program, out);
  if (!out.flush()) throw cannot_write(path_);
  std::cerr << fmt::format("recorded to {}: {} ranks, {}\n", path_, program.ranks.size(), text);
}

}  // namespace sanvp::commands
