// Draws, writes and judges them.
#include "support/ranged_files.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "cli/command.hpp"

namespace jute::test {
namespace {

Index elements_of(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  return count;
}

/// Where an element of the array stands in a file, an index at a time.
std::size_t place_in_file(const std::vector<Index>& shape, Index at, bool fortran) {
  if (!fortran) return static_cast<std::size_t>(at);
  Index place = 0, stride = elements_of(shape);
  for (std::size_t i = shape.size(); i-- > 0; at /= shape[i]) {
    stride /= shape[i];
    place += at % shape[i] * stride;
  }
  return static_cast<std::size_t>(place);
}

template <class Number>
void put_number(std::string& bytes, std::size_t place, double value) {
  const auto number = static_cast<Number>(value);
  std::memcpy(bytes.data() + place * sizeof number, &number, sizeof number);
}

template <class Number>
double taken_number(const std::string& bytes, std::size_t place) {
  Number number{};
  std::memcpy(&number, bytes.data() + place * sizeof number, sizeof number);
  return static_cast<double>(number);
}

void write_logical(const std::string& path, const LogicalArray& array, const std::string& descr,
                   bool fortran) {
  std::string shape;
  for (const Index extent : array.shape) shape += std::to_string(extent) + ",";
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                       shape + "), }\n";
  const std::size_t width = descr == "|i1" ? 1 : 4;
  std::string bytes(array.values.size() * width, '\0');
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const std::size_t place = place_in_file(array.shape, static_cast<Index>(i), fortran);
    if (descr == "|i1")
      put_number<std::int8_t>(bytes, place, array.values[i]);
    else if (descr == "<i4")
      put_number<std::int32_t>(bytes, place, array.values[i]);
    else
      put_number<float>(bytes, place, array.values[i]);
  }
  std::ofstream(path, std::ios::binary)
      << std::string("\x93NUMPY\x01", 7) << '\0' << static_cast<char>(header.size() & 0xff)
      << static_cast<char>(header.size() >> 8) << header << bytes;
}

LogicalArray read_logical(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::size_t open = bytes.find('('), close = bytes.find(')');
  if (open == std::string::npos || close == std::string::npos) return {};
  LogicalArray array;
  std::istringstream shape(bytes.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(shape, word, ',');)
    if (word.find_first_not_of(' ') != std::string::npos) array.shape.push_back(std::stoll(word));
  const std::string header = bytes.substr(0, bytes.find('\n') + 1);
  const std::string data = bytes.substr(header.size());
  const bool fortran = header.find("'fortran_order': True") != std::string::npos;
  for (Index i = 0; i < elements_of(array.shape); ++i) {
    const std::size_t place = place_in_file(array.shape, i, fortran);
    array.values.push_back(header.find("<i4") != std::string::npos
                               ? taken_number<std::int32_t>(data, place)
                               : taken_number<float>(data, place));
  }
  return array;
}

/// The shape with its last two extents exchanged.
std::vector<Index> transposed_shape(std::vector<Index> shape) {
  if (shape.size() > 1) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

LogicalArray transpose_of(const LogicalArray& array) {
  LogicalArray result{transposed_shape(array.shape), {}};
  const Index rows = array.shape[array.shape.size() - 2], columns = array.shape.back();
  for (Index one = 0; one < elements_of(array.shape) / std::max<Index>(rows * columns, 1); ++one)
    for (Index column = 0; column < columns; ++column)
      for (Index row = 0; row < rows; ++row)
        result.values.push_back(
            array.values[static_cast<std::size_t>((one * rows + row) * columns + column)]);
  return result;
}

/// An element of a vector or a matrix, of one matrix for all or of each.
double element_at(const LogicalArray& array, Index batch, std::vector<Index> place) {
  if (array.shape.size() > place.size()) place.insert(place.begin(), batch);
  Index offset = 0;
  for (std::size_t i = 0; i < place.size(); ++i)
    offset = offset * array.shape[i] + (array.shape[i] == 1 ? 0 : place[i]);
  return array.values[static_cast<std::size_t>(offset)];
}

}  // namespace

RangedFiles::RangedFiles(std::uint64_t seed) : chance_(seed) {
  last_ = 1 + chance_.below(40);
  first_ = 1 + chance_.below(last_);
  n_ = 1 + chance_.below(24);
  k_ = chance_.one_in(2) ? 8 * (1 + chance_.below(3)) : 1 + chance_.below(24);
  if (chance_.one_in(2)) batch_ = 1 + chance_.below(3);
  type_ = chance_.from<std::string>({"f32", "f32", "bf16", "f16", "s8"});
  for (Operand* operand : {&a_, &b_}) {
    operand->batched = batch_ > 0 && !chance_.one_in(3);
    operand->transposed = chance_.one_in(2);
    operand->fortran = !operand->batched && chance_.one_in(3);
  }
  if (batch_ > 0 && !b_.batched) a_.batched = true, a_.fortran = false;
  by_columns_ = chance_.one_in(3);
  if (type_ == "bf16")
    for (Operand* operand : {&a_, &b_}) {
      operand->scaled = chance_.one_in(2);
      operand->zeroed = operand->scaled && chance_.one_in(2);
      if (k_ % 8 == 0 && chance_.one_in(2)) operand->blocks = k_ / 8;
    }
  draw_epilogue();
}

void RangedFiles::draw_epilogue() {
  const std::string batch = batch_ > 1 && chance_.one_in(2) ? "batch," : "";
  switch (chance_.below(8)) {
    case 0:
      with_c_ = true;
      beta_ = 2;
      break;
    case 1:
      epilogue_ = "acc + v[" + batch + "m]";
      break;
    case 2:
      epilogue_ = "acc + v[" + batch + "n]";
      break;
    case 3:
      epilogue_ = "alpha*acc + x[m,n]";
      alpha_ = 2;
      break;
    case 4:
      epilogue_ = "y := acc + v[" + batch + "m]; d = y; g = 2*acc";
      break;
    case 5:
      epilogue_ = "d = acc; r = row_sum[m](acc)";
      break;
    default:
      break;
  }
}

std::vector<Index> RangedFiles::with_batch(std::vector<Index> shape) const {
  if (batch_ > 0) shape.insert(shape.begin(), batch_);
  return shape;
}

LogicalArray RangedFiles::drawn(std::vector<Index> shape, const std::vector<double>& choices) {
  LogicalArray array{std::move(shape), {}};
  for (Index i = 0; i < elements_of(array.shape); ++i)
    array.values.push_back(chance_.from(choices));
  return array;
}

void RangedFiles::write(const std::string& name, const LogicalArray& array,
                        const std::string& descr, bool fortran) {
  write_logical(folder_.file(name + ".npy"), array, descr, fortran);
}

void RangedFiles::write_operand(const char* name, const Operand& operand, Index rows,
                                Index columns) {
  std::vector<Index> shape{rows, columns};
  if (operand.batched) shape = with_batch(shape);
  const LogicalArray array = arrays_[name] = drawn(shape, {-2, -1, 0, 1, 2});
  const std::string option = name;
  write(name, operand.transposed ? transpose_of(array) : array, type_ == "s8" ? "|i1" : "<f4",
        operand.fortran);
  words_.insert(words_.end(), {"--" + option, option + ".npy"});
  if (operand.transposed) words_.push_back("--transpose-" + option);
}

/// Of A's rows or B's columns, a number for each block along K.
void RangedFiles::write_numbers(const std::string& name, const Operand& operand, bool is_a,
                                Index mn) {
  std::vector<Index> shape =
      is_a ? std::vector<Index>{mn, operand.blocks} : std::vector<Index>{operand.blocks, mn};
  if (operand.batched) shape = with_batch(shape);
  const LogicalArray array = arrays_[name] = drawn(
      shape, name.front() == 's' ? std::vector<double>{0.5, 1, 2} : std::vector<double>{0, 1});
  write(name, operand.transposed ? transpose_of(array) : array, "<f4", operand.fortran);
  words_.insert(
      words_.end(),
      {"--" + std::string(name.front() == 's' ? "scale-" : "zero-") + name.back(), name + ".npy"});
}

void RangedFiles::write_epilogue(Index m) {
  const std::string descr = type_ == "s8" ? "<i4" : "<f4";
  const std::vector<double> few{-2, -1, 0, 1, 2};
  if (with_c_) {
    arrays_["c"] = drawn(with_batch({m, n_}), few);
    write("c", arrays_["c"], descr, batch_ == 0 && chance_.one_in(2));
    words_.insert(words_.end(), {"--c", "c.npy", "--beta", "2"});
  }
  if (epilogue_.empty()) return;
  words_.insert(words_.end(), {"--epilogue", epilogue_});
  if (alpha_ != 1) words_.insert(words_.end(), {"--alpha", "2"});
  const auto has = [&](const char* text) { return epilogue_.find(text) != std::string::npos; };
  if (has("v[")) {
    const std::vector<Index> one{has("n]") ? n_ : m};
    arrays_["v"] = drawn(has("batch") ? with_batch(one) : one, few);
    write("v", arrays_["v"], descr, false);
    words_.insert(words_.end(), {"--input", "v=v.npy"});
  }
  if (has("x[")) {
    arrays_["x"] = drawn(batch_ > 1 ? with_batch({m, n_}) : std::vector<Index>{m, n_}, few);
    write("x", arrays_["x"], descr, batch_ <= 1 && chance_.one_in(2));
    words_.insert(words_.end(), {"--input", "x=x.npy"});
  }
  if (has("g =")) words_.insert(words_.end(), {"-o", "g=g.npy"});
  if (has("r =")) words_.insert(words_.end(), {"-o", "r=r.npy"});
}

std::string RangedFiles::run() {
  const Index m = first_ + chance_.below(last_ - first_ + 1);
  arrays_.clear();
  words_ = {"gemm",
            "--device",
            "emulator",
            "--m-range",
            std::to_string(first_) + ":" + std::to_string(last_),
            "--type",
            type_,
            "--out-type",
            type_ == "s8" ? "s32" : "f32",
            "-o",
            "d.npy"};
  if (by_columns_) words_.insert(words_.end(), {"--order-c", "col"});
  write_operand("a", a_, m, k_);
  write_operand("b", b_, k_, n_);
  for (const bool is_a : {true, false}) {
    const Operand& operand = is_a ? a_ : b_;
    const std::string letter = is_a ? "a" : "b";
    if (operand.scaled) write_numbers("s" + letter, operand, is_a, is_a ? m : n_);
    if (operand.zeroed) write_numbers("z" + letter, operand, is_a, is_a ? m : n_);
  }
  write_epilogue(m);
  const ProcessResult result = run_jute(words_, {.folder = folder_.path().string()});
  std::string line = "jute";
  for (const std::string& word : words_) line += " " + word;
  line += " (M=" + std::to_string(m) + " N=" + std::to_string(n_) + " K=" + std::to_string(k_) +
          " batch=" + std::to_string(batch_) + ")\n";
  if (result.status != 0) return line + result.out + result.err;
  const std::string wrong = judged(m);
  return wrong.empty() ? "" : line + wrong;
}

/// What an element of A or B is multiplied as.
double RangedFiles::factor(bool is_a, Index batch, Index mn, Index k) const {
  const Operand& operand = is_a ? a_ : b_;
  const std::string letter = is_a ? "a" : "b";
  double value =
      element_at(arrays_.at(letter), batch, is_a ? std::vector{mn, k} : std::vector{k, mn});
  const Index block = k / (k_ / operand.blocks);
  const std::vector<Index> place = is_a ? std::vector{mn, block} : std::vector{block, mn};
  if (operand.zeroed) value -= element_at(arrays_.at("z" + letter), batch, place);
  if (operand.scaled) value *= element_at(arrays_.at("s" + letter), batch, place);
  return value;
}

double RangedFiles::sum(Index batch, Index row, Index column) const {
  double sum = 0;
  for (Index k = 0; k < k_; ++k)
    sum += factor(true, batch, row, k) * factor(false, batch, column, k);
  return sum;
}

std::string RangedFiles::judged(Index m) const {
  const auto has = [&](const char* text) { return epilogue_.find(text) != std::string::npos; };
  LogicalArray d{with_batch({m, n_}), {}}, g = d, r{with_batch({m}), {}};
  for (Index batch = 0; batch < std::max<Index>(batch_, 1); ++batch)
    for (Index row = 0; row < m; ++row) {
      double of_row = 0;
      for (Index column = 0; column < n_; ++column) {
        const double acc = sum(batch, row, column);
        double value = alpha_ * acc;
        if (with_c_) value += beta_ * element_at(arrays_.at("c"), batch, {row, column});
        if (has("v[")) value += element_at(arrays_.at("v"), batch, {has("n]") ? column : row});
        if (has("x[")) value += element_at(arrays_.at("x"), batch, {row, column});
        d.values.push_back(value);
        g.values.push_back(2 * acc);
        of_row += acc;
      }
      r.values.push_back(of_row);
    }
  std::string wrong;
  const auto compare = [&](const char* name, const LogicalArray& right) {
    const LogicalArray found = read_logical(folder_.file(std::string(name) + ".npy"));
    if (found.shape != right.shape)
      wrong += std::string(name) + " has another shape\n";
    else if (found.values != right.values)
      wrong += std::string(name) + " has other values\n";
  };
  compare("d", d);
  if (has("g =")) compare("g", g);
  if (has("r =")) compare("r", r);
  return wrong;
}

}  // namespace jute::test
