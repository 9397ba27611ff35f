// epilogue/gather_end.cu: the block that ends a matrix puts together what all warps found, in the order of
// the tiles.
//   needs: int gatherer, matrix, tiles_along_m, tiles_along_n; unsigned* gathered; bool ends_matrix(unsigned*, unsigned, unsigned)
//   fills: barrier = __syncthreads(); any = __syncthreads_or(; tiles = 1
${barrier};
if (${any}gatherer == 0 && ends_matrix(gathered + matrix, ${tiles}, tiles_along_m * tiles_along_n))) {
  $[add]
  ${barrier};
  $[store]
}
