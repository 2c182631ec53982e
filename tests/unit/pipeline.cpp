#include <algorithm>
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "models/cpu/costs/pipeline.hpp"

using namespace sanvp;
using cpu::Code;
using cpu::Pipeline;
using cpu::Step;
using cpu::Values;

namespace {

constexpr Values value(int number) { return Values{1} << number; }

/// Two loads or stores a cycle, one adder and one multiplier with latency 4, a divider of 12 and 15 cycles.
Pipeline two_pipes() {
  Pipeline pipeline;
  pipeline.issue = 4;
  pipeline.window = 80;
  pipeline.slots.fill(1);
  pipeline.foreign.fill(1);
  pipeline.busy.fill(1);
  pipeline.latency.fill(1);
  pipeline.latency[HAL_LOAD] = 3;
  pipeline.float_load_latency = 4;
  pipeline.latency[HAL_FLOAT_ADD] = pipeline.latency[HAL_FLOAT_MULTIPLY] = 4;
  pipeline.busy[HAL_FLOAT_DIVIDE] = 12;
  pipeline.latency[HAL_FLOAT_DIVIDE] = 15;
  pipeline.busy[HAL_FLOAT_FUSED] = 0;
  pipeline.units = {{"integer", 4, cpu::classes_of({HAL_INTEGER, HAL_LOAD, HAL_STORE, HAL_BRANCH, HAL_MOVE})},
                    {"memory", 2, cpu::classes_of({HAL_LOAD, HAL_STORE})},
                    {"add", 1, cpu::classes_of({HAL_FLOAT_ADD, HAL_FLOAT_DIVIDE})},
                    {"multiply", 1, cpu::classes_of({HAL_FLOAT_MULTIPLY, HAL_FLOAT_FUSED})}};
  return pipeline;
}

Pipeline with_fused() {
  Pipeline pipeline = two_pipes();
  pipeline.busy[HAL_FLOAT_FUSED] = 1;
  pipeline.latency[HAL_FLOAT_FUSED] = 6;
  return pipeline;
}

Pipeline in_order(Pipeline pipeline) {
  pipeline.window = 0;
  return pipeline;
}

Step step(hal_instruction_class of_class, Values reads, Values writes) {
  Step made;
  made.of_class = of_class;
  made.reads = reads;
  made.writes = writes;
  return made;
}

Code loop_of(std::vector<Step> steps, Values carried) {
  Code code;
  code.steps = std::move(steps);
  code.carried = carried;
  code.repeats = true;
  return code;
}

/// `products` multiplications and `sums` additions that depend on nothing but values before the block.
Code independent(int products, int sums) {
  Code code;
  for (int i = 0; i < products; ++i) code.steps.push_back(step(HAL_FLOAT_MULTIPLY, value(0), value(1)));
  for (int i = 0; i < sums; ++i) code.steps.push_back(step(HAL_FLOAT_ADD, value(0), value(2)));
  return code;
}

/// dot product of one element: two loads, a product, a sum into `into`.
std::vector<Step> dot(int into) {
  Step load = step(HAL_LOAD, value(0), value(1));
  load.is_float_load = true;
  Step other = step(HAL_LOAD, value(0), value(2));
  other.is_float_load = true;
  return {load, other, step(HAL_FLOAT_MULTIPLY, value(1) | value(2), value(3)),
          step(HAL_FLOAT_ADD, value(into) | value(3), value(into))};
}

}  // namespace

TEST_CASE("independent products and sums take as long as the busier of both units") {
  for (const int products : {1, 3, 16})
    for (const int sums : {1, 5, 16}) {
      const double busiest = std::max(products, sums);
      CHECK(cpu::bounds_of(two_pipes(), independent(products, sums)).unit == Approx(busiest));
      CHECK(cpu::bounds_of(two_pipes(), independent(products, sums)).issue == Approx((products + sums) / 4.0));
      CHECK(cpu::bounds_of(two_pipes(), independent(products, sums)).cycles() == Approx(busiest));
    }
}

TEST_CASE("a loop that multiplies and adds one number takes the latencies of both") {
  const Code chain = loop_of(
      {step(HAL_FLOAT_MULTIPLY, value(0) | value(1), value(0)), step(HAL_FLOAT_ADD, value(0) | value(1), value(0))},
      value(0));
  CHECK(cpu::bounds_of(two_pipes(), chain).cycles() == Approx(4 + 4));
}

TEST_CASE("a chain of fused multiply-adds takes its latency, and on a CPU without them those of both") {
  const Code chain = loop_of({step(HAL_FLOAT_FUSED, value(0) | value(1) | value(2), value(0))}, value(0));
  CHECK(cpu::bounds_of(with_fused(), chain).cycles() == Approx(6));
  CHECK(cpu::bounds_of(two_pipes(), chain).cycles() == Approx(8));
}

TEST_CASE("dependent divisions take their latency, independent ones the time of the divider") {
  const Code dependent = loop_of({step(HAL_FLOAT_DIVIDE, value(0) | value(1), value(0))}, value(0));
  CHECK(cpu::bounds_of(two_pipes(), dependent).cycles() == Approx(15));
  const Code independent = loop_of({step(HAL_FLOAT_DIVIDE, value(0) | value(1), value(2))}, value(0));
  CHECK(cpu::bounds_of(two_pipes(), independent).cycles() == Approx(12));
}

