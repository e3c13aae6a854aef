/**
 * @generated SignedSource<<21de5f0d4e66efa2883e98a638fd68af>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ReaderFragment } from 'relay-runtime';
export type MalaysiaState = "CANCELLED" | "FAILED" | "QUEUED" | "REJECTED" | "SUBMITTED" | "UNKNOWN" | "VALIDATED";
import type { FragmentRefs } from "relay-runtime";
export type operations_status$data = {
  readonly documentId: string;
  readonly isDelayed: boolean;
  readonly isFinal: boolean;
  readonly rawState: string | null | undefined;
  readonly state: MalaysiaState;
  readonly " $fragmentType": "operations_status";
};
export type operations_status$key = {
  readonly " $data"?: operations_status$data;
  readonly " $fragmentSpreads": FragmentRefs<"operations_status">;
};

const node: ReaderFragment = {
  "argumentDefinitions": [],
  "kind": "Fragment",
  "metadata": null,
  "name": "operations_status",
  "selections": [
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "documentId",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "state",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "rawState",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "isFinal",
      "storageKey": null
    },
    {
      "alias": null,
      "args": null,
      "kind": "ScalarField",
      "name": "isDelayed",
      "storageKey": null
    }
  ],
  "type": "MalaysiaStatus",
  "abstractKey": null
};

(node as any).hash = "481ee853e84aef3b47631cecfddc85ab";

export default node;
