/** Builds the schema. Every feature registers its types and fields when its schema file is imported. */
import './document-export/document-export.schema.ts';
import './fapiao/fapiao.schema.ts';
import './group/group.schema.ts';
import './malaysia/import.schema.ts';
import './malaysia/invoice.schema.ts';
import './malaysia/invoice-draft.schema.ts';
import './malaysia/status.schema.ts';
import './mexico/mexico.schema.ts';
import './scan/scan.schema.ts';
import { builder } from './graphql/builder.ts';
import './gateway-info/gateway-info.schema.ts';
import './write-outcome/write-outcome.schema.ts';

export const schema = builder.toSchema();
