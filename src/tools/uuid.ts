const form = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the text is a UUID (RFC 9562, section 4) of any version, in any case. */
export function isUuid(text: string): boolean {
  return form.test(text);
}
