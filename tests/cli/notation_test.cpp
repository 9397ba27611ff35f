// `jute contract` and `jute conv` on files, and problems by letters and shapes of images.
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/notation/convolution.hpp>

#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/catch.hpp"
#include "support/plain_convolution.hpp"
#include "support/plain_einsum.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A folder with arrays of small whole numbers.
class Arrays {
 public:
  PlainArray write(const std::string& name, std::vector<Index> shape, DType type = DType::f32,
                   bool fortran_order = false) const {
    PlainArray plain{std::move(shape), {}};
    Index count = 1;
    for (const Index extent : plain.extents) count *= extent;
    for (Index i = 0; i < count; ++i) plain.values.push_back(static_cast<double>(i * 5 % 7 - 3));
    std::vector<double> stored = plain.values;
    if (fortran_order)  // of a matrix
      for (Index i = 0; i < count; ++i)
        stored[static_cast<std::size_t>(i)] = plain.values[static_cast<std::size_t>(
            i % plain.extents[0] * plain.extents[1] + i / plain.extents[0])];
    put(name, plain.extents, stored, type, fortran_order);
    return plain;
  }
  void put(const std::string& name, const std::vector<Index>& shape,
           const std::vector<double>& values, DType type = DType::f32,
           bool fortran_order = false) const {
    command::OutputFile file(folder_.file(name));
    command::write_npy(file, {.descr = std::string(npy_descr(type)),
                              .fortran_order = fortran_order,
                              .shape = shape,
                              .bytes = encode(type, values)});
    file.commit();
  }
  [[nodiscard]] ProcessResult run(const std::string& line) const {
    return run_jute(command_words(line), {.folder = folder_.path().string()});
  }
  [[nodiscard]] PlainArray read(const std::string& name) const {
    const NpyArray array = command::read_npy(folder_.file(name));
    return {array.shape, decode(DType::f32, array.bytes)};
  }

 private:
  TemporaryFolder folder_;
};

void check_contracted(const Arrays& arrays, const std::string& line, const std::string& text,
                      const std::vector<PlainArray>& operands) {
  const ProcessResult result =
      arrays.run("contract '" + text + "' " + line + " -o d.npy --verify --device emulator");
  INFO(text << "\n" << result.out << result.err);
  REQUIRE(result.status == 0);
  const PlainArray expected = plain_einsum(text, operands), found = arrays.read("d.npy");
  CHECK(found.extents == expected.extents);
  CHECK(found.values == expected.values);
}

}  // namespace

TEST_CASE("jute contract multiplies files by letters", "[cli][contraction]") {
  const Arrays arrays;
  const PlainArray a = arrays.write("a.npy", {3, 64, 24}), b = arrays.write("b.npy", {24, 8, 4});
  check_contracted(arrays, "--a a.npy --b b.npy", "abk,kcd->acdb", {a, b});
  const PlainArray turned = arrays.write("t.npy", {24, 40}, DType::f32, true);
  check_contracted(arrays, "--a a.npy --b t.npy --type bf16 --out-type f32", "abk,kn", {a, turned});
}

TEST_CASE("jute contract multiplies more than two files pair by pair", "[cli][contraction]") {
  const Arrays arrays;
  const PlainArray a = arrays.write("a.npy", {6, 40}), b = arrays.write("b.npy", {40, 32}),
                   c = arrays.write("c.npy", {32, 24});
  check_contracted(arrays, "--a a.npy --b b.npy --operand c.npy", "ab,bc,cd->ad", {a, b, c});
  const ProcessResult drawn =
      arrays.run("contract ab,bc,cd->ad --a a.npy --b b.npy --operand c.npy --draw");
  CHECK(drawn.out.starts_with("ab,bc->ac\n"));
  CHECK(drawn.out.find("\nac,cd->ad\n") != std::string::npos);
}

TEST_CASE("what lies between two products of a contraction has the type of their sums",
          "[cli][contraction]") {
  const Arrays arrays;
  // Sums of 8-bit floats and of halves leave their range and precision; those of f32 do not.
  const PlainArray a = arrays.write("a.npy", {4, 70}), b = arrays.write("b.npy", {70, 32}),
                   c = arrays.write("c.npy", {32, 9});
  for (const char* const types :
       {"--type bf16 --out-type f32", "--type f16 --out-type f32", "--type e4m3",
        "--type tf32 --out-type f32", "--type e4m3 --out-type f32",
        "--type bf16 --type-b e5m2 --out-type f32"})
    check_contracted(arrays, std::string("--verify --a a.npy --b b.npy --operand c.npy ") + types,
                     "ab,bc,cd->ad", {a, b, c});
  const ProcessResult chained = arrays.run(
      "contract ab,bc,cd->ad --a a.npy --b b.npy --operand c.npy --type bf16 --device emulator");
  CHECK(chained.out.find("A=bf16") != std::string::npos);
  const std::size_t between = chained.out.find("D=f32");
  CHECK(between != std::string::npos);
  CHECK(chained.out.find("D=bf16", between) != std::string::npos);
  (void)arrays.write("i.npy", {8, 8}, DType::s8);
  const ProcessResult whole = arrays.run(
      "contract ab,bc,cd->ad --a i.npy --b i.npy --operand i.npy --out-type s32 --device emulator");
  CHECK(whole.status == 2);
  CHECK(whole.err.find("operands = s8: products that follow each other") != std::string::npos);
  CHECK(whole.err.find("D.type") == std::string::npos);
}

