/** The version of this package, for the table of nodes; a release writes it. */
export const version = '0.1.0';
