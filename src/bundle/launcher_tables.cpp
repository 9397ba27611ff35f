// Writes a bundle as rows of C.
#include "bundle/launcher_tables.hpp"

#include <jute/launch/tensor_map_type.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/problem_tensors.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>

#include "base/format.hpp"
#include "bundle/count_nodes.hpp"

namespace jute::bundle {
namespace {

/// A C array that grows row by row.
class Table {
 public:
  explicit Table(std::string head) : head_(std::move(head)) {}
  size_t add(const std::string& row) {
    rows_ += "    {" + row + "},\n";
    return count_++;
  }
  [[nodiscard]] size_t count() const { return count_; }
  /// C has no array without elements.
  [[nodiscard]] std::string text() const {
    return "static const " + head_ + "[] = {\n" + (count_ == 0 ? "    {0},\n" : rows_) + "};\n";
  }

 private:
  std::string head_, rows_;
  size_t count_ = 0;
};

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string_view type_name(ParameterKind kind) {
  switch (kind) {
    case ParameterKind::i32:
      return "P_I32";
    case ParameterKind::u32:
      return "P_U32";
    case ParameterKind::i64:
      return "P_I64";
    case ParameterKind::u64:
      return "P_U64";
    case ParameterKind::f32:
      return "P_F32";
    case ParameterKind::f64:
      return "P_F64";
    case ParameterKind::tensor_map:
      return "P_MAP";
    default:
      return "P_POINTER";
  }
}

class Tables {
 public:
  explicit Tables(const Bundle& bundle) {
    for (const BundleTarget& target : bundle.targets)
      targets_.add(base::format(
          "{}, {}, {}, {}", quoted(to_string(target.arch)), target.arch.number,
          target.arch.suffix == '\0' ? 0 : int{target.arch.suffix}, target.has_cubins ? 1 : 0));
    for (const BundleImage& image : bundle.images)
      images_.add(base::format("{}, {}, {}, {}", quoted(image.stem), quoted(image.symbol),
                               image.target, image.smem_bytes));
    for (size_t i = 0; i < bundle.products.size(); ++i)
      add(bundle.products[i], bundle.problems[i % bundle.problems.size()]);
    for (const Problem& problem : bundle.problems) add(problem);
  }

  [[nodiscard]] std::string text() const {
    std::string all = base::format(
        "enum {{ kImageCount = {}, kTargetCount = {}, kMostParameters = {}, kMostMaps = {} }};\n",
        images_.count(), targets_.count(), std::max<size_t>(most_parameters_, 1), most_maps_);
    for (const Table* table :
         {&nodes_, &parameters_, &maps_, &steps_, &regions_, &literals_, &strides_, &kernels_,
          &choices_, &products_, &targets_, &images_, &problems_})
      all += table->text();
    return all;
  }

 private:
  std::string count(const Count& count) {
    const std::vector<CountNode> nodes = nodes_of(count);
    const size_t first = nodes_.count();
    for (const CountNode& node : nodes) nodes_.add(node.what + ", " + node.number);
    return base::format("{{{}, {}}}", first, nodes.size());
  }
  template <class Counts>
  std::string counts(const Counts& list) {
    std::string text;
    for (const Count& one : list) text += (text.empty() ? "" : ", ") + count(one);
    return "{" + text + "}";
  }

  /// Where a tensor lies, as role and place.
  [[nodiscard]] static std::string base_text(const Base& base, const BundleKernel& kernel) {
    if (const auto* argument = std::get_if<Argument>(&base))
      return base::format("R_TENSOR, {}", static_cast<int>(argument->tensor));
    const std::string& name = std::get<InWorkspace>(base).region;
    const auto region = std::ranges::find(kernel.workspace, name, &WorkspaceRegion::name);
    return base::format("R_REGION, {}", region - kernel.workspace.begin());
  }

