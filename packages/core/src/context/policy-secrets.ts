/** One policy's secrets, as used by one of its blocks. */
import type { SecretReader } from '../block-api/index.js';
import { BlockworkError } from '../errors.js';
import { isSecretName } from '../records/index.js';
import type { Secrets, SecretUse } from '../ports/index.js';

export class PolicySecrets implements SecretReader {
  constructor(
    private readonly secrets: Secrets,
    private readonly use: SecretUse,
  ) {}

  async get(name: string): Promise<string> {
    const value = isSecretName(name) ? await this.secrets.get(name, this.use) : undefined;
    if (value !== undefined) return value;
    const { policyId, tag } = this.use;
    throw new BlockworkError('SECRET_UNKNOWN', { facts: { policyId, tag, name } });
  }
}
