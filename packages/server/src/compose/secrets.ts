import { unmaskableIn } from '@millrace/engine/definition'
import { ConfigError } from '#config/config-error.ts'
import type { Config } from '#config/read-config.ts'
import { loadSecretKey } from '#config/secret-key.ts'
import { createAccountSecrets, createVariableValues, type VariableValues } from '#modules/variables/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { createSealing, type Sealing } from '#platform/sealing/sealing.ts'
import { openInstallationKeys } from '#platform/secrets/root-keys.ts'
import { SecretsFault } from '#platform/secrets/parse-secrets.ts'
import { noSecrets, type SecretStore } from '#platform/secrets/secret-store.ts'
import { createVaultStore } from '#platform/secrets/vault-store.ts'
import { firstOf } from '#platform/secrets/first-of.ts'
import { createWebFetch } from '#platform/net/web-fetch.ts'
import { openSecretsFile } from '#platform/secrets/secrets-file.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

/** The secrets of the installation and of its accounts. */
export interface Secrets {
  /** The first secret key of the installation. */
  readonly secretKey: Uint8Array
  /** Seals secrets under the key of their account. */
  readonly sealing: Sealing
  readonly variableValues: VariableValues
  readonly secrets: SecretStore
}

/** The secrets that the operator keeps outside of the database: in the Vault first, then in the file. */
export async function openSecrets(
  config: Pick<Config, 'secretsFile' | 'vault'>,
  logger: Pick<Logger, 'warn'>,
  { clock }: Pick<System, 'clock'>,
  running: AsyncDisposableStack,
): Promise<SecretStore> {
  const file = await openFile(config, logger)
  if (config.vault === undefined) return file
  const { url, path, namespace, credential } = config.vault
  const web = createWebFetch()
  running.defer(() => web.close())
  const revealed =
    credential.kind === 'token'
      ? { ...credential, token: credential.token.reveal() }
      : { ...credential, secretId: credential.secretId.reveal() }
  const vault = createVaultStore({ url, path, namespace, credential: revealed, web, clock, warn: (message) => logger.warn(message) })
  return firstOf(vault, file)
}

async function openFile({ secretsFile }: Pick<Config, 'secretsFile'>, logger: Pick<Logger, 'warn'>): Promise<SecretStore> {
  if (secretsFile === undefined) return noSecrets
  try {
    return await openSecretsFile({ path: secretsFile, warn: (message) => logger.warn(message), unmaskableIn })
  } catch (error) {
    throw error instanceof SecretsFault ? new ConfigError([{ name: 'MILLRACE_SECRETS_FILE', message: error.message }]) : error
  }
}

/** The secret key, and the secrets of accounts: their variables first, then those of `fallback`. */
export async function openAccountSecrets(
  config: Pick<Config, 'secretKey' | 'home' | 'acceptNewKey'>,
  { database, fallback }: { readonly database: Pick<Database, 'system'>; readonly fallback: SecretStore },
  { logger, system }: { readonly logger: Pick<Logger, 'warn'>; readonly system: Pick<System, 'randomBytes' | 'now'> },
): Promise<Secrets> {
  const { randomBytes, now } = system
  const configured = (config.secretKey ?? (await loadSecretKey({ home: config.home, randomBytes }))).reveal()
  const keys = { db: database.system, secretKey: configured, randomBytes, now }
  const { first: secretKey, roots } = await openInstallationKeys(keys, { acceptNew: config.acceptNewKey })
  const sealing = createSealing({ roots, randomBytes })
  const variableValues = createVariableValues({ sealing, before: createSecretBox(secretKey, 'variables', randomBytes) })
  const secrets = createAccountSecrets({
    db: database.system,
    values: variableValues,
    fallback,
    onUnreadable: (accountId, names) => logger.warn({ accountId, names }, 'secrets were sealed under another key'),
  })
  return { secretKey, sealing, variableValues, secrets }
}
