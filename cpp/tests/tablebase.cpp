// Endgame tables: how positions are numbered, how values are packed, and what the solver finds.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "games/draughts/tablebase/maker.hpp"
#include "games/draughts/tablebase/tables.hpp"
#include "tests/check.hpp"
#include "tests/slow_tablebase.hpp"

namespace bz::tests {
namespace {

// The positions with so many pieces, those of one colour included, whoever is to move.
std::uint64_t positions(int pieces) {
  std::uint64_t total = 0;
  const auto small = [](int n) { return static_cast<std::int8_t>(n); };
  for (int own = 0; own <= pieces; ++own) {
    for (int men = 0; men <= own; ++men) {
      for (int others = 0; others <= pieces - own; ++others) {
        total += Slice<kEnglish>({{small(men), small(others)},
                                  {small(own - men), small(pieces - own - others)}})
                     .size();
      }
    }
  }
  return total;
}

template <const Rules& R>
void check_numbers(int pieces, std::uint64_t stride) {
  each_balance(pieces, [&](MaterialBalance balance) {
    const Slice<R> slice(balance);
    for (std::uint64_t i = 0; i < slice.size(); i += stride) {
      const Placement<R> placement = slice.placement(i);
      check(placement.balance() == balance);
      check_equal(slice.number(placement), i);
      Position<R> p = placement.position();
      check_equal(slice.number(Placement<R>::of(p)), i);
      check_equal(slice.number(Placement<R>::of(p.rotated())), i);
    }
  });
}

WdlArray random_values(std::uint64_t size, std::uint32_t longest_run) {
  Rng rng(size);
  WdlArray values(size);
  for (std::uint64_t i = 0; i < size;) {
    const auto v = static_cast<Wdl>(rng.below(3));
    for (std::uint32_t run = 1 + rng.below(longest_run); run > 0 && i < size; --run) {
      values.set(i++, v);
    }
  }
  return values;
}

// The tables with 2 and 3 pieces as files, solved by so many threads.
template <const Rules& R>
std::vector<std::string> files(int threads) {
  std::vector<std::string> all;
  for (int pieces = 2; pieces <= 3; ++pieces) {
    Maker<R> maker(pieces);
    for (const std::string& file : all) check_equal(maker.add(file), file.size());
    std::string file = file_header<R>(pieces);
    for (;;) {
      const std::string frames = maker.solve(threads, nullptr);
      if (frames.empty()) break;
      file += frames;
    }
    check_equal(maker.done(), maker.total());
    all.push_back(file);
  }
  return all;
}

template <const Rules& R>
void check_against_slow() {
  const auto folder = std::filesystem::temp_directory_path();
  Tables<R> tables;
  int number = 0;
  for (const std::string& file : files<R>(2)) {
    const std::string path =
        folder / ("boardzero-" + std::string(R.name) + std::to_string(++number) + ".bzt");
    std::ofstream(path, std::ios::binary) << file;
    tables.add(path);
    std::remove(path.c_str());
  }
  const SlowTablebase<R> slow(3);
  std::uint64_t wrong = 0;
  for (int pieces = 2; pieces <= 3; ++pieces) {
    each_balance(pieces, [&](MaterialBalance balance) {
      const Slice<R> slice(balance);
      for (std::uint64_t i = 0; i < slice.size(); ++i) {
        const Position<R> p = slice.placement(i).position();
        const auto plies = slow.plies(p);
        const Wdl wanted = !plies ? Wdl::draw : *plies % 2 == 1 ? Wdl::win : Wdl::loss;
        wrong += tables.probe(p) != wanted;
      }
    });
  }
  check_equal(wrong, std::uint64_t{0});
}

// All endings of up to three pieces and then one of four, three kings against one.
template <const Rules& R>
struct ThreeAgainstOne {
  SolvedSlices<R> solved;
  std::unique_ptr<Solver<R>> solver;

  ThreeAgainstOne() {
    for (int pieces = 2; pieces <= 3; ++pieces) {
      each_balance(pieces, [&](MaterialBalance balance) {
        if (solved.has(balance)) return;
        const Solver<R> one(solved, balance, 1, nullptr);
        for (int half = 0; half < one.halves(); ++half) {
          solved.add(one.slice(half), one.values(half));
        }
      });
    }
    solver = std::make_unique<Solver<R>>(solved, MaterialBalance{{0, 0}, {3, 1}}, 1, nullptr);
    for (int half = 0; half < 2; ++half) solved.add(solver->slice(half), solver->values(half));
  }

  Wdl operator()(std::string_view fen) const {
    return solved(State<R>::start({}).with_fen(fen).position());
  }

