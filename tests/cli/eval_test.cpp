// `jute eval` as a program meets it.
#include <algorithm>
#include <fstream>
#include <sstream>
#include "support/temporary_folder.hpp"

#include "cli/command.hpp"

using namespace jute::test;

TEST_CASE("an expression prints its value on one line", "[cli][eval]") {
  const ProcessResult result = run_jute({"eval", "composition((4,8):(8,1),(2,4):(4,1))"});
  CHECK(result.status == 0);
  CHECK(result.out.ends_with("\n"));
  CHECK(result.err.empty());
  CHECK(run_jute({"eval", "logical_divide(16:2,4:1)"}).out == "(4,4):(2,8)\n");
}

TEST_CASE("a wrong expression is pointed at", "[cli][eval][refusal]") {
  const ProcessResult result = run_jute({"eval", "size((4,8):(8,1)"});
  require_refusal(result, 2, "jute: syntax: ");
  CHECK(result.err.find('^') != std::string::npos);
  CHECK(run_jute({"eval", "sise(8:1)"}).err.find("size") != std::string::npos);
}

TEST_CASE("a batch prints one line for each line, and fails in the end if one failed",
          "[cli][eval]") {
  const ProcessResult result =
      run_jute({"eval", "--batch"}, {.text = "size(8:1)\nsize(\n\nrank((4,8))\r\n(2,2):(1,2)"});
  CHECK(result.status == 1);
  std::vector<std::string> lines(1);
  for (const char c : result.out) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  REQUIRE(lines.size() == 6);
  CHECK(lines[0] == "8");
  CHECK(lines[1].starts_with("error: syntax: "));
  CHECK(lines[2].empty());
  CHECK(lines[3] == "2");
  CHECK(lines[4] == "(2,2):(1,2)");
  CHECK(lines[5].empty());
  CHECK(run_jute({"eval", "--batch"}, {.text = "size(8:1)\n"}).status == 0);
  CHECK(run_jute({"eval", "--batch"}).status == 0);
}

TEST_CASE("input that cannot be read is refused, and ends the reading", "[cli][eval][refusal]") {
  for (const std::string how : {"--batch", "--prompt"}) {
    // Lines without end would end here.
    const ProcessResult result =
        run_process({"/bin/sh", "-c",
                     "{ " JUTE_COMMAND " eval " + how + " </; echo status $?; } | head -c 1000"});
    CHECK(result.out.ends_with("status 2\n"));
    CHECK(result.err.starts_with(
        "jute: file_unreadable: standard input: it must be readable: Is a directory\n"));
  }
}

TEST_CASE("a batch in JSON has one object a line", "[cli][eval]") {
  const ProcessResult result =
      run_jute({"eval", "--batch", "--json"}, {.text = "size(8:1)\nsize(\xff)\n"});
  CHECK(result.status == 1);
  CHECK(
      result.out.starts_with("{\"expression\":\"size(8:1)\",\"result\":\"8\"}\n{\"expression\":"));
  CHECK(result.out.find("\"error\":{\"code\":\"syntax\"") != std::string::npos);
}

TEST_CASE("a hundred thousand lines give a hundred thousand answers", "[cli][eval]") {
  std::string text;
  for (int i = 0; i < 100000; ++i)
    text += "composition((4,8):(8,1),(2," + std::to_string(1 << (i % 3)) + "):(4,1))\n";
  const ProcessResult result = run_jute({"eval", "--batch"}, {.text = text});
  CHECK(result.status == 0);
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 100000);
}

TEST_CASE("a line beyond a mebibyte is refused once, and the batch goes on",
          "[cli][eval][refusal]") {
  constexpr size_t kMost = size_t{1} << 20;
  const auto padded = [](size_t bytes) { return "size(8:1)" + std::string(bytes - 9, ' '); };
  const std::string refused = "error: out_of_range: line: a line must have at most 1048576 bytes\n";
  for (const std::string end : {"\n", "\r\n"}) {
    CHECK(run_jute({"eval", "--batch"}, {.text = padded(kMost) + end + "rank(3)" + end}).out ==
          "8\n1\n");
    for (const size_t more : {size_t{1}, size_t{2}, size_t{3}, 3 * kMost}) {
      INFO(more << " more");
      const ProcessResult result =
          run_jute({"eval", "--batch"}, {.text = padded(kMost + more) + end + "rank(3)" + end});
      CHECK(result.status == 1);
      CHECK(result.out == refused + "1\n");
    }
  }
  CHECK(run_jute({"eval", "--batch"}, {.text = padded(kMost + 1)}).out == refused);
  CHECK(run_jute({"eval", "--batch"}, {.text = padded(2 * kMost)}).out == refused);
  const ProcessResult asked =
      run_jute({"eval", "--prompt"}, {.text = padded(2 * kMost) + "\nrank(3)\n"});
  CHECK(asked.status == 0);
  CHECK(asked.out.find("a line must have at most 1048576 bytes") != std::string::npos);
  CHECK(asked.out.ends_with("jute> 1\njute> \n"));
  const ProcessResult json =
      run_jute({"eval", "--batch", "--json"}, {.text = padded(2 * kMost) + "\nrank(3)\n"});
  CHECK(json.status == 1);
  CHECK(json.out.size() < 1024);
  CHECK(json.out.find("\"code\":\"out_of_range\"") != std::string::npos);
  CHECK(json.out.ends_with("{\"expression\":\"rank(3)\",\"result\":\"1\"}\n"));
}

