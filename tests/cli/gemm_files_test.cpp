// `jute gemm` on files as they are: stored the other way round, of another type, with an input that
// is named as another one.
#include "cli/command.hpp"
#include "files/npy_file.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Small integers: every order of summation gives the same bits.
double value_of(Index row, Index column) {
  return static_cast<double>((row * 7 + column * 5) % 9) - 4.0;
}

enum class Turned { no, yes };

struct Content {
  Index rows = 0, columns = 0;  // of the matrix that is multiplied
  Turned turned = Turned::no;   // the file holds the transpose
  bool fortran_order = false;
  Index batch = 0;  // 0: no dimension of its own
  DType type = DType::f32;
};

class Files {
 public:
  std::string write(const std::string& name, const Content& content) const {
    const bool turned = content.turned == Turned::yes;
    const Index rows = turned ? content.columns : content.rows;
    const Index columns = turned ? content.rows : content.columns;
    std::vector<double> values;
    for (Index i = 0; i < std::max<Index>(content.batch, 1) * rows * columns; ++i) {
      const Index at = i % (rows * columns);
      const Index row = content.fortran_order ? at % rows : at / columns;
      const Index column = content.fortran_order ? at / rows : at % columns;
      values.push_back(turned ? value_of(column, row) : value_of(row, column));
    }
    NpyArray array{.descr = std::string(npy_descr(content.type)),
                   .fortran_order = content.fortran_order,
                   .shape = {rows, columns},
                   .bytes = encode(content.type, values)};
    if (content.batch > 0) array.shape.insert(array.shape.begin(), content.batch);
    return write(name, array);
  }
  std::string write(const std::string& name, const NpyArray& array) const {
    command::OutputFile file(folder_.file(name));
    command::write_npy(file, array);
    file.commit();
    return folder_.file(name);
  }
  /// In the folder, where names are as a user types them.
  [[nodiscard]] ProcessResult run(const std::string& line) const {
    return run_jute(command_words(line), {.folder = folder_.path().string()});
  }
  [[nodiscard]] NpyArray read(const std::string& name) const {
    return command::read_npy(folder_.file(name));
  }

 private:
  TemporaryFolder folder_;
};

const std::string kGemm = "gemm --device emulator --a a.npy --b b.npy -o d.npy --verify";

/// The line that a refusal offers, without `jute`.
std::string offered(const ProcessResult& refusal) {
  INFO(refusal.err);
  CHECK(refusal.status == 2);
  const size_t at = refusal.err.find("\ntry: jute ");
  if (at == std::string::npos) return {};
  return refusal.err.substr(at + 11, refusal.err.find('\n', at + 1) - at - 11);
}

/// D in C order.
std::vector<double> product(Index m, Index n, Index k, Index batch) {
  std::vector<double> result;
  for (Index i = 0; i < batch * m * n; ++i) {
    double sum = 0;
    for (Index l = 0; l < k; ++l) sum += value_of(i / n % m, l) * value_of(l, i % n);
    result.push_back(sum);
  }
  return result;
}

}  // namespace

TEST_CASE("files may hold the transpose of A, of B, in either order, in batches", "[cli][gemm]") {
  const Files files;
  const Index m = 5, n = 7, k = 9;
  for (const Turned a : {Turned::no, Turned::yes})
    for (const Turned b : {Turned::no, Turned::yes})
      for (const bool fortran : {false, true})
        for (const Index batch : {0, 2}) {
          files.write("a.npy", Content{m, k, a, fortran});
          files.write("b.npy", Content{k, n, b, fortran, batch});
          std::string line = kGemm;
          if (a == Turned::yes) line += " --transpose-a";
          if (b == Turned::yes) line += " --transpose-b";
          INFO(line << (fortran ? ", Fortran" : ", C") << " order, batch " << batch);
          // Fortran order of three dimensions is another array: the test writes two.
          if (fortran && batch > 0) continue;
          const ProcessResult result = files.run(line);
          INFO(result.err);
          REQUIRE(result.status == 0);
          CHECK(decode(DType::f32, files.read("d.npy").bytes) ==
                product(m, n, k, std::max<Index>(batch, 1)));
        }
}

