/**
 * What the service writes about an input or together with a result: found in the usual forms, and made safe to pass on. An
 * HTML page is not searched: call/response-outcome.ts.
 */
import type { InputProblem } from '../../input-problems.ts';
import { isObject } from '../../tools/is-object.ts';
import { oneObject } from '../decode.ts';
import type { Endpoint } from '../endpoint.ts';
import { inputPath, isStep, stepsOf } from './input-path.ts';
import { nameOf, publicTexts, type ReadCall, type ServiceText } from './public-texts.ts';
import {
  type FoundText,
  isNumberOrTrue,
  type Members,
  maxTexts,
  search,
  textsOrCodes,
} from './text-search.ts';

/** Names of a status: they are not a reason if there is another text. */
const statusName =
  /^(bad request|unprocessable (entity|content)|conflict|forbidden|not found|(payload|content|request entity) too large|unsupported media type|too many requests|error|failed)( exception)?\.?$/i;

/**
 * The reasons in a response that rejects a call: one for each text, at most 20, each at most 500 characters. `body`: JSON, or
 * the text of a response that is not JSON. Markup has no reasons. `isResult`: by its status the response has a result instead.
 */
export function reasonsIn(body: unknown, call: ReadCall, { isResult = false } = {}): ServiceText[] {
  // An object of reasons by member, as under `errors`. In place of a result it may be data.
  const found = search(!isResult && hasReasonsByMember(body, call.endpoint) ? { errors: body } : body);
  const reasons = publicTexts(found.length > 0 ? found : codesIn(body), call);
  const specific = reasons.filter(({ text }) => !statusName.test(text));
  return specific.length > 0 ? specific : reasons;
}

/** Whether all members of an object are those of the request, or lists of texts: for the input as a whole, as `non_field_errors`. */
function hasReasonsByMember(body: unknown, endpoint: Endpoint): boolean {
  return (
    isObject(body) &&
    Object.entries(body).every(
      ([name, value]) => isListOfTexts(value) || inputPath(endpoint, stepsOf(name)) !== undefined,
    )
  );
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Members next to a result that report what was not done. */
const reportMember =
  /^((?i:errors?|warnings?|reasons?|(fail(ed|ures?)|rejected|skipped|missing|unprocessed)\w{0,99})|[Nn]ot[A-Z_]\w{0,99})$/;

/** What a response reports together with its result, at the top, in an envelope, or in an envelope under `data`. */
export function reportedBeside(body: unknown, call: ReadCall): InputProblem[] {
  const found: FoundText[] = [];
  const top = oneObject(body) ?? {};
  const below = [top, oneObject(top['data']) ?? {}].flatMap((members) =>
    Object.values(members).map(oneObject),
  );
  for (const members of [top, ...below]) {
    if (!members) continue;
    for (const [name, value] of Object.entries(members)) {
      if (value === false && /^(success|ok|accepted)$/i.test(name))
        found.push({ place: [], text: `${name}: false` });
      if (found.length >= maxTexts) continue;
      if (!reportMember.test(name)) {
        if (Array.isArray(value)) found.push(...textsOrCodes({ errors: value.filter(isFailed) }));
      } else if (/^(error|warning)/i.test(name)) found.push(...textsOrCodes({ errors: value }));
      else found.push(...itemsOf(name, value));
    }
  }
  return problemsOf(publicTexts(found, call), 'reported-by-service', 'WARNING');
}

export function problemsOf(
  texts: readonly ServiceText[],
  rule: string,
  severity: InputProblem['severity'],
): InputProblem[] {
  return texts.map(({ path, text }) => ({ rule, severity, path, message: text }));
}

/** Whether an item of a list, such as the results of several documents, reports that it failed. */
function isFailed(item: unknown): boolean {
  return isObject(item) && (item['success'] === false || Boolean(item['error']));
}

/** Texts of a list of ids, of texts or of objects with an id, or of an object of reasons by id. A count of 0 reports nothing. */
function itemsOf(name: string, value: unknown): FoundText[] {
  const items = Array.isArray(value) ? value.slice(0, maxTexts) : [value || null];
  return items.flatMap((item) => {
    const members: Members = isObject(item) ? item : { id: item };
    const { id, docId, documentId, ...rest } = members;
    const ids = [id, docId, documentId].flat().slice(0, maxTexts);
    const about = [name, ...ids.filter((one) => isStep(one) || one === true)];
    const reasons = textsOrCodes({ errors: rest }).map(({ place, text }) => [...about, nameOf(place), text]);
    const texts = reasons.length > 0 || about.length === 1 ? reasons : [about];
    return texts.map((words) => ({ place: [], text: words.filter((word) => word !== '').join(': ') }));
  });
}

/** Codes in place of texts. */
function codesIn(body: unknown): FoundText[] {
  const code = isObject(body) ? body['code'] : undefined;
  if (typeof code === 'string') return [{ place: [], text: code }];
  return isNumberOrTrue(code) ? [{ place: ['code'], text: String(code) }] : search(body, true);
}
