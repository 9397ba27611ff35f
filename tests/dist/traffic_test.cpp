// Traffic: every element comes once, from who holds it; known bytes; there and back is the
// identity.
#include <jute/dist/traffic.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/swizzle.hpp>

#include <map>
#include <numeric>

#include "dist/random_placement.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

using Extents = std::array<NamedExtent, 2>;

/// What ranks have, (row, column) by places in their parts.
using Held = std::vector<std::vector<std::vector<Index>>>;

Held held_numbers(const Mesh& mesh, const Distribution& it) {
  Held result;
  for (Index rank = 0; rank < rank_count(mesh); ++rank) {
    auto& rows = result.emplace_back();
    for (const Index row : part_of(mesh, it.dims[0], rank)) {
      auto& columns = rows.emplace_back();
      for (const Index column : part_of(mesh, it.dims[1], rank))
        columns.push_back(row + 1000 * column);
    }
  }
  return result;
}

/// What is there once all parcels have come; each element must come once.
Held delivered(const Held& from, Held into, const std::vector<Parcel>& parcels) {
  for (auto& rank : into)
    for (auto& row : rank)
      for (Index& element : row) element = -1;
  for (const Parcel& parcel : parcels)
    for (const IndexRun& rows : parcel.runs[0])
      for (const IndexRun& columns : parcel.runs[1])
        for (Index row = 0; row < rows.count; ++row)
          for (Index column = 0; column < columns.count; ++column) {
            Index& target = into.at(static_cast<std::size_t>(parcel.receiver))
                                .at(static_cast<std::size_t>(rows.to + row))
                                .at(static_cast<std::size_t>(columns.to + column));
            REQUIRE(target == -1);
            target = from.at(static_cast<std::size_t>(parcel.sender))
                         .at(static_cast<std::size_t>(rows.from + row))
                         .at(static_cast<std::size_t>(columns.from + column));
          }
  return into;
}

Index moved(const std::string& mesh_text, const std::string& held, const std::string& needed,
            Index rows, Index columns) {
  const Mesh mesh = parse_mesh(mesh_text);
  const Extents dims{NamedExtent{Dimension::m, rows}, NamedExtent{Dimension::k, columns}};
  const std::vector<Index> pairs = elements_by_pair(
      rank_count(mesh), traffic(mesh, distribution(mesh, parse_placement(held), dims),
                                distribution(mesh, parse_placement(needed), dims)));
  return std::accumulate(pairs.begin(), pairs.end(), Index{0});
}

}  // namespace

TEST_CASE("whatever is held and needed, each element comes once and to its place", "[dist][law]") {
  std::mt19937 random(4);
  for (int i = 0; i < 600; ++i) {
    const Mesh mesh = random_mesh(random);
    const Extents dims{NamedExtent{Dimension::m, drawn(random, 0, 23)},
                       NamedExtent{Dimension::k, drawn(random, 1, 23)}};
    const std::vector<Dimension> both{Dimension::m, Dimension::k};
    const Placement from = random_placement(random, mesh, both);
    const Placement to = random_placement(random, mesh, both);
    INFO(mesh << " from " << from << " to " << to << " of " << dims[0].extent << " x "
              << dims[1].extent);
    const Distribution held = distribution(mesh, from, dims), needed = distribution(mesh, to, dims);
    const std::vector<Parcel> there = traffic(mesh, held, needed);
    const Held source = held_numbers(mesh, held), target = held_numbers(mesh, needed);
    REQUIRE(delivered(source, target, there) == target);
    REQUIRE(delivered(target, source, traffic(mesh, needed, held)) == source);
    // What a rank has it sends to itself.
    std::map<Index, Index> own;
    for (const Parcel& parcel : there)
      if (parcel.sender == parcel.receiver) own[parcel.receiver] += element_count(parcel);
    for (Index rank = 0; rank < rank_count(mesh); ++rank) {
      Index both_have = 1;
      for (std::size_t dim = 0; dim < 2; ++dim) {
        const std::vector<Index> has = part_of(mesh, held.dims[dim], rank);
        const std::vector<Index> needs = part_of(mesh, needed.dims[dim], rank);
        std::vector<Index> common;
        std::ranges::set_intersection(has, needs, std::back_inserter(common));
        both_have *= static_cast<Index>(common.size());
      }
      REQUIRE(own[rank] == both_have);
    }
  }
}

TEST_CASE("where traffic is a layout, parcels are that layout", "[dist][law]") {
  std::mt19937 random(5);
  int layouts = 0;
  for (int i = 0; i < 300; ++i) {
    const Mesh mesh = random_mesh(random);
    const Extents dims{NamedExtent{Dimension::m, 60}, NamedExtent{Dimension::k, 60}};
    const std::vector<Dimension> both{Dimension::m, Dimension::k};
    const Distribution held = distribution(mesh, random_placement(random, mesh, both), dims);
    const Distribution needed = distribution(mesh, random_placement(random, mesh, both), dims);
    const auto map = traffic_layout(held, needed);
    if (!map || cosize(rank_layout(held)) != 3600 || size(rank_layout(held)) != 3600) continue;
    ++layouts;
    const Index ranks = rank_count(mesh);
    for (const Parcel& parcel : traffic(mesh, held, needed)) {
      const IndexRun& rows = parcel.runs[0].front();
      const IndexRun& columns = parcel.runs[1].front();
      const Index height_to = size(needed.dims[0].layout[1]);
      const Index height_from = size(held.dims[0].layout[1]);
      const Index to = parcel.receiver + ranks * (rows.to + height_to * columns.to);
      const Index from = parcel.sender + ranks * (rows.from + height_from * columns.from);
      CHECK((*map)(to) == from);
    }
  }
  CHECK(layouts > 30);
}

