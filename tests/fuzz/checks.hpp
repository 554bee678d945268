#pragma once

#include <cstdint>
#include <string_view>

#include "geste/core/result.hpp"
#include "geste/formats/asset.hpp"
#include "geste/model/scene_spec.hpp"

// What every entry demands of the code under test, whatever bytes came in. A broken promise says so
// and aborts, and libFuzzer keeps the input.
namespace geste::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

void require(bool holds, std::string_view promise);

/// Every fault has a code and a message and can be printed.
void require_telling(const Error& error);
void require_telling(const Notes& notes);

/// Every index in range, every coordinate finite, names unique, and a box that holds it all.
void require_sound(const Asset& asset);

/// Compiles, or says why not. A small scene that compiles stands within its limits at neutral and
/// has rotations for rotations.
void require_sound(SceneSpec spec);

/// Applies the check to the value, or looks at the error.
template <class T>
void require_sound(Result<T> result) {
  if (!result) return require_telling(result.error());
  require_telling(result->notes);
  require_sound(std::move(*result));
}

}  // namespace geste::fuzz
