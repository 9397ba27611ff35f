// specialised/consumer.cu: a group multiplies its part of every k-tile of a tile, then drains it.
//   needs: type FragmentC, Pipe, Place; int clusters, ${extents}, rank; Place place_of(int, int, int, int)
//   gives: FragmentC acc; Pipe pipe; Place at; int cluster, matrix, tile_m, tile_n
//   fills: share = const int my_first = 0, my_step = 1;; begin = {}; extents = m, n
$[before]
Pipe pipe${begin};
FragmentC acc;
$[share]
#pragma unroll 1
for (int cluster = my_first; cluster < clusters; cluster += my_step) {
  const Place at = place_of(cluster, rank, ${extents});
  const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
  $[main_loop]
}
$[after]
