// A program of cuBLAS on the stand-in, recorded, prepared and served: what jute computes is judged
// by the program, what is let through is counted.
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// `jute run -- WORDS`, with the cuBLAS of the stand-in.
ProcessResult on_stand_in(const std::vector<std::string>& words) {
  std::vector<std::string> all{
      "run", "--device", "h200", "--check", "none", "--", "env",
      // What is preloaded comes ahead of a sanitizer's library.
      "ASAN_OPTIONS=verify_asan_link_order=0",
      "LD_LIBRARY_PATH=" + std::filesystem::path(JUTE_BLAS_LIBRARY).parent_path().string() + ":" +
          std::filesystem::path(JUTE_STAND_IN_LIBRARY).parent_path().string()};
  all.insert(all.end(), words.begin(), words.end());
  return run_jute(all);
}

ProcessResult shim(std::vector<std::string> words) {
  words.insert(words.begin(), {JUTE_COMMAND, "shim"});
  return on_stand_in(words);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Calls that were recorded and prepared once; empty where there is no NVRTC.
struct PreparedFile {
  TemporaryFolder folder;
  std::string log = folder.file("calls.log"), file = folder.file("calls.json");
  bool is_there = false;

  PreparedFile() {
    const ProcessResult recorded =
        shim({"record", log, "--", JUTE_BLAS_PROGRAM, "recorded", "deep"});
    INFO(recorded.out << recorded.err);
    REQUIRE(recorded.status == 0);
    REQUIRE(recorded.out == "38 by cuBLAS\n");
    REQUIRE(holds(recorded.err, "37 different calls in " + log));
    // What the emulator takes says nothing of a chip: all are jute's.
    const ProcessResult prepared =
        shim({"prepare", log, "-o", file, "--least", "0", "--race", "2"});
    INFO(prepared.out << prepared.err);
    if (holds(prepared.err, "no_nvrtc")) return;
    REQUIRE(prepared.status == 0);
    REQUIRE(prepared.out == "16 of 37 calls are jute's in " + file + "\n");
    is_there = true;
  }
};

const PreparedFile& prepared_file() {
  static const PreparedFile file;
  return file;
}

}  // namespace

