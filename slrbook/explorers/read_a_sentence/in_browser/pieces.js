// Word pieces as in the tokenizer of BERT: clean, lower case, no accents, then repeatedly the
// longest known piece.
const LONGEST_WORD = 100; // characters; a longer word is unknown
const SPECIAL = /(\[(?:PAD|UNK|CLS|SEP|MASK)\])/;
const IGNORED = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu; // control characters etc.
const HAN =
  /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const WORD = /[\p{P}!-\/:-@[-`{-~]|[^\p{White_Space}\p{P}!-\/:-@[-`{-~]+/gu; // a mark is a word

// The words of a text without special tokens. Each letter is lowercased separately, as in BERT.
function wordsOf(text) {
  const clean = text.replace(IGNORED, "").replace(HAN, " $& ");
  const plain = clean.normalize("NFD").replace(/\p{Mn}/gu, "");
  return (
    Array.from(plain, (letter) => letter.toLowerCase())
      .join("")
      .match(WORD) || []
  );
}

// The pieces of one word; the whole word is [UNK] if some part of it is not a known piece.
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

// All pieces of a sentence; `known` maps a piece to its id.
function tokensOf(sentence, known) {
  const parts = sentence
    .split(SPECIAL)
    .flatMap((part) =>
      SPECIAL.test(part) ? [part] : wordsOf(part).flatMap((word) => piecesOf(word, known)),
    );
  return ["[CLS]", ...parts, "[SEP]"];
}
