/// The program `sanvp`. SystemC provides main(), which calls sc_main without parsing anything.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "models/native/image.hpp"
#include "platform/commands/command.hpp"

int sc_main(int argc, char** argv) {
  // Standard output is for results.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  try {
    return sanvp::commands::run_command_line(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::cerr << "sanvp: internal error: " << error.what() << "\n";
    return EXIT_FAILURE;
  }
}

namespace {

/// A file that the simulator opens must not become a closed standard stream: what is said would land in it.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) [[maybe_unused]]
      const int opened = open("/dev/null", O_RDWR);  // the lowest
}

/// Each rank has files of its own, so the usual limit (1024) is too low for large machines.
void allow_more_files() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_streams();
  allow_more_files();
  constexpr int keep_what_the_user_set = 0;
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", keep_what_the_user_set);
  std::signal(SIGXFSZ, SIG_IGN);  // a result file larger than `ulimit -f` is an error of that write
  const int status = sc_core::sc_elab_and_sim(argc, argv);
  // Flushes the files of programs; a pipe without a reader must not change the status.
  std::signal(SIGPIPE, SIG_IGN);
  if (sanvp::native::loading_has_crashed()) {
    std::cout.flush();
    std::fflush(nullptr);
    _exit(status);
  }
  return status;
}
