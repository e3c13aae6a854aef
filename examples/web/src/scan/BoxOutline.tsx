import type { CardBoxFragment } from '../graphql/graphql.ts';

interface BoxOutlineProps {
  readonly box: CardBoxFragment;
  readonly kind: 'value' | 'keyword' | 'text';
}

export function BoxOutline({ box: { left, top, right, bottom }, kind }: BoxOutlineProps) {
  return (
    <rect
      className={`box box-${kind}`}
      x={left}
      y={top}
      width={Math.max(0, right - left)}
      height={Math.max(0, bottom - top)}
      rx={3}
    />
  );
}
