/// Services for the servers of files that the machine itself runs on I/O nodes: they are no ranks of a job.
#pragma once

#include "models/host/services.hpp"

namespace sanvp {

class ServerServices final : public host::Services {
 public:
  /// @param services  of the run
  explicit ServerServices(host::Services& services) : services_(services) {}

  const char* setting(const char* key, const char* fallback, const char* documentation, const char* source) override {
    return services_.setting(key, fallback, documentation, source);
  }
  void metric(const host::Identity&, const char*, double, const char*) override {}
  void output(const host::Identity& server, bool is_error, std::string_view line) override {
    services_.output(without_rank(server), is_error, line);
  }
  /// The server runs until the run ends.
  void ended(const host::Identity&, int, Time) override {}
  void ended_job(const host::Identity&, int, Time) override {}
  void failed(const host::Identity& server, const std::string& why, Time at) override {
    services_.failed(without_rank(server), "the server of files: " + why, at);
  }

 private:
  static host::Identity without_rank(host::Identity server) {
    server.rank = -1;
    return server;
  }

  host::Services& services_;
};

}  // namespace sanvp
