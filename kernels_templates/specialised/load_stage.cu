// specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
//   needs: type Place; int kFullBytes; unsigned full; void expect_bytes(unsigned, int)
//   gives: Place at; int k_tile, stage; unsigned stage_full; void load_stage(int, int, const Place&)
const auto load_stage = [&](int stage, int k_tile, const Place& at) {
  const unsigned stage_full = full + 8 * stage;
  expect_bytes(stage_full, kFullBytes);
  $[load]
};