TEST_CASE("a record is private, holds each call once, and grows from run to run",
          "[stand_in][shim]") {
  const TemporaryFolder folder;
  const std::string log = folder.file("calls.log");
  CHECK(shim({"record", log, "--", JUTE_BLAS_PROGRAM, "beyond"}).status == 0);
  struct stat status {};
  REQUIRE(stat(log.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const ProcessResult again = shim({"record", log, "--", JUTE_BLAS_PROGRAM, "beyond", "recorded"});
  CHECK(holds(again.err, "45 different calls"));
  // A link is not followed, and the program runs on.
  const std::string link = folder.file("link");
  std::filesystem::create_symlink(folder.file("target"), link);
  const ProcessResult linked = shim({"record", link, "--", JUTE_BLAS_PROGRAM, "beyond"});
  CHECK(holds(linked.err, "it must be a file that you alone may write"));
  CHECK(linked.out == "9 by cuBLAS\n");
  CHECK_FALSE(std::filesystem::exists(folder.file("target")));
}

TEST_CASE("of two versions in one process each serves whoever is linked with it",
          "[stand_in][shim]") {
  const TemporaryFolder folder;
  const auto lines = [&](const char* program, const char* other) {
    const std::string log = folder.file("calls.log");
    const ProcessResult recorded = on_stand_in({std::string("LD_PRELOAD=") + other, JUTE_COMMAND,
                                                "shim", "record", log, "--", program, "beyond"});
    INFO(recorded.out << recorded.err);
    CHECK(recorded.out == "9 by cuBLAS\n");
    std::ifstream in(log);
    int count = 0;
    for (std::string line; std::getline(in, line);)
      count += line.starts_with("library=12 ") ? 1 : 0;
    return count;
  };
  CHECK(lines(JUTE_BLAS_PROGRAM, JUTE_BLAS_LIBRARY_12) == 0);
  CHECK(lines(JUTE_BLAS_PROGRAM_12, JUTE_BLAS_LIBRARY) == 9);
}

TEST_CASE("300 calls of nine kinds are as exact as float64 allows, whoever serves them",
          "[stand_in][shim][nvrtc]") {
  const PreparedFile& file = prepared_file();
  if (!file.is_there) return;
  const ProcessResult served = shim({"serve", file.file, "--", JUTE_BLAS_PROGRAM, "many"});
  INFO(served.out << served.err);
  CHECK(served.status == 0);
  // Lengths that nobody recorded are served within ranges; two kinds have none.
  CHECK(served.out == "29 by cuBLAS\n");
  CHECK(holds(served.err, "271 of 300 calls were jute's"));
  CHECK(shim({"serve", file.file, "--", JUTE_BLAS_PROGRAM, "beyond"}).out == "9 by cuBLAS\n");
}

TEST_CASE("captures, forks and children are served as the program itself",
          "[stand_in][shim][nvrtc]") {
  const PreparedFile& file = prepared_file();
  if (!file.is_there) return;
  const ProcessResult captured =
      shim({"serve", file.file, "--", JUTE_BLAS_PROGRAM, "captured", "deep"});
  INFO(captured.out << captured.err);
  CHECK(captured.status == 0);
  CHECK(captured.out == "0 by cuBLAS\n");
  const ProcessResult forked =
      shim({"serve", file.file, "--", "sh", "-c", std::string(JUTE_BLAS_PROGRAM) + " forked"});
  INFO(forked.out << forked.err);
  CHECK(forked.status == 0);
  CHECK(holds(forked.err, "9 of 9 calls were jute's"));
}

TEST_CASE("what is not jute's goes through, and the report counts why", "[stand_in][shim][nvrtc]") {
  const PreparedFile& file = prepared_file();
  if (!file.is_there) return;
  std::filesystem::remove(file.file + ".counts");
  const ProcessResult through = shim({"serve", file.file, "--", JUTE_BLAS_PROGRAM, "through"});
  INFO(through.out << through.err);
  CHECK(through.status == 0);
  CHECK(holds(through.err, "0 of 14 calls were jute's"));
  const ProcessResult report = run_jute({"shim", "report", file.file});
  for (const char* line : {"0 times N=17 K=20 m_range=5:33, M from 5 to 33",
                           "1 times cuBLAS served: its factors lie on the device",
                           "2 times cuBLAS served: cuBLAS is to emulate it",
                           "1 times cuBLAS served: it is to leave SMs to others",
                           "1 times cuBLAS served: it names an algorithm",
                           "4 times cuBLAS served: cuBLAS judges its arguments"}) {
    INFO(line << "\n" << report.out);
    CHECK(holds(report.out, line));
  }
  CHECK(holds(run_jute({"shim", "report", file.file, "--json"}).out, "\"let_through\""));
  // A variable of NVIDIA's that asks for other sums than were measured.
  const auto with = [&](const char* variable) {
    return on_stand_in({variable, JUTE_COMMAND, "shim", "serve", file.file, "--", JUTE_BLAS_PROGRAM,
                        "recorded"})
        .out;
  };
  CHECK(with("NVIDIA_TF32_OVERRIDE=1") == "4 by cuBLAS\n");
  CHECK(with("NVIDIA_TF32_OVERRIDE=0") == "0 by cuBLAS\n");
  CHECK(with("CUBLAS_EMULATE_SINGLE_PRECISION=1") == "8 by cuBLAS\n");
}

TEST_CASE("a file that others may write serves nothing, and the program runs on",
          "[stand_in][shim][nvrtc][refusal]") {
  const PreparedFile& file = prepared_file();
  if (!file.is_there) return;
  const std::string copy = file.folder.file("copy.json");
  std::filesystem::copy(file.file, copy);
  std::filesystem::copy(file.file + ".kernels", copy + ".kernels",
                        std::filesystem::copy_options::recursive);
  const auto serve = [&] { return shim({"serve", copy, "--", JUTE_BLAS_PROGRAM, "recorded"}); };
  REQUIRE(serve().out == "0 by cuBLAS\n");
  std::filesystem::permissions(copy, std::filesystem::perms(0622));
  require_refusal(serve(), 2, "nobody else must be allowed to write it");
  // Without the command before it, as where the file changes later.
  const ProcessResult direct =
      on_stand_in({std::string("LD_PRELOAD=") + JUTE_FRONT, "JUTE_SHIM_SERVE=" + copy,
                   JUTE_BLAS_PROGRAM, "recorded"});
  CHECK(direct.out == "36 by cuBLAS\n");
  CHECK(holds(direct.err, "jute shim: "));
  std::filesystem::permissions(copy, std::filesystem::perms(0600));
  // A kernel that is lost is not compiled.
  std::filesystem::remove_all(copy + ".kernels/kernels");
  std::filesystem::create_directory(copy + ".kernels/kernels");
  std::filesystem::permissions(copy + ".kernels/kernels", std::filesystem::perms(0700));
  CHECK(serve().out == "36 by cuBLAS\n");
  // What was measured on another device.
  std::ifstream in(file.file);
  std::ostringstream text;
  text << in.rdbuf();
  std::string other = text.str();
  other.replace(other.find("h200"), 4, "h100");
  std::ofstream(copy) << other;
  CHECK(serve().out == "36 by cuBLAS\n");
  CHECK(holds(run_jute({"shim", "report", copy}).out, "the file was measured on another device"));
}

TEST_CASE("a program that calls no cuBLAS is told so, and its status is kept", "[stand_in][shim]") {
  const TemporaryFolder folder;
  const ProcessResult none = shim({"record", folder.file("log"), "--", "sh", "-c", "exit 7"});
  CHECK(none.status == 7);
  CHECK(holds(none.err, "take it by dlsym, as JAX does"));
  require_refusal(shim({"record", folder.file("log")}), 2, "it must be given behind --");
  require_refusal(shim({"prepare", folder.file("none"), "-o", folder.file("calls.json")}), 2,
                  "it must be a file that can be read");
}

TEST_CASE("the object in front of cuBLAS is small, and links libc alone", "[stand_in][shim]") {
  CHECK(std::filesystem::file_size(JUTE_FRONT) <= 100000);
  const ProcessResult read = run_process({"readelf", "-dW", JUTE_FRONT});
  if (read.status != 0) return;
  CHECK(holds(read.out, "Shared library: [libc.so.6]"));
  CHECK(read.out.find("(NEEDED)") == read.out.rfind("(NEEDED)"));
  CHECK_FALSE(holds(read.out, "(INIT"));
  CHECK_FALSE(holds(run_process({"readelf", "-VW", JUTE_FRONT}).out, "gnu.version_d"));
}
