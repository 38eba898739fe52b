// Structs and enums for Python under the names that they have in C++, which are written once.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace bz {

// What a field or an enumerator is called: only the compiler can tell, as "... Named = &A::b]".
template <auto Named>
std::string name_of() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::string_view path = text.substr(0, text.find_first_of(";]", text.find("Named = ")));
  return std::string(path.substr(path.rfind(':') + 1));
}

// Options that Python makes and fills; see boardzero/models/native_options.py.
template <class T, auto... Fields>
nanobind::class_<T> bind_options(nanobind::module_& m, const char* name) {
  nanobind::class_<T> options(m, name);
  options.def(nanobind::init<>());
  (options.def_rw(name_of<Fields>().c_str(), Fields), ...);
  return options;
}

template <auto First, auto... Rest>
void bind_enum(nanobind::module_& m, const char* name) {
  nanobind::enum_<decltype(First)> values(m, name);
  values.value(name_of<First>().c_str(), First);
  (values.value(name_of<Rest>().c_str(), Rest), ...);
}

}  // namespace bz
