#pragma once
// The C interface as tests call it.
#include <jute/jute.h>

#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace jute::test {

/// Handles that free themselves.
struct FreesHandle {
  void operator()(jute_text* handle) const { CHECK(jute_text_free(handle) == JUTE_OK); }
  void operator()(jute_layout* handle) const { CHECK(jute_layout_free(handle) == JUTE_OK); }
  void operator()(jute_context* handle) const { CHECK(jute_context_free(handle) == JUTE_OK); }
  void operator()(jute_problem* handle) const { CHECK(jute_problem_free(handle) == JUTE_OK); }
  void operator()(jute_plan* handle) const { CHECK(jute_plan_free(handle) == JUTE_OK); }
  void operator()(jute_gemm* handle) const { CHECK(jute_gemm_free(handle) == JUTE_OK); }
  void operator()(jute_workspace* handle) const { CHECK(jute_workspace_free(handle) == JUTE_OK); }
};
template <class Handle>
using Owned = std::unique_ptr<Handle, FreesHandle>;

/// Whether the last error says all of this.
inline bool last_error_says(const std::vector<std::string>& parts) {
  const char* const error = jute_last_error();
  if (error == nullptr) return false;
  UNSCOPED_INFO(error);
  for (const std::string& part : parts)
    if (std::string(error).find(part) == std::string::npos) return false;
  return true;
}

/// An emulated H200 whose kernels are kept in a folder.
inline Owned<jute_context> emulated_context(const std::string& cache_dir,
                                            jute_context_options options = {}) {
  const std::string folder = "JUTE_CACHE_DIR=" + cache_dir;
  const char* const settings[] = {"JUTE_CACHE=on", folder.c_str(), "JUTE_TUNED=off"};
  options.size = sizeof options;
  options.device = JUTE_DEVICE_EMULATOR;
  options.settings = settings;
  options.setting_count = 3;
  jute_context* context = nullptr;
  REQUIRE(jute_context_create(&options, &context) == JUTE_OK);
  return Owned<jute_context>(context);
}

inline Owned<jute_problem> problem_from(const char* text) {
  jute_problem* problem = nullptr;
  INFO(text);
  REQUIRE(jute_problem_create(text, &problem) == JUTE_OK);
  return Owned<jute_problem>(problem);
}

inline Owned<jute_gemm> prepared(jute_context* context, const char* text) {
  const auto problem = problem_from(text);
  jute_gemm* gemm = nullptr;
  const int32_t status = jute_gemm_prepare(context, problem.get(), nullptr, &gemm);
  INFO((status == JUTE_OK ? "" : jute_last_error()));
  REQUIRE(status == JUTE_OK);
  return Owned<jute_gemm>(gemm);
}

/// Floats in a context's memory.
class DeviceFloats {
 public:
  DeviceFloats(jute_context* context, const std::vector<float>& values)
      : context_(context), count_(values.size()) {
    REQUIRE(jute_memory_allocate(context, static_cast<int64_t>(4 * count_), &address_) == JUTE_OK);
    REQUIRE(jute_memory_copy_in(context, address_, values.data(), 4 * count_) == JUTE_OK);
  }
  DeviceFloats(const DeviceFloats&) = delete;
  DeviceFloats& operator=(const DeviceFloats&) = delete;
  ~DeviceFloats() { CHECK(jute_memory_free(context_, address_) == JUTE_OK); }
  [[nodiscard]] uint64_t address() const { return address_; }
  [[nodiscard]] std::vector<float> to_host() const {
    std::vector<float> values(count_);
    REQUIRE(jute_memory_copy_out(context_, values.data(), address_, 4 * count_) == JUTE_OK);
    return values;
  }

 private:
  jute_context* context_;
  size_t count_;
  uint64_t address_ = 0;
};

/// A product of constant matrices of f32, (m,k) of 0.5 and (k,n) of 2: each element of D is k.
struct ConstantProduct {
  ConstantProduct(jute_context* in, int m, int n, int k)
      : context(in),
        a(in, std::vector<float>(static_cast<size_t>(m) * k, 0.5F)),
        b(in, std::vector<float>(static_cast<size_t>(k) * n, 2.0F)),
        d(in, std::vector<float>(static_cast<size_t>(m) * n, -1.0F)),
        expected(static_cast<size_t>(m) * n, static_cast<float>(k)) {}
  [[nodiscard]] jute_run run(uint64_t workspace = 0) const {
    jute_run run{};
    run.size = sizeof run;
    run.a = a.address(), run.b = b.address(), run.d = d.address();
    run.workspace = workspace;
    return run;
  }
  [[nodiscard]] bool is_right() const {
    return jute_synchronize(context) == JUTE_OK && d.to_host() == expected;
  }

  jute_context* context;
  DeviceFloats a, b, d;
  std::vector<float> expected;
};

}  // namespace jute::test