TEST_CASE("a layout says where in a file an operand lies", "[cli][gemm][view]") {
  const Files files;
  // Flat memories of any shape: element e of A is value_of(0, e), of B and C likewise.
  files.write("a.npy", {.rows = 8, .columns = 150});
  files.write("b.npy", {.rows = 1, .columns = 90, .fortran_order = true});
  files.write("c.npy", {.rows = 10, .columns = 20});
  const auto at = [](Index columns, Index e) { return value_of(e / columns, e % columns); };
  const auto product = files.run(
      "gemm --a a.npy --layout-a ((4,3),5):((5,300),1) --b b.npy --layout-b (6,5):(3,18) --c c.npy "
      "--layout-c (12,6):(1,20) --beta 1 --layout-d (12,6):(8,1) -o d.npy --verify "
      "--device emulator");
  INFO(product.out << product.err);
  REQUIRE(product.status == 0);
  const NpyArray d = files.read("d.npy");
  REQUIRE(d.shape == std::vector<Index>{12, 6});
  const std::vector<double> found = decode(DType::f32, d.bytes);
  for (Index m = 0; m < 12; ++m)
    for (Index n = 0; n < 6; ++n) {
      double sum = at(20, m + n * 20);
      for (Index k = 0; k < 5; ++k)
        sum += at(150, m % 4 * 5 + m / 4 * 300 + k) * at(90, n * 3 + k * 18);
      CHECK(found[static_cast<std::size_t>(m * 6 + n)] == sum);
    }
}

TEST_CASE("a layout that reaches past its file is refused with the coordinate",
          "[cli][gemm][view][refusal]") {
  const Files files;
  files.write("a.npy", {.rows = 8, .columns = 16});
  files.write("b.npy", {.rows = 16, .columns = 4});
  const auto refused = [&](const std::string& words, const std::string& part) {
    require_refusal(files.run("gemm --a a.npy --b b.npy --device emulator " + words), 2, part);
  };
  refused("--layout-a (9,16):(16,1)", "(8,0) is element 128 of a.npy, which has 128");
  refused("--layout-b (4,16):(1,5)", "(0,13) is element 65 of b.npy, which has 64");
  refused("--layout-a (4,16,3):(16,1,64)", "(0,0,2) is element 128 of a.npy");
  refused("--layout-a (8,15):(16,1)", "as many columns as B has rows");
  refused("--layout-a (8,16):(16,1) --transpose-a", "--layout-a says where each element lies");
  refused("--layout-a row", "--order-a");
  refused("--layout-c (8,4):(4,1)", "without --c");
  require_refusal(files.run("plan --m 8 --n 4 --k 16 --layout-a (8,16):(16,1) --order-a col"), 2,
                  "without --layout-a");
  refused("--layout-d (8,4):(1,1)", "(");
  // Zeros outside of a box are read nowhere.
  CHECK(files
            .run("gemm --a a.npy --layout-a (9,16):(1@0,1@1);box=(8,16):(16,1);outside=zero --b "
                 "b.npy --device emulator --verify")
            .status == 0);
}

