import type { CardBoxFragment, CardFieldFragment, CardFragment } from '../graphql/graphql.ts';

/** The picture shows the first page. Boxes on other pages are not drawn. */
export const shownPage = 0;

/** Order of the fields. Fields that the service adds later follow. */
const usualOrder = ['NricNumber', 'Name', 'DOB', 'Gender', 'Nationality', 'IssueDate', 'ExpiryDate'];

export function inUsualOrder(fields: readonly CardFieldFragment[]): CardFieldFragment[] {
  const rank = ({ key }: CardFieldFragment) => {
    const place = usualOrder.indexOf(key);
    return place < 0 ? usualOrder.length : place;
  };
  return fields.toSorted((one, other) => rank(one) - rank(other));
}

/** The boxes of a field's value and of the label next to it. */
export interface FieldBoxes {
  readonly key: string;
  readonly value: CardBoxFragment;
  readonly keyword: CardBoxFragment | null;
}

export function boxesOfFields({ fields }: CardFragment): FieldBoxes[] {
  return fields.flatMap(({ key, matches: [match] }) =>
    match?.valueBox && isShown(match.valueBox)
      ? [
          {
            key,
            value: match.valueBox,
            keyword: match.keywordBox && isShown(match.keywordBox) ? match.keywordBox : null,
          },
        ]
      : [],
  );
}

export function shownTextBoxes({ textBoxes }: CardFragment): CardBoxFragment[] {
  return textBoxes.filter(isShown);
}

/** A box without a page is on the first page. */
function isShown({ page }: CardBoxFragment): boolean {
  return (page ?? shownPage) === shownPage;
}

/** The name on the card; null if it was not found. */
export function holderOf({ fields }: CardFragment): string | null {
  return fields.find(({ key }) => key === 'Name')?.text ?? null;
}
