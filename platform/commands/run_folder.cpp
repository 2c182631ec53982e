#include "platform/commands/run_folder.hpp"
#include "platform/core/parameters.hpp"

namespace sanvp::commands {

RunFolder::RunFolder(const Invocation& invocation, ParameterSet parameters)
    : invocation_(invocation), parameters_(std::move(parameters)) {
  if (invocation.common.out.empty()) return;
  folder_.emplace(invocation.common.out);
  write_manifest("running", Time{0}, {});
}

void RunFolder::enter(const std::string& path, const ParameterSet& parameters) {
  folder_.emplace(path);
  add(parameters);
  write_manifest("running", Time{0}, {});
}

void RunFolder::write(const std::string& name, const Table& table) const {
  if (folder_) folder_->write(name, table);
}

void RunFolder::write(const StatisticsTable& statistics) const {
  if (folder_) folder_->write(statistics);
}

void RunFolder::write_text(const std::string& name, const std::string& contents) const {
  if (folder_) folder_->write_text(name, contents);
}

void RunFolder::write(const std::string& name, const nlohmann::ordered_json& json) const {
  write_text(name + ".json", json.dump(2) + "\n");
}

void RunFolder::ended(const std::string& status, Time simulated, const std::string& message) const {
  write_manifest(status, simulated, message);
}

void RunFolder::write_manifest(const std::string& status, Time simulated, const std::string& message) const {
  if (!folder_) return;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started_;
  folder_->write(Manifest{.command = invocation_.command_line,
                          .seed = invocation_.common.seed,
                          .versions = versions(),
                          .status = status,
                          .message = message,
                          .wall_seconds = wall.count(),
                          .simulated = simulated},
                 parameters_);
}

}  // namespace sanvp::commands
