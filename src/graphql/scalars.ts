import {
  type ConstObjectFieldNode,
  type ConstValueNode,
  GraphQLError,
  GraphQLID,
  GraphQLScalarType,
  Kind,
  type ValueNode,
} from 'graphql';
import { GraphQLDateTime } from 'graphql-scalars';
import { ExactNumber, type JsonObject, type JsonValue } from '../tools/exact-number.ts';
import { isObject } from '../tools/is-object.ts';
import { quoted } from '../tools/shortened.ts';
import { uuidForm } from '../upstream/checked-input.ts';
import { UploadedFile } from './uploaded-file.ts';

const maxJsonDepth = 32;

/** Most values of JSON in an input, on all levels together. */
const maxJsonValues = 10_000;

/** A text is one that `WireObject.dateTime` has read. Results are text: V8 writes `Date` in JSON several times as slowly. */
const dateTimeScalar = new GraphQLScalarType<Date, string>({
  ...GraphQLDateTime.toConfig(),
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'Date and time, ISO 8601 with time zone, e.g. `2031-04-09T08:30:00.000Z`.',
  serialize: undefined,
  coerceOutputValue: (value) =>
    typeof value === 'string' ? value : GraphQLDateTime.coerceOutputValue(value).toISOString(),
});

const uuidScalar = new GraphQLScalarType<string>({
  name: 'UUID',
  coerceInputValue: (value) => uuidOf(value),
  coerceInputLiteral: (literal) => uuidOf(literal.kind === Kind.STRING && literal.value, literal),
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562#section-4',
  description: 'UUID of 8-4-4-4-12 hexadecimal digits, any version, upper or lower case.',
});

function uuidOf(value: unknown, nodes?: ValueNode): string {
  if (typeof value === 'string' && uuidForm.test(value)) return value;
  throw new GraphQLError('UUID must have the form 8-4-4-4-12 hexadecimal digits.', { nodes });
}

/** Pothos has no other ID than that of graphql-js, which the gateway bundles: its check is replaced. */
const { coerceInputValue: coerceId } = GraphQLID;
GraphQLID.coerceInputValue = (value) => {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  if (!isNumber || Number.isSafeInteger(value)) return coerceId(value);
  throw new GraphQLError(
    // JSON.parse may have rounded it.
    'The number is not an integer of at most 2^53 - 1, so it cannot be an exact ID: send a string.',
  );
};

const decimalScalar = new GraphQLScalarType<ExactNumber, string>({
  name: 'Decimal',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  description:
    'Exact decimal number in the notation of a JSON number. In results a string (`"1436.50"`). In inputs a string, a number literal or a number ' +
    'in variables, all exact, of at most 60 characters and with at most 2 digits in its exponent; a number in variables ' +
    'may be sent in another notation (`1.50` as `1.5`, `1e3` as `1000`), the others are sent as written.',
  coerceOutputValue: (value) => (value as ExactNumber).text,
  coerceInputValue(value) {
    if (value instanceof ExactNumber) return value;
    if (typeof value === 'number') return exact(ExactNumber.fromFloat(value));
    return exact(typeof value === 'string' ? ExactNumber.parse(value) : null);
  },
  coerceInputLiteral: (literal) => exact(ExactNumber.parse(textIn(literal) ?? ''), { nodes: literal }),
  valueToLiteral: literalOf,
});

const decimalDraftScalar = new GraphQLScalarType<string | number, never>({
  name: 'DecimalDraft',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  description:
    'A Decimal that is still being typed: any string or number. One that Decimal refuses is a problem and not an error of the request.',
  coerceInputValue: (value) => draftOf(value),
  coerceInputLiteral: (literal) => draftOf(textIn(literal), literal),
  valueToLiteral: literalOf,
});

const dateScalar = new GraphQLScalarType<string, string>({
  name: 'Date',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'Calendar date without time, ISO 8601 (`2031-04-09`).',
});

const uploadScalar = new GraphQLScalarType<UploadedFile, never>({
  name: 'Upload',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  description:
    'The single file of a multipart request (GraphQL multipart request specification). A scan is streamed and never held ' +
    'completely. A Fapiao of up to MAX_XML_BYTES is held, because it is checked before anything is sent.',
  coerceInputValue(value) {
    if (value instanceof UploadedFile) return value;
    throw new GraphQLError(
      'Upload must be the file of a multipart request: send null, and the path of the variable in "map".',
    );
  },
  coerceInputLiteral(literal) {
    const message = 'Upload cannot be written in the query: use a variable and a multipart request.';
    throw new GraphQLError(message, { nodes: literal });
  },
});

export const jsonObjectScalar = jsonScalar(
  'JSONObject',
  `A JSON object. In inputs it has at most ${maxJsonDepth} levels and ${maxJsonValues.toLocaleString('en')} values, and its numbers follow the rule of Decimal. In results a number that binary64 would round, and an integer beyond 2^53, is a string of its digits.`,
  (float, path) => exact(ExactNumber.fromFloat(float), { path }),
  (text, nodes) => exact(ExactNumber.parse(text), { nodes }),
);

export const jsonObjectDraftScalar = jsonScalar(
  'JSONObjectDraft',
  'A JSONObject that is still being typed: a number that Decimal refuses is a problem and not an error of the request.',
  () => {},
  (text) => ExactNumber.parse(text) ?? Number.NaN,
);

