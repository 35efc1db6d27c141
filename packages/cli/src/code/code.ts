/** The code of a policy, by its name. What runs it is loaded with the first policy that is code. */

export const isCode = (path: string): boolean => /\.m?[jt]s$/.test(path);

/** As `policyFromCode` of the module that runs it. */
export const policyFromCode = async (path: string): Promise<unknown> =>
  (await import('./run-code.js')).policyFromCode(path);
