/** Operations for relay-compiler, which writes `__generated__` from them. Your components contain such tags instead. */
import { graphql } from 'relay-runtime';

export const validation = graphql`
  query operationsValidationQuery($by: MexicoValidationReference!) {
    mexicoValidation(by: $by) {
      documentId
      result
      invalidReason
    }
  }
`;

export const createGroup = graphql`
  mutation operationsCreateGroupMutation($input: CreateGroupInput!) {
    createGroup(input: $input) {
      __typename
      ... on Group {
        id
        name
      }
      ... on InvalidInput {
        problems {
          rule
          path
          message
        }
      }
    }
  }
`;

export const scan = graphql`
  mutation operationsScanMutation($input: ScanIdentityCardInput!) {
    scanIdentityCard(input: $input) {
      __typename
      ... on ScanResult {
        documentId
        card {
          fields {
            key
            text
          }
        }
      }
      ... on InvalidInput {
        problems {
          rule
          path
          message
        }
      }
    }
  }
`;

export const status = graphql`
  query operationsStatusQuery($documentId: ID!) {
    malaysiaStatus(documentId: $documentId) {
      ...operations_status @relay(mask: false)
    }
  }
`;

export const watch = graphql`
  subscription operationsWatchSubscription($documentIds: [ID!]!) {
    malaysiaStatusesChanged(documentIds: $documentIds) {
      ...operations_status @relay(mask: false)
      problem {
        code
        retryable
      }
    }
  }
`;

export const statusFields = graphql`
  fragment operations_status on MalaysiaStatus {
    documentId
    state
    rawState
    isFinal
    isDelayed
  }
`;
