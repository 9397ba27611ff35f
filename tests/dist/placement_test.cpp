// Meshes, placements and shares: their texts, refusals, and that every element is held.
#include <jute/dist/distribution.hpp>

#include <algorithm>

#include "dist/random_placement.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

namespace jute::test {
namespace {

constexpr std::array kMk{NamedExtent{Dimension::m, 8192}, NamedExtent{Dimension::k, 8192}};

std::string laid_out(const std::string& mesh, const std::string& placement, Index rows,
                     Index columns) {
  return to_string(rank_layout(
      distribution(parse_mesh(mesh), parse_placement(placement),
                   {NamedExtent{Dimension::m, rows}, NamedExtent{Dimension::k, columns}})));
}

}  // namespace

TEST_CASE("texts of meshes and placements read back", "[dist][text]") {
  for (const std::string text : {"tp=4", "row=2,col=2", "dp=3,tp=2,x_1=1"})
    CHECK(to_string(parse_mesh(text)) == text);
  for (const std::string text : {"all", "M@tp", "K@tp/128", "M@row,K@col", "+tp", "N@tp,+z",
                                 "(4,(2048,8192)):(2048,(1,8192))"})
    CHECK(to_string(parse_placement(text)) == text);
  for (const std::string text :
       {"A=M@tp,B=N@tp,D=N@tp", "A=M@row,K@col,B=N@col,K@row,D=M@row,N@col",
        "A=(4,(2048,8192)):(2048,(1,8192)),D=+tp", "C=all,D=M@tp", "D=all"})
    CHECK(to_string(parse_placements(text)) == text);
  for (const std::string text : {"all", "M@row,N@col", "K@tp/128"})
    CHECK(to_string(parse_share(text)) == text);
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    const Mesh mesh = random_mesh(random);
    CHECK(parse_mesh(to_string(mesh)) == mesh);
    Placements placements;
    placements.a = random_placement(random, mesh, {Dimension::m, Dimension::k});
    placements.d = random_placement(random, mesh, {Dimension::m, Dimension::n});
    CHECK(parse_placements(to_string(placements)) == placements);
  }
}

TEST_CASE("what is wrong in a text is told with its place", "[dist][text][refusal]") {
  const auto mesh = [](const char* text) { return refusal_of([&] { (void)parse_mesh(text); }); };
  CHECK(mesh("").code == ErrorCode::syntax);
  CHECK(mesh("tp").position->column == 3);
  CHECK(mesh("tp=4,").code == ErrorCode::syntax);
  CHECK(mesh("tp=0").nearest_legal == "1");
  CHECK(mesh("tp=4,tp=2").code == ErrorCode::illegal_config);
  CHECK(mesh("a=64,b=64").code == ErrorCode::out_of_range);
  CHECK(mesh("a=1,b=1,c=1,d=1,e=1,f=1,g=1").code == ErrorCode::out_of_range);
  const auto place = [](const char* text) {
    return refusal_of([&] { (void)parse_placements(text); });
  };
  CHECK(place("a=M@tp").nearest_legal == "A");
  CHECK(place("A=m@tp").nearest_legal == "M");
  CHECK(place("A=M@tp,A=K@tp").code == ErrorCode::illegal_config);
  CHECK(place("A=M@tp/0").nearest_legal == "1");
  CHECK(place("A=M").position->column == 4);
  CHECK(place("A=(4,2):(1").code == ErrorCode::syntax);
  CHECK(refusal_of([] { (void)parse_share("+tp"); }).code == ErrorCode::syntax);
}

TEST_CASE("texts that are no placement never break the parsers", "[dist][text][fuzz]") {
  std::mt19937 random(2);
  const std::string letters = "AMNKBCDtp@/,+=()0:149all_ \t";
  std::string text;
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    if (i % 3 == 0) text = "A=M@tp,B=(4,(2,8)):(2,(1,8)),D=N@tp/4,+z";
    const auto at = static_cast<std::size_t>(drawn(random, 0, static_cast<Index>(text.size())));
    const char letter =
        letters[static_cast<std::size_t>(drawn(random, 0, static_cast<Index>(letters.size()) - 1))];
    if (i % 2 == 0 || text.size() <= at)
      text.insert(at, 1, letter);
    else
      text[at] = letter;
    for (const auto& parse : {+[](const std::string& it) { (void)parse_mesh(it); },
                              +[](const std::string& it) { (void)parse_placements(it); },
                              +[](const std::string& it) { (void)parse_share(it); }})
      try {
        parse(text);
        ++read;
      } catch (const Exception& exception) {
        CHECK_FALSE(exception.error().violated_rules.empty());
      }
  }
  CHECK(read > 100);
}

