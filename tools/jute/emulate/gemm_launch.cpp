// From a plan to a launch file: the launches that a run would make, their addresses as names.
#include "emulate/gemm_launch.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/jit/cache.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "files/files.hpp"
#include "files/matrix_elements.hpp"
#include "files/npy.hpp"
#include "product/gemm_data.hpp"
#include "product/gemm_report.hpp"

namespace jute::command {
namespace {

constexpr double kAlpha = 1.0, kBeta = 0.0;  // of the launches

/// Remembers what it was asked for: the encoded map holds the number of its description.
class RecordingEncoder final : public TensorMapEncoder {
 public:
  struct Request {
    TensorMapSpec spec;
    DevicePointer base = 0;
  };
  EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override {
    EncodedTensorMap map;
    const std::uint64_t number = requests.size();
    std::memcpy(map.bytes.data(), &number, sizeof number);
    requests.push_back({spec, base});
    return map;
  }
  std::vector<Request> requests;
};

/// Memory of the launch file with an address that stands for it.
struct Operand {
  std::string name;
  DevicePointer base = 0;
  Json json;
};

constexpr DevicePointer address_of(int operand) {
  return static_cast<DevicePointer>(operand) << 44;
}

Json json_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

class LaunchWriter {
 public:
  LaunchWriter(std::vector<Operand> operands, const RecordingEncoder& encoder)
      : operands_(std::move(operands)), encoder_(encoder) {}

  void add(const std::string& symbol, const LaunchSpec& spec) {
    Json launch{{"kernel", symbol},
                {"module", symbol + ".ptx"},
                {"grid", to_json(spec.grid)},
                {"block", to_json(spec.block)}};
    if (!(spec.cluster == Dim3{})) launch.add("cluster", to_json(spec.cluster));
    if (spec.dynamic_smem_bytes > 0) launch.add("dynamic_smem_bytes", spec.dynamic_smem_bytes);
    if (spec.residency == Residency::whole_grid) launch.add("cooperative", true);
    if (spec.order == LaunchOrder::overlap_previous) launch.add("dependent", true);
    Json arguments = Json::array();
    const ArgumentBlock& block = spec.arguments;
    for (size_t i = 0; i < block.kinds().size(); ++i)
      arguments.push_back(argument(block.kinds()[i], block.bytes().data() + block.offsets()[i]));
    launch.add("args", arguments);
    launches_.push_back(launch);
  }

  [[nodiscard]] std::string text() const {
    Json buffers = Json::object();
    for (const Operand& operand : operands_) buffers.add(operand.name, operand.json);
    return indented({{"buffers", buffers}, {"launches", launches_}});
  }

 private:
  [[nodiscard]] Json argument(ParameterKind kind, const std::byte* bytes) const {
    const auto value = [&]<class T>(T number) {
      std::memcpy(&number, bytes, sizeof number);
      return number;
    };
    switch (kind) {
      case ParameterKind::pointer:
        return pointer(value(DevicePointer{}));
      case ParameterKind::u8:
        return value(std::uint8_t{});
      case ParameterKind::u16:
        return value(std::uint16_t{});
      case ParameterKind::i32:
        return value(std::int32_t{});
      case ParameterKind::u32:
        return value(std::uint32_t{});
      case ParameterKind::i64:
        return value(std::int64_t{});
      case ParameterKind::u64:
        return value(std::uint64_t{});
      case ParameterKind::f32:
        return scalar("f32", value(0.0F));
      case ParameterKind::f64:
        return scalar("f64", value(0.0));
      case ParameterKind::tensor_map:
        return tensor_map(encoder_.requests[value(std::uint64_t{})]);
      case ParameterKind::bytes:
        break;
    }
    refuse(ErrorCode::unsupported, "--launch", "",
           "the kernel must take numbers, pointers and tensor maps");
  }

