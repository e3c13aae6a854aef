/**
 * @generated SignedSource<<4fa6c5b556385fbb37e0146953a71211>>
 * @relayHash 2e3399e6a18ca7c88107c5357c7cbd0b
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID 42bbd9bb2c087ed88e964362eea16128841a226bc80a8cd6ed0b09ffee58feba

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

(node as any).hash = "f7fd29804a399b1afc4aad85f075c680";

export default node;
