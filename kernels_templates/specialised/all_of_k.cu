const int k_tiles = (k + kTileK - 1) / kTileK;
