// Holds an exported bundle's launcher to Gemm::run on the first GPU, bit by bit:
//
//   jute export bench/bits.problems -o bits --name bits --arch sm_90a --later none
//   cc -std=c99 -O2 -c bits/bits.c
//   c++ -std=c++20 -DBUNDLE=bits -Ibits -Iinclude bench/bundle_bits.cpp bits.o libjute.a -ldl -o
//   bundle_bits
//   ./bundle_bits bits 20
//
// Every product with its least and most rows and so many others, at random, over the same operands.
// Nothing is said of speed. Ends with 1 where a bit differs.
#include <jute/jute.hpp>

#include <dlfcn.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define BUNDLED(name) PASTE(BUNDLE, name)
#define QUOTE2(text) #text
#define QUOTE(text) QUOTE2(text)
#include QUOTE(BUNDLE.h)

namespace jute::bench {
namespace {

[[noreturn]] void fail(const char* what, const char* why) {
  std::fprintf(stderr, "bundle_bits: %s: %s\n", what, why);
  std::exit(2);
}

template <class Function>
Function driver(const char* name) {
  void* const library = ::dlopen("libcuda.so.1", RTLD_NOW);
  void* const found = library == nullptr ? nullptr : ::dlsym(library, name);
  if (found == nullptr) fail(name, ::dlerror());
  return reinterpret_cast<Function>(found);
}

/// The context of the device that jute adopts, too.
void enter_primary_context() {
  void* context = nullptr;
  if (driver<int (*)(unsigned)>("cuInit")(0) != 0 ||
      driver<int (*)(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0) != 0 ||
      driver<int (*)(void*)>("cuCtxSetCurrent")(context) != 0)
    fail("libcuda.so.1", "there is no context");
}

/// Device memory with random values, or with every byte 0xAA.
class Operand {
 public:
  Operand(Backend& backend, Index bytes)
      : backend_(&backend), held_(static_cast<std::size_t>(bytes), std::byte{0xAA}) {
    if (bytes > 0) buffer_ = Buffer(backend, bytes);
    reset();
  }
  Operand(Backend& backend, Index bytes, DType type, std::mt19937_64& random)
      : Operand(backend, bytes) {
    held_ = random_bytes(type, bytes, random(), RandomKind::normal);
    reset();
  }
  void reset() {
    if (!held_.empty()) backend_->copy_in(buffer_.pointer(), held_);
  }
  [[nodiscard]] std::vector<std::byte> now() const {
    std::vector<std::byte> bytes(held_.size());
    if (!bytes.empty()) backend_->copy_out(bytes, buffer_.pointer());
    return bytes;
  }
  [[nodiscard]] DevicePointer pointer() const { return buffer_.pointer(); }

 private:
  Backend* backend_;
  std::vector<std::byte> held_;
  Buffer buffer_;
};

/// One product of the bundle and the same of jute's, over operands that both read.
class Pair {
 public:
  Pair(Context& context, const BUNDLED(_bundle) * bundle, int place, std::mt19937_64& random)
      : bundle_(bundle),
        place_(place),
        backend_(context.backend()),
        problem_(completed(parse_problem(BUNDLED(_problem)(place)))),
        gemm_(prepare(context, problem_)),
        bytes_(operand_bytes(problem_)),
        a_(backend_, bytes_[TensorRole::a], problem_.a.type, random),
        b_(backend_, bytes_[TensorRole::b], problem_.b.type, random),
        c_(backend_, problem_.beta == Factor::zero ? 0 : bytes_[TensorRole::d], problem_.d.type,
           random),
        d_(backend_, bytes_[TensorRole::d]) {
    BUNDLED(_defaults)(place, &launched_);
    launched_.a = run_.a = a_.pointer();
    launched_.b = run_.b = b_.pointer();
    launched_.c = run_.c = c_.pointer();
    launched_.d = run_.d = d_.pointer();
    if (!problem_.epilogue) {
      const bool whole = is_integer(problem_.d.type);
      launched_.alpha = run_.alpha = whole ? 3 : 1.25;
      launched_.beta = run_.beta = whole ? 2 : 0.5;
    }
    add_inputs(random);
    add_numbers(random);
    add_workspaces();
  }

  [[nodiscard]] std::vector<Index> rows(int more, std::mt19937_64& random) const {
    if (!problem_.m_range) return {problem_.m};
    std::vector<Index> all{problem_.m_range->first, problem_.m_range->last};
    std::uniform_int_distribution<Index> any(all[0], all[1]);
    for (int i = 0; i < more; ++i) all.push_back(any(random));
    return all;
  }

