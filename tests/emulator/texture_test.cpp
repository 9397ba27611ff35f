// Textures and surfaces over plain memory.
#include <jute/base/error.hpp>
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/texture.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

struct Texel {
  float x, y;
};

/// What tex2D<float2> gives at these places of an object.
std::vector<Texel> sampled(EmulatedGpu& gpu, std::uint64_t object,
                           const std::vector<Texel>& places) {
  const auto given = gpu.array(places);
  const auto out = gpu.unset_array<Texel>(places.size());
  gpu.kernel(read_ptx("texture.ptx"), "sample2d")
      .launch({.block = {static_cast<Index>(places.size())}}, {object, given, out});
  return out.to_host();
}

std::vector<float> first_channel(const std::vector<Texel>& texels) {
  std::vector<float> values;
  for (const Texel& texel : texels) values.push_back(texel.x);
  return values;
}

std::string codes(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings) text += finding.code + " ";
  return text;
}

}  // namespace

TEST_CASE("a fetch by integers gives the texel, and zero outside", "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array<std::int8_t>({5, -6, 7});
  const auto out = gpu.unset_array<int>(5);
  const std::uint64_t object =
      gpu.backend().make_texture({.type = TexelType::s8, .extents = {3}}, texels.pointer());
  gpu.kernel(read_ptx("texture.ptx"), "fetch").launch({.block = {5}}, {object, out});
  CHECK(out.to_host() == std::vector<int>{0, 5, -6, 7, 0});
  CHECK(to_string(gpu.findings()) == "");
}

TEST_CASE("a sample takes the texel that holds its place", "[emulator][texture]") {
  EmulatedGpu gpu;
  // Two rows of three texels, at a distance of four.
  const auto texels = gpu.array<Texel>({{0, 9},
                                        {1, 8},
                                        {2, 7},
                                        {-1, -1},  //
                                        {10, 6},
                                        {11, 5},
                                        {12, 4},
                                        {-1, -1}});
  TextureSpec spec{.channels = 2, .extents = {3, 2}, .row_bytes = 32};
  const std::uint64_t clamped = gpu.backend().make_texture(spec, texels.pointer());
  const auto out = sampled(gpu, clamped, {{0, 0}, {0.99F, 1.5F}, {2, 1}, {-7, 9}, {1e30F, -1e30F}});
  CHECK(first_channel(out) == std::vector<float>{0, 10, 12, 10, 2});
  CHECK(out[2].y == 4);

  spec.addressing.fill(TextureAddressing::border);
  const std::uint64_t bordered = gpu.backend().make_texture(spec, texels.pointer());
  CHECK(first_channel(sampled(gpu, bordered, {{2, 1}, {-0.1F, 0}, {3, 0}, {0, 2}})) ==
        std::vector<float>{12, 0, 0, 0});

  spec.normalizes_coordinates = true;
  spec.addressing.fill(TextureAddressing::wrap);
  const std::uint64_t wrapped = gpu.backend().make_texture(spec, texels.pointer());
  CHECK(first_channel(sampled(gpu, wrapped, {{0.5F, 0.75F}, {1.5F, 0.75F}, {-0.1F, -0.1F}})) ==
        std::vector<float>{11, 11, 12});

  spec.addressing.fill(TextureAddressing::mirror);
  const std::uint64_t mirrored = gpu.backend().make_texture(spec, texels.pointer());
  CHECK(first_channel(sampled(gpu, mirrored, {{1.1F, 0.75F}, {-0.1F, 0.75F}, {1.9F, 0}})) ==
        std::vector<float>{12, 10, 0});
  CHECK(to_string(gpu.findings()) == "");
}

TEST_CASE("linear filtering weighs the neighbours of a place in steps of 1/256",
          "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array<std::uint8_t>({0, 255, 255, 0, 51, 0, 0, 0});
  const std::uint64_t object = gpu.backend().make_texture({.type = TexelType::u8,
                                                           .channels = 2,
                                                           .extents = {2, 2},
                                                           .filter = TextureFilter::linear,
                                                           .normalizes_values = true},
                                                          texels.pointer());
  // Channels: rows (0, 1), (0.2, 0) and (1, 0), (0, 0).
  const auto out =
      sampled(gpu, object, {{0.5F, 0.5F}, {1, 0.5F}, {1, 1}, {0.5F + 1.0F / 1024, 0.5F}, {0, 0}});
  CHECK(first_channel(out) == std::vector<float>{0, 0.5F, (1 + 51.0F / 255) / 4, 0, 0});
  CHECK(out[0].y == 1);
  CHECK(out[1].y == 0.5F);
  CHECK(to_string(gpu.findings()) == "");
}

