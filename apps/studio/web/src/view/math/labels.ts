// Where words beside a mark stand, in pixels of the picture, so that all of them are seen.

export interface Place { x: number; y: number }

/** Room to the edge of the picture; the width of a letter and the height of a line, generously. */
export const kEdge = 8;
export const kLetter = 7.6;
export const kLine = 17;
const kBeside = 12;

/** In lines of at most `most` letters: broken before the figure and between the names, then cut in the middle. */
export function breakLabel(label: string, most: number): string[] {
  if (label.length <= most) return [label];
  const colon = label.lastIndexOf(': ');
  const lines = colon > 0 ? [label.slice(0, colon), label.slice(colon + 2)] : [label];
  return lines.flatMap((line) => (line.length <= most ? [line] : line.split(' – '))).map((line) => cut(line, most));
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = Math.max(2, most - 1);
  const front = Math.ceil(kept / 2);
  return `${text.slice(0, front)}…${text.slice(text.length - (kept - front))}`;
}

/** The first letter's place: right of the mark, else left of it, else as far right as it fits. */
export function placeLabel(
  { wide, lines }: { wide: number; lines: number }, a: Place, b: Place, width: number, height: number,
): Place {
  const right = Math.max(a.x, b.x) + kBeside;
  const left = Math.min(a.x, b.x) - kBeside - wide;
  const x = right + wide <= width - kEdge ? right : left >= kEdge ? left : width - kEdge - wide;
  const lowest = height - kEdge - (lines - 1) * kLine;
  return { x: Math.max(kEdge, x), y: Math.min(lowest, Math.max(kEdge + kLine, (a.y + b.y) / 2 - 8)) };
}
