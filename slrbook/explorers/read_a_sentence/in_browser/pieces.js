// Word pieces, made as the tokenizer of BERT makes them: clean, lower case, no accents, then the
// longest piece that is known, again and again.
const LONGEST_WORD = 100; // letters; a longer word is unknown
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const IGNORED = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu; // control characters and their like
const HAN =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const WORD = /[\p{P}!-\/:-@[-`{-~]|[^\p{White_Space}\p{P}!-\/:-@[-`{-~]+/gu; // a mark stands alone

// The words of a text without special tokens. Each letter is lowered by itself, as there.
function wordsOf(text) {
  const clean = text.replace(IGNORED, "").replace(HAN, " $& ");
  const plain = clean.normalize("NFD").replace(/\p{Mn}/gu, "");
  return (
    Array.from(plain, (letter) => letter.toLowerCase())
      .join("")
      .match(WORD) || []
  );
}

// The pieces of one word; all of it is [UNK] if some part of it is no piece.
function piecesOf(word, known) {
  const letters = Array.from(word);
  if (letters.length > LONGEST_WORD) return ["[UNK]"];
  const found = [];
  for (let start = 0; start < letters.length; ) {
    let [end, piece] = [letters.length, ""];
    for (; end > start; end--) {
      piece = (start ? "##" : "") + letters.slice(start, end).join("");
      if (known.has(piece)) break;
    }
    if (end === start) return ["[UNK]"];
    found.push(piece);
    start = end;
  }
  return found;
}

// All pieces of a sentence; `known` gives the number of a piece.
function tokensOf(sentence, known) {
  const parts = sentence
    .split(SPECIAL)
    .flatMap((part) =>
      SPECIAL.test(part) ? [part] : wordsOf(part).flatMap((word) => piecesOf(word, known)),
    );
  return ["[CLS]", ...parts, "[SEP]"];
}