TEST_CASE("a K that fits the other way round is noticed, and the line offered runs",
          "[cli][gemm][refusal]") {
  const Files files;
  const auto mended = [&](const std::string& line) {
    const std::string better = offered(files.run(line));
    INFO(better);
    const ProcessResult result = files.run(better);
    INFO(result.err);
    CHECK(result.status == 0);
    return better;
  };
  const Index m = 5, n = 7, k = 9;
  files.write("a.npy", Content{m, k});
  files.write("b.npy", Content{k, n, Turned::yes});
  CHECK(mended(kGemm) == kGemm + " --transpose-b");
  // What was typed and does not fit is told, and not left out.
  for (const char* flags : {" --order-b col", " --transpose-a --transpose-b"}) {
    const ProcessResult told = files.run(kGemm + flags);
    CHECK(told.status == 2);
    CHECK(offered(told) == "");
  }
  const ProcessResult refusal = files.run(kGemm);
  CHECK(refusal.err.find("K = 9 and 7: A (a.npy) must have as many columns as B (b.npy) has rows: "
                         "it fits where B (b.npy) is stored as (N,K)") != std::string::npos);
  files.write("a.npy", Content{m, k, Turned::yes});
  CHECK(mended(kGemm) == kGemm + " --transpose-a --transpose-b");
  files.write("b.npy", Content{k, n});
  CHECK(mended(kGemm) == kGemm + " --transpose-a");
  files.write("a.npy", Content{m, k});
  CHECK(offered(files.run(kGemm + " --transpose-b")) == "");
  files.write("b.npy", Content{k + 1, n});
  CHECK(offered(files.run(kGemm)) == "");
  // Random operands lie as the files would.
  const ProcessResult random =
      files.run("gemm --device emulator --m 4 --n 4 --k 4 --random 1 --transpose-b --verify");
  CHECK(random.status == 0);
  CHECK(random.out.find(" B=col\n") != std::string::npos);
}

TEST_CASE("files whose elements are converted are named, on standard error and in JSON",
          "[cli][gemm]") {
  const Files files;
  files.write("a.npy", Content{.rows = 4, .columns = 8, .type = DType::f16});
  files.write("b.npy", Content{.rows = 8, .columns = 4, .type = DType::f32});
  const ProcessResult narrow = files.run(kGemm + " --type bf16");
  CHECK(narrow.status == 0);
  CHECK(narrow.err ==
        "jute: a.npy f16 -> bf16, rounded to nearest\n"
        "jute: b.npy f32 -> bf16, rounded to nearest\n");
  const ProcessResult wide = files.run(kGemm + " --type f32 --json");
  CHECK(wide.err == "jute: a.npy f16 -> f32\n");
  CHECK(wide.out.find(R"("conversions":[{"file":"a.npy","from":"f16","to":"f32"}])") !=
        std::string::npos);
  CHECK(files.run(kGemm + " --type f32 --quiet").err.empty());
  files.write("b.npy", Content{.rows = 8, .columns = 4, .type = DType::f16});
  const ProcessResult same = files.run(kGemm + " --json");
  CHECK(same.err.empty());
  CHECK(same.out.find(R"("conversions":[])") != std::string::npos);
}

TEST_CASE("types of A and B are given for both or for each", "[cli][gemm]") {
  const Files files;
  const std::string sizes = "plan --m 16 --n 16 --k 32 ";
  const auto types = [&](const std::string& more) {
    const ProcessResult result = files.run(sizes + more);
    INFO(result.err);
    const size_t a = result.out.find(" A="), b = result.out.find(" B=");
    if (a == std::string::npos || b == std::string::npos) return offered(result);
    return result.out.substr(a, result.out.find(':', a) - a) +
           result.out.substr(b, result.out.find(':', b) - b);
  };
  CHECK(types("--type-a e4m3 --type-b e5m2") == " A=e4m3 B=e5m2");
  CHECK(types("--type e4m3 --type-a e5m2") == " A=e5m2 B=e4m3");
  CHECK(types("--type-a s8") == " A=s8 B=s8");
  CHECK(types("--type-b bf16") == " A=bf16 B=bf16");
  CHECK(types("--type-a s8 --type-b bf16") == " A=s8 B=bf16");
  // Either may be what was meant: the rule names the nearest, and no line is offered.
  CHECK(types("--type-a f64 --type-b bf16").empty());
}