  /// How many bytes of D differ.
  long differing(Index m) {
    BUNDLED(_error) error;
    run_.m = m;
    launched_.m = m;
    d_.reset();
    if (BUNDLED(_run)(bundle_, place_, &launched_, nullptr, &error) != 0) fail("run", error.text);
    backend_.synchronize();
    const std::vector<std::byte> by_launcher = d_.now();
    d_.reset();
    gemm_.run(run_);
    backend_.synchronize();
    const std::vector<std::byte> by_jute = d_.now();
    long count = 0;
    for (std::size_t i = 0; i < by_jute.size(); ++i) count += by_jute[i] != by_launcher[i];
    return count;
  }
  [[nodiscard]] std::size_t kernels() const { return gemm_.plans().size(); }

 private:
  void add_inputs(std::mt19937_64& random) {
    if (!problem_.epilogue) return;
    const auto& named = problem_.epilogue->expression.inputs;
    for (std::size_t i = 0; i < named.size(); ++i) {
      others_.emplace_back(backend_, bytes_[input_role(static_cast<int>(i))],
                           problem_.epilogue->inputs[i].type, random);
      run_.inputs[i].base = others_.back().pointer();
      const int there = BUNDLED(_input)(place_, named[i].name.c_str());
      if (there < 0) fail("input", named[i].name.c_str());
      launched_.inputs[there].address = others_.back().pointer();
    }
  }
  /// As the launcher counts them: scales of A and B, zero points of A and B.
  void add_numbers(std::mt19937_64& random) {
    const std::optional<BlockValues>* all[] = {&problem_.scale_a.scale, &problem_.scale_b.scale,
                                               &problem_.scale_a.zero, &problem_.scale_b.zero};
    const Index bytes[] = {bytes_[TensorRole::scale_a], bytes_[TensorRole::scale_b],
                           bytes_[TensorRole::zero_a], bytes_[TensorRole::zero_b]};
    DevicePointer* const given[] = {&run_.scale_a, &run_.scale_b, &run_.zero_a, &run_.zero_b};
    for (std::size_t i = 0; i < 4; ++i) {
      if (!*all[i]) continue;
      others_.emplace_back(backend_, bytes[i], (*all[i])->type, random);
      *given[i] = launched_.numbers[i].address = others_.back().pointer();
    }
  }
  void add_workspaces() {
    BUNDLED(_error) error;
    others_.emplace_back(backend_, gemm_.workspace_bytes());
    run_.workspace = others_.back().pointer();
    gemm_.clear_workspace(run_.workspace);
    others_.emplace_back(backend_, static_cast<Index>(BUNDLED(_workspace_bytes)(bundle_, place_)));
    launched_.workspace = others_.back().pointer();
    if (BUNDLED(_clear_workspace)(bundle_, place_, launched_.workspace, nullptr, &error) != 0)
      fail("clear_workspace", error.text);
  }

  const BUNDLED(_bundle) * bundle_;
  int place_;
  Backend& backend_;
  Problem problem_;
  Gemm gemm_;
  OperandBytes bytes_;
  Operand a_, b_, c_, d_;
  std::vector<Operand> others_;
  GemmArgs run_;
  BUNDLED(_args) launched_;
};

int compare(const char* folder, int more) {
  enter_primary_context();
  ContextOptions options;
  options.device = DeviceChoice::cuda;
  Context context(options);
  BUNDLED(_error) error;
  BUNDLED(_bundle)* const bundle = BUNDLED(_open)(folder, &error);
  if (bundle == nullptr) fail("open", error.text);
  std::mt19937_64 random(1);
  long wrong = 0;
  for (int place = 0; place < BUNDLED(_problems); ++place) {
    Pair pair(context, bundle, place, random);
    const std::vector<Index> rows = pair.rows(more, random);
    long differ = 0;
    for (const Index m : rows) differ += pair.differing(m) != 0;
    std::printf("%s: %zu kernels, %zu runs, %ld differ\n", BUNDLED(_problem)(place), pair.kernels(),
                rows.size(), differ);
    wrong += differ;
  }
  std::printf("%s by %s: %ld runs differ\n", QUOTE(BUNDLE), BUNDLED(_target)(bundle), wrong);
  BUNDLED(_close)(bundle);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace jute::bench

int main(int count, char** words) {
  if (count < 2) {
    std::fprintf(stderr, "usage: bundle_bits FOLDER [MORE ROWS]\n");
    return 2;
  }
  try {
    return jute::bench::compare(words[1], count > 2 ? std::max(0, std::atoi(words[2])) : 8);
  } catch (const std::exception& exception) {
    jute::bench::fail("refused", exception.what());
  }
}
