// CUDA's headers: where they are looked for, and that kernels which include them compile.
#include "jit/cuda_headers.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/nvrtc_places.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
namespace fs = std::filesystem;

namespace {

/// A tree of empty files, but for what tells a release.
class Tree {
 public:
  [[nodiscard]] std::string at(const std::string& name) const {
    return (fs::canonical(folder_.path()) / name).string();
  }
  void add(const std::string& name, const std::string& text = {}) const {
    fs::create_directories(fs::path(at(name)).parent_path());
    std::ofstream(at(name)) << text;
  }
  void add_run_time(const std::string& include, int version) const {
    add(include + "/cuda_fp16.h");
    add(include + "/cuda_runtime_api.h",
        "// of the run time\n#define CUDART_VERSION  " + std::to_string(version) + "\n");
  }

 private:
  test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("kernels that include CUDA's headers compile", "[jit][nvrtc][headers]") {
  for (const char* header :
       {"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_runtime.h", "cooperative_groups.h",
        "cooperative_groups/reduce.h", "cuda/std/cstdint", "cuda/std/type_traits", "cuda/barrier",
        "cub/block/block_reduce.cuh", "mma.h"}) {
    INFO(header);
    const std::string text = std::string("#include <") + header + ">\n" +
                             "extern \"C\" __global__ void k(int* x) { *x = 1; }\n";
    CHECK_NOTHROW(
        test::test_compiler().ptx({.text = text, .file = "/kernels/k.cu", .arch = {90, 'a'}}));
  }
}

TEST_CASE("headers beside NVRTC come first, each missing part from the first place that has it",
          "[jit][headers]") {
  const Tree tree;
  jit::NvrtcPlaces places = test::nowhere();
  places.toolkits = {tree.at("cuda"), tree.at("cuda-*")};
  places.project_folders = {tree.at("project")};
  places.virtual_env = tree.at("active");
  places.built_beside = tree.at("clone/.venv");
  using Folders = std::vector<std::string>;
  const std::string library = tree.at("nvrtc/lib64/libnvrtc.so.13");
  const auto found = [&] { return jit::find_headers(places, library); };
  CHECK(found().empty());

  const std::string wheels = "/lib/python3.11/site-packages/nvidia/";
  tree.add_run_time("clone/.venv" + wheels + "cu13/include", 13000);
  tree.add("clone/.venv" + wheels + "cu13/include/crt/mma.h");
  tree.add("clone/.venv" + wheels + "cu13/include/cccl/cuda/std/type_traits");
  const std::string clone = tree.at("clone/.venv" + wheels + "cu13/include");
  CHECK(found() == Folders{clone, clone + "/cccl"});
  // Releases of 12 have a folder for each wheel.
  tree.add_run_time("active" + wheels + "cuda_runtime/include", 12090);
  tree.add("active" + wheels + "cuda_nvcc/include/crt/mma.h");
  const std::string active = tree.at("active" + wheels);
  CHECK(found() ==
        Folders{active + "cuda_runtime/include", active + "cuda_nvcc/include", clone + "/cccl"});
  tree.add_run_time("cuda-12.8/include", 12080);
  tree.add_run_time("cuda-11.8/include", 11080);
  tree.add("cuda-11.8/include/cuda/std/type_traits");
  const std::string toolkit = tree.at("cuda-12.8/include");
  CHECK(found() == Folders{toolkit, active + "cuda_nvcc/include", clone + "/cccl"});
  tree.add("nvrtc/include/cuda_fp16.h");
  CHECK(found().front() == tree.at("nvrtc/include"));
  tree.add("nvrtc/include/crt/mma.h");
  tree.add("nvrtc/include/cccl/cuda/std/type_traits");
  CHECK(found() == Folders{tree.at("nvrtc/include"), tree.at("nvrtc/include/cccl")});
}
