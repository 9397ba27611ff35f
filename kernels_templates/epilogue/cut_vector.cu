const int valid = kWholeTilesM || out_row + row < m ? n - out_col - col : 0;
