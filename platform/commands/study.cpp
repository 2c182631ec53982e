/// `sanvp study`: the study driver, which is the Python package `sanvp` (python/README.md).
#include <iostream>

#include "platform/commands/command.hpp"
#include "platform/commands/python.hpp"

namespace sanvp::commands {
namespace {

void print_usage() {
  std::cout << "usage: sanvp study list [NAME...]\n"
               "       sanvp study run NAME... [--quick] [--scheduler ADDRESS] [--jobs N]\n"
               "       sanvp study report [NAME...] [--json FILE] [--html FILE] [--markdown FILE] [--static]\n"
               "       sanvp study compare A B [--json FILE]\n\n"
               "NAME is the path of a study file, such as ./mine.yaml, or the name of a study of scripts/studies.\n"
               "`sanvp study COMMAND --help` shows the options of each.\n";
}

Exit run(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.program_arguments;
  if (words.empty() || words.front() == "--help" || words.front() == "-h") {
    print_usage();
    return words.empty() ? Exit::user_mistake : Exit::done;
  }
  become_python(words);
}

const Registration<Command> registration{{.name = "study",
                                          .summary = "run sweeps from a study file, draw them, compare them",
                                          .parses_itself = true,
                                          .run = run}};

}  // namespace
}  // namespace sanvp::commands
