// epilogue/gather_value.cu: what a thread finds of ${name} in a tile.
//   gives: Compute gathered${place}
//   fills: name = a; place = 2
Compute gathered${place} = 0;
