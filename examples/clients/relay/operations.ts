import { graphql } from 'relay-runtime';

graphql`
  mutation operationsImportMutation($input: [ImportMalaysiaInvoiceInput!]!) {
    importMalaysiaInvoices(input: $input) { __typename ... on MalaysiaImport { id documentId } }
  }
`;

graphql`
  subscription operationsWatchSubscription($documentIds: [ID!]!) {
    malaysiaStatusesChanged(documentIds: $documentIds) { id documentId state rawState isFinal }
  }
`;
