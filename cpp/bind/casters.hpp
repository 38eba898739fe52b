// Actions and seats are numbers for Python, and the values of the seats are a list.
#pragma once

#include <nanobind/nanobind.h>

#include "core/types.hpp"

namespace nanobind::detail {

template <class E>
struct NumberCaster {
  NB_TYPE_CASTER(E, const_name("int"))

  bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
    make_caster<std::underlying_type_t<E>> number;
    if (!number.from_python(source, flags, cleanup)) return false;
    value = E{number.value};
    return true;
  }
  static handle from_cpp(E e, rv_policy, cleanup_list*) noexcept {
    return PyLong_FromLong(bz::index(e));
  }
};
template <>
struct type_caster<bz::Action> : NumberCaster<bz::Action> {};
template <>
struct type_caster<bz::Seat> : NumberCaster<bz::Seat> {};

template <>
struct type_caster<bz::Values> {
  NB_TYPE_CASTER(bz::Values, const_name("list[float]"))

  static handle from_cpp(const bz::Values& values, rv_policy, cleanup_list*) noexcept {
    list result;
    for (const float v : values) result.append(v);
    return result.release();
  }
};

}  // namespace nanobind::detail
