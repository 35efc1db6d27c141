/** The version of this package, shown in the list of nodes. Updated by releases. */
export const version = '0.1.0';
