// The rules of the games for people, a paragraph and a picture each. Pictures are positions: what may
// be played in them is drawn as the rules themselves say it.

type Words = { en: string; nl: string };
export type Paragraph = { title: Words; text: Words; fen?: string | null }; // null: the start

const draughts = (
  {
    board,
    begins,
    capture,
    king,
    ends,
  }: Record<"board" | "begins" | "capture" | "king" | "ends", Words>,
  fens: { move: string; take: string; king: string },
): Paragraph[] => [
  {
    title: { en: "The board", nl: "Het bord" },
    text: { en: `${board.en} ${begins.en}`, nl: `${board.nl} ${begins.nl}` },
    fen: null,
  },
  {
    title: { en: "Moving", nl: "Zetten" },
    text: {
      en: "A man moves one square diagonally forwards, to a free square.",
      nl: "Een schijf gaat één veld schuin vooruit, naar een vrij veld.",
    },
    fen: fens.move,
  },
  { title: { en: "Capturing", nl: "Slaan" }, text: capture, fen: fens.take },
  { title: { en: "Kings", nl: "Dammen" }, text: king, fen: fens.king },
  { title: { en: "The end", nl: "Het einde" }, text: ends },
];

const FLYING: Words = {
  en: "A man that ends its move on the far row becomes a king. A king moves any distance along a diagonal, and takes from afar: it jumps over a piece with free squares behind it, and may land on any of these.",
  nl: "Een schijf die op de overkant eindigt, wordt dam. Een dam gaat zo ver als zij wil langs een diagonaal, en slaat van verre: zij springt over een stuk met vrije velden erachter, en kiest op welk veld zij landt.",
};
const END: Words = {
  en: "Who cannot move, because no pieces are left or all are blocked, has lost. The game is drawn when nobody makes progress: the same position three times, or too many moves by kings alone.",
  nl: "Wie niet kan zetten, omdat er geen stukken meer zijn of alle vaststaan, heeft verloren. Remise is het als niemand vooruitkomt: drie keer dezelfde stand, of te veel zetten met alleen dammen.",
};
const ANY: Words = {
  en: "Who can capture must. A man jumps over a neighbouring piece, forwards or backwards, to the free square behind it, and goes on as long as it can. If there are several captures, you choose.",
  nl: "Slaan is verplicht. Een schijf springt over een stuk ernaast, voor- of achteruit, naar het vrije veld erachter, en gaat door zolang het kan. Bij verschillende slagen kies je zelf.",
};
const LARGEST: Words = {
  en: "Who can capture must, and must take as many pieces as possible. A man jumps over a neighbouring piece, forwards or backwards, and goes on as long as it can. Taken pieces leave the board when the capture is over.",
  nl: "Slaan is verplicht, en wel zoveel mogelijk stukken. Een schijf springt over een stuk ernaast, voor- of achteruit, en gaat door zolang het kan. Geslagen stukken gaan na de slag van het bord.",
};
const EIGHT: Words = {
  en: "Eight by eight squares, twelve men each, on the dark squares.",
  nl: "Acht bij acht velden, elk twaalf schijven, op de donkere velden.",
};
const WHITE: Words = { en: "White begins.", nl: "Wit begint." };
const BLACK: Words = { en: "Black begins.", nl: "Zwart begint." };
const NUMBERED = { move: "W:W27:B5", take: "W:W26:B22,14", king: "W:WK30:B16" };
const LETTERED = { move: "W:Wd4:Bh8", take: "W:Wc3:Bd4,f6", king: "W:WKc1:Bf4" };

