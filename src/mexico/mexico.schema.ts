import { boundedList } from '../graphql/bounded-list.ts';
import { builder } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { entityId, entityIdDescription } from '../graphql/entity-id.ts';
import { createLoader } from '../graphql/loader.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';
import {
  idOrUuidOf,
  latestValidation,
  type MexicoValidation,
  type MexicoValidationReference,
  type MexicoValidationStep,
  mexicoValidationEndpoint,
} from './mexico.api.ts';

const MexicoValidationResult = builder.enumType('MexicoValidationResult', {
  description: 'The outcome of a validation run.',
  values: {
    VALID: { description: 'All steps that ran passed. It holds for the moment of `validatedAt`.' },
    INVALID: { description: 'At least one step failed; `invalidReason` says why.' },
    UNKNOWN: { description: 'A word that the interface does not name; never treat it as VALID.' },
  } as const,
});

const MexicoStepResult = builder.enumType('MexicoStepResult', {
  description: 'The outcome of one step.',
  values: {
    PASS: { description: 'The step found nothing wrong.' },
    FAIL: { description: 'The step found something wrong; `detail` says what.' },
    UNKNOWN: { description: 'A word that the interface does not name; never treat it as PASS.' },
  } as const,
});

const MexicoValidationStepName = builder.enumType('MexicoValidationStepName', {
  description: 'What a step checks.',
  values: {
    SCHEMA: { description: 'The document against the CFDI’s XML schema.' },
    AUTHORITY_STATUS: {
      description: 'The tax authority’s status service: in force, cancelled or not found.',
    },
    RFC: { description: 'The taxpayer ids, and the list of article 69-B.' },
    OTHER: { description: 'A step that the interface does not name; `key` is the service’s name for it.' },
  } as const,
});

const StepType = builder.objectRef<MexicoValidationStep>('MexicoValidationStep').implement({
  description: 'One step of a validation run.',
  fields: (t) => ({
    name: t.expose('name', {
      type: MexicoValidationStepName,
      nullable: false,
      description: 'What the step checks.',
    }),
    key: t.exposeString('key', { nullable: false, description: 'The service’s own name for the step.' }),
    result: t.expose('result', {
      type: MexicoStepResult,
      nullable: false,
      description: 'How the step ended.',
    }),
    rawResult: t.exposeString('rawResult', {
      nullable: false,
      description: 'The service’s own word for the result; empty when it sends none.',
    }),
    detail: t.exposeString('detail', { description: 'Why the step failed; null when it passed.' }),
  }),
});

const ValidationType = builder.objectRef<MexicoValidation>('MexicoValidation').implement({
  description: 'The latest stored validation of a Mexican CFDI 4.0 document.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: entityIdDescription('MexicoValidation', 'documentId'),
      resolve: ({ documentId }) => entityId('MexicoValidation', documentId),
    }),
    documentId: t.exposeID('documentId', {
      nullable: false,
      description: 'The document that was validated.',
    }),
    uuid: t.expose('uuid', {
      type: 'UUID',
      description:
        'CFDI Folio Fiscal, as the service writes it; null when the document has none (its schema step failed).',
    }),
    result: t.expose('result', {
      type: MexicoValidationResult,
      nullable: false,
      description: 'The outcome of the run.',
    }),
    rawResult: t.exposeString('rawResult', {
      nullable: false,
      description: 'The service’s own word for the result.',
    }),
    validatedAt: t.expose('validatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the validation ran. A stored VALID ages: a document may be cancelled afterwards.',
    }),
    invalidReason: t.exposeString('invalidReason', {
      description: 'Why the document is invalid, in Spanish or English; null when it is valid.',
    }),
    steps: t.field({
      type: [StepType],
      nullable: false,
      description: 'Only the steps that ran, in the order schema, authority status, RFC.',
      resolve: ({ steps }) => [...steps],
    }),
  }),
});

const Reference = builder.inputType('MexicoValidationReference', {
  description: 'Which document: exactly one of the two.',
  isOneOf: true,
  fields: (t) => ({
    documentId: t.id({ description: 'Identifier of the document: 1 to 19 digits, sent as written.' }),
    uuid: t.field({
      type: 'UUID',
      description: 'CFDI Folio Fiscal, sent as written: print it as the document does, in capitals.',
    }),
  }),
});

/**
 * One call for each document of an operation. Spellings of a folio that differ in case share what the first one
 * finds. Where it finds nothing the next is asked for as well, since look-ups may depend on case.
 */
const validations = createLoader<MexicoValidation | null>((references, { upstream }) => {
  const calls = new Map<string, Promise<MexicoValidation | null>>();
  return references.map((idOrUuid) => {
    const key = idOrUuid.toLowerCase();
    const call =
      calls.get(key)?.then((found) => found ?? latestValidation(upstream, idOrUuid)) ??
      latestValidation(upstream, idOrUuid);
    calls.set(key, call);
    return call;
  });
});

function loadValidation(reference: typeof Reference.$inferInput, context: Context) {
  return validations(idOrUuidOf(reference as MexicoValidationReference), context);
}

const { requiredCredentials } = mexicoValidationEndpoint;

builder.queryFields((t) => ({
  mexicoValidation: t.field({
    type: ValidationType,
    description:
      'Latest stored validation; starts none. null without an error: none has been run for this document yet (the service’s 404). ' +
      'REST: `GET /v2/einvoice/mexico/status/{idOrUuid}`. Credentials: `x-api-key` and `Authorization`.',
    extensions: { requiredCredentials } satisfies UpstreamCallsExtension,
    args: { by: t.arg({ type: Reference, required: true, description: 'Which document.' }) },
    resolve: (_root, { by }, context) => loadValidation(by, context),
  }),
  mexicoValidations: t.field({
    type: [ValidationType],
    nullable: { list: true, items: true },
    description:
      'Several at once, in the order asked for, at most 100; a failing one is null with an error at its index. ' +
      'REST: `GET /v2/einvoice/mexico/status/{idOrUuid}` for each. Credentials: `x-api-key` and `Authorization`.',
    extensions: { callsForEach: 'by', requiredCredentials } satisfies UpstreamCallsExtension,
    args: { by: t.arg({ type: [Reference], required: true, description: 'Which documents, at most 100.' }) },
    resolve: (_root, { by }, context) =>
      boundedList(by, 'by').map(async (reference) => await loadValidation(reference, context)),
  }),
}));