  static Json scalar(const char* type, double value) {
    return {{"kind", "scalar"}, {"dtype", type}, {"value", json_of(value)}};
  }
  [[nodiscard]] std::pair<std::string, Index> place(DevicePointer pointer) const {
    const auto found = std::ranges::find_if(
        operands_, [&](const Operand& each) { return each.base >> 44 == pointer >> 44; });
    if (found == operands_.end()) throw std::logic_error("an address of no operand");
    return {found->name, static_cast<Index>(pointer - found->base)};
  }
  [[nodiscard]] Json pointer(DevicePointer pointer) const {
    if (pointer == 0) return nullptr;
    const auto [name, offset] = place(pointer);
    if (offset == 0) return name;
    return {{"kind", "buffer"}, {"of", name}, {"offset_bytes", offset}};
  }
  [[nodiscard]] Json tensor_map(const RecordingEncoder::Request& request) const {
    constexpr std::array<std::string_view, 4> kSwizzles{"none", "32B", "64B", "128B"};
    const auto [name, offset] = place(request.base);
    const TensorMapSpec& spec = request.spec;
    Json map{{"kind", "tmap"}, {"of", name}};
    if (offset != 0) map.add("offset_bytes", offset);
    map.add("dtype", jute::name(spec.type));
    map.add("dims", Json::array(spec.dims));
    map.add("strides_bytes", Json::array(spec.strides_bytes));
    map.add("box", Json::array(spec.box));
    map.add("elem_strides", Json::array(spec.element_strides));
    map.add("swizzle", kSwizzles.at(static_cast<size_t>(spec.swizzle)));
    map.add("oob", spec.out_of_bounds == TmaOutOfBounds::nan ? "nan" : "zero");
    return map;
  }

  std::vector<Operand> operands_;
  const RecordingEncoder& encoder_;
  Json launches_ = Json::array();
};

/// The files of one folder, all of them or none.
class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {
    std::error_code failure;
    std::filesystem::create_directories(path_, failure);
  }
  [[nodiscard]] std::string at(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, std::string_view text) {
    files_.emplace_back(at(name)).write(text);
  }
  void write(const std::string& name, std::string_view descr, Index count,
             std::span<const std::byte> bytes) {
    NpyArray array{.descr = std::string(descr), .shape = {count}, .bytes = {}};
    array.bytes.assign(bytes.begin(), bytes.end());
    write_npy(files_.emplace_back(at(name)), array);
  }
  void commit() {
    for (OutputFile& file : files_) file.commit();
  }

 private:
  std::string path_;
  std::vector<OutputFile> files_;
};

/// What D must hold, element by element of its memory; gaps between rows are not judged.
struct ExpectedD {
  std::vector<double> value, bound;
};

ExpectedD expected_d(const GemmData& data, double u_acc) {
  const Problem& problem = data.problem;
  const Matrix& d = problem.d;
  const auto count = static_cast<size_t>(operand_bytes(problem).d / width_bytes(d.type));
  ExpectedD expected{std::vector<double>(count, 0.0),
                     std::vector<double>(count, std::numeric_limits<double>::infinity())};
  const MatrixElements element(d);
  const auto put = [&](Index batch, Index row, Index col, const Reference& from, size_t index) {
    const auto at = static_cast<size_t>(element(batch, row, col));
    expected.value[at] = from.value[index];
    expected.bound[at] = from.bound[index];
  };
  HostOperands operands{data.a, data.b, data.c};
  operands.inputs.assign(data.inputs.begin(), data.inputs.end());
  operands.input_values = data.input_values;
  operands.scale_a = data.scales.scale_a;
  operands.scale_b = data.scales.scale_b;
  operands.zero_a = data.scales.zero_a;
  operands.zero_b = data.scales.zero_b;
  size_t index = 0;
  if (is_judged_whole(problem)) {
    const Reference all = reference_gemm(problem, operands, kAlpha, kBeta, u_acc);
    for (Index batch = 0; batch < problem.batch; ++batch)
      for (Index row = 0; row < problem.m; ++row)
        for (Index col = 0; col < problem.n; ++col) put(batch, row, col, all, index++);
    return expected;
  }
  const auto elements = sample_elements(problem, kSampledElements, 1);
  const Reference some = reference_elements(problem, operands, elements, kAlpha, kBeta, u_acc);
  for (const ResultElement& each : elements) put(each.batch, each.row, each.col, some, index++);
  return expected;
}

/// Rows and columns where D has no gaps, else its memory in one dimension.
std::vector<Index> shape_of_d(const Problem& problem, Index count) {
  if (problem.d.view || count != problem.batch * problem.m * problem.n) return {count};
  std::vector<Index> shape{problem.m, problem.n};
  if (problem.d.order == Order::col) std::swap(shape[0], shape[1]);
  if (problem.batch > 1) shape.insert(shape.begin(), problem.batch);
  return shape;
}

Json file_memory(const std::string& file, DType type) {
  return {{"dtype", name(type)}, {"init", {{"npy", file}}}};
}

/// A, B, D and the workspace, written and described.
std::vector<Operand> write_operands(Folder& folder, const GemmData& data, const Plan& plan) {
  const Problem& problem = data.problem;
  std::vector<Operand> operands;
  const auto add = [&](const std::string& name, const Json& json) {
    operands.push_back({name, address_of(static_cast<int>(operands.size()) + 1), json});
  };
  const auto add_input = [&](const std::string& name, DType element,
                             const std::vector<std::byte>& bytes) {
    const DType type = is_stored_only(element) ? DType::u8 : element;
    const auto count = static_cast<Index>(bytes.size()) / width_bytes(type);
    folder.write(name + ".npy", npy_descr(type), count, bytes);
    add(name, file_memory(name + ".npy", type));
  };
  const auto add_numbers = [&](const std::optional<BlockValues>& numbers,
                               const std::vector<std::byte>& bytes, const char* name) {
    if (numbers) add_input(name, numbers->type, bytes);
  };
  add_input("a", problem.a.type, data.a);
  add_input("b", problem.b.type, data.b);
  add_numbers(problem.scale_a.scale, data.scales.scale_a, "scale_a");
  add_numbers(problem.scale_b.scale, data.scales.scale_b, "scale_b");
  add_numbers(problem.scale_a.zero, data.scales.zero_a, "zero_a");
  add_numbers(problem.scale_b.zero, data.scales.zero_b, "zero_b");
  if (reads_c(problem, kBeta)) add_input("c", problem.c.type, data.c);
  for (size_t i = 0; i < data.inputs.size(); ++i)
    if (!problem.epilogue->inputs[i].by_value)
      add_input(std::string(name(input_role(static_cast<int>(i)))),
                problem.epilogue->inputs[i].type, data.inputs[i]);
  const std::vector<Index> written = operand_bytes(problem).outputs;
  for (size_t i = 0; i < written.size(); ++i)
    if (written[i] > 0)
      add(std::string(name(output_role(static_cast<int>(i)))),
          {{"dtype", "u8"}, {"shape", written[i]}, {"init", "zeros"}});
  const ExpectedD expected = expected_d(data, roundoff(plan));
  const auto count = static_cast<Index>(expected.value.size());
  folder.write("d.npy", "<f8", count, std::as_bytes(std::span(expected.value)));
  folder.write("d_bound.npy", "<f8", count, std::as_bytes(std::span(expected.bound)));
  add("d", {{"dtype", name(problem.d.type)},
            {"shape", Json::array(shape_of_d(problem, count))},
            {"expect", {{"npy", "d.npy"}}},
            {"tolerance", {{"npy", "d_bound.npy"}}}});
  const Index bytes = workspace_bytes(plan);
  if (bytes == 0) return operands;
  Json workspace{{"dtype", "u8"}, {"shape", bytes}};
  if (zeroed_bytes(plan) > 0) workspace.add("init", "zeros");
  add("workspace", workspace);
  return operands;
}

}  // namespace

