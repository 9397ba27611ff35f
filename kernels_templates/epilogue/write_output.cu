// epilogue/write_output.cu: elements of ${name} that a thread has computed together.
//   needs: type Vector<>; void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   fills: name = g; type = float; count = 4; elems = 2; place = static_cast<float*>(nullptr) + begin; left = 4; buffer = static_cast<const float*>(nullptr)
#pragma unroll
for (int begin = 0; begin < ${count}; begin += ${elems}) {
  Vector<${type}, ${elems}> out;
  #pragma unroll
  for (int one = 0; one < ${elems}; ++one) out.elem[one] = ${buffer}[begin + one];
  put_vector(${place}, out, ${left});
}