TEST_CASE("what is where it is needed does not move, and the map says so", "[dist][law]") {
  const Mesh mesh = parse_mesh("tp=4");
  const Extents dims{NamedExtent{Dimension::m, 64}, NamedExtent{Dimension::k, 32}};
  const Distribution cut = distribution(mesh, parse_placement("M@tp"), dims);
  CHECK(coalesce(*traffic_layout(cut, cut)) == Layout("2048:1"));
  CHECK(moved("tp=4", "M@tp", "M@tp", 64, 32) == 0);
  CHECK(moved("tp=4", "all", "K@tp", 64, 32) == 0);
}

TEST_CASE("known amounts: gather, redistribution, two-dimensional products", "[dist][known]") {
  const Index p = 4, rows = 64, columns = 48, all = rows * columns;
  // All-gather: each rank lacks all but its own part.
  CHECK(moved("tp=4", "M@tp", "all", rows, columns) == (p - 1) * all);
  CHECK(moved("tp=4", "K@tp", "all", rows, columns) == (p - 1) * all);
  // From rows to columns: each pair exchanges a block.
  CHECK(moved("tp=4", "M@tp", "K@tp", rows, columns) == all * (p - 1) / p);
  // From parts to blocks dealt round: of 16 rows a rank keeps 4.
  CHECK(moved("tp=4", "M@tp", "M@tp/4", rows, columns) == all * 3 / 4);
  // A 2 x 2 mesh gathers along one axis.
  CHECK(moved("row=2,col=2", "M@row,K@col", "M@row", rows, columns) == all);
  // Summands: each of p has all of them, and each element goes to one rank.
  CHECK(moved("tp=4", "+tp", "M@tp", rows, columns) == (p - 1) * all);
  // SUMMA on 2 x 2 moves two thirds of what one dimension does: both operands against one of them.
  const Index n = 16384;
  const Index two = moved("row=2,col=2", "M@row,K@col", "M@row", n, n) +
                    moved("row=2,col=2", "M@row,K@col", "K@col", n, n);
  CHECK(3 * two == 2 * moved("tp=4", "M@tp", "all", n, n));
  // 2.5-D: over two layers of 2 x 2 each keeps half of K, which was dealt to all eight.
  CHECK(moved("row=2,col=2,z=2", "M@row,K@z,K@col", "M@row,K@z", n, n) == n * n);
}

TEST_CASE("extents that parts do not divide are walked by runs, not by elements", "[dist][known]") {
  const Index prime = 2147483647;  // one by one it takes minutes
  CHECK(moved("tp=3", "K@tp", "M@tp", prime, 3) == 2 * prime);
  CHECK(moved("tp=3", "M@tp", "all", prime, 1) == 2 * prime);
  CHECK(moved("row=2,col=3", "M@row,M@col", "M@col", prime, 2) > 0);
}

TEST_CASE("in each round every rank sends to one and receives from one", "[dist][law]") {
  for (Index ranks = 1; ranks <= 9; ++ranks)
    for (Index sender = 0; sender < ranks; ++sender) {
      std::set<Index> rounds;
      for (Index receiver = 0; receiver < ranks; ++receiver) {
        const Index round = pair_round(ranks, sender, receiver);
        CHECK((round == 0) == (sender == receiver));
        rounds.insert(round);
      }
      CHECK(static_cast<Index>(rounds.size()) == ranks);
    }
}

TEST_CASE("time is a layout where ranks are a power of two: device XOR time", "[dist][law]") {
  // The first bits of each are the partner.
  for (const auto& [ranks, text] : {std::pair(Index{2}, "Sw<1,0,1>o0o(2,2):(1,2)"),
                                    {Index{4}, "Sw<2,0,2>o0o(4,4):(1,4)"},
                                    {Index{8}, "Sw<3,0,3>o0o(8,8):(1,8)"}}) {
    const ComposedLayout partner(text);
    for (Index device = 0; device < ranks; ++device)
      for (Index time = 0; time < ranks; ++time) {
        const Index peer = partner(device + ranks * time) % ranks;
        CHECK(peer == (device ^ time));
        CHECK(pair_round(ranks, device, peer) == time);
      }
  }
}

TEST_CASE("a placement of single rows over a long matrix is refused", "[dist][refusal]") {
  const Mesh mesh = parse_mesh("tp=2");
  const Extents dims{NamedExtent{Dimension::m, 1 << 22}, NamedExtent{Dimension::k, 1}};
  try {
    (void)traffic(mesh, distribution(mesh, parse_placement("M@tp/1"), dims),
                  distribution(mesh, parse_placement("M@tp"), dims));
    FAIL("it was accepted");
  } catch (const Exception& exception) {
    CHECK(exception.error().code == ErrorCode::unsupported);
  }
}

}  // namespace jute::test