TEST_CASE("a placement is a layout of rank and local place", "[dist][layout]") {
  CHECK(laid_out("tp=4", "M@tp", 8192, 8192) == "(4,(2048,8192)):(2048,(1,8192))");
  CHECK(laid_out("tp=4", "all", 8, 3) == "(4,(8,3)):(0,(1,8))");
  CHECK(laid_out("row=2,col=2", "M@row,K@col", 8, 6) == "((2,2),(4,3)):((4,24),(1,8))");
  CHECK(laid_out("tp=2", "K@tp/4", 1, 16) == "(2,(1,(4,2))):(4,(1,(1,8)))");
  CHECK(laid_out("tp=3", "M@tp", 10, 1) == "(3,(4,1)):(4,(1,12))");
  const Mesh mesh = parse_mesh("tp=4");
  const Distribution by_layout =
      distribution(mesh, parse_placement("(4,(2048,8192)):(2048,(1,8192))"), kMk);
  const Distribution by_words = distribution(mesh, parse_placement("M@tp"), kMk);
  CHECK(rank_layout(by_layout) == rank_layout(by_words));
}

TEST_CASE("a placement that cannot be is refused by its rule", "[dist][refusal]") {
  const auto refused = [](const char* mesh, const char* placement) {
    return refusal_of(
        [&] { (void)distribution(parse_mesh(mesh), parse_placement(placement), kMk); });
  };
  CHECK(refused("tp=4", "M@dp").nearest_legal == "tp");
  CHECK(refused("tp=4", "N@tp").nearest_legal == "M@tp");
  CHECK(refused("tp=4", "M@tp,K@tp").code == ErrorCode::illegal_config);
  CHECK(refused("tp=4", "M@tp,+tp").code == ErrorCode::illegal_config);
  CHECK(refused("a=2,b=4", "M@a/6,M@b").nearest_legal == "4");
  CHECK(refused("tp=4", "(2,(4096,8192)):(4096,(1,8192))").code == ErrorCode::illegal_config);
  CHECK(refused("tp=4", "(4,(2048,8192)):(1024,(1,8192))").code == ErrorCode::illegal_config);
  CHECK(refused("tp=4", "(4,(4096,8192)):(2048,(1,8192))").code == ErrorCode::illegal_config);
  CHECK(refused("tp=4", "(4,(2048,8192)):(2048,(1,8000))").code == ErrorCode::illegal_config);
  CHECK(refused("tp=4", "(4,(2048,4096)):(2048,(1,8192))").code == ErrorCode::illegal_config);
}

TEST_CASE("each index is held, by all ranks that differ along axes of copies", "[dist][law]") {
  std::mt19937 random(3);
  for (int i = 0; i < 400; ++i) {
    const Mesh mesh = random_mesh(random);
    const Index extent = drawn(random, 0, 40);
    const Placement placement = random_placement(random, mesh, {Dimension::m});
    const Spread it = spread(mesh, extent, Dimension::m, placement.deals);
    INFO(mesh << " " << placement << " of " << extent << ": " << it.layout);
    Index copies = 1;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis)
      if (it.layout[0].flat_stride()[axis] == 0) copies *= mesh.axes[axis].size;
    std::vector<Index> holders(static_cast<std::size_t>(extent), 0);
    Index largest = 0;
    for (Index rank = 0; rank < rank_count(mesh); ++rank) {
      const std::vector<Index> part = part_of(mesh, it, rank);
      REQUIRE(std::ranges::is_sorted(part));
      REQUIRE(part_size(it, coordinates(mesh, rank)) == static_cast<Index>(part.size()));
      for (std::size_t place = 0; place < part.size(); ++place) {
        REQUIRE(index_at(it, coordinates(mesh, rank), static_cast<Index>(place)) == part[place]);
        ++holders[static_cast<std::size_t>(part[place])];
      }
      largest = std::max(largest, static_cast<Index>(part.size()));
    }
    for (const Index count : holders) REQUIRE(count == copies);
    CHECK(largest_part(mesh, it) == largest);
  }
}

}  // namespace jute::test
