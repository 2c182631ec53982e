#include "platform/commands/record_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "platform/core/terminal.hpp"
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
      "what each rank sends, receives, waits for and computes, as GOAL (docs/what-if.md); collective operations are "
      "the "
      "messages that they consist of");
}

RecordFile::RecordFile(const Invocation& invocation, const std::vector<std::size_t>& ranks) {
  if (!invocation.has("record")) return;
  path_ = invocation.text("record");
  if (ranks.size() > 1)
    throw UserError("--record", "there are " + std::to_string(ranks.size()) + " jobs",
                    "record a job alone: a trace is of one program");
  if (!std::ofstream(path_, std::ios::app)) throw cannot_write(path_);
  recorder_.emplace(ranks.front());
}

void RecordFile::close(bool ended_well) {
  if (!recorder_) return;
  if (!ended_well) {
    std::cerr << heading("note") << "--record: the program did not end well, so " << path_ << " is not written\n";
    return;
  }
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
