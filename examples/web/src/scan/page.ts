/** Where the boxes lie on a picture. The service says neither their unit nor which number of a page's size is its width. */

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

/** How far two ratios may differ and still be those of one picture: 2 %, for sizes that were rounded. */
const ratioTolerance = 0.02;

/**
 * The page in the unit of its boxes: as width the number whose ratio to the other fits the picture. null where
 * neither fits or a box lies outside: then nothing can be drawn that would not mislead.
 */
export function pageOf(size: PageSize | undefined, picture: Extent, boxes: readonly Edges[]): Extent | null {
  if (size === undefined) return null;
  const candidates = [
    { width: size.first, height: size.second },
    { width: size.second, height: size.first },
  ];
  const page = candidates.find((candidate) => isAlike(candidate, picture));
  return page !== undefined && boxes.every((box) => isInside(box, page)) ? page : null;
}

function isAlike(one: Extent, other: Extent): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.abs(ratio - 1) <= ratioTolerance;
}

function isInside({ left, top, right, bottom }: Edges, { width, height }: Extent): boolean {
  return left >= 0 && top >= 0 && right <= width && bottom <= height;
}
