// Files and words become memory; memory becomes files and verdicts.
#include "emulate/launch/buffer_memory.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/json_object.hpp>

#include "files/npy_file.hpp"

namespace jute::command {
namespace {

std::string bracketed_shape(const std::vector<Index>& shape) { return Json::array(shape).text(); }

/// The elements that a buffer's place in the file asks for.
struct Wanted {
  const std::string& file;
  std::string place;
  const ElementType* type = nullptr;
  std::optional<std::vector<Index>> shape;

  [[noreturn]] void refuse(const std::string& key, const std::string& rule,
                           const std::optional<std::string>& nearest = std::nullopt) const {
    JsonObject::refuse_at(file, place + "." + key, rule, nearest);
  }
};

const ElementType& type_of_file(const NpyArray& array, const Wanted& wanted) {
  const ElementType* usual = type_of_descr(array.descr);
  if (wanted.type == nullptr) {
    if (usual != nullptr) return *usual;
    wanted.refuse("dtype", "it must be given: the file's elements are " + array.descr);
  }
  if (wanted.type->descr != array.descr && (usual == nullptr || usual->bytes != wanted.type->bytes))
    wanted.refuse("dtype", "it must have the size of the file's elements, " + array.descr,
                  usual == nullptr ? std::nullopt : std::optional(std::string(usual->name)));
  return *wanted.type;
}

Elements elements_of_npy(const std::string& path, const Wanted& wanted) {
  NpyArray array = read_npy(path);
  Elements elements{&type_of_file(array, wanted), array.shape, array.fortran_order, {}};
  if (wanted.shape && element_count(*wanted.shape) != element_count(array.shape))
    wanted.refuse("shape", "it must have as many elements as the file",
                  bracketed_shape(array.shape));
  if (wanted.shape) elements.shape = *wanted.shape;
  elements.bytes = std::move(array.bytes);
  return elements;
}

Elements elements_of_bin(const std::string& path, const Wanted& wanted) {
  Elements elements;
  elements.bytes = read_bytes(path);
  elements.type = wanted.type != nullptr ? wanted.type : find_element_type("u8");
  const auto bytes = static_cast<Index>(elements.bytes.size());
  const Index width = elements.type->bytes;
  const std::vector<Index> all{bytes / width};
  elements.shape = wanted.shape.value_or(all);
  if (checked_mul(element_count(elements.shape), width) != bytes)
    wanted.refuse("shape",
                  "its elements must take the " + std::to_string(bytes) + " bytes of " + path,
                  bytes % width == 0 ? std::optional(bracketed_shape(all)) : std::nullopt);
  return elements;
}

Elements elements_of(const Contents& contents, const Wanted& wanted) {
  if (const auto* file = std::get_if<FromFile>(&contents))
    return file->is_npy ? elements_of_npy(file->path, wanted) : elements_of_bin(file->path, wanted);
  Elements elements{wanted.type, wanted.shape.value_or(std::vector<Index>{}), false, {}};
  elements.bytes = made_bytes(contents, *wanted.type, element_count(elements.shape));
  return elements;
}

/// The expected array has the buffer's own number of elements, and its own type if it is a file.
Expectation expectation_of(const NamedBuffer& buffer, const Elements& own,
                           const std::string& file) {
  if (const auto* listed = std::get_if<Listed>(&*buffer.expect);
      listed != nullptr && element_count(own.shape) != static_cast<Index>(listed->values.size()))
    JsonObject::refuse_at(file, buffer.place + ".expect",
                          listed_rule(element_count(own.shape), *listed));
  const auto* npy = std::get_if<FromFile>(&*buffer.expect);
  const bool is_npy = npy != nullptr && npy->is_npy;
  // A file that travels as the buffer's type is of that type: bits of bf16, say.
  const ElementType* type = own.type;
  if (is_npy && read_npy(npy->path).descr != own.type->descr) type = nullptr;
  const Wanted wanted{file, buffer.place + ".expect", type, own.shape};
  Expectation expectation{elements_of(*buffer.expect, wanted), buffer.tolerance, {}};
  if (buffer.tolerance.npy.empty()) return expectation;
  const Wanted bounds{file, buffer.place + ".tolerance", nullptr, own.shape};
  expectation.bounds = elements_of_npy(buffer.tolerance.npy, bounds);
  return expectation;
}

}  // namespace

BufferMemory::BufferMemory(const NamedBuffer& buffer, const std::string& launch_file,
                           Backend& backend)
    : buffer_(&buffer) {
  const Wanted wanted{launch_file, buffer.place, buffer.type, buffer.shape};
  // A buffer that is too large for the chip is not made first.
  const bool is_file = std::holds_alternative<FromFile>(buffer.contents);
  if (!is_file && wanted.shape)
    memory_ =
        Buffer(backend, checked_mul(element_count(*wanted.shape), buffer.type->bytes, "bytes"));
  elements_ = elements_of(buffer.contents, wanted);
  bytes_ = checked_mul(element_count(elements_.shape), elements_.type->bytes, "bytes");
  if (is_file || !wanted.shape) memory_ = Buffer(backend, bytes_);
  address_ = memory_.pointer();
  begin(launch_file, backend);
}

BufferMemory::BufferMemory(const NamedBuffer& buffer, const std::string& launch_file,
                           Backend& backend, const DeviceVariable& variable)
    : buffer_(&buffer), address_(variable.pointer) {
  Wanted wanted{launch_file, buffer.place, buffer.type, buffer.shape};
  const bool is_filled = !std::holds_alternative<FromFile>(buffer.contents);
  if (is_filled && !wanted.shape) wanted.shape = {{variable.bytes / buffer.type->bytes}};
  elements_ = elements_of(buffer.contents, wanted);
  bytes_ = checked_mul(element_count(elements_.shape), elements_.type->bytes, "bytes");
  if (variable.bytes % elements_.type->bytes != 0)
    wanted.refuse("dtype", "the " + std::to_string(variable.bytes) +
                               " bytes of the variable must be whole elements, and those of " +
                               std::string(elements_.type->name) + " have " +
                               std::to_string(elements_.type->bytes));
  if (bytes_ > variable.bytes)
    wanted.refuse("shape", "its " + std::to_string(bytes_) + " bytes must fit the variable's " +
                               std::to_string(variable.bytes));
  begin(launch_file, backend);
}

void BufferMemory::begin(const std::string& launch_file, Backend& backend) {
  if (buffer_->expect) expectation_ = expectation_of(*buffer_, elements_, launch_file);
  if (!buffer_->save.empty()) save_.emplace(buffer_->save);
  if (!elements_.bytes.empty()) backend.copy_in(address_, elements_.bytes);
}

void BufferMemory::fetch(Backend& backend) {
  elements_.bytes.resize(static_cast<size_t>(bytes_));
  backend.copy_out(elements_.bytes, address_);
}

std::optional<Mismatch> BufferMemory::compare() const {
  return command::compare(buffer_->name, elements_, *expectation_);
}

void BufferMemory::save() {
  if (!save_) return;
  write_npy(*save_, {.descr = std::string(elements_.type->descr),
                     .fortran_order = elements_.fortran_order,
                     .shape = elements_.shape,
                     .bytes = elements_.bytes});
  save_->commit();
}

}  // namespace jute::command
