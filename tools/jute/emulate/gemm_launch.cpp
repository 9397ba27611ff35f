// From a plan to a launch file: the launches that a run would make, their addresses as names.
#include "emulate/gemm_launch.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/host/matrix_elements.hpp>
#include <jute/jit/cache.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "emulate/launch/launch_words.hpp"
#include "files/files.hpp"
#include "files/npy_file.hpp"
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

/// Stands for the address of a buffer, by its place in the file: the part above so many bits.
constexpr int kBitsOfOffset = 44;

/// The file's memory, in its order.
struct Memories {
  std::vector<std::string> names;
  Json json = Json::object();

  void add(const std::string& name, const Json& memory) {
    names.push_back(name);
    json.add(name, memory);
  }
  [[nodiscard]] const std::string& name_at(DevicePointer pointer) const {
    return names.at((pointer >> kBitsOfOffset) - 1);
  }
};
Index offset_in(DevicePointer pointer) {
  return static_cast<Index>(pointer & ((DevicePointer{1} << kBitsOfOffset) - 1));
}

Json map_json(const TensorMapSpec& spec, DevicePointer base, const Memories& memories) {
  constexpr std::array<std::string_view, 4> kSwizzles{"none", "32B", "64B", "128B"};
  Json json{{"kind", "tmap"},
            {"of", memories.name_at(base)},
            {"dtype", name(spec.type)},
            {"dims", Json::array(spec.dims)},
            {"strides_bytes", Json::array(spec.strides_bytes)},
            {"box", Json::array(spec.box)},
            {"elem_strides", Json::array(spec.element_strides)},
            {"swizzle", kSwizzles.at(static_cast<size_t>(spec.swizzle))},
            {"oob", spec.out_of_bounds == TmaOutOfBounds::nan ? "nan" : "zero"}};
  if (const Index offset = offset_in(base); offset != 0) json.add("offset_bytes", offset);
  return json;
}

Json argument_json(ParameterKind kind, std::span<const std::byte> bytes, const Memories& memories,
                   const RecordingEncoder& encoder) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
  if (kind == ParameterKind::pointer && bits == 0) return {};
  if (kind == ParameterKind::pointer) return address_json(memories.name_at(bits), offset_in(bits));
  if (kind == ParameterKind::tensor_map) {
    const auto& [spec, base] = encoder.requests.at(bits);
    return map_json(spec, base, memories);
  }
  const ElementType* const type = find_element_type(name(kind));
  if (type == nullptr)
    refuse(ErrorCode::unsupported, "--launch", "",
           "the kernel must take numbers, pointers and tensor maps");
  const long double value = decode(*type, bytes, 0);
  if (!type->is_integer())
    return {
        {"kind", "scalar"}, {"dtype", type->name}, {"value", spelled(static_cast<double>(value))}};
  return value < 0 ? Json(static_cast<std::int64_t>(value))
                   : Json(static_cast<std::uint64_t>(value));
}

/// A kernel's launch over the file's memory.
Json launch_json(const std::string& kernel, const LaunchSpec& spec, const Memories& memories,
                 const RecordingEncoder& encoder) {
  Json json{{"kernel", kernel},
            {"module", kernel + ".ptx"},
            {"grid", to_json(spec.grid)},
            {"block", to_json(spec.block)}};
  if (!(spec.cluster == Dim3{})) json.add("cluster", to_json(spec.cluster));
  if (spec.dynamic_smem_bytes != 0) json.add("dynamic_smem_bytes", spec.dynamic_smem_bytes);
  if (spec.residency == Residency::whole_grid) json.add("cooperative", true);
  if (spec.order == LaunchOrder::overlap_previous) json.add("dependent", true);
  Json arguments = Json::array();
  const ArgumentBlock& block = spec.arguments;
  for (size_t i = 0; i < block.kinds().size(); ++i)
    arguments.push_back(argument_json(
        block.kinds()[i], block.bytes().subspan(static_cast<size_t>(block.offsets()[i])), memories,
        encoder));
  json.add("args", arguments);
  return json;
}

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

/// The expected D, element by element of its memory; gaps between rows are not judged.
struct ExpectedD {
  std::vector<double> value, bound;
};

