import { useState } from 'react';
import type { CardBoxFragment } from '../graphql/graphql.ts';
import { t } from '../language/language.ts';
import { BoxOutline } from './BoxOutline.tsx';
import type { FieldBoxes } from './card.ts';
import type { Extent } from './page.ts';
import { useObjectUrl } from './use-object-url.ts';
import { words } from './words.ts';

interface CardPictureProps {
  readonly file: File;
  /** null: nothing is drawn. */
  readonly page: Extent | null;
  readonly fieldBoxes: readonly FieldBoxes[];
  readonly textBoxes: readonly CardBoxFragment[];
  readonly litKey: string | null;
  onSize(size: Extent): void;
}

export function CardPicture({ file, page, fieldBoxes, textBoxes, litKey, onSize }: CardPictureProps) {
  const url = useObjectUrl(file);
  const [canShow, setCanShow] = useState(true);
  if (!canShow) return <p className="empty">{t(words.cannotShow)}</p>;
  return (
    <div className="card-picture">
      {url && (
        <img
          src={url}
          alt={t(words.asChosen)}
          onLoad={({ currentTarget }) =>
            onSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
          onError={() => setCanShow(false)}
        />
      )}
      {page && (
        <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none" aria-hidden="true">
          {textBoxes.map((box) => (
            <BoxOutline key={`${box.left} ${box.top} ${box.text}`} box={box} kind="text" />
          ))}
          {fieldBoxes.map(({ key, value, keyword }) => (
            <g key={key} data-field={key} className={key === litKey ? 'lit' : undefined}>
              {key === litKey && keyword && <BoxOutline box={keyword} kind="keyword" />}
              <BoxOutline box={value} kind="value" />
            </g>
          ))}
        </svg>
      )}
    </div>
  );
}
