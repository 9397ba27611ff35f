// specialised/one_slice.cu: the tile of a block, by its place in the grid; blocks of other slices have it too.
{
  const Place at = {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z) / kSlices};
