/** Cards of five fictional people. The numbers have valid check letters; each card prints dates in another format. */

export interface Card {
  readonly name: string;
  readonly nricNumber: string;
  readonly dateOfBirth: string;
  readonly issueDate: string;
  readonly gender: string;
  readonly nationality: string;
  /** One string per printed line. */
  readonly address: readonly string[];
  /** false: the number is printed without a label. */
  readonly numberHasLabel: boolean;
  /** 2: address and issue date are on the back. */
  readonly pages: 1 | 2;
}

const cards: readonly [Card, ...Card[]] = [
  {
    name: 'TAN WEI MING',
    nricNumber: 'S0000001I',
    dateOfBirth: '17-03-1951',
    issueDate: '02-05-2015',
    gender: 'M',
    nationality: 'SINGAPORE CITIZEN',
    address: ['APT BLK 0 EXAMPLE STREET 4', '#05-67', 'SINGAPORE 000000'],
    numberHasLabel: true,
    pages: 2,
  },
  {
    name: 'NUR AISYAH BINTE RAHMAN',
    nricNumber: 'T0100456A',
    dateOfBirth: '09/11/2001',
    issueDate: '21/01/2017',
    gender: 'F',
    nationality: 'SINGAPORE CITIZEN',
    address: ['0 SAMPLE AVENUE', 'SINGAPORE 000001'],
    numberHasLabel: true,
    pages: 1,
  },
  {
    name: 'BRANDT, KLARA "CLAIRE"',
    nricNumber: 'F0000777M',
    dateOfBirth: '04 DEC 1990',
    issueDate: '30 JUN 2019',
    gender: 'FEMALE',
    nationality: 'GERMAN',
    address: ['7 DEMO CRESCENT, #11-01', 'SINGAPORE 000002'],
    numberHasLabel: true,
    pages: 1,
  },
  {
    name: 'ARJUN S/O RAMESH',
    nricNumber: 'G0000888K',
    dateOfBirth: '28.02.1988',
    issueDate: '11.09.2021',
    gender: 'MALE',
    nationality: 'INDIAN',
    address: ['8 FICTION ROAD', 'SINGAPORE 000003'],
    numberHasLabel: false,
    pages: 1,
  },
  {
    name: 'SITI HAJAR BINTI OSMAN',
    nricNumber: 'M0000999N',
    dateOfBirth: '23 OGOS 1998',
    issueDate: '2022-10-05',
    gender: 'PEREMPUAN',
    nationality: 'MALAYSIAN',
    address: ['9 NOWHERE LANE', 'SINGAPORE 000004'],
    numberHasLabel: true,
    pages: 2,
  },
];

/** Returns the card for a file, always the same one for the same bytes. `sha256`: hexadecimal. */
export function cardOf(sha256: string): Card {
  return cards[Number.parseInt(sha256.slice(0, 8), 16) % cards.length] ?? cards[0];
}
