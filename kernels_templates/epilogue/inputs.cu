// epilogue/inputs.cu (read): what elements of D that a thread handles together take from ${name}.
//   needs: type Vector<>; Vec load_vector<>(const Elem*, int)
//   fills: name = x; type = float; count = 4; elems = 2; place = static_cast<const float*>(nullptr) + begin; left = 4; buffer = static_cast<float*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; begin += ${elems}) {
  const auto in = load_vector<Vector<${type}, ${elems}>>(${place}, ${left});
  #pragma unroll
  for (int one = 0; one < ${elems}; ++one) ${buffer}[begin + one] = in.elem[one];
}

// epilogue/inputs.cu (place): a tile's part of a vector in shared memory, where this thread begins in it, and what threads
// have on its way there.
//   needs: type Vector<>; int kGroupThreads, kVectorBytes, kVectorsOffset; int group, in_col; unsigned char* smem
//   gives: ${type}* ${name}_tile; Vector<${type}, ${elems}> ${name}_asked[]
//   fills: type = float; name = in0; elems = 2; extent = 4; offset = 0; mine = in_col
${type}* const ${name}_tile = reinterpret_cast<${type}*>(smem + kVectorsOffset + group * kVectorBytes + ${offset});
const ${type}* const ${name}_thread = ${name}_tile + (${mine});
Vector<${type}, ${elems}> ${name}_asked[(${extent} + kGroupThreads * ${elems} - 1) / (kGroupThreads * ${elems})] = {};

// epilogue/inputs.cu (ask): a tile's part of a vector is asked for by the threads of a group, ahead of the products.
//   needs: Vec load_vector<>(const Elem*, int); type Vector<>; int kGroupThreads; int in_group; Vector<${type}, ${elems}> ${name}_asked[]
//   fills: type = float; name = in0; elems = 2; extent = 4; source = static_cast<const float*>(nullptr); left = 4
#pragma unroll
for (int first = 0; first < ${extent}; first += kGroupThreads * ${elems}) {
  const int entry = first + in_group * ${elems};
  if (first + kGroupThreads * ${elems} > ${extent} && entry >= ${extent}) break;
  ${name}_asked[first / (kGroupThreads * ${elems})] = load_vector<Vector<${type}, ${elems}>>(${source} + entry, ${left} - entry);
}

// epilogue/inputs.cu (put): what has been asked for comes to shared memory, which all of the group see behind a barrier.
//   needs: void store_vector<>(unsigned char*, const Elem*); type Vector<>; int kGroupThreads; int in_group
//   needs: ${type}* ${name}_tile; Vector<${type}, ${elems}> ${name}_asked[]
//   fills: type = float; name = in0; elems = 2; extent = 4
#pragma unroll
for (int first = 0; first < ${extent}; first += kGroupThreads * ${elems}) {
  const int entry = first + in_group * ${elems};
  if (first + kGroupThreads * ${elems} > ${extent} && entry >= ${extent}) break;
  store_vector<${elems}>(reinterpret_cast<unsigned char*>(${name}_tile + entry), ${name}_asked[first / (kGroupThreads * ${elems})].elem);
}

// epilogue/inputs.cu (next): what the next vectors of D take from the epilogue's inputs.
//   needs: int kInFlight, kOutElems; int first; int ${m}(int), ${n}(int)
//   fills: m = row_m; n = row_n; edge = const bool whole = true;
#pragma unroll
for (int turn = 0; turn < kInFlight; ++turn) {
  const int i = first + turn * kOutElems, row = ${m}(i), col = ${n}(i);
  $[edge]
  $[reads]
}
