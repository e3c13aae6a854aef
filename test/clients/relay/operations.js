/** Operations for relay-compiler, which writes `__generated__` from them. */
import { graphql } from 'relay-runtime';

export const validation = graphql`
  query operationsValidationQuery($by: MexicoValidationReference!) {
    mexicoValidation(by: $by) {
      result
    }
  }
`;

export const scan = graphql`
  mutation operationsScanMutation($input: ScanIdentityCardInput!) {
    scanIdentityCard(input: $input) {
      __typename
      ... on InvalidInput {
        problems {
          rule
        }
      }
    }
  }
`;

export const watch = graphql`
  subscription operationsWatchSubscription($documentIds: [ID!]!) {
    malaysiaStatusesChanged(documentIds: $documentIds) {
      documentId
      state
      problem {
        code
      }
    }
  }
`;
