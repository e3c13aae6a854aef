/**
 * @generated SignedSource<<c9dcdd3b8c63183d44c0a2dbd040ffb6>>
 * @relayHash 98e96589b960e460f1a462dd2aa94ad7
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

// @relayRequestID f29bce9dca6efe4325631585fd704fa4318cee3105bd5ff9ac78a96017e664d6

import type { ConcreteRequest } from 'relay-runtime';
export type CreateGroupInput = {
  idempotencyKey?: string | null | undefined;
  name?: string | null | undefined;
};
export type operationsCreateGroupMutation$variables = {
  input: CreateGroupInput;
};
export type operationsCreateGroupMutation$data = {
  readonly createGroup: {
    readonly __typename: "Group";
    readonly id: string;
    readonly name: string | null | undefined;
  } | {
    readonly __typename: "InvalidInput";
    readonly problems: ReadonlyArray<{
      readonly message: string;
      readonly path: ReadonlyArray<string>;
      readonly rule: string;
    }>;
  } | {
    // This will never be '%other', but we need some
    // value in case none of the concrete values match.
    readonly __typename: "%other";
  } | null | undefined;
};
export type operationsCreateGroupMutation = {
  response: operationsCreateGroupMutation$data;
  variables: operationsCreateGroupMutation$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "input"
  }
],
v1 = [
  {
    "alias": null,
    "args": [
      {
        "kind": "Variable",
        "name": "input",
        "variableName": "input"
      }
    ],
    "concreteType": null,
    "kind": "LinkedField",
    "name": "createGroup",
    "plural": false,
    "selections": [
      {
        "alias": null,
        "args": null,
        "kind": "ScalarField",
        "name": "__typename",
        "storageKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "id",
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "kind": "ScalarField",
            "name": "name",
            "storageKey": null
          }
        ],
        "type": "Group",
        "abstractKey": null
      },
      {
        "kind": "InlineFragment",
        "selections": [
          {
            "alias": null,
            "args": null,
            "concreteType": "InputProblem",
            "kind": "LinkedField",
            "name": "problems",
            "plural": true,
            "selections": [
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "rule",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "path",
                "storageKey": null
              },
              {
                "alias": null,
                "args": null,
                "kind": "ScalarField",
                "name": "message",
                "storageKey": null
              }
            ],
            "storageKey": null
          }
        ],
        "type": "InvalidInput",
        "abstractKey": null
      }
    ],
    "storageKey": null
  }
];
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "operationsCreateGroupMutation",
    "selections": (v1/*:: as any*/),
    "type": "Mutation",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "operationsCreateGroupMutation",
    "selections": (v1/*:: as any*/)
  },
  "params": {
    "id": "f29bce9dca6efe4325631585fd704fa4318cee3105bd5ff9ac78a96017e664d6",
    "metadata": {},
    "name": "operationsCreateGroupMutation",
    "operationKind": "mutation",
    "text": null
  }
};
})();

(node as any).hash = "0909e5f613f75a57ab019b3bab7f784d";

export default node;
