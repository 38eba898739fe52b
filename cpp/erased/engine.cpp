// The features and numbers of the alpha-beta engine, found by node counts and matches:
// docs/results/engine.md.
#include "search/classic/features.hpp"

namespace bz {

Features Features::engine() {
  return {.table = true,
          .scout = true,
          .deeper = true,
          .quiescence = true,
          .extensions = true,
          .reductions = true,
          .repetition = true,
          .move_filter = true,
          .probcut = true,
          .futility = true,
          .pruning = {.late_first = 3,
                      .late_base = 50,
                      .late_slope = 60,
                      .futility_depth = 2,
                      .futility_base = 8,
                      .futility_slope = 8,
                      .probcut_depth = 5,
                      .probcut_share = 7,
                      .probcut_base = 16,
                      .probcut_slope = 2}};
}

}  // namespace bz
