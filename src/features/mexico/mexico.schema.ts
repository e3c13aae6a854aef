/** The stored validations of CFDI documents: their types and the queries. */

import { builder } from '../../graphql/builder.ts';
import { entityIdField } from '../../graphql/entity-id.ts';
import { boundedList } from '../../graphql/list-length.ts';
import { createLoader } from '../../graphql/loader.ts';
import { serviceField } from '../../graphql/service-field.ts';
import {
  idOrUuidOf,
  latestValidation,
  type MexicoValidation,
  type MexicoValidationStep,
  mexicoValidationEndpoint,
} from './mexico.api.ts';

const MexicoValidationResult = builder.enumType('MexicoValidationResult', {
  description: 'The outcome of a validation run.',
  values: {
    VALID: { description: 'The document was valid at the time of `validatedAt`.' },
    INVALID: { description: 'At least one step failed; see `invalidReason`.' },
    UNKNOWN: { description: 'A value that the service’s interface does not name. Never treat it as VALID.' },
  } as const,
});

const MexicoStepResult = builder.enumType('MexicoStepResult', {
  description: 'The outcome of one step.',
  values: {
    PASS: { description: 'The step passed.' },
    FAIL: { description: 'The step failed; see `detail`.' },
    UNKNOWN: { description: 'A value that the service’s interface does not name. Never treat it as PASS.' },
  } as const,
});

const MexicoValidationStepName = builder.enumType('MexicoValidationStepName', {
  description: 'What a step checks.',
  values: {
    SCHEMA: { description: 'Validates the document against the XML schema of the CFDI.' },
    AUTHORITY_STATUS: {
      description: 'Looks the document up at the tax authority: in force, cancelled or not found.',
    },
    RFC: { description: 'Checks the taxpayer ids and the list of article 69-B.' },
    OTHER: {
      description: 'A step that the service’s interface does not name; `key` is its name at the service.',
    },
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
    key: t.exposeString('key', { nullable: false, description: 'Name of the step at the service.' }),
    result: t.expose('result', {
      type: MexicoStepResult,
      nullable: false,
      description: 'Outcome of the step.',
    }),
    rawResult: t.exposeString('rawResult', {
      nullable: false,
      description: 'The result as the service sends it; empty when it sends none.',
    }),
    detail: t.exposeString('detail', {
      description: 'What the service writes about the step, such as why it failed; null when it sends none.',
    }),
  }),
});

const ValidationType = builder.objectRef<MexicoValidation>('MexicoValidation').implement({
  description: 'The latest stored validation of a CFDI, a Mexican e-invoice.',
  fields: (t) => ({
    id: t.field(entityIdField('MexicoValidation', 'documentId')),
    documentId: t.exposeID('documentId', {
      nullable: false,
      description: 'Identifier of the validated document; the requested one when the service sends none.',
    }),
    uuid: t.expose('uuid', {
      type: 'UUID',
      description:
        'CFDI Folio Fiscal as the service sends it; null when it sends none, as for a document whose schema step failed, or one in another ' +
        'form: see `rawUuid`.',
    }),
    rawUuid: t.exposeString('rawUuid', {
      description: 'The identifier as the service sends it, whatever its form.',
    }),
    result: t.expose('result', {
      type: MexicoValidationResult,
      nullable: false,
      description: 'Outcome of the run.',
    }),
    rawResult: t.exposeString('rawResult', {
      nullable: false,
      description: 'The result as the service sends it; empty when it sends none.',
    }),
    validatedAt: t.expose('validatedAt', {
      type: 'DateTime',
      description:
        'When the validation ran; null when the service sends no time that can be read: see `rawValidatedAt`. The document may have been ' +
        'cancelled since.',
    }),
    rawValidatedAt: t.exposeString('rawValidatedAt', {
      description: 'The time as the service sends it; null when it sends none.',
    }),
    invalidReason: t.exposeString('invalidReason', {
      description:
        'Why the document is invalid, in the words and the language of the service; null when it sends none, as for a valid document.',
    }),
    steps: t.expose('steps', {
      type: [StepType],
      nullable: false,
      description: 'The steps that ran, in the order schema, authority status, RFC, others.',
    }),
  }),
});

const Reference = builder.inputType('MexicoValidationReference', {
  description: 'Identifies a document: set exactly one of the two fields.',
  isOneOf: true,
  fields: (t) => ({
    documentId: t.id({ description: 'Identifier of the document: 1 to 19 digits, sent as written.' }),
    uuid: t.field({
      type: 'UUID',
      description:
        'CFDI Folio Fiscal, sent as written. Write it as on the document, in capitals: the service may be case-sensitive.',
    }),
  }),
});

/**
 * Loads each document of an operation once. UUIDs that differ only in case share the first one's result. If that is null or
 * an error, the next spelling is looked up too, because the service may be case-sensitive.
 */
const validations = createLoader<MexicoValidation | null>(
  mexicoValidationEndpoint,
  (references, { upstream }) => {
    const calls = new Map<string, Promise<MexicoValidation | null>>();
    const all = references.map((idOrUuid) => {
      const key = idOrUuid.toLowerCase();
      const look = () => latestValidation(upstream, idOrUuid);
      const call = calls.get(key)?.then((found) => found ?? look(), look) ?? look();
      calls.set(key, call);
      return call;
    });
    // The functions that wait for another spelling would keep the values of all.
    calls.clear();
    return all;
  },
);

builder.queryFields((t) => ({
  mexicoValidation: t.field({
    type: ValidationType,
    ...serviceField(
      mexicoValidationEndpoint,
      'Returns the latest stored validation of a document; does not start one. null without an error: the document was never validated.',
    ),
    args: { by: t.arg({ type: Reference, required: true, description: 'The document.' }) },
    resolve: (_root, { by }, context) => validations(idOrUuidOf(by), context),
  }),
  mexicoValidations: t.field({
    type: [ValidationType],
    nullable: { list: true, items: true },
    ...serviceField(
      mexicoValidationEndpoint,
      'Returns the latest stored validations of at most 100 documents, in the order of `by`. A document that fails is null, with an error at its index; a malformed `uuid` fails the whole operation with BAD_USER_INPUT.',
      'by',
    ),
    args: { by: t.arg({ type: [Reference], required: true, description: 'The documents, at most 100.' }) },
    resolve: (_root, { by }, context) =>
      boundedList(by, 'by').map(async (reference) => await validations(idOrUuidOf(reference), context)),
  }),
}));
