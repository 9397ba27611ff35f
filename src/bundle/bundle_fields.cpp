// The manifest: every value of a bundle under its name.
#include <jute/bundle/bundle.hpp>
#include <jute/version.hpp>

#include <array>
#include <span>

#include "base/format.hpp"

namespace jute {
namespace {

FieldList texts_of(std::span<const Count> counts) {
  FieldList list;
  for (const Count& count : counts) list.items.push_back({"count", to_string(count)});
  return list;
}

/// `d`, or a region of the workspace.
Field field_of(const Base& base) {
  if (const auto* argument = std::get_if<Argument>(&base))
    return {"tensor", std::string(name(argument->tensor))};
  return {"region", std::get<InWorkspace>(base).region};
}

/// The content of a parameter: one of tensor, region, count, factor, input, map.
Field role_of(const Base& base) { return field_of(base); }
Field role_of(const Count& count) { return {"count", to_string(count)}; }
Field role_of(ScaleFactor factor) {
  return {"factor", std::string(factor == ScaleFactor::alpha ? "alpha" : "beta")};
}
Field role_of(const InputValue& input) { return {"input", Index{input.place}}; }
Field role_of(const MapOf& map) {
  Fields fields{field_of(map.base),           {"type", std::string(name(map.type))},
                {"dims", texts_of(map.dims)}, {"strides", texts_of(map.strides)},
                {"box", texts_of(map.box)},   {"swizzle_bytes", swizzle_span_bytes(map.swizzle)}};
  if (!map.steps.empty()) fields.push_back({"steps", map.steps});
  if (map.offset_elems != 0) fields.push_back({"offset_elems", map.offset_elems});
  return {"map", std::move(fields)};
}

Fields fields_of(const KernelParameter& parameter) {
  return {{"name", parameter.name},
          {"kind", std::string(name(parameter.kind))},
          std::visit([](const auto& role) { return role_of(role); }, parameter.role)};
}

template <class List, class Fields_of>
FieldList list_of(const List& list, const char* item, const Fields_of& fields_of) {
  FieldList result;
  for (const auto& one : list) result.items.push_back({item, fields_of(one)});
  return result;
}

Fields fields_of(const BundleStep& step) {
  const StepHead& head = step.head;
  return {{"image", static_cast<Index>(step.image)},
          {"symbol", head.symbol},
          {"grid", texts_of(head.grid)},
          {"threads", Index{head.threads}},
          {"cluster", std::vector<Index>{head.cluster.x, head.cluster.y, head.cluster.z}},
          {"smem_bytes", head.dynamic_smem_bytes},
          {"overlaps", head.order == LaunchOrder::overlap_previous},
          {"whole_grid", head.residency == Residency::whole_grid},
          {"parameters", list_of(head.parameters, "parameter",
                                 [](const KernelParameter& one) { return fields_of(one); })}};
}

Fields fields_of(const BundleKernel& kernel) {
  const auto region = [](const WorkspaceRegion& one) {
    return Fields{{"name", one.name}, {"bytes", to_string(one.bytes)}, {"zeroed", one.zeroed}};
  };
  const auto literal = [](const LiteralRule& rule) {
    return Fields{{"number", to_string(rule.number)}, {"value", rule.value}};
  };
  const auto stride = [](const StrideRule& rule) {
    return Fields{{"stride", to_string(rule.stride)},
                  {"multiple_of", Index{rule.multiple_of}},
                  {"batch_only", rule.batch_only}};
  };
  return {{"steps",
           list_of(kernel.steps, "step", [](const BundleStep& one) { return fields_of(one); })},
          {"workspace_offset", kernel.workspace_offset},
          {"workspace_bytes", kernel.workspace_bytes},
          {"workspace", list_of(kernel.workspace, "region", region)},
          {"literals", list_of(kernel.rules.literals, "literal", literal)},
          {"strides", list_of(kernel.rules.strides, "stride", stride)}};
}

Fields fields_of(const BundleProduct& product) {
  if (product.kernels.empty()) return {{"refused", product.refused}};
  const auto choice = [](const BundleChoice& one) {
    return Fields{{"last_m", one.last_m},
                  {"kernel", static_cast<Index>(one.kernel)},
                  {"width", one.width},
                  {"stages", one.stages},
                  {"split_k", one.split_k}};
  };
  return {{"workspace_bytes", product.workspace_bytes},
          {"zeroed_bytes", product.zeroed_bytes},
          {"roundoff", base::format("{}", product.roundoff)},
          {"choices", list_of(product.choices, "choice", choice)},
          {"kernels", list_of(product.kernels, "kernel",
                              [](const BundleKernel& one) { return fields_of(one); })}};
}

}  // namespace

Fields fields(const Bundle& bundle) {
  const auto image = [&](const BundleImage& one) {
    return Fields{{"ptx", one.stem + ".ptx"},
                  {"cubin", one.cubin.empty() ? std::string() : one.stem + ".cubin.lz4"},
                  {"symbol", one.symbol},
                  {"target", to_string(bundle.targets[one.target].arch)},
                  {"smem_bytes", one.smem_bytes}};
  };
  FieldList problems, targets;
  for (const Problem& problem : bundle.problems)
    problems.items.push_back({"problem", to_string(problem)});
  for (size_t target = 0; target < bundle.targets.size(); ++target) {
    FieldList products;
    for (size_t problem = 0; problem < bundle.problems.size(); ++problem)
      products.items.push_back({"product", fields_of(bundle.product(target, problem))});
    const BundleTarget& it = bundle.targets[target];
    targets.items.push_back({"target", Fields{{"arch", to_string(it.arch)},
                                              {"has_cubins", it.has_cubins},
                                              {"also_later_chips", it.arch.suffix == '\0'},
                                              {"products", products}}});
  }
  return {{"schema", std::string("jute.bundle")},
          {"version", Index{kBundleVersion}},
          {"written_by", std::string("jute " JUTE_VERSION_TEXT)},
          {"name", bundle.name},
          {"problems", problems},
          {"images", list_of(bundle.images, "image", image)},
          {"targets", targets}};
}

}  // namespace jute
