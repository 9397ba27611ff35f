const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);
