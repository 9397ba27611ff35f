// `jute plan` with a list of groups: how their tiles are dealt, in words, numbers and a picture.
#include "cli/command.hpp"
#include "files/files.hpp"
#include "files/npy_file.hpp"
#include "pictures/charts.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <cstring>

using namespace jute;
using namespace jute::test;

namespace {

const std::string kPlanOfGroups =
    "plan --device-preset h200 --n 256 --k 128 --type bf16 --count 3 --bound 900 --groups ";

void write_list(const std::string& path, const std::vector<std::int32_t>& list) {
  NpyArray array{.descr = "<i4", .fortran_order = false, .shape = {std::ssize(list)}, .bytes = {}};
  const auto bytes = std::as_bytes(std::span(list));
  array.bytes.assign(bytes.begin(), bytes.end());
  command::OutputFile file(path);
  command::write_npy(file, array);
  file.commit();
}

size_t tiles_drawn(const std::string& picture) {
  size_t found = 0;
  for (size_t at = picture.find("<title>group"); at != std::string::npos;
       at = picture.find("<title>group", at + 1))
    ++found;
  return found;
}

}  // namespace

TEST_CASE("a plan deals the list that is given, and draws it", "[cli][plan][groups][deal]") {
  const TemporaryFolder folder;
  const std::string ends = folder.file("ends.npy"), picture = folder.file("deal.svg");
  write_list(ends, {300, 300, 900});
  const ProcessResult result =
      run_jute(command_words(kPlanOfGroups + "rows --ends " + ends + " --deal " + picture));
  INFO(result.err);
  REQUIRE(result.status == 0);
  const size_t at = result.out.find("Of these groups: ");
  REQUIRE(at != std::string::npos);
  const size_t tiles = std::stoul(result.out.substr(at + std::strlen("Of these groups: ")));
  CHECK(tiles > 2);
  CHECK(result.out.find("until the last block ends, at least", at) != std::string::npos);
  const std::string drawn = command::read_text(picture);
  CHECK(tiles_drawn(drawn) == tiles);
  CHECK(drawn.find("group 0,") != std::string::npos);
  CHECK(drawn.find("group 1,") == std::string::npos);  // it has no rows
  CHECK(drawn.find("group 2,") != std::string::npos);
  const ProcessResult json = run_jute(command_words(kPlanOfGroups + "rows --json --ends " + ends));
  CHECK(json.out.find("\"deal\":{\"tiles\":" + std::to_string(tiles)) != std::string::npos);
  CHECK(run_jute(command_words(kPlanOfGroups + "rows")).out.find("Of these groups") ==
        std::string::npos);
}

TEST_CASE("a deal's picture has a row for each block with a tile, and an axis",
          "[cli][plan][groups][deal]") {
  const GroupDeal deal{.blocks = {{{.group = 0, .m = 0, .n = 0, .k_tiles = 2}},
                                  {},
                                  {{.group = 3, .m = 0, .n = 1, .k_tiles = 4}}},
                       .of_groups = {1, 0, 0, 1},
                       .tiles = 2,
                       .makespan = 4,
                       .bound = 4};
  const std::string drawn = command::to_svg(deal);
  CHECK(tiles_drawn(drawn) == 2);
  for (const char* text : {">block 0<", ">block 2<", ">group 0<", ">group 3<", ">4<",
                           "1 blocks have none", "k-tiles, of which"})
    CHECK(drawn.find(text) != std::string::npos);
  for (const char* text : {">block 1<", ">group 1<"}) CHECK(drawn.find(text) == std::string::npos);
}

TEST_CASE("a plan deals rows that say their groups", "[cli][plan][groups][deal]") {
  const TemporaryFolder folder;
  const std::string ends = folder.file("ends.npy"), groups = folder.file("groups.npy");
  write_list(ends, {300, 300, 900});
  std::vector<std::int32_t> list(900, 2);
  std::fill_n(list.begin() + 600, 300, 0);
  write_list(groups, list);
  const auto dealt = [&](const std::string& line) {
    const std::string out = run_jute(command_words(kPlanOfGroups + line)).out;
    return out.substr(std::min(out.find("Of these groups"), out.size()));
  };
  CHECK(dealt("rows:by_row --row-groups " + groups) == dealt("rows --ends " + ends));
  CHECK_FALSE(dealt("rows --ends " + ends).empty());
  list[700] = 2;
  write_list(groups, list);
  const auto refused = [&](const std::string& line) {
    return run_jute(command_words(kPlanOfGroups + line)).err;
  };
  CHECK(refused("rows:by_row --row-groups " + groups).find("entry 700 must be -1") !=
        std::string::npos);
  CHECK(refused("rows:by_row --ends " + ends).find("--row-groups") != std::string::npos);
  CHECK(refused("cols --row-groups " + groups).find("--groups rows") != std::string::npos);
  CHECK(refused("rows:by_row --row-groups " + ends).find("an entry for each row") !=
        std::string::npos);
}

TEST_CASE("what is no list of the plan's groups is refused", "[cli][plan][groups][deal][refusal]") {
  const TemporaryFolder folder;
  const std::string ends = folder.file("ends.npy");
  write_list(ends, {300, 200, 900});
  const auto refused = [&](const std::string& line) { return run_jute(command_words(line)).err; };
  CHECK(refused(kPlanOfGroups + "rows --ends " + ends).find("entry 1 must be from 300 to 900") !=
        std::string::npos);
  CHECK(refused(kPlanOfGroups + "masked_rows --ends " + ends).find("--counts") !=
        std::string::npos);
  CHECK(refused("plan --m 8 --n 8 --k 8 --ends " + ends).find("--groups rows") !=
        std::string::npos);
  CHECK(refused(kPlanOfGroups + "rows --deal " + folder.file("d.svg")).find("--ends") !=
        std::string::npos);
  write_list(ends, {300, 900});
  CHECK(refused(kPlanOfGroups + "rows --ends " + ends).find("an entry for each group") !=
        std::string::npos);
}
