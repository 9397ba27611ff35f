// Whatever a product writes goes into the file that is named for it.
#include <cstring>
#include <filesystem>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

class Results {
 public:
  Results() {
    write("a.npy", {6, 8});
    write("b.npy", {8, 5});
    write("x.npy", {1, 4, 4, 2});
    write("w.npy", {3, 2, 2, 2});
  }
  [[nodiscard]] ProcessResult run(const std::string& line) const {
    return run_jute(command_words(line + " --device emulator"),
                    {.folder = folder_.path().string()});
  }
  [[nodiscard]] bool has(const std::string& name) const {
    return std::filesystem::exists(folder_.file(name));
  }
  [[nodiscard]] std::vector<double> values(const std::string& name) const {
    const NpyArray array = command::read_npy(folder_.file(name));
    std::vector<double> values;
    for (size_t at = 0; at < array.bytes.size(); at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, array.bytes.data() + at, sizeof value);
      values.push_back(static_cast<double>(value));
    }
    return values;
  }

 private:
  void write(const std::string& name, std::vector<Index> shape) const {
    Index count = 1;
    for (const Index extent : shape) count *= extent;
    std::vector<double> values;
    for (Index i = 0; i < count; ++i) values.push_back(static_cast<double>(i * 7 % 5) - 2);
    command::OutputFile file(folder_.file(name));
    command::write_npy(
        file, {.descr = "<f4", .shape = std::move(shape), .bytes = encode(DType::f32, values)});
    file.commit();
  }

  TemporaryFolder folder_;
};

constexpr const char* kProducts[] = {"gemm --a a.npy --b b.npy",
                                     "contract ij,jk->ik --a a.npy --b b.npy",
                                     "conv --x x.npy --w w.npy"};

}  // namespace

TEST_CASE("outputs of an epilogue go into files of their own", "[cli][epilogue]") {
  const Results results;
  for (const std::string product : kProducts) {
    INFO(product);
    const ProcessResult both =
        results.run(product + " --epilogue 'y := acc + 1; d = y; g = acc' -o d.npy -o g=g.npy");
    INFO(both.err);
    CHECK(both.status == 0);
    CHECK(both.err.empty());
    std::vector<double> d = results.values("d.npy");
    const std::vector<double> g = results.values("g.npy");
    for (double& value : d) value -= 1;
    CHECK(!d.empty());
    CHECK(d == g);
    CHECK_FALSE(results.has("g=g.npy"));
  }
}

TEST_CASE("scales of a quantised D go into a file, or are said to go nowhere", "[cli][epilogue]") {
  const Results results;
  for (const std::string product : kProducts) {
    INFO(product);
    const std::string line = product + " --type bf16 --out-type e4m3 --quantise-d 1x128 --verify";
    const ProcessResult both = results.run(line + " -o d.npy -o scale_d=s.npy");
    INFO(both.err);
    CHECK(both.status == 0);
    CHECK(both.out.find("check    scale_d ok") != std::string::npos);
    CHECK(!results.values("s.npy").empty());
    CHECK(results.run(line + " -o d.npy").err.find("scale_d is written nowhere: -o scale_d=") !=
          std::string::npos);
  }
}

TEST_CASE("a file for an output that there is not is refused before any work", "[cli][refusal]") {
  const Results results;
  for (const std::string product : kProducts)
    require_refusal(results.run(product + " --epilogue 'd = acc; g = acc' -o h=h.npy"), 2,
                    "the epilogue must name it; it has d, g");
}

TEST_CASE("C is added where it is given, and refused where nothing names it", "[cli][gemm]") {
  const Results results;
  CHECK(results.run("gemm --a a.npy --b b.npy -o d.npy").status == 0);
  const std::vector<double> sum = results.values("d.npy");
  CHECK(results.run("gemm --a a.npy --b b.npy --c d.npy -o e.npy").status == 0);
  std::vector<double> twice = results.values("e.npy");
  for (double& value : twice) value /= 2;
  CHECK(twice == sum);
  CHECK(results.run("gemm --a a.npy --b b.npy --c d.npy --beta 0 -o e.npy").status == 0);
  CHECK(results.values("e.npy") == sum);
  require_refusal(results.run("gemm --a a.npy --b b.npy --c d.npy --epilogue relu(acc)"), 2,
                  "--c: it must be left out");
}