TEST_CASE("an input of the epilogue has the type that its file says, or that is asked for",
          "[cli][gemm][epilogue]") {
  const Files files;
  files.write("a.npy", Content{.rows = 4, .columns = 8, .type = DType::bf16});
  files.write("b.npy", Content{.rows = 8, .columns = 6, .type = DType::bf16});
  const std::string line = kGemm + " --type bf16 --epilogue 'acc + bias[n]' --input bias=bias.npy";
  const std::vector<double> thirds{1 / 3.0, -2 / 3.0, 1, 0, 4 / 3.0, 5 / 3.0};
  const auto run = [&](DType of_file, const std::string& more = "") {
    files.write("bias.npy", NpyArray{.descr = std::string(npy_descr(of_file)),
                                     .shape = {6},
                                     .bytes = encode(of_file, thirds)});
    return files.run(line + more);
  };
  /// D of sums to which a bias of this type is added, rounded to bf16 once.
  const auto sums = [&](DType type) {
    const std::vector<double> bias = decode(type, encode(type, thirds));
    std::vector<double> result = product(4, 6, 8, 1);
    for (size_t i = 0; i < result.size(); ++i) result[i] += bias[i % 6];
    return encode(DType::bf16, result);
  };
  for (const DType own : {DType::f32, DType::f16, DType::bf16}) {
    const ProcessResult result = run(own);
    INFO(name(own) << ": " << result.err);
    CHECK(result.status == 0);
    CHECK(files.read("d.npy").bytes == sums(own));
  }
  const ProcessResult asked = run(DType::f32, " --input-type bias=f16");
  CHECK(asked.err.find("bias.npy f32 -> f16, rounded to nearest") != std::string::npos);
  CHECK(files.read("d.npy").bytes == sums(DType::f16));
  // Two bytes may be anything: of bf16 operands they are bf16, of f32 operands somebody must say.
  files.write("a.npy", Content{4, 8});
  files.write("b.npy", Content{8, 6});
  const std::string plain = kGemm + " --epilogue 'acc + bias[n]' --input bias=bias.npy";
  (void)run(DType::bf16);
  require_refusal(files.run(plain), 2, "need its name: --input-type bias=bf16");
  CHECK(files.run(plain + " --input-type bias=bf16").status == 0);
}

TEST_CASE("a file with a vector's shape says which index its input lacks",
          "[cli][gemm][epilogue][refusal]") {
  const Files files;
  files.write("a.npy", Content{4, 8});
  files.write("b.npy", Content{8, 6});
  const auto vector = [&](const std::string& name, std::vector<Index> shape) {
    Index count = 1;
    for (const Index extent : shape) count *= extent;
    files.write(name, NpyArray{.descr = "<f4",
                               .shape = std::move(shape),
                               .bytes = encode(DType::f32, std::vector<double>(
                                                               static_cast<size_t>(count), 1.0))});
  };
  const auto mended = [&](const std::string& epilogue) {
    const std::string better =
        offered(files.run(kGemm + " --epilogue '" + epilogue + "' --input bias=bias.npy"));
    INFO(better);
    const ProcessResult result = files.run(better);
    INFO(result.err);
    CHECK(result.status == 0);
    const size_t at = better.find(" --epilogue ");
    return at == std::string::npos ? better
                                   : better.substr(at + 12, better.find(" --input") - at - 12);
  };
  vector("bias.npy", {6});
  CHECK(mended("gelu(acc + bias)") == "'gelu(acc + bias[n])'");
  CHECK(mended("gelu(acc + bias[m])") == "'gelu(acc + bias[n])'");
  CHECK(files.run(kGemm + " --epilogue 'acc + bias' --input bias=bias.npy")
            .err.find("bias must have the shape (), and bias.npy has (6): one value a column must "
                      "be written bias[n]") != std::string::npos);
  vector("bias.npy", {4});
  CHECK(mended("acc*bias") == "'acc*bias[m]'");
  vector("bias.npy", {4, 6});
  CHECK(mended("acc*bias") == "'acc*bias[m,n]'");
  vector("bias.npy", {5});
  CHECK(offered(files.run(kGemm + " --epilogue acc*bias --input bias=bias.npy")) == "");
}

TEST_CASE("a fraction of integers is mended to 1, not to nothing", "[cli][gemm][refusal]") {
  const Files files;
  const std::string line =
      "gemm --device emulator --m 16 --n 16 --k 32 --random 1 --type s8 --alpha ";
  CHECK(offered(files.run(line + "0.25")) == line + "1");
  CHECK(offered(files.run(line + "-0.5")) == line + "-1");
  CHECK(offered(files.run(line + "2.6")) == line + "3");
}

