// specialised/release_in_block.cu: a group says that it has read a stage.
//   needs: int in_group; unsigned free; void arrive(unsigned)
//   gives: void release_stage(int)
const auto release_stage = [&](int stage) {
  if (in_group == 0) arrive(free + 8 * stage);
};
