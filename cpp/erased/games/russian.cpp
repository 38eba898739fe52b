#include "erased/games/draughts.hpp"
template std::unique_ptr<bz::AnyState> bz::draughts::start<bz::draughts::kRussian>(const Options&);
