/**
 * @generated SignedSource<<2e06cc6ca3b2cc4b9bd6bacbe7a67351>>
 * @relayHash ca3241570f0167520518824641184b3a
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 305c7e4a981d0f9531176e53bd222bcd24b183c8dcb47f3288f043e6f83de7bb

import type { ConcreteRequest } from 'relay-runtime';
export type MalaysiaState = "CANCELLED" | "FAILED" | "QUEUED" | "REJECTED" | "SUBMITTED" | "UNKNOWN" | "VALIDATED";
export type operationsStatusQuery$variables = {
  documentId: string;
};
export type operationsStatusQuery$data = {
  readonly malaysiaStatus: {
    readonly state: MalaysiaState;
  } | null | undefined;
};
export type operationsStatusQuery = {
  response: operationsStatusQuery$data;
  variables: operationsStatusQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "documentId"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "documentId",
    "variableName": "documentId"
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "state",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsStatusQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MalaysiaStatus",
        "kind": "LinkedField",
        "name": "malaysiaStatus",
        "plural": false,
        "selections": [
          (v2/*:: as any*/)
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
    "name": "operationsStatusQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MalaysiaStatus",
        "kind": "LinkedField",
        "name": "malaysiaStatus",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
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
    "id": "305c7e4a981d0f9531176e53bd222bcd24b183c8dcb47f3288f043e6f83de7bb",
    "metadata": {},
    "name": "operationsStatusQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "1a5f08005431f4eb99ff876ab01c190f";

export default node;
