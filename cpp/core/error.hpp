// The one exception for what a user can get wrong; its text is a sentence for a person.
#pragma once

#include <stdexcept>

namespace bz {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace bz
