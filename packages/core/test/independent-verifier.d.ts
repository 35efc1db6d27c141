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
    options: Common & { presentation: unknown; presentationPurpose?: unknown; challenge?: string },
  ): Promise<{ verified: boolean; error?: unknown }>;
  export function issue(options: Common & { credential: unknown }): Promise<Record<string, never>>;
  export function signPresentation(
    options: Common & { presentation: unknown; challenge: string },
  ): Promise<Record<string, never>>;
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: ReadonlyMap<string, unknown>;
}

declare module '@digitalbazaar/ed25519-signature-2018' {
  export class Ed25519Signature2018 {
    readonly type: string;
    constructor(options?: { key?: unknown; date?: string });
  }
}

declare module '@digitalbazaar/ed25519-verification-key-2018' {
  export class Ed25519VerificationKey2018 {
    readonly publicKeyBase58: string;
    static generate(options: { id: string; controller: string; seed: Uint8Array }): Promise<Ed25519VerificationKey2018>;
  }
}
