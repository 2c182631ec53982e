/// `sanvp draw`: pictures of networks, results and traces, by the Python package `sanvp` (python/sanvp/draw).
#include "platform/commands/command.hpp"
#include "platform/commands/python.hpp"

namespace sanvp::commands {
namespace {

Exit run(const Invocation& invocation) {
  std::vector<std::string> words{"draw"};
  words.insert(words.end(), invocation.program_arguments.begin(), invocation.program_arguments.end());
  become_python(std::move(words));
}

const Registration<Command> registration{
    {.name = "draw",
     .summary = "pictures of a network, of results on it, and of packets that move",
     .parses_itself = true,
     .run = run}};

}  // namespace
}  // namespace sanvp::commands
