import { open } from 'node:fs/promises'
import { errorCode } from '#platform/error-code.ts'
import { toTypeId } from '#platform/ids.ts'
import { type AccountSecrets, parseSecrets, SecretsFault } from './parse-secrets.ts'
import type { SecretStore, SecretValue } from './secret-store.ts'

export interface SecretsFileDeps {
  /** Absolute path. */
  readonly path: string
  /** Called with a message to the operator. */
  readonly warn: (message: string) => void
  /** JSON Pointers of the texts in a secret that are too short to be masked in journals and logs. */
  readonly unmaskableIn: (secret: SecretValue) => readonly string[]
}

interface Content {
  /** Changes whenever the file changes or is replaced. */
  readonly stamp: string
  readonly secrets: AccountSecrets
}

/** At most this many positions are listed in one warning. */
const NAMED_MAX = 10

const bytesMax = 4 * 1024 * 1024

/**
 * The secrets of a file of the operator, which is read again when it has changed.
 *
 * Every request for secrets checks whether the file has changed, so a replaced file is noticed as well as an edited one, without a watcher. A file
 * that is invalid at the start is an error; one that becomes invalid later causes one warning, and the last valid content stays in use.
 */
export async function openSecretsFile(deps: SecretsFileDeps): Promise<SecretStore> {
  const { warn } = deps
  let content = await readContent(undefined, deps)
  let broken: string | undefined

  async function current(): Promise<AccountSecrets> {
    try {
      content = await readContent(content, deps)
      broken = undefined
    } catch (error) {
      if (!(error instanceof SecretsFault)) throw error
      if (error.message !== broken) warn(`${error.message} The last valid content stays in use until the file is corrected.`)
      broken = error.message
    }
    return content.secrets
  }

  return {
    names: async (accountId) => new Set((await current()).get(accountId)?.keys()),
    async read(accountId, names) {
      const secrets = (await current()).get(accountId)
      return Object.fromEntries(
        names.flatMap((name) => {
          const value = secrets?.get(name)
          return value === undefined ? [] : [[name, value]]
        }),
      )
    },
  }
}

/** Reads the file; returns `known` when it has not changed. */
async function readContent(known: Content | undefined, { path, warn, unmaskableIn }: SecretsFileDeps): Promise<Content> {
  const wrong = (what: string, cause?: unknown) => new SecretsFault(`The file of secrets ${path} ${what}`, { cause })
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw wrong(`cannot be opened (${errorCode(cause) ?? 'unknown error'}). Write the path of a file that this user may read.`, cause)
  })
  try {
    const { dev, ino, size, mtimeNs, mode } = await file.stat({ bigint: true })
    const stamp = [dev, ino, size, mtimeNs].join(':')
    if (known?.stamp === stamp) return known
    if (size > bytesMax) throw wrong(`has ${size} bytes; ${bytesMax} are the most.`)
    const text = await file.readFile('utf8').catch((cause: unknown) => {
      throw wrong(`cannot be read (${errorCode(cause) ?? 'unknown error'}).`, cause)
    })
    const secrets = parse(text, wrong)
    if ((mode & 0o007n) !== 0n) warn(`The file of secrets ${path} is open to every user of this machine. Run: chmod o-rwx ${path}`)
    const short = [...secrets].flatMap(([accountId, named]) => unmaskableOf(accountId, named, unmaskableIn))
    if (short.length > 0)
      warn(
        `Texts in the file of secrets ${path} are too short to be masked in the journal and in logs: ${short.slice(0, NAMED_MAX).join(', ')}`,
      )
    return { stamp, secrets }
  } finally {
    await file.close()
  }
}

function unmaskableOf(
  accountId: string,
  secrets: ReadonlyMap<string, SecretValue>,
  unmaskableIn: SecretsFileDeps['unmaskableIn'],
): readonly string[] {
  return [...secrets].flatMap(([name, value]) => unmaskableIn(value).map((pointer) => `/${toTypeId('acct', accountId)}/${name}${pointer}`))
}

function parse(text: string, wrong: (what: string) => SecretsFault): AccountSecrets {
  try {
    return parseSecrets(text)
  } catch (error) {
    throw error instanceof SecretsFault ? wrong(`cannot be used: ${error.message}`) : error
  }
}
