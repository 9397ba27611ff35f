// specialised/consumer.cu: a group multiplies its part of every k-tile of a tile, then drains it.
$[registers]
Pipe pipe;
FragmentC acc;
$[before]
$[tile]
  const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
  $[main_loop]
  $[release]
  $[meet]
  $[drain]
}
$[after]
