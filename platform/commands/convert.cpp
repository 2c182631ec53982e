/// `sanvp convert`: traces of other tools as GOAL, by the Python package `sanvp` (python/sanvp/convert).
#include "platform/commands/command.hpp"
#include "platform/commands/python.hpp"

namespace sanvp::commands {
namespace {

Exit run(const Invocation& invocation) {
  std::vector<std::string> words{"convert"};
  words.insert(words.end(), invocation.program_arguments.begin(), invocation.program_arguments.end());
  become_python(std::move(words));
}

const Registration<Command> registration{
    {.name = "convert",
     .summary = "traces of other tools, and training steps of models, as GOAL programs",
     .parses_itself = true,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
