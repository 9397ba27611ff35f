// epilogue/gather_tiles.cu: tiles of a matrix that this block has drained and not counted yet.
//   gives: unsigned gathered_tiles
unsigned gathered_tiles = 0;
