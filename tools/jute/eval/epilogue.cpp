// `jute epilogue`: what an epilogue's expression means, and its CUDA.
#include <jute/base/settings.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>

#include "command/command_line.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "tree/numbers.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

/// An expression with what is told of it.
struct EpilogueReport {
  EpilogueExpression expression;
  DType accumulate = DType::f32;
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;
};

/// The facts that both forms of the report are made of.
struct Facts {
  const EpilogueExpression& expression;
  DType compute;
  std::vector<EpilogueKind> kinds, inputs;
  EpilogueCudaText cuda;
  std::vector<const EpilogueOperation*> functions;  ///< approximate ones, each once
};

/// An input's name; what the accumulator is, where a kernel widens it.
EpilogueSpelling spelling_of(const EpilogueReport& report, DType compute) {
  EpilogueSpelling spelling;
  if (report.accumulate == DType::f16) spelling.acc = "to_compute(acc)";
  if (report.accumulate == DType::s32 && compute == DType::f32)
    spelling.acc = "__int2float_rn(acc)";
  for (const EpilogueInput& input : report.expression.inputs) spelling.inputs.push_back(input.name);
  return spelling;
}

Facts facts_of(const EpilogueReport& report) {
  const EpilogueExpression& expression = report.expression;
  const DType compute = compute_type(expression, report.accumulate);
  const EpilogueArithmetic arithmetic = arithmetic_of(expression);
  Facts facts{expression,
              compute,
              node_kinds(expression),
              input_kinds(expression),
              cuda_text(arithmetic, compute, spelling_of(report, compute), report.accuracy),
              {}};
  for (const EpilogueStep& step : arithmetic.steps) {
    const EpilogueOperation& row =
        operation(expression.nodes[static_cast<std::size_t>(step.node)].op);
    if (row.is_approximate() && std::ranges::find(facts.functions, &row) == facts.functions.end())
      facts.functions.push_back(&row);
  }
  return facts;
}

std::string type_text(const Facts& facts, EpilogueKind kind) {
  if (kind == EpilogueKind::number) return std::string(name(facts.compute));
  if (kind == EpilogueKind::seed) return "seed";
  return kind == EpilogueKind::truth ? "truth" : "bit";
}

constexpr std::array kExtents{"one number", "one a row of D", "one a column of D",
                              "one an element of D", "one a block of D"};
constexpr std::array kGathers{"",
                              "the largest magnitude, one a batch",
                              "the sum, one a batch",
                              "a sum a row of D",
                              "a sum a column of D",
                              "the largest magnitude, one a row of D",
                              "the largest magnitude, one a column of D"};

std::string extent_text(const EpilogueInput& input) {
  const std::string extent = kExtents[static_cast<std::size_t>(input.extent)];
  if (!input.batched) return extent;
  return input.extent == EpilogueExtent::scalar ? "one a batch" : extent + ", for each batch";
}

std::string gather_text(const Facts& facts, const EpilogueOutput& output) {
  if (facts.kinds[static_cast<std::size_t>(output.node)] == EpilogueKind::bit)
    return "one bit an element";
  if (output.gather != EpilogueGather::elements)
    return kGathers[static_cast<std::size_t>(output.gather)];
  return kExtents[static_cast<std::size_t>(output_extent(facts.expression, output))];
}

/// `146 units in the last place + 3.01e-36`
std::string error_text(const EpilogueError& error) {
  std::string text = bench::in_digits(error.ulps, 3) + " units in the last place";
  if (error.absolute != 0) text += " + " + bench::in_digits(error.absolute, 3);
  if (error.of_operand != 0) text += " + " + bench::in_digits(error.of_operand, 3) + " |x|";
  return text;
}

constexpr std::size_t kTypeColumn = 40;

/// A node and what leads to it; a local is named where it is used.
struct Tree {
  const Facts& facts;
  std::string text{};

  [[nodiscard]] const std::string* name_of(int place) const {
    const EpilogueExpression& expression = facts.expression;
    if (operation(expression.nodes[static_cast<std::size_t>(place)].op).arity == 0) return nullptr;
    const auto local = std::ranges::find(expression.locals, place, &EpilogueLocal::node);
    return local == expression.locals.end() ? nullptr : &local->name;
  }

  void line(const std::string& what, int place, int depth) {
    const std::string indented = std::string(static_cast<std::size_t>(2 + 2 * depth), ' ') + what;
    text += bench::left(indented, kTypeColumn) + " " +
            type_text(facts, facts.kinds[static_cast<std::size_t>(place)]) + "\n";
  }

  void definition(const std::string& before, int place, int depth) {
    const EpilogueNode& node = facts.expression.nodes[static_cast<std::size_t>(place)];
    const EpilogueOperation& row = operation(node.op);
    const std::string what = row.spelling.empty() && row.arity > 0 ? std::string(name(node.type))
                             : row.arity == 0 ? value_text(facts.expression, place)
                                              : std::string(row.spelling);
    line(before + what, place, depth);
    for (int i = 0; i < row.arity; ++i)
      use("", node.operands[static_cast<std::size_t>(i)], depth + 1);
  }

  void use(const std::string& before, int place, int depth) {
    if (const std::string* name = name_of(place)) return line(before + *name, place, depth);
    definition(before, place, depth);
  }
};

std::string tree_text(const Facts& facts) {
  Tree tree{facts};
  for (const EpilogueLocal& local : facts.expression.locals)
    tree.definition(local.name + " := ", local.node, 0);
  for (const EpilogueOutput& output : facts.expression.outputs)
    tree.use(output.name + " = ", output.node, 0);
  return tree.text;
}

