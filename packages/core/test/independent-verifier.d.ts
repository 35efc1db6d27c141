/** The part of the independent verifier's interface that the tests use; it comes without types. */
declare module '@digitalbazaar/data-integrity' {
  export class DataIntegrityProof {
    readonly type: string;
    constructor(options: { cryptosuite: unknown });
  }
}

declare module '@digitalbazaar/eddsa-jcs-2022-cryptosuite' {
  export function createVerifyCryptosuite(): unknown;
}

declare module '@digitalbazaar/vc' {
  interface Common {
    suite: unknown;
    documentLoader: (url: string) => Promise<unknown>;
    now: Date;
  }
  export class CredentialIssuancePurpose {
    validate(proof: unknown, options: { readonly document: object }): Promise<unknown>;
  }
  export function verifyCredential(options: Common & { credential: unknown }): Promise<{ verified: boolean }>;
  export function verify(
    options: Common & { presentation: unknown; presentationPurpose: unknown },
  ): Promise<{ verified: boolean }>;
}
