/** The limits and validation rules of this gateway as data, for clients. */

import { builder } from '../../graphql/builder.ts';
import type { Context } from '../../graphql/context.ts';
import { localeArgs, ProblemSeverity } from '../../graphql/invalid-input.ts';
import { maxCallListLength, maxIdListLength } from '../../graphql/list-length.ts';
import { type CatalogueRow, ruleCatalogue } from '../../graphql/rule-catalogue.ts';
import type { UpstreamCallsExtension } from '../../graphql/service-field.ts';
import { text, write } from '../../texts/texts.ts';

const LimitsType = builder.objectRef<Context['limits']>('GatewayLimits').implement({
  description: 'Limits on the input of clients. docs/limits.md lists all limits.',
  fields: (t) => ({
    maxUploadBytes: t.exposeFloat('maxUploadBytes', {
      nullable: false,
      description: 'Largest file of a scan, in bytes (`MAX_UPLOAD_BYTES`).',
    }),
    maxXmlBytes: t.exposeFloat('maxXmlBytes', {
      nullable: false,
      description: 'Largest XML of a Fapiao, in bytes (`MAX_XML_BYTES`).',
    }),
    maxRequestBytes: t.exposeFloat('maxRequestBytes', {
      nullable: false,
      description:
        'Largest JSON body, and largest part `operations` or `map` of an upload, in bytes (`MAX_REQUEST_BYTES`).',
    }),
    maxBatchSize: t.int({
      nullable: false,
      description:
        'Longest list of an argument whose members each cause a call, such as `mexicoValidations(by:)`: 100.',
      resolve: () => maxCallListLength,
    }),
    maxDocumentIds: t.int({
      nullable: false,
      description: 'Most document ids of one `exportDocuments`: 1,000.',
      resolve: () => maxIdListLength,
    }),
    maxOperationCost: t.exposeInt('maxOperationCost', {
      nullable: false,
      description: 'Most calls to the service that one operation can cause (`MAX_OPERATION_COST`).',
    }),
    maxOperationDepth: t.exposeInt('maxOperationDepth', {
      nullable: false,
      description: 'Most levels of fields in one operation: 8.',
    }),
  }),
});

const RuleType = builder.objectRef<CatalogueRow>('ValidationRule').implement({
  description:
    'A validation rule, for translations and help texts. docs/reference/rules.md lists the same rules.',
  fields: (t) => ({
    rule: t.exposeString('rule', {
      nullable: false,
      description: 'Identifier of the rule, as in `InputProblem.rule`; stable.',
    }),
    severity: t.expose('severity', {
      type: ProblemSeverity,
      nullable: false,
      description: 'Severity of a problem of this rule.',
    }),
    appliesTo: t.exposeString('appliesTo', {
      nullable: false,
      description: 'The inputs that the rule checks, by their names in the schema.',
    }),
    summary: t.string({
      nullable: false,
      args: localeArgs,
      description: 'The rule in one sentence.',
      resolve: ({ rule }, { locale }) => write(text(`rule.${rule}`), locale ?? 'EN'),
    }),
  }),
});

const InfoType = builder.objectRef<Pick<Context, 'limits'>>('GatewayInfo').implement({
  description: 'Limits and validation rules of this gateway.',
  fields: (t) => ({
    limits: t.expose('limits', { type: LimitsType, nullable: false, description: 'The limits.' }),
    rules: t.field({
      type: [RuleType],
      nullable: false,
      description: 'All validation rules: errors before warnings, each sorted by id.',
      resolve: (_info, _args, context) => context.doPart(ruleCatalogue),
    }),
  }),
});

builder.queryField('gatewayInfo', (t) =>
  t.field({
    type: InfoType,
    nullable: false,
    description:
      'Returns the limits and validation rules of this gateway. Causes no call to the service. Credentials: none.',
    extensions: { calls: 0 } satisfies UpstreamCallsExtension,
    resolve: (_root, _args, { limits }) => ({ limits }),
  }),
);
