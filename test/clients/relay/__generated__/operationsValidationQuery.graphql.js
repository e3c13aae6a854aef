/**
 * @generated SignedSource<<eecedfa19b3e8b17d0756ab3c78db2ff>>
 * @relayHash 2e3399e6a18ca7c88107c5357c7cbd0b
 * @lightSyntaxTransform
 */

/* eslint-disable */

'use strict';

// @relayRequestID 42bbd9bb2c087ed88e964362eea16128841a226bc80a8cd6ed0b09ffee58feba

var node = (function(){
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
  "name": "result",
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
    "id": "42bbd9bb2c087ed88e964362eea16128841a226bc80a8cd6ed0b09ffee58feba",
    "metadata": {},
    "name": "operationsValidationQuery",
    "operationKind": "query",
    "text": null
  }
};
})();

node.hash = "f7fd29804a399b1afc4aad85f075c680";

export default node;