TEST_CASE("strides of a file are those that are asked for, inside of it", "[cli][contraction]") {
  const Arrays arrays;
  const PlainArray memory = arrays.write("a.npy", {24 * 40}), b = arrays.write("b.npy", {24, 32});
  // The transpose of what the file holds.
  PlainArray a{{40, 24}, {}};
  for (Index row = 0; row < 40; ++row)
    for (Index k = 0; k < 24; ++k)
      a.values.push_back(memory.values[static_cast<std::size_t>(k * 40 + row)]);
  check_contracted(arrays, "--a a.npy --b b.npy --strides-a 1,40 --extents i=40,k=24", "ik,kj->ij",
                   {a, b});
  const ProcessResult refused = arrays.run(
      "contract ik,kj->ij --a a.npy --b b.npy --strides-a 1,41 --extents i=40,k=24 -o d.npy");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("(39,23) is element 982 of a.npy, which has 960") != std::string::npos);
}

TEST_CASE("a contraction that files contradict is refused by letter", "[cli][contraction]") {
  const Arrays arrays;
  arrays.write("a.npy", {4, 8});
  arrays.write("b.npy", {9, 4});
  const ProcessResult refused = arrays.run("contract ik,kj->ij --a a.npy --b b.npy");
  CHECK(refused.status == 2);
  CHECK(refused.err.find("a letter must have one extent: it is 8 in operand 1") !=
        std::string::npos);
  CHECK(arrays.run("contract ik,kj->ij --a a.npy").status == 2);
}

TEST_CASE("a 1x1 convolution of files is the plain product, a group a batch",
          "[cli][convolution]") {
  const Arrays arrays;
  const Convolution layer = parse_convolution("x=2x6x6x16 w=32x1x1 groups=2");
  const PlainImages images = random_images(layer, 3);
  arrays.put("x.npy", {2, 6, 6, 16}, images.x);
  arrays.put("w.npy", {32, 1, 1, 8}, images.w);
  arrays.put("y.npy", {2, 6, 6, 32}, images.y);
  const auto check = [&](const std::string& line, const std::vector<Index>& shape,
                         const std::vector<double>& expected) {
    const ProcessResult result =
        arrays.run("conv " + line + " --channel-groups 2 -o o.npy --verify --device emulator");
    INFO(line << "\n" << result.out << result.err);
    REQUIRE(result.status == 0);
    CHECK(arrays.read("o.npy").extents == shape);
    CHECK(arrays.read("o.npy").values == expected);
  };
  check("--x x.npy --w w.npy", {2, 6, 6, 32}, plain_outputs(layer, images));
  check("--y y.npy --w w.npy --gradient x", {2, 6, 6, 16}, plain_data_gradient(layer, images));
  check("--y y.npy --x x.npy --gradient w", {32, 1, 1, 8}, plain_filter_gradient(layer, images));
}

