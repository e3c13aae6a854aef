/** Texts of a scan with their positions, from the arrays in which the service sends them. */
import type { WireObject } from '../../upstream/decode.ts';
import { binary64 } from '../../upstream/exact-json.ts';

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
  const [left, top, right, bottom, centerX, centerY] = tuple.slice(0, 6).map(binary64);
  const [text, second] = tuple.slice(6) as unknown[];
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  if (centerX === undefined || centerY === undefined || typeof text !== 'string') return null;
  const secondText = typeof second === 'string' ? second : null;
  return { left, top, right, bottom, centerX, centerY, text, secondText, page };
}
