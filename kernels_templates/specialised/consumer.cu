// specialised/consumer.cu: a group multiplies its part of every k-tile of a tile, then drains it.
$[registers]
Pipe pipe;
FragmentC acc;
$[before]
$[tile]
  const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
  $[take_turn]
  $[main_loop]
  $[give_turn]
  $[release]
  $[meet]
  $[drain]
}
$[after]
