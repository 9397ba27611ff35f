// cuBLASLt's candidates and cublasGemmEx as contestants.
#include "bench/peers/peers.hpp"

#include <jute/host/operands.hpp>

#include "bench/peers/blas_problem.hpp"
#include "bench/peers/lt_candidates.hpp"
#include "bench/peers/lt_epilogue.hpp"
#include "bench/peers/plain_parts.hpp"

namespace jute::bench {
namespace {

constexpr size_t kBlasWorkspaceBytes = size_t{32} << 20;  // what cuBLAS itself takes on Hopper

void* address(DevicePointer pointer) { return reinterpret_cast<void*>(pointer); }

/// An object of cuBLASLt that is destroyed with its owner.
template <class Handle>
std::shared_ptr<std::remove_pointer_t<Handle>> owned(Handle handle, BlasStatus (*destroy)(Handle)) {
  return {handle, [destroy](Handle object) { (void)destroy(object); }};
}

LtMatrix new_matrix(const LtApi& api, const BlasMatrix& matrix, Index batch) {
  LtMatrix handle = nullptr;
  api.require("cublasLtMatrixLayoutCreate",
              api.matrix_create(&handle, matrix.type, static_cast<std::uint64_t>(matrix.rows),
                                static_cast<std::uint64_t>(matrix.cols), matrix.ld));
  if (batch <= 1) return handle;
  const auto count = static_cast<std::int32_t>(batch);
  const std::int64_t stride = matrix.batch_stride;
  (void)api.matrix_set(handle, kLayoutBatchCount, &count, sizeof count);
  (void)api.matrix_set(handle, kLayoutBatchStride, &stride, sizeof stride);
  return handle;
}

int number(const LtApi& api, const LtAlgorithm& algorithm, LtAttribute attribute) {
  int value = -1;
  size_t written = 0;
  (void)api.algorithm_get(&algorithm, attribute, &value, sizeof value, &written);
  return value;
}

LtNumbers numbers_of(const LtApi& api, const LtAlgorithm& algorithm) {
  return {.id = number(api, algorithm, kAlgorithmId),
          .tile = number(api, algorithm, kAlgorithmTile),
          .stages = number(api, algorithm, kAlgorithmStages),
          .splits = number(api, algorithm, kAlgorithmSplits)};
}

bool is_float8(int type) { return type == kBlasE4m3 || type == kBlasE5m2; }

BlasStatus gemm_ex(const BlasApi& api, BlasHandle handle, const BlasProblem& p,
                   const Operands& operands) {
  const auto narrow = [](Index value) { return static_cast<int>(value); };
  const BlasMatrix &first = p.first, &second = p.second, &d = p.d;
  void* const left = address(p.is_swapped ? operands[TensorRole::b] : operands[TensorRole::a]);
  void* const right = address(p.is_swapped ? operands[TensorRole::a] : operands[TensorRole::b]);
  void* const result = address(operands[TensorRole::d]);
  const int m = narrow(p.m), n = narrow(p.n), k = narrow(p.k);
  if (p.batch == 1)
    return api.gemm(handle, first.operation, second.operation, m, n, k, p.alpha.bytes, left,
                    first.type, narrow(first.ld), right, second.type, narrow(second.ld),
                    p.beta.bytes, result, d.type, narrow(d.ld), p.compute, kDefaultAlgorithm);
  return api.gemm_strided(handle, first.operation, second.operation, m, n, k, p.alpha.bytes, left,
                          first.type, narrow(first.ld), first.batch_stride, right, second.type,
                          narrow(second.ld), second.batch_stride, p.beta.bytes, result, d.type,
                          narrow(d.ld), d.batch_stride, narrow(p.batch), p.compute,
                          kDefaultAlgorithm);
}

/// Where the group's operands lie.
Operands operands_of(const PlainPart& part, const Operands& all) {
  Operands own = all;
  own[TensorRole::a] += static_cast<DevicePointer>(part.a);
  own[TensorRole::b] += static_cast<DevicePointer>(part.b);
  own[TensorRole::c] += static_cast<DevicePointer>(part.c);
  own[TensorRole::d] += static_cast<DevicePointer>(part.d);
  return own;
}

Contestant peer(const std::string& name, const Case& each) {
  Contestant contestant;
  contestant.side = Side::peer;
  contestant.name = name;
  contestant.roundoff = blas_roundoff(each.problem);
  return contestant;
}

}  // namespace

/// One problem in cuBLASLt's objects.
struct Peers::LtCase {
  LtCase(const LtApi& table, const BlasProblem& words, std::optional<LtEpilogue> own,
         DevicePointer scale, bool accumulates_fast)
      : api(table), problem(words), epilogue(std::move(own)) {
    LtOperation handle = nullptr;
    api.require("cublasLtMatmulDescCreate",
                api.operation_create(&handle, problem.compute, problem.scale));
    operation = owned(handle, api.operation_destroy);
    set(kOperationTransposeA, static_cast<std::int32_t>(problem.first.operation));
    set(kOperationTransposeB, static_cast<std::int32_t>(problem.second.operation));
    if (is_float8(problem.first.type)) {
      set(kOperationScaleA, address(scale));
      set(kOperationScaleB, address(scale));
      set(kOperationFastAccumulation, std::int8_t{accumulates_fast});
    }
    if (epilogue) set_epilogue();
    first = owned(new_matrix(api, problem.first, problem.batch), api.matrix_destroy);
    second = owned(new_matrix(api, problem.second, problem.batch), api.matrix_destroy);
    c = owned(new_matrix(api, problem.c, problem.batch), api.matrix_destroy);
    d = owned(new_matrix(api, problem.d, problem.batch), api.matrix_destroy);
  }