TEST_CASE("a NUL in a line cuts no message", "[cli][eval][refusal]") {
  const ProcessResult result =
      run_jute({"eval", "--batch"}, {.text = std::string("si\0ze(8:1)\nrank(3)\n", 19)});
  INFO(result.out);
  CHECK(result.status == 1);
  CHECK(result.out.starts_with("error: "));
  CHECK(result.out.find('\0') == std::string::npos);
  CHECK(result.out.ends_with("\n1\n"));
}

TEST_CASE("a batch has names, comments and blank lines, and a line for each", "[cli][eval]") {
  const ProcessResult result = run_jute(
      {"eval", "--batch"}, {.text = "# a tile\na = (4,8):(8,1)\n\nsize(a)\nnope(a)\nrank(a)\n"});
  CHECK(result.status == 1);
  std::istringstream lines(result.out);
  std::vector<std::string> out;
  for (std::string line; std::getline(lines, line);) out.push_back(line);
  REQUIRE(out.size() == 6);
  CHECK(out[0].empty());
  CHECK(out[1] == "(4,8):(8,1)");
  CHECK(out[3] == "32");
  CHECK(out[4].starts_with("error: unknown_name: "));
  CHECK(out[5] == "2");
}

TEST_CASE("a file of statements prints what is asked and tells the line of a mistake",
          "[cli][eval]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("a.jute")) << "# sizes\na = (4,8):(8,1)\nsize(a)\nrank(a)\n";
  CHECK(run_jute({"eval", "--file", folder.file("a.jute")}).out == "32\n2\n");
  const ProcessResult json = run_jute({"eval", "--json", "--file", folder.file("a.jute")});
  CHECK(json.out.find("\"name\":\"a\",\"result\":\"(4,8):(8,1)\"") != std::string::npos);
  std::ofstream(folder.file("b.jute")) << "size(8:1)\n\nsise(8:1)\n";
  const ProcessResult wrong = run_jute({"eval", "--file", folder.file("b.jute")});
  CHECK(wrong.status == 2);
  CHECK(wrong.out == "8\n");
  CHECK(wrong.err.starts_with("jute: unknown_name: line 3, column 1: "));
  CHECK(run_jute({"eval", "a = 8:1\nsize(a)"}).out == "8\n");
}

TEST_CASE("a statement goes on while a bracket is open or an o waits", "[cli][eval]") {
  const TemporaryFolder folder;
  // As CUTLASS's tutorials print and write them.
  std::ofstream(folder.file("long.jute"))
      << "a = make_layout(make_shape(Int<32>{}, Int<8>{}),  // (m,k)\n"
         "                LayoutRight{})\n"
         "size(a)\n"
         "Sw<3,4,3>_smem_ptr[16b](0x7f8800000400) o\n"
         "    ((_64,(_8,_2)),_2,_4,_3):((_1,(_64,_1024)),_512,_2048,_8192)\n"
         "size(\n";
  const ProcessResult result = run_jute({"eval", "--file", folder.file("long.jute")});
  CHECK(result.out == "256\nSw<3,3,3>o0o((64,(8,2)),2,4,3):((1,(64,1024)),512,2048,8192)\n");
  CHECK(result.status == 2);
  CHECK(result.err.find("line 6, column 6") != std::string::npos);
}

TEST_CASE("the prompt answers and goes on after a mistake", "[cli][eval]") {
  const ProcessResult result =
      run_jute({"eval", "--prompt"}, {.text = "a = 8:1\nsise(a)\nsize(a)\nhelp\nquit\n9:1\n"});
  CHECK(result.status == 0);
  CHECK(result.out.find("(nearest legal: size)") != std::string::npos);
  CHECK(result.out.find("jute> 8\n") != std::string::npos);
  CHECK(result.out.find("9:1") == std::string::npos);
}

TEST_CASE("explain speaks in words and in JSON", "[cli][explain]") {
  const ProcessResult words = run_jute(
      {"explain", "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)", "--type", "f16"});
  CHECK(words.status == 0);
  CHECK(words.out.starts_with("Sw<3,3,3>o0o(8,64):(64,1)\n512 elements in 2 modes"));
  CHECK(words.out.find("thread 0: ") != std::string::npos);
  const ProcessResult json = run_jute({"explain", "(4,8):(8,1)", "--threads", "4", "--json"});
  CHECK(json.out.starts_with("{\"layout\":\"(4,8):(8,1)\",\"type\":\"f32\",\"threads\":4,"));
  CHECK(json.out.find("\"injective\":true") != std::string::npos);
  require_refusal(run_jute({"explain", "Sw<3,3,3>"}), 2, "it must be a layout");
  require_refusal(run_jute({"explain", "8:1", "--type", "half"}), 2, "f16");
}