TEST_CASE("a pointer chase takes the latency of a load") {
  const Code chase = loop_of(
      {step(HAL_LOAD, value(0), value(0)), step(HAL_INTEGER, value(0), value(1)), step(HAL_BRANCH, value(1), 0)},
      value(0));
  CHECK(cpu::bounds_of(two_pipes(), chase).cycles() == Approx(3));
}

TEST_CASE("a scalar product with one sum takes the latency of an addition, with four sums the time of its loads") {
  CHECK(cpu::bounds_of(two_pipes(), loop_of(dot(8), value(8))).cycles() == Approx(4));
  std::vector<Step> four;
  for (const int into : {8, 9, 10, 11})
    for (const Step& of_one : dot(into)) four.push_back(of_one);
  const Values sums = value(8) | value(9) | value(10) | value(11);
  CHECK(cpu::bounds_of(two_pipes(), loop_of(four, sums)).cycles() == Approx(std::max(4.0, 8 / 2.0)));
}

TEST_CASE("a chain that passes through several registers is as long as its mean") {
  const Code rotating = loop_of({step(HAL_FLOAT_ADD, value(0) | value(3), value(2)), step(HAL_MOVE, value(1), value(0)),
                                 step(HAL_MOVE, value(2), value(1))},
                                value(0) | value(1));
  CHECK(cpu::bounds_of(two_pipes(), rotating).cycles() == Approx(4 / 2.0));
}

TEST_CASE("a chain in a loop of several blocks counts in each block for its part") {
  Code part = loop_of({step(HAL_FLOAT_ADD, value(0) | value(1), value(0))}, value(0));
  part.repeats = false;
  CHECK(cpu::bounds_of(two_pipes(), part).cycles() == Approx(4));
  part.carried = 0;
  CHECK(cpu::bounds_of(two_pipes(), part).cycles() == Approx(1));
}

TEST_CASE("a CPU that issues in order waits for the critical path, one with a window overlaps it") {
  Code code = loop_of(dot(8), value(8));
  const double path = 4 + 4 + 1;  // a load, a product, and the cycle in which the sum issues
  CHECK(cpu::bounds_of(in_order(two_pipes()), code).cycles() == Approx(path));
  CHECK(cpu::bounds_of(two_pipes(), code).path == Approx(path * 4 / 80));
}

TEST_CASE("a product and a sum of counted code are one instruction on a CPU that has it") {
  Code code = loop_of(dot(8), value(8));
  CHECK(cpu::bounds_of(with_fused(), code).issue == Approx(4 / 4.0));
  code.is_foreign = true;
  CHECK(cpu::bounds_of(with_fused(), code).issue == Approx(3 / 4.0));
  CHECK(cpu::bounds_of(with_fused(), code).carried == Approx(6));
}

TEST_CASE("a product that two sums use stays an instruction") {
  Code code = independent(1, 0);
  code.is_foreign = true;
  for (const int into : {8, 9}) code.steps.push_back(step(HAL_FLOAT_ADD, value(1) | value(into), value(into)));
  CHECK(cpu::bounds_of(with_fused(), code).issue == Approx(3 / 4.0));
}

TEST_CASE("an instruction of vectors is as many as the lanes of the CPU require") {
  Code code = independent(4, 0);
  for (Step& of : code.steps) of.lanes = 2;
  CHECK(cpu::bounds_of(two_pipes(), code).unit == Approx(8));
  Pipeline wide = two_pipes();
  wide.lanes = 2;
  CHECK(cpu::bounds_of(wide, code).unit == Approx(4));
}

TEST_CASE("copies between registers lengthen no chain, and take issue slots") {
  const Code code =
      loop_of({step(HAL_MOVE, value(0), value(1)), step(HAL_FLOAT_ADD, value(1) | value(2), value(0))}, value(0));
  CHECK(cpu::bounds_of(two_pipes(), code).carried == Approx(4));
  CHECK(cpu::bounds_of(two_pipes(), code).issue == Approx(2 / 4.0));
}

TEST_CASE("counted integer operations stand for more or fewer of the CPU's own") {
  Code code;
  for (int i = 0; i < 8; ++i) code.steps.push_back(step(HAL_INTEGER, value(0), value(1)));
  Pipeline pipeline = two_pipes();
  pipeline.foreign[HAL_INTEGER] = 1.5;
  CHECK(cpu::bounds_of(pipeline, code).cycles() == Approx(8 / 4.0));
  code.is_foreign = true;
  CHECK(cpu::bounds_of(pipeline, code).cycles() == Approx(12 / 4.0));
}

TEST_CASE("a block costs a cycle at least, unless nothing is known of it but its counts") {
  CHECK(cpu::bounds_of(two_pipes(), loop_of({step(HAL_INTEGER, 0, value(0))}, 0)).cycles() == Approx(1));
  Code counted;
  counted.counts[HAL_INTEGER] = 1;
  CHECK(cpu::bounds_of(two_pipes(), counted).cycles() == Approx(1 / 4.0));
}

TEST_CASE("a block costs no less with a step more") {
  for (const Pipeline& pipeline : {two_pipes(), in_order(two_pipes()), with_fused()}) {
    Code code;
    code.carried = value(8);
    double before = 0;
    for (int i = 0; i < 20; ++i)
      for (const Step& of_one : dot(8)) {
        code.steps.push_back(of_one);
        const double now = cpu::bounds_of(pipeline, code).cycles();
        CHECK(now >= before);
        before = now;
      }
  }
}
