/** The memory of subscriptions is bounded for the process and for each lane. */
import { describe, expect, it } from 'vitest';
import { createLaneMaker, type Lane } from '../../src/caller.ts';
import type { ValidDocument } from '../../src/operation/document-cache.ts';
import { createHeldDocuments } from '../../src/operation/held-documents.ts';

const laneOf = createLaneMaker(undefined);
const aLane = (name: string): Lane => laneOf({ apiKey: name, authorization: undefined });

const aDocument = (name: string, bytes = 100) => ({ hash: name, bytes }) as ValidDocument;

/** A budget of 1,000 bytes: 250 for a lane, 500 for all lanes that were not accepted. */
function aBudget(accepted: readonly Lane[] = []) {
  const held = createHeldDocuments({ isAccepted: (lane) => accepted.includes(lane), maxBytes: 1_000 });
  const hold = (lane: string, document: ValidDocument, more = {}) =>
    held.hold({ lane: aLane(lane), document, isPersisted: false, variableBytes: 0, ...more });
  return { ...held, hold };
}

describe('the memory budget of subscriptions', () => {
  it('refuses a new document of a lane above a quarter of the budget, and accepts one of another lane', () => {
    const { hold } = aBudget();
    hold('a', aDocument('1'));
    hold('a', aDocument('2'));
    expect(() => hold('a', aDocument('3'))).toThrow(/different documents/);
    expect(() => hold('b', aDocument('3'))).not.toThrow();
  });

  it('counts a document once for all subscriptions of a lane, until the last one ends', () => {
    const { hold, bytes, find } = aBudget();
    const document = aDocument('1', 250);
    const release = [hold('a', document), hold('a', document), hold('b', document)];
    expect(bytes()).toBe(250);
    expect(find('1')).toBe(document);
    release[0]?.();
    release[0]?.();
    expect(() => hold('a', aDocument('2')), 'the second subscription holds it still').toThrow();
    release[1]?.();
    expect(() => hold('a', aDocument('2'))).not.toThrow();
    release[2]?.();
    expect(find('1')).toBeUndefined();
    expect(bytes()).toBe(100);
  });

  it('reserves half of the budget for lanes that the service has accepted', () => {
    const { hold } = aBudget([aLane('known')]);
    for (const lane of ['a', 'b', 'c', 'd', 'e']) hold(lane, aDocument(lane));
    expect(() => hold('f', aDocument('f'))).toThrow(/different documents/);
    expect(() => hold('known', aDocument('new', 250))).not.toThrow();
    expect(
      () => hold('f', aDocument('new', 250)),
      'a document that is held already costs nothing',
    ).not.toThrow();
  });

  it('counts variables of more than 1,024 bytes for each subscription', () => {
    const { hold, bytes } = aBudget();
    const document = aDocument('1');
    hold('a', document, { variableBytes: 1_024 });
    expect(bytes()).toBe(100);
    const release = hold('a', document, { variableBytes: 1_124 });
    expect(bytes()).toBe(200);
    expect(() => hold('a', document, { variableBytes: 1_224 })).toThrow();
    release();
    expect(() => hold('a', document, { variableBytes: 1_124 })).not.toThrow();
  });

  it('does not count a document of the manifest', () => {
    const { hold, bytes } = aBudget();
    hold('a', aDocument('1', 5_000), { isPersisted: true });
    expect(bytes()).toBe(0);
  });

  it('is complete again after everything was released, in any order', () => {
    const accepted: Lane[] = [];
    const { hold, bytes } = aBudget(accepted);
    const releases = ['a', 'b', 'c', 'd'].map((lane) => hold(lane, aDocument('1')));
    accepted.push(aLane('c'));
    releases.push(hold('c', aDocument('2')), hold('e', aDocument('2'), { variableBytes: 1_030 }));
    for (const release of releases.toReversed()) release();
    expect(bytes()).toBe(0);
    for (const lane of ['v', 'w', 'x', 'y', 'z']) expect(() => hold(lane, aDocument(lane))).not.toThrow();
  });
});
