/** A text in the order of `languages`. `{name}` is a parameter. */
export type Text = readonly [english: string, spanish: string, malay: string, chinese: string];
export type Words = Readonly<Record<string, Text>>;
