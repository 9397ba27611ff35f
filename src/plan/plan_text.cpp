// A plan for people: its fields, a fact a line.
#include <jute/plan/fields.hpp>

#include "base/format.hpp"

namespace jute {
namespace {

/// Writes fields below a prefix of names, or an indentation.
class Writer {
 public:
  void add(const Fields& fields, const std::string& prefix, const std::string& indent) {
    for (const Field& field : fields) {
      const std::string name = prefix + field.name;
      if (!field.line.empty())
        text_ += indent + name + " " + field.line + "\n";
      else
        std::visit([&](const auto& value) { write(value, name, indent); }, field.value);
    }
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void write(const Fields& group, const std::string& name, const std::string& indent) {
    add(group, name + ".", indent);
  }
  void write(const FieldList& list, const std::string& /*name*/, const std::string& indent) {
    for (const Field& item : list.items) {
      const auto* const group = std::get_if<Fields>(&item.value);
      if (group == nullptr || !item.line.empty()) {
        add({item}, "", indent);
      } else {
        text_ += indent + item.name + "\n";
        add(*group, "", indent + "  ");
      }
    }
  }
  void write(const std::vector<Index>& numbers, const std::string& name,
             const std::string& indent) {
    std::string list;
    for (const Index number : numbers) list += (list.empty() ? "" : ",") + std::to_string(number);
    text_ += indent + name + " (" + list + ")\n";
  }
  void write(const auto& value, const std::string& name, const std::string& indent) {
    text_ += base::format("{}{} {}\n", indent, name, value);
  }

  std::string text_;
};

}  // namespace

std::string to_string(const Fields& fields) {
  Writer writer;
  writer.add(fields, "", "");
  return writer.take();
}

std::string to_string(const Plan& plan) { return to_string(fields(plan)); }

}  // namespace jute