std::string cuda_lines(const Facts& facts, const TemplateSet& templates) {
  std::string text;
  for (const std::string& function : facts.cuda.functions) text += templates.text(function);
  text += facts.cuda.lines;
  for (std::size_t i = 0; i < facts.cuda.values.size(); ++i)
    text += facts.expression.outputs[i].name + " = " + facts.cuda.values[i] + ";\n";
  std::string indented;
  for (const std::string& line : lines_of(text)) indented += "  " + line + "\n";
  return indented;
}

Json error_json(const EpilogueError& error) {
  return {{"ulps", error.ulps}, {"absolute", error.absolute}, {"of_operand", error.of_operand}};
}

Json nodes_json(const Facts& facts) {
  Json nodes = Json::array();
  for (std::size_t place = 0; place < facts.expression.nodes.size(); ++place) {
    const EpilogueNode& node = facts.expression.nodes[place];
    const int arity = operation(node.op).arity;
    nodes.push_back({{"text", value_text(facts.expression, static_cast<int>(place))},
                     {"operands", Json::array(std::vector<int>(node.operands.begin(),
                                                               node.operands.begin() + arity))},
                     {"type", type_text(facts, facts.kinds[place])}});
  }
  return nodes;
}

std::string to_text(const EpilogueReport& report, const TemplateSet& templates) {
  const Facts facts = facts_of(report);
  const EpilogueExpression& expression = report.expression;
  std::string text = to_string(expression) + "\ncomputed in " + std::string(name(facts.compute)) +
                     " from an accumulator of " + std::string(name(report.accumulate)) + "\n\n" +
                     "tree\n" + tree_text(facts);
  if (!expression.inputs.empty()) text += "\nreads\n";
  for (std::size_t i = 0; i < expression.inputs.size(); ++i) {
    const EpilogueInput& input = expression.inputs[i];
    const bool is_truth = facts.inputs[i] == EpilogueKind::truth;
    text += "  " + bench::left(input.name, 12) + " " + extent_text(input) +
            (is_truth ? ", a bit" : "") + "\n";
  }
  text += "\nwrites\n";
  for (const EpilogueOutput& output : expression.outputs)
    text += "  " + bench::left(output.name, 12) + " " + gather_text(facts, output) + "\n";
  if (!facts.functions.empty()) text += "\nerrors, at most\n";
  for (const EpilogueOperation* row : facts.functions)
    text += "  " + bench::left(std::string(row->spelling), 12) + " " +
            error_text(cuda_of(*row, facts.compute, report.accuracy).error) + "\n";
  return text + "\nCUDA\n" + cuda_lines(facts, templates);
}

Json to_json(const EpilogueReport& report) {
  const Facts facts = facts_of(report);
  const EpilogueExpression& expression = report.expression;
  Json inputs = Json::array(), outputs = Json::array();
  const auto local_json = [](const EpilogueLocal& local) -> Json {
    return {{"name", local.name}, {"node", local.node}};
  };
  const auto function_json = [&](const EpilogueOperation* row) -> Json {
    return {{"name", row->spelling},
            {"error", error_json(cuda_of(*row, facts.compute, report.accuracy).error)}};
  };
  for (std::size_t i = 0; i < expression.inputs.size(); ++i)
    inputs.push_back({{"name", expression.inputs[i].name},
                      {"holds", extent_text(expression.inputs[i])},
                      {"type", type_text(facts, facts.inputs[i])}});
  for (std::size_t i = 0; i < expression.outputs.size(); ++i)
    outputs.push_back({{"name", expression.outputs[i].name},
                       {"holds", gather_text(facts, expression.outputs[i])},
                       {"node", expression.outputs[i].node},
                       {"cuda", facts.cuda.values[i]}});
  return {{"expression", to_string(expression)},
          {"accumulate", name(report.accumulate)},
          {"compute", name(facts.compute)},
          {"nodes", nodes_json(facts)},
          {"locals", Json::array(expression.locals, local_json)},
          {"inputs", inputs},
          {"outputs", outputs},
          {"functions", Json::array(facts.functions, function_json)},
          {"templates", Json::array(facts.cuda.functions)},
          {"cuda", facts.cuda.lines}};
}

struct EpilogueReading {
  std::string expression, accumulate = "f32", accuracy = "full";
};

int run_epilogue(const EpilogueReading& options, const Session& session) {
  EpilogueReport report{.expression = parse_epilogue(options.expression),
                        .accumulate = parse_dtype(options.accumulate)};
  if (options.accuracy == "half" || report.expression.math == EpilogueMath::fast)
    report.accuracy = EpilogueAccuracy::half;
  if (session.common.json) return session.print(to_json(report));
  session.out << to_text(report, session.templates(session.settings()));
  return kDone;
}

}  // namespace

void add_epilogue(Command& jute) {
  auto options = std::make_shared<EpilogueReading>();
  Command& sub = jute.add("epilogue", "Say what an epilogue's expression means, and its CUDA",
                          "jute epilogue 'y := silu(acc); d = y; a = amax(y)'");
  sub.option("expression", &options->expression,
             "What becomes of a sum of products; docs/epilogues.md has the language")
      .required();
  sub.option("--acc", &options->accumulate, "Type of the accumulator")
      .one_of({"f32", "f64", "f16", "s32"})
      .with_default();
  sub.option("--accuracy", &options->accuracy,
             "Of functions: full, or half for results that 16 bits or fewer hold")
      .one_of({"full", "half"})
      .with_default();
  sub.reads = {"--templates"};
  sub.run = [options](const Session& session) { return run_epilogue(*options, session); };
  sub.judge = judged_by(sub.run);
}

}  // namespace jute::command