TEST_CASE("4-bit weights, scales and zero points come from files", "[cli][gemm][scaled]") {
  const Files files;
  constexpr Index kN = 6, kK = 70;
  files.write("x.npy", Content{.rows = 3, .columns = kK, .type = DType::bf16});
  files.write("halves.npy", Content{.rows = kN, .columns = kK / 2, .type = DType::u8});
  files.write("down.npy", Content{.rows = kK / 2, .columns = kN, .type = DType::u8});
  files.write("s.npy", Content{.rows = kN, .columns = 2, .type = DType::f32});
  files.write("s_odd.npy", Content{.rows = kN, .columns = 3, .type = DType::f32});
  files.write("z.npy", Content{.rows = kN, .columns = 2, .type = DType::u8});
  const std::string run =
      "gemm --device emulator --verify --quiet --a x.npy --type-a bf16 --type-b u4 ";
  for (const char* more :
       {"--b halves.npy --transpose-b --scale-b s.npy --zero-b 8",
        "--b halves.npy --transpose-b --scale-b s.npy --zero-b z.npy",
        "--b halves.npy --transpose-b --scale-b s_odd.npy --block-b 1x24", "--b down.npy"}) {
    const ProcessResult result = files.run(run + more);
    INFO(more << "\n" << result.err);
    CHECK(result.out.starts_with("check    ok"));
    CHECK(result.status == 0);
  }
  const ProcessResult two = files.run(run + "--b halves.npy --transpose-b --scale-b s_odd.npy");
  INFO(two.err);
  CHECK(two.status != 0);
  CHECK(two.err.find("blocks of 24 and of 32 would do") != std::string::npos);
}

TEST_CASE("tables of rows come from files: M is their length, D as long as they need",
          "[cli][gemm][rows]") {
  const Files files;
  const auto table = [&](const std::string& name, const std::vector<std::int32_t>& rows) {
    const auto bytes = std::as_bytes(std::span(rows));
    files.write(name, NpyArray{.descr = "<i4",
                               .fortran_order = false,
                               .shape = {static_cast<Index>(rows.size())},
                               .bytes = {bytes.begin(), bytes.end()}});
  };
  files.write("a.npy", Content{.rows = 7, .columns = 16});
  files.write("b.npy", Content{.rows = 16, .columns = 8});
  table("from.npy", {6, -1, 0, 6});
  table("to.npy", {4, 1, -1, 0});
  table("short.npy", {4, 1});
  const std::string line = "gemm --a a.npy --b b.npy --device emulator --verify --rows-a from.npy ";
  CHECK(files.run(line + "-o d.npy").status == 0);
  const NpyArray d = files.read("d.npy");
  CHECK(d.shape == std::vector<Index>{4, 8});
  CHECK(files.run(line + "--rows-d to.npy -o e.npy").status == 0);
  const NpyArray e = files.read("e.npy");
  REQUIRE(e.shape == std::vector<Index>{5, 8});
  const auto row = [](const NpyArray& array, int at) {
    const auto first = array.bytes.begin() + at * 32;
    return std::vector<std::byte>(first, first + 32);
  };
  CHECK(row(d, 0) == row(d, 3));
  CHECK(row(d, 1) == std::vector<std::byte>(32));  // -1 counts as zeros
  CHECK(row(e, 4) == row(d, 0));
  CHECK(row(e, 0) == row(d, 0));
  CHECK(row(e, 2) == std::vector<std::byte>(32));  // no row goes there
  const ProcessResult wrong = files.run(line + "--rows-d short.npy");
  CHECK(wrong.status != 0);
  CHECK(wrong.err.find("an entry for each row of the product, of which there are 4") !=
        std::string::npos);
  const ProcessResult number = files.run(line + "--rows-d 4");
  CHECK(number.err.find("it must name a file with the table") != std::string::npos);
}