std::string write_gemm_launch(const BuildOptions& options, const std::string& folder_path,
                              const Session& session) {
  constexpr std::uint64_t kSeed = 1;
  const Plan plan = planned(options.problem, session);
  const std::vector<Source> sources = generate(plan, session.templates(session.settings()));
  const KernelCache cache(session.settings());
  const GemmData data = random_data(options.problem, {}, kSeed, Fill::normal);
  Folder folder(folder_path);
  const std::vector<Operand> operands = write_operands(folder, data, plan);
  RunValues run = run_values(plan.problem);
  run.alpha = kAlpha;
  run.beta = kBeta;
  for (const Operand& operand : operands) {
    if (operand.name == "a") run[TensorRole::a].base = operand.base;
    if (operand.name == "b") run[TensorRole::b].base = operand.base;
    if (operand.name == "c") run[TensorRole::c].base = operand.base;
    if (operand.name == "d") run[TensorRole::d].base = operand.base;
    if (operand.name == "workspace") run.workspace = operand.base;
    for (int i = 0; i < kTensorRoles; ++i)
      if (const auto role = static_cast<TensorRole>(i);
          role >= TensorRole::first_input && operand.name == name(role))
        run[role].base = operand.base;
  }
  // A tensor map needs memory also of a C that is not read.
  if (!reads_c(data.problem, kBeta)) run[TensorRole::c].base = run[TensorRole::d].base;
  RecordingEncoder encoder;
  LaunchWriter launches(operands, encoder);
  for (size_t i = 0; i < sources.size(); ++i) {
    const LaunchSpec spec = bind(plan, i, run, encoder);
    if (spec.grid.x == 0 || spec.grid.y == 0 || spec.grid.z == 0) continue;
    const Source& source = sources[i];
    folder.write(source.symbol + ".cu", source.text);
    folder.write(source.symbol + ".ptx", cache.get(source, Output::ptx).ptx);
    launches.add(source.symbol, spec);
  }
  folder.write("launch.json", launches.text());
  folder.commit();
  return folder.at("launch.json");
}

}  // namespace jute::command
