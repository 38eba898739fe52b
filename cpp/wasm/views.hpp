// States and what searches report, as the page reads them.
#pragma once

#include "erased/any_searcher.hpp"
#include "erased/any_uct.hpp"
#include "wasm/json.hpp"

namespace bz::wasm {

inline std::string hexadecimal(Key key) {
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; key >>= 4) digits[i] = "0123456789abcdef"[key & 15];
  return digits;
}

inline void write(Json& json, const MoveInfo& move) {
  json.object([&] {
    json.name("text").value(move.text);
    json.name("path").list(move.path);
    json.name("captured").list(move.captured);
    json.name("actions").list(move.actions, [&](Action a) { json.value(index(a)); });
  });
}

inline void write(Json& json, const Outcome& outcome) {
  json.object([&] {
    json.name("values").list(outcome.values);
    json.name("winner");
    outcome.winner ? json.value(index(*outcome.winner)) : json.null();
    json.name("reason").value(outcome.reason);
  });
}

inline void write(Json& json, const AnyState& state) {
  json.object([&] {
    json.name("fen").value(state.fen());
    json.name("mover").value(index(state.to_move()));
    json.name("key").value(hexadecimal(state.key()));
    json.name("pieces").list(state.pieces(), [&](const Piece& piece) {
      json.object([&] {
        json.name("cell").value(piece.cell);
        json.name("owner").value(index(piece.owner));
        json.name("kind").value(piece.kind);
      });
    });
    json.name("moves").list(state.moves(), [&](const MoveInfo& move) { write(json, move); });
    const auto outcome = state.outcome();
    json.name("outcome");
    outcome ? write(json, *outcome) : void(json.null());
  });
}

// Of every kind of search the same: the moves looked at, the chosen one first.
inline void write(Json& json, const Report& report) {
  json.object([&] {
    json.name("moves").list(report.moves, [&](const ReportedMove& m) {
      json.object([&] {
        json.name("move");
        write(json, m.move);
        json.name("value").value(m.value);
        json.name("exact").value(m.exact);
        json.name("visits").value(0);
      });
    });
    json.name("pv").list(texts(report.moves.front().line));
    json.name("nodes").value(report.nodes);
    json.name("depth").value(report.depth);
    json.name("seconds").value(report.seconds);
  });
}

inline void write(Json& json, const UctReport& report) {
  json.object([&] {
    json.name("moves").list(report.candidates, [&](const UctMove<MoveInfo>& m) {
      json.object([&] {
        json.name("move");
        write(json, m.move);
        json.name("value").value(m.value);
        json.name("exact").value(m.visits > 0);
        json.name("visits").value(m.visits);
      });
    });
    json.name("pv").list(texts(report.line));
    json.name("nodes").value(report.simulations);
    json.name("depth").value(report.depth);
    json.name("seconds").value(report.seconds);
  });
}

}  // namespace bz::wasm