export const RULES: Record<string, Paragraph[]> = {
  international: draughts(
    {
      board: {
        en: "Ten by ten squares, twenty men each, on the dark squares.",
        nl: "Tien bij tien velden, elk twintig schijven, op de donkere velden.",
      },
      begins: WHITE,
      capture: LARGEST,
      king: FLYING,
      ends: END,
    },
    { move: "W:W33:B5", take: "W:W38:B32,22", king: "W:WK46:B28" },
  ),
  brazilian: draughts(
    { board: EIGHT, begins: WHITE, capture: LARGEST, king: FLYING, ends: END },
    NUMBERED,
  ),
  russian: draughts(
    {
      board: EIGHT,
      begins: WHITE,
      capture: {
        en: `${ANY.en} A man that reaches the far row in the middle of a capture goes on as a king.`,
        nl: `${ANY.nl} Een schijf die tijdens een slag de overkant bereikt, slaat als dam verder.`,
      },
      king: FLYING,
      ends: END,
    },
    LETTERED,
  ),
  pool: draughts({ board: EIGHT, begins: BLACK, capture: ANY, king: FLYING, ends: END }, NUMBERED),
  english: draughts(
    {
      board: EIGHT,
      begins: BLACK,
      capture: {
        en: "Who can capture must. A man jumps forwards over a neighbouring piece to the free square behind it, and goes on as long as it can. If there are several captures, you choose.",
        nl: "Slaan is verplicht. Een schijf springt vooruit over een stuk ernaast naar het vrije veld erachter, en gaat door zolang het kan. Bij verschillende slagen kies je zelf.",
      },
      king: {
        en: "A man that reaches the far row becomes a king, and its move ends there. A king moves and takes like a man, but backwards too, one square at a time.",
        nl: "Een schijf die de overkant bereikt, wordt dam, en daar eindigt de zet. Een dam gaat en slaat als een schijf, maar ook achteruit, één veld per keer.",
      },
      ends: END,
    },
    { move: "W:W22:B1", take: "W:W26:B22,15", king: "W:WK18:B3" },
  ),
  gomoku: [
    {
      title: { en: "Five in a row", nl: "Vijf op een rij" },
      text: {
        en: "Black and white place one stone in turn on a free point; black begins. Stones never move. Who first has five in a row, along a line or a diagonal, wins.",
        nl: "Zwart en wit plaatsen om de beurt een steen op een vrij punt; zwart begint. Stenen verplaatsen zich niet. Wie het eerst vijf op een rij heeft, langs een lijn of schuin, wint.",
      },
      fen: "8/8/2o5/2oxxx2/2ooxo2/4x3/8/8 x",
    },
    {
      title: { en: "Threats", nl: "Dreigingen" },
      text: {
        en: "Four with a free end threatens five at once and must be stopped. Four with both ends free cannot be stopped. Three with both ends free threatens that, and must be answered too. Two threats at once win.",
        nl: "Vier met een vrij uiteinde dreigt meteen vijf en moet gestopt worden. Vier met twee vrije uiteinden is niet te stoppen. Drie met twee vrije uiteinden dreigt dat, en vraagt ook een antwoord. Twee dreigingen tegelijk winnen.",
      },
      fen: "8/8/8/2xxx3/3oo3/8/8/8 x",
    },
    {
      title: { en: "Standard and renju", nl: "Standaard en renju" },
      text: {
        en: "In the standard game exactly five win, not six. In renju black, who begins and has the advantage, may not make two open threes or two fours with one stone, nor more than five; for white everything is allowed.",
        nl: "In het standaardspel winnen precies vijf, niet zes. In renju mag zwart, die begint en in het voordeel is, niet met één steen twee open drieën of twee vieren maken, en niet meer dan vijf; voor wit is alles toegestaan.",
      },
    },
    {
      title: { en: "The end", nl: "Het einde" },
      text: {
        en: "A full board without five is a draw.",
        nl: "Een vol bord zonder vijf is remise.",
      },
    },
  ],
  chexers: [
    {
      title: { en: "Three players", nl: "Drie spelers" },
      text: {
        en: "Red, green and blue have four pieces each on a board of 37 hexagons, and move in turn. Each wants to bring four pieces off the board on the side opposite to where they started.",
        nl: "Rood, groen en blauw hebben elk vier stenen op een bord van 37 zeshoeken, en zijn om de beurt aan zet. Elk wil vier stenen van het bord brengen aan de kant tegenover het begin.",
      },
      fen: null,
    },
    {
      title: { en: "Moves and jumps", nl: "Zetten en springen" },
      text: {
        en: "A piece moves to a free neighbour, or jumps over a piece beside it to the free hexagon behind. A piece of another colour that is jumped over becomes yours.",
        nl: "Een steen gaat naar een vrije buur, of springt over een steen ernaast naar de vrije zeshoek erachter. Een steen van een andere kleur waarover je springt, wordt van jou.",
      },
      fen: "4/5/2g3/2r4/6/5/3b r 0,0,0 0",
    },
    {
      title: { en: "Exits", nl: "Het bord verlaten" },
      text: {
        en: "From the far side a piece may leave the board. Who has brought four pieces off wins. Without four pieces, on the board and off it, you must take others first.",
        nl: "Vanaf de overkant mag een steen het bord verlaten. Wie er vier heeft weggebracht, wint. Met minder dan vier stenen, op en naast het bord, moet je eerst andere overnemen.",
      },
      fen: "4/5/5r/2g4/6/5/3b r 1,0,0 0",
    },
    {
      title: { en: "The end", nl: "Het einde" },
      text: {
        en: "Who cannot move passes. The game is drawn when a position comes a fourth time, or after 256 moves of each.",
        nl: "Wie niet kan zetten, past. Remise is het als een stelling voor de vierde keer komt, of na 256 zetten van ieder.",
      },
    },
  ],
};
