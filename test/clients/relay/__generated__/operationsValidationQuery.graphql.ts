/**
 * @generated SignedSource<<99e1f7da0392e8a5aee8f6f57e01538f>>
 * @relayHash c6ce1d542341ad776cb779fd1e125169
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 7d2ef4ed05a0fd5ff6b233b7c355644322fb36ae7d1de9fa5840beb3cd72f2b1

import type { ConcreteRequest } from 'relay-runtime';
export type MexicoValidationResult = "INVALID" | "UNKNOWN" | "VALID";
export type MexicoValidationReference = {
  documentId: string;
  uuid?: never;
} | {
  documentId?: never;
  uuid: string;
};
export type operationsValidationQuery$variables = {
  by: MexicoValidationReference;
};
export type operationsValidationQuery$data = {
  readonly mexicoValidation: {
    readonly documentId: string;
    readonly invalidReason: string | null | undefined;
    readonly result: MexicoValidationResult;
  } | null | undefined;
};
export type operationsValidationQuery = {
  response: operationsValidationQuery$data;
  variables: operationsValidationQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "by"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "by",
    "variableName": "by"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "documentId",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "result",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "invalidReason",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsValidationQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MexicoValidation",
        "kind": "LinkedField",
        "name": "mexicoValidation",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsValidationQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MexicoValidation",
        "kind": "LinkedField",
        "name": "mexicoValidation",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "id": "7d2ef4ed05a0fd5ff6b233b7c355644322fb36ae7d1de9fa5840beb3cd72f2b1",
    "metadata": {},
    "name": "operationsValidationQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "0825efeb41f5e3fef49592f1ed748a20";

export default node;
