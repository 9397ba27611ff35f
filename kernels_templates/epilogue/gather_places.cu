// epilogue/gather_places.cu: warps leave what they find in a tile behind that of the tiles before; a matrix ends with a
// value more for each warp.
//   needs: int kDrainWarps; int m, matrix, n, tile_m, tile_n; int thread_again()
//   gives: int gatherer, tiles_along_m, tiles_along_n; long long matrix_place, tile_place, tile_values
//   fills: along_m = m; along_n = n
const int gatherer = thread_again(), tiles_along_m = ${along_m}, tiles_along_n = ${along_n};
const long long tile_values = static_cast<long long>(tiles_along_m) * tiles_along_n * kDrainWarps;
const long long matrix_place = matrix * (tile_values + kDrainWarps);
const long long tile_place = matrix_place + (tile_m + static_cast<long long>(tiles_along_m) * tile_n) * kDrainWarps;
