// specialised/place.cu: a tile of D, by its number along M and N, and its matrix of the batch.
//   gives: type Place
struct Place { int tile_m, tile_n, matrix; };