TEST_CASE("a layered texture is asked for a layer, the last one beyond it", "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array<float>({1, 2, 3, 4, 5, 6});
  const auto out = gpu.unset_array<float>(4);
  const std::uint64_t object =
      gpu.backend().make_texture({.extents = {2, 1}, .layers = 3}, texels.pointer());
  gpu.kernel(read_ptx("texture.ptx"), "layers").launch({.block = {4}}, {object, out});
  CHECK(out.to_host() == std::vector<float>{1, 3, 5, 5});
  CHECK(to_string(gpu.findings()) == "");
}

TEST_CASE("a surface is read and written by bytes; beyond its rows is a finding",
          "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array<std::uint16_t>({1, 2, 3, 4, 0, 0, 0, 0});
  const std::uint64_t object =
      gpu.backend().make_texture({.type = TexelType::u16, .extents = {4, 2}}, texels.pointer());
  const EmulatedKernel kernel = gpu.kernel(read_ptx("texture.ptx"), "double_row");
  kernel.launch({.block = {4}}, {object});
  CHECK(texels.to_host() == std::vector<std::uint16_t>{1, 2, 3, 4, 2, 4, 6, 8});
  CHECK(to_string(gpu.findings()) == "");
  kernel.launch({.block = {5}}, {object});
  CHECK(codes(gpu.findings()) == "M8 ");
}

TEST_CASE("a query gives an object's extents", "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array(std::vector<float>(12));
  const auto out = gpu.unset_array<std::uint32_t>(2);
  const std::uint64_t object = gpu.backend().make_texture({.extents = {4, 3}}, texels.pointer());
  gpu.kernel(read_ptx("texture.ptx"), "extents").launch({}, {object, out});
  CHECK(out.to_host() == std::vector<std::uint32_t>{4, 3});
}

TEST_CASE("what is no object, or one of another geometry, is a finding", "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array<float>({1, 2});
  const std::uint64_t line = gpu.backend().make_texture({.extents = {2}}, texels.pointer());
  CHECK(sampled(gpu, line, {{0, 0}})[0].x == 0);
  CHECK(codes(gpu.findings()) == "M8 ");
  CHECK(sampled(gpu, texels.pointer(), {{0, 0}})[0].x == 0);
  CHECK(codes(gpu.findings()) == "M8 ");
}

TEST_CASE("texels that were never written are told where they are used", "[emulator][texture]") {
  EmulatedGpu gpu;
  const auto texels = gpu.unset_array<Texel>(4);
  const std::uint64_t object =
      gpu.backend().make_texture({.channels = 2, .extents = {2, 2}}, texels.pointer());
  (void)sampled(gpu, object, {{0, 0}});
  CHECK(codes(gpu.findings()).starts_with("M3"));
}

TEST_CASE("a texture that cannot be made names every broken rule", "[emulator][texture][refusal]") {
  EmulatedGpu gpu;
  const auto texels = gpu.array(std::vector<float>(16));
  const auto refused = [&](const TextureSpec& spec) {
    return refusal_of([&] { (void)gpu.backend().make_texture(spec, texels.pointer()); });
  };
  CHECK(refused({.channels = 3, .extents = {0, 0, 2}}).violated_rules.size() == 3);
  CHECK(refused({.type = TexelType::u8, .filter = TextureFilter::linear}).violated_rules ==
        std::vector<std::string>{
            "linear filtering needs floats or integers that are read as fractions"});
  CHECK(refused({.extents = {4, 4}, .row_bytes = 12}).violated_rules.front() ==
        "a row must have at least the 16 bytes of its texels");
  CHECK(refused({.extents = {17}}).code == ErrorCode::out_of_range);
  CHECK(refused({.extents = {Index{1} << 62, Index{1} << 62}}).code == ErrorCode::overflow);
}
