import type { WireObject } from '../../upstream/decode.ts';

/** The position of a text on a page. The service does not state the unit; the order of the centre coordinates is assumed (docs/service.md). */
export interface TextBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly centerX: number;
  readonly centerY: number;
  readonly text: string;
  readonly page: number | null;
}

/** Reads a member that is a box array. Returns null for null, and for another value, which is reported as drift. */
export function textBoxIn(wire: WireObject, name: string, page: number | null): TextBox | null {
  const tuple = wire.raw(name) ?? null;
  const box = decodeTextBox(tuple, page);
  if (box === null && tuple !== null) wire.reportMistyped(name);
  return box;
}

/**
 * Decodes a box array (docs/service.md, "Scan an identity card"): left, top, right, bottom, two centre coordinates, the text,
 * the text again. Returns null for any other value.
 */
function decodeTextBox(tuple: unknown, page: number | null): TextBox | null {
  if (!Array.isArray(tuple) || tuple.length !== 8) return null;
  const [left, top, right, bottom, centerX, centerY, text, again] = tuple as unknown[];
  if (!isNumber(left) || !isNumber(top) || !isNumber(right) || !isNumber(bottom)) return null;
  if (!isNumber(centerX) || !isNumber(centerY) || typeof text !== 'string' || typeof again !== 'string')
    return null;
  return { left, top, right, bottom, centerX, centerY, text, page };
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
