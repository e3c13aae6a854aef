/** What a client needs to know before it sends: the bounds and the rules of this gateway, as data. */

import { maxIdListLength, maxListLength } from '../graphql/bounded-list.ts';
import { builder } from '../graphql/builder.ts';
import { ProblemSeverity } from '../graphql/invalid-input.ts';
import { type CatalogueRow, registerRules, ruleCatalogue } from '../graphql/rule-catalogue.ts';
import type { UpstreamCallsExtension } from '../graphql/upstream-calls.ts';

registerRules({
  'refused-by-service': {
    severity: 'ERROR',
    appliesTo: 'every mutation',
    summary: 'The service accepts the input (its 400 or 422); nothing was done where it does not.',
  },
});

interface Limits {
  readonly maxUploadBytes: number;
  readonly maxXmlBytes: number;
  readonly maxRequestBytes: number;
  readonly maxOperationCost: number;
  readonly maxOperationDepth: number;
}

const LimitsType = builder.objectRef<Limits>('GatewayLimits').implement({
  description: 'Bounds that a client can meet; docs/limits.md has all of them.',
  fields: (t) => ({
    maxUploadBytes: t.exposeFloat('maxUploadBytes', {
      nullable: false,
      description: 'Largest file of a scan, in bytes (`MAX_UPLOAD_BYTES`, 104,857,600 by default).',
    }),
    maxXmlBytes: t.exposeFloat('maxXmlBytes', {
      nullable: false,
      description: 'Largest XML of a Fapiao, in bytes (`MAX_XML_BYTES`, 1,048,576 by default).',
    }),
    maxRequestBytes: t.exposeFloat('maxRequestBytes', {
      nullable: false,
      description: 'Largest body of any other request, in bytes (`MAX_REQUEST_BYTES`, 4,194,304 by default).',
    }),
    maxBatchSize: t.int({
      nullable: false,
      description: 'Longest list of an argument each member of which is a call of its own: 100.',
      resolve: () => maxListLength,
    }),
    maxDocumentIds: t.int({
      nullable: false,
      description: 'Most ids of one exportDocuments: 1,000.',
      resolve: () => maxIdListLength,
    }),
    maxOperationCost: t.exposeInt('maxOperationCost', {
      nullable: false,
      description:
        'Most calls to the service that one operation can cause (`MAX_OPERATION_COST`, 200 by default).',
    }),
    maxOperationDepth: t.exposeInt('maxOperationDepth', {
      nullable: false,
      description: 'Most levels of fields in one operation: 8.',
    }),
  }),
});

const RuleType = builder.objectRef<CatalogueRow>('ValidationRule').implement({
  description:
    'One row of the rule catalogue, for translation and help texts; docs/reference/rules.md is made from the same table.',
  fields: (t) => ({
    rule: t.exposeString('rule', { nullable: false, description: 'As `InputProblem.rule`; stable.' }),
    severity: t.expose('severity', {
      type: ProblemSeverity,
      nullable: false,
      description: 'How severe a problem of this rule is.',
    }),
    appliesTo: t.exposeString('appliesTo', {
      nullable: false,
      description: 'Which inputs the rule looks at, in the words of the schema.',
    }),
    summary: t.exposeString('summary', {
      nullable: false,
      description: 'What the rule says, in one English sentence.',
    }),
  }),
});

const InfoType = builder.objectRef<{ readonly limits: Limits }>('GatewayInfo').implement({
  description: 'Bounds and validation rules of this gateway.',
  fields: (t) => ({
    limits: t.expose('limits', { type: LimitsType, nullable: false, description: 'The bounds.' }),
    rules: t.field({
      type: [RuleType],
      nullable: false,
      description: 'The rule catalogue: errors before warnings, each by id.',
      resolve: () => ruleCatalogue(),
    }),
  }),
});

builder.queryField('gatewayInfo', (t) =>
  t.field({
    type: InfoType,
    nullable: false,
    description:
      'What a client needs to know before it sends: bounds and validation rules. No call to the service. Credentials: none.',
    extensions: { calls: 0 } satisfies UpstreamCallsExtension,
    resolve: (_root, _args, { limits }) => ({ limits }),
  }),
);