TEST_CASE("files that fit no convolution are refused", "[cli][convolution]") {
  const Arrays arrays;
  arrays.write("x.npy", {2, 6, 6, 16});
  arrays.write("w.npy", {32, 3, 3, 8});
  arrays.write("one.npy", {32, 3, 3, 16});
  arrays.write("first.npy", {2, 16, 6, 6});
  arrays.write("wf.npy", {32, 16, 3, 3});
  const auto refused = [&](const std::string& line) {
    const ProcessResult result = arrays.run(line);
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(refused("conv --x x.npy --w w.npy").find("it must have 16 channels, those of a group") !=
        std::string::npos);
  CHECK(refused("conv --x x.npy --w w.npy --channel-groups 2 --stride 1,2,3")
            .find("it needs one number, or one for each of the 2 axes") != std::string::npos);
  // Shapes that fit with the channels first are told so.
  CHECK(refused("conv --x first.npy --w wf.npy")
            .find("try: jute conv --x first.npy --w wf.npy "
                  "--nchw") != std::string::npos);
  CHECK(refused("conv --x x.npy --w one.npy --nchw").find("--nchw: it must be left out") !=
        std::string::npos);
  CHECK(refused("conv --x x.npy --w w.npy").find("try:") == std::string::npos);
  CHECK(refused("conv --x x.npy").find("for example --w w.npy") != std::string::npos);
  arrays.write("nchw.npy", {2, 16, 6, 6});
  arrays.write("fcrs.npy", {32, 8, 5, 5});
  const std::string first = refused("conv --x nchw.npy --w fcrs.npy --channel-groups 2");
  CHECK(first.find("try: jute conv --x nchw.npy --w fcrs.npy --channel-groups 2 --nchw") !=
        std::string::npos);
  CHECK(refused("conv --x x.npy --w w.npy --y x.npy").find("it is what is computed") !=
        std::string::npos);
}

TEST_CASE("options --contract and --conv say problems wherever one is asked for",
          "[cli][contraction]") {
  const auto said = [](const std::string& line) {
    const ProcessResult result = run_jute(command_words(line));
    return result.out + result.err;
  };
  CHECK(said("plan --contract ik,kj->ij --extents i=64,k=32,j=48") ==
        said("plan --m 64 --n 48 --k 32"));
  CHECK(said("plan --conv 'x=2x8x8x32 w=48x1x1'") ==
        said("plan --m 128 --n 48 --k 32 --order-b col"));
  CHECK(said("plan --contract ik,kj --extents i=64,k=32").find("an extent for j") !=
        std::string::npos);
  CHECK(said("plan --contract ik,kj --extents i=64,k=32,j=4,z=2").find("one of ikj") !=
        std::string::npos);
  CHECK(said("plan --extents i=64").find("together with --contract") != std::string::npos);
  CHECK(said("gemm --random 1 --conv 'x=1x8x8x2 w=8x3x3 stride=2 padding=1' --gradient x")
            .find("which of the gradient's 4 problems, 0 to 3") != std::string::npos);
}

TEST_CASE("a strided convolution's data gradient is one plan, whose steps count through its parts",
          "[cli][convolution]") {
  const std::string problem = " --conv 'x=1x8x8x2 w=8x3x3 stride=2 padding=1' --gradient x";
  const auto said = [&](const std::string& line) {
    const ProcessResult result = run_jute(command_words(line));
    INFO(result.err);
    CHECK(result.status == 0);
    return result.out;
  };
  const auto count = [](const std::string& text, std::string_view word) {
    int found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
      ++found;
    return found;
  };
  const std::string plan = said("plan" + problem);
  CHECK(count(plan, "step gemm") == 4);
  CHECK(plan.find(" for 4 parts of D") != std::string::npos);
  CHECK(count(said("source" + problem), "__global__") == 4);
  CHECK(said("source" + problem + " --step 3") == said("source" + problem + " --part 3"));
  CHECK(count(said("plan --json" + problem), "\"symbol\"") >= 4);
  CHECK(run_jute(command_words("plan --step 4" + problem)).status == 2);
  // All of them are one text, too.
  std::vector<Problem> problems =
      convolution_data_gradient(parse_convolution("x=1x8x8x2 w=8x3x3 stride=2 padding=1"));
  for (Problem& part : problems) part = completed(part);
  const std::string parts = parts_text(problems);
  CHECK(said("source --problem '" + parts + "'") == said("source" + problem));
  CHECK(said("plan --json --problem '" + parts + "'") == said("plan --json" + problem));
  const ProcessResult refused =
      run_jute(command_words("gemm --random 1 --problem '" + parts + "'"));
  CHECK(refused.status == 2);
  CHECK(refused.err.find("parts of one D") != std::string::npos);
}

TEST_CASE("a strided convolution's data gradient of files runs as one", "[cli][convolution]") {
  const Arrays arrays;
  const Convolution layer = parse_convolution("x=2x7x6x4 w=8x3x3 stride=2 padding=1");
  const PlainImages images = random_images(layer, 5);
  arrays.put("w.npy", {8, 3, 3, 4}, images.w);
  arrays.put("y.npy", {2, 4, 3, 8}, images.y);
  const std::string line =
      "conv --y y.npy --w w.npy --gradient x --stride 2 --padding 1 --extents 7,6 -o o.npy "
      "--verify "
      "--device emulator";
  const ProcessResult result = arrays.run(line);
  INFO(result.out << result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("336 elements of 4 parts compared") != std::string::npos);
  CHECK(arrays.read("o.npy").extents == std::vector<Index>{2, 7, 6, 4});
  CHECK(arrays.read("o.npy").values == plain_data_gradient(layer, images));
  const ProcessResult refused =
      arrays.run(line + " --epilogue 'acc + side[m,n]' --input side=y.npy");
  CHECK(refused.status == 2);
}
