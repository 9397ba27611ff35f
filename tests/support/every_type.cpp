// Builds epilogues of every type and compiles them.
#include "support/every_type.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <vector>

#include "support/compiler.hpp"

namespace jute::test {
namespace {

constexpr std::array kExtents{"[m,n]", "[n]", "[m]", "[batch,n]", "", "[batch,m]"};
constexpr int kOutputsBeside = 5;

DType type_at(int place) { return static_cast<DType>(place % kDTypeCount); }

std::string extent_at(int place) {
  return kExtents[static_cast<std::size_t>(place) % kExtents.size()];
}

/// `b0[n] and b1[m] and …`
std::string bits_of_every_extent() {
  std::string text;
  for (std::size_t i = 0; i < kExtents.size(); ++i)
    text += (i == 0 ? "b" : " and b") + std::to_string(i) + kExtents[i];
  return text;
}

}  // namespace

Problem problem_of(const EveryType& types) {
  const bool stays_whole = is_integer(types.ab);
  std::string sum = "acc", casts = "y";
  std::vector<DType> inputs;
  for (int i = 0; i < kDTypeCount; ++i) {
    if (!stays_whole) casts += " + " + std::string(name(type_at(i))) + "(y)";
    if (stays_whole && !is_integer(type_at(i))) continue;
    sum += " + x" + std::to_string(inputs.size()) + extent_at(i + types.turn);
    inputs.push_back(type_at(i));
  }
  std::string text = "y := " + sum + "; z := " + casts + "; d = select(" + bits_of_every_extent() +
                     ", y, z); k = bit(acc > 0)";
  for (int i = 0; i < kOutputsBeside; ++i) text += "; g" + std::to_string(i) + " = z";

  Problem problem;
  problem.m = 40;
  problem.n = 56;
  problem.k = 64;
  problem.batch = 2;
  problem.a = {.type = types.ab};
  problem.b = {.type = types.ab, .order = Order::col};
  problem.d = {.type = types.d};
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  const EpilogueExpression& expression = problem.epilogue->expression;
  std::vector<EpilogueOperand> read, written;
  for (const EpilogueInput& input : expression.inputs) {
    read.push_back(usual_operand(problem, input));
    if (input.name.front() == 'x') read.back().type = inputs[std::stoul(input.name.substr(1))];
  }
  for (const EpilogueOutput& output : expression.outputs) {
    written.push_back(usual_operand(problem, output));
    if (output.name.front() == 'g')
      written.back().type = type_at(std::stoi(output.name.substr(1)) + types.turn * kOutputsBeside);
  }
  problem.epilogue->inputs = read;
  problem.epilogue->outputs = written;
  return problem;
}

std::string faults_of(const EveryType& types, Arch arch) try {
  static const Compiler compiler = test_compiler();
  EmulatorOptions options;
  options.device = preset_for(arch);
  const auto backend = open_emulator(options);
  for (const Source& source : generate(make_plan(problem_of(types), options.device)))
    (void)backend->load(compiler.compile(source, Output::ptx));
  return {};
} catch (const Exception& refused) {
  return to_string(arch) + ", A and B of " + std::string(name(types.ab)) + ", D of " +
         std::string(name(types.d)) + ": " + to_string(refused.error()) + "\n";
}

std::span<const Arch> compiled_arches() {
  constexpr int kOldest = 75;  // of NVRTC 13
  std::span<const Arch> arches = known_arches();
  while (arches.front().number < kOldest) arches = arches.subspan(1);
  return arches;
}

}  // namespace jute::test
