/**
 * @generated SignedSource<<09341e76c460e1b245c2c6aa63bfb398>>
 * @relayHash 10ec2aa7cb4742dc163fd84c53dc45ce
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 8c4f31d280a4699a1a1453c343b42629b6eabe5ded2d2457ed5c40cb4785dd92

import type { ConcreteRequest } from 'relay-runtime';
export type MalaysiaState = "CANCELLED" | "FAILED" | "QUEUED" | "REJECTED" | "SUBMITTED" | "UNKNOWN" | "VALIDATED";
export type operationsWatchSubscription$variables = {
  documentIds: ReadonlyArray<string>;
};
export type operationsWatchSubscription$data = {
  readonly malaysiaStatusesChanged: {
    readonly documentId: string;
    readonly isDelayed: boolean;
    readonly isFinal: boolean;
    readonly problem: {
      readonly code: string;
      readonly retryable: boolean;
    } | null | undefined;
    readonly rawState: string | null | undefined;
    readonly state: MalaysiaState;
  };
};
export type operationsWatchSubscription = {
  response: operationsWatchSubscription$data;
  variables: operationsWatchSubscription$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "documentIds"
  }
],
v1 = [
  {
    "kind": "Variable",
    "name": "documentIds",
    "variableName": "documentIds"
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
},
v7 = {
  "alias": null,
  "args": null,
  "concreteType": "StatusProblem",
  "kind": "LinkedField",
  "name": "problem",
  "plural": false,
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "code",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "retryable",
      "storageKey": null
    }
  ],
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsWatchSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MalaysiaStatus",
        "kind": "LinkedField",
        "name": "malaysiaStatusesChanged",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/),
          (v7/*:: as any*/)
        ],
        "storageKey": null
      }
    ],
    "type": "Subscription",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsWatchSubscription",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "MalaysiaStatus",
        "kind": "LinkedField",
        "name": "malaysiaStatusesChanged",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          (v3/*:: as any*/),
          (v4/*:: as any*/),
          (v5/*:: as any*/),
          (v6/*:: as any*/),
          (v7/*:: as any*/),
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
    "id": "8c4f31d280a4699a1a1453c343b42629b6eabe5ded2d2457ed5c40cb4785dd92",
    "metadata": {},
    "name": "operationsWatchSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

(node as any).hash = "99e50df27ccc39a427d8ab2a7e9425bd";

export default node;
