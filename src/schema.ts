/** Builds the schema. Every feature registers its types and fields when its schema file is imported. */
import './features/document-export/document-export.schema.ts';
import './features/fapiao/fapiao.schema.ts';
import './features/group/group.schema.ts';
import './features/malaysia/import.schema.ts';
import './features/malaysia/invoice.schema.ts';
import './features/malaysia/invoice-draft.schema.ts';
import './features/malaysia/status.schema.ts';
import './features/mexico/mexico.schema.ts';
import './features/scan/scan.schema.ts';
import { builder } from './graphql/builder.ts';
import './features/gateway-info/gateway-info.schema.ts';
import './features/write-outcome/write-outcome.schema.ts';

export const schema = builder.toSchema();
