/**
 * The version of this package, shown in the list of nodes. Updated by releases. Where the package is bundled, the commit follows as
 * build metadata, for instance `0.1.0+495a52161c07`: two builds of one version can be told apart.
 */
export const version = '0.1.0';
