export interface XmlPosition {
  /** Both start at 1. */
  readonly line: number;
  readonly column: number;
}

/** The position at the end of a problem's message, in any language: its last two numbers. Null when it has none. */
export function positionIn(message: string): XmlPosition | null {
  const [, line, column] = /(\d+)\D+(\d+)\D*$/.exec(message) ?? [];
  return line && column ? { line: Number(line), column: Number(column) } : null;
}

/** The offset of the position in the text, in characters; at most the length of the text. */
export function offsetOf(text: string, { line, column }: XmlPosition): number {
  let lineStart = 0;
  for (let passed = 1; passed < line; passed++) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0) break;
    lineStart = lineEnd + 1;
  }
  return Math.min(text.length, lineStart + column - 1);
}
