export interface XmlPosition {
  /** Both one-based. */
  readonly line: number;
  readonly column: number;
}

/** The gateway says it in words, at the end of a problem's message; null where it names no place. */
export function positionIn(message: string): XmlPosition | null {
  const [, line, column] = /\bat line (\d+), column (\d+)/.exec(message) ?? [];
  return line && column ? { line: Number(line), column: Number(column) } : null;
}

/** Where that is in the text, counted in characters; at the end of the text at most. */
export function offsetOf(text: string, { line, column }: XmlPosition): number {
  let lineStart = 0;
  for (let passed = 1; passed < line; passed++) {
    const lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd < 0) break;
    lineStart = lineEnd + 1;
  }
  return Math.min(text.length, lineStart + column - 1);
}
