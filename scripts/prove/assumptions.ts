/** What Folio assumes where the service's interface states nothing: the rows of docs/service.md, "Assumptions". */
export interface Assumption {
  /** Stable. The switch of the sandbox that turns the assumption round has the same name. */
  readonly id: string;
  readonly assumption: string;
  readonly ifWrong: string;
  /** The variable, file or page that changes it. */
  readonly changedBy: string;
}

export const assumptions: readonly Assumption[] = [
  {
    id: 'malaysia-credentials',
    assumption: 'The Malaysian import and status need no credentials that Folio could require.',
    ifWrong: "A call is sent without them, and the service's 401 is returned.",
    changedBy: 'the endpoints in `src/features/malaysia/malaysia.api.ts`',
  },
  {
    id: 'mexico-401',
    assumption: 'A 401 of the Mexico status may mean "no access".',
    ifWrong: 'A client renews its token once, then treats a second 401 as forbidden.',
    changedBy: '[retrying safely](retrying-safely.md)',
  },
  {
    id: 'id-look-ups',
    assumption:
      'Look-ups of ids may depend on case, leading zeros and dots. Ids are sent as the caller wrote them, percent-encoded in paths.',
    ifWrong: 'Nothing: a service that ignores case finds them too.',
    changedBy: '`src/upstream/endpoint.ts`',
  },
  {
    id: 'folio-in-capitals',
    assumption: 'A folio is printed, and stored, in capitals.',
    ifWrong:
      'A caller who writes it in another case than it is stored in gets null, as for a document that was never validated.',
    changedBy: 'the caller',
  },
  {
    id: 'integer-ids',
    assumption: 'Ids in `docIds` are JSON integers of at most 19 digits.',
    ifWrong: 'An id that is not a number is refused with `BAD_USER_INPUT`.',
    changedBy: '`integerId` in `src/upstream/checked-input.ts`',
  },
  {
    id: 'handwritten-format',
    assumption: '`handwritten` is written `[true]` or `[false]`.',
    ifWrong: 'The service refuses the scan (400), or reads another value.',
    changedBy: '`HANDWRITTEN_FORMAT`',
  },
  {
    id: 'box-centre',
    assumption:
      'The fifth number of a box is horizontal, the sixth vertical; six numbers and a text are enough for a box.',
    ifWrong: '`centerX` and `centerY` change places; other boxes are missing, and counted as drift.',
    changedBy: '`src/features/scan/text-box.ts`',
  },
  {
    id: 'scan-has-id',
    assumption:
      'A scan without `docId` left no proof of a document; its data is shown with an error of side effect `POSSIBLE`.',
    ifWrong: 'A document that exists has to be looked for at the service.',
    changedBy: '`partialScan` in `src/features/scan/scan.api.ts`',
  },
  {
    id: 'day-first',
    assumption: 'Printed dates are written day first.',
    ifWrong: '`date` is another day, or null; `text` is as it was read.',
    changedBy: '`src/features/scan/printed-date.ts`',
  },
  {
    id: 'export-csv',
    assumption: 'Exported text follows RFC 4180: a quote in quotes is doubled, lines end with LF or CRLF.',
    ifWrong: '`rows` is null with an error that says where; `csv` is the text as it came.',
    changedBy: '`src/features/document-export/read-csv.ts`',
  },
  {
    id: 'export-order',
    assumption: 'The format of an export cannot be chosen, and the order of its rows means nothing.',
    ifWrong: "Rows are in the service's order.",
    changedBy: '–',
  },
  {
    id: 'export-without-ids',
    assumption: 'An empty `docIds` means what it means to the service: it is sent.',
    ifWrong: 'The service decides.',
    changedBy: '–',
  },
  {
    id: 'authority-step',
    assumption: "The one step that is neither `schema` nor `rfc` is the authority's.",
    ifWrong:
      "A new third step is called `AUTHORITY_STATUS`; `key` has the service's own name. With two such steps, only one named `authorityStatus` is.",
    changedBy: '`authorityKeyIn` in `src/features/mexico/mexico.api.ts`',
  },
  {
    id: 'mexico-odd-members',
    assumption:
      'A document whose schema step failed may have no folio, and one odd member says nothing about the others.',
    ifWrong:
      'Nothing: `uuid` and `validatedAt` are null where they cannot be read, next to `rawUuid` and `rawValidatedAt`; a missing `documentId` is the one that was asked for, a missing result is `UNKNOWN`.',
    changedBy: '`src/features/mexico/mexico.api.ts`',
  },
  {
    id: 'not-found-status',
    assumption:
      'A 404 means "no record" whatever its body, except markup, which was not written by the service: text of type HTML, or text that begins with "<" and has no XML type.',
    ifWrong:
      'An unvalidated document behind such a page is `UPSTREAM_BAD_RESPONSE`; a proxy\'s JSON 404 reads as "never validated". Any form but a JSON object or nothing is counted as drift.',
    changedBy: '`isHtmlPage` in `src/upstream/call/response-outcome.ts`',
  },
  {
    id: 'iso-times',
    assumption:
      'Times are ISO 8601, extended or basic, and UTC without a zone. A time on a day that does not exist is null, and drift.',
    ifWrong: "Times are off by the service's zone.",
    changedBy: '`src/upstream/decode.ts`',
  },
  {
    id: 'fapiao-header-encoding',
    assumption:
      'The header values `name` and `qid` of a Fapiao are percent-encoded UTF-8 beyond printable ASCII, which is sent unchanged.',
    ifWrong: 'The service shows another name, or does not find the queue.',
    changedBy: '`FAPIAO_NAME_ENCODING`',
  },
  {
    id: 'fapiao-xml-root',
    assumption: "A Fapiao's root may have any namespace prefix; further children are accepted.",
    ifWrong: 'The service refuses the XML.',
    changedBy: '`src/features/fapiao/check-einvoice-xml.ts`',
  },
  {
    id: 'fapiao-xml-encoding',
    assumption:
      'The byte order mark or the XML declaration of a file states its encoding; in an encoding other than UTF-8 it is checked only for a DOCTYPE and forwarded, and text that declares one is sent as UTF-8; both with the warning `xml-not-checked`.',
    ifWrong: 'The service refuses problems that Folio would have reported.',
    changedBy: '`src/features/fapiao/xml-encoding.ts`',
  },
  {
    id: 'portal-details',
    assumption:
      "The portal's details are the member `govPortal`, or else the object with both a `submissionId` and a `uuid`, with a `submissionId`, or with a `uuid` alone, in this order. In a status they may also be one level down, or next to the state if there is a `submissionId`.",
    ifWrong: '`govPortal` is null, or has ids of something else.',
    changedBy: '`src/features/malaysia/gov-portal.ts`',
  },
  {
    id: 'status-place',
    assumption:
      'A Malaysian status is in `status`, `state`, `documentStatus`, `einvoiceStatus` or `validationStatus`: a text, or an object with `code`, `name` or `value`; in the response or in an object in it, but not in a party, an address, an error or another known part such as a line or a queue.',
    ifWrong:
      '`UPSTREAM_BAD_RESPONSE`, which a subscription reports as `problem`; the log has the names and types of the members.',
    changedBy: '`MALAYSIA_STATUS_STATE`',
  },
  {
    id: 'status-words',
    assumption:
      "The state is in the portal's public words, in any case, with or without blanks, hyphens and underscores. The innermost known word counts: that of an envelope (around the only member, `data`, `result`, `document`, a list of one, or an object with the `docId` or `documentId` that was asked for) describes the call. Objects at one depth whose words differ leave the state open, and so do an unknown word of the document, unless it only acknowledges the call, a final word next to another known one in its object, except CANCELLED next to VALIDATED, and a `docId` or `documentId` that is another number than the one asked for.",
    ifWrong:
      'The state is `UNKNOWN` with `rawState` and `raw`, and the document is watched for at most one hour.',
    changedBy: '`MALAYSIA_STATUS_WORDS`',
  },
  {
    id: 'status-reason',
    assumption:
      'The reason of a state is in `reason`, `failureReason`, `rejectionReason`, `invalid_reason`, `errors`, `error` or `message`.',
    ifWrong: "`message` is null, or an envelope's own text; `raw` has everything.",
    changedBy: '`MALAYSIA_STATUS_REASON`',
  },
  {
    id: 'status-failure',
    assumption:
      "A lone `failed`, `fail` or `error` describes the call; with another word for a state elsewhere in the response the state is open. It describes the document in an envelope, or next to an id of the document, the portal's details, another member of the document or a `statusCode` of 2xx. So do the other words, except next to `errors` with codes, a `code` such as `UNAUTHENTICATED`, a `success` of false, or a `statusCode` of 400 or more, without data of a document; a refused call also leaves a `failed` in an envelope open.",
    ifWrong: 'A document that failed has a `problem` instead of a final state, and its watch continues.',
    changedBy: '`MALAYSIA_STATUS_STATE`',
  },
  {
    id: 'cancelled-final',
    assumption:
      'Nothing follows `REJECTED`, `FAILED` and `CANCELLED`, and after `VALIDATED` only a cancellation at the portal, for which no watch waits.',
    ifWrong: 'A watch ends too early: a later query returns the new state.',
    changedBy: '`src/features/malaysia/status-words.ts`',
  },
  {
    id: 'status-after-import',
    assumption: 'A status of 404 right after an import means that the document is not known there yet.',
    ifWrong: 'It is shown as QUEUED, and watched for 15 seconds before NOT_FOUND.',
    changedBy: '`src/features/malaysia/import.schema.ts`, `src/features/malaysia/watched-status.ts`',
  },
  {
    id: 'number-amounts',
    assumption:
      'Amounts are JSON numbers with exactly the value that the caller wrote, and the other members have the types of the fields.',
    ifWrong: 'The service refuses the import.',
    changedBy: '`extra`, whose members are sent instead of fields',
  },
  {
    id: 'party-objects',
    assumption: 'Addresses and contacts are objects named `address` and `contact` in a party.',
    ifWrong: 'Their fields are not read by the service; `extra` of the party can carry them as flat members.',
    changedBy: '`src/features/malaysia/invoice.ts`',
  },
  {
    id: 'optional-members',
    assumption:
      '`supplier`, `buyer`, `taxes` and `lines` may be absent or empty: their required status is not stated.',
    ifWrong: 'The service refuses the import (400), as `refused-by-service`.',
    changedBy: '`src/features/malaysia/check-invoice.ts`',
  },
  {
    id: 'totals-signs',
    assumption: 'Numbers of the other sign in `totals` may be rates, counts or discounts.',
    ifWrong: 'The service refuses what Folio only warned of.',
    changedBy: '[rules](reference/rules.md)',
  },
  {
    id: 'other-tax-types',
    assumption:
      'Other tax types than the two may exist; `otherType` is sent as it is. SST is a tax type only in `taxes[].type` of a line.',
    ifWrong: 'The service refuses the import.',
    changedBy: '`src/features/malaysia/invoice.schema.ts`',
  },
  {
    id: 'self-billed-signs',
    assumption: 'Signs in self-billed notes are those of the same note when it is not self-billed.',
    ifWrong: 'The warning `self-billed-sign` is wrong.',
    changedBy: '`src/features/malaysia/check-invoice.ts`',
  },
  {
    id: 'one-response',
    assumption: 'The service, and every proxy before it, sends exactly one response to each request.',
    ifWrong:
      'A second response that arrives after the next request was sent is taken for the response to that one, which may be of another caller: HTTP/1.1 does not state which request a response belongs to. An earlier one closes the connection.',
    changedBy: 'the service or the proxy',
  },
  {
    id: 'refusals-do-nothing',
    assumption: 'Every status from 400 to 499, and 503 with `Retry-After`, mean that nothing was done.',
    ifWrong: '`sideEffect: NONE` is untrue for a write.',
    changedBy: '`src/upstream/call/failure-table.ts`',
  },
  {
    id: 'errors-in-200',
    assumption:
      'A 200 with `errors`, a null or absent envelope, no id of a result in any spelling such as `docId`, and no other object or list than one about the call such as `meta` or `validation`, at the top or under `data`, is a response without data: for the codes UNAUTHENTICATED, FORBIDDEN, NOT_FOUND and BAD_USER_INPUT nothing was done.',
    ifWrong: 'The same. With any other code the outcome is `POSSIBLE`.',
    changedBy: '`refusalIn` in `src/upstream/call/response-outcome.ts`',
  },
  {
    id: 'id-proves-write',
    assumption: 'Only the id of what was made (of an export its text) proves that a write was done.',
    ifWrong: 'A write that was done has `sideEffect: POSSIBLE`, with the text of the service.',
    changedBy: 'the `*.api.ts` of the feature',
  },
  {
    id: 'result-statuses',
    assumption:
      'Every 2xx but 204 and 205 has a result like 200. What is next to a result as `errors`, `warnings` or `failed…`, and an item of a list with an `error` or a `success` of false, concerns what was not done.',
    ifWrong: 'A result is UPSTREAM_BAD_RESPONSE; a warning is out of place.',
    changedBy: '`hasResult` in `src/upstream/call/failure-table.ts`, `src/upstream/texts/service-texts.ts`',
  },
  {
    id: 'error-texts',
    assumption:
      'The reasons in an error body are the texts in `message`, `errors`, `error`, `detail`, `title`, `msg` or `reason`, in lists and objects too, or plain text; or all members of a rejection, where they are members of the request or lists of texts. One that begins with the path of a member concerns that member.',
    ifWrong: 'The message is "The service refused the input.", or a problem has no path.',
    changedBy: '`src/upstream/texts/service-texts.ts`',
  },
  {
    id: 'group-members',
    assumption: "A queue's members, a group's owner and count are read where present.",
    ifWrong: 'They are null; `raw` of a queue has everything.',
    changedBy: '`src/features/group/group.api.ts`',
  },
];
