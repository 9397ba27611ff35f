// probe/complex_number.cu: complex multiply-add.
template <class Real>
struct Complex {
  Real re, im;
  __device__ Complex(Real real = Real(), Real imaginary = Real()) : re(real), im(imaginary) {}
};
template <class Real>
__device__ Complex<Real> operator*(Complex<Real> a, Complex<Real> b) {
  return Complex<Real>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <class Real>
__device__ Complex<Real> operator+(Complex<Real> a, Complex<Real> b) {
  return Complex<Real>(a.re + b.re, a.im + b.im);
}
