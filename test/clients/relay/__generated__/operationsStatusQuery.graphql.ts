/**
 * @generated SignedSource<<33153091afed17fbf68d56187383fed0>>
 * @relayHash 4efb7fe9fa24c3fc509c6f9ee0044469
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID a7ab400d0c6338c4e7fba00cb12a9ac1e49964ff8b1c68fc3c5bd9038fa381e8

import type { ConcreteRequest } from 'relay-runtime';
export type MalaysiaState = "CANCELLED" | "FAILED" | "QUEUED" | "REJECTED" | "SUBMITTED" | "UNKNOWN" | "VALIDATED";
export type operationsStatusQuery$variables = {
  documentId: string;
};
export type operationsStatusQuery$data = {
  readonly malaysiaStatus: {
    readonly documentId: string;
    readonly isDelayed: boolean;
    readonly isFinal: boolean;
    readonly rawState: string | null | undefined;
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
  "name": "documentId",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "state",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "rawState",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "isFinal",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "isDelayed",
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
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/)
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
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/),
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
    "id": "a7ab400d0c6338c4e7fba00cb12a9ac1e49964ff8b1c68fc3c5bd9038fa381e8",
    "metadata": {},
    "name": "operationsStatusQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

(node as any).hash = "3737618d7400142679c922ee3dd95617";

export default node;
