// specialised/one_tile.cu: the tile of a block, by its place in the grid.
{
  const Place at = {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.z)};