  template <class Value>
  void set(LtAttribute attribute, const Value& value) const {
    api.require("cublasLtMatmulDescSetAttribute",
                api.operation_set(operation.get(), attribute, &value, sizeof value));
  }

  void set_epilogue() const {
    set(kOperationEpilogue, static_cast<std::int32_t>(epilogue->value));
    const auto set_known = [&](LtAttribute attribute, const auto& value) {
      if (value) set(attribute, *value);
    };
    set_known(kOperationBiasType, epilogue->bias_type);
    set_known(kOperationBiasBatchStride, epilogue->bias_batch_stride);
    set_known(kOperationAuxType, epilogue->aux_type);
    set_known(kOperationAuxLd, epilogue->aux_ld);
    set_known(kOperationAuxBatchStride, epilogue->aux_batch_stride);
  }

  /// Where the epilogue's operands lie in the launch that follows: a launch keeps what it finds.
  void point(const Operands& operands) const {
    if (!epilogue) return;
    for (const LtPointer& each : epilogue->pointers)
      set(each.attribute,
          address(operands[each.is_output ? output_role(static_cast<int>(each.place))
                                          : input_role(static_cast<int>(each.place))]));
  }

  /// The peers for operands that lie as these do.
  [[nodiscard]] std::vector<LtChoice> choices(LtHandle lt, const Operands& example) const {
    std::vector<LtChoice> all;
    point(example);
    for (const size_t bytes : kLtWorkspaces) {
      LtPreference preference = nullptr;
      api.require("cublasLtMatmulPreferenceCreate", api.preference_create(&preference));
      const auto owner = owned(preference, api.preference_destroy);
      (void)api.preference_set(preference, kPreferenceWorkspaceBytes, &bytes, sizeof bytes);
      std::vector<LtChoice> some(kLtMostCandidates);
      int found = 0;
      // A status other than success: it has no algorithm for this.
      if (api.heuristic(lt, operation.get(), first.get(), second.get(), c.get(), d.get(),
                        preference, kLtMostCandidates, some.data(), &found) == 0)
        all.insert(all.end(), some.begin(), some.begin() + found);
    }
    return distinct(all);
  }

  void run(LtHandle lt, const LtAlgorithm& algorithm, const Operands& operands, void* workspace,
           size_t bytes, BlasStream stream) const {
    point(operands);
    void* const result = address(operands[TensorRole::d]);
    const void* const added = problem.reads_c ? address(operands[TensorRole::c]) : result;
    api.require(
        "cublasLtMatmul",
        api.matmul(lt, operation.get(), problem.alpha.bytes,
                   address(problem.is_swapped ? operands[TensorRole::b] : operands[TensorRole::a]),
                   first.get(),
                   address(problem.is_swapped ? operands[TensorRole::a] : operands[TensorRole::b]),
                   second.get(), problem.beta.bytes, added, c.get(), result, d.get(), &algorithm,
                   workspace, bytes, stream));
  }

  const LtApi& api;
  BlasProblem problem;
  std::optional<LtEpilogue> epilogue;
  std::shared_ptr<std::remove_pointer_t<LtOperation>> operation;
  std::shared_ptr<std::remove_pointer_t<LtMatrix>> first, second, c, d;
};

/// A group's call, and the ways that it may be made in.
struct Peers::LtPartOfLoop {
  std::shared_ptr<const LtCase> lt_case;
  std::vector<LtChoice> choices;
  PlainPart part;
};

Peers::Peers(Backend& backend, Cublas library)
    : backend_(backend),
      library_(std::move(library)),
      workspace_(backend, static_cast<Index>(kLtWorkspaces[0])),
      one_(backend, sizeof(float)) {
  library_.lt.require("cublasLtCreate", library_.lt.create(&lt_));
  if (library_.blas) library_.lt.require("cublasCreate", library_.blas->create(&blas_));
  const float one = 1.0f;
  backend_.copy_in(one_.pointer(), std::as_bytes(std::span(&one, 1)));
  backend_.synchronize();
}

Peers::~Peers() {
  if (blas_ != nullptr) (void)library_.blas->destroy(blas_);
  if (lt_ != nullptr) (void)library_.lt.destroy(lt_);
}

std::string Peers::description() const {
  const size_t version = library_.lt.version();  // 130100 is 13.1.0
  return "cuBLASLt " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100) + " (" + library_.lt.path() + ")";
}

