/**
 * @generated SignedSource<<1613d2c12d621d9c85bf7b51239774a4>>
 * @relayHash f6725fcacbe223165dc96af8737bd0cf
 * @lightSyntaxTransform
 */

/* eslint-disable */

'use strict';

// @relayRequestID 8e9eb46f27fcfdc229e6491bd836390d27a4ca9be334b780f90d8ba9be05ef23

var node = (function(){
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
          (v4/*:: as any*/)
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
    "id": "8e9eb46f27fcfdc229e6491bd836390d27a4ca9be334b780f90d8ba9be05ef23",
    "metadata": {},
    "name": "operationsWatchSubscription",
    "operationKind": "subscription",
    "text": null
  }
};
})();

node.hash = "055e3b8d1aab04c7cfb8284f2b9baaf4";

export default node;
