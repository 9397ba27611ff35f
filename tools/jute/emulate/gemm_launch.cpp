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
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "emulate/launch/launch_file.hpp"
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

/// A kernel's launch over the file's buffers.
class LaunchMaker {
 public:
  LaunchMaker(const std::vector<NamedBuffer>& buffers, const RecordingEncoder& encoder)
      : buffers_(buffers), encoder_(encoder) {}

  [[nodiscard]] NamedLaunch launch(const LaunchSpec& spec) const {
    NamedLaunch launch;
    launch.grid = spec.grid;
    launch.block = spec.block;
    launch.cluster = spec.cluster;
    launch.dynamic_smem_bytes = spec.dynamic_smem_bytes;
    launch.is_cooperative = spec.residency == Residency::whole_grid;
    launch.is_dependent = spec.order == LaunchOrder::overlap_previous;
    const ArgumentBlock& block = spec.arguments;
    for (size_t i = 0; i < block.kinds().size(); ++i)
      launch.arguments.push_back(argument(
          block.kinds()[i], block.bytes().subspan(static_cast<size_t>(block.offsets()[i]))));
    return launch;
  }

 private:
  [[nodiscard]] Argument argument(ParameterKind kind, std::span<const std::byte> bytes) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data(), std::min(bytes.size(), sizeof bits));
    if (kind == ParameterKind::pointer && bits == 0) return {{}, NullPointer{}};
    if (kind == ParameterKind::pointer) return {{}, place(bits)};
    if (kind == ParameterKind::tensor_map) {
      const auto& [spec, base] = encoder_.requests.at(bits);
      return {{}, TensorMapArgument{place(base), spec}};
    }
    const ElementType* const type = find_element_type(name(kind));
    if (type == nullptr)
      refuse(ErrorCode::unsupported, "--launch", "",
             "the kernel must take numbers, pointers and tensor maps");
    if (!type->is_integer()) return {{}, ScalarArgument{type, bits}};
    const long double value = decode(*type, bytes, 0);
    if (value < 0) return {{}, PlainNumber{static_cast<std::int64_t>(value)}};
    return {{}, PlainNumber{static_cast<std::uint64_t>(value)}};
  }
  [[nodiscard]] BufferAddress place(DevicePointer pointer) const {
    const NamedBuffer& buffer = buffers_.at((pointer >> kBitsOfOffset) - 1);
    return {buffer.name, static_cast<Index>(pointer & ((DevicePointer{1} << kBitsOfOffset) - 1))};
  }

  const std::vector<NamedBuffer>& buffers_;
  const RecordingEncoder& encoder_;
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
std::vector<NamedBuffer> write_operands(Folder& folder, const GemmData& data, const Plan& plan) {
  const Problem& problem = data.problem;
  std::vector<NamedBuffer> buffers;
  const auto add = [&](const std::string& name, std::string_view type, Contents contents,
                       std::optional<std::vector<Index>> shape) -> NamedBuffer& {
    return buffers.emplace_back(NamedBuffer{.name = name,
                                            .place = {},
                                            .type = find_element_type(type),
                                            .shape = std::move(shape),
                                            .contents = std::move(contents),
                                            .expect = {},
                                            .tolerance = {},
                                            .save = {}});
  };
  const auto file_of = [&](const std::string& name) {
    return FromFile{folder.at(name + ".npy"), true};
  };
  const auto add_input = [&](const std::string& name, DType element,
                             const std::vector<std::byte>& bytes) {
    const DType type = is_stored_only(element) ? DType::u8 : element;
    const auto count = static_cast<Index>(bytes.size()) / width_bytes(type);
    folder.write(name + ".npy", npy_descr(type), count, bytes);
    add(name, jute::name(type), file_of(name), {});
  };
  const FillNumber zeros{std::int64_t{0}};
  const OperandBytes bytes = operand_bytes(problem);
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem, role);
    if (matrix == nullptr || role == TensorRole::d) continue;
    if (!is_written(role) && (role != TensorRole::c || reads_c(problem, kBeta)))
      add_input(std::string(name(role)), matrix->type, data.memory[role]);
    if (is_written(role) && bytes[role] > 0)
      add(std::string(name(role)), "u8", zeros, {{bytes[role]}});
  }
  const ExpectedD expected = expected_d(data, roundoff(plan));
  const auto count = static_cast<Index>(expected.value.size());
  folder.write("d.npy", "<f8", count, std::as_bytes(std::span(expected.value)));
  folder.write("d_bound.npy", "<f8", count, std::as_bytes(std::span(expected.bound)));
  NamedBuffer& d = add("d", name(problem.d.type), Unset{}, shape_of_d(problem, count));
  d.expect = file_of("d");
  d.tolerance.npy = file_of("d_bound").path;
  if (const Index size = workspace_bytes(plan); size > 0)
    add("workspace", "u8", zeroed_bytes(plan) > 0 ? Contents(zeros) : Unset{}, {{size}});
  return buffers;
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
  LaunchFile file{.path = folder.at("launch.json"),
                  .compile = {},
                  .buffers = write_operands(folder, data, plan),
                  .globals = {},
                  .launches = {}};
  RunValues run = run_values(plan.problem);
  run.alpha = kAlpha;
  run.beta = kBeta;
  for (size_t place = 0; place < file.buffers.size(); ++place) {
    const std::string& buffer = file.buffers[place].name;
    const DevicePointer base = (DevicePointer{place} + 1) << kBitsOfOffset;
    if (buffer == "workspace") run.workspace = base;
    for (int i = 0; i < kTensorRoles; ++i)
      if (const auto role = static_cast<TensorRole>(i); buffer == name(role)) run[role].base = base;
  }
  // A tensor map needs memory also of a C that is not read.
  if (!reads_c(data.problem, kBeta)) run[TensorRole::c].base = run[TensorRole::d].base;
  RecordingEncoder encoder;
  const LaunchMaker maker(file.buffers, encoder);
  for (size_t i = 0; i < sources.size(); ++i) {
    const LaunchSpec spec = bind(plan, i, run, encoder);
    if (spec.grid.x == 0 || spec.grid.y == 0 || spec.grid.z == 0) continue;
    const Source& source = sources[i];
    folder.write(source.symbol + ".cu", source.text);
    folder.write(source.symbol + ".ptx", cache.get(source, Output::ptx).ptx);
    NamedLaunch& launch = file.launches.emplace_back(maker.launch(spec));
    launch.kernel = source.symbol;
    launch.module = folder.at(source.symbol + ".ptx");
  }
  folder.write("launch.json", indented(launch_json(file, file.path)));
  folder.commit();
  return file.path;
}

}  // namespace jute::command
