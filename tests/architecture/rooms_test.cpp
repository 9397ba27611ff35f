// The rooms of planning and of the command against their tables: includes point down.
#include <algorithm>

#include "architecture/source_tree.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// Of sources and private headers.
constexpr std::size_t kMostFilesOfRoom = 30;

/// Rooms, which are the folders below `folders`. Includes name their files behind one of
/// `prefixes`.
struct House {
  std::string table;                 ///< "src/plan/rooms.txt"
  std::vector<std::string> folders;  ///< "src/plan/"
  std::vector<std::string> roots;    ///< what a room's name stands behind in a path
  std::vector<std::string> prefixes;
  bool quoted;  ///< the rooms' own includes are in quotes, what stands in <> is a library's
};

const std::vector<House>& houses() {
  static const std::vector<House> all{
      {.table = "src/plan/rooms.txt",
       .folders = {"src/plan/", "include/jute/plan/"},
       .roots = {"src/plan/", "include/jute/plan/"},
       .prefixes = {"jute/plan/", "plan/"},
       .quoted = false},
      {.table = "tools/jute/rooms.txt",
       .folders = {"tools/jute/", "tools/race/", "tools/bench/"},
       .roots = {"tools/jute/", "tools/"},
       .prefixes = {""},
       .quoted = true},
  };
  return all;
}

/// "derive/operand" of derive/operand/… behind one of the beginnings; else nothing.
std::string room_behind(const std::vector<std::string>& beginnings, std::string path) {
  for (const std::string& beginning : beginnings)
    if (path.starts_with(beginning)) {
      path.erase(0, beginning.size());
      const auto end = path.rfind('/');
      return end == std::string::npos ? std::string() : path.substr(0, end);
    }
  return {};
}

/// Without those that stand in no room.
std::vector<SourceFile> files_of(const House& house) {
  std::vector<SourceFile> files;
  for (const std::string& folder : house.folders)
    std::ranges::move(source_files(folder), std::back_inserter(files));
  std::erase_if(files, [&](const SourceFile& file) {
    return house.quoted && room_behind(house.roots, file.path).empty();
  });
  return files;
}

/// The room that an include is of; nothing where it is of none.
std::string room_of(const House& house, const Include& include) {
  if (house.quoted && !include.quoted) return {};
  return room_behind(house.prefixes, include.target);
}

}  // namespace

TEST_CASE("the tables of rooms name the folders, each below those that include it",
          "[architecture]") {
  for (const House& house : houses()) {
    const Table rooms = read_table(house.table);
    Table there;
    for (const SourceFile& file : files_of(house)) {
      INFO(file.path);
      CHECK(rooms.contains(room_behind(house.roots, file.path)));
      there[room_behind(house.roots, file.path)];
    }
    for (const auto& [room, targets] : rooms) {
      CAPTURE(room);
      CHECK(there.contains(room));
      for (const std::string& target : targets) {
        CAPTURE(target);
        REQUIRE(rooms.contains(target));
        if (target != room) CHECK_FALSE(rooms.at(target).contains(room));
      }
    }
  }
}

TEST_CASE("each room includes only the rooms that its table allows", "[architecture]") {
  std::vector<std::string> refused;
  for (const House& house : houses()) {
    const Table rooms = read_table(house.table);
    for (const SourceFile& file : files_of(house))
      for (const Include& include : file.includes) {
        const std::string target = room_of(house, include);
        if (!target.empty() && !rooms.at(room_behind(house.roots, file.path)).contains(target))
          refused.push_back(file.path + " includes " + include.target);
      }
  }
  CHECK(refused == kNothing);
}

TEST_CASE("the tables of rooms allow nothing that nobody uses", "[architecture]") {
  std::vector<std::string> idle;
  for (const House& house : houses()) {
    Table used;
    for (const SourceFile& file : files_of(house))
      for (const Include& include : file.includes)
        used[room_behind(house.roots, file.path)].insert(room_of(house, include));
    for (const auto& [room, targets] : read_table(house.table))
      for (const std::string& target : targets)
        if (target != room && !used[room].contains(target)) idle.push_back(room + " -> " + target);
  }
  CHECK(idle == kNothing);
}

TEST_CASE("a room has at most thirty files", "[architecture]") {
  for (const House& house : houses()) {
    std::map<std::string, std::size_t> files;
    for (const SourceFile& file : files_of(house))
      if (!file.path.starts_with("include/")) ++files[room_behind(house.roots, file.path)];
    for (const auto& [room, count] : files) {
      INFO(house.table << ": " << room);
      CHECK(count <= kMostFilesOfRoom);
    }
  }
}

}  // namespace jute::test
