#include "erased/games/draughts.hpp"
template std::unique_ptr<bz::AnyState> bz::draughts::start<bz::draughts::kPool>(const Options&);