std::vector<Contestant> Peers::contestants(const Case& each, const Operands& example,
                                           Stream stream) {
  std::vector<Contestant> all;
  auto* const handle = reinterpret_cast<BlasStream>(stream.handle);
  if (each.problem.groups)
    add_loop(all, each, handle);
  else
    add_lt(all, each, example, handle);
  if (library_.blas && !each.problem.epilogue) add_blas(all, each, handle);
  return all;
}

void Peers::add_lt(std::vector<Contestant>& all, const Case& each, const Operands& example,
                   BlasStream stream) {
  const auto words = blas_problem(each.problem, each.alpha, each.beta);
  std::optional<LtEpilogue> epilogue;
  if (each.problem.epilogue) epilogue = lt_epilogue(each.problem);
  if (!words || epilogue.has_value() != each.problem.epilogue.has_value()) return;
  const auto lt_case = std::make_shared<const LtCase>(library_.lt, *words, epilogue, one_.pointer(),
                                                      each.accumulates_fast);
  const std::vector<LtChoice> choices = lt_case->choices(lt_, example);
  for (size_t i = 0; i < choices.size(); ++i)
    for (const LtWorkspace form : forms(choices[i])) {
      const LtAlgorithm algorithm = choices[i].algorithm;
      const bool given = form == LtWorkspace::given;
      Contestant contestant = peer(lt_name(i, numbers_of(library_.lt, algorithm), form), each);
      contestant.enqueue = [this, lt_case, algorithm, given, stream](const Operands& operands) {
        lt_case->run(lt_, algorithm, operands, given ? address(workspace_.pointer()) : nullptr,
                     given ? kLtWorkspaces[0] : 0, stream);
      };
      all.push_back(std::move(contestant));
    }
}

void Peers::add_loop(std::vector<Contestant>& all, const Case& each, BlasStream stream) {
  // The heuristic takes addresses for multiples of 256 bytes.
  constexpr Index kLtAlignment = 256;
  if (each.problem.epilogue) return;
  std::vector<LtPartOfLoop> loop;
  size_t most = kLtMostCandidates;
  for (PlainPart& part : plain_parts(each.problem, usual_groups(each.problem))) {
    const auto words = blas_problem(part.problem, each.alpha, each.beta);
    if (!words || (part.a | part.b | part.c | part.d) % kLtAlignment != 0) return;
    if (!loop.empty() && loop.back().part.problem == part.problem) {
      loop.push_back({loop.back().lt_case, loop.back().choices, std::move(part)});
      continue;
    }
    const auto lt_case = std::make_shared<const LtCase>(library_.lt, *words, std::nullopt,
                                                        one_.pointer(), each.accumulates_fast);
    loop.push_back({lt_case, lt_case->choices(lt_, {}), std::move(part)});
    most = std::min(most, loop.back().choices.size());
  }
  for (size_t i = 0; !loop.empty() && i < most; ++i) {
    const LtNumbers numbers = numbers_of(library_.lt, loop.front().choices[i].algorithm);
    Contestant contestant = peer(
        "loop of " + std::to_string(loop.size()) + ", " + lt_name(i, numbers, LtWorkspace::given),
        each);
    contestant.enqueue = [this, loop, i, stream](const Operands& operands) {
      for (const LtPartOfLoop& one : loop)
        one.lt_case->run(lt_, one.choices[i].algorithm, operands_of(one.part, operands),
                         address(workspace_.pointer()), kLtWorkspaces[0], stream);
    };
    all.push_back(std::move(contestant));
  }
}

void Peers::add_blas(std::vector<Contestant>& all, const Case& each, BlasStream stream) {
  const auto words = blas_problem(each.problem, each.alpha, each.beta);
  // It adds to C in place, where a race would add to the sum of the last launch.
  if (!words || words->reads_c || is_float8(words->first.type)) return;
  for (const bool with_workspace : {true, false}) {
    Contestant contestant =
        peer(with_workspace ? "cublasGemmEx" : "cublasGemmEx, no workspace", each);
    contestant.enqueue = [this, p = *words, with_workspace, stream](const Operands& operands) {
      const BlasApi& api = *library_.blas;
      const LtApi& lt = library_.lt;
      lt.require("cublasSetStream", api.set_stream(blas_, stream));
      lt.require("cublasSetWorkspace",
                 api.set_workspace(blas_, with_workspace ? address(workspace_.pointer()) : nullptr,
                                   with_workspace ? kBlasWorkspaceBytes : 0));
      lt.require("cublasGemmEx", gemm_ex(api, blas_, p, operands));
    };
    all.push_back(std::move(contestant));
  }
}

OpenPeers find_peers(const CublasPlaces& places) {
  std::optional<Cublas> library = find_cublas(places);
  if (!library) return {};
  return [library = *std::move(library)](Backend& backend) {
    const auto peers = std::make_shared<Peers>(backend, library);
    return PeerLibraries{
        .description = peers->description(),
        .contestants = [peers](const Case& each, const Operands& example, Stream stream) {
          return peers->contestants(each, example, stream);
        }};
  };
}

}  // namespace jute::bench