ExpectedD expected_d(const GemmData& data, double u_acc) {
  const Problem& problem = data.problem;
  const Matrix& d = problem.d;
  const auto count =
      static_cast<size_t>(operand_bytes(problem)[TensorRole::d] / width_bytes(d.type));
  ExpectedD expected{std::vector<double>(count, 0.0),
                     std::vector<double>(count, std::numeric_limits<double>::infinity())};
  const MatrixElements element(d);
  const auto put = [&](Index batch, Index row, Index col, const Reference& from, size_t index) {
    const auto at = static_cast<size_t>(element(batch, row, col));
    expected.value[at] = from.value[index];
    expected.bound[at] = from.bound[index];
  };
  const ExpectedResult result =
      expected_result(problem, host_operands(data), {kAlpha, kBeta, u_acc}, judged_part(problem));
  size_t index = 0;
  if (result.sample) {
    for (const ResultElement& each : *result.sample)
      put(each.batch, each.row, each.col, result.reference, index++);
    return expected;
  }
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index row = 0; row < problem.m; ++row)
      for (Index col = 0; col < problem.n; ++col) put(batch, row, col, result.reference, index++);
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

/// A, B, D and the workspace, written and described.
Memories write_operands(Folder& folder, const GemmData& data, const Plan& plan) {
  const Problem& problem = data.problem;
  Memories memories;
  const auto add_input = [&](const std::string& name, DType element,
                             const std::vector<std::byte>& bytes) {
    const DType type = is_stored_only(element) ? DType::u8 : element;
    const auto count = static_cast<Index>(bytes.size()) / width_bytes(type);
    folder.write(name + ".npy", npy_descr(type), count, bytes);
    memories.add(name, {{"dtype", jute::name(type)}, {"init", {{"npy", name + ".npy"}}}});
  };
  const auto add_bytes = [&](std::string_view name, Index bytes, bool is_cleared) {
    Json memory{{"dtype", "u8"}, {"shape", Json::array({bytes})}};
    if (is_cleared) memory.add("init", "zeros");
    if (bytes > 0) memories.add(std::string(name), memory);
  };
  const OperandBytes bytes = operand_bytes(problem);
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem, role);
    if (matrix == nullptr || role == TensorRole::d) continue;
    if (!is_written(role) && (role != TensorRole::c || reads_c(problem, kBeta)))
      add_input(std::string(name(role)), matrix->type, data.memory[role]);
    if (is_written(role)) add_bytes(name(role), bytes[role], true);
  }
  const ExpectedD expected = expected_d(data, roundoff(plan));
  const auto count = static_cast<Index>(expected.value.size());
  folder.write("d.npy", "<f8", count, std::as_bytes(std::span(expected.value)));
  folder.write("d_bound.npy", "<f8", count, std::as_bytes(std::span(expected.bound)));
  memories.add("d", {{"dtype", name(problem.d.type)},
                     {"shape", Json::array(shape_of_d(problem, count))},
                     {"expect", {{"npy", "d.npy"}}},
                     {"tolerance", {{"npy", "d_bound.npy"}}}});
  add_bytes("workspace", workspace_bytes(plan), zeroed_bytes(plan) > 0);
  return memories;
}

}  // namespace

std::string write_gemm_launch(const BuildOptions& options, const std::string& folder_path,
                              const Session& session) {
  constexpr std::uint64_t kSeed = 1;
  const Plan plan = planned(options.problem, session);
  const std::vector<Source> sources = generate(plan, session.templates(session.settings()));
  const KernelCache cache(session.settings());
  const GemmData data = random_data(options.problem, {}, kSeed, RandomKind::normal);
  Folder folder(folder_path);
  const Memories memories = write_operands(folder, data, plan);
  RunValues run = run_values(plan.problem);
  run.alpha = kAlpha;
  run.beta = kBeta;
  for (size_t place = 0; place < memories.names.size(); ++place) {
    const std::string& memory = memories.names[place];
    const DevicePointer base = (DevicePointer{place} + 1) << kBitsOfOffset;
    if (memory == "workspace") run.workspace = base;
    for (int i = 0; i < kTensorRoles; ++i)
      if (const auto role = static_cast<TensorRole>(i); memory == name(role)) run[role].base = base;
  }
  // A tensor map needs memory also of a C that is not read.
  if (!reads_c(data.problem, kBeta)) run[TensorRole::c].base = run[TensorRole::d].base;
  RecordingEncoder encoder;
  Json launches = Json::array();
  for (size_t i = 0; i < sources.size(); ++i) {
    const LaunchSpec spec = bind(plan, i, run, encoder);
    if (spec.grid.x == 0 || spec.grid.y == 0 || spec.grid.z == 0) continue;
    const Source& source = sources[i];
    folder.write(source.symbol + ".cu", source.text);
    folder.write(source.symbol + ".ptx", cache.get(source, Output::ptx).ptx);
    launches.push_back(launch_json(source.symbol, spec, memories, encoder));
  }
  folder.write("launch.json", indented({{"buffers", memories.json}, {"launches", launches}}));
  folder.commit();
  return folder.at("launch.json");
}

}  // namespace jute::command
