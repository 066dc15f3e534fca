import { unmaskableIn } from '@millrace/engine/definition'
import { ConfigError } from '#config/config-error.ts'
import type { Config } from '#config/read-config.ts'
import { SecretsFault } from '#platform/secrets/parse-secrets.ts'
import { noSecrets, type SecretStore } from '#platform/secrets/secret-store.ts'
import { openSecretsFile } from '#platform/secrets/secrets-file.ts'
import type { Logger } from './logger.ts'

/** Where the secrets of accounts come from. */
export async function openSecrets({ secretsFile }: Pick<Config, 'secretsFile'>, logger: Pick<Logger, 'warn'>): Promise<SecretStore> {
  if (secretsFile === undefined) return noSecrets
  try {
    return await openSecretsFile({ path: secretsFile, warn: (message) => logger.warn(message), unmaskableIn })
  } catch (error) {
    throw error instanceof SecretsFault ? new ConfigError([{ name: 'MILLRACE_SECRETS_FILE', message: error.message }]) : error
  }
}
