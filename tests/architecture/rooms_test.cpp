// The rooms of planning against their table: includes point down.
#include <algorithm>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// Of sources and private headers.
constexpr std::size_t kMostFilesOfRoom = 30;

/// "derive/operand" for src/plan/derive/operand/… and for include/jute/plan/derive/operand/….
std::string room_of(std::string path) {
  for (const std::string root : {"src/plan/", "include/jute/plan/", "jute/plan/", "plan/"})
    if (path.starts_with(root)) {
      path.erase(0, root.size());
      const auto end = path.rfind('/');
      return end == std::string::npos ? std::string() : path.substr(0, end);
    }
  return {};
}

std::vector<SourceFile> files_of_rooms() {
  std::vector<SourceFile> files = source_files("src/plan");
  std::ranges::move(source_files("include/jute/plan"), std::back_inserter(files));
  return files;
}

/// Which rooms each room includes.
Table used_rooms() {
  Table used;
  for (const SourceFile& file : files_of_rooms())
    for (const Include& include : file.includes)
      if (const std::string room = room_of(include.target); !room.empty())
        used[room_of(file.path)].insert(room);
  return used;
}

}  // namespace

TEST_CASE("the table of rooms names the folders of planning, each below those that include it",
          "[architecture]") {
  const Table rooms = read_table("src/plan/rooms.txt");
  for (const SourceFile& file : files_of_rooms()) {
    INFO(file.path);
    CHECK(rooms.contains(room_of(file.path)));
  }
  for (const auto& [room, targets] : rooms)
    for (const std::string& target : targets) {
      INFO(room << " -> " << target);
      REQUIRE(rooms.contains(target));
      if (target != room) CHECK_FALSE(rooms.at(target).contains(room));
    }
}

TEST_CASE("each room of planning includes only the rooms that the table allows", "[architecture]") {
  const Table rooms = read_table("src/plan/rooms.txt");
  std::vector<std::string> refused;
  for (const SourceFile& file : files_of_rooms())
    for (const Include& include : file.includes) {
      const std::string target = room_of(include.target), room = room_of(file.path);
      if (!target.empty() && !rooms.at(room).contains(target))
        refused.push_back(file.path + " includes " + include.target);
    }
  CHECK(refused == kNothing);
}

TEST_CASE("the table of rooms allows nothing that nobody uses", "[architecture]") {
  const Table used = used_rooms();
  std::vector<std::string> idle;
  for (const auto& [room, targets] : read_table("src/plan/rooms.txt"))
    for (const std::string& target : targets)
      if (target != room && (!used.contains(room) || !used.at(room).contains(target)))
        idle.push_back(room + " -> " + target);
  CHECK(idle == kNothing);
}

TEST_CASE("a room of planning has at most thirty files", "[architecture]") {
  std::map<std::string, std::size_t> files;
  for (const SourceFile& file : source_files("src/plan")) ++files[room_of(file.path)];
  for (const auto& [room, count] : files) {
    INFO(room);
    CHECK(count <= kMostFilesOfRoom);
  }
}

}  // namespace jute::test