  std::string role(const Base& base, const BundleKernel& kernel) {
    return base_text(base, kernel) + ", {0, 0}";
  }
  std::string role(const Count& number, const BundleKernel& /*kernel*/) {
    return "R_COUNT, 0, " + count(number);
  }
  std::string role(ScaleFactor factor, const BundleKernel& /*kernel*/) {
    return std::string(factor == ScaleFactor::alpha ? "R_ALPHA" : "R_BETA") + ", 0, {0, 0}";
  }
  std::string role(const InputValue& input, const BundleKernel& /*kernel*/) {
    return base::format("R_INPUT, {}, {{0, 0}}", input.place);
  }
  std::string role(const MapOf& map, const BundleKernel& kernel) {
    ++maps_of_step_;
    const TensorMapSpec element{.type = map.type};
    std::string steps;
    for (size_t i = 0; i < map.dims.size(); ++i)
      steps += base::format("{}{}", i == 0 ? "" : ", ", i < map.steps.size() ? map.steps[i] : 1);
    const size_t place = maps_.add(base::format(
        "{}, {}, {}, {}, {}, {}, INT64_C({}), {}, {}, {}, {{{}}}", base_text(map.base, kernel),
        driver_type(element), width_bytes(map.type), static_cast<int>(map.swizzle), map.dims.size(),
        map.box.size(), map.offset_elems * width_bytes(map.type), counts(map.dims),
        counts(map.strides), counts(map.box), steps));
    return base::format("R_MAP, {}, {{0, 0}}", place);
  }

  void add(const BundleStep& step, const BundleKernel& kernel) {
    const StepHead& head = step.head;
    const size_t first = parameters_.count();
    maps_of_step_ = 0;
    for (const KernelParameter& parameter : head.parameters)
      parameters_.add(base::format(
          "{}, {}", type_name(parameter.kind),
          std::visit([&](const auto& one) { return role(one, kernel); }, parameter.role)));
    most_parameters_ = std::max(most_parameters_, head.parameters.size());
    most_maps_ = std::max(most_maps_, maps_of_step_);
    std::string flags = head.order == LaunchOrder::overlap_previous ? "S_OVERLAPS" : "";
    if (head.residency == Residency::whole_grid)
      flags += flags.empty() ? "S_WHOLE_GRID" : " | S_WHOLE_GRID";
    steps_.add(base::format("{}, {}, {}, {}, {{{}, {}, {}}}, {}, {}, {}", step.image, head.threads,
                            head.dynamic_smem_bytes, flags.empty() ? "0" : flags, head.cluster.x,
                            head.cluster.y, head.cluster.z, counts(head.grid), first,
                            head.parameters.size()));
  }

  void add(const BundleKernel& kernel) {
    const size_t step = steps_.count();
    const size_t region = regions_.count();
    const size_t literal = literals_.count();
    const size_t stride = strides_.count();
    for (const BundleStep& one : kernel.steps) add(one, kernel);
    for (const WorkspaceRegion& one : kernel.workspace)
      regions_.add(base::format("{}, {}", one.zeroed ? 1 : 0, count(one.bytes)));
    for (const LiteralRule& rule : kernel.rules.literals)
      literals_.add(base::format("{}, {}, INT64_C({})", quoted(to_string(rule.number)),
                                 count(rule.number), rule.value));
    for (const StrideRule& rule : kernel.rules.strides)
      strides_.add(base::format("{}, {}, {}, {}", quoted(to_string(rule.stride)),
                                count(rule.stride), rule.multiple_of, rule.batch_only ? 1 : 0));
    kernels_.add(base::format("{}, {}, {}, {}, {}, {}, {}, {}, {}, {}", step, kernel.steps.size(),
                              region, kernel.workspace.size(), literal,
                              kernel.rules.literals.size(), stride, kernel.rules.strides.size(),
                              kernel.workspace_offset, kernel.workspace_bytes));
  }

  void add(const BundleProduct& product, const Problem& problem) {
    const size_t kernel = kernels_.count();
    const size_t choice = choices_.count();
    for (const BundleKernel& one : product.kernels) add(one);
    for (const BundleChoice& one : product.choices)
      choices_.add(base::format("INT64_C({}), {}, {}, {}, {}", one.last_m, one.kernel, one.width,
                                one.stages, one.split_k));
    products_.add(base::format("{}, {}, {}, {}, {}, {}, {}", kernel, product.kernels.size(), choice,
                               product.choices.size(), product.workspace_bytes,
                               product.zeroed_bytes, fault_place(product, problem).value_or(-1)));
  }

  /// Free, or the numbers that a factor may be: an epilogue that names c but not beta leaves it at
  /// its 0, or at 1.
  static std::string scale_text(Factor scale, bool may_be_zero) {
    if (scale == Factor::zero) return "{0, 0}";
    return may_be_zero ? "{0, 1}" : "{1, 1}";
  }

