// The table of chips: complete, sane, and found by the names that drivers give.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>

#include "support/catch.hpp"

using namespace jute;

TEST_CASE("every preset has a row of its own, and every row a preset", "[plan][chip]") {
  CHECK(known_chips().size() == device_presets().size());
  for (const DeviceInfo& preset : device_presets()) {
    const ChipFigures chip = chip_figures(preset);
    CHECK(chip.chip == preset.name);
    CHECK(chip.arch == preset.arch.number);
  }
  CHECK(std::ranges::is_sorted(known_chips(), {}, &ChipFigures::arch));
}

TEST_CASE("figures keep their order: clocks, types, instructions", "[plan][chip]") {
  for (const ChipFigures& chip : known_chips()) {
    INFO(chip.chip);
    for (const Figure& clock : {chip.mhz, chip.thread_mhz, chip.seen_mhz})
      CHECK((clock.value >= 1000 && clock.value <= 3000));
    CHECK(chip.seen_mhz.value <= chip.thread_mhz.value);
    CHECK((chip.memory_gb_s.value >= 200 && chip.memory_gb_s.value <= 10000));
    // The wider the type the fewer products; sums of f32 never faster than those of f16.
    CHECK(chip.mma_halves.value <= chip.mma_halves_f16.value);
    CHECK(chip.mma_words.value <= chip.mma_halves.value);
    for (const Figure& narrow : {chip.mma_integers, chip.mma_bytes})
      CHECK((narrow.value == 0 || narrow.value >= chip.mma_halves.value));
    CHECK(chip.thread_doubles.value <= chip.thread_singles.value);
    // What reads shared memory by itself is worth having.
    CHECK((chip.group_halves.value == 0 || chip.group_halves.value > chip.mma_halves.value));
    CHECK((chip.group_words.value > 0) == (chip.group_halves.value > 0));
    CHECK(chip.memory_seen_gb_s.value <= chip.memory_gb_s.value);
    CHECK(chip.dependent_launch_gap.value <= chip.launch_gap.value);
    CHECK(chip.l2_bytes.value <= chip.l2_same_bytes.value);
    CHECK((chip.tma_issue.value > 0) == (chip.arch >= 90));
    for (const NamedFigure& one : figures(chip)) CHECK(one.figure.value >= 0);
  }
}

TEST_CASE("a rate is the instruction's, by operands and sums", "[plan][chip]") {
  const ChipFigures h200 = chip_figures(device_preset("h200"));
  CHECK(greatest_rate(h200, MmaForm::wgmma_ss, DType::bf16, DType::f32) == 2048.0);
  CHECK(greatest_rate(h200, MmaForm::mma, DType::bf16, DType::f32) == 1364.0);
  CHECK(greatest_rate(h200, DType::bf16, DType::f32) == 2048.0);
  CHECK(greatest_rate(h200, MmaForm::fma, DType::s8, DType::s32) == 64.0);
  CHECK_FALSE(greatest_rate(h200, MmaForm::wgmma_ss, DType::f64, DType::f64));
  const ChipFigures geforce = chip_figures(device_preset("rtx4090"));
  CHECK(greatest_rate(geforce, MmaForm::mma, DType::f16, DType::f16) ==
        2 * *greatest_rate(geforce, MmaForm::mma, DType::f16, DType::f32));
  CHECK(greatest_rate(geforce, DType::f32, DType::f32) == 128.0);
}

TEST_CASE("a chip is found in the driver's name, and one without a row has its architecture's",
          "[plan][chip]") {
  const auto of = [](const char* name, int arch) {
    return chip_figures({.name = name, .arch = Arch{arch}});
  };
  CHECK(of("NVIDIA H100 80GB HBM3", 90).chip == "h100");
  CHECK(of("NVIDIA GeForce RTX 3090", 86).chip == "rtx3090");
  CHECK(of("NVIDIA L4", 89).chip == "l4");
  CHECK(of("NVIDIA A100-SXM4-80GB", 80).chip == "a100");
  CHECK(of("NVIDIA GH200 480GB", 90).chip == "h200");
  const ChipFigures l40 = of("NVIDIA L40", 89), unknown = of("a later chip", 110);
  CHECK(l40.chip == "l40s");
  CHECK(unknown.chip == "b200");
  for (const ChipFigures& chip : {l40, unknown})
    for (const NamedFigure& one : figures(chip))
      CHECK((one.figure.source == FigureSource::derived ||
             one.figure.source == FigureSource::estimate));
}

TEST_CASE("what nobody measured says so", "[plan][chip]") {
  const ChipFigures b200 = chip_figures(device_preset("b200"));
  CHECK(b200.mma_halves.source == FigureSource::estimate);
  CHECK(b200.group_halves.source == FigureSource::data_sheet);
  CHECK(chip_figures(device_preset("h200")).mma_halves.source == FigureSource::measured);
  for (const ChipFigures& chip : known_chips()) {
    CHECK_FALSE(chip.document.empty());
    for (const NamedFigure& one : figures(chip)) {
      INFO(chip.chip << " " << one.name);
      CHECK((one.figure.source == FigureSource::measured) == !one.figure.probe.date.empty());
      CHECK(one.figure.probe.date.empty() == one.figure.probe.method.empty());
    }
  }
}
