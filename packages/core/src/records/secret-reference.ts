/** References to secrets in the text of options: `{{secret:NAME}}`. */

const reference = /\{\{\s*secret:([A-Za-z0-9_]{1,100})\s*\}\}/g;

export const isSecretName = (name: string): boolean => /^[A-Za-z0-9_]{1,100}$/.test(name);

/** The names of the secrets that a text refers to, each once. */
export const secretNamesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(reference)].map(([, name = '']) => name)),
];

/** The reference to a secret. */
export const secretReference = (name: string): string => `{{secret:${name}}}`;
