/** The position of boxes on a picture. The service states neither their unit nor which number of a page's size is the width. */

interface PageSize {
  readonly first: number;
  readonly second: number;
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** Largest difference between two aspect ratios that count as equal: 2 %, because sizes are rounded. */
const ratioTolerance = 0.02;

/**
 * The size of the page in the unit of its boxes. Its width is the number whose ratio to the other matches the picture.
 * null when neither matches or a box is outside the page: drawn boxes would be wrong then.
 */
export function pageOf(size: PageSize | undefined, picture: Extent, boxes: readonly Edges[]): Extent | null {
  if (size === undefined) return null;
  const candidates = [
    { width: size.first, height: size.second },
    { width: size.second, height: size.first },
  ];
  const page = candidates.find((candidate) => hasSameRatio(candidate, picture));
  return page !== undefined && boxes.every((box) => isInside(box, page)) ? page : null;
}

function hasSameRatio(one: Extent, other: Extent): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.abs(ratio - 1) <= ratioTolerance;
}

function isInside({ left, top, right, bottom }: Edges, { width, height }: Extent): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}