  void add(const Problem& problem) {
    const RunValues run = run_values(problem);
    std::string values = base::format("INT64_C({}), INT64_C({}), INT64_C({}), INT64_C({}), 0, 0, 1",
                                      run.m, run.n, run.k, run.batch);
    for (const TensorValues& tensor : run.tensors)
      values += base::format(", INT64_C({}), INT64_C({})", tensor.ld, tensor.batch_stride);
    if (leaves_views_to_runs(problem)) values += numbers_of_views(run);
    const CRead read = c_read(problem);
    const std::string_view reads = read == CRead::never    ? "C_NEVER"
                                   : read == CRead::always ? "C_ALWAYS"
                                                           : "C_UNLESS_BETA_IS_0";
    problems_.add(base::format(
        "{}, {}, {}, {}, {}, {},\n     {{{}}},\n     {{{}}},\n     {{{}}}, {{{}}}, {{{}}}",
        quoted(to_string(problem)), reads, scale_text(problem.alpha, false),
        scale_text(problem.beta, problem.epilogue.has_value()),
        problem.alpha == Factor::run_time ? 1 : 0, problem.beta == Factor::run_time ? 1 : 0, values,
        alignments(problem), names_of_inputs(problem), names_of_outputs(problem),
        modes_of_views(problem)));
  }

  /// The launcher finds magics itself.
  static std::string numbers_of_views(const RunValues& run) {
    std::string text;
    for (const RunView& view : run.views) {
      for (const Index extent : view.extents) text += base::format(", INT64_C({})", extent);
      for (int i = 0; i < kMostRunTimeModes; ++i) text += ", 0";
      for (const Index stride : view.strides) text += base::format(", INT64_C({})", stride);
      text += base::format(", INT64_C({})", view.origin);
    }
    return text;
  }
  static std::string modes_of_views(const Problem& problem) {
    std::string text;
    for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d}) {
      const bool is_a_runs = matrix->view && matrix->view->numbers == ViewNumbers::run_time;
      const ViewModes modes = is_a_runs ? modes_of(*matrix->view) : ViewModes();
      text += base::format("{}{{{}, {}, {}}}", text.empty() ? "" : ", ", modes.rows.size(),
                           modes.columns.size(), modes.batch.size());
    }
    return text;
  }

  static std::string alignments(const Problem& problem) {
    ByTensor<int> all;
    // The list of groups with operands of their own has the addresses.
    const bool are_listed = problem.groups && problem.groups->kind == GroupKind::each;
    for (const TensorRole role : kAllTensors)
      if (const Matrix* const matrix = matrix_of(problem, role);
          matrix != nullptr && (!are_listed || is_input(role) || is_output(role)))
        all[role] = matrix->alignment_bytes;
    if (problem.groups) all[TensorRole::ends] = entry_alignment(*problem.groups);
    if (problem.a.rows) all[TensorRole::rows_a] = bytes_of(problem.a.rows->index);
    if (problem.d.rows) all[TensorRole::rows_d] = bytes_of(problem.d.rows->index);
    std::string text;
    for (const int alignment : all.all)
      text += (text.empty() ? "" : ", ") + std::to_string(alignment);
    return text;
  }

  template <class Named>
  static std::string names(const std::vector<Named>& list) {
    std::string text;
    for (const Named& one : list) text += (text.empty() ? "" : ", ") + quoted(one.name);
    return text.empty() ? "NULL" : text;
  }
  static std::string names_of_inputs(const Problem& problem) {
    return problem.epilogue ? names(problem.epilogue->expression.inputs) : "NULL";
  }
  static std::string names_of_outputs(const Problem& problem) {
    return problem.epilogue ? names(problem.epilogue->expression.outputs) : "NULL";
  }

  size_t most_parameters_ = 0, most_maps_ = 0, maps_of_step_ = 0;
  Table nodes_{"Node kNodes"}, parameters_{"Parameter kParameters"}, maps_{"Map kMaps"},
      steps_{"Step kSteps"}, regions_{"Region kRegions"}, literals_{"Literal kLiterals"},
      strides_{"Stride kStrides"}, kernels_{"Kernel kKernels"}, choices_{"Choice kChoices"},
      products_{"Product kProducts"}, targets_{"Target kTargets"}, images_{"Image kImages"},
      problems_{"Problem kProblems"};
};

}  // namespace

bool leaves_views_to_runs(const Problem& problem) {
  return std::ranges::any_of(
      std::array{&problem.a, &problem.b, &problem.c, &problem.d}, [](const Matrix* matrix) {
        return matrix->view && matrix->view->numbers == ViewNumbers::run_time;
      });
}

std::string launcher_tables(const Bundle& bundle) { return Tables(bundle).text(); }

}  // namespace jute::bundle
