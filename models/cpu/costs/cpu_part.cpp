#include "models/cpu/costs/cpu_part.hpp"

#include "platform/core/parameters.hpp"

namespace sanvp::cpu {
namespace {

constexpr double most_cycles = 100'000;  // a block's price has 31 bits of picoseconds

constexpr std::array meanings{"of an integer operation: add, logic, compare, address",
                              "of a shift",
                              "of an integer multiplication",
                              "of an integer division",
                              "of a load of up to 8 bytes that the cache has",
                              "of a store of up to 8 bytes",
                              "of a branch",
                              "of a call or return",
                              "of an addition, subtraction or comparison of floating-point numbers",
                              "of a multiplication of floating-point numbers",
                              "of a division of floating-point numbers",
                              "of a square root",
                              "of a conversion between integer and floating-point number",
                              "of a move between registers",
                              "of an atomic operation or fence, beside its load and store",
                              "of a fused multiply-add of floating-point numbers"};
static_assert(meanings.size() == instruction_classes);

}  // namespace

InstructionCosts read_cycles(const SourcedCycles& defaults, const Parameters& section) {
  InstructionCosts costs;
  static_assert(HAL_FLOAT_FUSED > HAL_FLOAT_MULTIPLY && HAL_FLOAT_FUSED > HAL_FLOAT_ADD, "read after both");
  for (std::size_t i = 0; i < instruction_classes; ++i) {
    const bool is_two = defaults[i].value == two_instructions.value;
    const double cycles = is_two ? costs.cycles[HAL_FLOAT_MULTIPLY] + costs.cycles[HAL_FLOAT_ADD] : defaults[i].value;
    costs.cycles[i] = section.real(instruction_class_name(i), cycles, std::string("cycles ") + meanings[i],
                                   defaults[i].source, 0, most_cycles);
  }
  return costs;
}

Pipeline read_pipeline(const SourcedPipeline& part, const Parameters& section) {
  constexpr double least_rate = 0.001, most_pipes = 64, most_window = 100'000;
  Pipeline pipeline;
  pipeline.issue = section.real("issue", part.issue.value, "instructions that it issues in a cycle", part.issue.source,
                                least_rate, most_pipes);
  pipeline.window =
      section.real("window", part.window.value,
                   "instructions among which it finds some to execute at the same time; 0: it issues them in order",
                   part.window.source, 0, most_window);
  pipeline.lanes = section.real("lanes", part.lanes.value, "numbers of 8 bytes that an instruction of vectors computes",
                                part.lanes.source, 1, most_pipes);
  pipeline.block =
      section.real("block", part.block.value, "cycles of a block at least", part.block.source, 0, most_cycles);
  const Parameters latency = section.section("latency");
  pipeline.slots.fill(1);
  pipeline.foreign.fill(1);
  for (std::size_t i = 0; i < instruction_classes; ++i) {
    const Timing& timing = part.classes[i];
    const std::string name(instruction_class_name(i));
    const std::string none = i == HAL_FLOAT_FUSED ? "; 0: it has none, and multiplies and adds" : "";
    pipeline.busy[i] = section.real(name, timing.busy, std::string("cycles of a pipe ") + meanings[i] + none,
                                    timing.source, 0, most_cycles);
    pipeline.latency[i] = latency.real(name, timing.latency, std::string("cycles to the result ") + meanings[i],
                                       timing.source, 0, most_cycles);
    pipeline.slots[i] = timing.slots;
  }
  pipeline.float_load_latency = latency.real("float_load", part.float_load_latency.value,
                                             "cycles to the result of a load of a floating-point number",
                                             part.float_load_latency.source, 0, most_cycles);
  const Parameters counted = section.section("counted");
  pipeline.foreign[HAL_INTEGER] = pipeline.foreign[HAL_SHIFT] =
      counted.real("integer", part.counted_integer.value, "own integer operations for one of counted code, of x86-64",
                   part.counted_integer.source, 0, most_pipes);
  pipeline.foreign[HAL_MOVE] = counted.real("move", part.counted_move.value, "the same of moves between registers",
                                            part.counted_move.source, 0, most_pipes);
  const Parameters pipes = section.section("pipes");
  for (const SourcedUnit& unit : part.units) {
    std::string executes = unit.classes == ~0U ? "all" : "";
    for (std::size_t i = 0; i < instruction_classes; ++i)
      if (unit.classes != ~0U && (unit.classes >> i & 1) != 0)
        executes += (executes.empty() ? "" : ", ") + std::string(instruction_class_name(i));
    pipeline.units.push_back({unit.name,
                              pipes.real(unit.name, unit.pipes, "pipes of the unit that executes " + executes,
                                         unit.source, least_rate, most_pipes),
                              unit.classes});
  }
  return pipeline;
}

}  // namespace sanvp::cpu
