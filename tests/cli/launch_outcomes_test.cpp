// How the outcome of launches is told: findings as SARIF, profiles, colour.
#include <jute/base/types.hpp>
#include <nlohmann/json.hpp>

#include "cli/launched_kernels.hpp"
#include "files/files.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

TEST_CASE("findings come as SARIF with the lines that they name", "[cli][emulate]") {
  const LaunchBench bench;
  const ProcessResult result =
      bench.run(launches(R"("x": {"dtype": "f32", "shape": 4, "init": "iota"},
                            "y": {"dtype": "f32", "shape": 4, "init": "iota", "expect": "zeros"})",
                         launch_add(R"("y", "x", 5)")),
                {"--sarif", bench.folder.file("out.sarif")});
  CHECK(result.status == 1);
  CHECK(result.out.find("| ld.global.f32 %f1, [%rd4];") != std::string::npos);
  CHECK(result.out.find('\033') == std::string::npos);
  const auto sarif = nlohmann::json::parse(read_text(bench.folder.file("out.sarif")));
  CHECK(sarif["version"] == "2.1.0");
  const auto& run = sarif["runs"][0];
  CHECK(run["tool"]["driver"]["name"] == "jute");
  CHECK(run["results"][0]["ruleId"] == "M1");
  const auto& place = run["results"][0]["locations"][0];
  CHECK(place["logicalLocations"][0]["fullyQualifiedName"] ==
        "void net::add<float>(float*, float const*, unsigned int)");
  const auto& region = place["physicalLocation"]["region"];
  CHECK(region["snippet"]["text"] == "  ld.global.f32 %f1, [%rd4];");
  CHECK(region["startLine"] == 22);
  CHECK(run["results"].back()["ruleId"] == "mismatch");
  for (const auto& rule : run["tool"]["driver"]["rules"])
    CHECK_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
}

TEST_CASE("a profile comes as text, as data and as a page with the source", "[cli][emulate]") {
  const LaunchBench bench;
  const std::string text = launches(R"("x": {"dtype": "f32", "shape": 32, "init": "iota"})",
                                    launch_add(R"("x", "x", 32)"));
  const ProcessResult printed = bench.run(text, {"--profile", "text"});
  CHECK(printed.status == 0);
  CHECK(printed.out.starts_with("clean\nprofile void net::add<float>("));
  CHECK(printed.out.find("| ld.global.f32 %f1, [%rd4];") != std::string::npos);
  const std::string page = bench.folder.file("p.html"), data = bench.folder.file("p.json");
  CHECK(bench.run(text, {"--profile", page}).out == "clean\n");
  CHECK(bench.run(text, {"--profile", data}).out == "clean\n");
  const std::string html = read_text(page);
  CHECK(html.starts_with("<!DOCTYPE html>"));
  CHECK(html.find("ld.global.f32 %f1, [%rd4];") != std::string::npos);
  CHECK(html.find("http") == std::string::npos);  // nothing from elsewhere
  // A table is wider than a telephone: it scrolls, and the page does not.
  size_t tables = 0;
  for (size_t at = html.find("<table"); at != std::string::npos; at = html.find("<table", at + 1))
    tables += html.substr(0, at).ends_with("<div class=\"wide\" tabindex=\"0\">") ? 1 : 100;
  CHECK(tables == 3);  // all, the file, the opcodes
  const auto json = nlohmann::json::parse(read_text(data));
  const auto& launch = json["launches"][0];
  CHECK(launch["counts"]["global_bytes"] == 3 * 128);
  CHECK(launch["counts"]["global_requests"] == 3);
  Index sum = 0;
  for (const auto& line : launch["lines"]) sum += line["counts"]["warps"].get<Index>();
  CHECK(launch["counts"]["warps"] == sum);
  CHECK(launch["occupancy"]["limit"] == "blocks");
  require_refusal(bench.run(text, {"--profile", "p.pdf"}), 2, ".html");
}

TEST_CASE("colour comes only where it is asked for", "[cli][emulate]") {
  const LaunchBench bench;
  const std::string wrong = launches(R"("x": {"dtype": "f32", "shape": 4, "init": "iota"})",
                                     launch_add(R"("x", "x", 5)"));
  CHECK(bench.run(wrong).out.find('\033') == std::string::npos);
  CHECK(bench.run(wrong, {"--color", "always"}).out.find("\033[1;31mM1:\033[0m") !=
        std::string::npos);
  CHECK(bench.run(wrong, {"--color", "never"}).out.find('\033') == std::string::npos);
}