  // How many positions with the lone king to move, unable to capture, are not lost; of how many.
  std::pair<int, int> escapes(bool lone_on_road, bool others_on_road) const {
    using Board = Geometry<R.width>;
    Bits road = 0;
    for (int s = 0; s < Board::kSquares; ++s) {
      const Square square = Square(s);
      if (Board::row(square) + Board::column(square) == R.width - 1) road |= bit(s);
    }
    std::pair<int, int> counts{0, 0};
    const WdlArray values = solver->values(1);
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      const Placement<R> p = solver->slice(1).placement(i);
      const Position<R> position = p.position();
      if (((p.kings[0] & road) != 0) != lone_on_road) continue;
      if (((p.kings[1] & road) != 0) != others_on_road) continue;
      if (Generator<R, Side::white>(position).can_capture()) continue;
      ++counts.second;
      counts.first += values[i] != Wdl::loss;
    }
    return counts;
  }
};

const Tests kTests{
    {"Petrov's triangle: in Russian draughts three kings that hold the main road beat one",
     [] {
       const ThreeAgainstOne<kRussian> ending;
       check(ending("B:WKa1,Kc1,Kd2:BKb8") == Wdl::loss);
       check(ending("W:WKa1,Kc1,Kd2:BKb8") == Wdl::win);
       const auto [escaped, of] = ending.escapes(false, true);
       check_equal(escaped, 40);
       check_equal(of, 39'600);
       check(ending.solver->longest() <= 2 * kRussian.three_against_one);
     }},
    {"in Russian draughts a lone king on the main road draws against three",
     [] {
       const ThreeAgainstOne<kRussian> ending;
       check(ending("B:WKc1,Kd2,Kf2:BKd4") == Wdl::draw);
       check(ending("W:WKa3,Kc1,Kd2:BKh8") == Wdl::draw);
     }},
    {"in international draughts three kings need not beat one, on the main road or off it",
     [] {
       const ThreeAgainstOne<kInternational> ending;
       check(ending("W:WK1,K2,K3:BK46") == Wdl::draw);
       check(ending("W:WK1,K2,K3:BK36") == Wdl::draw);
       check(ending("B:WK1,K2,K3:BK45") == Wdl::draw);
     }},
    {"in English draughts two kings beat one, even from the double corner",
     [] {
       const ThreeAgainstOne<kEnglish> ending;
       check(ending("W:WK14,K15:BK1") == Wdl::win);
       check(ending("W:WK18,K19:BK32") == Wdl::win);
       check(ending("W:WK14:BK1") == Wdl::draw);
       check_equal(ending.escapes(false, true).first, 0);
       check_equal(ending.escapes(true, false).first, 0);
     }},
    {"English draughts has as many positions with 1 to 5 pieces as were published",
     [] {
       check_equal(positions(1), std::uint64_t{120});
       check_equal(positions(2), std::uint64_t{6'972});
       check_equal(positions(3), std::uint64_t{261'224});
       check_equal(positions(4), std::uint64_t{7'092'774});
       check_equal(positions(5), std::uint64_t{148'688'232});
     }},
    {"a position and its number in the slice lead to each other",
     [] {
       check_numbers<kEnglish>(2, 1);
       check_numbers<kEnglish>(5, 9'973);
       check_numbers<kInternational>(3, 11);
       check_numbers<kInternational>(6, 9'999'991);
     }},
    {"a table whose values lead out of its bytes is refused, however right its checksum",
     [] {
       const std::string file = files<kEnglish>(1).front();
       const auto forged = [&](std::uint32_t offset, std::uint64_t longest) {
         FrameHeader header;
         std::memcpy(&header, file.data() + 64, sizeof header);
         std::string values = file.substr(64 + sizeof header, header.bytes);
         if (offset != 0) std::memcpy(values.data(), &offset, sizeof offset);
         if (longest != 0) header.longest = longest;
         return frame_bytes(header, values) + file.substr(64 + sizeof header + header.bytes);
       };
       const auto refused = [&](const std::string& frames) {
         std::string_view bytes = frames;
         return !take_frame<kEnglish>(bytes);
       };
       check(!refused(forged(0, 0)));
       check(refused(forged(1U << 30, 0)));
       check(refused(forged(0, 1ULL << 40)));
     }},
    {"a file with one slice twice in place of another is incomplete",
     [] {
       const std::string file = files<kEnglish>(1).front();
       const auto second = [&] {
         FrameHeader header;
         std::memcpy(&header, file.data() + 64, sizeof header);
         return 64 + sizeof header + header.bytes;
       }();
       FrameHeader after;
       std::memcpy(&after, file.data() + second, sizeof after);
       const std::string first = file.substr(64, second - 64);
       const std::string rest = file.substr(second + sizeof after + after.bytes);
       const auto refused = [](const std::string& bytes) {
         try {
           Tables<kEnglish>().add("the file", bytes);
         } catch (const Error&) {
           return true;
         }
         return false;
       };
       check(!refused(file));
       check(refused(file.substr(0, 64) + first + first + rest));
     }},
    {"packed values are what they were, whatever their runs",
     [] {
       for (const std::uint32_t longest : {1U, 7U, 60U, 5'000U}) {
         for (const std::uint64_t size : {1ULL, 5ULL, 1'023ULL, 1'024ULL, 20'000ULL}) {
           const WdlArray values = random_values(size, longest);
           const std::string bytes = Packed::pack(values);
           const Packed packed(bytes, size);
           const WdlArray back = packed.unpacked();
           for (std::uint64_t i = 0; i < size; ++i) {
             check(packed[i] == values[i]);
             check(back[i] == values[i]);
           }
         }
       }
     }},
    {"two threads solve what one does", [] { check(files<kRussian>(2) == files<kRussian>(1)); }},
    {"every ending of up to three pieces is as the slow solver says",
     [] {
       check_against_slow<kEnglish>();
       check_against_slow<kInternational>();
       check_against_slow<kRussian>();
       check_against_slow<kBrazilian>();
       check_against_slow<kPool>();
     }},
    {"of a file that was cut off the whole frames are used, and damaged ones are not",
     [] {
       const std::string file = files<kEnglish>(1)[0];
       Maker<kEnglish> cut(2);
       check(cut.add(std::string_view(file).substr(0, file.size() - 1)) < file.size());
       check(cut.done() > 0 && cut.done() < cut.total());
       std::string damaged = file;
       damaged[64 + sizeof(FrameHeader)] ^= 1;
       Maker<kEnglish> none(2);
       check_equal(none.add(damaged), std::size_t{64});
       Maker<kRussian> foreign(2);
       check_equal(foreign.add(file), std::size_t{0});
     }},
};

}  // namespace
}  // namespace bz::tests
