// Meshes: ranks as coordinates, and their text.
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/dist/mesh.hpp>

#include <ostream>

#include "base/format.hpp"
#include "dist/text_reader.hpp"

namespace jute {

Index rank_count(const Mesh& mesh) {
  Index count = 1;
  for (const MeshAxis& axis : mesh.axes) count *= axis.size;
  return count;
}

IntTuple shape(const Mesh& mesh) {
  std::vector<IntTuple> extents;
  for (const MeshAxis& axis : mesh.axes) extents.emplace_back(axis.size);
  return extents.size() == 1 ? extents.front() : IntTuple::tuple(extents);
}

std::vector<Index> coordinates(const Mesh& mesh, Index rank) {
  std::vector<Index> result;
  for (const MeshAxis& axis : mesh.axes) {
    result.push_back(rank % axis.size);
    rank /= axis.size;
  }
  return result;
}

Index rank_at(const Mesh& mesh, const std::vector<Index>& coordinates) {
  Index rank = 0;
  for (std::size_t i = mesh.axes.size(); i-- > 0;) rank = rank * mesh.axes[i].size + coordinates[i];
  return rank;
}

int axis_of(const Mesh& mesh, std::string_view name) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < mesh.axes.size(); ++i) {
    if (mesh.axes[i].name == name) return static_cast<int>(i);
    known.push_back(mesh.axes[i].name);
  }
  jute::refuse(ErrorCode::unknown_name, "axis", std::string(name),
               "it must be an axis of the mesh: " + joined(known), nearest_name(name, known));
}

std::string to_string(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes)
    text += base::format("{}{}={}", text.empty() ? "" : ",", axis.name, axis.size);
  return text;
}
std::ostream& operator<<(std::ostream& out, const Mesh& mesh) { return out << to_string(mesh); }

Mesh parse_mesh(std::string_view text) {
  dist::TextReader reader("mesh", text);
  Mesh mesh;
  do {
    const std::size_t at = reader.place();
    MeshAxis axis{reader.name("an axis, such as tp=4"), 1};
    for (const MeshAxis& other : mesh.axes)
      if (other.name == axis.name)
        reader.refuse(ErrorCode::illegal_config, at, "each axis must have a name of its own");
    reader.expect('=', "its size must follow its name: tp=4");
    axis.size = reader.number(1, kMostRanks, "an axis must have from 1 to 1024 ranks");
    mesh.axes.push_back(std::move(axis));
    if (mesh.axes.size() > kMostAxes)
      reader.refuse(ErrorCode::out_of_range, at, "a mesh must have at most 6 axes");
    if (rank_count(mesh) > kMostRanks)
      reader.refuse(ErrorCode::out_of_range, at, "a mesh must have at most 1024 ranks");
  } while (reader.take(','));
  reader.expect_end("axes must stand between commas: row=2,col=2");
  return mesh;
}

}  // namespace jute
