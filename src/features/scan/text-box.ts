/** Texts of a scan with their positions, from the arrays in which the service sends them. */
import type { WireObject } from '../../upstream/decode.ts';

/** The position of a text on a page. */
export type TextBox = NonNullable<ReturnType<typeof decodeTextBox>>;

/** Reads a member that is a box array. Returns null for null and for a value that is not a box. Anything but the eight documented elements is reported as drift. */
export function textBoxIn(wire: WireObject, name: string, page: number | null): TextBox | null {
  const tuple = wire.raw(name) ?? null;
  if (tuple === null) return null;
  const box = decodeTextBox(tuple, page);
  const isAsDocumented = box !== null && box.secondText !== null && (tuple as unknown[]).length === 8;
  if (!isAsDocumented) wire.reportMistyped(name);
  return box;
}

/**
 * Decodes a box array (docs/service.md, "Scan an identity card"): left, top, right, bottom, two centre coordinates, the text,
 * the text again. Six numbers and a text are enough. The service does not state the unit; the order of the centre
 * coordinates is assumed. Returns null for any other value.
 */
function decodeTextBox(tuple: unknown, page: number | null) {
  if (!Array.isArray(tuple)) return null;
  const [left, top, right, bottom, centerX, centerY, text, second] = tuple as unknown[];
  if (!isNumber(left) || !isNumber(top) || !isNumber(right) || !isNumber(bottom)) return null;
  if (!isNumber(centerX) || !isNumber(centerY) || typeof text !== 'string') return null;
  const secondText = typeof second === 'string' ? second : null;
  return { left, top, right, bottom, centerX, centerY, text, secondText, page };
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
