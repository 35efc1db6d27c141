/** The commit that this program was made from, which the bundle puts in the place of this text; empty where it runs unbundled. */
export const build = '' as string;
