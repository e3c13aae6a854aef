/** A page of a server that is not the document service must not mean "this document was never validated". */
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { forFile, serviceForFile } from '../support/lifetimes.ts';
import * as does from '../support/service.ts';

const service = await serviceForFile();
const gateway = forFile(await startTestGateway({ UPSTREAM_URL: service.url }));

const validation = () => gateway.ask('{ mexicoValidation(by: { documentId: "1" }) { uuid } }');

describe('a 404 with a body of markup', () => {
  it.each<[string, string, Record<string, string>?]>([
    ['a comment before the page', '<!-- proxy --><html><h1>404</h1></html>'],
    ['two comments and blank lines', '\n<!-- a -->\n<!-- b -->\n<HTML>'],
    ['an XML declaration', '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x"><html></html>'],
    ['no html element', '<head><title>404 Not Found</title></head>'],
    ['only a body', '<body>not found</body>'],
    ['only a heading', '<h1>Not Found</h1>'],
    ['a centered heading', '<center><h1>404 Not Found</h1></center>'],
    ['a paragraph', '<p>The page does not exist.</p>'],
    ['an unknown element', '<Error><Code>NoSuchKey</Code></Error>'],
    ['a byte order mark', '\ufeff<h1>Not Found</h1>'],
    ['the type text/plain', '<h1>Not Found</h1>', { 'content-type': 'text/plain' }],
    ['the type JSON', '<h1>Not Found</h1>', { 'content-type': 'application/json' }],
    ['the type XML and HTML', '<?xml version="1.0"?><html/>', { 'content-type': 'application/xml' }],
  ])('is a response of another server: %s', async (_what, body, headers) => {
    service.will(does.text(404, body, headers));
    const { data, errors } = await validation();
    expect(data).toEqual({ mexicoValidation: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UPSTREAM_BAD_RESPONSE', sideEffect: 'NONE' });
  });

  it('is a response of another server in UTF-16', async () => {
    service.will(does.text(404, Buffer.from('\ufeff<html><h1>404</h1></html>', 'utf16le')));
    expect((await validation()).errors?.[0]?.extensions['code']).toBe('UPSTREAM_BAD_RESPONSE');
  });
});

describe('a 404 without markup', () => {
  it.each<[string, string, Record<string, string>?]>([
    ['text', 'Not Found'],
    ['text with a "<" inside', 'no record with id < 2'],
    ['JSON', '{"message":"<h1>none</h1>"}'],
    ['a JSON string of markup', '"<h1>none</h1>"'],
    ['XML under its own type', '<error>none</error>', { 'content-type': 'application/xml' }],
    ['problem XML', '<problem/>', { 'content-type': 'application/problem+xml; charset=utf-8' }],
    ['nothing', ''],
  ])('means that there is no record: %s', async (_what, body, headers) => {
    service.will(does.text(404, body, headers));
    expect(await validation()).toMatchObject({ data: { mexicoValidation: null }, errors: undefined });
  });
});