export const scalars = [
  dateTimeScalar,
  uuidScalar,
  jsonObjectScalar,
  decimalScalar,
  jsonObjectDraftScalar,
  decimalDraftScalar,
  dateScalar,
  uploadScalar,
];

function jsonScalar(
  name: string,
  description: string,
  checkNumber: JsonCheck['checkNumber'],
  readNumber: ReadNumber,
): GraphQLScalarType<JsonObject> {
  return new GraphQLScalarType({
    name,
    description,
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
    coerceInputValue(value) {
      if (!isObject(value) || value instanceof ExactNumber)
        throw new GraphQLError(`${name} must be an object.`);
      checkJson(value, 1, { left: maxJsonValues, path: [], checkNumber });
      return value as JsonObject;
    },
    coerceInputLiteral(literal) {
      if (literal.kind !== Kind.OBJECT)
        throw new GraphQLError(`${name} must be an object.`, { nodes: literal });
      const value = jsonFromLiteral(literal, 1, readNumber) as JsonObject;
      // Variables in the literal can have more values than a document. The numbers have been checked.
      checkJson(value, 1, { left: maxJsonValues, path: [], checkNumber() {} });
      return value;
    },
    valueToLiteral: literalOf,
  });
}

/**
 * The literal of a variable's value, which graphql-js puts into a literal of JSON in place of the variable. Without it an
 * `ExactNumber` would become an object.
 */
function literalOf(value: unknown): ConstValueNode {
  if (value instanceof ExactNumber) return { kind: Kind.FLOAT, value: value.text };
  if (typeof value === 'number') return { kind: Kind.FLOAT, value: String(value) };
  if (typeof value === 'string') return { kind: Kind.STRING, value };
  if (typeof value === 'boolean') return { kind: Kind.BOOLEAN, value };
  if (Array.isArray(value)) return { kind: Kind.LIST, values: value.map(literalOf) };
  // A file has no literal. `jsonFromLiteral` refuses this one.
  if (value instanceof UploadedFile) return { kind: Kind.ENUM, value: 'file' };
  if (!isObject(value)) return { kind: Kind.NULL };
  const fields = Object.entries(value).map(
    ([name, member]): ConstObjectFieldNode => ({
      kind: Kind.OBJECT_FIELD,
      name: { kind: Kind.NAME, value: name },
      value: literalOf(member),
    }),
  );
  return { kind: Kind.OBJECT, fields };
}

/** The text of a literal string or number; undefined for any other literal. */
function textIn(literal: ValueNode): string | undefined {
  const { kind } = literal;
  return kind === Kind.INT || kind === Kind.FLOAT || kind === Kind.STRING ? literal.value : undefined;
}

function draftOf(value: unknown, nodes?: ValueNode): string | number {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new GraphQLError('DecimalDraft must be a string or a number.', { nodes });
}

/** Where a number stands: in the text of the operation, or in JSON. */
interface Place {
  readonly nodes?: ValueNode;
  readonly path?: readonly string[];
}

/** A number that could be read. Throws for any other value. */
function exact(number: ExactNumber | null, { nodes, path = [] }: Place = {}): ExactNumber {
  if (number !== null) return number;
  const place = path.length > 0 ? ` The one at "${path.map(quoted).join('.')}" is not.` : '';
  throw new GraphQLError(
    `Decimal must be a number such as "1436.50", with at most 60 characters and an exponent of at most 2 digits.${place}`,
    { nodes },
  );
}

type ReadNumber = (text: string, literal: ValueNode) => JsonValue;

interface JsonCheck {
  /** Values that may still follow. */
  left: number;
  /** Of the value that is checked. */
  readonly path: string[];
  readonly checkNumber: (number: number, path: readonly string[]) => unknown;
}

function checkJson(value: unknown, depth: number, check: JsonCheck): void {
  if (depth > maxJsonDepth) throw new GraphQLError(`JSON has more than ${maxJsonDepth} levels.`);
  check.left -= 1;
  if (check.left < 0) throw new GraphQLError(`JSON has more than ${maxJsonValues} values.`);
  if (typeof value === 'number') check.checkNumber(value, check.path);
  else if (value instanceof UploadedFile) throw new GraphQLError('JSON cannot contain a file.');
  else if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    for (const [name, member] of Object.entries(value)) {
      check.path.push(name);
      checkJson(member, depth + 1, check);
      check.path.pop();
    }
  }
}

function jsonFromLiteral(literal: ValueNode, depth: number, readNumber: ReadNumber): JsonValue {
  if (depth > maxJsonDepth)
    throw new GraphQLError(`JSON has more than ${maxJsonDepth} levels.`, { nodes: literal });
  switch (literal.kind) {
    case Kind.NULL:
      return null;
    case Kind.BOOLEAN:
    case Kind.STRING:
      return literal.value;
    case Kind.INT:
    case Kind.FLOAT:
      return readNumber(literal.value, literal);
    case Kind.LIST:
      return literal.values.map((item) => jsonFromLiteral(item, depth + 1, readNumber));
    case Kind.OBJECT:
      // fromEntries creates an own property for every name, `__proto__` included.
      return Object.fromEntries(
        literal.fields.map(({ name, value }) => [name.value, jsonFromLiteral(value, depth + 1, readNumber)]),
      );
    default:
      throw new GraphQLError('JSON cannot contain enum values or files: send strings.', { nodes: literal });
  }
}
